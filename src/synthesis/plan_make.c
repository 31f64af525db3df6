/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdlib.h>

#include "r1cs/bitmap.h"
#include "synthesis/gadget_slots.h"
#include "synthesis/plan.h"

/* The back end that makes a plan. It counts, and marks densities as constraints pass. When a gadget
 * ends that was not seen before, what it added is kept, relative to its slots and to its own first
 * variable; the next time that is added at once, and the gadget is left out. */

enum { FIRST_CAPACITY = 64 };

/* What a gadget adds. A gadget's own variables count from its first. */
typedef struct {
    uint8_t key[SHA256_BYTES];
    uint32_t n_slots; /* distinct ones */
    uint32_t n_outputs;
    uint32_t *outputs;                                      /* own auxiliary variables */
    circuit_position_t size;                                /* how much of everything */
    uint64_t *slots_a, *slots_b, *aux_a, *aux_b, *inputs_b; /* bitmaps of density, one block */
    uint64_t *aux_bits;                                     /* in it, too: which are bits */
    bool one_in_b;
} gadget_record_t;

typedef struct {
    cs_t cs;
    circuit_plan_t *plan;
    uint32_t n_elements;
    density_t bits; /* auxiliary variables that are bits */
    size_t parts_capacity;
    gadget_record_t *records;
    size_t n_records, records_capacity;
    /* the outermost gadget under way */
    unsigned depth;
    gadget_slots_t slots;
    uint8_t key[SHA256_BYTES];
    circuit_position_t begin;
    uint64_t *outer_a, *outer_b; /* bitmaps over slots: density from before the gadget */
    size_t outer_words;
    bool outer_one;
} plan_cs_t;

/* The only reason to leave the circuit. */
static void expect_memory(plan_cs_t *self, bool there_is)
{
    if (!there_is) cs_leave(&self->cs);
}

static void *grown(plan_cs_t *self, void *p, size_t *capacity, size_t n, size_t size)
{
    size_t wanted = *capacity == 0 ? FIRST_CAPACITY : *capacity;

    if (n <= *capacity) return p;
    while (wanted < n) wanted *= 2;
    void *larger = realloc(p, wanted * size);
    expect_memory(self, larger != NULL);
    *capacity = wanted;
    return larger;
}

/* Room for more variables, so that their words are there to be read. */
static void reserve(plan_cs_t *self, uint64_t more_aux, uint64_t more_inputs)
{
    densities_t *d = &self->plan->densities;

    expect_memory(self, density_reserve(&d->a_aux, self->cs.n_aux + more_aux) &&
                            density_reserve(&d->b_aux, self->cs.n_aux + more_aux) &&
                            density_reserve(&self->bits, self->cs.n_aux + more_aux) &&
                            density_reserve(&d->b_input, self->cs.n_inputs + more_inputs));
}

static void plan_alloc(cs_t *cs, const fr_t *value)
{
    plan_cs_t *self = (plan_cs_t *)cs;

    (void)value;
    reserve(self, 1, 0);
    self->n_elements++;
}

static void plan_alloc_bit(cs_t *cs, bool value)
{
    plan_cs_t *self = (plan_cs_t *)cs;

    (void)value;
    reserve(self, 1, 0);
    bitmap_set(self->bits.words, cs->n_aux);
}

static void plan_alloc_input(cs_t *cs, const fr_t *value)
{
    (void)value;
    reserve((plan_cs_t *)cs, 0, 1);
}

static void plan_enforce(cs_t *cs, const lc_t *a, const lc_t *b, const lc_t *c)
{
    plan_cs_t *self = (plan_cs_t *)cs;

    (void)c;
    expect_memory(self, densities_add(&self->plan->densities, a, b));
}

static circuit_position_t position(const plan_cs_t *self)
{
    return (circuit_position_t){.n_inputs = self->cs.n_inputs,
                                .n_aux = self->cs.n_aux,
                                .n_elements = self->n_elements,
                                .n_constraints = self->cs.n_constraints};
}

