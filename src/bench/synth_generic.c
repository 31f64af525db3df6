/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/synth_generic.h"

#include "base/memory.h"

enum { FIRST_CAPACITY = 1 << 10 };

/* The back end. */
typedef struct {
    cs_t cs;
    generic_made_t *made;
    bool gather; /* densities */
    cuzk_status st;
    cuzk_error *err;
} lab_generic_cs_t;

static void leave(lab_generic_cs_t *self, cuzk_status st)
{
    if (st == CUZK_OK) return;
    self->st = st;
    cs_leave(&self->cs);
}

static void expect_memory(lab_generic_cs_t *self, bool there_is)
{
    if (!there_is) leave(self, error_set(self->err, CUZK_ERR_MEMORY, "circuit: no memory to grow"));
}

/* Moves the sides into arrays of `capacity` elements, zero past the old end. */
static cuzk_status set_capacity(generic_made_t *made, size_t capacity, cuzk_error *err)
{
    synthesis_sides_t larger;

    const cuzk_status st = synthesis_sides_alloc(&larger, capacity, true, err);
    if (st != CUZK_OK) return st;
    if (made->capacity > 0) {
        memcpy(larger.a, made->sides.a, made->capacity * sizeof(fr_t));
        memcpy(larger.b, made->sides.b, made->capacity * sizeof(fr_t));
        memcpy(larger.c, made->sides.c, made->capacity * sizeof(fr_t));
    }
    synthesis_sides_free(&made->sides, made->capacity);
    made->sides = larger;
    made->capacity = capacity;
    return CUZK_OK;
}

static void generic_alloc(cs_t *cs, const fr_t *value)
{
    lab_generic_cs_t *self = (lab_generic_cs_t *)cs;

    expect_memory(self, witness_add_element(&self->made->witness, value));
}

static void generic_alloc_bit(cs_t *cs, bool value)
{
    lab_generic_cs_t *self = (lab_generic_cs_t *)cs;

    expect_memory(self, witness_add_bit(&self->made->witness, value));
}

static void generic_alloc_input(cs_t *cs, const fr_t *value)
{
    lab_generic_cs_t *self = (lab_generic_cs_t *)cs;

    expect_memory(self, witness_add_input(&self->made->witness, value));
}

static void generic_enforce(cs_t *cs, const lc_t *a, const lc_t *b, const lc_t *c)
{
    lab_generic_cs_t *self = (lab_generic_cs_t *)cs;
    generic_made_t *made = self->made;
    const size_t i = cs->n_constraints;

    if (i == made->capacity) leave(self, set_capacity(made, 2 * i, self->err));
    witness_eval(&made->sides.a[i], &made->witness, a);
    witness_eval(&made->sides.b[i], &made->witness, b);
    witness_eval(&made->sides.c[i], &made->witness, c);
    if (self->gather) expect_memory(self, densities_add(&made->densities, a, b));
}

/* Of a witness alone. */
static void ignore_constraint(cs_t *cs, const lc_t *a, const lc_t *b, const lc_t *c)
{
    (void)cs;
    (void)a;
    (void)b;
    (void)c;
}

static const cs_ops_t generic_ops = {.alloc = generic_alloc,
                                     .alloc_bit = generic_alloc_bit,
                                     .alloc_input = generic_alloc_input,
                                     .enforce = generic_enforce};

static const cs_ops_t witness_ops = {.alloc = generic_alloc,
                                     .alloc_bit = generic_alloc_bit,
                                     .alloc_input = generic_alloc_input,
                                     .enforce = ignore_constraint};

static cuzk_status open_arrays(generic_made_t *made, synth_work work, const circuit_counts_t *sizes,
                               cuzk_error *err)
{
    static const circuit_counts_t unknown;
    const circuit_counts_t *s = sizes != NULL ? sizes : &unknown;
    const size_t m = sizes != NULL ? (size_t)1 << circuit_lg_domain(sizes) : FIRST_CAPACITY;

    *made = (generic_made_t){0};
    const cuzk_status st = witness_open(&made->witness, s->n_inputs, s->n_aux, 0, err);
    if (st != CUZK_OK || work == WORK_WITNESS) return st;
    return set_capacity(made, m, err);
}

/* The added constraints (input i) * 0 = 0. */
static cuzk_status add_input_rows(generic_made_t *made, cuzk_error *err)
{
    const size_t m = (size_t)1 << made->lg_domain;
    cuzk_status st = CUZK_OK;

    if (m > made->capacity) st = set_capacity(made, m, err);
    if (st == CUZK_OK)
        memcpy(made->sides.a + made->counts.n_constraints, made->witness.inputs,
               made->counts.n_inputs * sizeof(fr_t));
    return st;
}

cuzk_status generic_run(generic_made_t *made, circuit_fn circuit, const void *values,
                        synth_work work, const circuit_counts_t *sizes, cuzk_error *err)
{
    lab_generic_cs_t self = {.cs = {.ops = work == WORK_WITNESS ? &witness_ops : &generic_ops,
                                    .has_values = true,
                                    .n_inputs = 1},
                             .made = made,
                             .gather = work == WORK_ALL,
                             .err = err};

    cuzk_status st = open_arrays(made, work, sizes, err);
    if (st == CUZK_OK) st = arena_open(&self.cs.arena, CS_ARENA_BYTES, "circuit", err);
    if (st == CUZK_OK && !cs_run(&self.cs, circuit, values)) st = self.st;
    arena_close(&self.cs.arena);
    made->counts = (circuit_counts_t){.n_inputs = self.cs.n_inputs,
                                      .n_aux = self.cs.n_aux,
                                      .n_constraints = self.cs.n_constraints};
    circuit_count_densities(&made->counts, &made->densities);
    made->lg_domain = circuit_lg_domain(&made->counts);
    if (st == CUZK_OK && work != WORK_WITNESS) st = add_input_rows(made, err);
    if (st != CUZK_OK) generic_made_clear(made);
    return st;
}

void generic_made_clear(generic_made_t *made)
{
    witness_clear(&made->witness);
    synthesis_sides_free(&made->sides, made->capacity);
    densities_clear(&made->densities);
    *made = (generic_made_t){0};
}
