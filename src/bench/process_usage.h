/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_PROCESS_USAGE_H
#define CUZK_BENCH_PROCESS_USAGE_H

/* What the kernel says this process has used. */

#include <stdbool.h>
#include <stdint.h>

/** Of all threads, so far. */
typedef struct {
    uint64_t page_faults, context_switches, cpu_ns;
} process_usage_t;

process_usage_t process_usage_now(void);

/** Makes process_peak_rss_bytes() (base/clock.h) what is resident now. False where the
 *  kernel has no such thing or does not allow it. */
bool peak_memory_restart(void);

#endif
