/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <pthread.h>

#include "hash/fr_lanes.h"
#include "hash/poseidon_constants.h"

/* One hash with the elements of its state in lanes: element 0, the head, which has an S-box in
 * every round, is an fr of its own, and the others, the tail, lie in one vector or two. Lanes
 * without an element hold 0 and stay so. Constants that states are multiplied by are kept 16 times
 * as large (field/fr_8x52.h). */

enum { VECTORS = 2, HALF = POSEIDON_FULL_ROUNDS / 2 };

/* A dense layer: the new head is old head * head + sum(old tail * column); the new tail is the sum
 * of old element i times rows[i]. */
typedef struct {
    fr_t head;
    fr8_t column[VECTORS];
    fr8_t rows[POSEIDON_MAX_WIDTH][VECTORS];
} poseidon_dense_t;

/* The layer of a partial round: the head as above; the tail gets old head * row. */
typedef struct {
    fr_t head;
    fr8_t column[VECTORS];
    fr8_t row[VECTORS];
} poseidon_sparse_t;

typedef struct {
    poseidon_dense_t mix, pre_sparse;
    poseidon_sparse_t sparse[POSEIDON_MAX_PARTIAL_ROUNDS];
    fr8_t keys[POSEIDON_FULL_ROUNDS][VECTORS]; /* behind the S-boxes of full rounds, not the last */
} poseidon_ifma_tables_t;

static poseidon_ifma_tables_t tables[POSEIDON_WIDTHS];
static pthread_once_t tables_once = PTHREAD_ONCE_INIT;

/* lanes = from[0], from[step], .. n elements */
static void gather_lanes(fr_t lanes[VECTORS * FR8_LANES], const fr_t *from, unsigned n,
                         unsigned step)
{
    memset(lanes, 0, VECTORS * FR8_LANES * sizeof *lanes);
    for (unsigned i = 0; i < n; i++) lanes[i] = from[i * step];
}

static void load_x16(fr8_t r[VECTORS], const fr_t *from, unsigned n, unsigned step)
{
    fr_t lanes[VECTORS * FR8_LANES];

    gather_lanes(lanes, from, n, step);
    for (unsigned v = 0; v < VECTORS; v++) r[v] = fr8_load_x16(lanes + v * FR8_LANES);
}

static void load_plain(fr8_t r[VECTORS], const fr_t *from, unsigned n)
{
    fr_t lanes[VECTORS * FR8_LANES];

    gather_lanes(lanes, from, n, 1);
    for (unsigned v = 0; v < VECTORS; v++) r[v] = fr8_load(lanes + v * FR8_LANES);
}

static void make_dense(poseidon_dense_t *d, const fr_t *matrix, unsigned t)
{
    d->head = matrix[0];
    load_x16(d->column, matrix + t, t - 1, t);
    for (unsigned i = 0; i < t; i++) load_x16(d->rows[i], matrix + i * t + 1, t - 1, 1);
}

static void make_tables(void)
{
    for (unsigned w = 0; w < POSEIDON_WIDTHS; w++) {
        const poseidon_constants_t *c = &poseidon_constants[w];
        const unsigned t = c->width;
        const fr_t *keys = c->keys + t;

        make_dense(&tables[w].mix, c->mix, t);
        make_dense(&tables[w].pre_sparse, c->pre_sparse, t);
        for (unsigned i = 0; i < c->partial_rounds; i++) {
            const fr_t *layer = c->sparse + i * (2 * t - 1);

            tables[w].sparse[i].head = layer[0];
            load_x16(tables[w].sparse[i].column, layer + 1, t - 1, 1);
            load_x16(tables[w].sparse[i].row, layer + t, t - 1, 1);
        }
        for (unsigned i = 0; i < POSEIDON_FULL_ROUNDS - 1; i++) {
            if (i == HALF) keys += c->partial_rounds;
            load_plain(tables[w].keys[i], keys + 1, t - 1);
            keys += t;
        }
    }
}

/* *a in every lane */
FR8_INLINE fr8_t broadcast(const fr_t *a)
{
    const __m512i w[4] = {fr8_word(a->l[0]), fr8_word(a->l[1]), fr8_word(a->l[2]),
                          fr8_word(a->l[3])};

    return fr8_from_words(w);
}

