/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <immintrin.h>

#include "r1cs/tape.h"

void tape_write_small_avx512(fr_t *r, unsigned n, small_values_t values)
{
    _Alignas(64) uint8_t index[64];

    _mm512_store_si512(index, _mm512_or_si512(_mm512_maskz_set1_epi8(values.lo, 1),
                                              _mm512_maskz_set1_epi8(values.hi, 2)));
    for (unsigned i = 0; i < n; i++)
        _mm256_storeu_si256((__m256i *)&r[i],
                            _mm256_load_si256((const __m256i *)&tape_small_table[index[i]]));
}
