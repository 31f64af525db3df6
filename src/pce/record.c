/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <ctype.h>
#include <stdlib.h>

#include "base/memory.h"
#include "pce/form.h"
#include "synthesis/gadget_slots.h"

/* The back end that compiles a circuit. Constraints are gathered in a block, relative to the
 * variables that are made in it; a block becomes a template, unless one with the same contents is
 * there, and a stamp. A gadget is a block of its own, and the second time it comes no constraint
 * of it is made. What lies between gadgets is cut at their beginnings and at those of parts. */

enum {
    OWN_AUX = 1u << 31, /* references while the number of slots is open */
    OWN_INPUT = 1u << 30,
    LG_FIRST_TABLE = 10,
    KEY_BYTES = SHA256_BYTES
};

/** Open addressing from keys of KEY_BYTES bytes (or less, zero-filled) to numbers. */
typedef struct {
    uint8_t (*keys)[KEY_BYTES];
    uint32_t *values; /* number + 1, 0 where nothing is */
    unsigned lg;
    uint32_t n;
} table_t;

/* A gadget that is known. */
typedef struct {
    uint32_t template;
    uint32_t *outputs; /* own auxiliary variables */
    uint32_t n_outputs;
} known_t;

/* Constraints under way. */
typedef struct {
    circuit_position_t base;
    bool is_gadget;
    var_t *slots;
    uint32_t n_slots;
    size_t slots_capacity;
    uint32_t *ends;
    size_t n_ends, ends_capacity;
    pce_term_t *terms;
    size_t n_terms, terms_capacity;
    table_t by_var; /* slots */
} record_block_t;

typedef struct {
    cs_t cs;
    pce_t *pce;
    uint32_t n_elements;
    uint64_t *is_bit; /* of all auxiliary variables so far */
    size_t is_bit_capacity;
    record_block_t block;
    unsigned depth; /* of gadgets under way */
    table_t coeffs, templates, gadgets;
    size_t coeffs_capacity, templates_capacity, stamps_capacity, runs_capacity, parts_capacity;
    known_t *known;
    size_t n_known, known_capacity;
    template_t made; /* until it is the PCE's, or given up */
    gadget_slots_t slots;
    uint8_t gadget_key[KEY_BYTES]; /* of the one under way */
    bool unnamed;                  /* a gadget used a variable that it does not name */
} record_cs_t;

/* The circuit is left when there is no memory. */
static void expect_memory(record_cs_t *self, bool there_is)
{
    if (!there_is) cs_leave(&self->cs);
}

static void *grow(record_cs_t *self, void *p, size_t *capacity, size_t n, size_t size)
{
    void *grown = grow_array(p, capacity, n, size);

    expect_memory(self, grown != NULL);
    return grown;
}

static uint64_t hash_key(const uint8_t key[KEY_BYTES])
{
    uint64_t words[KEY_BYTES / 8];
    uint64_t h = 0;

    memcpy(words, key, sizeof words);
    for (unsigned i = 0; i < KEY_BYTES / 8; i++) h = (h ^ words[i]) * 0x9e3779b97f4a7c15;
    return h ^ h >> 29;
}

static void table_clear(table_t *t)
{
    free(t->keys);
    free(t->values);
    *t = (table_t){0};
}

static void table_forget(table_t *t)
{
    if (t->n > 0) memset(t->values, 0, sizeof *t->values << t->lg);
    t->n = 0;
}

/* Where the key is, or would be. */
static size_t table_slot(const table_t *t, const uint8_t key[KEY_BYTES])
{
    const size_t mask = ((size_t)1 << t->lg) - 1;
    size_t i = hash_key(key) & mask;

    while (t->values[i] != 0 && memcmp(t->keys[i], key, KEY_BYTES) != 0) i = (i + 1) & mask;
    return i;
}

/* False when there is no memory: the table is as it was. */
static bool table_grow(table_t *t)
{
    const table_t old = *t;
    const unsigned lg = old.values == NULL ? LG_FIRST_TABLE : old.lg + 1;
    uint8_t(*keys)[KEY_BYTES] = calloc((size_t)1 << lg, sizeof *keys);
    uint32_t *values = calloc((size_t)1 << lg, sizeof *values);

    if (keys == NULL || values == NULL) {
        free(keys);
        free(values);
        return false;
    }
    *t = (table_t){.keys = keys, .values = values, .lg = lg, .n = old.n};
    for (size_t i = 0; old.values != NULL && i < (size_t)1 << old.lg; i++) {
        if (old.values[i] == 0) continue;
        const size_t to = table_slot(t, old.keys[i]);
        memcpy(t->keys[to], old.keys[i], KEY_BYTES);
        t->values[to] = old.values[i];
    }
    free(old.keys);
    free(old.values);
    return true;
}

