/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_R1CS_DENSITY_H
#define CUZK_R1CS_DENSITY_H

/* Which variables have a non-zero coefficient in a matrix: those have a point in the query. */

#include <stddef.h>

#include "r1cs/lc.h"

/** A bitmap that grows. */
typedef struct {
    uint64_t *words; /* bit i of word i/64; zero past the highest bit set */
    size_t n_words;
} density_t;

/** Densities of a circuit: A over the auxiliary variables (every input has a term in A), B over
 *  both kinds. Zeroed is empty. */
typedef struct {
    density_t a_aux;
    density_t b_input;
    density_t b_aux;
} densities_t;

void densities_clear(densities_t *d);

void density_clear(density_t *d);

/** Room for the variables below n, at least; false when there is no memory: d is as it was. */
bool density_reserve(density_t *d, uint64_t n);

/** Gives back what is past the variables below n. */
void density_trim(density_t *d, uint64_t n);

bool density_set_slow(density_t *d, uint32_t i);

/** False when there is no memory. */
static inline bool density_set(density_t *d, uint32_t i)
{
    if (i / 64 >= d->n_words) return density_set_slow(d, i);
    d->words[i / 64] |= (uint64_t)1 << i % 64;
    return true;
}

static inline bool density_get(const density_t *d, uint32_t i)
{
    return i / 64 < d->n_words && (d->words[i / 64] >> i % 64 & 1);
}

/** Bits set. */
uint64_t density_total(const density_t *d);

/** Marks the variables of the combinations a and b of one constraint; zero coefficients do not
 *  count. False when there is no memory. */
bool densities_add(densities_t *d, const lc_t *a, const lc_t *b);

#endif
