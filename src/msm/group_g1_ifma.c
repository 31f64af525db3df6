/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "msm/group.h"

#include "msm/coord_ifma.h"

enum { COORD_WORDS = 6, COORD_ROW_WORDS = FP8_LIMBS };

typedef fp8_t coord_t;

static inline void coord_gather(coord_t *r, const uint64_t *const *rows)
{
    part_gather(r, rows, 0);
}

static inline void coord_scatter(uint64_t *const *rows, size_t n, const coord_t *a)
{
    part_scatter(rows, 0, n, a);
}

static inline void coord_negate_lanes(coord_t *a, lanes_t lanes)
{
    fp8_negate_lanes(a, lanes);
}

static inline void coord_sub(coord_t *r, const coord_t *a, const coord_t *b)
{
    fp8_sub(r, a, b, SUB_MULTIPLE);
}

static inline void coord_sum(coord_t *r, const coord_t *a, const coord_t *b)
{
    fp8_add_raw(r, a, b);
}

static inline void coord_mul(coord_t *r, const coord_t *a, const coord_t *b)
{
    fp8_mul(r, a, b);
}

static inline void coord_mul_sub(coord_t *r, const coord_t *a, const coord_t *b, const coord_t *c)
{
    fp8_mul_sub(r, a, b, c);
}

static inline void coord_sqr_sub(coord_t *r, const coord_t *a, const coord_t *c)
{
    fp8_mul_sub(r, a, a, c);
}

static inline void coord_triple_sqr(coord_t *r, const coord_t *a)
{
    fp8_t square;

    fp8_mul(&square, a, a);
    fp8_add_raw(r, &square, &square);
    fp8_add(r, r, &square);
}

static inline void coord_reduce(coord_t *r)
{
    fp8_reduce(r, r);
}

static inline lanes_t coord_zero_lanes(const coord_t *a)
{
    return fp8_zero_lanes(a);
}

static inline lanes_t coord_infinity_lanes(const coord_t *a)
{
    return part_infinity_lanes(a);
}

static inline bool coord_any_special(const coord_t *difference, const coord_t *a, const coord_t *b)
{
    return part_any_special(difference, a, b);
}

static inline void coord_blend(coord_t *r, lanes_t lanes, const coord_t *a)
{
    fp8_blend(r, lanes, a);
}

static inline void coord_clear_lanes(coord_t *r, lanes_t lanes)
{
    part_clear_lanes(r, lanes);
}

static inline void coord_load(coord_t *r, const uint64_t *words, size_t stride, bool plain)
{
    part_load(r, words, stride, plain);
}

static inline void coord_store(uint64_t *words, size_t stride, size_t n, const coord_t *a)
{
    part_store(words, stride, n, a);
}

static inline void coord_one(coord_t *r)
{
    fp8_broadcast(r, &fp8_one);
}

static inline void coord_norm(norm_t *r, const coord_t *a)
{
    *r = *a;
}

static inline void coord_over_norm(coord_t *r, const coord_t *a, const norm_t *inverse)
{
    (void)a;
    *r = *inverse;
}

/* (x[m], y[m]) = (beta x[0], y[0]), m = 1. */
static inline void coord_endomorphism(coord_t *x, coord_t *y, unsigned m)
{
    fp8_t beta;

    part_load(&beta, msm_beta.l, 0, false);
    fp8_mul(&x[m], &x[0], &beta);
    y[m] = y[0];
}

#include "msm/group_tmpl.h"

const msm_group_t msm_group_g1_ifma = {
    .name = "G1 ifma",
    GROUP_OPERATIONS,
    .n_endo = 2,
    .scalar_bits = 128,
    .split = msm_split_g1,
};
