/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "synthesis/owned.h"
#include "synthesis/qap.h"
#include "synthesis/shape.h"
#include "synthesis/toy_circuits.h"

static const toy_t base_toy = {.seed = 11,
                               .n_public = 5,
                               .n_bits = 70,
                               .n_chain = 80,
                               .n_pad = 3,
                               .one_in_b = true,
                               .v_in_b = true,
                               .change = TOY_NO_CHANGE};

/* An independent recording of a circuit: bytes of each constraint and value, kept. */
typedef struct {
    cs_t cs;
    uint8_t *rows; /* the digest's bytes of all constraints */
    size_t n, capacity;
    size_t ends[4096]; /* ends[i]: bytes up to the end of constraint i */
    fr_t inputs[64];
    fr_t aux[4096];
    fr_t a[4096], b[4096], c[4096];
} recording_t;

static void put(recording_t *r, const void *bytes, size_t n)
{
    if (r->n + n > r->capacity) {
        r->capacity = 2 * (r->n + n);
        r->rows = realloc(r->rows, r->capacity);
        assert_non_null(r->rows);
    }
    memcpy(r->rows + r->n, bytes, n);
    r->n += n;
}

static void record_alloc(cs_t *cs, const fr_t *value)
{
    ((recording_t *)cs)->aux[cs->n_aux] = *value;
}

static void record_alloc_bit(cs_t *cs, bool value)
{
    ((recording_t *)cs)->aux[cs->n_aux] = value ? fr_one : fr_zero;
}

static void record_alloc_input(cs_t *cs, const fr_t *value)
{
    ((recording_t *)cs)->inputs[cs->n_inputs] = *value;
}

static void record_lc(recording_t *r, const lc_t *lc, fr_t *value)
{
    const size_t count_at = r->n;
    uint32_t n = 0;

    *value = fr_zero;
    put(r, &n, 4);
    for (uint32_t i = 0; i < lc->n; i++) {
        const var_t var = lc_terms(lc)[i].var;
        uint8_t bytes[FR_BYTES];
        fr_t product;

        if (fr_is_zero(&lc_terms(lc)[i].coeff)) continue;
        n++;
        put(r, &var, 4);
        fr_to_bytes(bytes, &lc_terms(lc)[i].coeff);
        put(r, bytes, FR_BYTES);
        fr_mul(&product, &lc_terms(lc)[i].coeff,
               var & VAR_AUX ? &r->aux[var & ~VAR_AUX] : &r->inputs[var]);
        fr_add(value, value, &product);
    }
    memcpy(r->rows + count_at, &n, 4);
}

static void record_enforce(cs_t *cs, const lc_t *a, const lc_t *b, const lc_t *c)
{
    recording_t *r = (recording_t *)cs;
    const uint64_t i = cs->n_constraints;

    record_lc(r, a, &r->a[i]);
    record_lc(r, b, &r->b[i]);
    record_lc(r, c, &r->c[i]);
    r->ends[i] = r->n;
}

static const cs_ops_t record_ops = {.alloc = record_alloc,
                                    .alloc_bit = record_alloc_bit,
                                    .alloc_input = record_alloc_input,
                                    .enforce = record_enforce};

static recording_t *record(circuit_fn circuit, const void *values)
{
    recording_t *r = calloc(1, sizeof *r);

    assert_non_null(r);
    r->cs = (cs_t){.ops = &record_ops, .has_values = true, .n_inputs = 1};
    r->inputs[0] = fr_one;
    assert_int_equal(arena_open(&r->cs.arena, CS_ARENA_BYTES, "test", &(cuzk_error){0}), CUZK_OK);
    circuit(&r->cs, values);
    arena_close(&r->cs.arena);
    return r;
}

static void record_free(recording_t *r)
{
    free(r->rows);
    free(r);
}

static void test_counts(void **state)
{
    (void)state;
    const struct {
        uint64_t constraints;
        uint32_t inputs;
        unsigned lg;
    } rows[] = {{0, 1, 0},           {1, 1, 1}, {0, 3, 2}, {3, 1, 2},
                {4, 1, 3},           {4, 4, 3}, {5, 4, 4}, {(uint64_t)1 << 31, 1, 32},
                {130278541, 328, 27}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const circuit_counts_t counts = {.n_constraints = rows[i].constraints,
                                         .n_inputs = rows[i].inputs};
        assert_int_equal(circuit_lg_domain(&counts), rows[i].lg);
    }
}

