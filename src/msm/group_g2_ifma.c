/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "msm/group.h"

#include "msm/coord_ifma.h"

enum { COORD_WORDS = 12, COORD_ROW_WORDS = 2 * FP8_LIMBS };

/* c[0] + c[1] u */
typedef struct {
    fp8_t c[2];
} coord_t;

/* Added by negate(), above any normal value here. */
enum { NEGATE_MULTIPLE = 8 };

static inline void negate(fp8_t *r, const fp8_t *a)
{
    fp8_t zero = {0};

    fp8_sub(r, &zero, a, NEGATE_MULTIPLE);
}

static inline void coord_gather(coord_t *r, const uint64_t *const *rows)
{
    part_gather(&r->c[0], rows, 0);
    part_gather(&r->c[1], rows, FP8_LIMBS);
}

static inline void coord_scatter(uint64_t *const *rows, size_t n, const coord_t *a)
{
    part_scatter(rows, 0, n, &a->c[0]);
    part_scatter(rows, FP8_LIMBS, n, &a->c[1]);
}

static inline void coord_negate_lanes(coord_t *a, lanes_t lanes)
{
    fp8_negate_lanes(&a->c[0], lanes);
    fp8_negate_lanes(&a->c[1], lanes);
}

static inline void coord_sub(coord_t *r, const coord_t *a, const coord_t *b)
{
    fp8_sub(&r->c[0], &a->c[0], &b->c[0], SUB_MULTIPLE);
    fp8_sub(&r->c[1], &a->c[1], &b->c[1], SUB_MULTIPLE);
}

static inline void coord_sum(coord_t *r, const coord_t *a, const coord_t *b)
{
    fp8_add_raw(&r->c[0], &a->c[0], &b->c[0]);
    fp8_add_raw(&r->c[1], &a->c[1], &b->c[1]);
}

/* (a0 + a1 u)(b0 + b1 u) = a0 b0 - a1 b1 + (a0 b1 + a1 b0) u: each a sum of two products under
 * one reduction, 392 vpmadd52 (Karatsuba's three products would be 656 in all, and the wide
 * sums). */
static inline void coord_mul(coord_t *r, const coord_t *a, const coord_t *b)
{
    fp8_t minus;
    fp8_t c0;

    negate(&minus, &a->c[1]);
    fp8_dot(&c0, &a->c[0], &b->c[0], &minus, &b->c[1]);
    fp8_dot(&r->c[1], &a->c[0], &b->c[1], &a->c[1], &b->c[0]);
    r->c[0] = c0;
}

static inline void coord_mul_sub(coord_t *r, const coord_t *a, const coord_t *b, const coord_t *c)
{
    fp8_t minus;
    fp8_t c0;

    negate(&minus, &a->c[1]);
    fp8_dot_sub(&c0, &a->c[0], &b->c[0], &minus, &b->c[1], &c->c[0]);
    fp8_dot_sub(&r->c[1], &a->c[0], &b->c[1], &a->c[1], &b->c[0], &c->c[1]);
    r->c[0] = c0;
}

/* sum = a0 + a1, difference = a0 - a1, twice = 2 a0; a reduced. */
static inline void square_factors(fp8_t *sum, fp8_t *difference, fp8_t *twice_a0, const coord_t *a)
{
    fp8_add(sum, &a->c[0], &a->c[1]);
    fp8_sub(difference, &a->c[0], &a->c[1], SUB_MULTIPLE);
    fp8_add(twice_a0, &a->c[0], &a->c[0]);
}

static inline void coord_sqr_sub(coord_t *r, const coord_t *a, const coord_t *c)
{
    fp8_t sum;
    fp8_t difference;
    fp8_t twice_a0;

    square_factors(&sum, &difference, &twice_a0, a);
    fp8_mul_sub(&r->c[1], &twice_a0, &a->c[1], &c->c[1]); /* 2 a0 a1 - c1 */
    fp8_mul_sub(&r->c[0], &sum, &difference, &c->c[0]);   /* (a0 + a1)(a0 - a1) - c0 */
}

static inline void coord_triple_sqr(coord_t *r, const coord_t *a)
{
    fp8_t sum;
    fp8_t difference;
    fp8_t twice_a0;
    coord_t square;

    square_factors(&sum, &difference, &twice_a0, a);
    fp8_mul(&square.c[0], &sum, &difference);
    fp8_mul(&square.c[1], &twice_a0, &a->c[1]);
    for (int i = 0; i < 2; i++) {
        fp8_add_raw(&r->c[i], &square.c[i], &square.c[i]);
        fp8_add(&r->c[i], &r->c[i], &square.c[i]);
    }
}

