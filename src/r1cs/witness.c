/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "r1cs/witness.h"

#include <stdlib.h>

#include "base/verify.h"

enum { FIRST_CAPACITY = 1 << 10 };

static uint32_t next_capacity(uint32_t capacity, uint32_t wanted)
{
    uint64_t next = capacity == 0 ? FIRST_CAPACITY : capacity;

    while (next < wanted) next *= 2;
    return next > UINT32_MAX ? UINT32_MAX : (uint32_t)next;
}

static bool grow_values(fr_t **values, uint32_t *capacity, uint32_t n)
{
    fr_t *grown = realloc(*values, n * sizeof *grown);

    if (grown == NULL) return false;
    *values = grown;
    *capacity = n;
    return true;
}

/* A bitmap of old_words made larger. What is new is zero: fresh from the system at first, which
 * clears it already. */
static bool grow_bitmap(uint64_t **bitmap, size_t old_words, size_t words)
{
    uint64_t *grown =
        old_words == 0 ? calloc(words, sizeof *grown) : realloc(*bitmap, words * sizeof *grown);

    if (grown == NULL) return false;
    if (old_words > 0) memset(grown + old_words, 0, (words - old_words) * sizeof *grown);
    *bitmap = grown;
    return true;
}

static size_t aux_words(uint32_t n_aux)
{
    return ((size_t)n_aux + 63) / 64;
}

/* A bitmap that has grown when another array is refused stays larger than the capacity says, which
 * does no harm: its words past that are zero. */
static bool grow_aux(witness_t *w, uint32_t n)
{
    const size_t old_words = w->aux_capacity / 64;
    const size_t words = aux_words(n);

    if (!grow_bitmap(&w->is_bit, old_words, words) || !grow_bitmap(&w->bits, old_words, words))
        return false;
    uint32_t *rank = realloc(w->rank, words * sizeof *rank);
    if (rank == NULL) return false;
    w->rank = rank;
    w->aux_capacity = (uint32_t)(words * 64 > UINT32_MAX ? UINT32_MAX & ~63u : words * 64);
    return true;
}

cuzk_status witness_open(witness_t *w, uint32_t n_inputs, uint32_t n_aux, uint32_t n_elements,
                         cuzk_error *err)
{
    if (n_inputs == 0) n_inputs = 1;
    *w = (witness_t){0};
    if (grow_values(&w->inputs, &w->inputs_capacity, n_inputs) &&
        (n_aux == 0 || grow_aux(w, n_aux)) &&
        (n_elements == 0 || grow_values(&w->elements, &w->elements_capacity, n_elements))) {
        w->inputs[w->n_inputs++] = fr_one;
        return CUZK_OK;
    }
    witness_clear(w);
    return error_set(err, CUZK_ERR_MEMORY, "witness: no memory for %llu bytes",
                     (unsigned long long)witness_bytes(n_inputs, n_aux, n_elements));
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

uint64_t witness_bytes(uint32_t n_inputs, uint32_t n_aux, uint32_t n_elements)
{
    return ((uint64_t)n_inputs + n_elements) * sizeof(fr_t) +
           (uint64_t)aux_words(n_aux) * (2 * sizeof(uint64_t) + sizeof(uint32_t));
}

bool witness_add_input(witness_t *w, const fr_t *value)
{
    if (w->n_inputs == w->inputs_capacity &&
        !grow_values(&w->inputs, &w->inputs_capacity,
                     next_capacity(w->inputs_capacity, w->n_inputs + 1)))
        return false;
    w->inputs[w->n_inputs++] = *value;
    return true;
}

/* Makes room for the next auxiliary variable. */
static bool reserve_aux(witness_t *w)
{
    if (w->n_aux == w->aux_capacity && !grow_aux(w, next_capacity(w->aux_capacity, w->n_aux + 1)))
        return false;
    if (w->n_aux % 64 == 0) w->rank[w->n_aux / 64] = w->n_elements;
    return true;
}

bool witness_add_bit(witness_t *w, bool value)
{
    if (!reserve_aux(w)) return false;
    const uint32_t i = w->n_aux++;
    w->is_bit[i / 64] |= (uint64_t)1 << i % 64;
    w->bits[i / 64] |= (uint64_t)value << i % 64;
    return true;
}

bool witness_add_element(witness_t *w, const fr_t *value)
{
    if (!reserve_aux(w)) return false;
    if (w->n_elements == w->elements_capacity &&
        !grow_values(&w->elements, &w->elements_capacity,
                     next_capacity(w->elements_capacity, w->n_elements + 1)))
        return false;
    w->n_aux++;
    w->elements[w->n_elements++] = *value;
    return true;
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
