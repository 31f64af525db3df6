/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_HASH_SHA256_H
#define CUZK_HASH_SHA256_H

/* SHA-256 (FIPS 180-4) by libcrypto, which uses the processor's instructions where it has any. */

#include <stddef.h>
#include <stdint.h>

enum { SHA256_BYTES = 32 };

/** A running digest. Plain memory: it may be dropped without sha256_final(). */
typedef struct {
    uint64_t context[14]; /* libcrypto's SHA256_CTX */
} sha256_t;

void sha256_init(sha256_t *h);
void sha256_update(sha256_t *h, const void *bytes, size_t n);

/** Writes the digest; h must be initialised again before it is used again. */
void sha256_final(uint8_t digest[SHA256_BYTES], sha256_t *h);

/** The digest of n bytes. */
void sha256(uint8_t digest[SHA256_BYTES], const void *bytes, size_t n);

#endif
