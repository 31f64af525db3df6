/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_SYNTHESIS_STAMPED_H
#define CUZK_SYNTHESIS_STAMPED_H

/* The run over tapes (r1cs/tape.h) behind synthesis_prove(). */

#include "synthesis/prove.h"

/** Fills x->witness and the first n_constraints values of x->a, x->b and x->c, which have room; c
 *  may be NULL, and all three may. hints->plan is there; the chunks run on hints->strand. Ends the
 * process when the circuit is not the plan's. */
void synthesis_run_stamped(assignment_t *x, circuit_fn circuit, const void *values,
                           const synthesis_hints_t *hints);

#endif
