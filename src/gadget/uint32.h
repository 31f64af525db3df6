/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_GADGET_UINT32_H
#define CUZK_GADGET_UINT32_H

/* 32-bit words of booleans, with what SHA-256 does to them. Constant bits are folded; the
 * constraints are those of bellpepper's uint32.rs. */

#include "gadget/boolean.h"
#include "gadget/multieq.h"

enum { UINT32_BITS = 32 };

typedef struct {
    boolean_t bits[UINT32_BITS]; /* lowest first */
} uint32_bits_t;

/** r = a constant. */
void uint32_constant(uint32_bits_t *r, uint32_t value);

/** The value; right in runs with values, and always when all bits are constant. */
uint32_t uint32_value(const uint32_bits_t *a);

/** bits[0 .. 31] = the bits of a, highest first. */
void uint32_to_bits_be(boolean_t *bits, const uint32_bits_t *a);

/* No constraints. r is not a; 0 < by < 32. */

void uint32_rotr(uint32_bits_t *r, const uint32_bits_t *a, unsigned by);
void uint32_shr(uint32_bits_t *r, const uint32_bits_t *a, unsigned by);

/* Bit by bit from the lowest, see boolean.h. r may be an operand. */

void uint32_xor(cs_t *cs, uint32_bits_t *r, const uint32_bits_t *a, const uint32_bits_t *b);
void uint32_ch(cs_t *cs, uint32_bits_t *r, const uint32_bits_t *a, const uint32_bits_t *b,
               const uint32_bits_t *c);
void uint32_maj(cs_t *cs, uint32_bits_t *r, const uint32_bits_t *a, const uint32_bits_t *b,
                const uint32_bits_t *c);

/** r = the sum of *operands[0 .. n-1] modulo 2^32, 2 <= n <= MULTIEQ_MAX_OPERANDS; r may be among
 *  them. A variable and a constraint for each bit the sum can have, carries included, and an
 *  equation in m; nothing when all bits are constant. */
void uint32_add_many(multieq_t *m, uint32_bits_t *r, const uint32_bits_t *const *operands,
                     unsigned n);

#endif