static inline void coord_reduce(coord_t *r)
{
    fp8_reduce(&r->c[0], &r->c[0]);
    fp8_reduce(&r->c[1], &r->c[1]);
}

static inline lanes_t coord_zero_lanes(const coord_t *a)
{
    return (lanes_t)(fp8_zero_lanes(&a->c[0]) & fp8_zero_lanes(&a->c[1]));
}

static inline lanes_t coord_infinity_lanes(const coord_t *a)
{
    return (lanes_t)(part_infinity_lanes(&a->c[0]) & part_infinity_lanes(&a->c[1]));
}

static inline bool coord_any_special(const coord_t *difference, const coord_t *a, const coord_t *b)
{
    return part_any_special(&difference->c[0], &a->c[0], &b->c[0]);
}

static inline void coord_blend(coord_t *r, lanes_t lanes, const coord_t *a)
{
    fp8_blend(&r->c[0], lanes, &a->c[0]);
    fp8_blend(&r->c[1], lanes, &a->c[1]);
}

static inline void coord_clear_lanes(coord_t *r, lanes_t lanes)
{
    part_clear_lanes(&r->c[0], lanes);
    part_clear_lanes(&r->c[1], lanes);
}

static inline void coord_load(coord_t *r, const uint64_t *words, size_t stride, bool plain)
{
    part_load(&r->c[0], words, stride, plain);
    part_load(&r->c[1], words + COORD_WORDS / 2, stride, plain);
}

static inline void coord_store(uint64_t *words, size_t stride, size_t n, const coord_t *a)
{
    part_store(words, stride, n, &a->c[0]);
    part_store(words + COORD_WORDS / 2, stride, n, &a->c[1]);
}

static inline void coord_one(coord_t *r)
{
    *r = (coord_t){0};
    fp8_broadcast(&r->c[0], &fp8_one);
}

static inline void coord_norm(norm_t *r, const coord_t *a)
{
    fp8_dot(r, &a->c[0], &a->c[0], &a->c[1], &a->c[1]); /* a0^2 + a1^2 */
}

static inline void coord_over_norm(coord_t *r, const coord_t *a, const norm_t *inverse)
{
    fp8_mul(&r->c[0], &a->c[0], inverse); /* a0 / N */
    fp8_mul(&r->c[1], &a->c[1], inverse);
    negate(&r->c[1], &r->c[1]); /* -a1 / N */
}

/* (x[m], y[m]) = psi^m(x[0], y[0]), m = 1 to 3: psi for 1, psi^2(x, y) = (beta x, -y) of m - 2. */
static inline void coord_endomorphism(coord_t *x, coord_t *y, unsigned m)
{
    fp8_t factor;
    fp8_t t;

    part_load(&factor, m >= 2 ? msm_beta.l : msm_psi_x.l, 0, false);
    if (m >= 2) {
        fp8_mul(&x[m].c[0], &x[m - 2].c[0], &factor); /* beta x */
        fp8_mul(&x[m].c[1], &x[m - 2].c[1], &factor);
        y[m] = y[m - 2];
        coord_negate_lanes(&y[m], (lanes_t)-1);
        coord_reduce(&y[m]);
        return;
    }
    /* psi_x u (x0 - x1 u) = psi_x (x1 + x0 u) */
    fp8_mul(&x[1].c[0], &x[0].c[1], &factor);
    fp8_mul(&x[1].c[1], &x[0].c[0], &factor);
    /* psi_y (1 - u) (y0 - y1 u) = psi_y ((y0 - y1) - (y0 + y1) u) */
    part_load(&factor, msm_psi_y.l, 0, false);
    fp8_sub(&t, &y[0].c[0], &y[0].c[1], SUB_MULTIPLE);
    fp8_mul(&y[1].c[0], &t, &factor);
    fp8_add(&t, &y[0].c[0], &y[0].c[1]);
    fp8_mul(&t, &t, &factor);
    fp8_negate_lanes(&t, (lanes_t)-1);
    fp8_reduce(&y[1].c[1], &t);
}

#include "msm/group_tmpl.h"

const msm_group_t msm_group_g2_ifma = {
    .name = "G2 ifma",
    GROUP_OPERATIONS,
    .n_endo = 4,
    .scalar_bits = 64,
    .split = msm_split_g2,
};
