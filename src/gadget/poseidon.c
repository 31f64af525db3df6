/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "gadget/poseidon.h"

#include <pthread.h>

#include "gadget/terms.h"
#include "hash/poseidon_constants.h"
#include "r1cs/tape.h"

/* Between S-boxes everything is linear, so the input of an S-box is a combination of the results
 * of those before it: of the t of the last full round and, in the partial rounds, of all partial
 * rounds since. Its coefficients depend on the width alone. Those of the full rounds are rows of
 * the mixing matrix; those of the partial rounds are worked out once, here. */

enum {
    HALF = POSEIDON_FULL_ROUNDS / 2,
    MAX_T = POSEIDON_MAX_WIDTH,
    MAX_P = POSEIDON_MAX_PARTIAL_ROUNDS,
    MAX_ROW = MAX_T + MAX_P,
    /* rows for p partial rounds of t, t + 1, .. coefficients, then t rows of t + p */
    MAX_COEFFS = MAX_P * MAX_T + MAX_P * (MAX_P - 1) / 2 + MAX_T * MAX_ROW
};

static fr_t partial_rows[POSEIDON_WIDTHS][MAX_COEFFS];
static pthread_once_t partial_rows_once = PTHREAD_ONCE_INIT;

/* The state as combinations: element i has the coefficients state[i][0 .. n-1]. Follows it from
 * the fourth full round through the partial rounds. */
static void make_partial_rows(const poseidon_constants_t *c, fr_t *rows)
{
    const unsigned t = c->width;
    fr_t state[MAX_T][MAX_ROW] = {{{{0}}}};
    unsigned n = t;

    for (unsigned i = 0; i < t; i++)
        for (unsigned j = 0; j < t; j++) state[j][i] = c->pre_sparse[i * t + j];
    for (unsigned round = 0; round < c->partial_rounds; round++, n++) {
        memcpy(rows, state[0], n * sizeof *rows);
        rows += n;
        /* The S-box makes a variable of its own of element 0; then the layer, column by column. */
        memset(state[0], 0, n * sizeof *rows);
        state[0][n] = fr_one;
        for (unsigned k = 0; k <= n; k++) {
            fr_t column[MAX_T];

            for (unsigned i = 0; i < t; i++) column[i] = state[i][k];
            poseidon_mix_sparse(c, column, round);
            for (unsigned i = 0; i < t; i++) state[i][k] = column[i];
        }
    }
    for (unsigned i = 0; i < t; i++) memcpy(rows + i * n, state[i], n * sizeof *rows);
}

static void make_all_partial_rows(void)
{
    for (unsigned i = 0; i < POSEIDON_WIDTHS; i++)
        make_partial_rows(&poseidon_constants[i], partial_rows[i]);
}

/* A hash on its way. */
typedef struct {
    cs_t *cs;
    const poseidon_constants_t *c;
    const fr_t *keys;         /* the next constants */
    fr_t state[MAX_T];        /* values, in runs that have them */
    lc_term_t terms[MAX_ROW]; /* variables the next S-box inputs are combined of */
    unsigned n_terms;
    fr_t one_coeff; /* what stands for the first term in the first layer, where it is ONE */
    lc_term_t one;
} poseidon_circuit_run_t;

/* x = the variable of the combination with these coefficients. */
static var_t combine(poseidon_circuit_run_t *h, const fr_t *coeffs, const fr_t *value)
{
    const var_t x = cs_alloc(h->cs, value);
    const lc_t one = terms_of(&h->one, 1);
    const lc_t sum = terms_of(h->terms, h->n_terms);
    lc_term_t term;
    const lc_t result = terms_var(&term, x);

    for (unsigned i = 0; i < h->n_terms; i++) h->terms[i].coeff = coeffs[i];
    if (h->terms[0].var == VAR_ONE) fr_mul(&h->terms[0].coeff, &coeffs[0], &h->one_coeff);
    cs_enforce(h->cs, &sum, &one, &result);
    return x;
}

