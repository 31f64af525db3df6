/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_CACHEGRIND_H
#define CUZK_BENCH_CACHEGRIND_H

/* Simulated counters: valgrind's cachegrind runs this program again. Its counts don't depend on
 * what else the machine does. */

#include "bench/child.h"
#include "bench/counters.h"

/** The simulated caches; LL stands for the second level of a Zen 4 core. */
#define CACHEGRIND_CACHES "I1 and D1 32 KiB 8-way, LL 1 MiB 8-way, lines of 64 bytes"

/** Reads a cachegrind.out text (its "events:" and "summary:" lines); n bytes and a zero after
 *  them. CUZK_ERR_FORMAT. The rows are instructions, branches, branch-misses, data-references,
 *  D1-misses and LL-misses. */
cuzk_status cachegrind_parse(counters_t *counters, const char *text, cuzk_error *err);

/** counters[i]: the counts of a single iteration of the command with the word variants[i] added:
 *  those of its run with "--iterations 1" less those of a run with "--iterations 0". The latter is
 *  made once, with the first variant: without iterations, all n of them do the same. */
cuzk_status cachegrind_measure(counters_t *counters, const child_args_t *command,
                               const char *const *variants, uint32_t n, cuzk_error *err);

/** CUZK_ERR_MISSING when valgrind cannot be run. */
cuzk_status cachegrind_check(cuzk_error *err);

#endif
