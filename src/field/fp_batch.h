/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_FIELD_FP_BATCH_H
#define CUZK_FIELD_FP_BATCH_H

/* Operations on arrays of fp and fp2, one decision a call on which kernel runs (base/cpu.h):
 * blst's scalar routines or AVX-512 IFMA, eight elements at once. Both give the same reduced
 * limbs. r may be equal to an input array, not overlap it otherwise. One thread; callers cut the
 * work. The vector form converts in and out, so arithmetic that chains several products keeps to
 * field/fp_8x52.h instead. */

#include <stddef.h>

#include "field/fp.h"

void fp_batch_mul(fp_t *r, const fp_t *a, const fp_t *b, size_t n);
void fp2_batch_mul(fp2_t *r, const fp2_t *a, const fp2_t *b, size_t n);

#endif
