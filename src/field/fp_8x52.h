/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_FIELD_FP_8X52_H
#define CUZK_FIELD_FP_8X52_H

/* Eight elements of fp at once, in radix 2^52, for AVX-512 IFMA. Only for files compiled for that
 * (field/CMakeLists.txt), reached through a run-time choice (base/cpu.h).
 *
 * An element a stands for a * 2^416 mod p, as 8 limbs. Three forms, by what is known:
 *   normal   limbs in [0, 2^52), value in [0, 16 p): what products take;
 *   reduced  normal, value in [0, 1.001 p): what products and fp8_reduce give; zero is 0 or p;
 *   raw      signed limbs below 2^57, value in (-3.9 p, 3.9 p): sums of a few reduced ones.
 * p has 381 bits of the 416, so a Montgomery product of normal values needs no final subtraction.
 * Identifiers with _row are eight limbs of one element, as they stand in memory. */

#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "field/fp.h"

enum { FP8_LANES = 8, FP8_LIMBS = 8, FP8_LIMB_BITS = 52 };

/* The limbs of p. */
#define FP8_P0 0xeffffffffaaabULL
#define FP8_P1 0xfeb153ffffb9fULL
#define FP8_P2 0x6b0f6241eabffULL
#define FP8_P3 0x12bf6730d2a0fULL
#define FP8_P4 0x764774b84f385ULL
#define FP8_P5 0x1ba7b6434bacdULL
#define FP8_P6 0x1ea397fe69a4bULL
#define FP8_P7 0x1a011ULL

/* Loops over limbs become straight code, so that limbs stay in registers. */
#if defined(__clang__)
#define FP8_UNROLL _Pragma("unroll")
#else
#define FP8_UNROLL _Pragma("GCC unroll 16")
#endif

/** Lane i of l[j] is limb j of element i. */
typedef struct {
    __m512i l[FP8_LIMBS];
} fp8_t;

/** One element, limbs in order; 64-byte aligned. */
typedef struct {
    _Alignas(64) uint64_t l[FP8_LIMBS];
} fp8_row_t;

static const fp8_row_t fp8_p = {{FP8_P0, FP8_P1, FP8_P2, FP8_P3, FP8_P4, FP8_P5, FP8_P6, FP8_P7}};
extern const fp8_row_t fp8_one;        /* 1 */
extern const fp8_row_t fp8_from_mont;  /* fp8_mul by this: the integer in fp_t's limbs -> element */
extern const fp8_row_t fp8_to_mont;    /* fp8_mul by this: element -> the integer in fp_t's limbs */
extern const fp8_row_t fp8_from_plain; /* fp8_mul by this: the integer itself -> element */

/** r = a * b, reduced; a, b normal. r may be a or b, here and below. */
void fp8_mul(fp8_t *r, const fp8_t *a, const fp8_t *b);

/** r = a * b - c, reduced; a, b normal, c raw with |c| < 2.5 p. */
void fp8_mul_sub(fp8_t *r, const fp8_t *a, const fp8_t *b, const fp8_t *c);

/** r = a * b + c * d, reduced; all normal. */
void fp8_dot(fp8_t *r, const fp8_t *a, const fp8_t *b, const fp8_t *c, const fp8_t *d);

/** r = a * b + c * d - e, reduced; e as in fp8_mul_sub. */
void fp8_dot_sub(fp8_t *r, const fp8_t *a, const fp8_t *b, const fp8_t *c, const fp8_t *d,
                 const fp8_t *e);

/** r[i] = 1 / a[i] for all lanes, by one inversion in fp; no lane is zero, or all come out 0. */
void fp8_inv(fp8_t *r, const fp8_t *a);

/** r = a reduced; a raw. */
void fp8_reduce(fp8_t *r, const fp8_t *a);

/** Lanes where a is zero mod p; a normal. */
__mmask8 fp8_zero_lanes(const fp8_t *a);

/** Element i = the integer of six 64-bit limbs words[i * stride], normal (it is below 2^384). */
void fp8_load_words(fp8_t *r, const uint64_t *words, size_t stride);

/** words[i * stride ...] = the six limbs of the integer in lane i, below p; a reduced; i < n. */
void fp8_store_words(uint64_t *words, size_t stride, size_t n, const fp8_t *a);

