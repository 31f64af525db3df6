/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_SYNTHESIS_STAMPED_H
#define CUZK_SYNTHESIS_STAMPED_H

/* The run over tapes (r1cs/tape.h) behind synthesis_prove(). */

#include "synthesis/prove.h"

/** Fills x->witness and the first n_constraints values of x->a, x->b and x->c; c may be NULL, and
 *  all three may. Errors as synthesis_prove(); x->witness is to be cleared in any case. */
cuzk_status synthesis_run_stamped(assignment_t *x, circuit_fn circuit, const void *values,
                                  const circuit_plan_t *plan, const synthesis_options_t *options,
                                  cuzk_error *err);

/** CUZK_ERR_INTERNAL: the circuit is not its plan's. */
cuzk_status synthesis_refuse_plan(cuzk_error *err);

#endif
