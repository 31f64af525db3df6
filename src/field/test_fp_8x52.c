/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cpu.h"
#include "field/fp_8x52.h"

enum { ROUNDS = 400, SKIPPED = 77 };

static uint64_t random_state = 11;

static uint64_t random_u64(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static void fp_from_i64(fp_t *r, int64_t v)
{
    const uint64_t words[6] = {(uint64_t)(v < 0 ? -v : v)};

    blst_fp_from_uint64(r, words);
    if (v < 0) fp_neg(r, r);
}

/* The value of lane i mod p, by signed limbs. */
static void lane_value(fp_t *r, const fp8_t *a, int i)
{
    fp_t limb_base;

    fp_from_i64(&limb_base, (int64_t)1 << 52);
    *r = (fp_t){0};
    for (int j = FP8_LIMBS - 1; j >= 0; j--) {
        fp_t limb;

        fp_from_i64(&limb, ((const int64_t *)&a->l[j])[i]);
        fp_mul(r, r, &limb_base);
        fp_add(r, r, &limb);
    }
}

/* r = a / 2^416 */
static void divide_radix(fp_t *r, const fp_t *a)
{
    fp_t radix;
    fp_t limb_base;

    fp_from_i64(&limb_base, (int64_t)1 << 52);
    fp_from_i64(&radix, 1);
    for (int i = 0; i < 8; i++) fp_mul(&radix, &radix, &limb_base);
    fp_inv(&radix, &radix);
    fp_mul(r, a, &radix);
}

static void set_limb(fp8_t *a, int i, int j, int64_t v)
{
    ((int64_t *)&a->l[j])[i] = v;
}

/* Normal values up to 16 p, with all limbs of ones below the top one, 0, 1, p and multiples. */
static void random_normal(fp8_t *a)
{
    for (int i = 0; i < FP8_LANES; i++) {
        const uint64_t kind = random_u64() % 8;
        const int64_t multiple = (int64_t)(random_u64() % 15);
        int64_t carry = 0;

        for (int j = 0; j < FP8_LIMBS; j++) {
            int64_t v = (int64_t)(random_u64() >> 12);

            if (j == FP8_LIMBS - 1) v %= (int64_t)(15 * FP8_P7);
            if (kind == 0) v = j < FP8_LIMBS - 1 ? ((int64_t)1 << 52) - 1 : (int64_t)(15 * FP8_P7);
            if (kind == 1) v = 0;
            if (kind == 2) v = j == 0;
            if (kind == 3) {
                v = multiple * (int64_t)fp8_p.l[j] + carry;
                carry = v >> 52;
                if (j < FP8_LIMBS - 1) v &= ((int64_t)1 << 52) - 1;
            }
            set_limb(a, i, j, v);
        }
    }
}

/* A multiple of p from -2 to 2, and up to 0.4 p more or less, by uncarried limbs of both signs. */
static void random_raw(fp8_t *a)
{
    for (int i = 0; i < FP8_LANES; i++) {
        const int64_t multiple = (int64_t)(random_u64() % 5) - 2;

        for (int j = 0; j < FP8_LIMBS; j++) {
            const int64_t more = (int64_t)(random_u64() >> 12) - ((int64_t)1 << 51);

            set_limb(a, i, j,
                     multiple * (int64_t)fp8_p.l[j] +
                         (j == FP8_LIMBS - 1 ? more % (int64_t)(FP8_P7 * 4 / 10) : more));
        }
    }
}

static void assert_reduced(const fp8_t *a)
{
    for (int i = 0; i < FP8_LANES; i++)
        for (int j = 0; j < FP8_LIMBS; j++) {
            const uint64_t limb = ((const uint64_t *)&a->l[j])[i];

            assert_true(limb < (uint64_t)1 << 52);
            if (j == FP8_LIMBS - 1) assert_true(limb <= FP8_P7 + FP8_P7 / 1000);
        }
}

static void assert_lane(const fp8_t *r, int i, const fp_t *want)
{
    fp_t got;

    lane_value(&got, r, i);
    assert_memory_equal(&got, want, sizeof got);
}

static void test_products(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        fp8_t v[5];
        fp8_t r[4];

        for (int k = 0; k < 4; k++) random_normal(&v[k]);
        random_raw(&v[4]);
        fp8_mul(&r[0], &v[0], &v[1]);
        fp8_mul_sub(&r[1], &v[0], &v[1], &v[4]);
        fp8_dot(&r[2], &v[0], &v[1], &v[2], &v[3]);
        fp8_dot_sub(&r[3], &v[0], &v[1], &v[2], &v[3], &v[4]);
        for (int k = 0; k < 4; k++) assert_reduced(&r[k]);
        for (int i = 0; i < FP8_LANES; i++) {
            fp_t x[5];
            fp_t want;

            for (int k = 0; k < 5; k++) lane_value(&x[k], &v[k], i);
            fp_mul(&x[0], &x[0], &x[1]);
            divide_radix(&x[0], &x[0]);
            assert_lane(&r[0], i, &x[0]);
            fp_sub(&want, &x[0], &x[4]);
            assert_lane(&r[1], i, &want);
            fp_mul(&x[2], &x[2], &x[3]);
            divide_radix(&x[2], &x[2]);
            fp_add(&x[0], &x[0], &x[2]);
            assert_lane(&r[2], i, &x[0]);
            fp_sub(&want, &x[0], &x[4]);
            assert_lane(&r[3], i, &want);
        }
    }
}

