/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "r1cs/lc.h"

#include <string.h>

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

    if (at < r->n && lc_own_terms(r)[at].var == var) {
        term = &lc_own_terms(r)[at];
        fr_add(&term->coeff, &term->coeff, coeff);
        return;
    }
    lc_reserve(arena, r, r->n + 1);
    term = &lc_own_terms(r)[at];
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
