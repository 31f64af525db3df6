/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_GROTH16_QUOTIENT_H
#define CUZK_GROTH16_QUOTIENT_H

/* The quotient polynomial of a proof. With A and B the polynomials of degree below m whose values
 * at the m-th roots of unity are a and b, and C that of the products a[i] b[i]:
 * h = (A B - C) / (X^m - 1), of degree m - 2 at most. Six transforms, not seven:
 * docs/algorithms/groth16.md. */

#include "base/executor.h"
#include "synthesis/prove.h"

/** *h = the m coefficients of h (the last is 0), in order, canonical; big_alloc'ed, the caller
 *  releases it with big_free(*h, m, sizeof **h), m = 2^x->lg_domain. x's a and b are taken, and are
 *  released on errors too. CUZK_ERR_MEMORY; CUZK_ERR_ARG for lg_domain of 32 and more.
 *  Memory: one array of m besides a and b, and the transform's tables. */
cuzk_status groth16_quotient(scalar_t **h, assignment_t *x, strand_t *strand, cuzk_error *err);

#endif
