/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "field/fp_8x52.h"
#include "field/fp_batch_kernels.h"

/* A group of eight, the last padded with copies of its first element. */
static void load(fp8_t *r, const uint64_t *words, size_t stride, size_t n)
{
    uint64_t padded[FP8_LANES][6];

    if (n < FP8_LANES) {
        for (size_t i = 0; i < FP8_LANES; i++)
            memcpy(padded[i], words + (i < n ? i : 0) * stride, sizeof padded[i]);
        words = padded[0];
        stride = 6;
    }
    fp8_load_words(r, words, stride);
}

/* With integers a, b standing for a 2^-384 and b 2^-384, the result is the integer a b 2^-384;
 * fp8_mul gives a b 2^-416 and fp8_from_mont is 2^448, so one more product by it is right. */
void fp_mul_ifma(fp_t *r, const fp_t *a, const fp_t *b, size_t n)
{
    fp8_t factor;

    fp8_broadcast(&factor, &fp8_from_mont);
    for (size_t i = 0; i < n; i += FP8_LANES) {
        const size_t n_lanes = n - i < FP8_LANES ? n - i : FP8_LANES;
        fp8_t x;
        fp8_t y;

        load(&x, a[i].l, 6, n_lanes);
        load(&y, b[i].l, 6, n_lanes);
        fp8_mul(&x, &x, &factor);
        fp8_mul(&x, &x, &y);
        fp8_store_words(r[i].l, 6, n_lanes, &x);
    }
}

void fp2_mul_ifma(fp2_t *r, const fp2_t *a, const fp2_t *b, size_t n)
{
    fp8_t factor;

    fp8_broadcast(&factor, &fp8_from_mont);
    for (size_t i = 0; i < n; i += FP8_LANES) {
        const size_t n_lanes = n - i < FP8_LANES ? n - i : FP8_LANES;
        const fp8_t zero = {0};
        fp8_t x[2];
        fp8_t y[2];
        fp8_t minus;
        fp8_t c;

        for (size_t k = 0; k < 2; k++) {
            load(&x[k], a[i].fp[k].l, 12, n_lanes);
            load(&y[k], b[i].fp[k].l, 12, n_lanes);
            fp8_mul(&x[k], &x[k], &factor);
        }
        fp8_sub(&minus, &zero, &x[1], 2);
        fp8_dot(&c, &x[0], &y[0], &minus, &y[1]);
        fp8_dot(&x[1], &x[0], &y[1], &x[1], &y[0]);
        fp8_store_words(r[i].fp[0].l, 12, n_lanes, &c);
        fp8_store_words(r[i].fp[1].l, 12, n_lanes, &x[1]);
    }
}
