/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "curve/g2.h"

#define G(name)          g2_##name
#define GU(name)         G2_##name
#define BLST(name)       blst_p2_##name
#define BLST_IN_SUBGROUP blst_p2_affine_in_g2
#include "curve/curve_def.h"
