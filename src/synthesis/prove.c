/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "synthesis/prove.h"

#include "synthesis/stamped.h"

/* The back end of the generic run. */
typedef struct {
    cs_t cs;
    assignment_t *x;
    cuzk_status st; /* why the circuit was left */
    cuzk_error *err;
} generic_cs_t;

static void refuse_memory(generic_cs_t *self)
{
    self->st = error_set(self->err, CUZK_ERR_MEMORY, "witness: no memory to grow");
    cs_leave(&self->cs);
}

static void generic_alloc(cs_t *cs, const fr_t *value)
{
    generic_cs_t *self = (generic_cs_t *)cs;

    if (!witness_add_element(&self->x->witness, value)) refuse_memory(self);
}

static void generic_alloc_bit(cs_t *cs, bool value)
{
    generic_cs_t *self = (generic_cs_t *)cs;

    if (!witness_add_bit(&self->x->witness, value)) refuse_memory(self);
}

static void generic_alloc_input(cs_t *cs, const fr_t *value)
{
    generic_cs_t *self = (generic_cs_t *)cs;

    if (!witness_add_input(&self->x->witness, value)) refuse_memory(self);
}

static void generic_enforce(cs_t *cs, const lc_t *a, const lc_t *b, const lc_t *c)
{
    generic_cs_t *self = (generic_cs_t *)cs;
    const assignment_t *x = self->x;
    const size_t i = cs->n_constraints;

    if (x->a == NULL) return;
    if (i == x->counts.n_constraints) {
        self->st = synthesis_refuse_plan(self->err);
        cs_leave(cs);
    }
    witness_eval(&x->a[i], &x->witness, a);
    witness_eval(&x->b[i], &x->witness, b);
    if (x->c != NULL) witness_eval(&x->c[i], &x->witness, c);
}

static const cs_ops_t generic_ops = {.alloc = generic_alloc,
                                     .alloc_bit = generic_alloc_bit,
                                     .alloc_input = generic_alloc_input,
                                     .enforce = generic_enforce};

cuzk_status synthesis_refuse_plan(cuzk_error *err)
{
    return error_set(err, CUZK_ERR_INTERNAL, "synthesis: the circuit is not its plan's");
}

static cuzk_status run_generic(assignment_t *x, circuit_fn circuit, const void *values,
                               const circuit_plan_t *plan, cuzk_error *err)
{
    const circuit_counts_t *counts = &plan->counts;
    generic_cs_t self = {
        .cs = {.ops = &generic_ops, .has_values = true, .n_inputs = 1}, .x = x, .err = err};

    cuzk_status st =
        witness_open(&x->witness, counts->n_inputs, counts->n_aux, plan->n_elements, err);
    if (st == CUZK_OK) st = arena_open(&self.cs.arena, CS_ARENA_BYTES, "circuit", err);
    if (st != CUZK_OK) return st;
    if (!cs_run(&self.cs, circuit, values))
        st = self.st;
    else if (self.cs.n_inputs != counts->n_inputs || self.cs.n_aux != counts->n_aux ||
             self.cs.n_constraints != counts->n_constraints)
        st = synthesis_refuse_plan(err);
    arena_close(&self.cs.arena);
    return st;
}

/* The rows behind the circuit's own: (input i) * 0 = 0, then zeros. */
static void write_tail(void *arg, size_t first, size_t end, uint32_t worker)
{
    const assignment_t *x = arg;
    const size_t n = x->counts.n_constraints;
    size_t at = first;

    (void)worker;
    if (first < x->counts.n_inputs) {
        at = end < x->counts.n_inputs ? end : x->counts.n_inputs;
        memcpy(x->a + n + first, x->witness.inputs + first, (at - first) * sizeof *x->a);
    }
    memset(x->a + n + at, 0, (end - at) * sizeof *x->a);
    memset(x->b + n + first, 0, (end - first) * sizeof *x->b);
    if (x->c != NULL) memset(x->c + n + first, 0, (end - first) * sizeof *x->c);
}

static cuzk_status write_tails(assignment_t *x, strand_t *strand, cuzk_error *err)
{
    const size_t m = (size_t)1 << x->lg_domain;
    const strand_cut_t cut = {.grain = 1 << 10, .most = 1 << 15};

    return strand_for(strand, m - x->counts.n_constraints, cut, write_tail, x, err);
}

cuzk_status synthesis_prove(assignment_t *x, const synthesis_sides_t *sides, circuit_fn circuit,
                            const void *values, const circuit_plan_t *plan,
                            const synthesis_options_t *given, cuzk_error *err)
{
    const synthesis_options_t options = given != NULL ? *given : (synthesis_options_t){0};
    cuzk_status st;

    VERIFY((sides->a == NULL) == (sides->b == NULL));
    *x = (assignment_t){.counts = plan->counts,
                        .lg_domain = circuit_lg_domain(&plan->counts),
                        .a = sides->a,
                        .b = sides->b,
                        .c = sides->c,
                        .densities = &plan->densities};
    if (options.path == SYNTHESIS_GENERIC)
        st = run_generic(x, circuit, values, plan, err);
    else
        st = synthesis_run_stamped(x, circuit, values, plan, &options, err);
    if (st == CUZK_OK && x->a != NULL) st = write_tails(x, options.strand, err);
    if (st != CUZK_OK) assignment_clear(x);
    return st;
}

uint64_t synthesis_bytes(const circuit_plan_t *plan)
{
    return witness_bytes(plan->counts.n_inputs, plan->counts.n_aux, plan->n_elements);
}

void assignment_clear(assignment_t *x)
{
    witness_clear(&x->witness);
    *x = (assignment_t){0};
}
