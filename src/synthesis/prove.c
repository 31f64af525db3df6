/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "synthesis/prove.h"

#include "base/memory.h"
#include "synthesis/stamped.h"

enum { FIRST_CAPACITY = 1 << 10 };

/* The back end. A refusal of memory is kept in st, and the rest of the run has no effect. */
typedef struct {
    cs_t cs;
    assignment_t *x;
    bool want_c;
    bool gather; /* densities */
    cuzk_status st;
    cuzk_error *err;
} prove_cs_t;

/* Moves *array into one of `capacity` elements, which is zero past the old end. */
static cuzk_status enlarge(fr_t **array, size_t old, size_t capacity, cuzk_error *err)
{
    void *larger;
    const cuzk_status st = big_alloc(&larger, capacity, sizeof **array, "a, b or c", err);

    if (st != CUZK_OK) return st;
    if (old > 0) memcpy(larger, *array, old * sizeof **array);
    big_free(*array, old, sizeof **array);
    *array = larger;
    return CUZK_OK;
}

/* On an error nothing is held. */
static cuzk_status set_capacity(assignment_t *x, size_t capacity, bool want_c, cuzk_error *err)
{
    fr_t **const arrays[] = {&x->a, &x->b, &x->c};
    const size_t n = want_c ? 3 : 2;

    for (size_t i = 0; i < n; i++) {
        const cuzk_status st = enlarge(arrays[i], x->capacity, capacity, err);

        if (st == CUZK_OK) continue;
        for (size_t j = 0; j < n; j++) {
            big_free(*arrays[j], j < i ? capacity : x->capacity, sizeof **arrays[j]);
            *arrays[j] = NULL;
        }
        return st;
    }
    x->capacity = capacity;
    return CUZK_OK;
}

static void prove_alloc(cs_t *cs, const fr_t *value)
{
    witness_add_element(&((prove_cs_t *)cs)->x->witness, value);
}

static void prove_alloc_bit(cs_t *cs, bool value)
{
    witness_add_bit(&((prove_cs_t *)cs)->x->witness, value);
}

static void prove_alloc_input(cs_t *cs, const fr_t *value)
{
    witness_add_input(&((prove_cs_t *)cs)->x->witness, value);
}

static void prove_enforce(cs_t *cs, const lc_t *a, const lc_t *b, const lc_t *c)
{
    prove_cs_t *self = (prove_cs_t *)cs;
    assignment_t *x = self->x;
    const size_t i = cs->n_constraints;

    if (self->st == CUZK_OK && i == x->capacity)
        self->st = set_capacity(x, 2 * x->capacity, self->want_c, self->err);
    if (self->st != CUZK_OK) return;
    witness_eval(&x->a[i], &x->witness, a);
    witness_eval(&x->b[i], &x->witness, b);
    if (x->c != NULL) witness_eval(&x->c[i], &x->witness, c);
    if (self->gather) densities_add(&x->own_densities, a, b);
}

/* Of a witness alone. */
static void prove_ignore(cs_t *cs, const lc_t *a, const lc_t *b, const lc_t *c)
{
    (void)cs;
    (void)a;
    (void)b;
    (void)c;
}

static const cs_ops_t prove_ops = {.alloc = prove_alloc,
                                   .alloc_bit = prove_alloc_bit,
                                   .alloc_input = prove_alloc_input,
                                   .enforce = prove_enforce};

static const cs_ops_t witness_ops = {.alloc = prove_alloc,
                                     .alloc_bit = prove_alloc_bit,
                                     .alloc_input = prove_alloc_input,
                                     .enforce = prove_ignore};

static void count(assignment_t *x, const cs_t *cs)
{
    x->counts.n_inputs = cs->n_inputs;
    x->counts.n_aux = cs->n_aux;
    x->counts.n_constraints = cs->n_constraints;
    circuit_count_densities(&x->counts, assignment_densities(x));
    x->lg_domain = circuit_lg_domain(&x->counts);
}

