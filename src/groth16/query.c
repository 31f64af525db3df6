/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "groth16/query.h"

#include <stdlib.h>

#include "base/memory.h"
#include "field/fr_batch.h"

enum {
    BLOCK_WORDS = 1 << 10, /* of the witness's bitmaps: a task */
    CONVERT_GRAIN = 1 << 10
};

/* Points and terms of the auxiliary variables of one block, then those before it. */
typedef struct {
    size_t points, terms;
} query_block_t;

typedef struct {
    query_t *q;
    const witness_t *w;
    const density_t *dense; /* NULL: all */
    size_t n_words;         /* of the witness's bitmaps */
    query_block_t *blocks;
} build_t;

static unsigned popcount(uint64_t word)
{
    return (unsigned)__builtin_popcountll(word);
}

static uint64_t below(unsigned bit)
{
    return ((uint64_t)1 << bit) - 1;
}

/* The auxiliary variables of word i that have a point. */
static uint64_t members_of(const build_t *b, size_t i)
{
    const uint32_t rest = b->w->n_aux % 64;
    const uint64_t exist = i + 1 == b->n_words && rest != 0 ? below(rest) : ~(uint64_t)0;

    if (b->dense == NULL) return exist;
    return i < b->dense->n_words ? exist & b->dense->words[i] : 0;
}

static size_t block_end(const build_t *b, size_t block)
{
    const size_t end = (block + 1) * BLOCK_WORDS;

    return end < b->n_words ? end : b->n_words;
}

static void count_block(void *arg, size_t block, uint32_t worker)
{
    const build_t *b = arg;
    query_block_t n = {0};

    (void)worker;
    for (size_t i = block * BLOCK_WORDS; i < block_end(b, block); i++) {
        const uint64_t members = members_of(b, i);

        n.points += popcount(members);
        n.terms += popcount(members & ~b->w->is_bit[i]);
    }
    b->blocks[block] = n;
}

/* The bits of word at the places set in mask, closed up. */
static uint64_t gather(uint64_t word, uint64_t mask)
{
    uint64_t r = 0;

    if (mask == ~(uint64_t)0) return word;
    for (uint64_t left = word & mask; left != 0; left &= left - 1)
        r |= (uint64_t)1 << popcount(mask & below((unsigned)__builtin_ctzll(left)));
    return r;
}

/* Sets bits from place `at` on; blocks meet inside words, so atomically. */
static void select_bits(query_t *q, size_t at, uint64_t bits)
{
    const unsigned shift = at % 64;

    if (bits == 0) return;
    (void)__atomic_fetch_or(&q->select[at / 64], bits << shift, __ATOMIC_RELAXED);
    if (shift != 0 && bits >> (64 - shift) != 0)
        (void)__atomic_fetch_or(&q->select[at / 64 + 1], bits >> (64 - shift), __ATOMIC_RELAXED);
}

static void fill_block(void *arg, size_t block, uint32_t worker)
{
    const build_t *b = arg;
    const witness_t *w = b->w;
    query_t *q = b->q;
    query_block_t next = b->blocks[block];

    (void)worker;
    for (size_t i = block * BLOCK_WORDS; i < block_end(b, block); i++) {
        const uint64_t members = members_of(b, i);
        const uint64_t elements = ~w->is_bit[i];

        select_bits(q, next.points, gather(w->bits[i], members));
        for (uint64_t left = members & elements; left != 0; left &= left - 1) {
            const uint64_t before = below((unsigned)__builtin_ctzll(left));

            q->at[next.terms] = (uint32_t)(next.points + popcount(members & before));
            q->which[next.terms++] = w->n_inputs + w->rank[i] + popcount(elements & before);
        }
        next.points += popcount(members);
    }
}

/* Blocks' counts become the places they begin at, after those of the inputs. */
static void sum_blocks(const build_t *b, size_t n_blocks)
{
    for (size_t i = 0; i < n_blocks; i++) {
        const query_block_t n = b->blocks[i];

        b->blocks[i] = (query_block_t){b->q->n_points, b->q->n_terms};
        b->q->n_points += n.points;
        b->q->n_terms += n.terms;
    }
}

static bool has_input(const query_members_t *members, uint32_t i)
{
    if (!members->has_inputs) return false;
    return members->input_dense == NULL || density_get(members->input_dense, i);
}

