/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_BUILD_INFO_H
#define CUZK_BENCH_BUILD_INFO_H

/* What this program was built with. */

#include "cli/build.h"

/** Prints what the build has and lacks, a line each. */
void build_print_parts(void);

#endif
