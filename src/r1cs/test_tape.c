/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/cpu.h"
#include "r1cs/tape.h"

enum { N = 4000, ROWS = 300 };

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 11;
}

/* A run over a tape with room for N variables and ROWS constraints. */
typedef struct {
    cs_t cs;
    tape_t tape;
    witness_t w;
    fr_t a[ROWS], b[ROWS], c[ROWS];
} tape_run_t;

static void open_run(tape_run_t *r)
{
    cuzk_error err;

    memset(r, 0, sizeof *r);
    assert_int_equal(witness_open(&r->w, 1, N, N, &err), CUZK_OK);
    r->cs.tape = &r->tape;
    r->tape = (tape_t){.a = r->a,
                       .b = r->b,
                       .c = r->c,
                       .w = &r->w,
                       .end_inputs = 1,
                       .end_aux = N,
                       .end_elements = N,
                       .end_constraints = ROWS};
    tape_begin(&r->tape, &r->cs, 0);
}

/* Puts the same random variables on a tape, in pieces of up to 64 bits and 70 elements, and in a
 * witness of its own, one by one. At each place of cuts the tape is changed for another. */
static void write_variables(tape_run_t *r, witness_t *plain, unsigned every)
{
    uint64_t state = every;
    unsigned pieces = 0;

    while (r->cs.n_aux < N - 70) {
        const unsigned n = 1 + (unsigned)(next_random(&state) % 64);

        if (next_random(&state) % 3 != 0) {
            const uint64_t bits = next_random(&state) << 11 ^ next_random(&state);

            tape_bits(&r->cs, bits, n);
            for (unsigned i = 0; i < n; i++) witness_add_bit(plain, bits >> i & 1);
        } else if (n % 2 == 0) {
            fr_t *values = tape_elements(&r->cs, n);

            for (unsigned i = 0; i < n; i++) {
                fr_from_u64(&values[i], next_random(&state));
                witness_add_element(plain, &values[i]);
            }
        } else {
            fr_t value;

            fr_from_u64(&value, next_random(&state));
            const uint32_t at = r->cs.n_aux;
            assert_int_equal(tape_element(&r->cs, &value), VAR_AUX | at);
            witness_add_element(plain, &value);
        }
        if (every > 0 && ++pieces % every == 0) {
            const uint32_t n_elements = r->tape.n_elements;

            tape_end(&r->tape, &r->cs);
            tape_begin(&r->tape, &r->cs, n_elements);
        }
        const var_t last = VAR_AUX | (r->cs.n_aux - 1);
        if (r->cs.n_aux > r->tape.begin_aux)
            assert_true(fr_equal(tape_value(&r->cs, last), witness_value(plain, last)));
    }
    tape_end(&r->tape, &r->cs);
}

static void a_tape_writes_what_a_witness_would_hold(void **unused)
{
    static tape_run_t r;

    (void)unused;
    for (unsigned every = 0; every < 20; every++) {
        witness_t plain;
        cuzk_error err;

        open_run(&r);
        assert_int_equal(witness_open(&plain, 1, 0, 0, &err), CUZK_OK);
        write_variables(&r, &plain, every);
        const size_t words = ((size_t)plain.n_aux + 63) / 64;
        assert_int_equal(r.cs.n_aux, plain.n_aux);
        assert_int_equal(r.tape.n_elements, plain.n_elements);
        assert_memory_equal(r.w.bits, plain.bits, words * sizeof *plain.bits);
        assert_memory_equal(r.w.is_bit, plain.is_bit, words * sizeof *plain.is_bit);
        assert_memory_equal(r.w.rank, plain.rank, words * sizeof *plain.rank);
        assert_memory_equal(r.w.elements, plain.elements, plain.n_elements * sizeof(fr_t));
        witness_clear(&plain);
        witness_clear(&r.w);
    }
}