static void fill_inputs(query_t *q, const witness_t *w, const query_members_t *members)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < w->n_inputs; i++) {
        if (!has_input(members, i)) continue;
        q->which[n] = i;
        q->at[n] = n;
        n++;
    }
}

static cuzk_status alloc_query(query_t *q, cuzk_error *err)
{
    void *p;
    cuzk_status st;

    q->select_words = q->n_points / 64 + 1;
    st = big_alloc(&p, q->select_words, sizeof *q->select, "bits of a query", err);
    if (st != CUZK_OK) return st;
    q->select = p;
    st = big_alloc(&p, q->n_terms, sizeof *q->which, "terms of a query", err);
    if (st != CUZK_OK) return st;
    q->which = p;
    st = big_alloc(&p, q->n_terms, sizeof *q->at, "terms of a query", err);
    if (st != CUZK_OK) return st;
    q->at = p;
    return CUZK_OK;
}

cuzk_status query_build(query_t *q, const witness_t *w, const query_members_t *members,
                        strand_t *strand, cuzk_error *err)
{
    build_t b = {
        .q = q, .w = w, .dense = members->aux_dense, .n_words = ((size_t)w->n_aux + 63) / 64};
    const size_t n_blocks = (b.n_words + BLOCK_WORDS - 1) / BLOCK_WORDS;

    *q = (query_t){0};
    for (uint32_t i = 0; i < w->n_inputs; i++) q->n_terms += has_input(members, i);
    q->n_points = q->n_terms;
    b.blocks = mem_alloc(n_blocks, sizeof *b.blocks, "blocks of a query", err);
    if (b.blocks == NULL) return err->status;
    cuzk_status st = strand_run(strand, n_blocks, count_block, &b, err);
    if (st == CUZK_OK) sum_blocks(&b, n_blocks);
    if (st == CUZK_OK) st = alloc_query(q, err);
    if (st == CUZK_OK) {
        fill_inputs(q, w, members);
        st = strand_run(strand, n_blocks, fill_block, &b, err);
    }
    if (st != CUZK_OK) query_clear(q);
    free(b.blocks);
    return st;
}

void query_clear(query_t *q)
{
    big_free(q->select, q->select_words, sizeof *q->select);
    big_free(q->which, q->n_terms, sizeof *q->which);
    big_free(q->at, q->n_terms, sizeof *q->at);
    *q = (query_t){0};
}

uint64_t query_bytes(size_t n_points, size_t n_terms)
{
    const query_t *q = NULL;

    return (n_points / 64 + 1) * sizeof *q->select +
           (uint64_t)n_terms * (sizeof *q->which + sizeof *q->at);
}

uint64_t query_build_bytes(size_t n_aux)
{
    return (n_aux / (64 * BLOCK_WORDS) + 1) * sizeof(query_block_t);
}

device_terms_t query_terms(const query_t *q, const buffer_t *scalars)
{
    return (device_terms_t){.scalars = scalars,
                            .select = q->select,
                            .scalar_index = q->which,
                            .point_index = q->at,
                            .n_terms = q->n_terms};
}

typedef struct {
    scalar_t *to;
    const fr_t *from;
} convert_t;

static void convert_range(void *arg, size_t first, size_t end, uint32_t worker)
{
    const convert_t *c = arg;

    (void)worker;
    fr_batch_to_scalar(c->to + first, c->from + first, end - first);
}

cuzk_status query_convert(buffer_t **out, device_t *device, const witness_t *w, strand_t *strand,
                          cuzk_error *err)
{
    const size_t n = (size_t)w->n_inputs + w->n_elements;
    buffer_t *buffer;
    cuzk_status st = buffer_alloc(&buffer, device, BUFFER_HOST, n * sizeof(scalar_t),
                                  "scalars of the witness", err);

    *out = NULL;
    if (st != CUZK_OK) return st;
    scalar_t *scalars = buffer->host;
    fr_batch_to_scalar(scalars, w->inputs, w->n_inputs);
    st = strand_for(strand, w->n_elements, (strand_cut_t){CONVERT_GRAIN, 16 * CONVERT_GRAIN},
                    convert_range, &(convert_t){scalars + w->n_inputs, w->elements}, err);
    if (st != CUZK_OK)
        buffer_free(buffer);
    else
        *out = buffer;
    return st;
}
