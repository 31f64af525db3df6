/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_FIELD_FR_8X52_H
#define CUZK_FIELD_FR_8X52_H

/* Eight elements of fr at once, one in each lane, in five limbs of 52 bits. Only for sources
 * compiled with AVX-512 F and IFMA.
 *
 * A vector is normalized when every limb is in [0, 2^52); vpmadd52 reads the low 52 bits of its
 * factors only, so factors must be. It is raw when limbs are signed 64-bit integers; its value is
 * then their weighted sum. Values need not be below r: each function states its bounds.
 *
 * fr8_mul divides by 2^260, where the form in memory has the factor 2^256. So one operand of a
 * product is loaded four bits to the left (fr8_load_x16) and the result has the right factor.
 *
 * Reduction: with n' = -1/r mod 2^52, t + (t n' mod 2^52) r is a multiple of 2^52. For N = r n',
 * which is -1 mod 2^52, t + t0 N = t - t0 + t0 (N + 1) needs no product to find the factor, and
 * (N + 1) / 2^52 has five limbs only; but it adds up to 2^52 r to the value instead of r. So three
 * limbs go by N and the last two by r. */

#include "field/fr_8x52_words.h"

/* -1/r mod 2^52 */
FR8_INLINE __m512i fr8_negative_inverse(void)
{
    return fr8_word(0xffffeffffffff);
}

/* r */
FR8_INLINE fr8_t fr8_modulus(void)
{
    return (fr8_t){{fr8_word(0xfffff00000001), fr8_word(0x2fffe5bfefff), fr8_word(0x9a1d80553bda4),
                    fr8_word(0x7d483339d8080), fr8_word(0x73eda753299d)}};
}

/* (r n' + 1) / 2^52 */
FR8_INLINE fr8_t fr8_folded_modulus(void)
{
    return (fr8_t){{fr8_word(0xfdfff1a402001), fr8_word(0x2d083dd6c33ff), fr8_word(0x44cd43798bcce),
                    fr8_word(0x436f80f0223a9), fr8_word(0x73eda0144f28)}};
}

/* Raw results. */
FR8_INLINE fr8_t fr8_add_raw(fr8_t a, fr8_t b)
{
    return (fr8_t){{_mm512_add_epi64(a.l[0], b.l[0]), _mm512_add_epi64(a.l[1], b.l[1]),
                    _mm512_add_epi64(a.l[2], b.l[2]), _mm512_add_epi64(a.l[3], b.l[3]),
                    _mm512_add_epi64(a.l[4], b.l[4])}};
}
FR8_INLINE fr8_t fr8_sub_raw(fr8_t a, fr8_t b)
{
    return (fr8_t){{_mm512_sub_epi64(a.l[0], b.l[0]), _mm512_sub_epi64(a.l[1], b.l[1]),
                    _mm512_sub_epi64(a.l[2], b.l[2]), _mm512_sub_epi64(a.l[3], b.l[3]),
                    _mm512_sub_epi64(a.l[4], b.l[4])}};
}

/* y + (x >> 52), signed */
FR8_INLINE __m512i fr8_add_carry(__m512i y, __m512i x)
{
    return _mm512_add_epi64(y, _mm512_srai_epi64(x, 52));
}

/** The value of a raw vector in limbs that are normalized, but for the last, which keeps the
 *  sign; it is normalized, too, when the value is in [0, 2^260). */
FR8_INLINE fr8_t fr8_carry(fr8_t a)
{
    const __m512i mask = fr8_mask();
    const __m512i l1 = fr8_add_carry(a.l[1], a.l[0]);
    const __m512i l2 = fr8_add_carry(a.l[2], l1);
    const __m512i l3 = fr8_add_carry(a.l[3], l2);

    return (fr8_t){{_mm512_and_si512(a.l[0], mask), _mm512_and_si512(l1, mask),
                    _mm512_and_si512(l2, mask), _mm512_and_si512(l3, mask),
                    fr8_add_carry(a.l[4], l3)}};
}

/** The same with limbs that are right in their low 52 bits only: a factor of vpmadd52. */
FR8_INLINE fr8_t fr8_carry_factor(fr8_t a)
{
    const __m512i l1 = fr8_add_carry(a.l[1], a.l[0]);
    const __m512i l2 = fr8_add_carry(a.l[2], l1);
    const __m512i l3 = fr8_add_carry(a.l[3], l2);

    return (fr8_t){{a.l[0], l1, l2, l3, fr8_add_carry(a.l[4], l3)}};
}

/** Of a raw value in [0, 2r): reduced, normalized. */
FR8_INLINE fr8_t fr8_reduce_once(fr8_t x)
{
    const __m512i mask = fr8_mask();
    const fr8_t a = fr8_carry(x);
    const fr8_t d = fr8_sub_raw(a, fr8_modulus());
    const __m512i d1 = fr8_add_carry(d.l[1], d.l[0]);
    const __m512i d2 = fr8_add_carry(d.l[2], d1);
    const __m512i d3 = fr8_add_carry(d.l[3], d2);
    const __m512i d4 = fr8_add_carry(d.l[4], d3);
    const __mmask8 is_larger = _mm512_cmpge_epi64_mask(d4, _mm512_setzero_si512());

    return (fr8_t){{_mm512_mask_and_epi64(a.l[0], is_larger, d.l[0], mask),
                    _mm512_mask_and_epi64(a.l[1], is_larger, d1, mask),
                    _mm512_mask_and_epi64(a.l[2], is_larger, d2, mask),
                    _mm512_mask_and_epi64(a.l[3], is_larger, d3, mask),
                    _mm512_mask_and_epi64(a.l[4], is_larger, d4, mask)}};
}

