/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_R1CS_BITMAP_H
#define CUZK_R1CS_BITMAP_H

/* Arrays of bits: bit i is bit i % 64 of word i / 64. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline size_t bitmap_words(uint64_t n)
{
    return (size_t)((n + 63) / 64);
}

static inline bool bitmap_get(const uint64_t *words, uint64_t i)
{
    return words[i / 64] >> i % 64 & 1;
}

static inline void bitmap_set(uint64_t *words, uint64_t i)
{
    words[i / 64] |= (uint64_t)1 << i % 64;
}

/** Bits [at, at + n) of a bitmap, n <= 64; nothing past them is read. */
uint64_t bitmap_read(const uint64_t *words, uint64_t at, unsigned n);

/** to[at .. at + n) |= from[from_at .. from_at + n) */
void bitmap_or(uint64_t *to, uint64_t at, const uint64_t *from, uint64_t from_at, uint64_t n);

#endif
