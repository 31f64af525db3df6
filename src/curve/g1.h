/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CURVE_G1_H
#define CUZK_CURVE_G1_H

/* The group G1 of BLS12-381: y^2 = x^3 + 4, over fp. Its functions are those of curve_decl.h with
 * the prefix g1_; an encoding is x, then y. */

#include "base/error.h"
#include "curve/points.h"
#include "field/fp.h"
#include "field/fr.h"

typedef blst_p1_affine g1_affine_t;
typedef blst_p1 g1_jac_t;

enum { G1_UNCOMPRESSED_BYTES = 96, G1_COMPRESSED_BYTES = 48 };

#define G(name)     g1_##name
#define GU(name)    G1_##name
#define BLST(name)  blst_p1_##name
#define COORD(name) fp_##name
#include "curve/curve_decl.h"

#endif
