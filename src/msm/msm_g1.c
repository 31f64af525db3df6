/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define GROUP g1
#include "msm/msm_tmpl.h"