static void expect_digest(const shape_digest_t *digest, const uint8_t *bytes, const size_t *ends,
                          size_t n_items, uint32_t block)
{
    uint8_t sha[SHA256_BYTES];
    size_t first = 0;

    sha256(sha, bytes, n_items == 0 ? 0 : ends[n_items - 1]);
    assert_memory_equal(digest->all, sha, sizeof sha);
    assert_int_equal(digest->n_blocks, (n_items + block - 1) / block);
    for (size_t i = 0; i < digest->n_blocks; i++) {
        const size_t last = (i + 1) * block < n_items ? (i + 1) * block : n_items;

        sha256(sha, bytes + first, ends[last - 1] - first);
        assert_memory_equal(digest->blocks[i], sha, SHAPE_BLOCK_BYTES);
        first = ends[last - 1];
    }
}

static void expect_shape(const toy_t *toy, uint32_t block)
{
    recording_t *r = record(toy_circuit, toy);
    uint8_t *aux = calloc(r->cs.n_aux + 1, FR_BYTES);
    size_t *ends = calloc(r->cs.n_aux + 1, sizeof *ends);
    shape_t shape, plain;

    assert_int_equal(synthesis_shape(&shape, toy_circuit, toy,
                                     &(shape_options_t){.level = SHAPE_VALUES, .block = block},
                                     &(cuzk_error){0}),
                     CUZK_OK);
    assert_int_equal(shape.counts.n_inputs, r->cs.n_inputs);
    assert_int_equal(shape.counts.n_aux, toy_aux(toy));
    assert_int_equal(shape.counts.n_constraints, toy_constraints(toy));
    expect_digest(&shape.r1cs, r->rows, r->ends, r->cs.n_constraints, block);
    for (uint32_t i = 0; i < r->cs.n_aux; i++) {
        fr_to_bytes(aux + i * FR_BYTES, &r->aux[i]);
        ends[i] = (i + 1) * FR_BYTES;
    }
    expect_digest(&shape.aux, aux, ends, r->cs.n_aux, block);
    assert_memory_equal(shape.inputs, r->inputs, r->cs.n_inputs * sizeof(fr_t));
    assert_int_equal(shape.violated, 0);

    /* without values: the same constraints */
    assert_int_equal(synthesis_shape(&plain, toy_circuit, toy,
                                     &(shape_options_t){.level = SHAPE_DIGESTS, .block = block},
                                     &(cuzk_error){0}),
                     CUZK_OK);
    assert_memory_equal(plain.r1cs.all, shape.r1cs.all, SHA256_BYTES);
    assert_int_equal(plain.nonzero_a, shape.nonzero_a);
    assert_null(plain.inputs);
    shape_clear(&plain);
    shape_clear(&shape);
    free(ends);
    free(aux);
    record_free(r);
}

static void test_shape(void **state)
{
    const uint32_t blocks[] = {1, 2, 7, 64, 4096};

    (void)state;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) expect_shape(&base_toy, blocks[i]);
}

/* 70 + 1 + 3 + 1 + 80 + 1 = 156 constraints: the last block is full. */
static void test_shape_whole_blocks(void **state)
{
    (void)state;
    assert_int_equal(toy_constraints(&base_toy), 156);
    expect_shape(&base_toy, 156);
    expect_shape(&base_toy, 78);
}

