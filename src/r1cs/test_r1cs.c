/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "r1cs/density.h"
#include "r1cs/witness.h"

enum { VARS = 12 };

static arena_t arena;

static int open_arena(void **unused)
{
    cuzk_error err;

    (void)unused;
    assert_int_equal(arena_open(&arena, (size_t)1 << 26, "test", &err), CUZK_OK);
    return 0;
}

static int close_arena(void **unused)
{
    (void)unused;
    arena_close(&arena);
    return 0;
}

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static var_t var_at(unsigned i)
{
    return i < VARS / 2 ? i : VAR_AUX | (i - VARS / 2);
}

static void signed_to_fr(fr_t *r, int64_t v)
{
    fr_from_u64(r, (uint64_t)(v < 0 ? -v : v));
    if (v < 0) fr_neg(r, r);
}

/* The combination is in order and stands for the dense vector. */
static void check(const lc_t *lc, const int64_t dense[VARS])
{
    const lc_term_t *terms = lc_terms(lc);

    for (uint32_t i = 1; i < lc->n; i++) assert_true(terms[i - 1].var < terms[i].var);
    for (unsigned i = 0; i < VARS; i++) {
        fr_t want;
        const fr_t *got = &fr_zero;

        signed_to_fr(&want, dense[i]);
        for (uint32_t j = 0; j < lc->n; j++)
            if (terms[j].var == var_at(i)) got = &terms[j].coeff;
        assert_true(fr_equal(&want, got));
    }
}

static void combinations_add_as_dense_vectors_do(void **unused)
{
    uint64_t state = 1;

    (void)unused;
    for (int round = 0; round < 5000; round++) {
        const arena_mark_t mark = arena_mark(&arena);
        int64_t dense[VARS] = {0};
        lc_t lc = lc_empty();

        if (round % 3 == 0) lc_reserve(&arena, &lc, (uint32_t)(next_random(&state) % VARS));
        for (uint64_t n = next_random(&state) % 20; n > 0; n--) {
            const unsigned i = (unsigned)(next_random(&state) % VARS);
            const int64_t v = (int64_t)(next_random(&state) % 7) - 3;
            fr_t coeff;

            signed_to_fr(&coeff, v);
            lc_add_term(&arena, &lc, var_at(i), &coeff);
            dense[i] += v;
        }
        check(&lc, dense);
        lc_add_var(&arena, &lc, var_at(1));
        lc_sub_var(&arena, &lc, var_at(7));
        dense[1]++;
        dense[7]--;
        check(&lc, dense);
        arena_rewind(&arena, mark);
    }
}

/* A moved combination has its terms with it, in whichever place they lie. */
static void combinations_can_be_moved(void **unused)
{
    (void)unused;
    for (unsigned n = 0; n < VARS; n++) {
        int64_t dense[VARS] = {0};
        lc_t from = lc_empty();

        for (unsigned i = 0; i < n; i++) {
            lc_add_var(&arena, &from, var_at(i));
            dense[i] = 1;
        }
        const lc_t to = from;
        memset(&from, 0xff, sizeof from);
        check(&to, dense);
    }
}

static void a_witness_returns_what_was_put_in(void **unused)
{
    enum { N = 5000 };
    static fr_t values[N];
    uint64_t state = 7;
    cuzk_error err;
    witness_t w;

    (void)unused;
    for (int reserve = 0; reserve < 2; reserve++) {
        const cuzk_status st =
            reserve ? witness_open(&w, 3, N, N, &err) : witness_open(&w, 1, 0, 0, &err);
        assert_int_equal(st, CUZK_OK);
        for (uint32_t i = 0; i < N; i++) {
            if (next_random(&state) % 4 != 0) {
                const bool bit = next_random(&state) & 1;

                values[i] = bit ? fr_one : fr_zero;
                witness_add_bit(&w, bit);
            } else {
                fr_from_u64(&values[i], next_random(&state));
                witness_add_element(&w, &values[i]);
            }
        }
        assert_int_equal(w.n_aux, N);
        for (uint32_t i = 0; i < N; i++)
            assert_true(fr_equal(witness_value(&w, VAR_AUX | i), &values[i]));
        assert_true(fr_is_one(witness_value(&w, VAR_ONE)));
        witness_clear(&w);
    }
}

