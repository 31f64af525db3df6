/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_KERNELS_H
#define CUZK_BENCH_KERNELS_H

/* One function a bench: makes the inputs, measures k->runs runs and prints the line. */

#include "base/error.h"
#include "base/executor.h"
#include "bench/measure.h"

/** What kernels measures, as asked for on the command line. */
typedef struct {
    const char *bench;
    unsigned log_n;
    uint32_t threads;
    uint32_t runs;
    uint32_t window_lg; /* msm: 0, or the window is that for 2^window_lg terms */
    bool bits;          /* groth16: the circuit whose variables are mostly bits */
    const char *cache;  /* groth16: folder for parameters, or NULL */
    strand_t *strand;
} kernels_t;

/** The line's object with what all kernels have; the caller adds more and ends it. */
void kernels_write(json_writer_t *w, const kernels_t *k, const measure_t *m, const char *result);

cuzk_status kernels_msm_g1(const kernels_t *k, cuzk_error *err);
cuzk_status kernels_msm_g2(const kernels_t *k, cuzk_error *err);
cuzk_status kernels_ntt(const kernels_t *k, cuzk_error *err);
cuzk_status kernels_groth16(const kernels_t *k, cuzk_error *err);

#endif
