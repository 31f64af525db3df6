/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "msm/group.h"

/* z^2 - 1 and |z|, from the curve's parameter z = -0xd201000000010000. */
static const scalar_t lambda = {{0x00000000ffffffff, 0xac45a4010001a402}};
static const uint64_t z_magnitude = 0xd201000000010000;

static uint64_t random_state = 3;

static uint64_t random_u64(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

typedef void (*split_t)(uint64_t magnitude[MSM_MAX_ENDO][2], bool negative[MSM_MAX_ENDO],
                        const scalar_t *k);

/* k = sum of +- magnitude[m] eigenvalue^m, and the magnitudes are as short as promised. */
static void check_split(split_t split, unsigned n_endo, unsigned bits, const fr_t *eigenvalue,
                        const scalar_t *k)
{
    uint64_t magnitude[MSM_MAX_ENDO][2];
    bool negative[MSM_MAX_ENDO];
    fr_t sum = fr_zero;
    fr_t want;

    split(magnitude, negative, k);
    for (unsigned m = n_endo; m-- > 0;) {
        const scalar_t s = {{magnitude[m][0], magnitude[m][1]}};
        fr_t part;

        if (bits == 64) assert_int_equal(magnitude[m][1], 0);
        assert_true(magnitude[m][bits / 64 - 1] >> 63 == 0);
        fr_from_scalar(&part, &s);
        if (negative[m]) fr_neg(&part, &part);
        fr_mul(&sum, &sum, eigenvalue);
        fr_add(&sum, &sum, &part);
    }
    fr_from_scalar(&want, k);
    assert_memory_equal(&sum, &want, sizeof sum);
}

static void check_all(const scalar_t *k)
{
    fr_t eigenvalue1;
    fr_t eigenvalue2;

    fr_from_scalar(&eigenvalue1, &lambda);
    fr_from_u64(&eigenvalue2, z_magnitude);
    fr_neg(&eigenvalue2, &eigenvalue2);
    check_split(msm_split_g1, 2, 128, &eigenvalue1, k);
    check_split(msm_split_g2, 4, 64, &eigenvalue2, k);
}

static void test_split_random(void **state)
{
    (void)state;
    for (int i = 0; i < 20000; i++) {
        scalar_t k;

        do
            for (int j = 0; j < 4; j++) k.l[j] = random_u64() >> (j == 3);
        while (!scalar_is_canonical(&k));
        check_all(&k);
    }
}

/* Around 0, r / 2, r, and the multiples of the eigenvalues and of their halves. */
static void test_split_edges(void **state)
{
    fr_t base[4];

    (void)state;
    fr_from_scalar(&base[0], &lambda);
    fr_from_u64(&base[1], z_magnitude);
    fr_from_u64(&base[2], z_magnitude / 2);
    fr_from_u64(&base[3], 2);
    fr_inv(&base[3], &base[3]);
    for (int b = 0; b < 4; b++) {
        fr_t power = fr_one;

        for (int e = 0; e < 5; e++) {
            for (int c = 0; c < 5; c++) {
                fr_t x = power;
                fr_t two;

                if (c >= 3) { /* half of it, and half of it less one */
                    if (c == 4) fr_sub(&x, &x, &fr_one);
                    fr_from_u64(&two, 2);
                    fr_inv(&two, &two);
                    fr_mul(&x, &x, &two);
                }
                if (c == 1) fr_add(&x, &x, &fr_one);
                if (c == 2) fr_sub(&x, &x, &fr_one);
                for (int sign = 0; sign < 2; sign++) {
                    scalar_t k;

                    fr_to_scalar(&k, &x);
                    check_all(&k);
                    fr_neg(&x, &x);
                }
            }
            fr_mul(&power, &power, &base[b]);
        }
    }
    for (uint64_t small = 0; small < 100; small++) check_all(&(scalar_t){{small}});
}

static void check_digits(uint32_t bits, const uint64_t magnitude[2], bool negative)
{
    const uint32_t n_windows = (128 + bits - 1) / bits;
    int32_t digit[128];
    fr_t base;
    fr_t sum = fr_zero;
    fr_t want;
    const scalar_t k = {{magnitude[0], magnitude[1]}};

    msm_digits(digit, n_windows, bits, magnitude, 2, negative);
    fr_from_u64(&base, (uint64_t)1 << bits);
    for (uint32_t w = n_windows; w-- > 0;) {
        fr_t d;

        assert_in_range(digit[w] + (1 << (bits - 1)), 0, 1 << bits);
        fr_from_u64(&d, (uint64_t)(digit[w] < 0 ? -digit[w] : digit[w]));
        if (digit[w] < 0) fr_neg(&d, &d);
        fr_mul(&sum, &sum, &base);
        fr_add(&sum, &sum, &d);
    }
    fr_from_scalar(&want, &k);
    if (negative) fr_neg(&want, &want);
    assert_memory_equal(&sum, &want, sizeof sum);
}

static void test_digits(void **state)
{
    (void)state;
    for (uint32_t bits = 2; bits <= 20; bits++)
        for (int i = 0; i < 200; i++) {
            uint64_t magnitude[2] = {random_u64(), random_u64() >> 1};

            if (i < 2) magnitude[0] = magnitude[1] = 0;
            if (i == 2) magnitude[0] = UINT64_MAX;
            if (i == 2) magnitude[1] = UINT64_MAX >> 1;
            if (i == 3) magnitude[0] = (uint64_t)1 << (bits - 1);
            check_digits(bits, magnitude, i % 2 == 1);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_split_random),
        cmocka_unit_test(test_split_edges),
        cmocka_unit_test(test_digits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
