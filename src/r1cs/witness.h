/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_R1CS_WITNESS_H
#define CUZK_R1CS_WITNESS_H

/* The values of all variables of one circuit. Most auxiliary variables of our circuits are
 * boolean, so those are kept as bits and only the others as field elements. */

#include "base/error.h"
#include "r1cs/lc.h"

/** Values of the inputs and auxiliary variables, appended in order. */
typedef struct {
    fr_t *inputs; /* inputs[0] = 1 */
    uint32_t n_inputs;
    uint32_t n_aux;
    uint64_t *is_bit; /* bitmap over aux: the variable is boolean by construction */
    uint64_t *bits;   /* bitmap over aux: its value, 0 where is_bit is 0 */
    uint32_t *rank;   /* rank[w]: elements before auxiliary variable 64 w */
    fr_t *elements;   /* values of the other auxiliary variables, in their order */
    uint32_t n_elements;
    uint32_t inputs_capacity, aux_capacity, elements_capacity;
} witness_t;

/** The input ONE, with room for these counts (ONE included) at once; zeros are allowed. Release
 * with witness_clear(). CUZK_ERR_MEMORY when it is refused: then nothing is held. */
cuzk_status witness_open(witness_t *w, uint32_t n_inputs, uint32_t n_aux, uint32_t n_elements,
                         cuzk_error *err);
void witness_clear(witness_t *w);

/** Bytes that witness_open() takes for these counts. */
uint64_t witness_bytes(uint32_t n_inputs, uint32_t n_aux, uint32_t n_elements);

/** Past the room there is, memory grows by doubling. False when it is refused: then nothing is
 *  added. */
bool witness_add_input(witness_t *w, const fr_t *value);
bool witness_add_bit(witness_t *w, bool value);
bool witness_add_element(witness_t *w, const fr_t *value);

/** The position in elements of auxiliary variable i, which is not a bit. */
static inline uint32_t witness_element_index(const witness_t *w, uint32_t i)
{
    const uint64_t below = ((uint64_t)1 << i % 64) - 1;

    return w->rank[i / 64] + (uint32_t)__builtin_popcountll(~w->is_bit[i / 64] & below);
}

static inline bool witness_is_bit(const witness_t *w, uint32_t i)
{
    return w->is_bit[i / 64] >> i % 64 & 1;
}

static inline bool witness_bit(const witness_t *w, uint32_t i)
{
    return w->bits[i / 64] >> i % 64 & 1;
}

/** The value of auxiliary variable i. */
static inline const fr_t *witness_aux(const witness_t *w, uint32_t i)
{
    if (witness_is_bit(w, i)) return witness_bit(w, i) ? &fr_one : &fr_zero;
    return &w->elements[witness_element_index(w, i)];
}

/** The value of a variable. */
static inline const fr_t *witness_value(const witness_t *w, var_t var)
{
    return var & VAR_AUX ? witness_aux(w, var & ~VAR_AUX) : &w->inputs[var];
}

/** *r = the value of a linear combination. */
void witness_eval(fr_t *r, const witness_t *w, const lc_t *lc);

#endif
