/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "field/fp_8x52.h"

#define LIMB_MASK       (((uint64_t)1 << FP8_LIMB_BITS) - 1)
#define MINUS_P_INVERSE 0x3fffcfffcfffdULL /* -1/p mod 2^52 */

const fp8_row_t fp8_one = {{0x6480ea8e9b9af, 0x65766c8fe444f, 0x8b540fea96f7d, 0x3b2ee82efd422,
                            0xa6723e5f0ade5, 0xff6eb6fdd4230, 0xe06ef23c24a25, 0x14c8e}};
/* 2^448, 2^384, 2^832 mod p; 2^480 mod p for fp8_inv. */
const fp8_row_t fp8_from_mont = {{0x7fde37dba9366, 0x4e27525bc342b, 0x1f5b1e9778489,
                                  0xb872b2b91b9dc, 0xb206f497dfcaf, 0x4137cc89a9b0b,
                                  0xd9d20d7e39959, 0x411c}};
const fp8_row_t fp8_to_mont = {{0x900000002fffd, 0xbc40c0002760, 0x3c758baebf400, 0x57455f4898575,
                                0xd77ce58537052, 0x71a97a256ec6, 0xec3fa80e4935c, 0x15f65}};
const fp8_row_t fp8_from_plain = {{0xa5bf4cb89af51, 0x3afbba7ca31a2, 0x2646160ec71f1,
                                   0xa84d710465903, 0x3480a4a188311, 0x98e5907ad91f5,
                                   0x2075d74507266, 0x8746}};
static const fp8_row_t from_inverse = {{0x6a0c0a653f6fc, 0xdf21bc8d58e0c, 0x63665a0c7a249,
                                        0xf6cc74d9c6d43, 0xb33c525492b6b, 0xc5935a887f8c8,
                                        0x487a48f1eb623, 0x1447c}};

/* minus_multiples[j][m] = limb j of -(m - 4) p, signed and not carried. */
#define MULTIPLES(x)                                                                               \
    {                                                                                              \
        4 * (x), 3 * (x), 2 * (x), (x), 0, 0 - (x), 0 - 2 * (x), 0 - 3 * (x)                       \
    }
static const _Alignas(64) uint64_t minus_multiples[FP8_LIMBS][8] = {
    MULTIPLES(FP8_P0), MULTIPLES(FP8_P1), MULTIPLES(FP8_P2), MULTIPLES(FP8_P3),
    MULTIPLES(FP8_P4), MULTIPLES(FP8_P5), MULTIPLES(FP8_P6), MULTIPLES(FP8_P7)};

static inline __m512i all(uint64_t x)
{
    return _mm512_set1_epi64((long long)x);
}

static inline void clear(fp8_t *t)
{
    FP8_UNROLL
    for (int j = 0; j < FP8_LIMBS; j++) t->l[j] = _mm512_setzero_si512();
}

/* (t, top) += a * b, b one limb: low halves at their limb, high halves one above. */
static inline __attribute__((always_inline)) void add_product(fp8_t *t, __m512i *top,
                                                              const fp8_t *a, __m512i b)
{
    FP8_UNROLL
    for (int j = 0; j < FP8_LIMBS; j++) t->l[j] = _mm512_madd52lo_epu64(t->l[j], a->l[j], b);
    FP8_UNROLL
    for (int j = 0; j < FP8_LIMBS - 1; j++)
        t->l[j + 1] = _mm512_madd52hi_epu64(t->l[j + 1], a->l[j], b);
    *top = _mm512_madd52hi_epu64(*top, a->l[FP8_LIMBS - 1], b);
}

/* t = (t + 2^416 top + q p) / 2^52 with the q < 2^52 that makes it exact. The lowest limb's sum
 * is not computed: it is 0 mod 2^52, so its carry is t[0] / 2^52 rounded up. */
