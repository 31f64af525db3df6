/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CODEC_JSON_MARKS_H
#define CUZK_CODEC_JSON_MARKS_H

/* How much a JSON text makes its parser hold: before it reads anything it notes where each mark is,
 * 4 bytes for one. Marks are {}[],: and the first character of each value and name. A text of
 * marks alone would so take four times its length, so marks are counted first. */

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/** At least as many marks as the parser will note; what stands within strings is counted as if it
 *  stood outside, and a string's end as a mark too. Nothing has to follow the text. */
size_t json_marks(const uint8_t *text, size_t length);

/** The most marks of a text that can be an input: 5 in 8 bytes, and 65536. Lists of random bytes
 *  as numbers, which is what commit-phase-1 output is made of, have 9 in 16. */
size_t json_usual_marks(size_t length);

typedef struct {
    size_t marks;
    const char *reason; /* in parentheses behind the limit */
} json_marks_limit_t;

/** CUZK_ERR_FORMAT when there are more marks than the limit. */
cuzk_status json_check_marks(const uint8_t *text, size_t length, const json_marks_limit_t *limit,
                             cuzk_error *err);

#endif
