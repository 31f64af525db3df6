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

/** sum(terms[i].coeff * terms[i].var). Strictly rising by var; a coefficient may have become zero.
 *  The terms live in an arena that outlives the combination. Zeroed is the empty combination. */
typedef struct {
    lc_term_t *terms;
    uint32_t n;
    uint32_t capacity;
} lc_t;

/** Where terms are kept, for measuring what the choice costs; results are the same. */
typedef enum {
    LC_ARENA,   /* in the arena, room for 4 at first */
    LC_VECTOR,  /* each combination's in a block of its own from malloc, room for 4 at first */
    LC_INLINE1, /* the first 1, 2 or 4 in the arena; all in a block from malloc when there are */
    LC_INLINE2, /* more */
    LC_INLINE4
} lc_storage;

/** For this process, from now on; LC_ARENA until then. Not while circuits run. */
void lc_set_storage(lc_storage storage);

/* In all of these r is changed in place and other operands must not be r. */

void lc_add_term(arena_t *arena, lc_t *r, var_t var, const fr_t *coeff);
void lc_add_var(arena_t *arena, lc_t *r, var_t var);
void lc_sub_var(arena_t *arena, lc_t *r, var_t var);

void lc_add(arena_t *arena, lc_t *r, const lc_t *a);
void lc_sub(arena_t *arena, lc_t *r, const lc_t *a);

/** r += k * a */
void lc_add_scaled(arena_t *arena, lc_t *r, const fr_t *k, const lc_t *a);

/** r *= k */
void lc_scale(lc_t *r, const fr_t *k);

/** A copy with memory of its own. */
lc_t lc_copy(arena_t *arena, const lc_t *a);

/** The combination 1 * var. */
lc_t lc_from_var(arena_t *arena, var_t var);

#endif
