/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_POREP_TEST_TEXT_H
#define CUZK_POREP_TEST_TEXT_H

/* JSON texts of tests, and changes to them. A text is zero-terminated and has JSON_PADDING spare
 * bytes; each function gives a new one, to be released with free(). */

#include <stddef.h>

char *text_copy(const char *text, size_t n);

/** The n-th (from 0) occurrence of `from`, which must be there, becomes `to`. */
char *text_replace(const char *text, const char *from, size_t n, const char *to);

/** Wraps an inner text as Lotus and Curio do. number and size are pasted in as they are; NULL
 *  leaves the member out. */
char *text_wrap(const char *inner, const char *number, const char *size);

/** The same document, written otherwise: members in reverse order, white space everywhere it may
 *  be, all letters of strings as \u00XX. The text must be sound. */
char *text_disguise(const char *text);

#endif
