/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_MSM_COORD_PORTABLE_H
#define CUZK_MSM_COORD_PORTABLE_H

/* Coordinates for group_tmpl.h, one point at a time, by blst. The including file sets
 * FIELD(name) to fp_name or fp2_name; everything is fully reduced. */

#include "field/fp.h"

typedef FIELD(t) coord_t;
typedef fp_t norm_t;
typedef uint8_t lanes_t; /* 0 or not */

enum { LANES = 1, COORD_WORDS = sizeof(coord_t) / 8, COORD_ROW_WORDS = COORD_WORDS };

static inline void norm_one(norm_t *r)
{
    static const uint64_t one[6] = {1};

    blst_fp_from_uint64(r, one);
}

static inline void norm_mul(norm_t *r, const norm_t *a, const norm_t *b)
{
    fp_mul(r, a, b);
}

static inline void norm_inv(norm_t *r, const norm_t *a)
{
    fp_inv(r, a);
}

static inline void coord_gather(coord_t *r, const uint64_t *const *rows)
{
    memcpy(r, rows[0], sizeof *r);
}

static inline void coord_scatter(uint64_t *const *rows, size_t n, const coord_t *a)
{
    (void)n;
    memcpy(rows[0], a, sizeof *a);
}

static inline void coord_negate_lanes(coord_t *a, lanes_t lanes)
{
    if (lanes) FIELD(neg)(a, a);
}

static inline void coord_sub(coord_t *r, const coord_t *a, const coord_t *b)
{
    FIELD(sub)(r, a, b);
}

static inline void coord_sum(coord_t *r, const coord_t *a, const coord_t *b)
{
    FIELD(add)(r, a, b);
}

static inline void coord_mul(coord_t *r, const coord_t *a, const coord_t *b)
{
    FIELD(mul)(r, a, b);
}

static inline void coord_mul_sub(coord_t *r, const coord_t *a, const coord_t *b, const coord_t *c)
{
    FIELD(mul)(r, a, b);
    FIELD(sub)(r, r, c);
}

static inline void coord_sqr_sub(coord_t *r, const coord_t *a, const coord_t *c)
{
    FIELD(sqr)(r, a);
    FIELD(sub)(r, r, c);
}

static inline void coord_triple_sqr(coord_t *r, const coord_t *a)
{
    coord_t twice;

    FIELD(sqr)(r, a);         /* a^2 */
    FIELD(add)(&twice, r, r); /* 2 a^2 */
    FIELD(add)(r, r, &twice); /* 3 a^2 */
}

static inline void coord_reduce(coord_t *r)
{
    (void)r;
}

static inline lanes_t coord_zero_lanes(const coord_t *a)
{
    return FIELD(is_zero)(a);
}

static inline lanes_t coord_infinity_lanes(const coord_t *a)
{
    return FIELD(is_zero)(a);
}

static inline bool coord_any_special(const coord_t *difference, const coord_t *a, const coord_t *b)
{
    return FIELD(is_zero)(difference) || FIELD(is_zero)(a) || FIELD(is_zero)(b);
}

static inline void coord_blend(coord_t *r, lanes_t lanes, const coord_t *a)
{
    if (lanes) *r = *a;
}

static inline void coord_clear_lanes(coord_t *r, lanes_t lanes)
{
    if (lanes) *r = (coord_t){0};
}

/* Words are those of an fp_t, or of plain integers, coefficient of u last. */
static inline void coord_load(coord_t *r, const uint64_t *words, size_t stride, bool plain)
{
    (void)stride;
    memcpy(r, words, sizeof *r);
    for (size_t i = 0; plain && i < COORD_WORDS / 6; i++)
        blst_fp_from_uint64((fp_t *)r + i, words + 6 * i);
}

static inline void coord_store(uint64_t *words, size_t stride, size_t n, const coord_t *a)
{
    (void)stride;
    (void)n;
    memcpy(words, a, sizeof *a);
}

#endif