static inline __attribute__((always_inline)) void divide_limb(fp8_t *t, __m512i top)
{
    const __m512i q = _mm512_madd52lo_epu64(_mm512_setzero_si512(), t->l[0], all(MINUS_P_INVERSE));
    const __m512i carry =
        _mm512_srai_epi64(_mm512_add_epi64(t->l[0], all(LIMB_MASK)), FP8_LIMB_BITS);

    t->l[1] = _mm512_add_epi64(t->l[1], carry);
    FP8_UNROLL
    for (int j = 1; j < FP8_LIMBS; j++)
        t->l[j] = _mm512_madd52lo_epu64(t->l[j], q, all(fp8_p.l[j]));
    FP8_UNROLL
    for (int j = 0; j < FP8_LIMBS - 1; j++)
        t->l[j] = _mm512_madd52hi_epu64(t->l[j + 1], q, all(fp8_p.l[j]));
    t->l[FP8_LIMBS - 1] = _mm512_madd52hi_epu64(top, q, all(fp8_p.l[FP8_LIMBS - 1]));
}

/* t = a * b / 2^416 mod p: value in [0, 1.001 p), limbs not carried. 264 vpmadd52 less the eight
 * that divide_limb saves. */
static inline __attribute__((always_inline)) void product(fp8_t *t, const fp8_t *a, const fp8_t *b)
{
    clear(t);
    FP8_UNROLL
    for (int i = 0; i < FP8_LIMBS; i++) {
        __m512i top = _mm512_setzero_si512();

        add_product(t, &top, a, b->l[i]);
        divide_limb(t, top);
    }
}

static inline __attribute__((always_inline)) void
product_sum(fp8_t *t, const fp8_t *a, const fp8_t *b, const fp8_t *c, const fp8_t *d)
{
    clear(t);
    FP8_UNROLL
    for (int i = 0; i < FP8_LIMBS; i++) {
        __m512i top = _mm512_setzero_si512();

        add_product(t, &top, a, b->l[i]);
        add_product(t, &top, c, d->l[i]);
        divide_limb(t, top);
    }
}

/* The quotient by p is read off the top limb, rounded down by enough to cover the carries that
 * are still below, so that the rest is in [0, 1.001 p). */
static inline __attribute__((always_inline)) void reduce(fp8_t *r, fp8_t *t)
{
    enum { SLACK = 40, SHIFT = 32 };
    const __m512i top = _mm512_add_epi64(t->l[FP8_LIMBS - 1], all(4 * FP8_P7 - SLACK));
    const __m512i quotient =
        _mm512_srli_epi64(_mm512_mul_epu32(top, all(((uint64_t)1 << SHIFT) / (FP8_P7 + 1))), SHIFT);

    FP8_UNROLL
    for (int j = 0; j < FP8_LIMBS; j++) {
        const __m512i row = _mm512_load_si512(minus_multiples[j]);

        t->l[j] = _mm512_add_epi64(t->l[j], _mm512_permutexvar_epi64(quotient, row));
    }
    fp8_carry(r, t);
}

static inline __attribute__((always_inline)) void subtract(fp8_t *t, const fp8_t *c)
{
    FP8_UNROLL
    for (int j = 0; j < FP8_LIMBS; j++) t->l[j] = _mm512_sub_epi64(t->l[j], c->l[j]);
}

void fp8_mul(fp8_t *r, const fp8_t *a, const fp8_t *b)
{
    fp8_t t;

    product(&t, a, b);
    fp8_carry(r, &t);
}

void fp8_mul_sub(fp8_t *r, const fp8_t *a, const fp8_t *b, const fp8_t *c)
{
    fp8_t t;

    product(&t, a, b);
    subtract(&t, c);
    reduce(r, &t);
}

void fp8_dot(fp8_t *r, const fp8_t *a, const fp8_t *b, const fp8_t *c, const fp8_t *d)
{
    fp8_t t;

    product_sum(&t, a, b, c, d);
    fp8_carry(r, &t);
}

void fp8_dot_sub(fp8_t *r, const fp8_t *a, const fp8_t *b, const fp8_t *c, const fp8_t *d,
                 const fp8_t *e)
{
    fp8_t t;

    product_sum(&t, a, b, c, d);
    subtract(&t, e);
    reduce(r, &t);
}

void fp8_reduce(fp8_t *r, const fp8_t *a)
{
    fp8_t t = *a;

    reduce(r, &t);
}

/* r = a below p; a reduced. */
static void canonical(fp8_t *r, const fp8_t *a)
{
    fp8_t less;
    fp8_t p;

    fp8_broadcast(&p, &fp8_p);
    fp8_sub(&less, a, &p, 0);
    const __mmask8 keep = _mm512_movepi64_mask(less.l[FP8_LIMBS - 1]);

    fp8_blend(&less, keep, a);
    *r = less;
}

