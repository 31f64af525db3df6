/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/bincode.h"

#include "base/bytes.h"
#include "base/verify.h"

/* The next n bytes; NULL, with *err filled, when there are fewer. */
static const uint8_t *take(bincode_t *b, size_t n, const char *field, cuzk_error *err)
{
    const uint8_t *bytes = b->bytes + b->at;

    VERIFY(b->at <= b->length);
    if (n > bincode_left(b)) {
        (void)error_set(err, CUZK_ERR_FORMAT, "%s at byte %zu: %zu bytes expected, %zu left", field,
                        b->at, n, bincode_left(b));
        return NULL;
    }
    b->at += n;
    return bytes;
}

cuzk_status bincode_read_bytes(bincode_t *b, const uint8_t **bytes, size_t n, const char *field,
                               cuzk_error *err)
{
    *bytes = take(b, n, field, err);
    return *bytes == NULL ? CUZK_ERR_FORMAT : CUZK_OK;
}

cuzk_status bincode_read_u64(bincode_t *b, uint64_t *value, uint64_t max, const char *field,
                             cuzk_error *err)
{
    const size_t at = b->at;
    const uint8_t *bytes = take(b, 8, field, err);
    uint64_t v;

    if (bytes == NULL) return CUZK_ERR_FORMAT;
    v = load_le64(bytes);
    if (v > max)
        return error_set(err, CUZK_ERR_FORMAT, "%s at byte %zu: %llu, limit %llu", field, at,
                         (unsigned long long)v, (unsigned long long)max);
    *value = v;
    return CUZK_OK;
}

cuzk_status bincode_read_variant(bincode_t *b, uint32_t *variant, uint32_t n_variants,
                                 const char *field, cuzk_error *err)
{
    const size_t at = b->at;
    const uint8_t *bytes = take(b, 4, field, err);
    uint32_t v;

    if (bytes == NULL) return CUZK_ERR_FORMAT;
    v = load_le32(bytes);
    if (v >= n_variants)
        return error_set(err, CUZK_ERR_FORMAT, "%s at byte %zu: variant %u of %u", field, at, v,
                         n_variants);
    *variant = v;
    return CUZK_OK;
}

cuzk_status bincode_read_count(bincode_t *b, size_t *n, size_t min, size_t max, size_t item_bytes,
                               const char *field, cuzk_error *err)
{
    const size_t at = b->at;
    const uint8_t *bytes = take(b, 8, field, err);
    uint64_t v;

    VERIFY(item_bytes > 0 && min <= max);
    if (bytes == NULL) return CUZK_ERR_FORMAT;
    v = load_le64(bytes);
    if ((v < min || v > max) && min == max)
        return error_set(err, CUZK_ERR_FORMAT, "%s at byte %zu: %llu items, expected %zu", field,
                         at, (unsigned long long)v, min);
    if (v < min || v > max)
        return error_set(err, CUZK_ERR_FORMAT, "%s at byte %zu: %llu items, limits %zu .. %zu",
                         field, at, (unsigned long long)v, min, max);
    if (v > bincode_left(b) / item_bytes)
        return error_set(err, CUZK_ERR_FORMAT,
                         "%s at byte %zu: %llu items of %zu bytes or more, %zu bytes left", field,
                         at, (unsigned long long)v, item_bytes, bincode_left(b));
    *n = (size_t)v;
    return CUZK_OK;
}

cuzk_status bincode_end(const bincode_t *b, const char *what, cuzk_error *err)
{
    if (bincode_left(b) == 0) return CUZK_OK;
    return error_set(err, CUZK_ERR_FORMAT, "%s: %zu bytes after its end at byte %zu", what,
                     bincode_left(b), b->at);
}
