/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BASE_CLOCK_H
#define CUZK_BASE_CLOCK_H

/* Clocks and resource use of this process. */

#include <stdint.h>

/** Monotonic nanoseconds from an arbitrary start. */
uint64_t clock_monotonic_ns(void);

/** CPU nanoseconds spent by all threads of the process. */
uint64_t clock_process_cpu_ns(void);

/** CPU nanoseconds spent by the calling thread. */
uint64_t clock_thread_cpu_ns(void);

/** The largest resident set the process has had, in bytes; 0 where the system does not tell. */
uint64_t process_peak_rss_bytes(void);

/** The one it has now. */
uint64_t process_rss_bytes(void);

static inline double clock_seconds_between(uint64_t from_ns, uint64_t to_ns)
{
    return (double)(to_ns - from_ns) * 1e-9;
}

/** Seconds since *since_ns, which becomes now. */
static inline double clock_lap_s(uint64_t *since_ns)
{
    const uint64_t now_ns = clock_monotonic_ns();
    const double seconds = clock_seconds_between(*since_ns, now_ns);

    *since_ns = now_ns;
    return seconds;
}

#endif
