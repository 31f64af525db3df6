/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CODEC_BINCODE_H
#define CUZK_CODEC_BINCODE_H

/* Reading bincode 1.x in its fixed-width form: integers little-endian, a sequence behind its count
 * as a u64, an enum behind its variant as a u32, an Option behind one byte 0 or 1, an array of
 * known length and a structure as their parts alone.
 *
 * A reader moves over bytes of the caller's and never past their end. Errors are CUZK_ERR_FORMAT
 * and say "FIELD at byte N: ...", with `field` as the caller names it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/** A place in the bytes. */
typedef struct {
    const uint8_t *bytes;
    size_t length;
    size_t at; /* <= length */
} bincode_t;

static inline bincode_t bincode_open(const uint8_t *bytes, size_t length)
{
    return (bincode_t){.bytes = bytes, .length = length};
}

static inline size_t bincode_left(const bincode_t *b)
{
    return b->length - b->at;
}

/** An integer, at most max. */
cuzk_status bincode_read_u64(bincode_t *b, uint64_t *value, uint64_t max, const char *field,
                             cuzk_error *err);

/** An enum's variant, below n_variants. */
cuzk_status bincode_read_variant(bincode_t *b, uint32_t *variant, uint32_t n_variants,
                                 const char *field, cuzk_error *err);

/** The next n bytes in place: *bytes lives as long as the bytes behind b do. */
cuzk_status bincode_read_bytes(bincode_t *b, const uint8_t **bytes, size_t n, const char *field,
                               cuzk_error *err);

/** The count of a sequence whose items take item_bytes (>= 1) or more each: min <= *n <= max, and
 *  no more than the bytes that are left can hold. Nothing need be allocated before that is known.
 *  A count that may have one value only has min == max. */
cuzk_status bincode_read_count(bincode_t *b, size_t *n, size_t min, size_t max, size_t item_bytes,
                               const char *field, cuzk_error *err);

/** CUZK_OK at the end of the bytes; trailing bytes are refused. */
cuzk_status bincode_end(const bincode_t *b, const char *what, cuzk_error *err);

#endif
