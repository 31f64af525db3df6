/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_SYNTHESIS_QAP_H
#define CUZK_SYNTHESIS_QAP_H

/* A circuit's quadratic arithmetic program at one point tau, for the setup: for each variable the
 * values there of its polynomials in A, B and C. The matrices are not kept: each constraint's
 * terms are added where they belong as they pass. */

#include "r1cs/cs.h"
#include "r1cs/counts.h"

/** Variables stand inputs first: input i at i, auxiliary variable i at n_inputs + i. */
typedef struct {
    size_t n_variables; /* n_inputs + n_aux */
    fr_t *a, *b, *c;    /* n_variables values each: sum(coefficient * lagrange[constraint]) */
} qap_t;

/** Runs the circuit (without values) and fills *qap; release with qap_clear(), on success only.
 *
 *  counts    those of the same circuit (a run of synthesis_shape())
 *  lagrange  n_constraints + n_inputs values: the Lagrange polynomial of each constraint at tau,
 *            the added ones (input i) * 0 = 0 last
 *  CUZK_ERR_MEMORY when the arrays are refused. One thread. */
cuzk_status synthesis_qap(qap_t *qap, const circuit_counts_t *counts, const fr_t *lagrange,
                          circuit_fn circuit, const void *values, cuzk_error *err);

void qap_clear(qap_t *qap);

#endif
