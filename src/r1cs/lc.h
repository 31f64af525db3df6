/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_R1CS_LC_H
#define CUZK_R1CS_LC_H

/* Linear combinations over the variables of a constraint system. */

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

/** Terms that a combination holds in itself. Above 0 in programs that measure what that costs; a
 *  program's sources must agree on it. */
#ifndef LC_INLINE_TERMS
#define LC_INLINE_TERMS 0
#endif

/** The sum of n terms, see lc_terms(). They lie in memory that outlives the combination, most of
 *  them in an arena, or in the combination itself. */
typedef struct {
    lc_term_t *terms; /* NULL: none, or they are in room */
    uint32_t n;
    uint32_t capacity;
#if LC_INLINE_TERMS > 0
    lc_term_t room[LC_INLINE_TERMS];
#endif
} lc_t;

/** The combination without terms; so is one of zeros. */
static inline lc_t lc_empty(void)
{
    lc_t r;

    r.terms = NULL;
    r.n = 0;
    r.capacity = 0;
    return r;
}

/** The n terms, strictly rising by var; a coefficient may have become zero. Until the combination
 * is changed or moved. */
static inline const lc_term_t *lc_terms(const lc_t *lc)
{
#if LC_INLINE_TERMS > 0
    if (lc->terms == NULL) return lc->room;
#endif
    return lc->terms;
}

/** Where terms are kept that are not in the combination itself, for measuring what the choice
 * costs; results are the same. */
typedef enum {
    LC_ARENA, /* in the arena */
    LC_VECTOR /* each combination's in a block of its own from malloc */
} lc_storage;

/** For this process, from now on; LC_ARENA until then. Not while circuits run. */
void lc_set_storage(lc_storage storage);

/** Makes room for n terms in all. */
void lc_reserve(arena_t *arena, lc_t *r, uint32_t n);

void lc_add_term(arena_t *arena, lc_t *r, var_t var, const fr_t *coeff);
void lc_add_var(arena_t *arena, lc_t *r, var_t var);
void lc_sub_var(arena_t *arena, lc_t *r, var_t var);

/** The combination 1 * var. */
lc_t lc_from_var(arena_t *arena, var_t var);

#endif
