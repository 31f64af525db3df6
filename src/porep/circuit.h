/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_POREP_CIRCUIT_H
#define CUZK_POREP_CIRCUIT_H

/* The circuit of a PoRep (StackedDRG): the challenged nodes' labels follow from their parents, and
 * all of them lie in the committed trees. Data flow and cost: docs/algorithms/circuits.md. */

#include "porep/proof.h"
#include "r1cs/cs.h"

typedef struct {
    porep_shape_t shape;
    const porep_proof_t *proof; /* of that shape, its node indices in range; NULL where the values
                                   are not wanted */
    uint32_t partition;         /* below proof->config->n_partitions */
} porep_circuit_t;

/** The circuit of a sector size of a registered proof, without values. */
porep_circuit_t porep_circuit_shape(uint64_t sector_bytes);

/** A circuit_fn over a porep_circuit_t. Public inputs: replica id, comm_d, comm_r; then for each
 *  challenge its node in tree D, its parents' nodes in tree C, its node, its node in tree R and
 *  its node in tree C. */
void porep_circuit(cs_t *cs, const void *circuit);

#endif