/* The next part's beginning, or the last one's end. */
static void add_position(plan_cs_t *self, uint32_t i)
{
    self->plan->parts = grown(self, self->plan->parts, &self->parts_capacity, (size_t)i + 1,
                              sizeof *self->plan->parts);
    self->plan->parts[i] = position(self);
}

static bool plan_part(cs_t *cs)
{
    plan_cs_t *self = (plan_cs_t *)cs;

    VERIFY(self->depth == 0);
    add_position(self, self->plan->n_parts);
    self->plan->n_parts++;
    return true;
}

/* Takes bit i from a density: returns it and leaves 0. */
static bool take_bit(density_t *d, uint32_t i)
{
    uint64_t *word = &d->words[i / 64];
    const bool was = *word >> i % 64 & 1;

    *word &= ~((uint64_t)1 << i % 64);
    return was;
}

/* Densities of the slots so far are set aside, so that those of the gadget can be seen. */
static void begin_record(plan_cs_t *self)
{
    densities_t *d = &self->plan->densities;
    const size_t words = bitmap_words(self->slots.n);

    self->begin = position(self);
    if (words > self->outer_words) {
        uint64_t *outer = realloc(self->outer_a, 2 * words * sizeof *outer);

        expect_memory(self, outer != NULL);
        self->outer_a = outer;
        self->outer_words = words;
    }
    self->outer_b = self->outer_a == NULL ? NULL : self->outer_a + words;
    if (words > 0) memset(self->outer_a, 0, 2 * words * sizeof *self->outer_a);
    self->outer_one = take_bit(&d->b_input, VAR_ONE);
    for (uint32_t k = 0; k < self->slots.n; k++) {
        const uint32_t i = self->slots.vars[k] & ~VAR_AUX;
        const bool is_aux = self->slots.vars[k] & VAR_AUX;

        VERIFY(i < (is_aux ? self->cs.n_aux : self->cs.n_inputs));
        if (is_aux && take_bit(&d->a_aux, i)) bitmap_set(self->outer_a, k);
        if (take_bit(is_aux ? &d->b_aux : &d->b_input, i)) bitmap_set(self->outer_b, k);
    }
    self->depth = 1;
}

/* Sets the bits of slots, which have their words. */
static void mark_slots(densities_t *d, const gadget_slots_t *slots, const uint64_t *a,
                       const uint64_t *b)
{
    for (uint32_t k = 0; k < slots->n; k++) {
        const uint32_t i = slots->vars[k] & ~VAR_AUX;
        const bool is_aux = slots->vars[k] & VAR_AUX;

        if (bitmap_get(a, k)) bitmap_set(d->a_aux.words, i);
        if (bitmap_get(b, k)) bitmap_set((is_aux ? &d->b_aux : &d->b_input)->words, i);
    }
}

static void set_outputs(plan_cs_t *self, gadget_record_t *r, const cs_gadget_t *g)
{
    r->outputs = malloc((g->n_outputs + 1) * sizeof *r->outputs);
    expect_memory(self, r->outputs != NULL);
    r->n_outputs = g->n_outputs;
    for (uint32_t i = 0; i < g->n_outputs; i++) {
        VERIFY((g->outputs[i] & ~VAR_AUX) >= self->begin.n_aux);
        r->outputs[i] = (g->outputs[i] & ~VAR_AUX) - self->begin.n_aux;
    }
}

