/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/base64.h"

#include <string.h>
#include <tomcrypt.h>

#include "base/content.h"
#include "base/verify.h"

static bool in_alphabet(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' ||
           c == '/';
}

/* Says what is wrong with a text that did not decode. */
static cuzk_status refuse(const char *text, size_t length, const char *what, cuzk_error *err)
{
    for (size_t i = 0; i < length; i++) {
        const char c = text[i];

        if (in_alphabet(c) || c == '=') continue;
        if (c == '-' || c == '_')
            return error_set(err, CUZK_ERR_FORMAT,
                             "%s: '%c' at %zu is of the URL-safe base64 alphabet, expected the "
                             "standard one",
                             what, c, i);
        if (c == '\n' || c == '\r' || c == ' ' || c == '\t')
            return error_set(err, CUZK_ERR_FORMAT, "%s: white space in base64 at %zu", what, i);
        return error_set(err, CUZK_ERR_FORMAT, "%s: not base64: byte 0x%02x at %zu", what,
                         (unsigned char)c, i);
    }
    if (length % 4 != 0)
        return error_set(err, CUZK_ERR_FORMAT,
                         "%s: %zu base64 characters, expected a multiple of 4 (padding missing?)",
                         what, length);
    return error_set(err, CUZK_ERR_FORMAT, "%s: bad base64 padding", what);
}

/* True when encoding the last bytes gives the last four characters again: padding is where it
 * belongs and no bits are left over. */
static bool ends_canonically(const char *text, size_t length, const uint8_t *bytes, size_t n)
{
    char last[5];
    const size_t tail = n == 0 ? 0 : (n - 1) % 3 + 1;

    base64_write(last, bytes + n - tail, tail);
    return memcmp(last, text + length - 4, 4) == 0;
}

cuzk_status base64_read(uint8_t *bytes, size_t *n, const char *text, size_t length,
                        const char *what, cuzk_error *err)
{
    unsigned long room = base64_room(length);

    *n = 0;
    if (length == 0) return error_set(err, CUZK_ERR_FORMAT, "%s: empty, expected base64", what);
    if (length % 4 != 0 ||
        base64_strict_decode((const unsigned char *)text, length, bytes, &room) != CRYPT_OK)
        return refuse(text, length, what, err);
    if (base64_length(room) != length || !ends_canonically(text, length, bytes, room))
        return refuse(text, length, what, err);
    *n = room;
    return CUZK_OK;
}

/* Hex digits are base64 too, of bytes that mean nothing. A text that begins with as many as a
 * digest has, of which eight differ, is hex: of base64 one in 10^29 begins so. */
static bool is_hex(const char *text, size_t length)
{
    enum { LOOKED_AT = 64, DIFFERENT = 8 };
    size_t different = 0;

    if (length < LOOKED_AT) return false;
    const content_kind kind = content_recognize((const uint8_t *)text, LOOKED_AT);
    for (size_t i = 0; i < LOOKED_AT; i++) different += memchr(text, text[i], i) == NULL;
    return (kind == CONTENT_HEX || kind == CONTENT_HEX_0X) && different >= DIFFERENT;
}

cuzk_status base64_read_input(uint8_t *bytes, size_t *n, const char *text, size_t length,
                              const char *what, cuzk_error *err)
{
    if (!is_hex(text, length)) return base64_read(bytes, n, text, length, what, err);
    *n = 0;
    return error_set(err, CUZK_ERR_FORMAT, "%s: hex digits, expected base64", what);
}

void base64_write(char *text, const uint8_t *bytes, size_t n)
{
    unsigned long room = base64_length(n) + 1;
    const int result = base64_encode(bytes, n, (unsigned char *)text, &room);

    VERIFY(result == CRYPT_OK && room == base64_length(n));
    (void)result;
}
