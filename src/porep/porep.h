/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_POREP_POREP_H
#define CUZK_POREP_POREP_H

/* What a PoRep states, and whether a commit-phase-1 output bears it out. */

#include "base/executor.h"
#include "cuzk/statement.h"
#include "porep/challenge.h"
#include "porep/graph.h"
#include "porep/proof.h"
#include "porep/replica_id.h"

/** A seal's statement: all that its public inputs are made from. */
typedef struct {
    const porep_config_t *config;
    porep_graph_t graph;
    fr_t replica_id;
    fr_t comm_d;
    fr_t comm_r;
    porep_randomness_t randomness;
} porep_statement_t;

/** The checked form of a statement, without any vanilla proof. CUZK_ERR_ARG for a registered proof
 *  that is not a PoRep and, naming comm_r, comm_d or seed, when one is zero or a commitment is not
 *  below the field's modulus (the seed of the non-interactive kind may be anything). */
cuzk_status porep_statement_init(porep_statement_t *statement, const cuzk_porep_statement *stated,
                                 cuzk_error *err);

/** The statement of a commit-phase-1 output; its replica id is taken as it is (porep_check()). */
void porep_statement_of(porep_statement_t *statement, const porep_proof_t *proof);

/** Public inputs of a partition: 3 and, for each challenge, 4 times its node and its 14 parents. */
static inline uint32_t porep_public_input_count(const porep_statement_t *statement)
{
    return 3 + statement->config->n_challenges * (4 + POREP_DEGREE);
}

/** inputs[0 .. porep_public_input_count() - 1] of a partition, without the leading
 *  one: replica id, comm_d, comm_r; then for each challenge its node, its parents, and its node
 *  three times. */
void porep_public_inputs(fr_t *inputs, const porep_statement_t *statement, uint32_t partition);

/** CUZK_ERR_ARG when `length` is that of no form of the statement's proofs: they come one for each
 *  partition; the only other form there is, an aggregate of the non-interactive kind, is named in
 *  the refusal. */
cuzk_status porep_check_proofs_length(const porep_statement_t *statement, size_t length,
                                      cuzk_error *err);

/** Checks all that the circuit will: the replica id against miner and sector; comm_r against
 *  comm_c and comm_r_last; for each challenge its node and parents against those we derive, its
 *  columns' hashes, its labels, its encoding and all paths. CUZK_ERR_FORMAT, naming partition and
 *  challenge, for the first in order that is wrong. About 180 Poseidon hashes a challenge at
 *  32 GiB, on the strand's threads (NULL: this one). */
cuzk_status porep_check(const porep_proof_t *proof, const uint8_t prover_id[32],
                        uint64_t sector_number, strand_t *strand, cuzk_error *err);

#endif
