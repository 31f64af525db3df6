/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_HASH_BLAKE2B_H
#define CUZK_HASH_BLAKE2B_H

/* BLAKE2b (RFC 7693) by libtomcrypt. */

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { BLAKE2B_MAX_BYTES = 64, BLAKE2B_MAX_KEY_BYTES = 64 };

/** digest = the BLAKE2b digest of digest_bytes (1 .. BLAKE2B_MAX_BYTES) of n bytes. */
void blake2b(uint8_t *digest, size_t digest_bytes, const void *bytes, size_t n);

/** The same with a key of 1 .. BLAKE2B_MAX_KEY_BYTES bytes. */
void blake2b_keyed(uint8_t *digest, size_t digest_bytes, const void *key, size_t key_bytes,
                   const void *bytes, size_t n);

/** A digest made piece by piece. */
typedef struct blake2b blake2b_t;

/** NULL, and *err set to CUZK_ERR_MEMORY, without memory. End it with blake2b_close(). */
blake2b_t *blake2b_open(size_t digest_bytes, cuzk_error *err);
void blake2b_add(blake2b_t *blake, const void *bytes, size_t n);

/** Writes the digest of all that was added and releases it. */
void blake2b_close(blake2b_t *blake, uint8_t *digest);

#endif