/** r = the same element in each lane. */
static inline void fp8_broadcast(fp8_t *r, const fp8_row_t *row)
{
    FP8_UNROLL
    for (int j = 0; j < FP8_LIMBS; j++) r->l[j] = _mm512_set1_epi64((long long)row->l[j]);
}

/** Carries pushed up: r normal from signed limbs of a value in [0, 16 p). */
static inline void fp8_carry(fp8_t *r, const fp8_t *a)
{
    const __m512i mask = _mm512_set1_epi64(((long long)1 << FP8_LIMB_BITS) - 1);
    __m512i t = a->l[0];

    FP8_UNROLL
    for (int j = 0; j < FP8_LIMBS - 1; j++) {
        r->l[j] = _mm512_and_si512(t, mask);
        t = _mm512_add_epi64(a->l[j + 1], _mm512_srai_epi64(t, FP8_LIMB_BITS));
    }
    r->l[FP8_LIMBS - 1] = t;
}

/** r = a + b, raw or normal by its value's range, limbs not carried. */
static inline void fp8_add_raw(fp8_t *r, const fp8_t *a, const fp8_t *b)
{
    FP8_UNROLL
    for (int j = 0; j < FP8_LIMBS; j++) r->l[j] = _mm512_add_epi64(a->l[j], b->l[j]);
}

/** r = a + b, normal. */
static inline void fp8_add(fp8_t *r, const fp8_t *a, const fp8_t *b)
{
    fp8_add_raw(r, a, b);
    fp8_carry(r, r);
}

/** r = a - b + k p, normal, for a - b + k p in [0, 16 p). */
static inline void fp8_sub(fp8_t *r, const fp8_t *a, const fp8_t *b, uint64_t k)
{
    FP8_UNROLL
    for (int j = 0; j < FP8_LIMBS; j++) {
        const __m512i kp = _mm512_set1_epi64((long long)(k * fp8_p.l[j]));

        r->l[j] = _mm512_add_epi64(_mm512_sub_epi64(a->l[j], b->l[j]), kp);
    }
    fp8_carry(r, r);
}

/** a = -a in the lanes of the mask; raw. */
static inline void fp8_negate_lanes(fp8_t *a, __mmask8 lanes)
{
    FP8_UNROLL
    for (int j = 0; j < FP8_LIMBS; j++)
        a->l[j] = _mm512_mask_sub_epi64(a->l[j], lanes, _mm512_setzero_si512(), a->l[j]);
}

/** r = a in the lanes of the mask. */
static inline void fp8_blend(fp8_t *r, __mmask8 lanes, const fp8_t *a)
{
    FP8_UNROLL
    for (int j = 0; j < FP8_LIMBS; j++) r->l[j] = _mm512_mask_mov_epi64(r->l[j], lanes, a->l[j]);
}

/** r = the transpose of eight rows; transposing again gives the rows back. */
static inline void fp8_transpose(fp8_t *r, const __m512i row[FP8_LIMBS])
{
    __m512i pair[8];
    __m512i quad[8];

    FP8_UNROLL
    for (int i = 0; i < 4; i++) {
        pair[2 * i] = _mm512_unpacklo_epi64(row[2 * i], row[2 * i + 1]);
        pair[2 * i + 1] = _mm512_unpackhi_epi64(row[2 * i], row[2 * i + 1]);
    }
    FP8_UNROLL
    for (int i = 0; i < 2; i++) {
        FP8_UNROLL
        for (int k = 0; k < 2; k++) {
            const __m512i low = pair[4 * i + k];
            const __m512i high = pair[4 * i + 2 + k];

            quad[4 * i + k] = _mm512_shuffle_i64x2(low, high, 0x88);
            quad[4 * i + 2 + k] = _mm512_shuffle_i64x2(low, high, 0xdd);
        }
    }
    FP8_UNROLL
    for (int k = 0; k < 4; k++) {
        r->l[k] = _mm512_shuffle_i64x2(quad[k], quad[4 + k], 0x88);
        r->l[4 + k] = _mm512_shuffle_i64x2(quad[k], quad[4 + k], 0xdd);
    }
}

#endif
