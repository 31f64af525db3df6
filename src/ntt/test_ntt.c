/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <openssl/sha.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "base/cpu.h"
#include "base/memory.h"
#include "ntt/ntt.h"
#include "ntt/ntt_pass.h"

enum { LG_NAIVE = 8, LG_LARGE = 16 };

typedef enum { FORWARD, INVERSE, FORWARD_COSET, INVERSE_COSET, N_KINDS } kind_t;

static const ntt_order orders[] = {NTT_NATURAL_TO_NATURAL, NTT_NATURAL_TO_REVERSED,
                                   NTT_REVERSED_TO_NATURAL};

static fr_t *new_elements(size_t n)
{
    cuzk_error err;
    void *p;

    assert_int_equal(big_alloc(&p, n, sizeof(fr_t), "test elements", &err), CUZK_OK);
    return p;
}

static void free_elements(fr_t *a, size_t n)
{
    big_free(a, n, sizeof *a);
}

static ntt_domain_t *open_domain(unsigned lg_n)
{
    cuzk_error err;
    ntt_domain_t *domain;

    assert_int_equal(ntt_domain_open(&domain, lg_n, &err), CUZK_OK);
    assert_int_equal(ntt_domain_size(domain), (size_t)1 << lg_n);
    return domain;
}

/* The input of the digests below: SHA-256("cuzk-peer" || LE64(i)), top byte & 0x3f. */
static void fill(fr_t *a, size_t n, uint64_t first)
{
    for (size_t i = 0; i < n; i++) {
        uint8_t text[17] = "cuzk-peer";
        uint8_t digest[SHA256_DIGEST_LENGTH];

        store_le64(text + 9, first + i);
        SHA256(text, sizeof text, digest);
        digest[31] &= 0x3f;
        assert_true(fr_from_bytes(&a[i], digest));
    }
}

/* The element with the largest limbs in memory, r - 1. */
static fr_t largest(void)
{
    fr_t a;

    memcpy(a.l, fr_modulus.l, sizeof a.l);
    a.l[0]--;
    return a;
}

/* Edge values, each many times, between others. */
static void fill_edges(fr_t *a, size_t n)
{
    fill(a, n, 7);
    for (size_t i = 0; i < n; i++) {
        if (i % 5 == 0) a[i] = fr_minus_one;
        if (i % 5 == 1) a[i] = largest();
        if (i % 7 == 3) a[i] = fr_zero;
        if (i % 11 == 4) a[i] = fr_one;
    }
}

static size_t reverse_bits(size_t i, unsigned n_bits)
{
    size_t r = 0;

    for (unsigned b = 0; b < n_bits; b++) r |= (i >> b & 1) << (n_bits - 1 - b);
    return r;
}

static void reverse_order(fr_t *a, unsigned lg_n)
{
    for (size_t i = 0; i < (size_t)1 << lg_n; i++) {
        const size_t j = reverse_bits(i, lg_n);
        const fr_t t = a[i];

        if (j <= i) continue;
        a[i] = a[j];
        a[j] = t;
    }
}

static void run_kind(const ntt_domain_t *domain, fr_t *a, kind_t kind, ntt_order order,
                     strand_t *strand)
{
    const ntt_kind_t how = {.inverse = kind == INVERSE || kind == INVERSE_COSET,
                            .order = order,
                            .coset = kind >= FORWARD_COSET ? &fr_generator : NULL};
    cuzk_error err;

    if (kind == FORWARD)
        assert_int_equal(ntt_forward(domain, a, order, strand, &err), CUZK_OK);
    else if (kind == INVERSE)
        assert_int_equal(ntt_inverse(domain, a, order, strand, &err), CUZK_OK);
    else
        assert_int_equal(
            ntt_transform(domain, &(ntt_vector_t){.elements = a}, &how, NULL, strand, &err),
            CUZK_OK);
}

/* The definition, natural order on both sides: b[i] = sum(a[j] x^j) at x = g w^i, or
 * b[i] = sum(a[j] w^(-ij)) / (n g^i). */
static void naive(fr_t *b, const fr_t *a, unsigned lg_n, kind_t kind)
{
    const size_t n = (size_t)1 << lg_n;
    const bool inverse = kind == INVERSE || kind == INVERSE_COSET;
    const bool coset = kind == FORWARD_COSET || kind == INVERSE_COSET;
    fr_t w, g = coset ? fr_generator : fr_one, scale = fr_one;
    fr_t point = fr_one, n_element, inverse_g;

    fr_root_of_unity(&w, lg_n);
    if (inverse) fr_inv(&w, &w);
    fr_from_u64(&n_element, n);
    fr_inv(&inverse_g, &g);
    if (inverse) fr_inv(&scale, &n_element);
    for (size_t i = 0; i < n; i++) {
        fr_t x = point, sum = fr_zero;

        if (!inverse) fr_mul(&x, &x, &g);
        for (size_t j = n; j-- > 0;) {
            fr_mul(&sum, &sum, &x);
            fr_add(&sum, &sum, &a[j]);
        }
        fr_mul(&b[i], &sum, &scale);
        if (inverse) fr_mul(&scale, &scale, &inverse_g);
        fr_mul(&point, &point, &w);
    }
}

