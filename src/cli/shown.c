/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli/shown.h"

#include <string.h>

#include "base/text.h"

enum { TEXTS = 4, TEXT_BYTES = 8192 };

const char *shown(const char *text)
{
    static char texts[TEXTS][TEXT_BYTES];
    static unsigned next;
    char *out = texts[next++ % TEXTS];

    (void)text_escape(out, TEXT_BYTES, text, strlen(text));
    return out;
}
