/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_VARIANTS_LC_INLINE_H
#define CUZK_BENCH_VARIANTS_LC_INLINE_H

/* In place of r1cs/lc.h: combinations with room for LC_ROOM terms in themselves. An r1cs/lc.h below
 * this folder says how many, and stands before ours in the include path. */

#include "base/arena.h"
#include "field/fr.h"

/** A variable: the index of a public input, or VAR_AUX + the index of an auxiliary variable. As
 *  integers, inputs come before auxiliary variables, which is the order of all digests. */
typedef uint32_t var_t;

#define VAR_AUX ((var_t)0x80000000)
#define VAR_ONE ((var_t)0) /* input 0, whose value is 1 */

typedef struct {
    fr_t coeff;
    var_t var;
} lc_term_t;

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

/** Makes room for n terms in all. Like all below, the arena must have room. */
void lc_reserve(arena_t *arena, lc_t *r, uint32_t n);

void lc_add_term(arena_t *arena, lc_t *r, var_t var, const fr_t *coeff);
void lc_add_var(arena_t *arena, lc_t *r, var_t var);
void lc_sub_var(arena_t *arena, lc_t *r, var_t var);

/** The combination 1 * var. */
lc_t lc_from_var(arena_t *arena, var_t var);

#endif
