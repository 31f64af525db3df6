/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <pthread.h>

#include "hash/fr_lanes.h"
#include "hash/poseidon_constants.h"

/* Eight hashes, one in each lane: a vector is one element of the eight states. */

enum { MAX_T = POSEIDON_MAX_WIDTH, HALF = POSEIDON_FULL_ROUNDS / 2 };

/* A constant, the same in all lanes. */
typedef struct {
    uint64_t limbs[5];
} poseidon_8_constant_t;

/* Those of a width, in the order of poseidon_constants_t; all but the keys 16 times as large, for
 * they are factors (field/fr_8x52.h). */
typedef struct {
    poseidon_8_constant_t keys[POSEIDON_FULL_ROUNDS * MAX_T + POSEIDON_MAX_PARTIAL_ROUNDS];
    poseidon_8_constant_t mix[MAX_T * MAX_T];
    poseidon_8_constant_t pre_sparse[MAX_T * MAX_T];
    poseidon_8_constant_t sparse[POSEIDON_MAX_PARTIAL_ROUNDS * (2 * MAX_T - 1)];
} poseidon_8_tables_t;

static poseidon_8_tables_t tables[POSEIDON_WIDTHS];
static pthread_once_t tables_once = PTHREAD_ONCE_INIT;

/* Limbs of 2^shift a. */
static void split(poseidon_8_constant_t *r, const fr_t *a, unsigned shift, unsigned n)
{
    const uint64_t mask = 0xfffffffffffff;

    for (unsigned k = 0; k < n; k++) {
        const uint64_t *l = a[k].l;
        const uint64_t w[5] = {l[0] << shift,
                               shift == 0 ? l[1] : l[1] << shift | l[0] >> (64 - shift),
                               shift == 0 ? l[2] : l[2] << shift | l[1] >> (64 - shift),
                               shift == 0 ? l[3] : l[3] << shift | l[2] >> (64 - shift),
                               shift == 0 ? 0 : l[3] >> (64 - shift)};

        r[k] = (poseidon_8_constant_t){{w[0] & mask, (w[0] >> 52 | w[1] << 12) & mask,
                                        (w[1] >> 40 | w[2] << 24) & mask,
                                        (w[2] >> 28 | w[3] << 36) & mask, w[3] >> 16 | w[4] << 48}};
    }
}

static void make_tables(void)
{
    for (unsigned i = 0; i < POSEIDON_WIDTHS; i++) {
        const poseidon_constants_t *c = &poseidon_constants[i];
        const unsigned t = c->width;

        split(tables[i].keys, c->keys, 0, POSEIDON_FULL_ROUNDS * t + c->partial_rounds);
        split(tables[i].mix, c->mix, 4, t * t);
        split(tables[i].pre_sparse, c->pre_sparse, 4, t * t);
        split(tables[i].sparse, c->sparse, 4, c->partial_rounds * (2 * t - 1));
    }
}

/* Eight hashes on their way. */
typedef struct {
    const poseidon_constants_t *c;
    const poseidon_8_tables_t *x;
    const poseidon_8_constant_t *keys; /* the next */
    fr8_t state[MAX_T];  /* reduced; in partial rounds all but element 0 are below 2 r */
    fr_t *const *traces; /* where the next elements go */
    unsigned at;
} poseidon_8_run_t;

FR8_INLINE void put(poseidon_8_run_t *h, unsigned at, fr8_t x)
{
    fr_t lanes[FR8_LANES];

    fr8_store(lanes, x);
    for (unsigned k = 0; k < FR8_LANES; k++) h->traces[k][h->at + at] = lanes[k];
}

/* x = x^5 + key, all powers reduced and put in the traces; key may be NULL. */
static void sbox(poseidon_8_run_t *h, fr8_t *x, const poseidon_8_constant_t *key, bool with_x)
{
    const fr8_t x1 = *x;
    const fr8_t x2 = fr8_reduce_once(fr8_mul(x1, fr8_x16(x1)));
    const fr8_t x4 = fr8_reduce_once(fr8_mul(x2, fr8_x16(x2)));
    fr8_t y = fr8_reduce_once(fr8_mul(x1, fr8_x16(x4)));

    if (key != NULL) y = fr8_reduce_once(fr8_add_raw(y, fr8_broadcast(key->limbs)));
    if (with_x) put(h, 0, x1);
    put(h, with_x, x2);
    put(h, with_x + 1u, x4);
    put(h, with_x + 2u, y);
    h->at += with_x + 3u;
    *x = y;
}

/* *r = sum(state[i] factors[i step]), reduced: at most 12 products below 2 r 16 r, so below
 * (12 * 0.91 + 1) r + 1 < 16 r before. */
