/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/stats.h"

/* Exact equality is meant throughout: the sums are exact in binary. */

static void medians_of_known_samples(void **state)
{
    (void)state;
    assert_true(median((const double[]){7}, 1) == 7);
    assert_true(median((const double[]){3, 1}, 2) == 2);
    assert_true(median((const double[]){5, 1, 3}, 3) == 3);
    assert_true(median((const double[]){4, 1, 3, 2}, 4) == 2.5);
    assert_true(median((const double[]){100, 1, 1, 1, 100}, 5) == 1);
    assert_true(minimum((const double[]){5, 1, 3}, 3) == 1);
}

static void median_leaves_the_sample_in_order(void **state)
{
    const double sample[] = {9, 2, 5};

    (void)state;
    (void)median(sample, 3);
    assert_true(sample[0] == 9 && sample[1] == 2 && sample[2] == 5);
}

/* Resampling pairs of constant ratio gives that ratio whatever is drawn. */
static void a_disturbance_of_both_sides_cancels(void **state)
{
    const double a[] = {1, 8, 2, 4, 16};
    const double b[] = {0.5, 4, 1, 2, 8};
    const ratio_t r = bootstrap_ratio(a, b, 5, 1);

    (void)state;
    assert_true(r.ratio == 0.5 && r.low == 0.5 && r.high == 0.5);
    assert_int_equal(verdict_of(&r), VERDICT_FASTER);
}

/* With three pairs, the middle of three draws is the lowest with probability 7/27, more than the
 * 2.5% cut off at each end: the interval reaches both extremes. */
static void three_pairs_reach_their_extremes(void **state)
{
    const double a[] = {1, 1, 1};
    const double b[] = {0.5, 1.25, 2};
    const ratio_t r = bootstrap_ratio(a, b, 3, 12345);

    (void)state;
    assert_true(r.ratio == 1.25 && r.low == 0.5 && r.high == 2);
    assert_int_equal(verdict_of(&r), VERDICT_NO_DIFFERENCE);
}

/* Of 101 equal-sided pairs with b uniform on 1 .. 2, the median's 95% interval follows the
 * binomial law: order statistics 41 and 61 (1.40 and 1.60), give or take one. */
static void a_large_sample_follows_the_binomial_law(void **state)
{
    double a[101], b[101];

    (void)state;
    for (int i = 0; i < 101; i++) {
        a[i] = 1;
        b[i] = 1 + (i * 37 % 101) / 100.0;
    }
    const ratio_t r = bootstrap_ratio(a, b, 101, 7);
    assert_true(r.ratio == 1.5);
    assert_true(r.low >= 1.38 && r.low <= 1.43);
    assert_true(r.high >= 1.57 && r.high <= 1.62);
    assert_int_equal(verdict_of(&r), VERDICT_SLOWER);
}

static void a_seed_repeats(void **state)
{
    const double a[] = {1, 1.1, 0.9, 1.05, 1.2, 0.97, 1.01};
    const double b[] = {1.3, 0.9, 1.1, 1, 0.8, 1.4, 0.99};
    const ratio_t r = bootstrap_ratio(a, b, 7, 99);
    const ratio_t s = bootstrap_ratio(a, b, 7, 99);

    (void)state;
    assert_memory_equal(&r, &s, sizeof r);
    assert_true(r.low < r.ratio && r.ratio < r.high);
}

static void verdicts_are_by_the_interval(void **state)
{
    (void)state;
    assert_int_equal(verdict_of(&(ratio_t){0.9, 0.8, 0.99}), VERDICT_FASTER);
    assert_int_equal(verdict_of(&(ratio_t){0.9, 0.8, 1}), VERDICT_NO_DIFFERENCE);
    assert_int_equal(verdict_of(&(ratio_t){1.1, 1, 1.2}), VERDICT_NO_DIFFERENCE);
    assert_int_equal(verdict_of(&(ratio_t){1.1, 1.01, 1.2}), VERDICT_SLOWER);
    assert_string_equal(verdict_name(VERDICT_NO_DIFFERENCE), "no difference shown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(medians_of_known_samples),
        cmocka_unit_test(median_leaves_the_sample_in_order),
        cmocka_unit_test(a_disturbance_of_both_sides_cancels),
        cmocka_unit_test(three_pairs_reach_their_extremes),
        cmocka_unit_test(a_large_sample_follows_the_binomial_law),
        cmocka_unit_test(a_seed_repeats),
        cmocka_unit_test(verdicts_are_by_the_interval),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
