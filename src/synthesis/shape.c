/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "synthesis/shape.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "r1cs/witness.h"

enum {
    BUFFER_BYTES = 1 << 18, /* hashed at once, twice, while it is in the L2 cache */
    TERM_BYTES = 4 + FR_BYTES,
    FIRST_BLOCKS = 64
};

/* A sequence of items on its way into a digest of all and one of the block under way. */
typedef struct {
    shape_digest_t *out;
    sha256_t all, block;
    bool hashing; /* these two are to be finished */
    strand_t *strand;
    uint8_t *buffer; /* BUFFER_BYTES */
    size_t used;
    size_t capacity; /* of out->blocks */
    uint32_t items_a_block;
    uint32_t items; /* in the block under way */
    cs_t *cs;       /* left when st is set */
    cuzk_status st;
    cuzk_error *err;
} digest_stream_t;

static void stream_fail(digest_stream_t *s, cuzk_status st)
{
    s->st = st;
    cs_leave(s->cs);
}

static cuzk_status stream_init(digest_stream_t *s, shape_digest_t *out,
                               const shape_options_t *options, cs_t *cs, cuzk_error *err)
{
    *s = (digest_stream_t){.out = out,
                           .items_a_block = options->block,
                           .strand = options->strand,
                           .cs = cs,
                           .err = err};
    s->buffer = mem_alloc(BUFFER_BYTES, 1, "circuit's digest", err);
    if (s->buffer == NULL) return CUZK_ERR_MEMORY;
    sha256_init(&s->all);
    sha256_init(&s->block);
    s->hashing = true;
    return CUZK_OK;
}

/* Also of a stream that was left, or never opened. */
static void stream_release(digest_stream_t *s)
{
    uint8_t unused[SHA256_BYTES];

    if (s->hashing) {
        sha256_final(unused, &s->all);
        sha256_final(unused, &s->block);
    }
    free(s->buffer);
}

static void hash_buffer(void *arg, size_t index, uint32_t worker)
{
    digest_stream_t *s = arg;

    (void)worker;
    sha256_update(index == 0 ? &s->all : &s->block, s->buffer, s->used);
}

static void stream_flush(digest_stream_t *s)
{
    const cuzk_status st = strand_run(s->strand, 2, hash_buffer, s, s->err);

    if (st != CUZK_OK) stream_fail(s, st);
    s->used = 0;
}

/* Room for the next n bytes, n at most BUFFER_BYTES. */
static uint8_t *stream_take(digest_stream_t *s, size_t n)
{
    if (n > BUFFER_BYTES - s->used) stream_flush(s);
    uint8_t *at = s->buffer + s->used;
    s->used += n;
    return at;
}

static void stream_end_block(digest_stream_t *s)
{
    uint8_t digest[SHA256_BYTES];
    shape_digest_t *out = s->out;

    stream_flush(s);
    sha256_final(digest, &s->block);
    sha256_init(&s->block);
    s->items = 0;
    if (out->n_blocks == s->capacity) {
        s->capacity = s->capacity == 0 ? FIRST_BLOCKS : 2 * s->capacity;
        void *grown = realloc(out->blocks, s->capacity * sizeof *out->blocks);
        if (grown == NULL)
            stream_fail(s, error_set(s->err, CUZK_ERR_MEMORY,
                                     "circuit's digest: no memory for %zu blocks", s->capacity));
        out->blocks = grown;
    }
    memcpy(out->blocks[out->n_blocks++], digest, SHAPE_BLOCK_BYTES);
}

static void stream_end_item(digest_stream_t *s)
{
    if (++s->items == s->items_a_block) stream_end_block(s);
}

static void stream_finish(digest_stream_t *s)
{
    uint8_t digest[SHA256_BYTES];

    if (s->items > 0) stream_end_block(s);
    stream_flush(s);
    sha256_final(s->out->all, &s->all);
    sha256_final(digest, &s->block);
    s->hashing = false;
}

/* The back end. */
typedef struct {
    cs_t cs;
    shape_t *shape;
    digest_stream_t r1cs;
    digest_stream_t aux;
    witness_t witness;
    bool no_memory; /* of densities or the witness */
} shape_cs_t;

static void expect_memory(shape_cs_t *self, bool there_is)
{
    if (there_is) return;
    self->no_memory = true;
    cs_leave(&self->cs);
}

static void put_aux(shape_cs_t *self, const fr_t *value)
{
    fr_to_bytes(stream_take(&self->aux, FR_BYTES), value);
    stream_end_item(&self->aux);
    if (fr_is_zero(value) || fr_is_one(value)) self->shape->aux_in_0_1++;
}

static void shape_alloc(cs_t *cs, const fr_t *value)
{
    shape_cs_t *self = (shape_cs_t *)cs;

    if (!cs->has_values) return;
    put_aux(self, value);
    expect_memory(self, witness_add_element(&self->witness, value));
}

static void shape_alloc_bit(cs_t *cs, bool value)
{
    shape_cs_t *self = (shape_cs_t *)cs;

    if (!cs->has_values) return;
    put_aux(self, value ? &fr_one : &fr_zero);
    expect_memory(self, witness_add_bit(&self->witness, value));
}

static void shape_alloc_input(cs_t *cs, const fr_t *value)
{
    shape_cs_t *self = (shape_cs_t *)cs;

    if (cs->has_values) expect_memory(self, witness_add_input(&self->witness, value));
}

/* Terms that count; the others are added to zero_coefficients. */
static uint32_t count_terms(shape_t *shape, const lc_t *lc)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < lc->n; i++) n += !fr_is_zero(&lc_terms(lc)[i].coeff);
    shape->zero_coefficients += lc->n - n;
    return n;
}

