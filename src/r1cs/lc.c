/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "r1cs/lc.h"

static lc_storage storage = LC_ARENA;

void lc_set_storage(lc_storage wanted)
{
    storage = wanted;
}

enum { FIRST_CAPACITY = 4 };

static lc_term_t *own_terms(lc_t *r)
{
#if LC_INLINE_TERMS > 0
    if (r->terms == NULL) return r->room;
#endif
    return r->terms;
}

/* The terms' new block; what they have in theirs now, which is none when they lie in r, is kept. */
static lc_term_t *enlarge(arena_t *arena, const lc_t *r, uint32_t capacity)
{
    const uint32_t held = r->terms == NULL ? 0 : r->n;

    if (storage == LC_ARENA)
        return arena_grow(arena, r->terms, r->terms == NULL ? 0 : r->capacity, capacity,
                          sizeof *r->terms);
    return arena_attach(arena, r->terms, held * sizeof *r->terms, capacity * sizeof *r->terms);
}

void lc_reserve(arena_t *arena, lc_t *r, uint32_t n)
{
    uint32_t capacity = r->capacity == 0 ? FIRST_CAPACITY : r->capacity;

    if (n <= r->capacity) return;
#if LC_INLINE_TERMS > 0
    if (n <= LC_INLINE_TERMS) {
        r->capacity = LC_INLINE_TERMS;
        return;
    }
#endif
    while (capacity < n) capacity *= 2;
    lc_term_t *terms = enlarge(arena, r, capacity);
#if LC_INLINE_TERMS > 0
    if (r->terms == NULL && r->n > 0) memcpy(terms, r->room, r->n * sizeof *terms);
#endif
    r->terms = terms;
    r->capacity = capacity;
}

/* The first position whose variable is not below var. */
static uint32_t lower_bound(const lc_t *r, var_t var)
{
    const lc_term_t *terms = lc_terms(r);
    uint32_t low = 0;
    uint32_t high = r->n;

    if (high > 0 && terms[high - 1].var < var) return high; /* mostly they come rising */
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (terms[middle].var < var)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void lc_add_term(arena_t *arena, lc_t *r, var_t var, const fr_t *coeff)
{
    const uint32_t at = lower_bound(r, var);
    lc_term_t *term;

    if (at < r->n && own_terms(r)[at].var == var) {
        term = &own_terms(r)[at];
        fr_add(&term->coeff, &term->coeff, coeff);
        return;
    }
    lc_reserve(arena, r, r->n + 1);
    term = &own_terms(r)[at];
    memmove(term + 1, term, (r->n - at) * sizeof *term);
    term->coeff = *coeff;
    term->var = var;
    r->n++;
}

void lc_add_var(arena_t *arena, lc_t *r, var_t var)
{
    lc_add_term(arena, r, var, &fr_one);
}

void lc_sub_var(arena_t *arena, lc_t *r, var_t var)
{
    lc_add_term(arena, r, var, &fr_minus_one);
}

lc_t lc_from_var(arena_t *arena, var_t var)
{
    lc_t r = lc_empty();

    lc_add_var(arena, &r, var);
    return r;
}
