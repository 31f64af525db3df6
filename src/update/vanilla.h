/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_UPDATE_VANILLA_H
#define CUZK_UPDATE_VANILLA_H

/* Reading the vanilla proofs of an update: one bincode PartitionProof a partition, as Curio sends
 * them (codec/vanilla_list.h undoes the JSON and base64 around them). Source:
 * storage-proofs-update vanilla.rs. */

#include "base/arena.h"
#include "codec/vanilla_list.h"
#include "update/proof.h"
#include "update/update.h"

/** Bytes of the proof of one partition. */
size_t update_vanilla_bytes(const update_config_t *config);

/** Reads partitions[0 .. n-1], in their order.
 *
 *  Checks the form: the number of partitions, all counts, elements below the field's modulus, no
 *  trailing bytes; and what is said twice: comm_c and the roots, the node of a challenge's three
 *  paths. What it means is the business of update_check().
 *
 *  Memory: the proof's arrays from the arena, about the size of the input; also on failure.
 *  CUZK_ERR_FORMAT, naming partition, challenge and field. */
cuzk_status update_vanilla_read(update_proof_t *proof, const update_statement_t *statement,
                                const cuzk_bytes *partitions, size_t n, arena_t *arena,
                                cuzk_error *err);

#endif