/* The number of the key; `next` is given to a new one. */
static uint32_t table_number(record_cs_t *self, table_t *t, const uint8_t key[KEY_BYTES],
                             uint32_t next)
{
    if (t->values == NULL || (size_t)2 * t->n >= (size_t)1 << t->lg)
        expect_memory(self, table_grow(t));
    const size_t i = table_slot(t, key);
    if (t->values[i] == 0) {
        memcpy(t->keys[i], key, KEY_BYTES);
        t->values[i] = next + 1;
        t->n++;
    }
    return t->values[i] - 1;
}

static circuit_position_t position(const record_cs_t *self)
{
    return (circuit_position_t){.n_inputs = self->cs.n_inputs,
                                .n_aux = self->cs.n_aux,
                                .n_elements = self->n_elements,
                                .n_constraints = self->cs.n_constraints};
}

static uint32_t slot_of(record_cs_t *self, var_t var)
{
    record_block_t *b = &self->block;
    uint8_t key[KEY_BYTES] = {0};

    memcpy(key, &var, sizeof var);
    const uint32_t slot = table_number(self, &b->by_var, key, b->n_slots);
    if (slot == b->n_slots) {
        if (b->is_gadget) {
            self->unnamed = true;
            cs_leave(&self->cs);
        }
        b->slots = grow(self, b->slots, &b->slots_capacity, (size_t)b->n_slots + 1, sizeof var);
        b->slots[b->n_slots++] = var;
    }
    return slot;
}

static uint32_t reference(record_cs_t *self, var_t var)
{
    const record_block_t *b = &self->block;
    const uint32_t i = var & ~VAR_AUX;

    if (var == VAR_ONE) return 0;
    if ((var & VAR_AUX) && i >= b->base.n_aux) return OWN_AUX | (i - b->base.n_aux);
    if (!(var & VAR_AUX) && i >= b->base.n_inputs) return OWN_INPUT | (i - b->base.n_inputs);
    return 1 + slot_of(self, var);
}

static uint32_t coeff_number(record_cs_t *self, const fr_t *coeff)
{
    pce_t *pce = self->pce;
    const uint32_t number =
        table_number(self, &self->coeffs, (const uint8_t *)coeff->l, pce->n_coeffs);

    if (number < pce->n_coeffs) return number;
    pce->coeffs = grow(self, pce->coeffs, &self->coeffs_capacity, (size_t)pce->n_coeffs + 1,
                       sizeof *pce->coeffs);
    pce->coeffs[pce->n_coeffs++] = *coeff;
    return number;
}

static void add_side(record_cs_t *self, const lc_t *lc)
{
    const lc_term_t *terms = lc_terms(lc);
    record_block_t *b = &self->block;

    b->terms = grow(self, b->terms, &b->terms_capacity, b->n_terms + lc->n + 1, sizeof *b->terms);
    for (uint32_t i = 0; i < lc->n; i++) {
        if (fr_is_zero(&terms[i].coeff)) continue;
        b->terms[b->n_terms++] = (pce_term_t){.ref = reference(self, terms[i].var),
                                              .coeff = coeff_number(self, &terms[i].coeff)};
    }
    b->ends = grow(self, b->ends, &b->ends_capacity, b->n_ends + 1, sizeof *b->ends);
    b->ends[b->n_ends++] = (uint32_t)b->n_terms;
}

static void record_enforce(cs_t *cs, const lc_t *a, const lc_t *b, const lc_t *c)
{
    record_cs_t *self = (record_cs_t *)cs;

    add_side(self, a);
    add_side(self, b);
    add_side(self, c);
}

/* Room for n more auxiliary variables, as elements until their bits are set. */
static void reserve_bits(record_cs_t *self, uint64_t n)
{
    const size_t old = self->is_bit_capacity;

    self->is_bit = grow(self, self->is_bit, &self->is_bit_capacity,
                        bitmap_words(self->cs.n_aux + n) + 1, sizeof *self->is_bit);
    if (self->is_bit_capacity > old)
        memset(self->is_bit + old, 0, (self->is_bit_capacity - old) * sizeof *self->is_bit);
}

