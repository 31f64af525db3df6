/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_EMULATED_VECTORS_H
#define CUZK_EMULATED_VECTORS_H

/* Types, constants, loads and stores (immintrin.h). */

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

#endif
