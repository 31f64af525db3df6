/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BASE_BYTES_H
#define CUZK_BASE_BYTES_H

/* Integers in bytes, and hex text. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/assumptions.h"

static inline uint32_t load_be32(const uint8_t p[4])
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline void store_be32(uint8_t p[4], uint32_t v)
{
    for (int i = 0; i < 4; i++) p[i] = (uint8_t)(v >> (24 - 8 * i));
}

static inline void store_be64(uint8_t p[8], uint64_t v)
{
    for (int i = 0; i < 8; i++) p[i] = (uint8_t)(v >> (56 - 8 * i));
}

static inline uint32_t load_le32(const uint8_t p[4])
{
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline uint64_t load_le64(const uint8_t p[8])
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline void store_le32(uint8_t p[4], uint32_t v)
{
    memcpy(p, &v, sizeof v);
}
static inline void store_le64(uint8_t p[8], uint64_t v)
{
    memcpy(p, &v, sizeof v);
}

/** text[0 .. 2n] = the n bytes in lower-case hex, zero-terminated. */
void bytes_to_hex(char *text, const uint8_t *bytes, size_t n);

/** bytes[0 .. n-1] from exactly 2n hex digits (either case) of text[0 .. len-1]; false when len
 *  is not 2n or a character is not a hex digit (bytes are then unspecified). */
bool bytes_from_hex(uint8_t *bytes, size_t n, const char *text, size_t len);

/** Adds an item to a list in words: ", " and the item, or the item alone to an empty one. What does
 *  not fit in size is cut. */
void text_list(char *list, size_t size, const char *item);

#endif
