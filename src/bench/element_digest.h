/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_ELEMENT_DIGEST_H
#define CUZK_BENCH_ELEMENT_DIGEST_H

#include "field/fr.h"
#include "hash/sha256.h"

/** SHA-256 over n elements as 32 little-endian bytes each. */
void digest_elements(uint8_t digest[SHA256_BYTES], const fr_t *elements, size_t n);

#endif
