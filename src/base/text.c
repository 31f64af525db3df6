/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/text.h"

#include <stdio.h>
#include <string.h>

size_t text_utf8_length(const unsigned char *s, size_t n)
{
    const size_t length = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;

    if (s[0] > 0xf4 || length > n) return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    if (s[0] == 0xe0 && s[1] < 0xa0) return 0;  /* overlong */
    if (s[0] == 0xed && s[1] >= 0xa0) return 0; /* surrogate */
    if (s[0] == 0xf0 && s[1] < 0x90) return 0;  /* overlong */
    if (s[0] == 0xf4 && s[1] >= 0x90) return 0; /* above U+10FFFF */
    return length;
}

/* ---- escapes ----------------------------------------------------------------------------------
 */

uint32_t text_utf8_decode(const unsigned char *s, size_t length)
{
    static const unsigned char head[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t c = s[0] & head[length];

    for (size_t i = 1; i < length; i++) c = c << 6 | (s[i] & 0x3f);
    return c;
}

/* Controls, and what has no shape of its own but moves, hides or turns what has. */
bool text_is_obeyed(uint32_t c)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {
        {0x0000, 0x001f},   /* C0 */
        {0x007f, 0x009f},   /* DEL, C1 */
        {0x00ad, 0x00ad},   /* soft hyphen */
        {0x034f, 0x034f},   /* grapheme joiner */
        {0x061c, 0x061c},   /* Arabic letter mark */
        {0x115f, 0x1160},   /* Hangul fillers */
        {0x17b4, 0x17b5},   /* Khmer vowels of no width */
        {0x180b, 0x180f},   /* Mongolian selectors and separator */
        {0x200b, 0x200f},   /* no width, joiners, marks of direction */
        {0x2028, 0x202e},   /* separators; embeddings and overrides of direction */
        {0x2060, 0x206f},   /* word joiner, isolates of direction, deprecated formats */
        {0x3164, 0x3164},   /* Hangul filler */
        {0xfe00, 0xfe0f},   /* variation selectors */
        {0xfeff, 0xfeff},   /* byte order mark */
        {0xffa0, 0xffa0},   /* Hangul filler */
        {0xfff0, 0xfffb},   /* specials */
        {0x1bca0, 0x1bca3}, /* shorthand formats */
        {0x1d173, 0x1d17a}, /* musical formats */
        {0xe0000, 0xe0fff}, /* tags */
    };

    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (c >= ranges[i].first && c <= ranges[i].last) return true;
    return false;
}

/* How the character at s, of which n bytes are left, is shown; *used of them are its own. */
static size_t show(char shown[16], size_t *used, const unsigned char *s, size_t n)
{
    const size_t length = text_utf8_length(s, n);

    *used = length == 0 ? 1 : length;
    if (length == 0) return (size_t)snprintf(shown, 16, "\\x%02x", s[0]);
    const uint32_t c = text_utf8_decode(s, length);
    if (text_is_obeyed(c))
        return (size_t)snprintf(shown, 16, c > 0xffff ? "\\U%08x" : "\\u%04x", c);
    memcpy(shown, s, length);
    return length;
}

size_t text_escape(char *out, size_t room, const char *text, size_t length)
{
    const unsigned char *s = (const unsigned char *)text;
    size_t n = 0, used = 0;
    char shown[16];

    for (size_t i = 0; i < length; i += used) {
        const size_t k = show(shown, &used, s + i, length - i);

        if (k >= room - n) break;
        memcpy(out + n, shown, k);
        n += k;
    }
    out[n] = '\0';
    return n;
}

const char *text_shorten(char *out, size_t room, const char *text)
{
    const size_t length = strlen(text);
    const char *end = text + length - (room - sizeof "...");

    if (length < room) return memcpy(out, text, length + 1);
    while ((*end & 0xc0) == 0x80) end++; /* whole characters */
    (void)snprintf(out, room, "...%s", end);
    return out;
}

/* ---- sizes ------------------------------------------------------------------------------------
 */

const char *text_size(char out[TEXT_SIZE_ROOM], uint64_t bytes)
{
    static const char *const units[] = {"", "KiB", "MiB", "GiB", "TiB"};
    unsigned unit = 0;

    while (unit < 4 && bytes >> (10 * (unit + 1)) > 0) unit++;
    const unsigned long long exact = bytes;
    const uint64_t one = (uint64_t)1 << (10 * unit);
    if (unit == 0)
        (void)snprintf(out, TEXT_SIZE_ROOM, "%llu bytes", exact);
    else if (bytes % one == 0)
        (void)snprintf(out, TEXT_SIZE_ROOM, "%llu%s (%llu bytes)", exact / one, units[unit], exact);
    else
        (void)snprintf(out, TEXT_SIZE_ROOM, "%.1f%s (%llu bytes)", (double)bytes / (double)one,
                       units[unit], exact);
    return out;
}
