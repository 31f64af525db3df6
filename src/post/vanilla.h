/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_POST_VANILLA_H
#define CUZK_POST_VANILLA_H

/* The vanilla proof of one sector, as the reference writes it in bincode (filecoin-proofs,
 * FallbackPoStSectorProof; storage-proofs-post, fallback/vanilla.rs):
 *
 *     sector number   u64
 *     comm_r          32 bytes
 *     sectors         count 1, then for it:
 *       inclusion proofs  count, then as many Merkle proofs (codec/merkle_proof.h)
 *       comm_c            32 bytes
 *       comm_r_last       32 bytes
 *
 * Every count in it is fixed by the sector size and the kind of PoSt, and so is its length. */

#include "codec/vanilla_list.h"
#include "hash/tree.h"
#include "post/statement.h"

/** What a vanilla proof has to look like. */
typedef struct {
    tree_shape_t tree;
    uint32_t n_challenges; /* 66 or 10 */
} post_form_t;

/** One in memory. */
typedef struct {
    uint64_t number;
    fr_t comm_r;
    fr_t comm_c;
    fr_t comm_r_last;
    post_challenge_t *challenges; /* form->n_challenges */
} post_vanilla_t;

/** The form for a kind and a supported sector size. */
void post_form_init(post_form_t *form, post_kind kind, uint64_t sector_bytes);

/** What a vanilla proof says about its sector, from its first POST_SECTOR_BYTES; unchecked. */
enum { POST_SECTOR_BYTES = 40 };
void post_vanilla_sector(cuzk_sector *sector, const uint8_t bytes[POST_SECTOR_BYTES]);

/** Bytes of a vanilla proof. */
size_t post_vanilla_bytes(const post_form_t *form);

/** Reads a vanilla proof into *v, challenges[0 .. n_challenges-1] and siblings[0 .. n_challenges *
 *  tree.n_siblings - 1], which the challenges then point into. Checks its form: counts, kinds,
 *  places, nothing after the end, all nodes below r, comm_r not zero, the roots of all Merkle
 * proofs equal to comm_r_last. Whether the paths are right is not looked at. CUZK_ERR_FORMAT names
 * field, place and limit. */
cuzk_status post_vanilla_read(post_vanilla_t *v, post_challenge_t *challenges, fr_t *siblings,
                              const post_form_t *form, cuzk_bytes item, cuzk_error *err);

#endif
