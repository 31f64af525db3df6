/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_MEASURE_H
#define CUZK_BENCH_MEASURE_H

/* Repeated measurements of one thing, and the line of JSON that tells them. ab compares what
 * measure_begin() and measure_times() write. */

#include "bench/counters.h"
#include "bench/stats.h"

/** Wall and CPU (all threads) seconds of each run, and the counters of them all. */
typedef struct {
    double wall[STATS_MAX_RUNS];
    double cpu[STATS_MAX_RUNS];
    uint32_t n;
    uint64_t wall_start, cpu_start;
    counter_set_t *counters; /* owned; NULL: none */
} measure_t;

/** with_counters: opens them; the worker threads must be there. Release with measure_clear(), which
 *  leaves the times. */
void measure_init(measure_t *m, bool with_counters);
void measure_clear(measure_t *m);

/** Forgets the runs so far. */
void measure_restart(measure_t *m);

void measure_start(measure_t *m);

/** Ends the run begun last and keeps its times; at most STATS_MAX_RUNS of them. */
void measure_stop(measure_t *m);

/** Begins the line's object: what was measured, with which program and kernels. */
void measure_begin(json_writer_t *w, const char *bench, uint32_t threads);

/** Times and counters of the runs there were; result is what was computed, as text that is the
 *  same whenever the computation is. n_constraints may be 0. */
void measure_times(json_writer_t *w, const measure_t *m, const char *result,
                   uint64_t n_constraints);

/** Ends the object and prints the line. */
void measure_end(json_writer_t *w);

#endif
