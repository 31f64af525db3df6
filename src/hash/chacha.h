/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_HASH_CHACHA_H
#define CUZK_HASH_CHACHA_H

/* The ChaCha keystream (RFC 8439, and the variants of fewer rounds) by libtomcrypt. */

#include <stddef.h>
#include <stdint.h>

enum { CHACHA_KEY_BYTES = 32, CHACHA_NONCE_BYTES = 12 };

typedef struct {
    uint8_t key[CHACHA_KEY_BYTES];
    uint8_t nonce[CHACHA_NONCE_BYTES];
    int rounds; /* 8, 12 or 20 */
} chacha_stream_t;

/** out[0 .. n-1] = the keystream from byte `offset` on; offset + n <= 2^38. With a nonce of zeros
 *  this is also the stream of the variant with a 64-bit counter and nonce, and so the byte order
 *  of rand_chacha's generators from a seed. */
void chacha_read(uint8_t *out, size_t n, const chacha_stream_t *stream, uint64_t offset);

#endif
