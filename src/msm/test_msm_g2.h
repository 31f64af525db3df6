/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_MSM_TEST_MSM_G2_H
#define CUZK_MSM_TEST_MSM_G2_H

/* What test_msm.c needs to test G2. */

#define G(name)          g2_##name
#define GROUP(name)      name##_g2
#define GU(name)         G2_##name
#define POINTS_TO_AFFINE blst_p2s_to_affine
#define FIXED_BASE_T     fixed_base_g2_t
#define FIXED_BASE(name) fixed_base_g2_##name
#define PUBLISHED_RESULT                                                                           \
    "af6e4ca295df48450c022269c7219db72d8f763317ee5e545055215695ba3e9b"                             \
    "fb469900ca7cf3e5088b932d20fb7e490a715e2bd513ea47f0f12bd7030f5c0b"                             \
    "8e856e96d023e9804b0d617164b653ee4bf9671903046f49d3ecbe6f399ea9fa"

#endif