/* The variable of l^5 + post, given that l = sum is a combination of x's; *value is l and becomes
 * l^5 + post. post may be NULL. Three constraints. */
static var_t raise(cs_t *cs, const lc_t *sum, fr_t *value, const fr_t *post)
{
    lc_term_t terms[4];
    fr_t l2, l4, minus;

    fr_sqr(&l2, value);
    fr_sqr(&l4, &l2);
    fr_mul(value, value, &l4);
    if (post != NULL) fr_add(value, value, post);

    const lc_t square = terms_var(&terms[0], cs_alloc(cs, &l2));
    cs_enforce(cs, sum, sum, &square);
    const lc_t fourth = terms_var(&terms[1], cs_alloc(cs, &l4));
    cs_enforce(cs, &square, &square, &fourth);
    const var_t fifth = cs_alloc(cs, value);
    lc_t result;

    if (post != NULL) {
        fr_neg(&minus, post);
        result = terms_affine(&terms[2], &minus, &fr_one, fifth);
    } else {
        result = terms_var(&terms[2], fifth);
    }
    cs_enforce(cs, sum, &fourth, &result);
    return fifth;
}

static var_t sbox(poseidon_circuit_run_t *h, const fr_t *coeffs, fr_t *value, const fr_t *post)
{
    lc_term_t term;
    const lc_t x = terms_var(&term, combine(h, coeffs, value));

    return raise(h->cs, &x, value, post);
}

/* Before the first S-boxes constants are added, without variables of their own. Element 0 is the
 * tag: a constant, and so is its S-box. */
static void first_round(poseidon_circuit_run_t *h, const num_t *inputs)
{
    const unsigned t = h->c->width;
    const fr_t *pre = h->keys;
    const fr_t *post = h->keys + t;
    fr_t *tag = &h->state[0];

    fr_add(tag, tag, &pre[0]);
    poseidon_sbox(tag);
    fr_add(tag, tag, &post[0]);
    h->one_coeff = *tag;
    h->terms[0].var = VAR_ONE;
    for (unsigned i = 1; i < t; i++) {
        lc_term_t terms[2];
        const lc_t sum = terms_affine(terms, &pre[i], &fr_one, inputs[i - 1].var);

        fr_add(&h->state[i], &inputs[i - 1].value, &pre[i]);
        h->terms[i].var = raise(h->cs, &sum, &h->state[i], &post[i]);
    }
    h->n_terms = t;
    h->keys += 2 * (size_t)t;
}

/* coeffs: t rows, the combinations of the state. The last round adds no constants. */
static void full_round(poseidon_circuit_run_t *h, const fr_t *coeffs, bool last)
{
    const unsigned t = h->c->width;
    var_t vars[MAX_T];

    for (unsigned i = 0; i < t; i++)
        vars[i] = sbox(h, coeffs + i * h->n_terms, &h->state[i], last ? NULL : &h->keys[i]);
    for (unsigned i = 0; i < t; i++) h->terms[i].var = vars[i];
    h->n_terms = t;
    h->keys += t;
}

/* coeffs: the row of each round. Returns what follows them. */
static const fr_t *partial_rounds(poseidon_circuit_run_t *h, const fr_t *coeffs)
{
    for (unsigned round = 0; round < h->c->partial_rounds; round++) {
        const var_t x = sbox(h, coeffs, &h->state[0], h->keys++);

        if (h->cs->has_values) poseidon_mix_sparse(h->c, h->state, round);
        coeffs += h->n_terms;
        h->terms[h->n_terms++].var = x;
    }
    return coeffs;
}

static void mix(poseidon_circuit_run_t *h, const fr_t *matrix)
{
    if (h->cs->has_values) poseidon_mix(h->c, h->state, matrix);
}

/* The constraints of an S-box with input x, whose powers and result are y[0 .. 2]. */
static void sbox_on_tape(cs_t *cs, const fr_t *x, const fr_t *y)
{
    fr_t fifth;

    fr_mul(&fifth, x, &y[1]);
    tape_row(cs, x, x, &y[0]);
    tape_row(cs, &y[0], &y[0], &y[1]);
    tape_row(cs, x, &y[1], &fifth);
}

