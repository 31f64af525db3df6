/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "field/fr_batch_ops.h"

#include "field/fr_8x52.h"

/* 2^516 mod r: fr8_mul by it takes an integer to the form in memory, 2^256 times as large. */
static const uint64_t to_memory_form[5] = {0xe99103f29c6cf, 0xb57927663d999, 0xba1c0ed631138,
                                           0x73c829f7715f1, 0x9ff646cc02};

/* a b for a in memory form and b_x16 loaded by fr8_load_x16: reduced. */
FR8_INLINE fr8_t mul_reduced(fr8_t a, fr8_t b_x16)
{
    return fr8_reduce_once(fr8_mul(a, b_x16)); /* below r (16 r / 2^260 + 1) + 1 = 1.46 r */
}

/* a b, normalized and below 2 r for a below 2 r: 2 * 0.46 + 1 < 2 */
FR8_INLINE fr8_t mul_lazily(fr8_t a, fr8_t b_x16)
{
    return fr8_carry(fr8_mul(a, b_x16));
}

/* 16 k in every lane */
FR8_INLINE fr8_t broadcast_x16(const fr_t *k)
{
    const __m512i w[4] = {fr8_word(k->l[0]), fr8_word(k->l[1]), fr8_word(k->l[2]),
                          fr8_word(k->l[3])};

    return fr8_from_words_x16(w);
}

/* The lanes of 16 a, a normalized and below 2^256. */
FR8_INLINE fr8_t shifted_x16(fr8_t a)
{
    __m512i w[4];

    fr8_to_words(w, a);
    return fr8_from_words_x16(w);
}

static void add_ifma(fr_t *r, const fr_t *a, const fr_t *b, size_t n)
{
    for (size_t i = 0; i < n; i += FR8_LANES)
        fr8_store(&r[i], fr8_reduce_once(fr8_add_raw(fr8_load(&a[i]), fr8_load(&b[i]))));
}

static void sub_ifma(fr_t *r, const fr_t *a, const fr_t *b, size_t n)
{
    for (size_t i = 0; i < n; i += FR8_LANES) {
        const fr8_t difference = fr8_sub_raw(fr8_load(&a[i]), fr8_load(&b[i]));

        fr8_store(&r[i], fr8_reduce_once(fr8_add_raw(difference, fr8_modulus())));
    }
}

static void mul_ifma(fr_t *r, const fr_t *a, const fr_t *b, size_t n)
{
    for (size_t i = 0; i < n; i += FR8_LANES)
        fr8_store(&r[i], mul_reduced(fr8_load(&a[i]), fr8_load_x16(&b[i])));
}

static void sqr_ifma(fr_t *r, const fr_t *a, size_t n)
{
    mul_ifma(r, a, a, n);
}

static void scale_ifma(fr_t *r, const fr_t *a, const fr_t *k, size_t n)
{
    const fr8_t factor = broadcast_x16(k);

    for (size_t i = 0; i < n; i += FR8_LANES)
        fr8_store(&r[i], mul_reduced(fr8_load(&a[i]), factor));
}

static void scale_powers_ifma(fr_t *r, const fr_t *a, const fr_t *first, const fr_t *step, size_t n)
{
    fr_t powers[FR8_LANES], stride = *step, sixteen;

    /* 16 times the factors of the first eight, then steps of eight; all are below 2 r */
    fr_from_u64(&sixteen, 16);
    fr_mul(&powers[0], first, &sixteen);
    for (int k = 1; k < FR8_LANES; k++) fr_mul(&powers[k], &powers[k - 1], step);
    for (int k = 1; k < FR8_LANES; k *= 2) fr_sqr(&stride, &stride);
    const fr8_t stride_x16 = broadcast_x16(&stride);
    fr8_t factor = fr8_load(powers);
    for (size_t i = 0; i < n; i += FR8_LANES) {
        fr8_t x = fr8_load(&a[i]);

        fr8_mul_two(&x, factor, &factor, stride_x16);
        fr8_store(&r[i], fr8_reduce_once(x));
        factor = fr8_carry_factor(factor);
    }
}