__mmask8 fp8_zero_lanes(const fp8_t *a)
{
    fp8_t one;
    fp8_t t;

    /* A product by one is reduced: 0 or p when it is zero. */
    fp8_broadcast(&one, &fp8_one);
    fp8_mul(&t, a, &one);
    canonical(&t, &t);
    __m512i any = t.l[0];
    FP8_UNROLL
    for (int j = 1; j < FP8_LIMBS; j++) any = _mm512_or_si512(any, t.l[j]);
    return _mm512_testn_epi64_mask(any, any);
}

void fp8_load_words(fp8_t *r, const uint64_t *words, size_t stride)
{
    const __m512i mask = all(LIMB_MASK);
    __m512i row[FP8_LANES];
    fp8_t w;

    FP8_UNROLL
    for (int i = 0; i < FP8_LANES; i++)
        row[i] = _mm512_maskz_loadu_epi64(0x3f, words + (size_t)i * stride);
    fp8_transpose(&w, row);
#define JOIN(low, right, high, left)                                                               \
    _mm512_and_si512(mask, _mm512_or_si512(_mm512_srli_epi64(w.l[low], right),                     \
                                           _mm512_slli_epi64(w.l[high], left)))
    r->l[0] = _mm512_and_si512(mask, w.l[0]);
    r->l[1] = JOIN(0, 52, 1, 12);
    r->l[2] = JOIN(1, 40, 2, 24);
    r->l[3] = JOIN(2, 28, 3, 36);
    r->l[4] = JOIN(3, 16, 4, 48);
    r->l[5] = _mm512_and_si512(mask, _mm512_srli_epi64(w.l[4], 4));
    r->l[6] = JOIN(4, 56, 5, 8);
    r->l[7] = _mm512_srli_epi64(w.l[5], 44);
#undef JOIN
}

void fp8_store_words(uint64_t *words, size_t stride, size_t n, const fp8_t *a)
{
    __m512i w[FP8_LANES];
    fp8_t c;
    fp8_t row;

    canonical(&c, a);
#define JOIN(low, right, high, left)                                                               \
    _mm512_or_si512(_mm512_srli_epi64(c.l[low], right), _mm512_slli_epi64(c.l[high], left))
    w[0] = JOIN(0, 0, 1, 52);
    w[1] = JOIN(1, 12, 2, 40);
    w[2] = JOIN(2, 24, 3, 28);
    w[3] = JOIN(3, 36, 4, 16);
    w[4] = _mm512_or_si512(JOIN(4, 48, 5, 4), _mm512_slli_epi64(c.l[6], 56));
    w[5] = JOIN(6, 8, 7, 44);
    w[6] = w[7] = _mm512_setzero_si512();
#undef JOIN
    fp8_transpose(&row, w);
    for (size_t i = 0; i < n && i < FP8_LANES; i++)
        _mm512_mask_storeu_epi64(words + i * stride, 0x3f, row.l[i]);
}

static inline void swap_lanes(fp8_t *r, const fp8_t *a, int distance)
{
    const __m512i index =
        _mm512_xor_si512(_mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0), _mm512_set1_epi64(distance));

    FP8_UNROLL
    for (int j = 0; j < FP8_LIMBS; j++) r->l[j] = _mm512_permutexvar_epi64(index, a->l[j]);
}

void fp8_inv(fp8_t *r, const fp8_t *a)
{
    fp8_t others[3]; /* products of the lanes that differ in lane bit 2; 1 of quads; 0 of halves */
    fp8_t factor;
    fp8_t total = *a;
    fp_t words[FP8_LANES];

    for (int level = 0; level < 3; level++) {
        swap_lanes(&others[level], &total, 4 >> level);
        fp8_mul(&total, &total, &others[level]);
    }
    /* As an integer the total is t = x 2^416; fp_inv takes t for t 2^-384 and gives 2^768 / t. */
    fp8_store_words(words[0].l, 6, 1, &total);
    fp_inv(&words[0], &words[0]);
    for (int i = 1; i < FP8_LANES; i++) words[i] = words[0];
    fp8_load_words(&total, words[0].l, 6);
    fp8_broadcast(&factor, &from_inverse);
    fp8_mul(&total, &total, &factor);
    for (int level = 0; level < 3; level++) fp8_mul(&total, &total, &others[level]);
    *r = total;
}
