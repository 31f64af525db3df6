/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_R1CS_LC_H
#define CUZK_R1CS_LC_H

/* Linear combinations over the variables of a constraint system. */

#include "r1cs/lc_storage.h"

/** Adds to *r. The arena must have room, as in all below. */
void lc_add_term(arena_t *arena, lc_t *r, var_t var, const fr_t *coeff);
void lc_add_var(arena_t *arena, lc_t *r, var_t var);
void lc_sub_var(arena_t *arena, lc_t *r, var_t var);

/** The combination 1 * var. */
lc_t lc_from_var(arena_t *arena, var_t var);

#endif
