/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "field/fr_batch_ops.h"

static void add_portable(fr_t *r, const fr_t *a, const fr_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++) fr_add(&r[i], &a[i], &b[i]);
}

static void sub_portable(fr_t *r, const fr_t *a, const fr_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++) fr_sub(&r[i], &a[i], &b[i]);
}

static void mul_portable(fr_t *r, const fr_t *a, const fr_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++) fr_mul(&r[i], &a[i], &b[i]);
}

static void sqr_portable(fr_t *r, const fr_t *a, size_t n)
{
    for (size_t i = 0; i < n; i++) fr_sqr(&r[i], &a[i]);
}

static void scale_portable(fr_t *r, const fr_t *a, const fr_t *k, size_t n)
{
    for (size_t i = 0; i < n; i++) fr_mul(&r[i], &a[i], k);
}

static void scale_powers_portable(fr_t *r, const fr_t *a, const fr_t *first, const fr_t *step,
                                  size_t n)
{
    fr_t factor = *first;

    for (size_t i = 0; i < n; i++) {
        fr_mul(&r[i], &a[i], &factor);
        fr_mul(&factor, &factor, step);
    }
}

static void inv_portable(fr_t *r, const fr_t *a, size_t n)
{
    fr_t product = fr_one;
    fr_t inverse;

    /* r[i] = a[0] ... a[i-1], zeros skipped; then walk back with the inverse of the whole. */
    for (size_t i = 0; i < n; i++) {
        r[i] = product;
        if (!fr_is_zero(&a[i])) fr_mul(&product, &product, &a[i]);
    }
    fr_inv(&inverse, &product);
    for (size_t i = n; i-- > 0;) {
        if (fr_is_zero(&a[i])) {
            r[i] = fr_zero;
            continue;
        }
        fr_mul(&r[i], &r[i], &inverse);
        fr_mul(&inverse, &inverse, &a[i]);
    }
}

static void to_scalar_portable(scalar_t *s, const fr_t *a, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const fr_t element = a[i];

        fr_to_scalar(&s[i], &element);
    }
}

static void from_scalar_portable(fr_t *a, const scalar_t *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const scalar_t scalar = s[i];

        fr_from_scalar(&a[i], &scalar);
    }
}

const fr_batch_ops_t fr_batch_portable = {
    .group = 1,
    .add = add_portable,
    .sub = sub_portable,
    .mul = mul_portable,
    .sqr = sqr_portable,
    .scale = scale_portable,
    .scale_powers = scale_powers_portable,
    .inv = inv_portable,
    .to_scalar = to_scalar_portable,
    .from_scalar = from_scalar_portable,
};
