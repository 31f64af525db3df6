/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_COUNTER_GROUP_H
#define CUZK_BENCH_COUNTER_GROUP_H

/* What read(2) gives for a group of events. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COUNTER_GROUP_MAX = 4, COUNTER_GROUP_BYTES = 8 * (3 + COUNTER_GROUP_MAX) };

/** One reading of one thread's group. Times are nanoseconds: how long it was enabled, and how long
 *  of that it was on the processor's counters. */
typedef struct {
    uint64_t enabled, running;
    uint64_t counts[COUNTER_GROUP_MAX];
} counter_reading_t;

/** Reads bytes[0 .. length-1] in the form PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
 *  PERF_FORMAT_TOTAL_TIME_RUNNING of perf_event_open(2), for n_events events. False when it has
 *  another form. */
bool counter_reading_parse(counter_reading_t *reading, const void *bytes, size_t length,
                           uint32_t n_events);

/** What happened to a group between readings, summed over threads and measured parts. */
typedef struct {
    uint64_t enabled, running;
    double counts[COUNTER_GROUP_MAX]; /* scaled to the whole time enabled */
} counter_group_t;

/** Adds what happened between two readings of a thread. When the group was enabled but never ran,
 *  that adds to `enabled` only. */
void counter_group_add(counter_group_t *group, const counter_reading_t *from,
                       const counter_reading_t *to);

/** The part of the time the group was counted, 0 .. 1; 1 when it was never enabled. */
double counter_group_share(const counter_group_t *group);

#endif
