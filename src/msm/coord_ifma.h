/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_MSM_COORD_IFMA_H
#define CUZK_MSM_COORD_IFMA_H

/* What the coordinates of G1 and G2 for group_tmpl.h share at the AVX-512 IFMA level: a part is
 * an element of fp in each of eight lanes, a row of a slot is one element. Slots hold reduced
 * elements; a negated y is raw. */

#include "field/fp_8x52.h"

typedef fp8_t norm_t;
typedef __mmask8 lanes_t;

/* SUB_MULTIPLE p is added to differences of reduced or negated reduced elements. */
enum { LANES = FP8_LANES, SUB_MULTIPLE = 3 };

static inline void norm_one(norm_t *r)
{
    fp8_broadcast(r, &fp8_one);
}

static inline void norm_mul(norm_t *r, const norm_t *a, const norm_t *b)
{
    fp8_mul(r, a, b);
}

static inline void norm_inv(norm_t *r, const norm_t *a)
{
    fp8_inv(r, a);
}

static inline void part_gather(fp8_t *r, const uint64_t *const *rows, size_t offset)
{
    __m512i row[LANES];

    FP8_UNROLL
    for (int i = 0; i < LANES; i++) row[i] = _mm512_load_si512(rows[i] + offset);
    fp8_transpose(r, row);
}

static inline void part_scatter(uint64_t *const *rows, size_t offset, size_t n, const fp8_t *a)
{
    fp8_t row;

    fp8_transpose(&row, a->l);
    if (n == LANES) {
        FP8_UNROLL
        for (int i = 0; i < LANES; i++) _mm512_store_si512(rows[i] + offset, row.l[i]);
        return;
    }
    for (size_t i = 0; i < n; i++) _mm512_store_si512(rows[i] + offset, row.l[i]);
}

static inline lanes_t part_infinity_lanes(const fp8_t *a)
{
    __m512i any = a->l[0];

    FP8_UNROLL
    for (int j = 1; j < FP8_LIMBS; j++) any = _mm512_or_si512(any, a->l[j]);
    return _mm512_testn_epi64_mask(any, any);
}

/* Whether a difference by coord_sub may be zero mod p, or an operand the point at infinity: by the
 * lowest limb alone. A zero difference of reduced elements is 2, 3 or 4 p. */
static inline bool part_any_special(const fp8_t *difference, const fp8_t *a, const fp8_t *b)
{
    const uint64_t mask = ((uint64_t)1 << FP8_LIMB_BITS) - 1;
    __mmask8 lanes = _mm512_testn_epi64_mask(a->l[0], a->l[0]);

    lanes = _kor_mask8(lanes, _mm512_testn_epi64_mask(b->l[0], b->l[0]));
    FP8_UNROLL
    for (uint64_t k = SUB_MULTIPLE - 1; k <= SUB_MULTIPLE + 1; k++) {
        const __m512i low = _mm512_set1_epi64((long long)(k * FP8_P0 & mask));

        lanes = _kor_mask8(lanes, _mm512_cmpeq_epi64_mask(difference->l[0], low));
    }
    return lanes != 0;
}

static inline void part_clear_lanes(fp8_t *r, lanes_t lanes)
{
    FP8_UNROLL
    for (int j = 0; j < FP8_LIMBS; j++)
        r->l[j] = _mm512_mask_mov_epi64(r->l[j], lanes, _mm512_setzero_si512());
}

static inline void part_load(fp8_t *r, const uint64_t *words, size_t stride, bool plain)
{
    fp8_t factor;

    fp8_broadcast(&factor, plain ? &fp8_from_plain : &fp8_from_mont);
    fp8_load_words(r, words, stride);
    fp8_mul(r, r, &factor);
}

static inline void part_store(uint64_t *words, size_t stride, size_t n, const fp8_t *a)
{
    fp8_t factor;
    fp8_t t;

    fp8_broadcast(&factor, &fp8_to_mont);
    fp8_mul(&t, a, &factor);
    fp8_store_words(words, stride, n, &t);
}

#endif