static void test_counted(void **state)
{
    toy_t toy = base_toy;
    shape_t shape;

    (void)state;
    assert_int_equal(synthesis_shape(&shape, toy_circuit, &toy,
                                     &(shape_options_t){.level = SHAPE_COUNTS, .block = 1},
                                     &(cuzk_error){0}),
                     CUZK_OK);
    assert_int_equal(shape.nonzero_a, 70 + 4 + 1 + 3 * 80 + 2);
    assert_int_equal(shape.nonzero_b, 2 * 70 + 4 + 1 + 80 + 1);
    assert_int_equal(shape.nonzero_c, 4 + 1 + 80);
    assert_int_equal(shape.counts.a_aux, 70 + 1 + 80);
    assert_int_equal(shape.counts.b_input, 2);         /* ONE and v */
    assert_int_equal(shape.counts.b_aux, 70 + 1 + 79); /* not the last of the chain */
    assert_int_equal(shape.zero_coefficients, 0);
    shape_clear(&shape);

    toy.one_in_b = false;
    toy.v_in_b = false;
    assert_int_equal(synthesis_shape(&shape, toy_circuit, &toy,
                                     &(shape_options_t){.level = SHAPE_COUNTS, .block = 1},
                                     &(cuzk_error){0}),
                     CUZK_OK);
    assert_int_equal(shape.counts.b_input, 0);
    shape_clear(&shape);
}

/* Terms whose coefficients cancel, and one combination larger than any buffer. */
static void odd_circuit(cs_t *cs, const void *values)
{
    lc_t a = {0};
    lc_t b = {0};
    lc_t c = {0};
    fr_t value;

    (void)values;
    for (uint32_t i = 0; i < 4000; i++) {
        fr_from_u64(&value, i);
        const var_t var = cs_alloc(cs, &value);
        fr_from_u64(&value, i + 2);
        lc_add_term(&cs->arena, &a, var, &value);
        lc_add_term(&cs->arena, &b, var, &value);
    }
    for (uint32_t i = 0; i < 4000; i += 2) lc_sub_var(&cs->arena, &b, VAR_AUX | i);
    fr_from_u64(&value, 3); /* 5 - 3 - 2, of variable 3 */
    fr_neg(&value, &value);
    lc_add_term(&cs->arena, &b, VAR_AUX | 3, &value);
    lc_sub_var(&cs->arena, &b, VAR_AUX | 3);
    lc_sub_var(&cs->arena, &b, VAR_AUX | 3);
    lc_add_var(&cs->arena, &b, VAR_ONE);
    lc_sub_var(&cs->arena, &b, VAR_ONE);
    for (int i = 0; i < 3; i++) cs_enforce(cs, &a, &b, &c);
    cs_enforce(cs, &c, &c, &a);
}

static void test_odd(void **state)
{
    recording_t *r = record(odd_circuit, NULL);
    shape_t shape;

    (void)state;
    assert_int_equal(synthesis_shape(&shape, odd_circuit, NULL,
                                     &(shape_options_t){.level = SHAPE_VALUES, .block = 2},
                                     &(cuzk_error){0}),
                     CUZK_OK);
    expect_digest(&shape.r1cs, r->rows, r->ends, 4, 2);
    assert_int_equal(shape.zero_coefficients, 3 * 2);
    assert_int_equal(shape.nonzero_b, 3 * 3999);
    assert_int_equal(shape.counts.b_input, 0);
    assert_int_equal(shape.counts.b_aux, 3999);
    assert_int_equal(shape.counts.a_aux, 4000);
    assert_int_equal(shape.violated, 4);
    assert_int_equal(shape.first_violated, 0);
    assert_int_equal(shape.aux_in_0_1, 2);
    shape_clear(&shape);
    record_free(r);
}

static void test_violated(void **state)
{
    toy_t toy = base_toy;
    shape_t shape;

    (void)state;
    toy.change = toy.n_bits; /* u: all of x = u^2, w, the first step of the chain, not the last */
    assert_int_equal(synthesis_shape(&shape, toy_circuit, &toy,
                                     &(shape_options_t){.level = SHAPE_VALUES, .block = 64},
                                     &(cuzk_error){0}),
                     CUZK_OK);
    assert_int_equal(shape.violated, 4 + 1 + 1);
    assert_int_equal(shape.first_violated, 70);
    shape_clear(&shape);

    toy.change = 5; /* a bit: bit (1 - bit) = 0 still holds; steps 5 and 75 don't */
    assert_int_equal(synthesis_shape(&shape, toy_circuit, &toy,
                                     &(shape_options_t){.level = SHAPE_VALUES, .block = 64},
                                     &(cuzk_error){0}),
                     CUZK_OK);
    assert_int_equal(shape.violated, 2);
    assert_int_equal(shape.first_violated, 70 + 4 + 1 + 5);
    shape_clear(&shape);
}

