/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "r1cs/witness.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/verify.h"

enum { FIRST_CAPACITY = 1 << 10 };

static void *grown(void *p, size_t n, size_t size)
{
    void *q = realloc(p, n * size);

    if (q == NULL) {
        (void)fprintf(stderr, "cuzk: out of memory for a witness (%zu x %zu bytes)\n", n, size);
        abort();
    }
    return q;
}

static uint32_t next_capacity(uint32_t capacity, uint32_t wanted)
{
    uint64_t next = capacity == 0 ? FIRST_CAPACITY : capacity;

    while (next < wanted) next *= 2;
    return next > UINT32_MAX ? UINT32_MAX : (uint32_t)next;
}

static void set_inputs_capacity(witness_t *w, uint32_t n)
{
    w->inputs = grown(w->inputs, n, sizeof *w->inputs);
    w->inputs_capacity = n;
}

static void set_elements_capacity(witness_t *w, uint32_t n)
{
    w->elements = grown(w->elements, n, sizeof *w->elements);
    w->elements_capacity = n;
}

static void set_aux_capacity(witness_t *w, uint32_t n)
{
    const size_t old_words = w->aux_capacity / 64;
    const size_t words = ((size_t)n + 63) / 64;

    w->is_bit = grown(w->is_bit, words, sizeof *w->is_bit);
    w->bits = grown(w->bits, words, sizeof *w->bits);
    w->rank = grown(w->rank, words, sizeof *w->rank);
    memset(w->is_bit + old_words, 0, (words - old_words) * sizeof *w->is_bit);
    memset(w->bits + old_words, 0, (words - old_words) * sizeof *w->bits);
    w->aux_capacity = (uint32_t)(words * 64 > UINT32_MAX ? UINT32_MAX & ~63u : words * 64);
}

void witness_init(witness_t *w)
{
    *w = (witness_t){0};
    witness_add_input(w, &fr_one);
}

void witness_clear(witness_t *w)
{
    free(w->inputs);
    free(w->is_bit);
    free(w->bits);
    free(w->rank);
    free(w->elements);
    *w = (witness_t){0};
}

void witness_reserve(witness_t *w, uint32_t n_inputs, uint32_t n_aux, uint32_t n_elements)
{
    if (n_inputs > w->inputs_capacity) set_inputs_capacity(w, n_inputs);
    if (n_aux > w->aux_capacity) set_aux_capacity(w, n_aux);
    if (n_elements > w->elements_capacity) set_elements_capacity(w, n_elements);
}

void witness_add_input(witness_t *w, const fr_t *value)
{
    if (w->n_inputs == w->inputs_capacity)
        set_inputs_capacity(w, next_capacity(w->inputs_capacity, w->n_inputs + 1));
    w->inputs[w->n_inputs++] = *value;
}

/* Makes room for the next auxiliary variable and returns its index. */
static uint32_t next_aux(witness_t *w)
{
    if (w->n_aux == w->aux_capacity)
        set_aux_capacity(w, next_capacity(w->aux_capacity, w->n_aux + 1));
    if (w->n_aux % 64 == 0) w->rank[w->n_aux / 64] = w->n_elements;
    return w->n_aux++;
}

void witness_add_bit(witness_t *w, bool value)
{
    const uint32_t i = next_aux(w);

    w->is_bit[i / 64] |= (uint64_t)1 << i % 64;
    w->bits[i / 64] |= (uint64_t)value << i % 64;
}

void witness_add_element(witness_t *w, const fr_t *value)
{
    (void)next_aux(w);
    if (w->n_elements == w->elements_capacity)
        set_elements_capacity(w, next_capacity(w->elements_capacity, w->n_elements + 1));
    w->elements[w->n_elements++] = *value;
}

void witness_eval(fr_t *r, const witness_t *w, const lc_t *lc)
{
    const lc_term_t *terms = lc_terms(lc);
    fr_t sum = fr_zero;

    for (uint32_t i = 0; i < lc->n; i++) {
        const lc_term_t *term = &terms[i];
        const var_t var = term->var;
        fr_t product;

        VERIFY((var & VAR_AUX) ? (var & ~VAR_AUX) < w->n_aux : var < w->n_inputs);
        if ((var & VAR_AUX) && witness_is_bit(w, var & ~VAR_AUX)) {
            if (witness_bit(w, var & ~VAR_AUX)) fr_add(&sum, &sum, &term->coeff);
            continue;
        }
        if (var == VAR_ONE) {
            fr_add(&sum, &sum, &term->coeff);
            continue;
        }
        fr_mul(&product, &term->coeff, witness_value(w, var));
        fr_add(&sum, &sum, &product);
    }
    *r = sum;
}
