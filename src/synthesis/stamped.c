/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "synthesis/stamped.h"

#include "r1cs/tape.h"

/* The back end of a chunk. */
typedef struct {
    cs_t cs;
    tape_t tape;
    const circuit_plan_t *plan;
    uint32_t part;       /* the next one */
    uint32_t first, end; /* those of this chunk */
} tape_cs_t;

/* The writers of a tape count what they write; here cs.h does so. */

static void tape_cs_alloc(cs_t *cs, const fr_t *value)
{
    (void)tape_element(cs, value);
    cs->n_aux--;
}

static void tape_cs_alloc_bit(cs_t *cs, bool value)
{
    tape_bits(cs, value, 1);
    cs->n_aux--;
}

static void tape_cs_alloc_input(cs_t *cs, const fr_t *value)
{
    if (cs->n_inputs >= cs->tape->end_inputs) tape_overrun();
    cs->tape->w->inputs[cs->n_inputs] = *value;
}

static void evaluate(fr_t *r, const cs_t *cs, const lc_t *lc)
{
    fr_t product;

    *r = fr_zero;
    for (uint32_t i = 0; i < lc->n; i++) {
        fr_mul(&product, &lc_terms(lc)[i].coeff, tape_value(cs, lc_terms(lc)[i].var));
        fr_add(r, r, &product);
    }
}

static void tape_cs_enforce(cs_t *cs, const lc_t *a, const lc_t *b, const lc_t *c)
{
    fr_t values[3];

    evaluate(&values[0], cs, a);
    evaluate(&values[1], cs, b);
    evaluate(&values[2], cs, c);
    tape_row(cs, &values[0], &values[1], &values[2]);
    cs->n_constraints--;
}

static circuit_position_t position(const tape_cs_t *self)
{
    return (circuit_position_t){.n_inputs = self->cs.n_inputs,
                                .n_aux = self->cs.n_aux,
                                .n_elements = self->tape.n_elements,
                                .n_constraints = self->cs.n_constraints};
}

static bool same(circuit_position_t a, circuit_position_t b)
{
    return a.n_inputs == b.n_inputs && a.n_aux == b.n_aux && a.n_elements == b.n_elements &&
           a.n_constraints == b.n_constraints;
}

static bool tape_cs_part(cs_t *cs)
{
    tape_cs_t *self = (tape_cs_t *)cs;
    const uint32_t i = self->part++;

    if (i < self->first || i >= self->end) return false;
    if (!same(position(self), self->plan->parts[i])) tape_overrun();
    return true;
}

static const cs_ops_t tape_ops = {.alloc = tape_cs_alloc,
                                  .alloc_bit = tape_cs_alloc_bit,
                                  .alloc_input = tape_cs_alloc_input,
                                  .enforce = tape_cs_enforce,
                                  .part = tape_cs_part};

/* A run in chunks. */
typedef struct {
    assignment_t *x;
    circuit_fn circuit;
    const void *values;
    const circuit_plan_t *plan;
    uint32_t n_chunks;
} run_t;

static void run_between(const run_t *run, uint32_t first, uint32_t end, circuit_position_t from,
                        circuit_position_t to)
{
    tape_cs_t self = {.cs = {.ops = &tape_ops,
                             .has_values = true,
                             .n_inputs = from.n_inputs,
                             .n_aux = from.n_aux,
                             .n_constraints = from.n_constraints},
                      .tape = {.a = run->x->a,
                               .b = run->x->b,
                               .c = run->x->c,
                               .w = &run->x->witness,
                               .end_inputs = to.n_inputs,
                               .end_aux = to.n_aux,
                               .end_elements = to.n_elements,
                               .end_constraints = to.n_constraints},
                      .plan = run->plan,
                      .first = first,
                      .end = end};

    self.cs.tape = &self.tape;
    arena_init(&self.cs.arena);
    tape_begin(&self.tape, &self.cs, from.n_elements);
    run->circuit(&self.cs, run->values);
    if (!same(position(&self), to)) tape_overrun();
    tape_end(&self.tape, &self.cs);
    arena_clear(&self.cs.arena);
}

static void run_chunk(void *arg, size_t index, uint32_t worker)
{
    const run_t *run = arg;
    uint32_t first, end;

    (void)worker;
    circuit_plan_chunk(&first, &end, run->plan, (uint32_t)index, run->n_chunks);
    if (first < end) run_between(run, first, end, run->plan->parts[first], run->plan->parts[end]);
}

void synthesis_run_stamped(assignment_t *x, circuit_fn circuit, const void *values,
                           const synthesis_hints_t *hints)
{
    const circuit_plan_t *plan = hints->plan;
    run_t run = {.x = x,
                 .circuit = circuit,
                 .values = values,
                 .plan = plan,
                 .n_chunks = hints->n_chunks > 0 ? hints->n_chunks : strand_size(hints->strand)};
    witness_t *w = &x->witness;

    witness_reserve(w, plan->counts.n_inputs, plan->counts.n_aux, plan->n_elements);
    w->n_inputs = plan->counts.n_inputs;
    w->n_aux = plan->counts.n_aux;
    w->n_elements = plan->n_elements;
    if (plan->n_parts > 0) {
        cuzk_error unused;

        (void)strand_run(hints->strand, run.n_chunks, run_chunk, &run, &unused);
        return;
    }
    run_between(&run, 0, 0, (circuit_position_t){.n_inputs = 1},
                (circuit_position_t){.n_inputs = plan->counts.n_inputs,
                                     .n_aux = plan->counts.n_aux,
                                     .n_elements = plan->n_elements,
                                     .n_constraints = plan->counts.n_constraints});
}