static void test_empty(void **state)
{
    const uint32_t none = 0;
    uint8_t sha[SHA256_BYTES];
    owned_assignment_t owned;
    cuzk_error err;
    shape_t shape;

    (void)state;
    assert_int_equal(synthesis_shape(&shape, toy_inputs_only, &none,
                                     &(shape_options_t){.level = SHAPE_VALUES, .block = 16},
                                     &(cuzk_error){0}),
                     CUZK_OK);
    sha256(sha, "", 0);
    assert_memory_equal(shape.r1cs.all, sha, sizeof sha);
    assert_memory_equal(shape.aux.all, sha, sizeof sha);
    assert_int_equal(shape.r1cs.n_blocks, 0);
    assert_int_equal(shape.counts.n_inputs, 1);
    shape_clear(&shape);

    for (int path = 0; path < 2; path++) {
        const synthesis_options_t options = {.path = path ? SYNTHESIS_GENERIC : SYNTHESIS_STAMPED};

        assert_int_equal(
            owned_assignment_make(&owned, toy_inputs_only, &none, true, &options, &err), CUZK_OK);
        assert_int_equal(owned.x.lg_domain, 0);
        assert_true(fr_is_one(&owned.x.a[0]));
        assert_true(fr_is_zero(&owned.x.b[0]) && fr_is_zero(&owned.x.c[0]));
        owned_assignment_clear(&owned);
    }
}

/* The sides are full of other things before; c may be missing. */
static void expect_assignment(const toy_t *toy, synthesis_path path, bool want_c)
{
    const synthesis_options_t options = {.path = path};
    recording_t *r = record(toy_circuit, toy);
    const uint64_t n = r->cs.n_constraints;
    circuit_plan_t plan;
    synthesis_sides_t sides;
    cuzk_error err;
    assignment_t x;

    assert_int_equal(synthesis_plan(&plan, toy_circuit, toy, &err), CUZK_OK);
    const uint64_t m = (uint64_t)1 << circuit_lg_domain(&plan.counts);
    assert_int_equal(synthesis_sides_alloc(&sides, m, want_c, &err), CUZK_OK);
    memset(sides.a, 0xa5, m * sizeof(fr_t));
    memset(sides.b, 0xa5, m * sizeof(fr_t));
    if (want_c) memset(sides.c, 0xa5, m * sizeof(fr_t));
    assert_int_equal(synthesis_prove(&x, &sides, toy_circuit, toy, &plan, &options, &err), CUZK_OK);
    assert_int_equal((uint64_t)1 << x.lg_domain, m);
    assert_true(m >= n + r->cs.n_inputs && m / 2 < n + r->cs.n_inputs);
    assert_memory_equal(x.a, r->a, n * sizeof(fr_t));
    assert_memory_equal(x.b, r->b, n * sizeof(fr_t));
    if (want_c) assert_memory_equal(x.c, r->c, n * sizeof(fr_t));
    assert_memory_equal(x.a + n, r->inputs, r->cs.n_inputs * sizeof(fr_t));
    for (uint64_t i = n; i < m; i++) {
        assert_true(fr_is_zero(&x.b[i]));
        if (want_c) assert_true(fr_is_zero(&x.c[i]));
        if (i >= n + r->cs.n_inputs) assert_true(fr_is_zero(&x.a[i]));
    }
    for (uint32_t i = 0; i < r->cs.n_aux; i++)
        assert_true(fr_equal(witness_aux(&x.witness, i), &r->aux[i]));
    assert_int_equal(x.witness.n_elements, toy_aux(toy) - toy->n_bits);
    assert_int_equal(synthesis_bytes(&plan),
                     witness_bytes(x.witness.n_inputs, x.witness.n_aux, x.witness.n_elements));
    assert_ptr_equal(x.densities, &plan.densities);
    assignment_clear(&x);
    synthesis_sides_free(&sides, m);
    circuit_plan_clear(&plan);
    record_free(r);
}

