/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define G(name) g1_##name
#define GROUP(name) name##_g1
#define GU(name) G1_##name
#define POINTS_TO_AFFINE blst_p1s_to_affine
#define FIXED_BASE_T fixed_base_g1_t
#define FIXED_BASE(name) fixed_base_g1_##name
#include "msm/test_msm_tmpl.h"
