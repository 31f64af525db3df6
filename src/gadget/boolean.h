/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_GADGET_BOOLEAN_H
#define CUZK_GADGET_BOOLEAN_H

/* Booleans of a circuit: constants, bit variables and their negations. Operations on constants
 * are folded and add nothing to the constraint system; the constraint forms are those of
 * bellpepper-core's gadgets (Boolean, AllocatedBit), which every published key is made for. */

#include "r1cs/cs.h"

typedef enum {
    BOOLEAN_CONSTANT, /* value; no variable */
    BOOLEAN_IS,       /* a variable held to 0 or 1 */
    BOOLEAN_NOT,      /* 1 - such a variable */
} boolean_kind;

typedef struct {
    var_t var;    /* meaningless for a constant */
    uint8_t kind; /* boolean_kind */
    bool value;   /* of the boolean, not of the variable; right for constants in any run, for the
                     others in runs with values */
} boolean_t;

static inline boolean_t boolean_constant(bool value)
{
    return (boolean_t){.kind = BOOLEAN_CONSTANT, .value = value};
}

/** The boolean of a variable that a constraint holds to 0 or 1. */
static inline boolean_t boolean_is(var_t var, bool value)
{
    return (boolean_t){.var = var, .kind = BOOLEAN_IS, .value = value};
}

static inline boolean_t boolean_not(boolean_t a)
{
    static const uint8_t opposite[] = {BOOLEAN_CONSTANT, BOOLEAN_NOT, BOOLEAN_IS};

    return (boolean_t){.var = a.var, .kind = opposite[a.kind], .value = !a.value};
}

/** A new variable. One constraint, (1 - a) * a = 0. */
boolean_t boolean_alloc(cs_t *cs, bool value);

/** Each of these adds one variable and one constraint when no operand is constant. */
boolean_t boolean_xor(cs_t *cs, boolean_t a, boolean_t b);
boolean_t boolean_and(cs_t *cs, boolean_t a, boolean_t b);

/** a ? b : c; as xor and and, but with a constant true a it still adds a variable. */
boolean_t boolean_ch(cs_t *cs, boolean_t a, boolean_t b, boolean_t c);

/** Whether two or three of a, b, c are true. Two variables and two constraints when no operand is
 *  constant, else those of one and. */
boolean_t boolean_maj(cs_t *cs, boolean_t a, boolean_t b, boolean_t c);

/** lc += coeff * a. */
void boolean_add_to(arena_t *arena, lc_t *lc, boolean_t a, const fr_t *coeff);

#endif
