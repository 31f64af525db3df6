/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_PCE_TEST_COMPARE_H
#define CUZK_PCE_TEST_COMPARE_H

/* For tests: all paths of synthesis against the generic one. What differs ends the test. */

#include "pce/pce.h"
#include "synthesis/owned.h"

/** The generic run with c; release with owned_assignment_clear(). */
void compare_generic(owned_assignment_t *owned, circuit_fn circuit, const void *values);

/** Whether the plan says what the run gave, counts and densities, and is synthesis_plan()'s to the
 *  last bit; the densities of this one are also those of a run that gathers them. */
void compare_plan(const owned_assignment_t *owned, circuit_fn circuit, const void *values,
                  const circuit_plan_t *plan);

/** Whether the densities made from the PCE are those that the run gathered and the plan holds. */
void compare_densities(const assignment_t *x, const pce_t *pce);

/** Stamped runs in 1, 2, 3 and 7 chunks, witnesses alone, densities, and the evaluation from
 *  the witness. */
void compare_paths(const assignment_t *x, const pce_t *pce, circuit_fn circuit, const void *values);

#endif