static void assert_elements_equal(const fr_t *a, const fr_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!fr_equal(&a[i], &b[i])) fail_msg("element %zu of %zu differs", i, n);
}

static void check_against_naive(unsigned lg_n)
{
    const size_t n = (size_t)1 << lg_n;
    fr_t *input = new_elements(n), *a = new_elements(n), *expected = new_elements(n);
    ntt_domain_t *domain = open_domain(lg_n);

    fill_edges(input, n);
    for (kind_t kind = FORWARD; kind < N_KINDS; kind++) {
        naive(expected, input, lg_n, kind);
        for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
            memcpy(a, input, n * sizeof *a);
            if (orders[o] == NTT_REVERSED_TO_NATURAL) reverse_order(a, lg_n);
            run_kind(domain, a, kind, orders[o], NULL);
            if (orders[o] == NTT_NATURAL_TO_REVERSED) reverse_order(a, lg_n);
            assert_elements_equal(a, expected, n);
        }
    }
    ntt_domain_close(domain);
    free_elements(input, n);
    free_elements(a, n);
    free_elements(expected, n);
}

static void every_small_size_equals_the_definition(void **unused)
{
    (void)unused;
    for (unsigned lg_n = 0; lg_n <= LG_NAIVE; lg_n++) check_against_naive(lg_n);
}

/* Every kind in one order against the next order with the bits reversed by hand; then back. */
static void check_orders_and_way_back(unsigned lg_n)
{
    const size_t n = (size_t)1 << lg_n;
    fr_t *input = new_elements(n), *a = new_elements(n), *b = new_elements(n);
    ntt_domain_t *domain = open_domain(lg_n);

    fill_edges(input, n);
    for (kind_t kind = FORWARD; kind < N_KINDS; kind++) {
        const kind_t back = kind ^ 1;

        memcpy(a, input, n * sizeof *a);
        memcpy(b, input, n * sizeof *b);
        run_kind(domain, a, kind, NTT_NATURAL_TO_NATURAL, NULL);
        run_kind(domain, b, kind, NTT_NATURAL_TO_REVERSED, NULL);
        reverse_order(b, lg_n);
        assert_elements_equal(a, b, n);
        reverse_order(b, lg_n);
        run_kind(domain, b, back, NTT_REVERSED_TO_NATURAL, NULL);
        assert_elements_equal(b, input, n);
        run_kind(domain, a, back, NTT_NATURAL_TO_NATURAL, NULL);
        assert_elements_equal(a, input, n);
    }
    ntt_domain_close(domain);
    free_elements(input, n);
    free_elements(a, n);
    free_elements(b, n);
}

static void larger_sizes_go_there_and_back(void **unused)
{
    (void)unused;
    for (unsigned lg_n = LG_NAIVE + 1; lg_n <= LG_LARGE; lg_n++) check_orders_and_way_back(lg_n);
}

/* The index cut as told against the usual cut. */
static void check_cut(const unsigned lgs[], unsigned n_digits, strand_t *strand)
{
    const bool swaps = n_digits == 3 || lgs[0] >= lgs[1];
    unsigned lg_n = 0;
    cuzk_error err;

    for (unsigned i = 0; i < n_digits; i++) lg_n += lgs[i];
    const size_t n = (size_t)1 << lg_n;
    ntt_domain_t *usual = open_domain(lg_n), *cut;
    fr_t *input = new_elements(n), *a = new_elements(n), *b = new_elements(n);

    fill_edges(input, n);
    assert_int_equal(ntt_domain_open_digits(&cut, lgs, n_digits, &err), CUZK_OK);
    assert_int_equal(ntt_domain_size(cut), n);
    for (kind_t kind = FORWARD; kind < N_KINDS; kind++) {
        for (size_t o = swaps ? 0 : 1; o < sizeof orders / sizeof *orders; o++) {
            memcpy(a, input, n * sizeof *a);
            memcpy(b, input, n * sizeof *b);
            run_kind(usual, a, kind, orders[o], NULL);
            run_kind(cut, b, kind, orders[o], strand);
            assert_elements_equal(a, b, n);
        }
    }
    ntt_domain_close(usual);
    ntt_domain_close(cut);
    free_elements(input, n);
    free_elements(a, n);
    free_elements(b, n);
}

