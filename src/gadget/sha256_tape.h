/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_GADGET_SHA256_TAPE_H
#define CUZK_GADGET_SHA256_TAPE_H

/* The compression of SHA-256 for runs with a tape (r1cs/tape.h): the variables and constraints of
 * gadget/sha256.c, as values alone, made a word at a time. */

#include "gadget/uint32.h"

enum { SHA256_STATE_WORDS = 8, SHA256_BLOCK_WORDS = 16, SHA256_ROUNDS = 64 };

/** 32 booleans, as bits of three words. */
typedef struct {
    uint32_t value;    /* of the booleans */
    uint32_t variable; /* set: a variable or a negated one; clear: a constant */
    uint32_t negated;  /* set: a negated variable */
} sha256_word_t;

/** Lowest bit first. */
sha256_word_t word_from_bits(const boolean_t bits[UINT32_BITS]);

/** state = state + the compression of w[0 .. 15]; the bits of state[i] are variables that follow
 *  each other from first[i], or constants when all operands are. */
void sha256_tape_compress(cs_t *cs, sha256_word_t state[SHA256_STATE_WORDS],
                          var_t first[SHA256_STATE_WORDS],
                          const sha256_word_t w[SHA256_BLOCK_WORDS]);

#endif