/* *r = v mod r of five words, v below 2^260. */
static void reduce_words(fr_t *r, const uint64_t v[5])
{
    /* a quotient from the bits above 2^240, too small by 1 at most */
    const uint64_t quotient = (v[4] << 16 | v[3] >> 48) / ((fr_modulus.l[3] >> 48) + 1);
    uint64_t carry = 0;
    uint64_t borrow = 0;
    scalar_t rest;

    for (unsigned i = 0; i < 4; i++) {
        const unsigned __int128 product = (unsigned __int128)fr_modulus.l[i] * quotient + carry;
        const unsigned __int128 difference = (unsigned __int128)v[i] - (uint64_t)product - borrow;

        carry = (uint64_t)(product >> 64);
        rest.l[i] = (uint64_t)difference;
        borrow = (uint64_t)(difference >> 64) & 1;
    }
    /* the rest is below 2 r < 2^256, so four words have it */
    memcpy(r->l, rest.l, sizeof r->l);
    if (!scalar_is_canonical(&rest)) {
        borrow = 0;
        for (unsigned i = 0; i < 4; i++) {
            const unsigned __int128 difference =
                (unsigned __int128)rest.l[i] - fr_modulus.l[i] - borrow;

            r->l[i] = (uint64_t)difference;
            borrow = (uint64_t)(difference >> 64) & 1;
        }
    }
}

/* *r = the sum of the lanes, each in [0, 2^256) and not normalized. */
static void sum_lanes(fr_t *r, fr8_t x)
{
    const int64_t l[5] = {_mm512_reduce_add_epi64(x.l[0]), _mm512_reduce_add_epi64(x.l[1]),
                          _mm512_reduce_add_epi64(x.l[2]), _mm512_reduce_add_epi64(x.l[3]),
                          _mm512_reduce_add_epi64(x.l[4])};
    const int64_t mask = 0xfffffffffffff;
    uint64_t limb[5];
    int64_t carry = 0;

    for (unsigned i = 0; i < 4; i++) {
        carry += l[i];
        limb[i] = (uint64_t)(carry & mask);
        carry >>= 52;
    }
    limb[4] = (uint64_t)(carry + l[4]);
    const uint64_t v[5] = {limb[0] | limb[1] << 52, limb[1] >> 12 | limb[2] << 40,
                           limb[2] >> 24 | limb[3] << 28, limb[3] >> 36 | limb[4] << 16,
                           limb[4] >> 48};
    reduce_words(r, v);
}

/* A hash on its way. */
typedef struct {
    fr_t head;
    fr8_t tail[VECTORS]; /* reduced between full rounds, below 2 r in partial ones */
    unsigned width;
    unsigned vectors; /* in use */
} poseidon_ifma_run_t;

/* *r = head * factor + sum(tail * column) */
FR8_INLINE void new_head(fr_t *r, const poseidon_ifma_run_t *h, const fr_t *factor,
                         const fr8_t *column)
{
    fr8_t sum = fr8_mul(h->tail[0], column[0]);
    fr_t product;

    /* a lane is below 16 r 2 r / 2^260 + r + 1 < 2 r */
    if (h->vectors > 1) sum = fr8_add_raw(sum, fr8_mul(h->tail[1], column[1]));
    fr_mul(&product, &h->head, factor);
    sum_lanes(r, sum);
    fr_add(r, r, &product);
}

/* x^2, x^4, x^5 + key of the tail, reduced; the last becomes the tail. */
FR8_INLINE void raise_tail(poseidon_ifma_run_t *h, unsigned v, fr8_t powers[3], const fr8_t *key)
{
    const fr8_t x = h->tail[v];

    powers[0] = fr8_reduce_once(fr8_mul(x, fr8_x16(x)));
    powers[1] = fr8_reduce_once(fr8_mul(powers[0], fr8_x16(powers[0])));
    powers[2] = fr8_reduce_once(fr8_mul(x, fr8_x16(powers[1])));
    if (key != NULL) powers[2] = fr8_reduce_once(fr8_add_raw(powers[2], *key));
    h->tail[v] = powers[2];
}

/* The S-boxes of the tail; the trace gets x too when with_x is set. */
static fr_t *substitute_tail(fr_t *trace, poseidon_ifma_run_t *h, const fr8_t *keys, bool with_x)
{
    const unsigned each = with_x ? 4 : 3;

    for (unsigned v = 0; v < h->vectors; v++) {
        const unsigned left = h->width - 1 - v * FR8_LANES;
        const unsigned n = left < FR8_LANES ? left : FR8_LANES;
        fr_t lanes[4][FR8_LANES];
        fr8_t powers[3];

        fr8_store(lanes[0], h->tail[v]);
        raise_tail(h, v, powers, keys == NULL ? NULL : &keys[v]);
        for (unsigned k = 0; k < 3; k++) fr8_store(lanes[k + 1], powers[k]);
        for (unsigned i = 0; i < n; i++)
            for (unsigned k = 0; k < each; k++) *trace++ = lanes[k + 4 - each][i];
    }
    return trace;
}

