/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CURVE_G2_H
#define CUZK_CURVE_G2_H

/* The group G2 of BLS12-381: y^2 = x^3 + 4 (u + 1), over fp2. Its functions are those of
 * curve_decl.h with the prefix g2_; an encoding is x, then y, and in each the coefficient of u
 * stands before the constant one. */

#include "base/error.h"
#include "curve/points.h"
#include "field/fp.h"
#include "field/fr.h"

typedef blst_p2_affine g2_affine_t;
typedef blst_p2 g2_jac_t;

enum { G2_UNCOMPRESSED_BYTES = 192, G2_COMPRESSED_BYTES = 96 };

#define G(name)     g2_##name
#define GU(name)    G2_##name
#define BLST(name)  blst_p2_##name
#define COORD(name) fp2_##name
#include "curve/curve_decl.h"

#endif
