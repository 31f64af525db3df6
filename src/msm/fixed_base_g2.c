/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/memory.h"
#include <stdlib.h>
#include "msm/fixed_base.h"

#define G(name) g2_##name
#define FIXED_BASE(name) fixed_base_g2_##name
#define TABLE_T fixed_base_g2_t
#define TABLE_STRUCT fixed_base_g2
#include "msm/fixed_base_tmpl.h"