/* Every length of a tile as columns and as rows, two digits and three. */
static void the_cut_does_not_change_the_result(void **unused)
{
    cuzk_error err;
    strand_t *strand;

    (void)unused;
    assert_int_equal(strand_open(&strand, 2, &err), CUZK_OK);
    for (unsigned lg = 3; lg <= NTT_TILE_MAX_LG; lg++) {
        check_cut((const unsigned[]){lg, 3}, 2, NULL);
        check_cut((const unsigned[]){3, lg}, 2, strand);
        if (lg <= 9) check_cut((const unsigned[]){3, lg, 3}, 3, strand);
    }
    check_cut((const unsigned[]){4, 3, 4}, 3, NULL);
    check_cut((const unsigned[]){5, 4, 5}, 3, NULL);
    strand_close(strand);
}

/* Where lazy sums grow most: the largest limbs wherever bit `bit` of the index is 0, zeros or
 * anything elsewhere; each kernel against the portable one. */
static void check_growth(const unsigned lgs[2], unsigned bit, bool zeros)
{
    const size_t n = (size_t)1 << (lgs[0] + lgs[1]);
    const cpu_level level = cpu_level_used();
    cuzk_error err;
    ntt_domain_t *tested, *portable;
    fr_t *input = new_elements(n), *a = new_elements(n), *b = new_elements(n);

    if (!zeros) fill(input, n, 3);
    for (size_t i = 0; i < n; i++)
        if ((i >> bit & 1) == 0) input[i] = largest();
    assert_int_equal(ntt_domain_open_digits(&tested, lgs, 2, &err), CUZK_OK);
    cpu_level_force(CPU_PORTABLE);
    assert_int_equal(ntt_domain_open_digits(&portable, lgs, 2, &err), CUZK_OK);
    cpu_level_force(level);
    for (size_t o = 1; o < sizeof orders / sizeof *orders; o++) {
        memcpy(a, input, n * sizeof *a);
        memcpy(b, input, n * sizeof *b);
        run_kind(tested, a, FORWARD, orders[o], NULL);
        run_kind(portable, b, FORWARD, orders[o], NULL);
        assert_elements_equal(a, b, n);
    }
    ntt_domain_close(tested);
    ntt_domain_close(portable);
    free_elements(input, n);
    free_elements(a, n);
    free_elements(b, n);
}

static void sums_of_the_largest_elements_are_right(void **unused)
{
    (void)unused;
    for (unsigned lg = 3; lg <= NTT_TILE_MAX_LG; lg++) {
        for (unsigned bit = 0; bit <= lg + 3; bit++) { /* the last: the largest everywhere */
            check_growth((const unsigned[]){lg, 3}, bit, true);
            check_growth((const unsigned[]){3, lg}, bit, bit % 2 == 0);
        }
    }
}

/* One coefficient a[j] = c: the value at w^i is c w^(ij). */
static void a_monomial_gives_powers(void **unused)
{
    const unsigned lg_n = LG_LARGE - 1;
    const size_t n = (size_t)1 << lg_n, j = 12345;
    fr_t *a = new_elements(n), *powers = new_elements(n);
    ntt_domain_t *domain = open_domain(lg_n);
    fr_t step;

    (void)unused;
    a[j] = fr_generator;
    run_kind(domain, a, FORWARD, NTT_NATURAL_TO_NATURAL, NULL);
    fr_root_of_unity(&step, lg_n);
    fr_pow_u64(&step, &step, j);
    powers[0] = fr_generator;
    for (size_t i = 1; i < n; i++) fr_mul(&powers[i], &powers[i - 1], &step);
    assert_elements_equal(a, powers, n);
    ntt_domain_close(domain);
    free_elements(a, n);
    free_elements(powers, n);
}

static void check_threads(unsigned lg_n, uint32_t n_threads)
{
    const size_t n = (size_t)1 << lg_n;
    cuzk_error err;
    strand_t *strand;
    fr_t *a = new_elements(n), *b = new_elements(n);

    assert_int_equal(strand_open(&strand, n_threads, &err), CUZK_OK);
    ntt_domain_t *alone = open_domain(lg_n), *shared = open_domain(lg_n);
    for (kind_t kind = FORWARD; kind < N_KINDS; kind++) {
        for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
            fill_edges(a, n);
            memcpy(b, a, n * sizeof *b);
            run_kind(alone, a, kind, orders[o], NULL);
            run_kind(shared, b, kind, orders[o], strand);
            assert_elements_equal(a, b, n);
        }
    }
    ntt_domain_close(alone);
    ntt_domain_close(shared);
    strand_close(strand);
    free_elements(a, n);
    free_elements(b, n);
}

