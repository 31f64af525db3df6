/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Batches of affine additions over coordinates of LANES points at once; part of group_tmpl.h.
 *
 * A batch of additions shares one inversion (Montgomery): walking forward, each group of LANES
 * pairs multiplies its denominator into one of CHAINS running products and remembers the product
 * before it; walking back from the inverse of the whole, each gets its own. Of a denominator in
 * fp2 only the norm goes through the chain, so that the chain is in fp.
 *   lambda = (y2 - y1) / (x2 - x1), x3 = lambda^2 - (x1 + x2), y3 = lambda (x1 - x3) - y1,
 * for equal points lambda = 3 x^2 / 2 y. In G1: 6 products an addition. */

#include "base/verify.h"

enum { CHAINS = 2, AHEAD = 2, SLOT_WORDS = 2 * COORD_ROW_WORDS };

/* One group between the two walks. */
typedef struct {
    coord_t x1;
    coord_t sum; /* x1 + x2 */
    coord_t denominator;
    norm_t norm;
    norm_t before; /* product of the norms before it in its chain */
    lanes_t a_infinity, b_infinity, equal, opposite;
    bool special; /* one of the lanes above is set */
} step_t;

typedef struct {
    const uint64_t *a[LANES];
    const uint64_t *b[LANES];
    lanes_t a_negative, b_negative;
} operands_t;

static inline uint64_t *slot_words(uint8_t *slots, uint32_t slot)
{
    return (uint64_t *)(void *)slots + (size_t)slot * SLOT_WORDS;
}

static inline void find_operands(operands_t *o, uint8_t *slots, const msm_pair_t *pairs, size_t n)
{
    o->a_negative = o->b_negative = 0;
    for (size_t i = 0; i < LANES; i++) {
        const msm_pair_t *pair = &pairs[i < n ? i : 0];

        o->a[i] = slot_words(slots, pair->a >> 1);
        o->b[i] = slot_words(slots, pair->b >> 1);
        o->a_negative = (lanes_t)(o->a_negative | (pair->a & 1) << i);
        o->b_negative = (lanes_t)(o->b_negative | (pair->b & 1) << i);
    }
}

/* Fetches both operands of a step's pairs. Inlined by force: gcc 12 takes a function that does
 * nothing but prefetch for pure and drops its calls. */
static inline __attribute__((always_inline)) void prefetch(const uint8_t *slots,
                                                           const msm_pair_t *pairs)
{
    const uint64_t *base = (const uint64_t *)(const void *)slots;

    for (size_t i = 0; i < LANES; i++)
        for (size_t w = 0; w < SLOT_WORDS; w += 8) {
            __builtin_prefetch(base + (size_t)(pairs[i].a >> 1) * SLOT_WORDS + w);
            __builtin_prefetch(base + (size_t)(pairs[i].b >> 1) * SLOT_WORDS + w);
        }
}

static inline void gather_y(coord_t *y1, coord_t *y2, const operands_t *o)
{
    const uint64_t *rows[LANES];

    for (size_t i = 0; i < LANES; i++) rows[i] = o->a[i] + COORD_ROW_WORDS;
    coord_gather(y1, rows);
    for (size_t i = 0; i < LANES; i++) rows[i] = o->b[i] + COORD_ROW_WORDS;
    coord_gather(y2, rows);
}

static inline void negate_y(coord_t *y1, coord_t *y2, const operands_t *o)
{
    coord_negate_lanes(y1, o->a_negative);
    coord_negate_lanes(y2, o->b_negative);
}

/* r = 2 a, a possibly negated. */
static inline void twice(coord_t *r, const coord_t *a)
{
    coord_t minus = *a;

    coord_negate_lanes(&minus, (lanes_t)-1);
    coord_sub(r, a, &minus); /* a - (-a) */
}

/* Lanes with infinity or with x1 = x2: what they are, and a denominator that is not zero. */
static __attribute__((noinline)) void forward_special(step_t *s, const operands_t *o,
                                                      const coord_t *x2)
{
    coord_t y1;
    coord_t y2;
    coord_t t;

    gather_y(&y1, &y2, o);
    s->a_infinity = coord_infinity_lanes(&s->x1) & coord_infinity_lanes(&y1);
    s->b_infinity = coord_infinity_lanes(x2) & coord_infinity_lanes(&y2);
    negate_y(&y1, &y2, o);
    const lanes_t infinity = s->a_infinity | s->b_infinity;
    const lanes_t same_x = (lanes_t)(coord_zero_lanes(&s->denominator) & ~infinity);
    coord_sub(&t, &y2, &y1); /* 0 when the points are equal */
    s->equal = same_x & coord_zero_lanes(&t);
    s->opposite = (lanes_t)(same_x & ~s->equal);
    twice(&t, &y1);
    coord_blend(&s->denominator, s->equal, &t); /* 2 y1 */
    coord_one(&t);
    coord_blend(&s->denominator, infinity | s->opposite, &t);
    s->special = (infinity | same_x) != 0;
}

