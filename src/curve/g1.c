/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "curve/g1.h"

#define G(name)          g1_##name
#define GU(name)         G1_##name
#define BLST(name)       blst_p1_##name
#define BLST_IN_SUBGROUP blst_p1_affine_in_g1
#include "curve/curve_def.h"
