/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_EMULATED_LANES_H
#define CUZK_EMULATED_LANES_H

/* Masks of lanes and permutations of them (immintrin.h). */

#include "vectors.h"

/* Masks. */

EMULATED __mmask8 _kor_mask8(__mmask8 a, __mmask8 b)
{
    return a | b;
}

#define EMULATED_MASK(condition)                                                                   \
    __mmask8 r = 0;                                                                                \
                                                                                                   \
    EMULATED_LANES if (condition) r = (__mmask8)(r | 1U << i);                                     \
    return r

EMULATED __mmask8 _mm512_cmpeq_epi64_mask(__m512i a, __m512i b)
{
    EMULATED_MASK(a[i] == b[i]);
}

EMULATED __mmask8 _mm512_cmpge_epi64_mask(__m512i a, __m512i b)
{
    EMULATED_MASK(a[i] >= b[i]);
}

EMULATED __mmask8 _mm512_cmplt_epi64_mask(__m512i a, __m512i b)
{
    EMULATED_MASK(a[i] < b[i]);
}

EMULATED __mmask8 _mm512_testn_epi64_mask(__m512i a, __m512i b)
{
    EMULATED_MASK((a[i] & b[i]) == 0);
}

EMULATED __mmask8 _mm512_movepi64_mask(__m512i a)
{
    EMULATED_MASK(a[i] < 0);
}

EMULATED __m512i _mm512_mask_mov_epi64(__m512i src, __mmask8 k, __m512i a)
{
    return emulated_select(k, a, src);
}

EMULATED __m512i _mm512_maskz_mov_epi64(__mmask8 k, __m512i a)
{
    return emulated_select(k, a, _mm512_setzero_si512());
}

/* Permutations of lanes. */

EMULATED __m512i _mm512_permutexvar_epi64(__m512i index, __m512i a)
{
    long long lanes[8];
    __m512i r;

    _mm512_storeu_si512(lanes, a);
    EMULATED_LANES r[i] = lanes[index[i] & 7];
    return r;
}

/* Indices 0 to 7 are lanes of a, 8 to 15 lanes of b. */
EMULATED __m512i _mm512_permutex2var_epi64(__m512i a, __m512i index, __m512i b)
{
    long long lanes[16];
    __m512i r;

    _mm512_storeu_si512(lanes, a);
    _mm512_storeu_si512(lanes + 8, b);
    EMULATED_LANES r[i] = lanes[index[i] & 15];
    return r;
}

/* Pairs of lanes: the first two out of a, the others out of b, two bits of n for each. */
EMULATED __m512i _mm512_shuffle_i64x2(__m512i a, __m512i b, int n)
{
    const int from[4] = {n & 3, n >> 2 & 3, n >> 4 & 3, n >> 6 & 3};

    return (__m512i){a[2 * from[0]], a[2 * from[0] + 1], a[2 * from[1]], a[2 * from[1] + 1],
                     b[2 * from[2]], b[2 * from[2] + 1], b[2 * from[3]], b[2 * from[3] + 1]};
}

EMULATED __m512i _mm512_unpacklo_epi64(__m512i a, __m512i b)
{
    return (__m512i){a[0], b[0], a[2], b[2], a[4], b[4], a[6], b[6]};
}

EMULATED __m512i _mm512_unpackhi_epi64(__m512i a, __m512i b)
{
    return (__m512i){a[1], b[1], a[3], b[3], a[5], b[5], a[7], b[7]};
}

/* Halves; the upper one is undefined after a cast. */

EMULATED __m512i _mm512_castsi256_si512(__m256i a)
{
    return (__m512i){a[0],
                     a[1],
                     a[2],
                     a[3],
                     EMULATED_UNDEFINED,
                     EMULATED_UNDEFINED,
                     EMULATED_UNDEFINED,
                     EMULATED_UNDEFINED};
}

EMULATED __m256i _mm512_castsi512_si256(__m512i a)
{
    return (__m256i){a[0], a[1], a[2], a[3]};
}

EMULATED __m512i _mm512_inserti64x4(__m512i a, __m256i half, int upper)
{
    return upper & 1 ? (__m512i){a[0], a[1], a[2], a[3], half[0], half[1], half[2], half[3]}
                     : (__m512i){half[0], half[1], half[2], half[3], a[4], a[5], a[6], a[7]};
}

EMULATED __m256i _mm512_extracti64x4_epi64(__m512i a, int upper)
{
    return upper & 1 ? (__m256i){a[4], a[5], a[6], a[7]} : (__m256i){a[0], a[1], a[2], a[3]};
}

#endif
