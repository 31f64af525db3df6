/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_GADGET_SHA256_H
#define CUZK_GADGET_SHA256_H

/* SHA-256 in a circuit, in the form of bellpepper's sha256.rs: words as bits, additions of several
 * words at once, their equations gathered by gadget/multieq.h. Cost: docs/algorithms/circuits.md.
 */

#include "gadget/num.h"
#include "hash/sha256.h"

enum { SHA256_BITS = 8 * SHA256_BYTES, SHA256_BLOCK_BITS = 512 };

/** digest[0 .. SHA256_BITS-1] = the hash of the n bits; in both the highest bit of each byte comes
 *  first. n is a multiple of 8 and below 2^32. digest may be bits. */
void sha256_circuit(cs_t *cs, boolean_t *digest, const boolean_t *bits, size_t n);

/** The hash of the n bits as a number: its bytes little-endian, the two highest bits left out. */
num_t sha256_circuit_num(cs_t *cs, const boolean_t *bits, size_t n);

/** The parent of two nodes of tree D: the bits of both, each filled up to 32 bytes little-endian,
 *  then their hash as a number. */
num_t sha256_circuit_parent(cs_t *cs, const num_t children[2]);

#endif