/* The S-box of the head and its trace. */
FR8_INLINE fr_t *substitute_head(fr_t *trace, poseidon_ifma_run_t *h, const fr_t *key)
{
    trace[0] = h->head;
    fr_sqr(&trace[1], &h->head);
    fr_sqr(&trace[2], &trace[1]);
    fr_mul(&h->head, &h->head, &trace[2]);
    if (key != NULL) fr_add(&h->head, &h->head, key);
    trace[3] = h->head;
    return trace + 4;
}

static void mix_dense(poseidon_ifma_run_t *h, const poseidon_dense_t *d)
{
    const __m512i zero = _mm512_setzero_si512();
    fr_t tail[VECTORS * FR8_LANES], head;

    for (unsigned v = 0; v < h->vectors; v++) fr8_store(tail + v * FR8_LANES, h->tail[v]);
    new_head(&head, h, &d->head, d->column);
    for (unsigned v = 0; v < h->vectors; v++) {
        __m512i t[10] = {zero, zero, zero, zero, zero, zero, zero, zero, zero, zero};

        for (unsigned i = 0; i < h->width; i++) {
            const fr8_t x = broadcast(i == 0 ? &h->head : &tail[i - 1]);

            for (unsigned k = 0; k < 5; k++) fr8_mac(t + k, x.l[k], &d->rows[i][v]);
        }
        /* 12 products below r 16 r: below (12 * 0.46 + 1) r + 1 < 8 r */
        fr8_t sum = fr8_subtract_once(fr8_reduce_columns(t), fr8_modulus_shifted(2));
        sum = fr8_subtract_once(sum, fr8_modulus_shifted(1));
        h->tail[v] = fr8_reduce_once(sum);
    }
    h->head = head;
}

static void mix_sparse(poseidon_ifma_run_t *h, const poseidon_sparse_t *s)
{
    const fr8_t y = broadcast(&h->head);
    fr_t head;

    new_head(&head, h, &s->head, s->column);
    for (unsigned v = 0; v < h->vectors; v++) {
        /* 2 r + (0.46 + 1) r + 1 < 4 r */
        h->tail[v] = fr8_subtract_once(fr8_add_raw(h->tail[v], fr8_mul(y, s->row[v])),
                                       fr8_modulus_shifted(1));
    }
    h->head = head;
}

void poseidon_trace_ifma(fr_t *trace, const poseidon_constants_t *c, fr_t *state)
{
    const poseidon_ifma_tables_t *x = &tables[c - poseidon_constants];
    const unsigned t = c->width;
    const fr_t *keys = c->keys + t;
    poseidon_ifma_run_t h = {.width = t, .vectors = t - 1 > FR8_LANES ? 2 : 1};

    (void)pthread_once(&tables_once, make_tables);
    for (unsigned i = 0; i < t; i++) fr_add(&state[i], &state[i], &c->keys[i]);
    h.head = state[0];
    load_plain(h.tail, state + 1, t - 1);
    poseidon_sbox(&h.head);
    fr_add(&h.head, &h.head, &keys[0]);
    trace = substitute_tail(trace, &h, x->keys[0], false);
    mix_dense(&h, &x->mix);
    for (unsigned i = 1; i < HALF; i++) {
        keys += t;
        trace = substitute_head(trace, &h, keys);
        trace = substitute_tail(trace, &h, x->keys[i], true);
        mix_dense(&h, i < HALF - 1 ? &x->mix : &x->pre_sparse);
    }
    keys += t;
    for (unsigned i = 0; i < c->partial_rounds; i++) {
        trace = substitute_head(trace, &h, keys++);
        mix_sparse(&h, &x->sparse[i]);
    }
    for (unsigned v = 0; v < h.vectors; v++) h.tail[v] = fr8_reduce_once(h.tail[v]);
    for (unsigned i = 0; i < HALF; i++, keys += t) {
        const bool last = i == HALF - 1;

        trace = substitute_head(trace, &h, last ? NULL : keys);
        trace = substitute_tail(trace, &h, last ? NULL : x->keys[HALF + i], true);
        mix_dense(&h, &x->mix);
    }
    fr8_store(state, h.tail[0]); /* element 1 first; state has room for a vector */
    *trace = state[0];
}
