/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "r1cs/density.h"

#include <stdlib.h>

enum { FIRST_WORDS = 64 };

void density_clear(density_t *d)
{
    free(d->words);
    *d = (density_t){0};
}

void densities_clear(densities_t *d)
{
    density_clear(&d->a_aux);
    density_clear(&d->b_input);
    density_clear(&d->b_aux);
}

bool density_reserve(density_t *d, uint64_t n)
{
    const size_t needed = (size_t)((n + 63) / 64);
    size_t n_words = d->n_words == 0 ? FIRST_WORDS : d->n_words;

    if (needed <= d->n_words) return true;
    while (n_words < needed) n_words *= 2;
    uint64_t *words = realloc(d->words, n_words * sizeof *words);
    if (words == NULL) return false;
    memset(words + d->n_words, 0, (n_words - d->n_words) * sizeof *words);
    d->words = words;
    d->n_words = n_words;
    return true;
}

void density_trim(density_t *d, uint64_t n)
{
    const size_t n_words = (size_t)((n + 63) / 64);

    if (n_words >= d->n_words) return;
    if (n_words == 0) {
        density_clear(d);
        return;
    }
    uint64_t *words = realloc(d->words, n_words * sizeof *words);
    if (words != NULL) d->words = words;
    d->n_words = n_words;
}

bool density_set_slow(density_t *d, uint32_t i)
{
    return density_reserve(d, (uint64_t)i + 1) && density_set(d, i);
}

uint64_t density_total(const density_t *d)
{
    uint64_t total = 0;

    for (size_t i = 0; i < d->n_words; i++) total += (uint64_t)__builtin_popcountll(d->words[i]);
    return total;
}

bool densities_add(densities_t *d, const lc_t *a, const lc_t *b)
{
    bool ok = true;

    for (uint32_t i = 0; i < a->n; i++) {
        const lc_term_t *t = &lc_terms(a)[i];

        if ((t->var & VAR_AUX) && !fr_is_zero(&t->coeff))
            ok &= density_set(&d->a_aux, t->var & ~VAR_AUX);
    }
    for (uint32_t i = 0; i < b->n; i++) {
        const lc_term_t *t = &lc_terms(b)[i];

        if (fr_is_zero(&t->coeff)) continue;
        ok &= density_set(t->var & VAR_AUX ? &d->b_aux : &d->b_input, t->var & ~VAR_AUX);
    }
    return ok;
}
