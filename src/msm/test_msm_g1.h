/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_MSM_TEST_MSM_G1_H
#define CUZK_MSM_TEST_MSM_G1_H

/* What test_msm.c needs to test G1. */

#define G(name)          g1_##name
#define GROUP(name)      name##_g1
#define GU(name)         G1_##name
#define POINTS_TO_AFFINE blst_p1s_to_affine
#define FIXED_BASE_T     fixed_base_g1_t
#define FIXED_BASE(name) fixed_base_g1_##name
#define PUBLISHED_RESULT                                                                           \
    "925960e91885934f4074359d8ca7e68352333dcf670add6776841a9b707f4a01"                             \
    "fcf89f5609c121f746c34e42da33099b"

#endif
