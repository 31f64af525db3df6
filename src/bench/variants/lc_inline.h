/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_VARIANTS_LC_INLINE_H
#define CUZK_BENCH_VARIANTS_LC_INLINE_H

/* In place of r1cs/lc_storage.h: combinations with room for LC_ROOM terms in themselves. An
 * r1cs/lc_storage.h below this folder says how many, and stands before ours in the include path. */

#include <string.h>

#include "base/verify.h"
#include "bench/variants/arena_blocks.h"
#include "r1cs/term.h"

/** The sum of n terms, see lc_terms(). Zeroed is the empty sum. */
typedef struct {
    lc_term_t *terms; /* NULL: none, or they are in room */
    uint32_t n;
    uint32_t capacity;
    lc_term_t room[LC_ROOM];
} lc_t;

/** The combination without terms. */
static inline lc_t lc_empty(void)
{
    lc_t r;

    r.terms = NULL; /* room stays as it is */
    r.n = 0;
    r.capacity = 0;
    return r;
}

/** The n terms, strictly rising by var; a coefficient may have become zero. Until the combination
 * is changed or moved. */
static inline const lc_term_t *lc_terms(const lc_t *lc)
{
    return lc->terms == NULL ? lc->room : lc->terms;
}

/** The same, to be changed. */
static inline lc_term_t *lc_own_terms(lc_t *lc)
{
    return lc->terms == NULL ? lc->room : lc->terms;
}

enum { LC_FIRST_CAPACITY = 4 };

/** Makes room for n terms in all. The arena must have room. */
static inline void lc_reserve(arena_t *arena, lc_t *r, uint32_t n)
{
    uint32_t capacity = r->capacity == 0 ? LC_FIRST_CAPACITY : r->capacity;

    if (n <= r->capacity) return;
    if (n <= LC_ROOM) {
        r->capacity = LC_ROOM;
        return;
    }
    while (capacity < n) capacity *= 2;
    const size_t held = r->terms == NULL ? 0 : r->n * sizeof *r->terms;
    lc_term_t *terms = arena_block(arena, r->terms, held, capacity * sizeof *terms);
    VERIFY(terms != NULL);
    if (r->terms == NULL && r->n > 0) memcpy(terms, r->room, r->n * sizeof *terms);
    r->terms = terms;
    r->capacity = capacity;
}

#endif
