/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_GADGET_TERMS_H
#define CUZK_GADGET_TERMS_H

/* Combinations over memory of the caller's, for the constraints that gadgets make by the million.
 * They do not grow. */

#include "r1cs/lc.h"

/** These n terms. */
static inline lc_t terms_of(lc_term_t *terms, uint32_t n)
{
    lc_t r = lc_empty();

    r.terms = terms;
    r.n = n;
    r.capacity = n;
    return r;
}

/** 1 * var */
static inline lc_t terms_var(lc_term_t terms[1], var_t var)
{
    terms[0] = (lc_term_t){.coeff = fr_one, .var = var};
    return terms_of(terms, 1);
}

/** constant + coeff * var; var is not ONE. */
static inline lc_t terms_affine(lc_term_t terms[2], const fr_t *constant, const fr_t *coeff,
                                var_t var)
{
    terms[0] = (lc_term_t){.coeff = *constant, .var = VAR_ONE};
    terms[1] = (lc_term_t){.coeff = *coeff, .var = var};
    return terms_of(terms, 2);
}

#endif