/* t[0 .. 5] += x y, of whose limbs the low 52 bits count. */
FR8_INLINE void fr8_mac(__m512i t[6], __m512i x, const fr8_t *y)
{
    t[0] = _mm512_madd52lo_epu64(t[0], x, y->l[0]);
    t[1] = _mm512_madd52hi_epu64(t[1], x, y->l[0]);
    t[2] = _mm512_madd52hi_epu64(t[2], x, y->l[1]);
    t[3] = _mm512_madd52hi_epu64(t[3], x, y->l[2]);
    t[4] = _mm512_madd52hi_epu64(t[4], x, y->l[3]);
    t[5] = _mm512_madd52hi_epu64(t[5], x, y->l[4]);
    t[1] = _mm512_madd52lo_epu64(t[1], x, y->l[1]);
    t[2] = _mm512_madd52lo_epu64(t[2], x, y->l[2]);
    t[3] = _mm512_madd52lo_epu64(t[3], x, y->l[3]);
    t[4] = _mm512_madd52lo_epu64(t[4], x, y->l[4]);
}

/* Adds a multiple of r to t[0 .. 5] that clears the low 52 bits of t[0], whose rest goes to t[1]:
 * at most 2^52 r. */
FR8_INLINE void fr8_fold(__m512i t[6])
{
    const fr8_t r = fr8_modulus();
    const __m512i zero = _mm512_setzero_si512();
    const __m512i q = _mm512_madd52lo_epu64(zero, t[0], fr8_negative_inverse());

    fr8_mac(t, q, &r);
    t[1] = _mm512_add_epi64(t[1], _mm512_srai_epi64(t[0], 52));
}

/* The same with N; at most 2^104 r. */
FR8_INLINE void fr8_fold_cheaply(__m512i t[7])
{
    const fr8_t m = fr8_folded_modulus();
    const __m512i factor = t[0];

    t[1] = _mm512_add_epi64(t[1], _mm512_srai_epi64(factor, 52));
    fr8_mac(t + 1, factor, &m);
}

/** Columns t[0 .. 9] to t / 2^260 mod r: raw, in [0, t / 2^260 + r + 1) for t in [0, 2^520). */
FR8_INLINE fr8_t fr8_reduce_columns(__m512i t[10])
{
    fr8_fold_cheaply(t);
    fr8_fold_cheaply(t + 1);
    fr8_fold_cheaply(t + 2);
    fr8_fold(t + 3);
    fr8_fold(t + 4);
    return (fr8_t){{t[5], t[6], t[7], t[8], t[9]}};
}

/** a b / 2^260: raw, in [0, a b / 2^260 + r + 1); a and b normalized in the low 52 bits of their
 *  limbs. */
FR8_INLINE fr8_t fr8_mul(fr8_t a, fr8_t b)
{
    const __m512i zero = _mm512_setzero_si512();
    __m512i t[10] = {zero, zero, zero, zero, zero, zero, zero, zero, zero, zero};

    fr8_mac(t, a.l[0], &b);
    fr8_mac(t + 1, a.l[1], &b);
    fr8_mac(t + 2, a.l[2], &b);
    fr8_mac(t + 3, a.l[3], &b);
    fr8_mac(t + 4, a.l[4], &b);
    return fr8_reduce_columns(t);
}

/** *a = *a b / 2^260 and *c = *c d / 2^260 as fr8_mul does it, interleaved: a single product waits
 *  for its own results most of the time. */
FR8_INLINE void fr8_mul_two(fr8_t *a, fr8_t b, fr8_t *c, fr8_t d)
{
    const __m512i zero = _mm512_setzero_si512();
    __m512i t[10] = {zero, zero, zero, zero, zero, zero, zero, zero, zero, zero};
    __m512i u[10] = {zero, zero, zero, zero, zero, zero, zero, zero, zero, zero};

    fr8_mac(t, a->l[0], &b);
    fr8_mac(u, c->l[0], &d);
    fr8_mac(t + 1, a->l[1], &b);
    fr8_mac(u + 1, c->l[1], &d);
    fr8_mac(t + 2, a->l[2], &b);
    fr8_mac(u + 2, c->l[2], &d);
    fr8_mac(t + 3, a->l[3], &b);
    fr8_mac(u + 3, c->l[3], &d);
    fr8_mac(t + 4, a->l[4], &b);
    fr8_mac(u + 4, c->l[4], &d);
    fr8_fold_cheaply(t);
    fr8_fold_cheaply(u);
    fr8_fold_cheaply(t + 1);
    fr8_fold_cheaply(u + 1);
    fr8_fold_cheaply(t + 2);
    fr8_fold_cheaply(u + 2);
    fr8_fold(t + 3);
    fr8_fold(u + 3);
    fr8_fold(t + 4);
    fr8_fold(u + 4);
    *a = (fr8_t){{t[5], t[6], t[7], t[8], t[9]}};
    *c = (fr8_t){{u[5], u[6], u[7], u[8], u[9]}};
}

#endif
