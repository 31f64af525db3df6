/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_POREP_POREP_H
#define CUZK_POREP_POREP_H

/* What a PoRep states, and whether a commit-phase-1 output bears it out. */

#include "base/executor.h"
#include "porep/challenge.h"
#include "porep/graph.h"
#include "porep/proof.h"
#include "porep/replica_id.h"

/** A seal as the chain knows it: bytes from outside. */
typedef struct {
    const porep_config_t *config;
    porep_origin_t origin; /* prover id, sector number, ticket, comm_d */
    uint8_t comm_r[32];
    uint8_t seed[32]; /* the non-interactive kind does not use it */
} porep_claim_t;

/** A seal's statement: all that its public inputs are made from. */
typedef struct {
    const porep_config_t *config;
    porep_graph_t graph;
    fr_t replica_id;
    fr_t comm_d;
    fr_t comm_r;
    porep_randomness_t randomness;
} porep_statement_t;

/** The statement of a claim, without any vanilla proof. CUZK_ERR_ARG, naming comm_r, comm_d or
 *  seed, when one is zero or a commitment is not below the field's modulus (the seed of the
 *  non-interactive kind may be anything). */
cuzk_status porep_statement_init(porep_statement_t *statement, const porep_claim_t *claim,
                                 cuzk_error *err);

/** The statement of a commit-phase-1 output; its replica id is taken as it is (porep_check()). */
void porep_statement_of(porep_statement_t *statement, const porep_proof_t *proof);

/** inputs[0 .. porep_public_input_count(n_challenges) - 1] of a partition, without the leading
 *  one: replica id, comm_d, comm_r; then for each challenge its node, its parents, and its node
 *  three times. */
void porep_public_inputs(fr_t *inputs, const porep_statement_t *statement, uint32_t partition);

/** *label = SHA-256(replica id, layer, node, parents repeated to 37) with the top two bits cleared.
 *  parents: in layer 1 the labels of the 6 DRG parents; above it those, of the same layer, and of
 *  the 8 expander parents, of the layer before. */
void porep_label(fr_t *label, const fr_t *replica_id, uint32_t layer, uint32_t node,
                 const fr_t *parents);

/** Checks all that the circuit will: the replica id against miner and sector; comm_r against
 *  comm_c and comm_r_last; for each challenge its node and parents against those we derive, its
 *  columns' hashes, its labels, its encoding and all paths. CUZK_ERR_FORMAT, naming partition and
 *  challenge, for the first in order that is wrong. About 180 Poseidon hashes a challenge at
 *  32 GiB, on the strand's threads (NULL: this one). */
cuzk_status porep_check(const porep_proof_t *proof, const uint8_t prover_id[32],
                        uint64_t sector_number, strand_t *strand, cuzk_error *err);

#endif
