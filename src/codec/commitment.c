/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/commitment.h"

#include <string.h>

#include "base/bytes.h"
#include "base/content.h"
#include "base/verify.h"

enum { CID_MAX_PREFIX = 8, HEX_DIGITS = 2 * COMMITMENT_BYTES };

/* What stands before the digest: version 1, multicodec, multihash, length of the digest; all but
 * the first and last are varints. */
typedef struct {
    const char *name; /* as error texts call it */
    uint8_t bytes[CID_MAX_PREFIX];
    size_t n;
} cid_prefix_t;

static const cid_prefix_t prefixes[] = {
    [COMMITMENT_SEALED] = {"comm_r (fil-commitment-sealed)",
                           {0x01, 0x82, 0xe2, 0x03, 0x81, 0xe8, 0x02, 0x20},
                           8},
    [COMMITMENT_UNSEALED] = {"comm_d (fil-commitment-unsealed)",
                             {0x01, 0x81, 0xe2, 0x03, 0x92, 0x20, 0x20},
                             7},
};

static const char base32_alphabet[] = "abcdefghijklmnopqrstuvwxyz234567";

/* Decodes unpadded base32 of at most room bytes; false when a character is not of the alphabet,
 * bits are left over, or there is more. */
static bool base32_decode(uint8_t *bytes, size_t room, size_t *n, const char *text)
{
    uint32_t pending = 0;
    unsigned bits = 0;

    *n = 0;
    for (; *text != '\0'; text++) {
        const char *digit = strchr(base32_alphabet, *text);

        if (digit == NULL) return false;
        pending = pending << 5 | (uint32_t)(digit - base32_alphabet);
        bits += 5;
        if (bits < 8) continue;
        if (*n == room) return false;
        bits -= 8;
        bytes[(*n)++] = (uint8_t)(pending >> bits);
        pending &= ((uint32_t)1 << bits) - 1;
    }
    return bits < 5 && pending == 0;
}

static bool has_prefix(const uint8_t *cid, size_t n, commitment_kind kind)
{
    const cid_prefix_t *prefix = &prefixes[kind];

    return n == prefix->n + COMMITMENT_BYTES && memcmp(cid, prefix->bytes, prefix->n) == 0;
}

static cuzk_status parse_cid(uint8_t bytes[COMMITMENT_BYTES], commitment_kind kind,
                             const char *text, const char *field, cuzk_error *err)
{
    const commitment_kind other =
        kind == COMMITMENT_SEALED ? COMMITMENT_UNSEALED : COMMITMENT_SEALED;
    uint8_t cid[CID_MAX_PREFIX + COMMITMENT_BYTES];
    size_t n;

    if (!base32_decode(cid, sizeof cid, &n, text + 1))
        return error_set(err, CUZK_ERR_ARG, "%s: %.80s: neither 64 hex digits nor a CID", field,
                         text);
    if (has_prefix(cid, n, other))
        return error_set(err, CUZK_ERR_ARG, "%s: %.80s: the CID of a %s, expected one of a %s",
                         field, text, prefixes[other].name, prefixes[kind].name);
    if (!has_prefix(cid, n, kind))
        return error_set(err, CUZK_ERR_ARG, "%s: %.80s: not the CID of a %s", field, text,
                         prefixes[kind].name);
    memcpy(bytes, cid + prefixes[kind].n, COMMITMENT_BYTES);
    return CUZK_OK;
}

/* Base64 of 32 bytes, with its padding or without. */
static bool is_base64(const char *text)
{
    const size_t n = strlen(text);

    return (n == 43 || n == 44) && content_recognize((const uint8_t *)text, n) == CONTENT_BASE64;
}

cuzk_status commitment_parse(uint8_t bytes[COMMITMENT_BYTES], commitment_kind kind,
                             const char *text, const char *field, cuzk_error *err)
{
    const bool marked = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *digits = marked ? text + 2 : text;
    const size_t n = strlen(digits);

    if (strspn(digits, "0123456789abcdefABCDEF") == n) {
        if (n != HEX_DIGITS)
            return error_set(err, CUZK_ERR_ARG, "%s: %zu hex digits, expected %d", field, n,
                             HEX_DIGITS);
        (void)bytes_from_hex(bytes, COMMITMENT_BYTES, digits, n);
        return CUZK_OK;
    }
    if (text[0] == 'b') return parse_cid(bytes, kind, text, field, err);
    if (is_base64(text))
        return error_set(err, CUZK_ERR_ARG, "%s: %.80s: base64, expected 64 hex digits or a CID",
                         field, text);
    return error_set(err, CUZK_ERR_ARG, "%s: %.80s: neither 64 hex digits nor a CID", field, text);
}

/* r, little-endian. Kept here as bytes because codec stands below field; the test compares. */
static const uint8_t modulus[COMMITMENT_BYTES] = {
    0x01, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xfe, 0x5b, 0xfe, 0xff, 0x02, 0xa4, 0xbd, 0x53,
    0x05, 0xd8, 0xa1, 0x09, 0x08, 0xd8, 0x39, 0x33, 0x48, 0x7d, 0x9d, 0x29, 0x53, 0xa7, 0xed, 0x73,
};

cuzk_status commitment_check_range(const uint8_t bytes[COMMITMENT_BYTES], const char *field,
                                   cuzk_error *err)
{
    char hex[HEX_DIGITS + 1];

    for (int i = COMMITMENT_BYTES - 1; i >= 0; i--) {
        if (bytes[i] < modulus[i]) return CUZK_OK;
        if (bytes[i] > modulus[i]) break;
    }
    bytes_to_hex(hex, bytes, COMMITMENT_BYTES);
    return error_set(err, CUZK_ERR_ARG, "%s: %s (little-endian) is not below the field's order",
                     field, hex);
}

cuzk_status commitment_check_nonzero(const uint8_t bytes[COMMITMENT_BYTES], const char *field,
                                     cuzk_error *err)
{
    for (int i = 0; i < COMMITMENT_BYTES; i++)
        if (bytes[i] != 0) return CUZK_OK;
    return error_set(err, CUZK_ERR_ARG, "%s: all 32 bytes are zero", field);
}

cuzk_status commitment_check(const uint8_t bytes[COMMITMENT_BYTES], const char *field,
                             cuzk_error *err)
{
    const cuzk_status status = commitment_check_nonzero(bytes, field, err);

    return status == CUZK_OK ? commitment_check_range(bytes, field, err) : status;
}
