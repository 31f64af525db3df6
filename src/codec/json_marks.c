/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/json_marks.h"

#include <string.h>

#include "base/text.h"

enum {
    MARK = 1,      /* counts itself */
    BREAK = 2,     /* what follows may be the first character of a value */
    FREE = 1 << 16 /* marks that a text of any length may have: 256 KiB of notes */
};

/* Vectors of the parser take some control characters for marks. */
static void classify(uint8_t of[256])
{
    memset(of, 0, 256);
    memset(of, MARK | BREAK, 0x20);
    for (const char *c = "{}[],:"; *c != '\0'; c++) of[(uint8_t)*c] = MARK | BREAK;
    for (const char *c = " \t\r\n"; *c != '\0'; c++) of[(uint8_t)*c] = BREAK;
    of['"'] = MARK; /* as a value's first; and the one that ends a string, for what follows it */
}

size_t json_marks(const uint8_t *text, size_t length)
{
    uint8_t of[256];
    unsigned before = BREAK;
    size_t n = 0;

    classify(of);
    for (size_t i = 0; i < length; i++) {
        const unsigned class = of[text[i]];

        n += (class & MARK) | ((class == 0) & (before >> 1));
        before = class;
    }
    return n;
}

size_t json_usual_marks(size_t length)
{
    return length / 8 * 5 + FREE;
}

cuzk_status json_check_marks(const uint8_t *text, size_t length, const json_marks_limit_t *limit,
                             cuzk_error *err)
{
    const size_t n = length > limit->marks ? json_marks(text, length) : 0;
    char size[TEXT_SIZE_ROOM];

    if (n <= limit->marks) return CUZK_OK;
    return error_set(err, CUZK_ERR_FORMAT,
                     "%zu brackets, commas, colons, quotes and values in %s, limit %zu (%s)", n,
                     text_size(size, length), limit->marks, limit->reason);
}
