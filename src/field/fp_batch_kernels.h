/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_FIELD_FP_BATCH_KERNELS_H
#define CUZK_FIELD_FP_BATCH_KERNELS_H

/* The twins behind field/fp_batch.h: same signatures, same results. */

#include <stddef.h>

#include "field/fp.h"

void fp_mul_portable(fp_t *r, const fp_t *a, const fp_t *b, size_t n);
void fp2_mul_portable(fp2_t *r, const fp2_t *a, const fp2_t *b, size_t n);
void fp_mul_ifma(fp_t *r, const fp_t *a, const fp_t *b, size_t n);
void fp2_mul_ifma(fp2_t *r, const fp2_t *a, const fp2_t *b, size_t n);

#endif
