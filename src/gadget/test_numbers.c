/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gadget/packing.h"
#include "gadget/test_recorder.h"

/* Six booleans: each kind with each value. */
enum { FORMS = 6 };

static boolean_t make(cs_t *cs, unsigned form)
{
    const bool value = form & 1;

    if (form / 2 == BOOLEAN_CONSTANT) return boolean_constant(value);
    if (form / 2 == BOOLEAN_IS) return boolean_alloc(cs, value);
    return boolean_not(boolean_alloc(cs, !value));
}

static bool is_constant(unsigned form)
{
    return form / 2 == BOOLEAN_CONSTANT;
}

/* The value of a boolean by its variable. */
static bool in_witness(recorder_t *r, boolean_t a)
{
    const arena_mark_t mark = arena_mark(&r->cs.arena);
    lc_t lc = {0};
    fr_t value;

    boolean_add_to(&r->cs.arena, &lc, a, &fr_minus_one);
    recorder_eval(&value, r, &lc);
    arena_rewind(&r->cs.arena, mark);
    assert_true(fr_is_zero(&value) || fr_equal(&value, &fr_minus_one));
    return !fr_is_zero(&value);
}

/* The result is right in both senses, all holds, and of the variables added since the operands none
 * can change alone. */
static void check(recorder_t *r, uint32_t first_aux, boolean_t got, bool want)
{
    assert_int_equal(got.value, want);
    assert_int_equal(in_witness(r, got), want);
    assert_int_equal(recorder_violated(r), 0);
    assert_int_equal(recorder_free_variables(r, first_aux), 0);
}

static void operations_of_two_follow_their_truth_tables(void **unused)
{
    (void)unused;
    for (unsigned forms = 0; forms < FORMS * FORMS; forms++) {
        const unsigned fa = forms % FORMS;
        const unsigned fb = forms / FORMS;
        const unsigned added = !is_constant(fa) && !is_constant(fb);

        for (unsigned operation = 0; operation < 2; operation++) {
            recorder_t r;

            recorder_init(&r);
            const boolean_t a = make(&r.cs, fa);
            const boolean_t b = make(&r.cs, fb);
            const uint64_t before = r.cs.n_constraints;
            const uint32_t first_aux = r.cs.n_aux;
            const boolean_t result = (operation == 0 ? boolean_and : boolean_xor)(&r.cs, a, b);

            check(&r, first_aux, result, operation == 0 ? a.value && b.value : a.value != b.value);
            assert_int_equal(r.cs.n_constraints - before, added);
            recorder_clear(&r);
        }
    }
}

/* How many constraints choosing adds: none where the result is a constant or an operand. */
static uint64_t ch_cost(const unsigned form[3])
{
    const bool a = is_constant(form[0]);
    const bool b = is_constant(form[1]);
    const bool c = is_constant(form[2]);

    if (a && form[0] % 2 == 0) return 0;
    if (a) return !b && !c;
    return !(b && c);
}

static uint64_t maj_cost(const unsigned form[3])
{
    const int n = is_constant(form[0]) + is_constant(form[1]) + is_constant(form[2]);

    return n == 0 ? 2 : n == 1;
}

static void operations_of_three_follow_their_truth_tables(void **unused)
{
    (void)unused;
    for (unsigned forms = 0; forms < FORMS * FORMS * FORMS; forms++) {
        const unsigned form[3] = {forms % FORMS, forms / FORMS % FORMS, forms / FORMS / FORMS};

        for (unsigned operation = 0; operation < 2; operation++) {
            recorder_t r;

            recorder_init(&r);
            const boolean_t a = make(&r.cs, form[0]);
            const boolean_t b = make(&r.cs, form[1]);
            const boolean_t c = make(&r.cs, form[2]);
            const uint64_t before = r.cs.n_constraints;
            const uint32_t first_aux = r.cs.n_aux;
            const boolean_t result = (operation == 0 ? boolean_ch : boolean_maj)(&r.cs, a, b, c);

            check(&r, first_aux, result,
                  operation == 0 ? (a.value ? b.value : c.value)
                                 : a.value + b.value + c.value >= 2);
            assert_int_equal(r.cs.n_constraints - before,
                             operation == 0 ? ch_cost(form) : maj_cost(form));
            recorder_clear(&r);
        }
    }
}

