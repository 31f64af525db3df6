/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_UPDATE_CIRCUIT_H
#define CUZK_UPDATE_CIRCUIT_H

/* The circuit of a sector update (EmptySectorUpdate): at challenged nodes the new replica is the
 * old one plus the new data times a random factor, and all three lie in the committed trees. Data
 * flow and cost: docs/algorithms/circuits.md. */

#include "r1cs/cs.h"
#include "update/proof.h"

typedef struct {
    const update_config_t *config;
    const update_proof_t *proof; /* of that configuration; NULL where the values are not wanted */
    uint32_t partition;          /* below update_partition_count(config) */
} update_circuit_t;

/** The circuit of a sector size of a registered update, without values. */
update_circuit_t update_circuit_shape(uint64_t sector_bytes);

/** A circuit_fn over an update_circuit_t. Public inputs: the partition plus its number of bits
 *  shifted update_h_select(), comm_r_old, comm_d_new, comm_r_new. The challenges are computed
 * inside from comm_r_new: a proof with others has violated constraints. */
void update_circuit(cs_t *cs, const void *circuit);

#endif
