/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_SYNTHESIS_OWNED_H
#define CUZK_SYNTHESIS_OWNED_H

/* For programs and tests that make one proof at a time: an assignment with a plan and memory of its
 * own. */

#include "synthesis/prove.h"

typedef struct {
    assignment_t x;
    circuit_plan_t plan;
    synthesis_sides_t sides; /* own; NULL those that x lacks */
    size_t m;                /* elements of each */
} owned_assignment_t;

/** synthesis_plan(), then synthesis_prove(). Release with owned_assignment_clear(), on success
 *  only. Errors as these two. */
cuzk_status owned_assignment_make(owned_assignment_t *owned, circuit_fn circuit, const void *values,
                                  bool want_c, const synthesis_options_t *options, cuzk_error *err);

void owned_assignment_clear(owned_assignment_t *owned);

/** Sides of m elements, zeroed; c as wanted. On an error nothing is held. */
cuzk_status synthesis_sides_alloc(synthesis_sides_t *sides, size_t m, bool want_c, cuzk_error *err);
void synthesis_sides_free(synthesis_sides_t *sides, size_t m);

#endif