static void test_reduce_and_sums(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        fp8_t raw;
        fp8_t a;
        fp8_t b;
        fp8_t r[3];

        random_raw(&raw);
        fp8_reduce(&a, &raw);
        assert_reduced(&a);
        random_raw(&b);
        fp8_reduce(&b, &b);
        fp8_add(&r[0], &a, &b);
        fp8_sub(&r[1], &a, &b, 3);
        r[2] = a;
        fp8_negate_lanes(&r[2], 0x5a);
        for (int i = 0; i < FP8_LANES; i++) {
            fp_t x;
            fp_t y;
            fp_t want;

            lane_value(&x, &raw, i);
            lane_value(&y, &b, i);
            assert_lane(&a, i, &x);
            fp_add(&want, &x, &y);
            assert_lane(&r[0], i, &want);
            fp_sub(&want, &x, &y);
            assert_lane(&r[1], i, &want);
            if (0x5a >> i & 1) fp_neg(&x, &x);
            assert_lane(&r[2], i, &x);
        }
    }
}

static void test_zero_lanes(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        fp8_t a;
        __mmask8 want = 0;

        random_normal(&a);
        for (int i = 0; i < FP8_LANES; i++) {
            fp_t x;

            lane_value(&x, &a, i);
            if (fp_is_zero(&x)) want = (__mmask8)(want | 1U << i);
        }
        assert_int_equal(fp8_zero_lanes(&a), want);
    }
}

static void test_inverse(void **state)
{
    (void)state;
    for (int round = 0; round < 20; round++) {
        fp8_t a;
        fp8_t r;
        fp8_t product;
        fp8_t one;

        random_raw(&a);
        fp8_reduce(&a, &a);
        fp8_inv(&r, &a);
        fp8_mul(&product, &a, &r);
        fp8_broadcast(&one, &fp8_one);
        for (int i = 0; i < FP8_LANES; i++) {
            fp_t want;

            lane_value(&want, &one, i);
            assert_lane(&product, i, &want);
        }
    }
}

static void test_words(void **state)
{
    uint64_t words[FP8_LANES][7];
    uint64_t back[FP8_LANES][7] = {0};
    fp8_t factor;
    fp8_t a;

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < FP8_LANES; i++) {
            for (int j = 0; j < 6; j++) words[i][j] = random_u64();
            words[i][5] >>= 4; /* below p */
            if (round == 0) memset(words[i], i % 2 == 0 ? 0 : 0xff, 40);
            words[i][6] = back[i][6] = 99;
        }
        fp8_load_words(&a, words[0], 7);
        fp8_broadcast(&factor, &fp8_from_mont);
        fp8_mul(&a, &a, &factor);
        fp8_broadcast(&factor, &fp8_to_mont);
        fp8_mul(&a, &a, &factor);
        fp8_store_words(back[0], 7, FP8_LANES, &a);
        assert_memory_equal(back, words, sizeof words);
    }
    memset(back, 0, sizeof back);
    fp8_store_words(back[0], 7, 3, &a);
    assert_memory_equal(back[2], words[2], 6 * sizeof words[0][0]);
    assert_int_equal(back[3][0], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_products),   cmocka_unit_test(test_reduce_and_sums),
        cmocka_unit_test(test_zero_lanes), cmocka_unit_test(test_inverse),
        cmocka_unit_test(test_words),
    };

    if (cpu_level_available() < CPU_AVX512_IFMA) return SKIPPED;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