static num_t make_num(cs_t *cs, uint64_t power)
{
    fr_t value;

    fr_pow_u64(&value, &fr_generator, power);
    return num_alloc(cs, &value);
}

static void check_num(recorder_t *r, const num_t *got, const fr_t *want)
{
    assert_true(fr_equal(&got->value, want));
    assert_true(fr_equal(recorder_value(r, got->var), want));
}

static void numbers_compute(void **unused)
{
    recorder_t r;
    fr_t want;

    (void)unused;
    recorder_init(&r);
    const num_t a = make_num(&r.cs, 100);
    const num_t b = make_num(&r.cs, 101);
    const num_t product = num_mul(&r.cs, &a, &b);
    const num_t square = num_mul(&r.cs, &a, &a);
    const num_t sum = num_add(&r.cs, &a, &b);
    const num_t twice = num_add(&r.cs, &a, &a);

    fr_mul(&want, &a.value, &b.value);
    check_num(&r, &product, &want);
    fr_sqr(&want, &a.value);
    check_num(&r, &square, &want);
    fr_add(&want, &a.value, &b.value);
    check_num(&r, &sum, &want);
    fr_add(&want, &a.value, &a.value);
    check_num(&r, &twice, &want);
    assert_int_equal(r.cs.n_constraints, 4);
    num_inputize(&r.cs, &product);
    assert_int_equal(r.cs.n_inputs, 2);
    assert_true(fr_equal(&r.inputs[1], &product.value));
    assert_int_equal(recorder_violated(&r), 0);
    assert_int_equal(recorder_free_variables(&r, 0), 0);
    num_enforce_equal(&r.cs, &a, &a);
    assert_int_equal(recorder_violated(&r), 0);
    num_enforce_equal(&r.cs, &a, &b);
    assert_int_equal(recorder_violated(&r), 1);
    recorder_clear(&r);
}

static void pick_takes_one_of_two(void **unused)
{
    (void)unused;
    for (unsigned form = 0; form < FORMS; form++) {
        recorder_t r;

        recorder_init(&r);
        const boolean_t condition = make(&r.cs, form);
        const num_t a = make_num(&r.cs, 100);
        const num_t b = make_num(&r.cs, 101);
        const num_t picked = num_pick(&r.cs, condition, &a, &b);
        const fr_t kept = *recorder_value(&r, picked.var);

        check_num(&r, &picked, condition.value ? &a.value : &b.value);
        assert_int_equal(recorder_violated(&r), 0);
        *recorder_value(&r, picked.var) = condition.value ? b.value : a.value;
        assert_int_equal(recorder_violated(&r), 1);
        *recorder_value(&r, picked.var) = kept;
        recorder_clear(&r);
    }
}

static void numbers_unpack_to_their_bits(void **unused)
{
    static const int64_t values[] = {0, 1, -1, 2, 0x123456789abcdef, -0x123456789abcdef};

    (void)unused;
    for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
        boolean_t bits[FR_BITS];
        recorder_t r;
        scalar_t s;
        fr_t value;

        recorder_init(&r);
        fr_from_u64(&value, (uint64_t)(values[v] < 0 ? -values[v] : values[v]));
        if (values[v] < 0) fr_neg(&value, &value);
        fr_to_scalar(&s, &value);
        const num_t a = num_alloc(&r.cs, &value);
        num_to_bits(&r.cs, bits, &a);
        for (unsigned i = 0; i < FR_BITS; i++) {
            assert_int_equal(bits[i].kind, BOOLEAN_IS);
            assert_int_equal(bits[i].value, scalar_bit(&s, i));
            assert_int_equal(in_witness(&r, bits[i]), scalar_bit(&s, i));
        }
        assert_int_equal(r.cs.n_constraints, FR_BITS + 1);
        assert_int_equal(recorder_violated(&r), 0);
        assert_int_equal(recorder_free_variables(&r, 0), 0);
        recorder_clear(&r);
    }
}