static void record_alloc(cs_t *cs, const fr_t *value)
{
    record_cs_t *self = (record_cs_t *)cs;

    (void)value;
    reserve_bits(self, 1);
    self->n_elements++;
}

static void record_alloc_bit(cs_t *cs, bool value)
{
    record_cs_t *self = (record_cs_t *)cs;

    (void)value;
    reserve_bits(self, 1);
    bitmap_set(self->is_bit, cs->n_aux);
}

static void record_alloc_input(cs_t *cs, const fr_t *value)
{
    (void)cs;
    (void)value;
}

static void add_stamp(record_cs_t *self, uint32_t template, const var_t *slots, uint32_t n_slots)
{
    pce_t *pce = self->pce;

    pce->stamps = grow(self, pce->stamps, &self->stamps_capacity, (size_t)pce->n_stamps + 2,
                       sizeof *pce->stamps);
    pce->stamps[pce->n_stamps++] = (stamp_t){.template = template, .first_run = pce->n_runs};
    for (uint32_t i = 0; i < n_slots;) {
        uint32_t end = i + 1;

        while (end < n_slots && slots[end] == slots[end - 1] + 1) end++;
        pce->runs =
            grow(self, pce->runs, &self->runs_capacity, (size_t)pce->n_runs + 1, sizeof *pce->runs);
        pce->runs[pce->n_runs++] = (slot_run_t){.first = slots[i], .count = end - i};
        i = end;
    }
    pce->stamps[pce->n_stamps].first_run = pce->n_runs;
}

/* self->made = the template of the block; its numbers of references are final now. */
static void make_template(record_cs_t *self)
{
    const record_block_t *b = &self->block;
    template_t t = {.n_slots = b->n_slots,
                    .n_aux = self->cs.n_aux - b->base.n_aux,
                    .n_inputs = self->cs.n_inputs - b->base.n_inputs,
                    .n_rows = (uint32_t)(b->n_ends / 3),
                    .n_terms = (uint32_t)b->n_terms};

    t.is_bit = calloc(bitmap_words((uint64_t)1 + t.n_slots + t.n_aux), sizeof *t.is_bit);
    expect_memory(self, t.is_bit != NULL);
    bitmap_set(t.is_bit, 0);
    for (uint32_t i = 0; i < t.n_slots; i++) {
        if ((b->slots[i] & VAR_AUX) && bitmap_get(self->is_bit, b->slots[i] & ~VAR_AUX))
            bitmap_set(t.is_bit, (uint64_t)1 + i);
    }
    if (t.n_aux > 0)
        bitmap_or(t.is_bit, (uint64_t)1 + t.n_slots, self->is_bit, b->base.n_aux, t.n_aux);
    for (size_t i = 0; i < b->n_terms; i++) {
        uint32_t *ref = &b->terms[i].ref;

        if (*ref & OWN_AUX)
            *ref = 1 + t.n_slots + (*ref & ~(uint32_t)OWN_AUX);
        else if (*ref & OWN_INPUT)
            *ref = 1 + t.n_slots + t.n_aux + (*ref & ~(uint32_t)OWN_INPUT);
    }
    self->made = t;
}

static void template_key(uint8_t key[KEY_BYTES], const record_block_t *b, const template_t *t)
{
    const uint32_t counts[] = {t->n_slots, t->n_aux, t->n_inputs, t->n_rows};
    sha256_t h;

    sha256_init(&h);
    sha256_update(&h, counts, sizeof counts);
    sha256_update(&h, t->is_bit,
                  bitmap_words((uint64_t)1 + t->n_slots + t->n_aux) * sizeof *t->is_bit);
    sha256_update(&h, b->ends, b->n_ends * sizeof *b->ends);
    sha256_update(&h, b->terms, b->n_terms * sizeof *b->terms);
    sha256_final(key, &h);
}

static void *copied(record_cs_t *self, const void *p, size_t n, size_t size)
{
    void *r = calloc(n + 1, size);

    expect_memory(self, r != NULL);
    if (n > 0) memcpy(r, p, n * size);
    return r;
}

static void open_block(record_cs_t *self, bool is_gadget)
{
    record_block_t *b = &self->block;

    b->base = position(self);
    b->is_gadget = is_gadget;
    b->n_slots = 0;
    b->n_ends = 0;
    b->n_terms = 0;
    table_forget(&b->by_var);
}

