/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_POREP_ORIGIN_H
#define CUZK_POREP_ORIGIN_H

/* Whose a replica is, when it is not whose it was said to be. */

#include <stdbool.h>

#include "base/executor.h"
#include "porep/proof.h"
#include "porep/replica_id.h"

/** A proof as one of this prover's sector number. */
porep_origin_t porep_origin_of(const porep_proof_t *proof, const uint8_t prover_id[32],
                               uint64_t sector_number);

/** Whether the proof's replica id is that of `origin`, with the proof's registered proof. */
bool porep_has_origin(const porep_proof_t *proof, const porep_origin_t *origin);

/** Refuses a proof that has another origin than the one stated; returns CUZK_ERR_FORMAT. */
cuzk_status porep_refuse_origin(const porep_proof_t *proof, const porep_origin_t *stated,
                                cuzk_error *err);

/** The same, and looks for the one thing that is stated wrong, among registered proofs, the sectors
 *  below 2^20 and the miners below 2^22, so that both numbers can be named. Takes a second of a
 *  processor, on the strand, which may be NULL; a cancelled strand's status. */
cuzk_status porep_explain_origin(const porep_proof_t *proof, const porep_origin_t *stated,
                                 strand_t *strand, cuzk_error *err);

#endif