/* The integer of a chunk of bits, by doubling from the top. */
static void integer_of(fr_t *r, const boolean_t *bits, size_t n)
{
    *r = fr_zero;
    while (n-- > 0) {
        fr_add(r, r, r);
        if (bits[n].value) fr_add(r, r, &fr_one);
    }
}

static void bits_pack_into_numbers(void **unused)
{
    static const size_t counts[] = {1, 2, 63, 64, 65, PACKING_CAPACITY};

    (void)unused;
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        boolean_t bits[PACKING_CAPACITY];
        recorder_t r;
        fr_t want;

        recorder_init(&r);
        for (size_t i = 0; i < counts[k]; i++)
            bits[i] = make(&r.cs, (unsigned)(i * i + i / 3 + 5) % FORMS);
        const num_t packed = packing_num(&r.cs, bits, counts[k]);
        integer_of(&want, bits, counts[k]);
        check_num(&r, &packed, &want);
        packing_enforce(&r.cs, bits, counts[k], &packed);
        assert_int_equal(recorder_violated(&r), 0);
        assert_int_equal(recorder_free_variables(&r, 0), 0);
        recorder_clear(&r);
    }
}

static void bits_pack_into_public_inputs(void **unused)
{
    static const size_t counts[] = {0, 1, 253, 254, 255, 508, 600};

    (void)unused;
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        const size_t n = counts[k];
        boolean_t bits[600];
        recorder_t r;

        recorder_init(&r);
        for (size_t i = 0; i < n; i++) bits[i] = boolean_alloc(&r.cs, i % 3 != 1);
        packing_inputs(&r.cs, bits, n);
        assert_int_equal(r.cs.n_inputs, 1 + (n + PACKING_CAPACITY - 1) / PACKING_CAPACITY);
        for (size_t i = 0; i * PACKING_CAPACITY < n; i++) {
            const size_t from = i * PACKING_CAPACITY;
            fr_t want;

            integer_of(&want, bits + from,
                       n - from < PACKING_CAPACITY ? n - from : PACKING_CAPACITY);
            assert_true(fr_equal(&r.inputs[1 + i], &want));
        }
        assert_int_equal(recorder_violated(&r), 0);
        recorder_clear(&r);
    }
}

static void bytes_swap(void **unused)
{
    boolean_t bits[19];
    boolean_t out[24];
    boolean_t back[24];

    (void)unused;
    for (uint32_t i = 0; i < 19; i++) bits[i] = boolean_is(VAR_AUX | i, i % 2);
    packing_swap_bytes(out, bits, 19);
    for (unsigned i = 0; i < 16; i++) assert_int_equal(out[i].var, bits[i ^ 7].var);
    for (unsigned i = 16; i < 21; i++) {
        assert_int_equal(out[i].kind, BOOLEAN_CONSTANT);
        assert_false(out[i].value);
    }
    for (unsigned i = 21; i < 24; i++) assert_int_equal(out[i].var, bits[i ^ 7].var);
    packing_swap_bytes(back, out, 24);
    for (unsigned i = 0; i < 19; i++) assert_int_equal(back[i].var, bits[i].var);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_of_two_follow_their_truth_tables),
        cmocka_unit_test(operations_of_three_follow_their_truth_tables),
        cmocka_unit_test(numbers_compute),
        cmocka_unit_test(pick_takes_one_of_two),
        cmocka_unit_test(numbers_unpack_to_their_bits),
        cmocka_unit_test(bits_pack_into_numbers),
        cmocka_unit_test(bits_pack_into_public_inputs),
        cmocka_unit_test(bytes_swap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
