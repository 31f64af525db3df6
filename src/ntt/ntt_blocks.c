/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* Transforms of vectors that are not in memory. A panel of the vector is read, transformed by the
 * tiles that a vector in memory takes, and written back: for the first digit a panel of whole
 * columns, for the others of whole blocks, which hold all of their points. */

#include <string.h>

#include "base/clock.h"
#include "base/order.h"
#include "ntt/ntt_pass.h"

enum { PIECE = 1 << 13 /* elements read or written at once: 256 KiB */ };

size_t ntt_panel(const ntt_domain_t *d, const ntt_vector_t *vector)
{
    const size_t n = ntt_domain_size(d);
    size_t panel = NTT_LANES, wanted = vector->panel == 0 ? NTT_PANEL : vector->panel;

    if (d->n_digits == 0) return n;
    const unsigned lg_first = d->digits[0].lg_m, lg_last = d->digits[d->n_digits - 1].lg_m;
    const unsigned lg_a = lg_first < lg_last ? lg_first : lg_last;
    /* columns: eight neighbours; the swap: whole runs of the last digit; blocks: eight rows */
    panel = larger((size_t)NTT_LANES << lg_first, (size_t)1 << (lg_a + lg_last));
    panel = larger(panel, n >> lg_first);
    panel = larger(panel, (size_t)NTT_LANES << lg_last);
    while (panel < n && 2 * panel <= wanted) panel *= 2;
    return panel < n ? panel : n;
}

/* Rows of a panel, in pieces. */
typedef struct {
    const ntt_vector_t *vector;
    fr_t *panel;
    size_t first; /* in the vector, of the first row */
    size_t width; /* elements a row */
    size_t apart; /* elements in the vector from one row to the next */
    size_t piece; /* elements, at most a row */
    bool is_put;
} ntt_transfer_t;

static cuzk_status move_piece(void *arg, size_t index, uint32_t worker, cuzk_error *err)
{
    const ntt_transfer_t *t = arg;
    const size_t a_row = t->width / t->piece;
    const size_t at = index / a_row * t->apart + index % a_row * t->piece;
    fr_t *memory = t->panel + index * t->piece;

    (void)worker;
    return t->is_put ? t->vector->put(t->vector, memory, t->first + at, t->piece, err)
                     : t->vector->get(memory, t->vector, t->first + at, t->piece, err);
}

/* Reads or writes n_rows rows. */
static cuzk_status move(ntt_transfer_t *t, size_t n_rows, bool is_put, strand_t *strand,
                        cuzk_error *err)
{
    uint64_t since = clock_monotonic_ns();

    t->is_put = is_put;
    t->piece = t->width < PIECE ? t->width : PIECE;
    const cuzk_status st = strand_try(strand, n_rows * (t->width / t->piece), move_piece, t, err);
    if (t->vector->io_ns != NULL) *t->vector->io_ns += clock_monotonic_ns() - since;
    return st;
}

/* What is done to each panel. */
typedef struct {
    const ntt_call_t *call;
    const ntt_vector_t *vector;
    fr_t *panel;
    size_t n_panel; /* elements */
    strand_t *strand;
} ntt_blocks_t;

typedef cuzk_status (*ntt_panel_step)(const ntt_blocks_t *b, const ntt_part_t *part,
                                      cuzk_error *err);

/* Over panels of columns: n_rows rows of the vector, cut across. */
static cuzk_status for_columns(const ntt_blocks_t *b, size_t n_rows, ntt_panel_step step,
                               cuzk_error *err)
{
    const size_t apart = ntt_domain_size(b->call->domain) / n_rows;
    const size_t width = b->n_panel / n_rows;
    cuzk_status st = CUZK_OK;

    for (size_t first = 0; first < apart && st == CUZK_OK; first += width) {
        ntt_transfer_t t = {
            .vector = b->vector, .panel = b->panel, .first = first, .width = width, .apart = apart};
        const ntt_part_t part = {
            .elements = b->panel, .first = first, .n_points = b->n_panel, .row = width};

        st = move(&t, n_rows, false, b->strand, err);
        if (st == CUZK_OK) st = step(b, &part, err);
        if (st == CUZK_OK) st = move(&t, n_rows, true, b->strand, err);
    }
    return st;
}

/* Over panels of neighbours. */
static cuzk_status for_blocks(const ntt_blocks_t *b, ntt_panel_step step, cuzk_error *err)
{
    const size_t n = ntt_domain_size(b->call->domain);
    cuzk_status st = CUZK_OK;

    for (size_t first = 0; first < n && st == CUZK_OK; first += b->n_panel) {
        ntt_transfer_t t = {
            .vector = b->vector, .panel = b->panel, .first = first, .width = b->n_panel};
        const ntt_part_t part = {.elements = b->panel, .first = first, .n_points = b->n_panel};

        st = move(&t, 1, false, b->strand, err);
        if (st == CUZK_OK) st = step(b, &part, err);
        if (st == CUZK_OK) st = move(&t, 1, true, b->strand, err);
    }
    return st;
}

static cuzk_status transform_columns(const ntt_blocks_t *b, const ntt_part_t *part, cuzk_error *err)
{
    return ntt_pass(b->call, 0, part, b->strand, err);
}

/* The digits after the first. */
static cuzk_status transform_blocks(const ntt_blocks_t *b, const ntt_part_t *part, cuzk_error *err)
{
    const unsigned n_digits = b->call->domain->n_digits;
    const bool falling = b->call->order == NTT_REVERSED_TO_NATURAL;
    cuzk_status st = CUZK_OK;

    for (unsigned i = 1; i < n_digits && st == CUZK_OK; i++)
        st = ntt_pass(b->call, falling ? n_digits - i : i, part, b->strand, err);
    return st;
}

static cuzk_status swap_columns(const ntt_blocks_t *b, const ntt_part_t *part, cuzk_error *err)
{
    return ntt_swap_digits(b->call, part, b->strand, err);
}

static cuzk_status transform_all(const ntt_blocks_t *b, const ntt_part_t *part, cuzk_error *err)
{
    return ntt_in_memory(b->call, part->elements, b->strand, err);
}

cuzk_status ntt_by_blocks(const ntt_call_t *call, const ntt_vector_t *vector, fr_t *panel,
                          strand_t *strand, cuzk_error *err)
{
    const ntt_domain_t *d = call->domain;
    const ntt_blocks_t b = {.call = call,
                            .vector = vector,
                            .panel = panel,
                            .n_panel = ntt_panel(d, vector),
                            .strand = strand};

    if (b.n_panel == ntt_domain_size(d)) return for_blocks(&b, transform_all, err);
    const size_t n_rows = (size_t)1 << d->digits[0].lg_m;
    if (call->order == NTT_REVERSED_TO_NATURAL) {
        const cuzk_status st = for_blocks(&b, transform_blocks, err);

        return st == CUZK_OK ? for_columns(&b, n_rows, transform_columns, err) : st;
    }
    cuzk_status st = for_columns(&b, n_rows, transform_columns, err);
    if (st == CUZK_OK) st = for_blocks(&b, transform_blocks, err);
    if (st != CUZK_OK || call->order != NTT_NATURAL_TO_NATURAL) return st;
    return for_columns(&b, (size_t)1 << d->digits[d->n_digits - 1].lg_m, swap_columns, err);
}
