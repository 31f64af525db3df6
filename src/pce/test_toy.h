/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_PCE_TEST_TOY_H
#define CUZK_PCE_TEST_TOY_H

/* For tests: a small circuit with every kind of row, in parts and gadgets of odd sizes. */

#include <stdatomic.h>

#include "r1cs/cs.h"

typedef struct {
    unsigned n_parts;
    unsigned one_in_b; /* bit k: parts k, k + 3, .. have ONE in B */
    uint64_t seed;     /* of the values */
    bool in_one;       /* no parts are named */
    atomic_uint *runs; /* counts runs; may be NULL */
} toy_t;

/** A circuit_fn over a toy_t. Its constraints are not satisfied. */
void toy_parts(cs_t *cs, const void *circuit);

#endif
