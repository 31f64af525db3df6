/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CODEC_MERKLE_PROOF_H
#define CUZK_CODEC_MERKLE_PROOF_H

/* The reference's MerkleProof in bincode (storage-proofs-core, merkle/proof.rs): a variant Single,
 * Sub or Top, by the levels the tree has over its base trees, with root, leaf and one path a kind
 * of level; a path is a list of (siblings, place among them). */

#include "codec/bincode.h"

enum { MERKLE_PROOF_MAX_LEVELS = 32, MERKLE_PROOF_NODE_BYTES = 32 };

/** The levels of a path, from the leaf up: n_base, then n_sub, then n_top (each of these two 0 or
 *  1, a top only over a sub), MERKLE_PROOF_MAX_LEVELS at most. */
typedef struct {
    const uint8_t *lg_arity; /* log2 of the arity of each level, 1 .. 3 */
    uint32_t n_base, n_sub, n_top;
} merkle_levels_t;

/** A proof in place: pointers into the bytes it was read from. */
typedef struct {
    const uint8_t *root;
    const uint8_t *leaf;
    uint64_t index; /* of the leaf: the places, leaf level in the low bits */
    const uint8_t *siblings[MERKLE_PROOF_MAX_LEVELS]; /* each level: arity - 1 nodes, by place */
} merkle_proof_t;

/** Bytes of a proof of these levels. */
size_t merkle_proof_bytes(const merkle_levels_t *levels);

/** Reads a proof whose levels are exactly those; values of nodes are not looked at. */
cuzk_status merkle_proof_read(merkle_proof_t *proof, bincode_t *b, const merkle_levels_t *levels,
                              cuzk_error *err);

#endif
