/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_MEASURE_H
#define CUZK_BENCH_MEASURE_H

/* Repeated measurements of one thing, and their line of JSON. */

#include "base/pool.h"
#include "codec/json_write.h"

enum { MEASURE_MAX_RUNS = 1000 };

/** What kernels measures, as asked for on the command line. */
typedef struct {
    const char *bench;
    unsigned log_n;
    uint32_t threads;
    uint32_t runs;
    const char *shape; /* "dense" or "bits" */
    const char *cache; /* folder for parameters, or NULL */
    pool_t *pool;
} kernels_t;

/** Wall and CPU (all threads) seconds of each run. */
typedef struct {
    double wall[MEASURE_MAX_RUNS];
    double cpu[MEASURE_MAX_RUNS];
    uint32_t n;
    uint64_t wall_start, cpu_start;
} measure_t;

void measure_start(measure_t *m);

/** Ends the run begun last and keeps its times. */
void measure_stop(measure_t *m);

/** The middle of n values (which are reordered), or the mean of the two in the middle. */
double median(double *values, uint32_t n);

/** Begins the line's object with what all benches have; the caller adds more and ends it. */
void measure_write(json_writer_t *w, const kernels_t *k, measure_t *m, const char *result);

/** Ends the object and prints the line. */
void measure_print(json_writer_t *w);

#endif
