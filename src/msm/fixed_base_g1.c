/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/memory.h"
#include <stdlib.h>
#include "msm/fixed_base.h"

#define G(name) g1_##name
#define FIXED_BASE(name) fixed_base_g1_##name
#define TABLE_T fixed_base_g1_t
#define TABLE_STRUCT fixed_base_g1
#include "msm/fixed_base_tmpl.h"
