/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_EMULATED_ARITHMETIC_H
#define CUZK_EMULATED_ARITHMETIC_H

/* Sums, products, shifts and bitwise operations (immintrin.h). */

#include "vectors.h"

/* Sums and products; all modulo 2^64. */

EMULATED __m512i _mm512_add_epi64(__m512i a, __m512i b)
{
    return (__m512i)((emulated_u64x8)a + (emulated_u64x8)b);
}

EMULATED __m512i _mm512_sub_epi64(__m512i a, __m512i b)
{
    return (__m512i)((emulated_u64x8)a - (emulated_u64x8)b);
}

EMULATED __m512i _mm512_mask_sub_epi64(__m512i src, __mmask8 k, __m512i a, __m512i b)
{
    return emulated_select(k, _mm512_sub_epi64(a, b), src);
}

EMULATED __m512i _mm512_mullo_epi64(__m512i a, __m512i b)
{
    __m512i r;

    EMULATED_LANES r[i] = (long long)((uint64_t)a[i] * (uint64_t)b[i]);
    return r;
}

/* The product of the low halves. */
EMULATED __m512i _mm512_mul_epu32(__m512i a, __m512i b)
{
    __m512i r;

    EMULATED_LANES r[i] = (long long)((uint64_t)(uint32_t)a[i] * (uint32_t)b[i]);
    return r;
}

/* The product of the low 52 bits of each. */
EMULATED unsigned __int128 emulated_product_52(long long b, long long c)
{
    const uint64_t mask = ((uint64_t)1 << 52) - 1;

    return (unsigned __int128)((uint64_t)b & mask) * ((uint64_t)c & mask);
}

/* a + the product's low 52 bits. */
EMULATED __m512i _mm512_madd52lo_epu64(__m512i a, __m512i b, __m512i c)
{
    __m512i r;

    EMULATED_LANES
    {
        const uint64_t low = (uint64_t)emulated_product_52(b[i], c[i]) << 12 >> 12;

        r[i] = (long long)((uint64_t)a[i] + low);
    }
    return r;
}

/* a + the product's bits 52 to 103. */
EMULATED __m512i _mm512_madd52hi_epu64(__m512i a, __m512i b, __m512i c)
{
    __m512i r;

    EMULATED_LANES
    r[i] = (long long)((uint64_t)a[i] + (uint64_t)(emulated_product_52(b[i], c[i]) >> 52));
    return r;
}

EMULATED long long _mm512_reduce_add_epi64(__m512i a)
{
    uint64_t sum = 0;

    for (int i = 0; i < 8; i++) sum += (uint64_t)a[i];
    return (long long)sum;
}

/* Shifts; a count above 63 shifts everything out. */

EMULATED __m512i _mm512_slli_epi64(__m512i a, unsigned n)
{
    return n > 63 ? _mm512_setzero_si512() : (__m512i)((emulated_u64x8)a << n);
}

EMULATED __m512i _mm512_srli_epi64(__m512i a, unsigned n)
{
    return n > 63 ? _mm512_setzero_si512() : (__m512i)((emulated_u64x8)a >> n);
}

EMULATED __m512i _mm512_srai_epi64(__m512i a, unsigned n)
{
    return a >> (n > 63 ? 63 : n);
}

/* Bitwise. */

EMULATED __m512i _mm512_and_si512(__m512i a, __m512i b)
{
    return a & b;
}

EMULATED __m512i _mm512_mask_and_epi64(__m512i src, __mmask8 k, __m512i a, __m512i b)
{
    return emulated_select(k, a & b, src);
}

EMULATED __m512i _mm512_or_si512(__m512i a, __m512i b)
{
    return a | b;
}

EMULATED __m512i _mm512_xor_si512(__m512i a, __m512i b)
{
    return a ^ b;
}

/* Bit 4 a + 2 b + c of the table, for each bit of the operands. */
EMULATED __m512i _mm512_ternarylogic_epi64(__m512i a, __m512i b, __m512i c, int table)
{
    __m512i r = {0};

    for (int row = 0; row < 8; row++)
        if (table >> row & 1) r |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
    return r;
}

#endif
