/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BASE_TEXT_H
#define CUZK_BASE_TEXT_H

/* Text from outside (names, paths, contents of files) made fit for messages, and sizes in words. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Bytes of the UTF-8 character at s, of which n >= 1 are left: 1 .. 4, or 0 when it is none. */
size_t text_utf8_length(const unsigned char *s, size_t n);

/** The character that text_utf8_length() gave 1 <= length <= 4 for. */
uint32_t text_utf8_decode(const unsigned char *s, size_t length);

/** Whether a terminal obeys a character in place of showing it: controls (U+0000 .. U+001F, U+007F
 *  .. U+009F), marks of direction and of no width, line separators, tags. */
bool text_is_obeyed(uint32_t character);

/** out[0 ..] = text[0 .. length-1], cut to whole characters that fit room >= 1 bytes, and
 *  zero-terminated. Characters that a terminal obeys are spelled out as \u202e, bytes that are not
 *  UTF-8 as \x9b. Backslashes stay as they are, so that doing it twice changes nothing. Returns the
 *  bytes before the zero. */
size_t text_escape(char *out, size_t room, const char *text, size_t length);

/** out = text, or where that and its zero don't fit room >= 8 bytes, "..." and its end, which of a
 *  path tells most. Returns out. */
const char *text_shorten(char *out, size_t room, const char *text);

enum { TEXT_SIZE_ROOM = 48 };

/** A number of bytes as people write it, and exactly: "100 bytes", "2KiB (2048 bytes)", "1.5MiB
 *  (1572865 bytes)". Returns out. */
const char *text_size(char out[TEXT_SIZE_ROOM], uint64_t bytes);

#endif