/* The added constraints (input i) * 0 = 0. */
static cuzk_status add_input_rows(assignment_t *x, bool want_c, cuzk_error *err)
{
    const size_t m = (size_t)1 << x->lg_domain;
    cuzk_status st = CUZK_OK;

    if (m > x->capacity) st = set_capacity(x, m, want_c, err);
    if (st != CUZK_OK) return st;
    memcpy(x->a + x->counts.n_constraints, x->witness.inputs, x->counts.n_inputs * sizeof *x->a);
    return CUZK_OK;
}

/* The stamped run: all is known before. */
static cuzk_status prove_stamped(assignment_t *x, circuit_fn circuit, const void *values,
                                 const synthesis_hints_t *hints, cuzk_error *err)
{
    const circuit_counts_t *counts = &hints->plan->counts;

    x->counts = *counts;
    x->lg_domain = circuit_lg_domain(counts);
    if (hints->path == SYNTHESIS_WITNESS) {
        synthesis_run_stamped(x, circuit, values, hints);
        return CUZK_OK;
    }
    const cuzk_status st = set_capacity(x, (size_t)1 << x->lg_domain, hints->want_c, err);
    if (st != CUZK_OK) return st;
    synthesis_run_stamped(x, circuit, values, hints);
    memcpy(x->a + counts->n_constraints, x->witness.inputs, counts->n_inputs * sizeof *x->a);
    return CUZK_OK;
}

/* The hints with what the plan says. */
static synthesis_hints_t with_plan(const synthesis_hints_t *hints)
{
    synthesis_hints_t r = *hints;

    if (hints->plan == NULL) return r;
    r.lg_domain = circuit_lg_domain(&hints->plan->counts);
    r.n_inputs = hints->plan->counts.n_inputs;
    r.n_aux = hints->plan->counts.n_aux;
    r.densities = &hints->plan->densities;
    return r;
}

cuzk_status synthesis_prove(assignment_t *x, circuit_fn circuit, const void *values,
                            const synthesis_hints_t *given, cuzk_error *err)
{
    const synthesis_hints_t hints = with_plan(given);
    const bool alone = hints.path == SYNTHESIS_WITNESS;
    prove_cs_t self = {
        .cs = {.ops = alone ? &witness_ops : &prove_ops, .has_values = true, .n_inputs = 1},
        .x = x,
        .want_c = hints.want_c,
        .gather = hints.densities == NULL && !hints.no_densities,
        .err = err};
    const size_t wanted = hints.lg_domain > 0 ? (size_t)1 << hints.lg_domain : FIRST_CAPACITY;

    *x = (assignment_t){.shared_densities = hints.densities};
    arena_init(&self.cs.arena);
    witness_init(&x->witness);
    if (hints.plan != NULL && hints.path != SYNTHESIS_GENERIC) {
        self.st = prove_stamped(x, circuit, values, &hints, err);
        if (self.st != CUZK_OK) assignment_clear(x);
        return self.st;
    }
    if (!alone) self.st = set_capacity(x, wanted, hints.want_c, err);
    if (self.st == CUZK_OK) {
        witness_reserve(&x->witness, hints.n_inputs, hints.n_aux, 0);
        circuit(&self.cs, values);
        count(x, &self.cs);
    }
    if (self.st == CUZK_OK && !alone) self.st = add_input_rows(x, hints.want_c, err);
    arena_clear(&self.cs.arena);
    if (self.st != CUZK_OK) assignment_clear(x);
    return self.st;
}

void assignment_release_a(assignment_t *x)
{
    big_free(x->a, x->capacity, sizeof *x->a);
    x->a = NULL;
}

void assignment_release_b(assignment_t *x)
{
    big_free(x->b, x->capacity, sizeof *x->b);
    x->b = NULL;
}

void assignment_release_c(assignment_t *x)
{
    big_free(x->c, x->capacity, sizeof *x->c);
    x->c = NULL;
}

void assignment_clear(assignment_t *x)
{
    assignment_release_a(x);
    assignment_release_b(x);
    assignment_release_c(x);
    witness_clear(&x->witness);
    densities_clear(&x->own_densities);
    *x = (assignment_t){0};
}