/* 1 in place of 0, in memory form. */
FR8_INLINE void replace_zeros(__m512i w[4], __mmask8 is_zero)
{
    w[0] = _mm512_mask_set1_epi64(w[0], is_zero, (long long)fr_one.l[0]);
    w[1] = _mm512_mask_set1_epi64(w[1], is_zero, (long long)fr_one.l[1]);
    w[2] = _mm512_mask_set1_epi64(w[2], is_zero, (long long)fr_one.l[2]);
    w[3] = _mm512_mask_set1_epi64(w[3], is_zero, (long long)fr_one.l[3]);
}

FR8_INLINE __mmask8 words_are_zero(const __m512i w[4])
{
    const __m512i any = _mm512_or_si512(_mm512_or_si512(w[0], w[1]), _mm512_or_si512(w[2], w[3]));

    return _mm512_testn_epi64_mask(any, any);
}

FR8_INLINE fr8_t zero_lanes(fr8_t a, __mmask8 is_zero)
{
    const __mmask8 kept = (__mmask8)~is_zero;

    return (fr8_t){{_mm512_maskz_mov_epi64(kept, a.l[0]), _mm512_maskz_mov_epi64(kept, a.l[1]),
                    _mm512_maskz_mov_epi64(kept, a.l[2]), _mm512_maskz_mov_epi64(kept, a.l[3]),
                    _mm512_maskz_mov_epi64(kept, a.l[4])}};
}

/* Eight chains, one in each lane: element i belongs to chain i mod 8. Prefix products go to r, not
 * reduced but below 2 r. */
static void inv_ifma(fr_t *r, const fr_t *a, size_t n)
{
    fr_t totals[FR8_LANES], inverses[FR8_LANES];
    __m512i w[4];

    for (int k = 0; k < FR8_LANES; k++) totals[k] = fr_one;
    fr8_t product = fr8_load(totals);
    for (size_t i = 0; i < n; i += FR8_LANES) {
        fr8_store(&r[i], product);
        fr8_load_words(w, &a[i]);
        replace_zeros(w, words_are_zero(w));
        product = mul_lazily(product, fr8_from_words_x16(w));
    }
    fr8_store(totals, fr8_reduce_once(product));
    fr_batch_portable.inv(inverses, totals, FR8_LANES);
    fr8_t inverse = fr8_load(inverses);
    for (size_t i = n; i > 0; i -= FR8_LANES) {
        fr_t *at = &r[i - FR8_LANES];

        fr8_load_words(w, &a[i - FR8_LANES]);
        const __mmask8 is_zero = words_are_zero(w);
        replace_zeros(w, is_zero);
        fr8_t result = fr8_load(at);

        fr8_mul_two(&result, shifted_x16(inverse), &inverse, fr8_from_words_x16(w));
        fr8_store(at, zero_lanes(fr8_reduce_once(result), is_zero));
        inverse = fr8_carry(inverse);
    }
}

/* a / 2^256 = 16 a / 2^260: a reduction without a product. */
static void to_scalar_ifma(scalar_t *s, const fr_t *a, size_t n)
{
    const __m512i zero = _mm512_setzero_si512();

    for (size_t i = 0; i < n; i += FR8_LANES) {
        const fr8_t x = fr8_load_x16(&a[i]);
        __m512i t[10] = {x.l[0], x.l[1], x.l[2], x.l[3], x.l[4], zero, zero, zero, zero, zero};

        fr8_store(&s[i], fr8_reduce_once(fr8_reduce_columns(t)));
    }
}

static void from_scalar_ifma(fr_t *a, const scalar_t *s, size_t n)
{
    const fr8_t factor = fr8_broadcast(to_memory_form);

    for (size_t i = 0; i < n; i += FR8_LANES)
        fr8_store(&a[i], fr8_reduce_once(fr8_mul(fr8_load(&s[i]), factor)));
}

const fr_batch_ops_t fr_batch_ifma = {
    .group = FR8_LANES,
    .add = add_ifma,
    .sub = sub_ifma,
    .mul = mul_ifma,
    .sqr = sqr_ifma,
    .scale = scale_ifma,
    .scale_powers = scale_powers_ifma,
    .inv = inv_ifma,
    .to_scalar = to_scalar_ifma,
    .from_scalar = from_scalar_ifma,
};
