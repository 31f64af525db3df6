/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define G(name) g2_##name
#define GROUP(name) name##_g2
#define GU(name) G2_##name
#define POINTS_TO_AFFINE blst_p2s_to_affine
#define FIXED_BASE_T fixed_base_g2_t
#define FIXED_BASE(name) fixed_base_g2_##name
#include "msm/test_msm_tmpl.h"
