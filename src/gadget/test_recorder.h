/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_GADGET_TEST_RECORDER_H
#define CUZK_GADGET_TEST_RECORDER_H

/* For tests: a back end that keeps values and constraints, to see whether they hold and what
 * follows when a value changes. */

#include "r1cs/cs.h"

typedef struct {
    lc_t a, b, c;
} recorded_t;

/** Memory is the arenas' and released by recorder_clear(). */
typedef struct {
    cs_t cs;
    arena_t kept;            /* copies of the combinations */
    fr_t *inputs;            /* cs.n_inputs values, ONE first */
    fr_t *aux;               /* cs.n_aux values */
    bool *aux_is_bit;        /* cs.n_aux: came by cs_alloc_bit() */
    recorded_t *constraints; /* cs.n_constraints */
    size_t inputs_capacity, aux_capacity, constraints_capacity;
} recorder_t;

/** has_values true. */
void recorder_init(recorder_t *r);
void recorder_clear(recorder_t *r);

/** The value of a variable, to read or to change. */
fr_t *recorder_value(recorder_t *r, var_t var);

/** *sum = the value of a combination. */
void recorder_eval(fr_t *sum, recorder_t *r, const lc_t *lc);

/** Constraints that do not hold. */
uint64_t recorder_violated(recorder_t *r);

/** Of the inputs but ONE and the auxiliary variables from first_aux on, those that can change alone
 *  without a constraint noticing: bits to the other bit, others by 1 or by 7^1000. */
uint64_t recorder_free_variables(recorder_t *r, uint32_t first_aux);

#endif
