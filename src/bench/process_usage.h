/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_PROCESS_USAGE_H
#define CUZK_BENCH_PROCESS_USAGE_H

/* What the kernel says this process has used. */

#include <stdbool.h>
#include <stdint.h>

/** Page faults so far, of all threads. */
uint64_t page_faults_now(void);

/** Makes peak_rss_bytes() (base/clock.h) what is resident now. False where the
 *  kernel has no such thing or does not allow it. */
bool peak_memory_restart(void);

#endif
