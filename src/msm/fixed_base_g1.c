/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "msm/fixed_base.h"

#include <stdlib.h>

#include "base/memory.h"
#include "msm/table.h"

#define G(name)           g1_##name
#define FIXED_BASE(name)  fixed_base_g1_##name
#define FIXED_BASE_T      fixed_base_g1_t
#define FIXED_BASE_STRUCT fixed_base_g1
#define MSM_GROUP         msm_group_g1
#include "msm/fixed_base_tmpl.h"
