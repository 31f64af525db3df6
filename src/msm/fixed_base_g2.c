/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "msm/fixed_base.h"

#include <stdlib.h>

#include "base/memory.h"
#include "msm/table.h"

#define G(name)           g2_##name
#define FIXED_BASE(name)  fixed_base_g2_##name
#define FIXED_BASE_T      fixed_base_g2_t
#define FIXED_BASE_STRUCT fixed_base_g2
#define MSM_GROUP         msm_group_g2
#include "msm/fixed_base_tmpl.h"
