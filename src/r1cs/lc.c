/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "r1cs/lc.h"

#include "base/verify.h"

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
    lc_term_t *term = own_terms(r) + at;

    if (at < r->n && term->var == var) {
        fr_add(&term->coeff, &term->coeff, coeff);
        return;
    }
    lc_reserve(arena, r, r->n + 1);
    term = own_terms(r) + at;
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

/* What to do with a's coefficients on their way into r. */
typedef enum { KEEP, NEGATE, SCALE } change_t;

static void changed(fr_t *r, const fr_t *coeff, change_t change, const fr_t *k)
{
    if (change == KEEP)
        *r = *coeff;
    else if (change == NEGATE)
        fr_neg(r, coeff);
    else
        fr_mul(r, coeff, k);
}

/* Variables of a that r does not have. */
static uint32_t count_new(const lc_t *r, const lc_t *a)
{
    const lc_term_t *in_r = lc_terms(r);
    const lc_term_t *in_a = lc_terms(a);
    uint32_t i = 0;
    uint32_t n = 0;

    for (uint32_t j = 0; j < a->n; j++) {
        while (i < r->n && in_r[i].var < in_a[j].var) i++;
        if (i == r->n) return n + (a->n - j);
        if (in_r[i].var != in_a[j].var) n++;
    }
    return n;
}

/* Merges from the back into the room made at r's end. */
static void merge(arena_t *arena, lc_t *r, const lc_t *a, change_t change, const fr_t *k)
{
    const uint32_t n = r->n + count_new(r, a);
    uint32_t i = r->n;
    uint32_t j = a->n;
    uint32_t out = n;

    VERIFY(r != a);
    lc_reserve(arena, r, n);
    lc_term_t *terms = own_terms(r);
    while (j > 0) {
        lc_term_t *to = &terms[out - 1];
        const lc_term_t *from = &lc_terms(a)[j - 1];

        if (i > 0 && terms[i - 1].var > from->var) {
            *to = terms[--i];
        } else if (i > 0 && terms[i - 1].var == from->var) {
            fr_t coeff;

            changed(&coeff, &from->coeff, change, k);
            i--;
            fr_add(&to->coeff, &terms[i].coeff, &coeff);
            to->var = from->var;
            j--;
        } else {
            changed(&to->coeff, &from->coeff, change, k);
            to->var = from->var;
            j--;
        }
        out--;
    }
    VERIFY(out == i);
    r->n = n;
}

void lc_add(arena_t *arena, lc_t *r, const lc_t *a)
{
    merge(arena, r, a, KEEP, NULL);
}

void lc_sub(arena_t *arena, lc_t *r, const lc_t *a)
{
    merge(arena, r, a, NEGATE, NULL);
}

void lc_add_scaled(arena_t *arena, lc_t *r, const fr_t *k, const lc_t *a)
{
    merge(arena, r, a, SCALE, k);
}

void lc_scale(lc_t *r, const fr_t *k)
{
    lc_term_t *terms = own_terms(r);

    for (uint32_t i = 0; i < r->n; i++) fr_mul(&terms[i].coeff, &terms[i].coeff, k);
}

lc_t lc_copy(arena_t *arena, const lc_t *a)
{
    lc_t r = lc_empty();

    lc_reserve(arena, &r, a->n);
    if (a->n > 0) memcpy(own_terms(&r), lc_terms(a), a->n * sizeof *r.terms);
    r.n = a->n;
    return r;
}

lc_t lc_from_var(arena_t *arena, var_t var)
{
    lc_t r = lc_empty();

    lc_add_var(arena, &r, var);
    return r;
}
