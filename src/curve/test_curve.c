/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "curve/g1.h"
#include "curve/g2.h"
#include "curve/pairing.h"

/* Known encodings of the generators, as ZCash published them. */
static const char g1_hex[] = "97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac58"
                             "6c55e83ff97a1aeffb3af00adb22c6bb";
static const char g2_hex[] = "93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049"
                             "334cf11213945d57e5ac7d055d042b7e024aa2b2f08f0a91260805272dc51051"
                             "c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8";

static bool uncompress_g1(g1_affine_t *p, const uint8_t *bytes)
{
    return blst_p1_uncompress(p, bytes) == BLST_SUCCESS;
}

static bool uncompress_g2(g2_affine_t *p, const uint8_t *bytes)
{
    return blst_p2_uncompress(p, bytes) == BLST_SUCCESS;
}

#define G(name)       g1_##name
#define GU(name)      G1_##name
#define GROUP(name)   name##_g1
#define GENERATOR_HEX g1_hex
#include "curve/test_curve_tmpl.h"
#undef G
#undef GU
#undef GROUP
#undef GENERATOR_HEX

#define G(name)       g2_##name
#define GU(name)      G2_##name
#define GROUP(name)   name##_g2
#define GENERATOR_HEX g2_hex
#include "curve/test_curve_tmpl.h"

static void test_pairing_is_bilinear(void **state)
{
    const scalar_t a = {{123456789}};
    const scalar_t b = {{987654321}};
    const scalar_t ab = {{123456789ULL * 987654321ULL}};
    g1_jac_t p;
    g2_jac_t q;
    g1_affine_t points1[2];
    g2_affine_t points2[2];
    g1_affine_t left;

    (void)state;
    g1_from_affine(&p, g1_generator());
    g2_from_affine(&q, g2_generator());
    g1_mul(&p, &p, &a);
    g2_mul(&q, &q, &b);
    g1_to_affine(&points1[0], &p);
    g2_to_affine(&points2[0], &q);
    g1_from_affine(&p, g1_generator());
    g1_mul(&p, &p, &ab);
    g1_to_affine(&left, &p);
    assert_true(pairing_product_is(points1, points2, 1, &left, g2_generator()));
    assert_false(pairing_product_is(points1, points2, 1, g1_generator(), g2_generator()));
    /* A pair with an identity counts as 1. */
    points1[1] = (g1_affine_t){0};
    points2[1] = *g2_generator();
    assert_true(pairing_product_is(points1, points2, 2, &left, g2_generator()));
    points1[1] = *g1_generator();
    points2[1] = (g2_affine_t){0};
    assert_true(pairing_product_is(points1, points2, 2, &left, g2_generator()));
    points2[1] = *g2_generator();
    assert_false(pairing_product_is(points1, points2, 2, &left, g2_generator()));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_encodings_g1),
        cmocka_unit_test(test_encodings_g2),
        cmocka_unit_test(test_flags_g1),
        cmocka_unit_test(test_flags_g2),
        cmocka_unit_test(test_range_g1),
        cmocka_unit_test(test_range_g2),
        cmocka_unit_test(test_subgroup_g1),
        cmocka_unit_test(test_subgroup_g2),
        cmocka_unit_test(test_group_law_g1),
        cmocka_unit_test(test_group_law_g2),
        cmocka_unit_test(test_points_g1),
        cmocka_unit_test(test_points_g2),
        cmocka_unit_test(test_pairing_is_bilinear),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