static void a_combination_evaluates_to_its_sum(void **unused)
{
    fr_t five, got, want;
    lc_t lc = lc_empty();
    cuzk_error err;
    witness_t w;

    (void)unused;
    assert_int_equal(witness_open(&w, 1, 0, 0, &err), CUZK_OK);
    fr_from_u64(&five, 5);
    witness_add_input(&w, &five);
    witness_add_bit(&w, true);
    witness_add_bit(&w, false);
    witness_add_element(&w, &five);
    lc_add_term(&arena, &lc, VAR_ONE, &five);     /* 5 */
    lc_add_var(&arena, &lc, 1);                   /* 5 */
    lc_add_term(&arena, &lc, VAR_AUX | 0, &five); /* 5 */
    lc_add_term(&arena, &lc, VAR_AUX | 1, &five); /* 0 */
    lc_add_term(&arena, &lc, VAR_AUX | 2, &five); /* 25 */
    witness_eval(&got, &w, &lc);
    fr_from_u64(&want, 40);
    assert_true(fr_equal(&got, &want));
    witness_clear(&w);
}

static void densities_count_variables_with_non_zero_coefficients(void **unused)
{
    densities_t d = {0};
    lc_t a = lc_empty(), b = lc_empty();

    (void)unused;
    lc_add_var(&arena, &a, VAR_AUX | 100000);
    lc_add_var(&arena, &a, 1);
    lc_add_var(&arena, &a, VAR_AUX | 3);
    lc_sub_var(&arena, &a, VAR_AUX | 3);
    lc_add_var(&arena, &b, VAR_ONE);
    lc_add_var(&arena, &b, VAR_AUX | 64);
    densities_add(&d, &a, &b);
    densities_add(&d, &a, &b);
    assert_int_equal(density_total(&d.a_aux), 1);
    assert_int_equal(density_total(&d.b_aux), 1);
    assert_int_equal(density_total(&d.b_input), 1);
    assert_true(density_get(&d.a_aux, 100000));
    assert_false(density_get(&d.a_aux, 3));
    assert_false(density_get(&d.a_aux, 10000000));
    assert_true(density_get(&d.b_aux, 64));
    assert_true(density_get(&d.b_input, 0));
    densities_clear(&d);
}

/* What is reserved is what is said to be, and no more is taken while it lasts. */
static void a_witness_takes_what_it_says(void **unused)
{
    cuzk_error err;
    witness_t w;

    (void)unused;
    assert_int_equal(witness_open(&w, 3, 1000, 70, &err), CUZK_OK);
    assert_int_equal(witness_bytes(3, 1000, 70), (3 + 70) * 32 + 16 * 20);
    const witness_t before = w;
    for (int i = 0; i < 1000; i++)
        assert_true(i < 70 ? witness_add_element(&w, &fr_one) : witness_add_bit(&w, i & 1));
    assert_true(witness_add_input(&w, &fr_one) && witness_add_input(&w, &fr_zero));
    assert_ptr_equal(w.elements, before.elements);
    assert_ptr_equal(w.bits, before.bits);
    assert_ptr_equal(w.inputs, before.inputs);
    witness_clear(&w);
}

static void densities_are_trimmed(void **unused)
{
    density_t d = {0};

    (void)unused;
    assert_true(density_reserve(&d, 5000) && density_set(&d, 129));
    density_trim(&d, 130);
    assert_int_equal(d.n_words, 3);
    assert_true(density_get(&d, 129));
    assert_int_equal(density_total(&d), 1);
    density_trim(&d, 0);
    assert_null(d.words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(combinations_add_as_dense_vectors_do),
        cmocka_unit_test(combinations_can_be_moved),
        cmocka_unit_test(a_witness_returns_what_was_put_in),
        cmocka_unit_test(a_combination_evaluates_to_its_sum),
        cmocka_unit_test(a_witness_takes_what_it_says),
        cmocka_unit_test(densities_are_trimmed),
        cmocka_unit_test(densities_count_variables_with_non_zero_coefficients),
    };
    return cmocka_run_group_tests(tests, open_arena, close_arena);
}
