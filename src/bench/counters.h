/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_COUNTERS_H
#define CUZK_BENCH_COUNTERS_H

/* Counters of all threads of this process over the measured parts of a run: hardware events where
 * the kernel gives them; page-faults, context-switches and task-clock always, from getrusage(). */

#include <stdbool.h>
#include <stdint.h>

#include "codec/json_write.h"

enum { COUNTERS_MAX = 24, COUNTERS_WHY_BYTES = 112 };

typedef struct {
    const char *name; /* perf's; task-clock is in nanoseconds */
    double value;     /* a run */
    double share;     /* the part of the time it was counted; below 1 the value is scaled up */
} counter_value_t;

typedef struct {
    const char *name;
    char why[COUNTERS_WHY_BYTES];
} counter_missing_t;

typedef struct {
    bool user_only; /* without the kernel's share, which this user may not see */
    counter_value_t values[COUNTERS_MAX];
    uint32_t n_values;
    counter_missing_t missing[COUNTERS_MAX];
    uint32_t n_missing;
} counters_t;

typedef struct counter_set counter_set_t;

/** Opens the events for each thread there is now: start worker threads before. Does not fail: what
 *  can't be had is told as missing. NULL without memory. */
counter_set_t *counters_open(void);
void counters_close(counter_set_t *set);

/** Around each measured part; the counts add up. */
void counters_start(counter_set_t *set);
void counters_stop(counter_set_t *set);

/** Forgets the counts so far. */
void counters_restart(counter_set_t *set);

/** The counts so far, divided by the number of runs. */
void counters_read(counters_t *counters, const counter_set_t *set, uint32_t runs);

/** An event that was counted, or NULL. */
const counter_value_t *counters_find(const counters_t *counters, const char *name);

/** Its value, or NaN. */
double counters_value(const counters_t *counters, const char *name);

/** Moves the events whose value is NaN to the missing ones. */
void counters_drop_unknown(counters_t *counters);

/** a -= b, event by event, with the lesser share; those that b lacks become missing. */
void counters_subtract(counters_t *a, const counters_t *b);

/** A member of this name: an object with "values" (name, value, counted_share, and per_constraint
 *  unless n_constraints is 0) and "missing" (name, why). */
void counters_write(json_writer_t *w, const char *name, const counters_t *counters,
                    uint64_t n_constraints);

/** As text, a line each, to standard output. */
void counters_print(const counters_t *counters, uint64_t n_constraints);

#endif