static inline void forward(step_t *s, const operands_t *o, norm_t *chain)
{
    coord_t x2;

    coord_gather(&s->x1, o->a);
    coord_gather(&x2, o->b);
    coord_sub(&s->denominator, &x2, &s->x1); /* x2 - x1 */
    coord_sum(&s->sum, &s->x1, &x2);         /* x1 + x2 */
    s->special = false;
    if (__builtin_expect(coord_any_special(&s->denominator, &s->x1, &x2), 0))
        forward_special(s, o, &x2);
    coord_norm(&s->norm, &s->denominator); /* N(d), d the denominator */
    s->before = *chain;
    norm_mul(chain, chain, &s->norm); /* chain *= N(d) */
}

/* The results of lanes without a slope: the other operand, or infinity. */
static __attribute__((noinline)) void backward_special(coord_t *x3, coord_t *y3, const step_t *s,
                                                       const operands_t *o)
{
    const lanes_t zero = (lanes_t)(s->opposite | (s->a_infinity & s->b_infinity));
    coord_t x2;
    coord_t y1;
    coord_t y2;

    coord_gather(&x2, o->b);
    gather_y(&y1, &y2, o);
    negate_y(&y1, &y2, o);
    coord_reduce(&y1);
    coord_reduce(&y2);
    coord_blend(x3, s->b_infinity, &s->x1);
    coord_blend(y3, s->b_infinity, &y1);
    coord_blend(x3, s->a_infinity, &x2);
    coord_blend(y3, s->a_infinity, &y2);
    coord_clear_lanes(x3, zero);
    coord_clear_lanes(y3, zero);
}

static inline void backward(const step_t *s, const operands_t *o, uint64_t *const *out, size_t n,
                            norm_t *chain)
{
    uint64_t *rows[LANES] = {0};
    norm_t inverse;
    coord_t x3;
    coord_t y1;
    coord_t y3; /* first y2, then the numerator of lambda */
    coord_t lambda;
    coord_t t;

    norm_mul(&inverse, chain, &s->before);          /* 1 / N(d) */
    norm_mul(chain, chain, &s->norm);               /* the inverse of the product before it */
    coord_over_norm(&t, &s->denominator, &inverse); /* 1 / d = conj(d) / N(d) */
    gather_y(&y1, &y3, o);
    negate_y(&y1, &y3, o);
    coord_sub(&y3, &y3, &y1); /* y2 - y1 */
    if (__builtin_expect(s->special, 0)) {
        coord_t slope;

        coord_triple_sqr(&slope, &s->x1);
        coord_blend(&y3, s->equal, &slope); /* 3 x1^2 */
    }
    coord_mul(&lambda, &y3, &t);          /* lambda = (y2 - y1) / (x2 - x1) */
    coord_sqr_sub(&x3, &lambda, &s->sum); /* x3 = lambda^2 - (x1 + x2) */
    coord_sub(&t, &s->x1, &x3);           /* x1 - x3 */
    coord_mul_sub(&y3, &lambda, &t, &y1); /* y3 = lambda (x1 - x3) - y1 */
    if (__builtin_expect(s->special, 0)) backward_special(&x3, &y3, s, o);
    coord_scatter(out, n, &x3);
    for (size_t i = 0; i < n; i++) rows[i] = out[i] + COORD_ROW_WORDS;
    coord_scatter(rows, n, &y3);
}

/* chain[c] becomes its inverse, for all chains, by one inversion. */
static void invert_chains(norm_t chain[CHAINS])
{
    norm_t product;
    norm_t swap;

    norm_mul(&product, &chain[0], &chain[1]); /* c0 c1 */
    norm_inv(&product, &product);             /* 1 / (c0 c1) */
    swap = chain[0];
    norm_mul(&chain[0], &product, &chain[1]); /* 1 / c0 */
    norm_mul(&chain[1], &product, &swap);     /* 1 / c1 */
}

static void group_add(uint8_t *slots, const msm_pair_t *pairs, size_t n, void *scratch)
{
    const size_t n_steps = (n + LANES - 1) / LANES;
    step_t *steps = scratch;
    norm_t chain[CHAINS];
    operands_t o;

    VERIFY(n <= MSM_MAX_BATCH);
    for (size_t i = 0; i < CHAINS; i++) norm_one(&chain[i]);
    for (size_t i = 0; i < n_steps; i++) {
        if (i + AHEAD + 1 < n_steps) prefetch(slots, pairs + (i + AHEAD) * LANES);
        find_operands(&o, slots, pairs + i * LANES, n - i * LANES);
        forward(&steps[i], &o, &chain[i % CHAINS]);
    }
    invert_chains(chain);
    for (size_t i = n_steps; i-- > 0;) {
        const msm_pair_t *pair = pairs + i * LANES;
        const size_t n_lanes = n - i * LANES < LANES ? n - i * LANES : LANES;
        uint64_t *out[LANES] = {0};

        find_operands(&o, slots, pair, n_lanes);
        for (size_t j = 0; j < n_lanes; j++) out[j] = slot_words(slots, pair[j].out);
        backward(&steps[i], &o, out, n_lanes, &chain[i % CHAINS]);
    }
}
