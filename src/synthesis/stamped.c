/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "synthesis/stamped.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/memory.h"
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
    if (cs->n_inputs >= cs->tape->end_inputs) tape_overrun(cs);
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

    if (i < self->first) return false;
    if (i == self->end && i < self->plan->n_parts) cs_leave(cs); /* this chunk is complete */
    if (i == self->end || !same(position(self), self->plan->parts[i])) tape_overrun(cs);
    self->tape.parts_left = self->end - i - 1;
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
    arena_t *arenas; /* of each worker */
    uint32_t n_arenas;
    atomic_bool failed; /* the circuit is not the plan's */
} stamped_run_t;

/* Parts [first, end), from one position to another; false when the circuit has not these. */
static bool run_between(const stamped_run_t *run, arena_t *arena, uint32_t first, uint32_t end,
                        circuit_position_t from, circuit_position_t to)
{
    const arena_mark_t mark = arena_mark(arena);
    tape_cs_t self = {.cs = {.ops = &tape_ops,
                             .arena = *arena,
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
    tape_begin(&self.tape, &self.cs, from.n_elements);
    (void)cs_run(&self.cs, run->circuit, run->values);
    arena_rewind(&self.cs.arena, mark);
    if (self.tape.overrun || !same(position(&self), to)) return false;
    tape_end(&self.tape, &self.cs);
    return true;
}

static void run_chunk(void *arg, size_t index, uint32_t worker)
{
    stamped_run_t *run = arg;
    const circuit_position_t *parts = run->plan->parts;
    uint32_t first, end;

    circuit_plan_chunk(&first, &end, run->plan, (uint32_t)index, run->n_chunks);
    if (first == end || atomic_load_explicit(&run->failed, memory_order_relaxed)) return;
    if (!run_between(run, &run->arenas[worker], first, end, parts[first], parts[end]))
        atomic_store_explicit(&run->failed, true, memory_order_relaxed);
}

/* A circuit without parts. */
static void run_whole(void *arg, size_t index, uint32_t worker)
{
    stamped_run_t *run = arg;
    const circuit_plan_t *plan = run->plan;
    const circuit_position_t from = {.n_inputs = 1};
    const circuit_position_t to = {.n_inputs = plan->counts.n_inputs,
                                   .n_aux = plan->counts.n_aux,
                                   .n_elements = plan->n_elements,
                                   .n_constraints = plan->counts.n_constraints};

    (void)index;
    if (!run_between(run, &run->arenas[worker], 0, 0, from, to)) run->failed = true;
}

static cuzk_status open_arenas(stamped_run_t *run, uint32_t n, cuzk_error *err)
{
    cuzk_status st = CUZK_OK;

    run->arenas = mem_alloc(n, sizeof *run->arenas, "arenas of a circuit", err);
    if (run->arenas == NULL) return CUZK_ERR_MEMORY;
    for (; run->n_arenas < n && st == CUZK_OK; run->n_arenas++)
        st = arena_open(&run->arenas[run->n_arenas], CS_ARENA_BYTES, "circuit", err);
    return st;
}

static void close_arenas(stamped_run_t *run)
{
    for (uint32_t i = 0; i < run->n_arenas; i++) arena_close(&run->arenas[i]);
    free(run->arenas);
}

cuzk_status synthesis_run_stamped(assignment_t *x, circuit_fn circuit, const void *values,
                                  const circuit_plan_t *plan, const synthesis_options_t *options,
                                  cuzk_error *err)
{
    const uint32_t n_workers = strand_size(options->strand);
    witness_t *w = &x->witness;
    stamped_run_t run = {.x = x,
                         .circuit = circuit,
                         .values = values,
                         .plan = plan,
                         .n_chunks = options->n_chunks > 0 ? options->n_chunks
                                                           : circuit_plan_chunks(plan, n_workers)};

    cuzk_status st =
        witness_open(w, plan->counts.n_inputs, plan->counts.n_aux, plan->n_elements, err);
    if (st != CUZK_OK) return st;
    w->n_inputs = plan->counts.n_inputs;
    w->n_aux = plan->counts.n_aux;
    w->n_elements = plan->n_elements;
    st = open_arenas(&run, n_workers, err);
    if (st == CUZK_OK && plan->n_parts > 0)
        st = strand_run(options->strand, run.n_chunks, run_chunk, &run, err);
    else if (st == CUZK_OK)
        st = strand_run(options->strand, 1, run_whole, &run, err);
    if (st == CUZK_OK && run.failed) st = synthesis_refuse_plan(err);
    close_arenas(&run);
    return st;
}
