/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_SYNTHESIS_TEST_GOLDEN_H
#define CUZK_SYNTHESIS_TEST_GOLDEN_H

/* For tests: circuits against the reference's counts and digests in tests/golden. What differs
 * ends the test; of digests the first block that differs is named. */

#include "synthesis/shape.h"

/** Runs a circuit without values and compares counts, densities and constraints with
 *  tests/golden/shapes/NAME.json. */
void golden_check_shape(const char *name, circuit_fn circuit, const void *values);

/** Runs a circuit with values and compares it with entry `partition` of
 *  tests/golden/CASE/witness.json: counts, densities, constraints, public inputs, auxiliary values;
 *  and no constraint may be violated. */
void golden_check_witness(const char *name, unsigned partition, circuit_fn circuit,
                          const void *values);

/** inputs[0 .. n-1] = the first n public inputs of that entry, ONE first. */
void golden_read_inputs(fr_t *inputs, size_t n, const char *name, unsigned partition);

#endif
