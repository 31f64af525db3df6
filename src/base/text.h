/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BASE_TEXT_H
#define CUZK_BASE_TEXT_H

/* Text from outside (names, paths, contents of files) made fit for messages. */

#include <stddef.h>

/** Bytes of the UTF-8 character at s, of which n >= 1 are left: 1 .. 4, or 0 when it is none. */
size_t text_utf8_length(const unsigned char *s, size_t n);

/** out[0 ..] = text[0 .. length-1], cut to whole characters that fit room >= 1 bytes, and
 *  zero-terminated. Characters that a terminal obeys in place of showing them are spelled out as
 *  \u202e: controls (U+0000 .. U+001F, U+007F .. U+009F), marks of direction and of no width, line
 *  separators, tags. So are bytes that are not UTF-8, as \x9b. Backslashes stay as they are, so
 * that doing it twice changes nothing. Returns the bytes before the zero. */
size_t text_escape(char *out, size_t room, const char *text, size_t length);

#endif
