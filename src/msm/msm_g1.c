/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "msm/msm.h"

#include <stdlib.h>

#include "msm/run.h"

#define G(name)   g1_##name
#define MSM       msm_g1
#define MSM_GROUP msm_group_g1
#define ENCODED   G1_FORM_UNCOMPRESSED
#include "msm/msm_tmpl.h"