static void test_prove(void **state)
{
    toy_t toy = base_toy;

    (void)state;
    for (toy.n_pad = 0; toy.n_pad < 300; toy.n_pad += 7) {
        expect_assignment(&toy, SYNTHESIS_GENERIC, toy.n_pad % 2);
        expect_assignment(&toy, SYNTHESIS_STAMPED, toy.n_pad % 2);
    }
}

static void test_witness_alone(void **state)
{
    const toy_t toy = base_toy;
    const synthesis_sides_t none = {0};
    circuit_plan_t plan;
    cuzk_error err;
    assignment_t x;

    (void)state;
    assert_int_equal(synthesis_plan(&plan, toy_circuit, &toy, &err), CUZK_OK);
    for (int path = 0; path < 2; path++) {
        const synthesis_options_t options = {.path = path ? SYNTHESIS_GENERIC : SYNTHESIS_STAMPED};

        assert_int_equal(synthesis_prove(&x, &none, toy_circuit, &toy, &plan, &options, &err),
                         CUZK_OK);
        assert_true(x.a == NULL && x.b == NULL && x.c == NULL);
        assert_int_equal(x.counts.n_constraints, toy_constraints(&toy));
        assert_int_equal(x.witness.n_inputs, toy.n_public + 1);
        assert_int_equal(x.witness.n_aux, toy_aux(&toy));
        assignment_clear(&x);
    }
    circuit_plan_clear(&plan);
}

/* The plan's counts and densities are those of a run that gathers them. */
static void test_plan(void **state)
{
    toy_t toy = base_toy;
    circuit_plan_t plan;
    cuzk_error err;
    shape_t shape;

    (void)state;
    for (unsigned k = 0; k < 4; k++) {
        toy.one_in_b = k & 1;
        toy.v_in_b = k & 2;
        assert_int_equal(synthesis_plan(&plan, toy_circuit, &toy, &err), CUZK_OK);
        assert_int_equal(synthesis_shape(&shape, toy_circuit, &toy, &(shape_options_t){0}, &err),
                         CUZK_OK);
        assert_memory_equal(&plan.counts, &shape.counts, sizeof plan.counts);
        assert_int_equal(plan.n_parts, 0);
        for (uint32_t i = 0; i < plan.counts.n_aux; i++) {
            assert_int_equal(density_get(&plan.densities.a_aux, i),
                             density_get(&shape.densities.a_aux, i));
            assert_int_equal(density_get(&plan.densities.b_aux, i),
                             density_get(&shape.densities.b_aux, i));
        }
        for (uint32_t i = 0; i < plan.counts.n_inputs; i++)
            assert_int_equal(density_get(&plan.densities.b_input, i),
                             density_get(&shape.densities.b_input, i));
        assert_int_equal(plan.densities.a_aux.n_words, (plan.counts.n_aux + 63) / 64);
        shape_clear(&shape);
        circuit_plan_clear(&plan);
    }
}

/* A circuit under the plan of another, larger or smaller in one thing. */
static void test_other_plans(void **state)
{
    const toy_t toy = base_toy;
    const uint32_t m = 1 << 12;
    synthesis_sides_t sides;
    cuzk_error err;
    assignment_t x;

    (void)state;
    assert_int_equal(synthesis_sides_alloc(&sides, m, true, &err), CUZK_OK);
    for (unsigned k = 0; k < 16; k++) {
        const synthesis_options_t options = {.path = k & 8 ? SYNTHESIS_GENERIC : SYNTHESIS_STAMPED};
        const uint32_t more = k & 1 ? 1 : UINT32_MAX; /* or one less */
        toy_t other = base_toy;
        circuit_plan_t plan;

        if ((k >> 1 & 3) == 0) other.n_public += more;
        if ((k >> 1 & 3) == 1) other.n_bits += more;
        if ((k >> 1 & 3) == 2) other.n_pad += more;
        if ((k >> 1 & 3) == 3) other.n_chain += more;
        assert_int_equal(synthesis_plan(&plan, toy_circuit, &other, &err), CUZK_OK);
        assert_int_equal(synthesis_prove(&x, &sides, toy_circuit, &toy, &plan, &options, &err),
                         CUZK_ERR_INTERNAL);
        assert_non_null(strstr(err.text, "not its plan's"));
        circuit_plan_clear(&plan);
    }
    synthesis_sides_free(&sides, m);
}

