/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "pce/test_compare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cpu.h"
#include "base/memory.h"

void compare_generic(assignment_t *x, circuit_fn circuit, const void *values)
{
    const synthesis_hints_t hints = {.path = SYNTHESIS_GENERIC, .want_c = true};
    cuzk_error err;

    if (synthesis_prove(x, circuit, values, &hints, &err) != CUZK_OK) fail_msg("%s", err.text);
}

static void compare_density(const char *name, const density_t *a, const density_t *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (density_get(a, i) != density_get(b, i)) fail_msg("density of %s: variable %u", name, i);
}

void compare_plan(const assignment_t *x, const circuit_plan_t *plan)
{
    const densities_t *d = assignment_densities(x);

    assert_int_equal(plan->counts.n_inputs, x->counts.n_inputs);
    assert_int_equal(plan->counts.n_aux, x->counts.n_aux);
    assert_int_equal(plan->counts.n_constraints, x->counts.n_constraints);
    assert_int_equal(plan->n_elements, x->witness.n_elements);
    compare_density("A", &plan->densities.a_aux, &d->a_aux, x->counts.n_aux);
    compare_density("B", &plan->densities.b_aux, &d->b_aux, x->counts.n_aux);
    compare_density("inputs", &plan->densities.b_input, &d->b_input, x->counts.n_inputs);
    assert_int_equal(plan->counts.a_aux, x->counts.a_aux);
    assert_int_equal(plan->counts.b_aux, x->counts.b_aux);
    assert_int_equal(plan->counts.b_input, x->counts.b_input);
}

static void compare_words(const density_t *a, const density_t *b)
{
    assert_int_equal(a->n_words, b->n_words);
    assert_memory_equal(a->words, b->words, a->n_words * sizeof *a->words);
}

void compare_densities(const assignment_t *x, const pce_t *pce)
{
    const densities_t *plans = &pce_plan(pce)->densities;
    const densities_t *gathered = assignment_densities(x);
    densities_t made;

    pce_densities(&made, pce);
    compare_density("A, made", &made.a_aux, &gathered->a_aux, x->counts.n_aux);
    compare_density("B, made", &made.b_aux, &gathered->b_aux, x->counts.n_aux);
    compare_density("inputs, made", &made.b_input, &gathered->b_input, x->counts.n_inputs);
    compare_words(&made.a_aux, &plans->a_aux);
    compare_words(&made.b_aux, &plans->b_aux);
    compare_words(&made.b_input, &plans->b_input);
    densities_clear(&made);
}

static void compare_elements(const char *name, const fr_t *have, const fr_t *want, size_t n)
{
    if (n == 0 || memcmp(have, want, n * sizeof *have) == 0) return;
    for (size_t i = 0; i < n; i++)
        if (!fr_equal(&have[i], &want[i])) fail_msg("%s: value %zu of %zu differs", name, i, n);
}

static void compare_witness(const witness_t *have, const witness_t *want)
{
    const size_t words = ((size_t)want->n_aux + 63) / 64;

    assert_int_equal(have->n_inputs, want->n_inputs);
    assert_int_equal(have->n_aux, want->n_aux);
    assert_int_equal(have->n_elements, want->n_elements);
    assert_memory_equal(have->is_bit, want->is_bit, words * sizeof *have->is_bit);
    assert_memory_equal(have->bits, want->bits, words * sizeof *have->bits);
    assert_memory_equal(have->rank, want->rank, words * sizeof *have->rank);
    compare_elements("inputs", have->inputs, want->inputs, want->n_inputs);
    compare_elements("elements", have->elements, want->elements, want->n_elements);
}

static void compare_stamped(const assignment_t *want, const pce_t *pce, circuit_fn circuit,
                            const void *values, strand_t *strand, uint32_t n_chunks)
{
    const synthesis_hints_t hints = {
        .plan = pce_plan(pce), .want_c = true, .strand = strand, .n_chunks = n_chunks};
    const size_t m = (size_t)1 << want->lg_domain;
    assignment_t x;
    cuzk_error err;

    if (synthesis_prove(&x, circuit, values, &hints, &err) != CUZK_OK) fail_msg("%s", err.text);
    assert_int_equal(x.lg_domain, want->lg_domain);
    compare_witness(&x.witness, &want->witness);
    compare_elements("a", x.a, want->a, m);
    compare_elements("b", x.b, want->b, m);
    compare_elements("c", x.c, want->c, m);
    assignment_clear(&x);
}

/* By tapes with a plan, by the generic run without. */
static void compare_witness_alone(const assignment_t *want, const circuit_plan_t *plan,
                                  circuit_fn circuit, const void *values)
{
    const synthesis_hints_t hints = {.path = SYNTHESIS_WITNESS, .plan = plan, .want_c = true};
    assignment_t x;
    cuzk_error err;

    if (synthesis_prove(&x, circuit, values, &hints, &err) != CUZK_OK) fail_msg("%s", err.text);
    assert_true(x.a == NULL && x.b == NULL && x.c == NULL);
    assert_null(x.own_densities.a_aux.words);
    assert_int_equal(x.counts.n_constraints, want->counts.n_constraints);
    assert_int_equal(x.lg_domain, want->lg_domain);
    compare_witness(&x.witness, &want->witness);
    assignment_clear(&x);
}

static void compare_evaluated(const assignment_t *want, const pce_t *pce, strand_t *strand)
{
    const size_t n = want->counts.n_constraints;
    cuzk_error err;
    void *out[3];

    for (int i = 0; i < 3; i++)
        assert_int_equal(big_alloc(&out[i], n, sizeof(fr_t), "values", &err), CUZK_OK);
    if (pce_evaluate(out[0], out[1], out[2], pce, &want->witness, strand, &err) != CUZK_OK)
        fail_msg("%s", err.text);
    compare_elements("evaluated a", out[0], want->a, n);
    compare_elements("evaluated b", out[1], want->b, n);
    compare_elements("evaluated c", out[2], want->c, n);
    for (int i = 0; i < 3; i++) big_free(out[i], n, sizeof(fr_t));
}

void compare_paths(const assignment_t *x, const pce_t *pce, circuit_fn circuit, const void *values)
{
    static const uint32_t chunks[] = {2, 3, 7};
    const cpu_level level = cpu_level_used();
    strand_t *strand;
    cuzk_error err;

    assert_int_equal(strand_open(&strand, 2, &err), CUZK_OK);
    for (cpu_level l = CPU_PORTABLE; l <= cpu_level_available(); l++) {
        cpu_level_force(l);
        compare_stamped(x, pce, circuit, values, NULL, 1);
    }
    cpu_level_force(level);
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++)
        compare_stamped(x, pce, circuit, values, strand, chunks[i]);
    compare_witness_alone(x, pce_plan(pce), circuit, values);
    compare_witness_alone(x, NULL, circuit, values);
    compare_densities(x, pce);
    compare_evaluated(x, pce, strand);
    strand_close(strand);
}
