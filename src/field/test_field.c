/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/bytes.h"
#include "field/fr.h"

static void the_modulus_is_the_border_of_canonical(void **unused)
{
    scalar_t s = fr_modulus;
    fr_t a = fr_one;

    (void)unused;
    assert_false(scalar_is_canonical(&s));
    assert_false(fr_from_bytes(&a, (const uint8_t *)s.l));
    assert_true(fr_is_one(&a));
    s.l[0] -= 1;
    assert_true(scalar_is_canonical(&s));
    assert_true(fr_from_bytes(&a, (const uint8_t *)s.l));
    assert_true(fr_equal(&a, &fr_minus_one));
    memset(&s, 0xff, sizeof s);
    assert_false(scalar_is_canonical(&s));
    memset(&s, 0, sizeof s);
    assert_true(fr_from_bytes(&a, (const uint8_t *)s.l));
    assert_true(fr_is_zero(&a));
}

static void one_and_minus_one_behave(void **unused)
{
    fr_t a, b;

    (void)unused;
    fr_from_u64(&a, 1);
    assert_true(fr_is_one(&a));
    fr_add(&b, &fr_one, &fr_minus_one);
    assert_true(fr_is_zero(&b));
    fr_sqr(&b, &fr_minus_one);
    assert_true(fr_is_one(&b));
    fr_neg(&b, &fr_one);
    assert_true(fr_equal(&b, &fr_minus_one));
    fr_inv(&b, &fr_minus_one);
    assert_true(fr_equal(&b, &fr_minus_one));
    fr_inv(&b, &fr_zero);
    assert_true(fr_is_zero(&b));
    fr_from_u64(&a, 7);
    assert_true(fr_equal(&a, &fr_generator));
}

static void roots_have_their_orders(void **unused)
{
    (void)unused;
    for (unsigned lg = 0; lg <= FR_TWO_ADICITY; lg++) {
        fr_t root, power;

        fr_root_of_unity(&root, lg);
        fr_pow_u64(&power, &root, (uint64_t)1 << lg);
        assert_true(fr_is_one(&power));
        if (lg > 0) {
            fr_pow_u64(&power, &root, (uint64_t)1 << (lg - 1));
            assert_true(fr_equal(&power, &fr_minus_one));
        }
    }
}

static void bytes_are_little_endian(void **unused)
{
    uint8_t bytes[FR_BYTES];
    char hex[2 * FR_BYTES + 1];
    fr_t a;

    (void)unused;
    fr_from_u64(&a, 0x0102);
    fr_to_bytes(bytes, &a);
    bytes_to_hex(hex, bytes, FR_BYTES);
    assert_string_equal(hex, "0201000000000000000000000000000000000000000000000000000000000000");
}

static void random_elements_are_reduced_and_differ(void **unused)
{
    cuzk_error err;
    fr_t a[64];

    (void)unused;
    for (int i = 0; i < 64; i++) {
        scalar_t s;

        assert_int_equal(fr_random(&a[i], &err), CUZK_OK);
        fr_to_scalar(&s, &a[i]);
        assert_true(scalar_is_canonical(&s));
        for (int j = 0; j < i; j++) assert_false(fr_equal(&a[i], &a[j]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_modulus_is_the_border_of_canonical),
        cmocka_unit_test(one_and_minus_one_behave),
        cmocka_unit_test(roots_have_their_orders),
        cmocka_unit_test(bytes_are_little_endian),
        cmocka_unit_test(random_elements_are_reduced_and_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