/* Closes the block: a stamp, of a new template when need be. Returns the template. */
static uint32_t close_block(record_cs_t *self)
{
    const record_block_t *b = &self->block;
    pce_t *pce = self->pce;
    const circuit_position_t now = position(self);
    uint8_t key[KEY_BYTES];

    if (now.n_aux == b->base.n_aux && now.n_inputs == b->base.n_inputs && b->n_ends == 0) return 0;
    make_template(self);
    template_t *t = &self->made;
    template_key(key, b, t);
    const uint32_t number = table_number(self, &self->templates, key, pce->n_templates);
    if (number == pce->n_templates) {
        t->ends = copied(self, b->ends, b->n_ends, sizeof *b->ends);
        t->terms = copied(self, b->terms, b->n_terms, sizeof *b->terms);
        t->n_elements = now.n_elements - b->base.n_elements;
        pce->templates = grow(self, pce->templates, &self->templates_capacity, (size_t)number + 1,
                              sizeof *pce->templates);
        pce->templates[pce->n_templates++] = *t;
        *t = (template_t){0};
    }
    template_clear(t);
    add_stamp(self, number, b->slots, b->n_slots);
    return number;
}

static bool record_part(cs_t *cs)
{
    record_cs_t *self = (record_cs_t *)cs;
    circuit_plan_t *plan = &self->pce->plan;

    VERIFY(self->depth == 0);
    (void)close_block(self);
    open_block(self, false);
    plan->parts = grow(self, plan->parts, &self->parts_capacity, (size_t)plan->n_parts + 2,
                       sizeof *plan->parts);
    plan->parts[plan->n_parts++] = position(self);
    return true;
}

/* Which gadget: besides name, key and how its slots repeat, which of them are bits. The distinct
 * slots are left in the block. */
static void find_slots(record_cs_t *self, const cs_gadget_t *g)
{
    uint8_t key[SHA256_BYTES];
    sha256_t h;

    expect_memory(self, gadget_slots_read(&self->slots, g));
    gadget_slots_key(key, &self->slots, g);
    for (uint32_t i = 0; i < self->slots.n; i++) (void)slot_of(self, self->slots.vars[i]);
    sha256_init(&h);
    sha256_update(&h, key, sizeof key);
    for (uint32_t i = 0; i < self->slots.n; i++) {
        const var_t var = self->slots.vars[i];
        const bool is_bit = (var & VAR_AUX) && bitmap_get(self->is_bit, var & ~VAR_AUX);

        sha256_update(&h, &is_bit, sizeof is_bit);
    }
    sha256_final(self->gadget_key, &h);
}

/* Puts a known gadget's stamp. */
static void stamp_known(record_cs_t *self, const known_t *known, const cs_gadget_t *g)
{
    const record_block_t *b = &self->block;
    const template_t *t = &self->pce->templates[known->template];
    cs_t *cs = &self->cs;

    VERIFY(known->n_outputs == g->n_outputs);
    for (uint32_t i = 0; i < g->n_outputs; i++)
        g->outputs[i] = VAR_AUX | (cs->n_aux + known->outputs[i]);
    add_stamp(self, known->template, b->slots, b->n_slots);
    reserve_bits(self, t->n_aux);
    bitmap_or(self->is_bit, cs->n_aux, t->is_bit, (uint64_t)1 + t->n_slots, t->n_aux);
    cs->n_aux += t->n_aux;
    cs->n_inputs += t->n_inputs;
    cs->n_constraints += t->n_rows;
    self->n_elements += t->n_elements;
}

static bool record_gadget_begin(cs_t *cs, const cs_gadget_t *g)
{
    record_cs_t *self = (record_cs_t *)cs;

    if (self->depth > 0) {
        self->depth++;
        return false;
    }
    (void)close_block(self);
    open_block(self, false);
    find_slots(self, g);
    self->block.is_gadget = true;
    const uint32_t n = self->gadgets.n;
    const uint32_t number = table_number(self, &self->gadgets, self->gadget_key, n);
    if (number < n) {
        stamp_known(self, &self->known[number], g);
        open_block(self, false);
        return true;
    }
    self->depth = 1;
    return false;
}

