/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/element_digest.h"

#include "field/fr_batch.h"

enum { DIGEST_ITEMS = 1024 };

void digest_elements(uint8_t digest[SHA256_BYTES], const fr_t *elements, size_t n)
{
    scalar_t block[DIGEST_ITEMS];
    sha256_t hash;

    sha256_init(&hash);
    while (n > 0) {
        const size_t now = n < DIGEST_ITEMS ? n : DIGEST_ITEMS;

        fr_batch_to_scalar(block, elements, now);
        sha256_update(&hash, block, now * sizeof *block);
        elements += now;
        n -= now;
    }
    sha256_final(digest, &hash);
}
