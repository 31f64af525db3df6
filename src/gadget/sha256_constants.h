/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_GADGET_SHA256_CONSTANTS_H
#define CUZK_GADGET_SHA256_CONSTANTS_H

#include "gadget/sha256_tape.h"

/** FIPS 180-4, 4.2.2: of the cube roots of the first 64 primes. */
extern const uint32_t sha256_round_constants[SHA256_ROUNDS];

#endif