static void record_gadget_end(cs_t *cs, const cs_gadget_t *g)
{
    record_cs_t *self = (record_cs_t *)cs;

    if (--self->depth > 0) return;
    self->known =
        grow(self, self->known, &self->known_capacity, self->n_known + 1, sizeof *self->known);
    known_t *known = &self->known[self->n_known];
    *known = (known_t){.n_outputs = g->n_outputs};
    known->outputs = calloc((size_t)g->n_outputs + 1, sizeof *known->outputs);
    expect_memory(self, known->outputs != NULL);
    self->n_known++;
    for (uint32_t i = 0; i < g->n_outputs; i++) {
        VERIFY((g->outputs[i] & ~VAR_AUX) >= self->block.base.n_aux);
        known->outputs[i] = (g->outputs[i] & ~VAR_AUX) - self->block.base.n_aux;
    }
    known->template = close_block(self);
    open_block(self, false);
}

static const cs_ops_t record_ops = {.alloc = record_alloc,
                                    .alloc_bit = record_alloc_bit,
                                    .alloc_input = record_alloc_input,
                                    .enforce = record_enforce,
                                    .part = record_part,
                                    .gadget_begin = record_gadget_begin,
                                    .gadget_end = record_gadget_end};

static void release(record_cs_t *self)
{
    for (size_t i = 0; i < self->n_known; i++) free(self->known[i].outputs);
    free(self->known);
    table_clear(&self->coeffs);
    table_clear(&self->templates);
    table_clear(&self->gadgets);
    table_clear(&self->block.by_var);
    free(self->block.slots);
    free(self->block.ends);
    free(self->block.terms);
    free(self->is_bit);
    template_clear(&self->made);
    gadget_slots_clear(&self->slots);
    arena_close(&self->cs.arena);
}

/* The circuit, and what may be refused memory before and after it. */
static void run_circuit(cs_t *cs, const void *arg)
{
    record_cs_t *self = (record_cs_t *)cs;
    const circuit_call_t *run = arg;

    self->pce->stamps = grow(self, NULL, &self->stamps_capacity, 1, sizeof *self->pce->stamps);
    self->pce->stamps[0] = (stamp_t){0};
    open_block(self, false);
    run->circuit(cs, run->values);
    (void)close_block(self);
}

static void finish_plan(record_cs_t *self)
{
    circuit_plan_t *plan = &self->pce->plan;

    plan->counts.n_inputs = self->cs.n_inputs;
    plan->counts.n_aux = self->cs.n_aux;
    plan->counts.n_constraints = self->cs.n_constraints;
    plan->n_elements = self->n_elements;
    if (plan->n_parts > 0) plan->parts[plan->n_parts] = position(self);
}

static bool label_is_good(const char *label)
{
    const size_t n = strlen(label);

    for (size_t i = 0; i < n; i++)
        if (!isgraph((unsigned char)label[i]) || label[i] == '/') return false;
    return n > 0 && n < PCE_LABEL_BYTES;
}

static cuzk_status why_left(const record_cs_t *self, const char *label, cuzk_error *err)
{
    if (self->unnamed)
        return error_set(err, CUZK_ERR_INTERNAL, "%s: a gadget uses a variable it does not name",
                         label);
    return error_set(err, CUZK_ERR_MEMORY, "%s: no memory to compile it", label);
}

cuzk_status pce_extract(pce_t **out, const char *label, circuit_fn circuit, const void *values,
                        cuzk_error *err)
{
    const circuit_call_t run = {circuit, values};
    record_cs_t self = {.cs = {.ops = &record_ops, .n_inputs = 1}};

    *out = NULL;
    if (!label_is_good(label))
        return error_set(err, CUZK_ERR_ARG, "label: 1 to %d printable characters, no '/'",
                         PCE_LABEL_BYTES - 1);
    self.pce = mem_alloc(1, sizeof *self.pce, "compiled circuit", err);
    if (self.pce == NULL) return CUZK_ERR_MEMORY;
    memcpy(self.pce->label, label, strlen(label));
    cuzk_status st = arena_open(&self.cs.arena, CS_ARENA_BYTES, "circuit", err);
    if (st == CUZK_OK && !cs_run(&self.cs, run_circuit, &run)) st = why_left(&self, label, err);
    if (st == CUZK_OK) finish_plan(&self);
    release(&self);
    if (st == CUZK_OK) st = pce_finish(self.pce, label, err);
    if (st != CUZK_OK)
        pce_free(self.pce);
    else
        *out = self.pce;
    return st;
}
