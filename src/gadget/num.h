/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_GADGET_NUM_H
#define CUZK_GADGET_NUM_H

/* Numbers of a circuit: a variable with its value. The constraint forms are those of the
 * published circuits (bellpepper-core's AllocatedNum, storage-proofs-core's constraint and
 * insertion gadgets). */

#include "gadget/boolean.h"

typedef struct {
    fr_t value; /* right in runs with values */
    var_t var;
} num_t;

/** A value without a variable: the number of a part that is left out (cs_part()). */
static inline num_t num_value_only(const fr_t *value)
{
    return (num_t){.value = *value, .var = VAR_ONE};
}

/** A new auxiliary variable, no constraint. value may be NULL in runs without values. */
num_t num_alloc(cs_t *cs, const fr_t *value);

/** r[i] = num_alloc() of values[i] for i < n; values may be NULL in runs without values. */
void num_alloc_all(cs_t *cs, num_t *r, const fr_t *values, size_t n);

/** Makes a public: a new input and input * 1 = a. */
void num_inputize(cs_t *cs, const num_t *a);

/** A new auxiliary variable made public at once. */
num_t num_alloc_public(cs_t *cs, const fr_t *value);

/** a * b = r */
num_t num_mul(cs_t *cs, const num_t *a, const num_t *b);

/** (a + b) * 1 = r */
num_t num_add(cs_t *cs, const num_t *a, const num_t *b);

/** (a[0] + .. + a[n-1]) * 1 = r */
num_t num_sum(cs_t *cs, const num_t *a, size_t n);

/** (constant + coeff * a) * 1 = r; a is a variable, not ONE. */
num_t num_affine(cs_t *cs, const fr_t *constant, const fr_t *coeff, const num_t *a);

/** A boolean variable as a number, without a constraint; a is not constant or negated. */
num_t num_of_bit(boolean_t a);

/** a * 1 = b */
void num_enforce_equal(cs_t *cs, const num_t *a, const num_t *b);

/** r = condition ? a : b, by (b - a) * condition = b - r. */
num_t num_pick(cs_t *cs, boolean_t condition, const num_t *a, const num_t *b);

/** bits[0 .. n-1] = new variables with the n low bits of a's value, lowest first; a constraint each
 *  that it is a bit, none that binds them to a. n <= FR_BITS. */
void num_alloc_bits(cs_t *cs, boolean_t *bits, unsigned n, const num_t *a);

/** As num_alloc_bits() with FR_BITS bits, and 0 * 0 = sum(2^i bits[i]) - a. An integer a + r <
 * 2^255 satisfies this as well as a does, as in all published circuits. */
void num_to_bits(cs_t *cs, boolean_t bits[FR_BITS], const num_t *a);

#endif
