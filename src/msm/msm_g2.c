/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "msm/msm.h"

#include <stdlib.h>

#include "msm/run.h"

#define G(name)   g2_##name
#define MSM       msm_g2
#define MSM_GROUP msm_group_g2
#define ENCODED   G2_FORM_UNCOMPRESSED
#include "msm/msm_tmpl.h"
