/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_POST_CHALLENGE_H
#define CUZK_POST_CHALLENGE_H

/* What a PoSt must answer for: leaves drawn from the randomness of the chain. Source:
 * storage-proofs-post, fallback/vanilla.rs and fallback/utils.rs. */

#include <stdint.h>

#include "post/circuit.h"

/** How WindowPoSt counts its challenges. */
typedef enum {
    POST_V1,  /* through the whole proof: a sector's leaves depend on its position */
    POST_V1_1 /* from 0 in each sector (the reference's name for it is V1_2) */
} post_version;

/** The leaf, below n_leaves, of challenge number `challenge` in a sector:
 *  SHA-256(randomness, sector as u64, challenge as u64), its first 8 bytes little-endian, modulo
 *  n_leaves. */
uint64_t post_challenged_leaf(const uint8_t randomness[32], uint64_t sector, uint64_t challenge,
                              uint64_t n_leaves);

/** The number of the i-th challenge in the sector at that position of the whole proof, which
 *  has per_sector challenges in each. */
static inline uint64_t post_challenge_number(post_kind kind, post_version version,
                                             uint64_t position, uint64_t per_sector, uint64_t i)
{
    return kind == POST_WINDOW && version == POST_V1 ? position * per_sector + i : i;
}

#endif
