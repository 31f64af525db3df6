/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_FIELD_FR_8X52_WORDS_H
#define CUZK_FIELD_FR_8X52_WORDS_H

/* The way between memory, four limbs of 64 bits an element, and vectors of eight elements in limbs
 * of 52 bits; the vectors are described in field/fr_8x52.h. */

#include <immintrin.h>

#include "field/fr.h"

typedef struct {
    __m512i l[5];
} fr8_t;

#define FR8_INLINE static inline __attribute__((always_inline))

enum { FR8_LANES = 8 };

FR8_INLINE __m512i fr8_word(uint64_t x)
{
    return _mm512_set1_epi64((long long)x);
}

FR8_INLINE __m512i fr8_mask(void)
{
    return fr8_word(0xfffffffffffff);
}

FR8_INLINE fr8_t fr8_broadcast(const uint64_t limbs[5])
{
    return (fr8_t){{fr8_word(limbs[0]), fr8_word(limbs[1]), fr8_word(limbs[2]), fr8_word(limbs[3]),
                    fr8_word(limbs[4])}};
}

/* z[k] holds elements 2k and 2k + 1; w[i] = limb i of all eight. */
FR8_INLINE void fr8_transpose_in(__m512i w[4], const __m512i z[4])
{
    const __m512i low = _mm512_setr_epi64(0, 4, 8, 12, 1, 5, 9, 13);
    const __m512i high = _mm512_setr_epi64(2, 6, 10, 14, 3, 7, 11, 15);
    const __m512i a01 = _mm512_permutex2var_epi64(z[0], low, z[1]);
    const __m512i b01 = _mm512_permutex2var_epi64(z[2], low, z[3]);
    const __m512i a23 = _mm512_permutex2var_epi64(z[0], high, z[1]);
    const __m512i b23 = _mm512_permutex2var_epi64(z[2], high, z[3]);

    w[0] = _mm512_shuffle_i64x2(a01, b01, 0x44);
    w[1] = _mm512_shuffle_i64x2(a01, b01, 0xee);
    w[2] = _mm512_shuffle_i64x2(a23, b23, 0x44);
    w[3] = _mm512_shuffle_i64x2(a23, b23, 0xee);
}

/* The inverse of fr8_transpose_in. */
FR8_INLINE void fr8_transpose_out(__m512i z[4], const __m512i w[4])
{
    const __m512i even = _mm512_setr_epi64(0, 4, 8, 12, 1, 5, 9, 13);
    const __m512i odd = _mm512_setr_epi64(2, 6, 10, 14, 3, 7, 11, 15);
    const __m512i a01 = _mm512_shuffle_i64x2(w[0], w[1], 0x44);
    const __m512i b01 = _mm512_shuffle_i64x2(w[0], w[1], 0xee);
    const __m512i a23 = _mm512_shuffle_i64x2(w[2], w[3], 0x44);
    const __m512i b23 = _mm512_shuffle_i64x2(w[2], w[3], 0xee);

    z[0] = _mm512_permutex2var_epi64(a01, even, a23);
    z[1] = _mm512_permutex2var_epi64(a01, odd, a23);
    z[2] = _mm512_permutex2var_epi64(b01, even, b23);
    z[3] = _mm512_permutex2var_epi64(b01, odd, b23);
}

/* (x | y) & mask */
FR8_INLINE __m512i fr8_or_and(__m512i x, __m512i y)
{
    return _mm512_ternarylogic_epi64(x, y, fr8_mask(), 0xa8);
}

/* Normalized limbs of 256-bit words. */
FR8_INLINE fr8_t fr8_from_words(const __m512i w[4])
{
    fr8_t a;

    a.l[0] = _mm512_and_si512(w[0], fr8_mask());
    a.l[1] = fr8_or_and(_mm512_srli_epi64(w[0], 52), _mm512_slli_epi64(w[1], 12));
    a.l[2] = fr8_or_and(_mm512_srli_epi64(w[1], 40), _mm512_slli_epi64(w[2], 24));
    a.l[3] = fr8_or_and(_mm512_srli_epi64(w[2], 28), _mm512_slli_epi64(w[3], 36));
    a.l[4] = _mm512_srli_epi64(w[3], 16);
    return a;
}

/* The same of 16 times the value. */
FR8_INLINE fr8_t fr8_from_words_x16(const __m512i w[4])
{
    fr8_t a;

    a.l[0] = _mm512_and_si512(_mm512_slli_epi64(w[0], 4), fr8_mask());
    a.l[1] = fr8_or_and(_mm512_srli_epi64(w[0], 48), _mm512_slli_epi64(w[1], 16));
    a.l[2] = fr8_or_and(_mm512_srli_epi64(w[1], 36), _mm512_slli_epi64(w[2], 28));
    a.l[3] = fr8_or_and(_mm512_srli_epi64(w[2], 24), _mm512_slli_epi64(w[3], 40));
    a.l[4] = _mm512_srli_epi64(w[3], 12);
    return a;
}

/* a is normalized and below 2^256. */
FR8_INLINE void fr8_to_words(__m512i w[4], fr8_t a)
{
    w[0] = _mm512_or_si512(a.l[0], _mm512_slli_epi64(a.l[1], 52));
    w[1] = _mm512_or_si512(_mm512_srli_epi64(a.l[1], 12), _mm512_slli_epi64(a.l[2], 40));
    w[2] = _mm512_or_si512(_mm512_srli_epi64(a.l[2], 24), _mm512_slli_epi64(a.l[3], 28));
    w[3] = _mm512_or_si512(_mm512_srli_epi64(a.l[3], 36), _mm512_slli_epi64(a.l[4], 16));
}

/* limbs[k] of p[0 .. 7], 4 words each. */
FR8_INLINE void fr8_load_words(__m512i w[4], const void *p)
{
    const __m512i *at = p;
    const __m512i z[4] = {_mm512_loadu_si512(at), _mm512_loadu_si512(at + 1),
                          _mm512_loadu_si512(at + 2), _mm512_loadu_si512(at + 3)};

    fr8_transpose_in(w, z);
}

/** p[0 .. 7], normalized. */
FR8_INLINE fr8_t fr8_load(const void *p)
{
    __m512i w[4];

    fr8_load_words(w, p);
    return fr8_from_words(w);
}

/** 16 times p[0 .. 7], normalized: the second operand of a product in the form of the memory. */
FR8_INLINE fr8_t fr8_load_x16(const void *p)
{
    __m512i w[4];

    fr8_load_words(w, p);
    return fr8_from_words_x16(w);
}

/** p[0 .. 7] = a, normalized and below 2^256. */
FR8_INLINE void fr8_store(void *p, fr8_t a)
{
    __m512i *at = p;
    __m512i w[4], z[4];

    fr8_to_words(w, a);
    fr8_transpose_out(z, w);
    _mm512_storeu_si512(at, z[0]);
    _mm512_storeu_si512(at + 1, z[1]);
    _mm512_storeu_si512(at + 2, z[2]);
    _mm512_storeu_si512(at + 3, z[3]);
}

#endif
