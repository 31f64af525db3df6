/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_GADGET_SHA256_MESSAGE_H
#define CUZK_GADGET_SHA256_MESSAGE_H

/* A message for SHA-256, put together from its front: as bits in a circuit, and where only values
 * are wanted (cs_part()) as bytes, at the cost of hashing them outside of a circuit. */

#include "gadget/sha256.h"

enum { SHA256_MESSAGE_MAX_BYTES = 1280 };

typedef struct {
    cs_t *cs;
    boolean_t *bits; /* n_bytes * 8, each byte's highest first; NULL where values are wanted */
    uint8_t bytes[SHA256_MESSAGE_MAX_BYTES]; /* where they are */
    size_t n_bytes;
} sha256_message_t;

/** An empty message, to become max_bytes <= SHA256_MESSAGE_MAX_BYTES at most; the bits lie in the
 *  arena of cs, which the caller rewinds. All calls belong to one part of a circuit. */
void sha256_message_open(sha256_message_t *m, cs_t *cs, size_t max_bytes);

/** Appends n_bytes <= 4 bytes of a constant, the highest first. */
void sha256_message_add_constant(sha256_message_t *m, uint32_t value, size_t n_bytes);

/** Appends n bits, a multiple of 8, each byte's highest first. */
void sha256_message_add_bits(sha256_message_t *m, const boolean_t *bits, size_t n);

/** Appends a number as 32 bytes, the lowest first, by num_to_bits(). */
void sha256_message_add_num(sha256_message_t *m, const num_t *a);

/** Appends the bytes [from, from + n_bytes) of the message once more. */
void sha256_message_repeat(sha256_message_t *m, size_t from, size_t n_bytes);

/** The hash of the message as sha256_circuit_num() gives it. */
num_t sha256_message_hash(const sha256_message_t *m);

#endif
