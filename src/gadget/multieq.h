/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_GADGET_MULTIEQ_H
#define CUZK_GADGET_MULTIEQ_H

/* Several equations between small sums of bits, enforced by one constraint: equation i is scaled
 * by 2^(bits used by those before it), so the sums do not meet, and all must hold when the scaled
 * sums are equal. Its coefficients are powers of two, kept as exponents until the constraint is
 * made. Constraint by constraint the same as bellpepper's multieq.rs. */

#include "r1cs/cs.h"

enum {
    MULTIEQ_CAPACITY = 254,    /* bits one constraint holds: below 2^254 < r nothing wraps */
    MULTIEQ_MAX_OPERANDS = 10, /* 32-bit words on the left of one equation */
    MULTIEQ_MIN_BITS = 33      /* bits of the smallest equation: a sum of two words */
};

/** The coefficient (or minus it) 2^shift of var. */
typedef struct {
    var_t var;
    uint16_t shift;
    bool negative;
} multieq_term_t;

/** Equations gathered and not enforced yet. 30 KiB; no memory of its own. */
typedef struct {
    cs_t *cs;
    unsigned bits_used; /* by the equations gathered, the open one included */
    unsigned shift;     /* where the open one begins */
    unsigned n_left;
    unsigned n_right;
    fr_t left_constant; /* the coefficient of ONE on the left */
    multieq_term_t
        left[MULTIEQ_CAPACITY / MULTIEQ_MIN_BITS * MULTIEQ_MAX_OPERANDS * 32]; /* in any order */
    multieq_term_t right[MULTIEQ_CAPACITY];                                    /* rising by var */
    fr_t powers[MULTIEQ_CAPACITY];                                             /* powers[i] = 2^i */
} multieq_t;

void multieq_init(multieq_t *m, cs_t *cs);

/** Opens an equation whose sides are below 2^n_bits, MULTIEQ_MIN_BITS <= n_bits; enforces those
 *  gathered before when the new one does not fit with them. */
void multieq_open(multieq_t *m, unsigned n_bits);

/* Terms of the open equation. */

/** left += 2^k * var, or with negated 2^k * (1 - var). */
void multieq_add_left(multieq_t *m, var_t var, unsigned k, bool negated);

/** left += value */
void multieq_add_left_constant(multieq_t *m, uint64_t value);

/** right += 2^k * var, for variables that come rising. */
void multieq_add_right(multieq_t *m, var_t var, unsigned k);

/** Enforces what is gathered still. */
void multieq_close(multieq_t *m);

#endif
