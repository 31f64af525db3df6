/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/content.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"

enum { BASE64_LETTERS = 16 }; /* fewer are a word */

bool content_is_space(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool is_hex_digit(uint8_t c)
{
    return c < 0x80 && isxdigit(c) != 0;
}

static bool is_base64_letter(uint8_t c)
{
    return c < 0x80 && (isalnum(c) != 0 || c == '+' || c == '/' || c == '-' || c == '_');
}

static bool begins(const uint8_t *bytes, size_t n, const char *with, size_t k)
{
    return n >= k && memcmp(bytes, with, k) == 0;
}

static bool is_compressed(const uint8_t *bytes, size_t n)
{
    return begins(bytes, n, "\x1f\x8b\x08", 3) || begins(bytes, n, "\x28\xb5\x2f\xfd", 4) ||
           begins(bytes, n, "\3757zXZ", 5) || begins(bytes, n, "BZh", 3) ||
           begins(bytes, n, "PK\x03\x04", 4);
}

/* A mark that raw bytes begin with by chance is not one: text follows. */
static bool is_marked_utf8(const uint8_t *bytes, size_t n)
{
    if (!begins(bytes, n, "\xef\xbb\xbf", 3)) return false;
    for (size_t i = 3; i < n && i < 67; i++)
        if (bytes[i] >= 0x80 || (bytes[i] < 0x20 && !content_is_space(bytes[i]))) return false;
    return true;
}

static bool is_html(const char *text, size_t n)
{
    static const char *const heads[] = {"<!doctype", "<html", "<head", "<body", "<?xml"};

    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        if (n >= strlen(heads[i]) && strncasecmp(text, heads[i], strlen(heads[i])) == 0)
            return true;
    return false;
}

/* Whether all characters that are not white space satisfy `is`; *n = how many those are. */
static bool all(size_t *n, const uint8_t *bytes, size_t length, bool (*is)(uint8_t))
{
    *n = 0;
    for (size_t i = 0; i < length; i++) {
        if (content_is_space(bytes[i])) continue;
        if (!is(bytes[i])) return false;
        *n += 1;
    }
    return true;
}

/* Text of base64's letters that is base64: two of three of those are no hex digits, so that where
 * hardly any are it is hex with a slip; and a CID has no capital letters. */
static bool is_mixed(const uint8_t *text, size_t n, size_t n_letters)
{
    size_t others = 0, capitals = 0;

    for (size_t i = 0; i < n; i++) {
        others += !content_is_space(text[i]) && !is_hex_digit(text[i]);
        capitals += text[i] >= 'A' && text[i] <= 'Z';
    }
    return others >= n_letters / 8 && capitals > 0;
}

static content_kind recognize_digits(const uint8_t *text, size_t n)
{
    size_t count, padding = 0;

    if (n >= 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') &&
        all(&count, text + 2, n - 2, is_hex_digit))
        return CONTENT_HEX_0X;
    if (all(&count, text, n, is_hex_digit)) return count % 2 == 0 ? CONTENT_HEX : CONTENT_UNKNOWN;
    while (padding < 2 && padding < n && text[n - 1 - padding] == '=') padding++;
    if (!all(&count, text, n - padding, is_base64_letter) || count < BASE64_LETTERS)
        return CONTENT_UNKNOWN;
    return is_mixed(text, n - padding, count) ? CONTENT_BASE64 : CONTENT_UNKNOWN;
}

content_kind content_recognize(const uint8_t *bytes, size_t n)
{
    if (n == 0) return CONTENT_EMPTY;
    if (is_compressed(bytes, n)) return CONTENT_GZIP;
    if (is_marked_utf8(bytes, n)) return CONTENT_BOM;
    if (begins(bytes, n, "\xff\xfe", 2) || begins(bytes, n, "\xfe\xff", 2)) return CONTENT_UTF16;
    while (n > 0 && content_is_space(bytes[n - 1])) n--;
    for (; n > 0 && content_is_space(bytes[0]); bytes++) n--;
    if (n == 0) return CONTENT_BLANK;
    const uint8_t first = bytes[0], last = bytes[n - 1];
    if ((first == '{' && last == '}') || (first == '[' && last == ']') ||
        (first == '"' && last == '"' && n > 1))
        return CONTENT_JSON;
    if (is_html((const char *)bytes, n)) return CONTENT_HTML;
    return recognize_digits(bytes, n);
}

const char *content_text(content_kind kind)
{
    switch (kind) {
    case CONTENT_EMPTY:
        return "is empty";
    case CONTENT_BLANK:
        return "is white space alone";
    case CONTENT_BOM:
        return "begins with a byte order mark (EF BB BF), to be taken off first";
    case CONTENT_UTF16:
        return "is UTF-16 text by its byte order mark, to be saved as UTF-8 first";
    case CONTENT_GZIP:
        return "is compressed (gzip or the like), to be unpacked first";
    case CONTENT_HTML:
        return "is HTML or XML, such as the error page of a server";
    case CONTENT_HEX:
        return "is hex digits";
    case CONTENT_HEX_0X:
        return "is hex digits after 0x";
    case CONTENT_BASE64:
        return "is base64";
    case CONTENT_JSON:
        return "is JSON";
    case CONTENT_UNKNOWN:
        break;
    }
    return NULL;
}

const char *hex_fault(char out[HEX_FAULT_ROOM], const char *text, size_t length, size_t n)
{
    const uint8_t *bytes = (const uint8_t *)text;
    const content_kind kind = content_recognize(bytes, length);
    const char *found = "characters";
    size_t i = 0;

    if (kind == CONTENT_EMPTY) found = "characters (empty)";
    if (kind == CONTENT_HEX_0X) found = "characters that begin with 0x";
    if (kind == CONTENT_BASE64) found = "characters of base64";
    if (kind == CONTENT_HEX) found = "hex digits";
    while (i < length && is_hex_digit(bytes[i])) i++;
    if (length == 2 * n && i < length && (kind == CONTENT_UNKNOWN || kind == CONTENT_BASE64)) {
        char shown[16];
        const size_t size = text_utf8_length(bytes + i, length - i);

        (void)text_escape(shown, sizeof shown, text + i, size == 0 ? 1 : size);
        (void)snprintf(out, HEX_FAULT_ROOM, "'%s' at %zu is not a hex digit", shown, i);
    } else {
        (void)snprintf(out, HEX_FAULT_ROOM, "%zu %s, expected %zu hex digits (%zu bytes)", length,
                       found, 2 * n, n);
    }
    return out;
}