static void dot(fr8_t *r, const poseidon_8_run_t *h, const poseidon_8_constant_t *factors,
                unsigned step)
{
    const __m512i zero = _mm512_setzero_si512();
    __m512i t[10] = {zero, zero, zero, zero, zero, zero, zero, zero, zero, zero};

    for (unsigned i = 0; i < h->c->width; i++) {
        const fr8_t factor = fr8_broadcast(factors[i * step].limbs);

        fr8_mac(t, h->state[i].l[0], &factor);
        fr8_mac(t + 1, h->state[i].l[1], &factor);
        fr8_mac(t + 2, h->state[i].l[2], &factor);
        fr8_mac(t + 3, h->state[i].l[3], &factor);
        fr8_mac(t + 4, h->state[i].l[4], &factor);
    }
    fr8_t sum = fr8_subtract_once(fr8_reduce_columns(t), fr8_modulus_shifted(3));
    sum = fr8_subtract_once(sum, fr8_modulus_shifted(2));
    sum = fr8_subtract_once(sum, fr8_modulus_shifted(1));
    *r = fr8_reduce_once(sum);
}

static void mix_dense(poseidon_8_run_t *h, const poseidon_8_constant_t *matrix)
{
    const unsigned t = h->c->width;
    fr8_t mixed[MAX_T];

    for (unsigned j = 0; j < t; j++) dot(&mixed[j], h, matrix + j, t);
    memcpy(h->state, mixed, t * sizeof *mixed);
}

static void mix_sparse(poseidon_8_run_t *h, unsigned round)
{
    const unsigned t = h->c->width;
    const poseidon_8_constant_t *column = h->x->sparse + round * (2 * t - 1);
    const poseidon_8_constant_t *row = column + t - 1;
    const fr8_t first = h->state[0];

    dot(&h->state[0], h, column, 1);
    for (unsigned j = 1; j < t; j++) {
        /* 2 r + (0.46 + 1) r + 1 < 4 r */
        const fr8_t product = fr8_mul(first, fr8_broadcast(row[j].limbs));

        h->state[j] = fr8_subtract_once(fr8_add_raw(h->state[j], product), fr8_modulus_shifted(1));
    }
}

static void full_round(poseidon_8_run_t *h, const poseidon_8_constant_t *matrix, bool has_keys)
{
    const unsigned t = h->c->width;

    for (unsigned i = 0; i < t; i++) sbox(h, &h->state[i], has_keys ? &h->keys[i] : NULL, true);
    h->keys += t;
    mix_dense(h, matrix);
}

/* The state behind the first S-boxes. The tag's is the same in all lanes and in no trace. */
static void first_round(poseidon_8_run_t *h, const fr_t *tag, const fr_t *const *inputs)
{
    const unsigned t = h->c->width;
    fr_t lanes[FR8_LANES], head;

    fr_add(&head, tag, &h->c->keys[0]);
    poseidon_sbox(&head);
    fr_add(&head, &head, &h->c->keys[t]);
    for (unsigned k = 0; k < FR8_LANES; k++) lanes[k] = head;
    h->state[0] = fr8_load(lanes);
    for (unsigned i = 1; i < t; i++) {
        for (unsigned k = 0; k < FR8_LANES; k++) lanes[k] = inputs[k][i - 1];
        h->state[i] =
            fr8_reduce_once(fr8_add_raw(fr8_load(lanes), fr8_broadcast(h->keys[i].limbs)));
        sbox(h, &h->state[i], &h->keys[t + i], false);
    }
    h->keys += 2 * (size_t)t;
    mix_dense(h, h->x->mix);
}

void poseidon_trace_8_ifma(fr_t *const traces[FR8_LANES], const poseidon_constants_t *c,
                           const fr_t *tag, const fr_t *const inputs[FR8_LANES])
{
    const poseidon_8_tables_t *x = &tables[c - poseidon_constants];
    poseidon_8_run_t h = {.c = c, .x = x, .keys = x->keys, .traces = traces};

    (void)pthread_once(&tables_once, make_tables);
    first_round(&h, tag, inputs);
    for (unsigned i = 1; i < HALF; i++) full_round(&h, i < HALF - 1 ? x->mix : x->pre_sparse, true);
    for (unsigned i = 0; i < c->partial_rounds; i++) {
        sbox(&h, &h.state[0], h.keys++, true);
        mix_sparse(&h, i);
    }
    for (unsigned i = 1; i < c->width; i++) h.state[i] = fr8_reduce_once(h.state[i]);
    for (unsigned i = 0; i < HALF; i++) full_round(&h, x->mix, i < HALF - 1);
    put(&h, 0, h.state[1]);
}
