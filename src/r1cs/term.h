/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_R1CS_TERM_H
#define CUZK_R1CS_TERM_H

/* The terms of linear combinations. */

#include "field/fr.h"

/** A variable: the index of a public input, or VAR_AUX + the index of an auxiliary variable. As
 *  integers, inputs come before auxiliary variables, which is the order of all digests. */
typedef uint32_t var_t;

#define VAR_AUX ((var_t)0x80000000)
#define VAR_ONE ((var_t)0) /* input 0, whose value is 1 */

typedef struct {
    fr_t coeff;
    var_t var;
} lc_term_t;

#endif
