/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_EMULATED_IMMINTRIN_H
#define CUZK_EMULATED_IMMINTRIN_H

/* Stands in for the compiler's <immintrin.h> in builds with CUZK_EMULATE_IFMA: the AVX-512
 * intrinsics that our kernels use, in plain C, so that these kernels can be tested on processors
 * without AVX-512. Names, arguments and results are those of Intel's intrinsics guide. What the
 * guide leaves undefined comes out as a pattern that no test would take for a right result, and an
 * address that an instruction would refuse ends the program. Tested by test_immintrin.c. */

#include <stdint.h>
#include <string.h>

typedef long long __m512i __attribute__((__vector_size__(64), __may_alias__));
typedef long long __m256i __attribute__((__vector_size__(32), __may_alias__));
typedef uint8_t __mmask8;
typedef uint64_t __mmask64;

/* The same 512 bits, for sums that wrap around and for logical shifts. */
typedef unsigned long long emulated_u64x8 __attribute__((__vector_size__(64), __may_alias__));

#define EMULATED static inline __attribute__((always_inline))
#if defined(__clang__)
#define EMULATED_LANES _Pragma("unroll") for (int i = 0; i < 8; i++)
#else
#define EMULATED_LANES _Pragma("GCC unroll 8") for (int i = 0; i < 8; i++)
#endif
#define EMULATED_UNDEFINED 0x0bad0bad0bad0badLL

EMULATED void emulated_check_address(const void *p, uintptr_t alignment)
{
    if ((uintptr_t)p % alignment != 0) __builtin_trap();
}

/* Whether lane i is in the mask. */
EMULATED int emulated_has(__mmask8 k, int i)
{
    return k >> i & 1;
}

/* Lane i of the result is what the mask has, and lane i of the other elsewhere. */
EMULATED __m512i emulated_select(__mmask8 k, __m512i in, __m512i out)
{
    __m512i r;

    EMULATED_LANES r[i] = emulated_has(k, i) ? in[i] : out[i];
    return r;
}

/* Constants. */

EMULATED __m512i _mm512_setzero_si512(void)
{
    return (__m512i){0};
}

EMULATED __m512i _mm512_setr_epi64(long long a0, long long a1, long long a2, long long a3,
                                   long long a4, long long a5, long long a6, long long a7)
{
    return (__m512i){a0, a1, a2, a3, a4, a5, a6, a7};
}

EMULATED __m512i _mm512_set_epi64(long long a7, long long a6, long long a5, long long a4,
                                  long long a3, long long a2, long long a1, long long a0)
{
    return (__m512i){a0, a1, a2, a3, a4, a5, a6, a7};
}

EMULATED __m512i _mm512_set1_epi64(long long a)
{
    return (__m512i){a, a, a, a, a, a, a, a};
}

EMULATED __m512i _mm512_mask_set1_epi64(__m512i src, __mmask8 k, long long a)
{
    return emulated_select(k, _mm512_set1_epi64(a), src);
}

EMULATED __m512i _mm512_maskz_set1_epi8(__mmask64 k, char a)
{
    uint8_t bytes[64];
    __m512i r;

    for (int i = 0; i < 64; i++) bytes[i] = k >> i & 1 ? (uint8_t)a : 0;
    memcpy(&r, bytes, sizeof r);
    return r;
}

/* Memory. Lanes outside a mask are neither read nor written. */

EMULATED __m512i _mm512_loadu_si512(const void *p)
{
    __m512i r;

    memcpy(&r, p, sizeof r);
    return r;
}

EMULATED __m512i _mm512_load_si512(const void *p)
{
    emulated_check_address(p, 64);
    return _mm512_loadu_si512(p);
}

EMULATED __m512i _mm512_maskz_loadu_epi64(__mmask8 k, const void *p)
{
    const unsigned char *bytes = p;
    long long lanes[8] = {0};

    for (int i = 0; i < 8; i++)
        if (emulated_has(k, i)) memcpy(&lanes[i], bytes + 8 * i, 8);
    return _mm512_loadu_si512(lanes);
}

EMULATED void _mm512_storeu_si512(void *p, __m512i a)
{
    memcpy(p, &a, sizeof a);
}

EMULATED void _mm512_store_si512(void *p, __m512i a)
{
    emulated_check_address(p, 64);
    _mm512_storeu_si512(p, a);
}

EMULATED void _mm512_mask_storeu_epi64(void *p, __mmask8 k, __m512i a)
{
    unsigned char *bytes = p;

    for (int i = 0; i < 8; i++) {
        const long long lane = a[i];

        if (emulated_has(k, i)) memcpy(bytes + 8 * i, &lane, 8);
    }
}

EMULATED __m256i _mm256_loadu_si256(const void *p)
{
    __m256i r;

    memcpy(&r, p, sizeof r);
    return r;
}

EMULATED __m256i _mm256_load_si256(const void *p)
{
    emulated_check_address(p, 32);
    return _mm256_loadu_si256(p);
}

EMULATED void _mm256_storeu_si256(void *p, __m256i a)
{
    memcpy(p, &a, sizeof a);
}

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