static void values_are_found_on_the_way(void **unused)
{
    static tape_run_t r;
    uint64_t state = 3;
    witness_t plain;
    cuzk_error err;

    (void)unused;
    open_run(&r);
    assert_int_equal(witness_open(&plain, 1, 0, 0, &err), CUZK_OK);
    tape_bits(&r.cs, 5, 3); /* another tape's */
    tape_end(&r.tape, &r.cs);
    for (unsigned i = 0; i < 3; i++) witness_add_bit(&plain, 5 >> i & 1);
    tape_begin(&r.tape, &r.cs, 0);
    while (r.cs.n_aux < 1000) {
        fr_t value;

        fr_from_u64(&value, 2 + next_random(&state));
        (void)tape_element(&r.cs, &value);
        witness_add_element(&plain, &value);
        for (unsigned n = (unsigned)(next_random(&state) % 40); n > 0; n--) {
            tape_bits(&r.cs, n & 1, 1);
            witness_add_bit(&plain, n & 1);
        }
        for (uint32_t i = 3; i < r.cs.n_aux; i++)
            assert_true(fr_equal(tape_value(&r.cs, VAR_AUX | i), witness_aux(&plain, i)));
    }
    assert_true(fr_is_one(tape_value(&r.cs, VAR_ONE)));
    witness_clear(&plain);
    witness_clear(&r.w);
}

static void small_values_are_written(void **unused)
{
    static tape_run_t r;
    uint64_t state = 9;

    (void)unused;
    for (cpu_level level = CPU_PORTABLE; level <= cpu_level_available(); level++) {
        cpu_level_force(level);
        for (unsigned n = 0; n <= 64; n++) {
            const small_values_t v[3] = {{next_random(&state) << 11, next_random(&state) << 7},
                                         {next_random(&state) << 11, 0},
                                         {0, next_random(&state) << 11}};

            open_run(&r);
            r.tape.end_constraints = n + 1;
            tape_row(&r.cs, &fr_one, &fr_zero, &fr_minus_one);
            tape_small_rows(&r.cs, n, v[0], v[1], v[2]);
            assert_int_equal(r.cs.n_constraints, n + 1);
            assert_true(fr_is_one(&r.a[0]) && fr_is_zero(&r.b[0]));
            for (unsigned i = 0; i < n; i++) {
                const fr_t *const rows[3] = {&r.a[i + 1], &r.b[i + 1], &r.c[i + 1]};

                for (int k = 0; k < 3; k++) {
                    const unsigned code = (unsigned)((v[k].lo >> i & 1) + 2 * (v[k].hi >> i & 1));
                    fr_t want = fr_minus_one;

                    if (code < 3) fr_from_u64(&want, code);
                    assert_true(fr_equal(rows[k], &want));
                }
            }
            assert_true(fr_is_zero(&r.a[n + 1]) && fr_is_zero(&r.c[n + 1]));
            witness_clear(&r.w);
        }
    }
}

/* Whether an action on a run that is full ends the run, before anything is written. */
static bool overruns(circuit_fn action)
{
    static tape_run_t r;

    open_run(&r);
    r.tape.end_aux = 10;
    r.tape.end_elements = 0;
    r.tape.end_constraints = 10;
    const bool returned = cs_run(&r.cs, action, NULL);
    assert_int_equal(returned, !r.tape.overrun);
    assert_int_equal(r.tape.n_elements, 0);
    assert_true(fr_is_zero(&r.a[10]) && fr_is_zero(&r.b[10]) && fr_is_zero(&r.c[10]));
    witness_clear(&r.w);
    return r.tape.overrun;
}

static void put_bits(cs_t *cs, const void *unused)
{
    (void)unused;
    tape_bits(cs, 0, 11);
}
static void put_element(cs_t *cs, const void *unused)
{
    (void)unused;
    (void)tape_element(cs, &fr_one);
}
static void put_elements(cs_t *cs, const void *unused)
{
    (void)unused;
    (void)tape_elements(cs, 1);
}
static void put_rows(cs_t *cs, const void *unused)
{
    const small_values_t none = {0, 0};

    (void)unused;
    tape_small_rows(cs, 11, none, none, none);
}
static void put_row(cs_t *cs, const void *unused)
{
    (void)unused;
    cs->n_constraints = 10;
    tape_row(cs, &fr_one, &fr_one, &fr_one);
}
static void fits(cs_t *cs, const void *unused)
{
    (void)unused;
    tape_bits(cs, 0, 10);
}

static void a_tape_is_not_left(void **unused)
{
    (void)unused;
    assert_true(overruns(put_bits));
    assert_true(overruns(put_element));
    assert_true(overruns(put_elements));
    assert_true(overruns(put_rows));
    assert_true(overruns(put_row));
    assert_false(overruns(fits));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tape_writes_what_a_witness_would_hold),
        cmocka_unit_test(values_are_found_on_the_way),
        cmocka_unit_test(small_values_are_written),
        cmocka_unit_test(a_tape_is_not_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
