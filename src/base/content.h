/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BASE_CONTENT_H
#define CUZK_BASE_CONTENT_H

/* What bytes from outside look like, for messages about bytes that are not what was expected. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    CONTENT_UNKNOWN, /* none of the others: JSON that is not well formed, raw bytes */
    CONTENT_EMPTY,
    CONTENT_BLANK,  /* white space alone */
    CONTENT_BOM,    /* UTF-8 text after a byte order mark */
    CONTENT_UTF16,  /* text after the other byte order marks */
    CONTENT_GZIP,   /* and other forms of compression */
    CONTENT_HTML,   /* or XML */
    CONTENT_HEX,    /* an even number of hex digits, white space left aside */
    CONTENT_HEX_0X, /* the same after 0x */
    CONTENT_BASE64, /* 16 characters or more, some of them capitals; likewise */
    CONTENT_JSON    /* an object, an array or a string, by its ends */
} content_kind;

/** The white space of JSON. */
bool content_is_space(uint8_t c);

/** Reads no more than it has to, but hex and base64 to their end. */
content_kind content_recognize(const uint8_t *bytes, size_t n);

/** What stands after a name in a message, "is empty" or "is gzip data, to be unpacked first"; NULL
 *  for CONTENT_UNKNOWN. */
const char *content_text(content_kind kind);

enum { HEX_FAULT_ROOM = 128 };

/** Why text[0 .. length-1] is not exactly 2 n hex digits, such as "44 characters of base64,
 * expected 64 hex digits (32 bytes)"; of use only when it is not. Returns out. */
const char *hex_fault(char out[HEX_FAULT_ROOM], const char *text, size_t length, size_t n);

#endif