static void set_densities(plan_cs_t *self, gadget_record_t *r)
{
    const densities_t *d = &self->plan->densities;
    const size_t slots = bitmap_words(r->n_slots);
    const size_t aux = bitmap_words(r->size.n_aux);

    r->slots_a = calloc(2 * slots + 3 * aux + bitmap_words(r->size.n_inputs) + 1, sizeof(uint64_t));
    expect_memory(self, r->slots_a != NULL);
    r->slots_b = r->slots_a + slots;
    r->aux_a = r->slots_b + slots;
    r->aux_b = r->aux_a + aux;
    r->aux_bits = r->aux_b + aux;
    r->inputs_b = r->aux_bits + aux;
    r->one_in_b = density_get(&d->b_input, VAR_ONE);
    for (uint32_t k = 0; k < r->n_slots; k++) {
        const uint32_t i = self->slots.vars[k] & ~VAR_AUX;
        const bool is_aux = self->slots.vars[k] & VAR_AUX;

        if (is_aux && density_get(&d->a_aux, i)) bitmap_set(r->slots_a, k);
        if (density_get(is_aux ? &d->b_aux : &d->b_input, i)) bitmap_set(r->slots_b, k);
    }
    bitmap_or(r->aux_a, 0, d->a_aux.words, self->begin.n_aux, r->size.n_aux);
    bitmap_or(r->aux_b, 0, d->b_aux.words, self->begin.n_aux, r->size.n_aux);
    bitmap_or(r->aux_bits, 0, self->bits.words, self->begin.n_aux, r->size.n_aux);
    bitmap_or(r->inputs_b, 0, d->b_input.words, self->begin.n_inputs, r->size.n_inputs);
}

static void end_record(plan_cs_t *self, const cs_gadget_t *g)
{
    densities_t *d = &self->plan->densities;
    const circuit_position_t now = position(self);

    self->records = grown(self, self->records, &self->records_capacity, self->n_records + 1,
                          sizeof *self->records);
    gadget_record_t *r = &self->records[self->n_records++];
    *r =
        (gadget_record_t){.n_slots = self->slots.n,
                          .size = {.n_inputs = now.n_inputs - self->begin.n_inputs,
                                   .n_aux = now.n_aux - self->begin.n_aux,
                                   .n_elements = now.n_elements - self->begin.n_elements,
                                   .n_constraints = now.n_constraints - self->begin.n_constraints}};
    memcpy(r->key, self->key, sizeof r->key);
    set_outputs(self, r, g);
    set_densities(self, r);
    mark_slots(d, &self->slots, self->outer_a, self->outer_b);
    if (self->outer_one) bitmap_set(d->b_input.words, VAR_ONE);
}

static void add_recorded(plan_cs_t *self, const gadget_record_t *r, const cs_gadget_t *g)
{
    densities_t *d = &self->plan->densities;
    cs_t *cs = &self->cs;

    VERIFY(r->n_outputs == g->n_outputs && r->n_slots == self->slots.n);
    reserve(self, r->size.n_aux, r->size.n_inputs);
    for (uint32_t i = 0; i < g->n_outputs; i++)
        g->outputs[i] = VAR_AUX | (cs->n_aux + r->outputs[i]);
    mark_slots(d, &self->slots, r->slots_a, r->slots_b);
    if (r->one_in_b) bitmap_set(d->b_input.words, VAR_ONE);
    bitmap_or(d->a_aux.words, cs->n_aux, r->aux_a, 0, r->size.n_aux);
    bitmap_or(d->b_aux.words, cs->n_aux, r->aux_b, 0, r->size.n_aux);
    bitmap_or(self->bits.words, cs->n_aux, r->aux_bits, 0, r->size.n_aux);
    bitmap_or(d->b_input.words, cs->n_inputs, r->inputs_b, 0, r->size.n_inputs);
    cs->n_aux += r->size.n_aux;
    cs->n_inputs += r->size.n_inputs;
    cs->n_constraints += r->size.n_constraints;
    self->n_elements += r->size.n_elements;
}