static void put_lc(digest_stream_t *s, const lc_t *lc, uint32_t n_terms)
{
    store_le32(stream_take(s, 4), n_terms);
    for (uint32_t i = 0; i < lc->n; i++) {
        const lc_term_t *term = &lc_terms(lc)[i];

        if (fr_is_zero(&term->coeff)) continue;
        uint8_t *at = stream_take(s, TERM_BYTES);
        store_le32(at, term->var);
        if (fr_is_one(&term->coeff)) { /* the most common: no conversion */
            memset(at + 4, 0, FR_BYTES);
            at[4] = 1;
        } else {
            fr_to_bytes(at + 4, &term->coeff);
        }
    }
}

static bool holds(const witness_t *w, const lc_t *a, const lc_t *b, const lc_t *c)
{
    fr_t left, right, product;

    witness_eval(&left, w, a);
    witness_eval(&right, w, b);
    fr_mul(&product, &left, &right);
    witness_eval(&right, w, c);
    return fr_equal(&product, &right);
}

static void shape_enforce(cs_t *cs, const lc_t *a, const lc_t *b, const lc_t *c)
{
    shape_cs_t *self = (shape_cs_t *)cs;
    shape_t *shape = self->shape;
    const uint32_t n_a = count_terms(shape, a);
    const uint32_t n_b = count_terms(shape, b);
    const uint32_t n_c = count_terms(shape, c);

    shape->nonzero_a += n_a;
    shape->nonzero_b += n_b;
    shape->nonzero_c += n_c;
    expect_memory(self, densities_add(&shape->densities, a, b));
    if (shape->level == SHAPE_COUNTS) return;
    put_lc(&self->r1cs, a, n_a);
    put_lc(&self->r1cs, b, n_b);
    put_lc(&self->r1cs, c, n_c);
    stream_end_item(&self->r1cs);
    if (shape->level == SHAPE_VALUES && !holds(&self->witness, a, b, c)) {
        if (shape->violated == 0) shape->first_violated = cs->n_constraints;
        shape->violated++;
    }
}

static const cs_ops_t shape_ops = {.alloc = shape_alloc,
                                   .alloc_bit = shape_alloc_bit,
                                   .alloc_input = shape_alloc_input,
                                   .enforce = shape_enforce};

/* The circuit, and the ends of its digests. */
static void run_circuit(cs_t *cs, const void *arg)
{
    shape_cs_t *self = (shape_cs_t *)cs;
    const circuit_call_t *run = arg;

    run->circuit(cs, run->values);
    if (self->shape->level >= SHAPE_DIGESTS) stream_finish(&self->r1cs);
    if (self->shape->level >= SHAPE_VALUES) stream_finish(&self->aux);
}

/* The counts, and the inputs out of the witness. */
static void finish(shape_cs_t *self)
{
    shape_t *shape = self->shape;

    shape->counts.n_inputs = self->cs.n_inputs;
    shape->counts.n_aux = self->cs.n_aux;
    shape->counts.n_constraints = self->cs.n_constraints;
    circuit_count_densities(&shape->counts, &shape->densities);
    shape->inputs = self->witness.inputs;
    self->witness.inputs = NULL;
}

static cuzk_status open_shape(shape_cs_t *self, const shape_options_t *options, cuzk_error *err)
{
    shape_t *shape = self->shape;
    cuzk_status st = arena_open(&self->cs.arena, CS_ARENA_BYTES, "circuit", err);

    if (st == CUZK_OK && shape->level >= SHAPE_DIGESTS)
        st = stream_init(&self->r1cs, &shape->r1cs, options, &self->cs, err);
    if (st == CUZK_OK && shape->level >= SHAPE_VALUES)
        st = stream_init(&self->aux, &shape->aux, options, &self->cs, err);
    if (st == CUZK_OK && shape->level >= SHAPE_VALUES)
        st = witness_open(&self->witness, 1, 0, 0, err);
    return st;
}

static cuzk_status why_left(const shape_cs_t *self, cuzk_error *err)
{
    if (self->no_memory) return error_set(err, CUZK_ERR_MEMORY, "circuit's shape: no memory");
    return self->r1cs.st != CUZK_OK ? self->r1cs.st : self->aux.st;
}

cuzk_status synthesis_shape(shape_t *shape, circuit_fn circuit, const void *values,
                            const shape_options_t *given, cuzk_error *err)
{
    const circuit_call_t run = {circuit, values};
    shape_options_t options = *given;
    shape_cs_t self = {
        .cs = {.ops = &shape_ops, .has_values = options.level >= SHAPE_VALUES, .n_inputs = 1},
        .shape = shape};

    if (options.block == 0) options.block = SHAPE_DEFAULT_BLOCK;
    *shape = (shape_t){.level = options.level, .block = options.block};
    cuzk_status st = open_shape(&self, &options, err);
    if (st == CUZK_OK && !cs_run(&self.cs, run_circuit, &run)) st = why_left(&self, err);
    if (st == CUZK_OK) finish(&self);
    stream_release(&self.r1cs);
    stream_release(&self.aux);
    witness_clear(&self.witness);
    arena_close(&self.cs.arena);
    if (st != CUZK_OK) shape_clear(shape);
    return st;
}

void shape_clear(shape_t *shape)
{
    densities_clear(&shape->densities);
    free(shape->r1cs.blocks);
    free(shape->aux.blocks);
    free(shape->inputs);
    *shape = (shape_t){0};
}
