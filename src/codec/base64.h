/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CODEC_BASE64_H
#define CUZK_CODEC_BASE64_H

/* Base64 of RFC 4648 section 4, by libtomcrypt: the standard alphabet (+ and /), padded with '=',
 * nothing else in the text. (base64_encode and base64_decode are libtomcrypt's own names.) */

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/** Bytes that base64_read() needs room for. */
static inline size_t base64_room(size_t length)
{
    return length / 4 * 3;
}

/** bytes[0 .. *n-1] = the decoded text[0 .. length-1]; bytes has base64_room(length) bytes.
 *  CUZK_ERR_FORMAT, naming `what`, for an empty text, the URL-safe alphabet, white space, missing
 *  padding, bits after the last byte, anything else; *n is then 0. */
cuzk_status base64_read(uint8_t *bytes, size_t *n, const char *text, size_t length,
                        const char *what, cuzk_error *err);

/** The same of what people hand in, who may have taken hex for base64: a text that looks like it is
 *  refused as that, though it may be base64. */
cuzk_status base64_read_input(uint8_t *bytes, size_t *n, const char *text, size_t length,
                              const char *what, cuzk_error *err);

/** Characters of the text of n bytes. */
static inline size_t base64_length(size_t n)
{
    return (n + 2) / 3 * 4;
}

/** text[0 .. base64_length(n)] = the n bytes, zero-terminated. */
void base64_write(char *text, const uint8_t *bytes, size_t n);

#endif
