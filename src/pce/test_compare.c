/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "pce/test_compare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cpu.h"
#include "base/memory.h"
#include "synthesis/shape.h"

void compare_generic(owned_assignment_t *owned, circuit_fn circuit, const void *values)
{
    const synthesis_options_t options = {.path = SYNTHESIS_GENERIC};
    cuzk_error err;

    if (owned_assignment_make(owned, circuit, values, true, &options, &err) != CUZK_OK)
        fail_msg("%s", err.text);
}

static void compare_density(const char *name, const density_t *a, const density_t *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (density_get(a, i) != density_get(b, i)) fail_msg("density of %s: variable %u", name, i);
}

static void compare_words(const density_t *a, const density_t *b)
{
    assert_int_equal(a->n_words, b->n_words);
    if (a->n_words > 0) assert_memory_equal(a->words, b->words, a->n_words * sizeof *a->words);
}

static void compare_plans(const circuit_plan_t *a, const circuit_plan_t *b)
{
    assert_memory_equal(&a->counts, &b->counts, sizeof a->counts);
    assert_int_equal(a->n_elements, b->n_elements);
    assert_int_equal(a->n_parts, b->n_parts);
    for (uint32_t i = 0; a->n_parts > 0 && i <= a->n_parts; i++) {
        assert_int_equal(a->parts[i].n_inputs, b->parts[i].n_inputs);
        assert_int_equal(a->parts[i].n_aux, b->parts[i].n_aux);
        assert_int_equal(a->parts[i].n_elements, b->parts[i].n_elements);
        assert_int_equal(a->parts[i].n_constraints, b->parts[i].n_constraints);
    }
    compare_words(&a->densities.a_aux, &b->densities.a_aux);
    compare_words(&a->densities.b_input, &b->densities.b_input);
    compare_words(&a->densities.b_aux, &b->densities.b_aux);
}

void compare_plan(const owned_assignment_t *owned, circuit_fn circuit, const void *values,
                  const circuit_plan_t *plan)
{
    const assignment_t *x = &owned->x;
    const densities_t *d = &plan->densities;
    shape_t shape;
    cuzk_error err;

    compare_plans(&owned->plan, plan);
    assert_int_equal(synthesis_shape(&shape, circuit, values, &(shape_options_t){0}, &err),
                     CUZK_OK);
    assert_memory_equal(&plan->counts, &shape.counts, sizeof plan->counts);
    compare_density("A", &d->a_aux, &shape.densities.a_aux, x->counts.n_aux);
    compare_density("B", &d->b_aux, &shape.densities.b_aux, x->counts.n_aux);
    compare_density("inputs", &d->b_input, &shape.densities.b_input, x->counts.n_inputs);
    assert_int_equal(plan->n_elements, x->witness.n_elements);
    shape_clear(&shape);
}

void compare_densities(const assignment_t *x, const pce_t *pce)
{
    densities_t made;
    cuzk_error err;

    assert_int_equal(pce_densities(&made, pce, &err), CUZK_OK);
    compare_words(&made.a_aux, &x->densities->a_aux);
    compare_words(&made.b_aux, &x->densities->b_aux);
    compare_words(&made.b_input, &x->densities->b_input);
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

/* Into memory that is full of other things. */
static void compare_stamped(const assignment_t *want, const pce_t *pce, circuit_fn circuit,
                            const void *values, strand_t *strand, uint32_t n_chunks)
{
    const synthesis_options_t options = {.strand = strand, .n_chunks = n_chunks};
    const size_t m = (size_t)1 << want->lg_domain;
    synthesis_sides_t sides;
    assignment_t x;
    cuzk_error err;

    assert_int_equal(synthesis_sides_alloc(&sides, m, true, &err), CUZK_OK);
    memset(sides.a, 0x5a, m * sizeof(fr_t));
    memset(sides.b, 0x5b, m * sizeof(fr_t));
    memset(sides.c, 0x5c, m * sizeof(fr_t));
    if (synthesis_prove(&x, &sides, circuit, values, pce_plan(pce), &options, &err) != CUZK_OK)
        fail_msg("%s", err.text);
    assert_int_equal(x.lg_domain, want->lg_domain);
    compare_witness(&x.witness, &want->witness);
    compare_elements("a", x.a, want->a, m);
    compare_elements("b", x.b, want->b, m);
    compare_elements("c", x.c, want->c, m);
    assignment_clear(&x);
    synthesis_sides_free(&sides, m);
}

static void compare_witness_alone(const assignment_t *want, const circuit_plan_t *plan,
                                  synthesis_path path, circuit_fn circuit, const void *values)
{
    const synthesis_options_t options = {.path = path};
    const synthesis_sides_t none = {0};
    assignment_t x;
    cuzk_error err;

    if (synthesis_prove(&x, &none, circuit, values, plan, &options, &err) != CUZK_OK)
        fail_msg("%s", err.text);
    assert_true(x.a == NULL && x.b == NULL && x.c == NULL);
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
    compare_stamped(x, pce, circuit, values, strand, 0);
    compare_witness_alone(x, pce_plan(pce), SYNTHESIS_STAMPED, circuit, values);
    compare_witness_alone(x, pce_plan(pce), SYNTHESIS_GENERIC, circuit, values);
    compare_densities(x, pce);
    compare_evaluated(x, pce, strand);
    strand_close(strand);
}