static bool plan_gadget_begin(cs_t *cs, const cs_gadget_t *g)
{
    plan_cs_t *self = (plan_cs_t *)cs;

    if (self->depth > 0) {
        self->depth++;
        return false;
    }
    expect_memory(self, gadget_slots_read(&self->slots, g));
    gadget_slots_key(self->key, &self->slots, g);
    for (size_t i = 0; i < self->n_records; i++) { /* a circuit has a few dozen */
        if (memcmp(self->records[i].key, self->key, sizeof self->key) != 0) continue;
        add_recorded(self, &self->records[i], g);
        return true;
    }
    begin_record(self);
    return false;
}

static void plan_gadget_end(cs_t *cs, const cs_gadget_t *g)
{
    plan_cs_t *self = (plan_cs_t *)cs;

    if (--self->depth == 0) end_record(self, g);
}

static const cs_ops_t plan_ops = {.alloc = plan_alloc,
                                  .alloc_bit = plan_alloc_bit,
                                  .alloc_input = plan_alloc_input,
                                  .enforce = plan_enforce,
                                  .part = plan_part,
                                  .gadget_begin = plan_gadget_begin,
                                  .gadget_end = plan_gadget_end};

/* The circuit, and what may be refused memory before and after it. */
static void run_circuit(cs_t *cs, const void *arg)
{
    plan_cs_t *self = (plan_cs_t *)cs;
    const circuit_call_t *run = arg;

    reserve(self, 0, 0);
    run->circuit(cs, run->values);
    if (self->plan->n_parts > 0) add_position(self, self->plan->n_parts);
}

/* Dense variables that are elements. */
static uint32_t count_elements(const plan_cs_t *self, const density_t *d)
{
    const size_t n_words = bitmap_words(self->cs.n_aux);
    uint32_t n = 0;

    for (size_t i = 0; i < n_words; i++)
        n += (uint32_t)__builtin_popcountll(d->words[i] & ~self->bits.words[i]);
    return n;
}

static void finish(plan_cs_t *self)
{
    circuit_plan_t *plan = self->plan;

    plan->counts.n_inputs = self->cs.n_inputs;
    plan->counts.n_aux = self->cs.n_aux;
    plan->counts.n_constraints = self->cs.n_constraints;
    plan->n_elements = self->n_elements;
    plan->a_elements = count_elements(self, &plan->densities.a_aux);
    plan->b_elements = count_elements(self, &plan->densities.b_aux);
    density_trim(&plan->densities.a_aux, self->cs.n_aux);
    density_trim(&plan->densities.b_aux, self->cs.n_aux);
    density_trim(&plan->densities.b_input, self->cs.n_inputs);
    circuit_count_densities(&plan->counts, &plan->densities);
    if (plan->n_parts == 0) return;
    void *parts = realloc(plan->parts, ((size_t)plan->n_parts + 1) * sizeof *plan->parts);
    if (parts != NULL) plan->parts = parts;
}

static void release(plan_cs_t *self)
{
    for (size_t i = 0; i < self->n_records; i++) {
        free(self->records[i].outputs);
        free(self->records[i].slots_a);
    }
    free(self->records);
    free(self->outer_a);
    free(self->bits.words);
    gadget_slots_clear(&self->slots);
    arena_close(&self->cs.arena);
}

cuzk_status synthesis_plan(circuit_plan_t *plan, circuit_fn circuit, const void *values,
                           cuzk_error *err)
{
    const circuit_call_t run = {circuit, values};
    plan_cs_t self = {.cs = {.ops = &plan_ops, .n_inputs = 1}, .plan = plan};

    *plan = (circuit_plan_t){0};
    const cuzk_status st = arena_open(&self.cs.arena, CS_ARENA_BYTES, "circuit", err);
    if (st != CUZK_OK) return st;
    const bool complete = cs_run(&self.cs, run_circuit, &run);
    if (complete) finish(&self);
    release(&self);
    if (complete) return CUZK_OK;
    circuit_plan_clear(plan);
    return error_set(err, CUZK_ERR_MEMORY, "plan of a circuit: no memory");
}
