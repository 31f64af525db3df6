/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdlib.h>
#include <string.h>

#include "base/fuzz_support.h"
#include "codec/json.h"
#include "codec/vanilla_list.h"

/* Walks any document by the kinds of its values, then reads it by a table and as a vanilla list.
 * The text lies in memory of exactly its padded size, with padding that looks like JSON. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_ITEMS = 100 };

static cuzk_status walk(json_t *j, void *out, cuzk_error *err);

static cuzk_status walk_member(json_t *j, const char *name, size_t length, void *out,
                               cuzk_error *err)
{
    if (length > 0 && name[0] == 's') return CUZK_OK; /* some are skipped */
    return walk(j, out, err);
}

static cuzk_status walk_item(json_t *j, size_t index, void *out, cuzk_error *err)
{
    (void)index;
    return walk(j, out, err);
}

static cuzk_status walk(json_t *j, void *out, cuzk_error *err)
{
    uint64_t number;
    double real;
    const char *text;
    size_t n;

    switch (json_peek(j)) {
    case JSON_OBJECT:
        return json_read_members(j, walk_member, out, err);
    case JSON_ARRAY:
        return json_read_array(j, walk_item, out, 0, MAX_ITEMS, &n, err);
    case JSON_STRING:
        if (json_read_string(j, &text, &n, err) != CUZK_OK) return err->status;
        *(unsigned *)out += n > 0 ? (unsigned char)text[0] + (unsigned char)text[n - 1] : 0;
        return CUZK_OK;
    case JSON_NUMBER:
        if (json_read_u64(j, &number, UINT64_MAX, err) == CUZK_OK) return CUZK_OK;
        return json_read_double(j, &real, err);
    case JSON_BOOL:
    case JSON_NULL:
    case JSON_NOTHING:
        break;
    }
    return CUZK_OK;
}

static cuzk_status read_bytes(json_t *j, void *out, cuzk_error *err)
{
    uint8_t bytes[32];

    (void)out;
    return json_read_bytes(j, bytes, sizeof bytes, err);
}

static cuzk_status read_hex(json_t *j, void *out, cuzk_error *err)
{
    uint8_t bytes[8];

    (void)out;
    return json_read_hex(j, bytes, sizeof bytes, err);
}

static cuzk_status read_name(json_t *j, void *out, cuzk_error *err)
{
    char name[8];

    (void)out;
    return json_copy_string(j, name, sizeof name, err);
}

static cuzk_status read_table(json_t *j, void *out, cuzk_error *err)
{
    static const json_field_t fields[] = {{"bytes", read_bytes, JSON_REQUIRED},
                                          {"hex", read_hex, JSON_OPTIONAL},
                                          {"name", read_name, JSON_OPTIONAL},
                                          {"table", read_table, JSON_OPTIONAL}};

    return json_read_object(j, fields, 4, out, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *text = malloc(size + JSON_PADDING);
    unsigned sum = 0;
    cuzk_error err;
    vanilla_list_t list;

    if (text == NULL) return 0;
    memcpy(text, data, size);
    text[size] = 0;
    memset(text + size + 1, size % 2 != 0 ? ']' : '}', JSON_PADDING - 1);
    const cuzk_status walked = json_read("fuzz", text, size, walk, &sum, &err);
    const cuzk_status table = json_read("fuzz", text, size, read_table, &sum, &err);
    const cuzk_status items = vanilla_list_read(&list, "fuzz", text, size, MAX_ITEMS, &err);
    vanilla_list_clear(&list);
    free(text);
    fuzz_judge(walked == CUZK_OK && (table == CUZK_OK || items == CUZK_OK) ? FUZZ_READ
                                                                           : FUZZ_REFUSED);
    return 0;
}
