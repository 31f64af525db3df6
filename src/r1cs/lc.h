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

/** Makes room for n terms in all. Like all below, the arena must have room. */
void lc_reserve(arena_t *arena, lc_t *r, uint32_t n);

void lc_add_term(arena_t *arena, lc_t *r, var_t var, const fr_t *coeff);
void lc_add_var(arena_t *arena, lc_t *r, var_t var);
void lc_sub_var(arena_t *arena, lc_t *r, var_t var);

/** The combination 1 * var. */
lc_t lc_from_var(arena_t *arena, var_t var);

#endif
