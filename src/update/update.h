/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_UPDATE_UPDATE_H
#define CUZK_UPDATE_UPDATE_H

/* What a sector update states, and whether its vanilla proofs bear it out. */

#include "base/executor.h"
#include "cuzk/statement.h"
#include "update/challenge.h"
#include "update/proof.h"

/** An update's statement: all that its public inputs are made from. */
typedef struct {
    const update_config_t *config;
    fr_t comm_r_old;
    fr_t comm_d_new;
    fr_t comm_r_new;
} update_statement_t;

/** The checked form of a statement. CUZK_ERR_ARG for a registered proof that is not an update and,
 *  naming the field, when a commitment is zero or not below the field's modulus. */
cuzk_status update_statement_init(update_statement_t *statement,
                                  const cuzk_update_statement *stated, cuzk_error *err);

/** The inputs of a partition, without the leading one: the partition's number with
 *  update_h_select() in the bits above it, comm_r_old, comm_d_new, comm_r_new. */
void update_public_inputs(fr_t inputs[UPDATE_PUBLIC_INPUTS], const update_statement_t *statement,
                          uint32_t partition);

/** Checks all that the circuit will: comm_r_old and comm_r_new against comm_c and the roots; each
 *  partition's apex leaves against comm_d_new; for each challenge its node against the one we
 *  derive, the encoding of its leaf and its three paths. CUZK_ERR_FORMAT, naming partition and
 *  challenge, for the first in order that is wrong. About 20 Poseidon hashes a challenge at
 *  32 GiB, on the strand's threads (NULL: this one). */
cuzk_status update_check(const update_proof_t *proof, strand_t *strand, cuzk_error *err);

#endif
