/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "ntt/ntt_small.h"

size_t ntt_reverse_bits(size_t i, unsigned n_bits)
{
    size_t r = 0;

    for (unsigned b = 0; b < n_bits; b++) r |= (i >> b & 1) << (n_bits - 1 - b);
    return r;
}

static void reverse_order(fr_t *a, unsigned lg_n)
{
    for (size_t i = 0; i < (size_t)1 << lg_n; i++) {
        const size_t j = ntt_reverse_bits(i, lg_n);
        const fr_t t = a[i];

        if (j <= i) continue;
        a[i] = a[j];
        a[j] = t;
    }
}

/* Joins the transforms of even and odd terms, of `half` elements each, in the blocks of a. */
static void join_halves(fr_t *a, size_t n, size_t half, const fr_t *root)
{
    fr_t power = fr_one;

    for (size_t j = 0; j < half; j++) {
        for (size_t i = j; i < n; i += 2 * half) {
            fr_t t;

            fr_mul(&t, &a[i + half], &power);
            fr_sub(&a[i + half], &a[i], &t);
            fr_add(&a[i], &a[i], &t);
        }
        fr_mul(&power, &power, root);
    }
}

void ntt_small(fr_t *a, unsigned lg_n, const fr_t *root, ntt_order order)
{
    if (order != NTT_REVERSED_TO_NATURAL) reverse_order(a, lg_n);
    for (unsigned level = 0; level < lg_n; level++) {
        fr_t power;

        fr_pow_u64(&power, root, (uint64_t)1 << (lg_n - 1 - level));
        join_halves(a, (size_t)1 << lg_n, (size_t)1 << level, &power);
    }
    if (order == NTT_NATURAL_TO_REVERSED) reverse_order(a, lg_n);
}
