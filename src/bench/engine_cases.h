/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_ENGINE_CASES_H
#define CUZK_BENCH_ENGINE_CASES_H

/* One small case of each proof kind, within the program: the golden ones of 2 KiB sectors. */

#include "bench/case_files.h"

enum { ENGINE_CASES = 4 };

/** Case i < ENGINE_CASES, whose names are "porep", "update", "winning", "window"; release with
 *  case_close(). */
cuzk_status engine_case_open(proof_case_t *c, int i, cuzk_error *err);

#endif