static void test_cancel(void **state)
{
    const toy_t toy = base_toy;
    owned_assignment_t owned;
    executor_t *executor;
    strand_t strand;
    cancel_t cancel;
    cuzk_error err;

    (void)state;
    assert_int_equal(executor_open(&executor, 2, &err), CUZK_OK);
    cancel_init(&cancel, UINT64_MAX);
    strand_begin(&strand, executor, NULL, &cancel);
    const synthesis_options_t options = {.strand = &strand};
    assert_int_equal(owned_assignment_make(&owned, toy_circuit, &toy, false, &options, &err),
                     CUZK_OK);
    owned_assignment_clear(&owned);
    cancel_request(&cancel);
    assert_int_equal(owned_assignment_make(&owned, toy_circuit, &toy, false, &options, &err),
                     CUZK_CANCELLED);
    strand_end(&strand);
    executor_close(executor);
}

/* sum(value * q) over all variables */
static void weigh(fr_t *sum, const recording_t *r, const fr_t *q)
{
    *sum = fr_zero;
    for (uint32_t i = 0; i < r->cs.n_inputs + r->cs.n_aux; i++) {
        const fr_t *value = i < r->cs.n_inputs ? &r->inputs[i] : &r->aux[i - r->cs.n_inputs];
        fr_t product;

        fr_mul(&product, value, &q[i]);
        fr_add(sum, sum, &product);
    }
}

/* sum(value * lagrange) over the rows */
static void weigh_rows(fr_t *sum, const fr_t *values, const fr_t *lagrange, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        fr_t product;

        fr_mul(&product, &values[i], &lagrange[i]);
        fr_add(sum, sum, &product);
    }
}

static void test_qap(void **state)
{
    const toy_t toy = base_toy;
    recording_t *r = record(toy_circuit, &toy);
    const uint64_t n = r->cs.n_constraints;
    fr_t lagrange[256];
    cuzk_error err;
    shape_t shape;
    qap_t qap;

    (void)state;
    for (size_t i = 0; i < 256; i++) {
        fr_from_u64(&lagrange[i], 1000 + i * i * i);
        fr_inv(&lagrange[i], &lagrange[i]);
    }
    assert_int_equal(synthesis_shape(&shape, toy_circuit, &toy,
                                     &(shape_options_t){.level = SHAPE_COUNTS, .block = 1},
                                     &(cuzk_error){0}),
                     CUZK_OK);
    assert_int_equal(synthesis_qap(&qap, &shape.counts, lagrange, toy_circuit, &toy, &err),
                     CUZK_OK);
    assert_int_equal(qap.n_variables, r->cs.n_inputs + r->cs.n_aux);

    fr_t variables, rows;
    weigh(&variables, r, qap.a);
    rows = fr_zero;
    weigh_rows(&rows, r->a, lagrange, n);
    weigh_rows(&rows, r->inputs, lagrange + n, r->cs.n_inputs);
    assert_true(fr_equal(&variables, &rows));
    weigh(&variables, r, qap.b);
    rows = fr_zero;
    weigh_rows(&rows, r->b, lagrange, n);
    assert_true(fr_equal(&variables, &rows));
    weigh(&variables, r, qap.c);
    rows = fr_zero;
    weigh_rows(&rows, r->c, lagrange, n);
    assert_true(fr_equal(&variables, &rows));
    qap_clear(&qap);
    shape_clear(&shape);
    record_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_counts),
                                       cmocka_unit_test(test_shape),
                                       cmocka_unit_test(test_shape_whole_blocks),
                                       cmocka_unit_test(test_counted),
                                       cmocka_unit_test(test_odd),
                                       cmocka_unit_test(test_violated),
                                       cmocka_unit_test(test_empty),
                                       cmocka_unit_test(test_prove),
                                       cmocka_unit_test(test_witness_alone),
                                       cmocka_unit_test(test_plan),
                                       cmocka_unit_test(test_other_plans),
                                       cmocka_unit_test(test_cancel),
                                       cmocka_unit_test(test_qap)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