/* make_hash() for runs with a tape: all variables are elements of the trace, and constraints have
 * no values but theirs. */
static num_t hash_on_tape(cs_t *cs, poseidon_instance instance, const num_t *inputs)
{
    const poseidon_constants_t *c = poseidon_instance_constants(instance);
    const unsigned n = poseidon_trace_length(c);
    fr_t *trace = tape_elements(cs, n);
    fr_t values[MAX_T];
    const fr_t *at = trace;

    for (unsigned i = 1; i < c->width; i++) values[i - 1] = inputs[i - 1].value;
    if (cs->tape->ahead != NULL) {
        memcpy(trace, cs->tape->ahead, n * sizeof *trace);
        cs->tape->ahead += n;
    } else {
        poseidon_trace(trace, instance, values);
    }
    for (unsigned i = 1; i < c->width; i++, at += 3) {
        fr_t x;

        fr_add(&x, &values[i - 1], &c->keys[i]);
        sbox_on_tape(cs, &x, at);
    }
    for (; at < trace + n - 1; at += 4) {
        tape_row(cs, at, &fr_one, at);
        sbox_on_tape(cs, at, at + 1);
    }
    tape_row(cs, at, &fr_one, at);
    return (num_t){.value = *at, .var = VAR_AUX | (cs->n_aux - 1)};
}

/* make_hash() for parts that give values only. */
static num_t hash_value(poseidon_instance instance, const num_t *inputs)
{
    fr_t values[MAX_T], digest;

    for (unsigned i = 0; i < poseidon_arity(instance); i++) values[i] = inputs[i].value;
    poseidon_hash(&digest, instance, values);
    return num_value_only(&digest);
}

static num_t make_hash(cs_t *cs, poseidon_instance instance, const num_t *inputs)
{
    const poseidon_constants_t *c = poseidon_instance_constants(instance);
    poseidon_circuit_run_t h = {
        .cs = cs, .c = c, .keys = c->keys, .one = {.coeff = fr_one, .var = VAR_ONE}};
    num_t result;

    (void)pthread_once(&partial_rows_once, make_all_partial_rows);
    poseidon_tag(&h.state[0], instance);
    first_round(&h, inputs);
    mix(&h, c->mix);
    for (unsigned i = 1; i < HALF; i++) {
        full_round(&h, c->mix, false);
        mix(&h, i < HALF - 1 ? c->mix : c->pre_sparse);
    }
    const fr_t *coeffs = partial_rounds(&h, partial_rows[c - poseidon_constants]);
    for (unsigned i = 0; i < HALF; i++) {
        full_round(&h, i == 0 ? coeffs : c->mix, i == HALF - 1);
        mix(&h, c->mix);
    }
    result.value = h.state[1];
    result.var = combine(&h, c->mix + c->width, &h.state[1]);
    return result;
}

num_t poseidon_circuit(cs_t *cs, poseidon_instance instance, const num_t *inputs)
{
    const uint8_t key = (uint8_t)instance;
    num_t result = num_value_only(&fr_zero);
    var_t slots[MAX_T];
    const cs_gadget_t gadget = {.name = "poseidon",
                                .key = &key,
                                .key_bytes = sizeof key,
                                .slots = slots,
                                .n_slots = poseidon_arity(instance),
                                .outputs = &result.var,
                                .n_outputs = 1};

    if (cs->values_only) return hash_value(instance, inputs);
    if (cs->tape != NULL) return hash_on_tape(cs, instance, inputs);
    for (unsigned i = 0; i < gadget.n_slots; i++) slots[i] = inputs[i].var;
    if (cs_gadget_begin(cs, &gadget)) return result;
    result = make_hash(cs, instance, inputs);
    cs_gadget_end(cs, &gadget);
    return result;
}
