/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_R1CS_LC_STORAGE_H
#define CUZK_R1CS_LC_STORAGE_H

/* Where a linear combination keeps its terms. */

#include "base/arena.h"
#include "base/verify.h"
#include "r1cs/term.h"

/** The sum of n terms, see lc_terms(). Zeroed is the empty sum. */
typedef struct {
    lc_term_t *terms; /* in an arena that outlives the combination */
    uint32_t n;
    uint32_t capacity;
} lc_t;

/** The combination without terms. */
static inline lc_t lc_empty(void)
{
    return (lc_t){0};
}

/** The n terms, strictly rising by var; a coefficient may have become zero. Until the combination
 * is changed or moved. */
static inline const lc_term_t *lc_terms(const lc_t *lc)
{
    return lc->terms;
}

/** The same, to be changed. */
static inline lc_term_t *lc_own_terms(lc_t *lc)
{
    return lc->terms;
}

enum { LC_FIRST_CAPACITY = 4 };

/** Makes room for n terms in all. The arena must have room. */
static inline void lc_reserve(arena_t *arena, lc_t *r, uint32_t n)
{
    uint32_t capacity = r->capacity == 0 ? LC_FIRST_CAPACITY : r->capacity;

    if (n <= r->capacity) return;
    while (capacity < n) capacity *= 2;
    r->terms = arena_grow(arena, r->terms, r->capacity, capacity, sizeof *r->terms);
    VERIFY(r->terms != NULL);
    r->capacity = capacity;
}

#endif
