/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_R1CS_COUNTS_H
#define CUZK_R1CS_COUNTS_H

/* The numbers of a circuit that fix the sizes of everything made from it: parameters, witness,
 * transforms. */

#include <stdint.h>

#include "r1cs/density.h"

typedef struct {
    uint32_t n_inputs;      /* ONE included, so at least 1 */
    uint32_t n_aux;         /* auxiliary variables */
    uint64_t n_constraints; /* of the circuit alone: without (input i) * 0 = 0, see below */
    uint64_t a_aux;         /* auxiliary variables with a non-zero coefficient in A */
    uint64_t b_input;       /* inputs with a non-zero coefficient in B */
    uint64_t b_aux;         /* auxiliary variables with a non-zero coefficient in B */
} circuit_counts_t;

/** lg m, where m is the size of the QAP's domain: the smallest power of two that is at least
 *  n_constraints + n_inputs. After the circuit's constraints the proving system adds one for each
 * input, (input i) * 0 = 0, so that every input has a term in A. */
unsigned circuit_lg_domain(const circuit_counts_t *counts);

/** Fills a_aux, b_input and b_aux. */
void circuit_count_densities(circuit_counts_t *counts, const densities_t *densities);

#endif
