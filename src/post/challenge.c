/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "post/challenge.h"

#include "base/bytes.h"
#include "hash/sha256.h"

uint64_t post_challenged_leaf(const uint8_t randomness[32], uint64_t sector, uint64_t challenge,
                              uint64_t n_leaves)
{
    uint8_t preimage[32 + 8 + 8], digest[SHA256_BYTES];

    memcpy(preimage, randomness, 32);
    store_le64(preimage + 32, sector);
    store_le64(preimage + 40, challenge);
    sha256(digest, preimage, sizeof preimage);
    return load_le64(digest) % n_leaves;
}
