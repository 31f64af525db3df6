/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/bytes.h"

#include <stdio.h>

void bytes_to_hex(char *text, const uint8_t *bytes, size_t n)
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < n; i++) {
        text[2 * i] = digits[bytes[i] >> 4];
        text[2 * i + 1] = digits[bytes[i] & 15];
    }
    text[2 * n] = '\0';
}

static int digit_value(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

bool bytes_from_hex(uint8_t *bytes, size_t n, const char *text, size_t len)
{
    if (len / 2 != n || len % 2 != 0) return false;
    for (size_t i = 0; i < n; i++) {
        const int high = digit_value(text[2 * i]);
        const int low = digit_value(text[2 * i + 1]);

        if (high < 0 || low < 0) return false;
        bytes[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

void text_list(char *list, size_t size, const char *item)
{
    const size_t used = strlen(list);

    (void)snprintf(list + used, size - used, "%s%s", used == 0 ? "" : ", ", item);
}
