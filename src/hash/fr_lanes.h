/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_HASH_FR_LANES_H
#define CUZK_HASH_FR_LANES_H

/* What the kernels of Poseidon need beside field/fr_8x52.h; see there for the terms. */

#include "field/fr_8x52.h"

/* 16 a for a normalized a below 2^256 */
FR8_INLINE fr8_t fr8_x16(fr8_t a)
{
    const __m512i mask = fr8_mask();

    return (fr8_t){
        {_mm512_and_si512(_mm512_slli_epi64(a.l[0], 4), mask),
         _mm512_and_si512(
             _mm512_or_si512(_mm512_slli_epi64(a.l[1], 4), _mm512_srli_epi64(a.l[0], 48)), mask),
         _mm512_and_si512(
             _mm512_or_si512(_mm512_slli_epi64(a.l[2], 4), _mm512_srli_epi64(a.l[1], 48)), mask),
         _mm512_and_si512(
             _mm512_or_si512(_mm512_slli_epi64(a.l[3], 4), _mm512_srli_epi64(a.l[2], 48)), mask),
         _mm512_or_si512(_mm512_slli_epi64(a.l[4], 4), _mm512_srli_epi64(a.l[3], 48))}};
}

/* Of a raw x in [0, 2 m): x - m where that is not negative; normalized, below m. */
FR8_INLINE fr8_t fr8_subtract_once(fr8_t x, fr8_t m)
{
    const fr8_t a = fr8_carry(x);
    const fr8_t d = fr8_carry(fr8_sub_raw(a, m));
    const __mmask8 keep = _mm512_cmplt_epi64_mask(d.l[4], _mm512_setzero_si512());

    return (fr8_t){
        {_mm512_mask_mov_epi64(d.l[0], keep, a.l[0]), _mm512_mask_mov_epi64(d.l[1], keep, a.l[1]),
         _mm512_mask_mov_epi64(d.l[2], keep, a.l[2]), _mm512_mask_mov_epi64(d.l[3], keep, a.l[3]),
         _mm512_mask_mov_epi64(d.l[4], keep, a.l[4])}};
}

/* 2^k r, k <= 3, normalized */
FR8_INLINE fr8_t fr8_modulus_shifted(unsigned k)
{
    const fr8_t m = fr8_modulus();

    return fr8_carry((fr8_t){{_mm512_slli_epi64(m.l[0], k), _mm512_slli_epi64(m.l[1], k),
                              _mm512_slli_epi64(m.l[2], k), _mm512_slli_epi64(m.l[3], k),
                              _mm512_slli_epi64(m.l[4], k)}});
}

#endif
