/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_GADGET_PACKING_H
#define CUZK_GADGET_PACKING_H

/* Bits into numbers, lowest bit first. */

#include "gadget/num.h"

/** Bits that any element of the field has room for. */
enum { PACKING_CAPACITY = FR_BITS - 1 };

/** A new number, sum(2^i bits[i]) * 1 = r; n <= PACKING_CAPACITY. */
num_t packing_num(cs_t *cs, const boolean_t *bits, size_t n);

/** New public inputs, one for each PACKING_CAPACITY bits begun: sum(2^i bits[i]) * 1 = input. */
void packing_inputs(cs_t *cs, const boolean_t *bits, size_t n);

/** sum(2^i bits[i]) * 1 = a; n <= FR_BITS. */
void packing_enforce(cs_t *cs, const boolean_t *bits, size_t n, const num_t *a);

/** out = bits with the order within each byte reversed, the last byte filled with constant zeros
 *  before: 8 ceil(n / 8) bits. Turns little-endian numbers into what SHA-256 reads, and back. out
 * and bits do not overlap. */
void packing_swap_bytes(boolean_t *out, const boolean_t *bits, size_t n);

#endif
