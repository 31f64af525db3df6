/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_FIELD_FR_BATCH_H
#define CUZK_FIELD_FR_BATCH_H

/* Operations on arrays of fr, one decision a call on which kernel runs (base/cpu.h): blst's scalar
 * routines or AVX-512 IFMA, eight elements at once. Both give the same reduced limbs. r may be
 * equal to an input array, not overlap it otherwise. One thread; callers cut the work. */

#include <stddef.h>

#include "field/fr.h"

void fr_batch_add(fr_t *r, const fr_t *a, const fr_t *b, size_t n);
void fr_batch_sub(fr_t *r, const fr_t *a, const fr_t *b, size_t n);
void fr_batch_mul(fr_t *r, const fr_t *a, const fr_t *b, size_t n);
void fr_batch_sqr(fr_t *r, const fr_t *a, size_t n);

/** r[i] = a[i] * k */
void fr_batch_scale(fr_t *r, const fr_t *a, const fr_t *k, size_t n);

/** r[i] = a[i] * first * step^i */
void fr_batch_scale_powers(fr_t *r, const fr_t *a, const fr_t *first, const fr_t *step, size_t n);

/** r[i] = 1 / a[i], 0 for 0; r and a must differ. One inversion and three products an element. */
void fr_batch_inv(fr_t *r, const fr_t *a, size_t n);

/** Montgomery form to canonical and back; s and a may be the same memory. */
void fr_batch_to_scalar(scalar_t *s, const fr_t *a, size_t n);
void fr_batch_from_scalar(fr_t *a, const scalar_t *s, size_t n);

#endif
