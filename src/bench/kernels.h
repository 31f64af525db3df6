/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_KERNELS_H
#define CUZK_BENCH_KERNELS_H

/* One function a bench: makes the inputs, measures k->runs runs and prints the line. */

#include "base/error.h"
#include "bench/measure.h"

cuzk_status kernels_msm_g1(const kernels_t *k, cuzk_error *err);
cuzk_status kernels_msm_g2(const kernels_t *k, cuzk_error *err);
cuzk_status kernels_ntt(const kernels_t *k, cuzk_error *err);
cuzk_status kernels_groth16(const kernels_t *k, cuzk_error *err);

#endif
