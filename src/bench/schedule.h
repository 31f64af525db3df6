/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_SCHEDULE_H
#define CUZK_BENCH_SCHEDULE_H

/* How long the work of a trace (base/trace.h) would take on another number of cores, and how busy
 * these would be: list scheduling of what was recorded, without the cost of switching, memory
 * bandwidth or shared caches.
 *
 * A strand's serial stretches occupy one core. The tasks of a loop are claimed by free cores in the
 * order of their index; the strand goes on when all are done. A strand begins at once, or where a
 * TRACE_FORK names it, at that event; behind a TRACE_JOIN its strand goes on when all of the other
 * is done. A free core takes work of the strand with the lowest number that has some, and what is
 * begun is not interrupted. */

#include "base/trace.h"

enum { SCHEDULE_MAX_CORES = 1 << 20, SCHEDULE_MAX_STRANDS = 1 << 20 };

typedef struct {
    uint64_t work_ns;     /* of all stretches and tasks together */
    uint64_t makespan_ns; /* from the begin to the end of the last */
    double busy;          /* work_ns / (cores * makespan_ns); 0 when there is no work */
} schedule_t;

/** Schedules events[0 .. n-1], those of a strand in their order, on cores = 1 to
 *  SCHEDULE_MAX_CORES. CUZK_ERR_ARG for another number, and for events that no executor could have
 *  recorded: strands that wait for each other, a strand that begins twice, times whose sum
 *  overflows. CUZK_ERR_MEMORY. Takes O((n + tasks) log(cores + strands)). */
cuzk_status schedule_simulate(schedule_t *out, const trace_event_t *events, size_t n,
                              uint32_t cores, cuzk_error *err);

#endif