static void threads_do_not_change_the_result(void **unused)
{
    (void)unused;
    for (uint32_t n_threads = 1; n_threads <= 3; n_threads++)
        for (unsigned lg_n = 0; lg_n <= 13; lg_n += lg_n < 4 ? 4 : 3)
            check_threads(lg_n, n_threads);
}

/* What arkworks, blstrs and gnark-crypto agree on, natural order on both sides; also plain
 * Python integers up to 2^13. */
static void digests_are_those_of_other_libraries(void **unused)
{
    static const struct {
        unsigned lg_n;
        const char *digest;
    } known[] = {
        {0, "bb7848da67fd9ed6e9c62d067450a18fc10e0d14f74fd6955e0385818cc3aef4"},
        {1, "65e3df3817f7aef1e2533d074ecc7f63ee3b50e406cbcfc19be352d2d8c8ade0"},
        {2, "4637497122c022900bc555ceff74231718bdfa8586d1dc3f54ee72c8c92aab4a"},
        {5, "3c65839dff4aa9d3718945525baf53c994e7b2d57d8b43c11ff26e27f4ac3474"},
        {6, "ac34260697135805d5c71ceadf2ba31bf961b956b89861242bdcbea0750dfe4c"},
        {8, "7d5ba4fe536526c590f25a8fc86fe114319466c29123026a4628f4fabb396110"},
        {10, "f5a544605a1b7ce73d9babda3769ad679935aef125b615e1402aa0c29814ce55"},
        {11, "f5a16290fdd0992001a1ed0087e950eca4cebbcbc40056b0aa8cf922e5dce819"},
        {13, "b2d9a4a5bc2685ae99188be3a7584950daa1618bd5a928ff6b9008824e6968f5"},
        {18, "1047421336bee2319b8e4a4e5cc64b7f3a9fbb405fc6c2ed2b808d300703ee16"},
    };

    (void)unused;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const size_t n = (size_t)1 << known[k].lg_n;
        fr_t *a = new_elements(n);
        ntt_domain_t *domain = open_domain(known[k].lg_n);
        uint8_t digest[SHA256_DIGEST_LENGTH];
        char text[2 * SHA256_DIGEST_LENGTH + 1];

        fill(a, n, 0);
        run_kind(domain, a, FORWARD, NTT_NATURAL_TO_NATURAL, NULL);
        for (size_t i = 0; i < n; i++) {
            uint8_t bytes[FR_BYTES];

            fr_to_bytes(bytes, &a[i]);
            memcpy(&a[i], bytes, FR_BYTES);
        }
        SHA256((const uint8_t *)a, n * FR_BYTES, digest);
        bytes_to_hex(text, digest, sizeof digest);
        assert_string_equal(text, known[k].digest);
        ntt_domain_close(domain);
        free_elements(a, n);
    }
}

static void sizes_over_the_two_adicity_are_refused(void **unused)
{
    cuzk_error err;
    ntt_domain_t *domain = NULL;

    (void)unused;
    assert_int_equal(ntt_domain_open(&domain, NTT_MAX_LG + 1, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "lg_n: 33"));
    assert_non_null(strstr(err.text, "32"));
    assert_null(domain);
    assert_int_equal(ntt_domain_open(&domain, UINT32_MAX, &err), CUZK_ERR_ARG);
    ntt_domain_close(NULL);
}

/* A test with the kernels of each level this machine has. */
#define CASE(test, level)                                                                          \
    {                                                                                              \
#test " (" #level ")", test, use_##level, use_best, NULL                                   \
    }

static int use_portable(void **unused)
{
    (void)unused;
    cpu_level_force(CPU_PORTABLE);
    return 0;
}

static int use_best(void **unused)
{
    (void)unused;
    cpu_level_force(cpu_level_available());
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(every_small_size_equals_the_definition, portable),
        CASE(every_small_size_equals_the_definition, best),
        CASE(larger_sizes_go_there_and_back, portable),
        CASE(larger_sizes_go_there_and_back, best),
        CASE(the_cut_does_not_change_the_result, portable),
        CASE(the_cut_does_not_change_the_result, best),
        CASE(sums_of_the_largest_elements_are_right, best),
        CASE(a_monomial_gives_powers, portable),
        CASE(a_monomial_gives_powers, best),
        CASE(threads_do_not_change_the_result, portable),
        CASE(threads_do_not_change_the_result, best),
        CASE(digests_are_those_of_other_libraries, portable),
        CASE(digests_are_those_of_other_libraries, best),
        CASE(sizes_over_the_two_adicity_are_refused, best),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
