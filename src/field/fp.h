/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_FIELD_FP_H
#define CUZK_FIELD_FP_H

/* The base field of BLS12-381 (381 bits) and its quadratic extension fp2 = fp[u] / (u^2 + 1), in
 * blst's form: Montgomery with factor 2^384, 6 little-endian limbs, reduced. */

#include <blst.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef blst_fp fp_t;
typedef blst_fp2 fp2_t; /* fp[0] + fp[1] u */

enum { FP_BYTES = 48 };

static inline void fp_add(fp_t *r, const fp_t *a, const fp_t *b)
{
    blst_fp_add(r, a, b);
}
static inline void fp_sub(fp_t *r, const fp_t *a, const fp_t *b)
{
    blst_fp_sub(r, a, b);
}
static inline void fp_mul(fp_t *r, const fp_t *a, const fp_t *b)
{
    blst_fp_mul(r, a, b);
}
static inline void fp_sqr(fp_t *r, const fp_t *a)
{
    blst_fp_sqr(r, a);
}
static inline void fp_neg(fp_t *r, const fp_t *a)
{
    blst_fp_cneg(r, a, true);
}
static inline void fp_inv(fp_t *r, const fp_t *a)
{
    blst_fp_eucl_inverse(r, a);
}

static inline bool fp_equal(const fp_t *a, const fp_t *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}
static inline bool fp_is_zero(const fp_t *a)
{
    return (a->l[0] | a->l[1] | a->l[2] | a->l[3] | a->l[4] | a->l[5]) == 0;
}

static inline void fp2_add(fp2_t *r, const fp2_t *a, const fp2_t *b)
{
    blst_fp2_add(r, a, b);
}
static inline void fp2_sub(fp2_t *r, const fp2_t *a, const fp2_t *b)
{
    blst_fp2_sub(r, a, b);
}
static inline void fp2_mul(fp2_t *r, const fp2_t *a, const fp2_t *b)
{
    blst_fp2_mul(r, a, b);
}
static inline void fp2_sqr(fp2_t *r, const fp2_t *a)
{
    blst_fp2_sqr(r, a);
}
static inline void fp2_neg(fp2_t *r, const fp2_t *a)
{
    blst_fp2_cneg(r, a, true);
}
static inline void fp2_inv(fp2_t *r, const fp2_t *a)
{
    blst_fp2_eucl_inverse(r, a);
}

static inline bool fp2_equal(const fp2_t *a, const fp2_t *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}
static inline bool fp2_is_zero(const fp2_t *a)
{
    return fp_is_zero(&a->fp[0]) && fp_is_zero(&a->fp[1]);
}

#endif
