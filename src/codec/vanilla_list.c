/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/vanilla_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "codec/base64.h"
#include "codec/json.h"

enum { FIRST_CAPACITY = 64 };

typedef struct {
    vanilla_list_t *list;
    size_t used;     /* of list->bytes */
    size_t capacity; /* of list->items */
} vanilla_reader_t;

static cuzk_status grow(vanilla_reader_t *r, cuzk_error *err)
{
    const size_t capacity = r->capacity == 0 ? FIRST_CAPACITY : 2 * r->capacity;
    cuzk_bytes *items = mem_alloc(capacity, sizeof *items, "vanilla proofs", err);

    if (items == NULL) return err->status;
    if (r->list->n > 0) memcpy(items, r->list->items, r->list->n * sizeof *items);
    free(r->list->items);
    r->list->items = items;
    r->capacity = capacity;
    return CUZK_OK;
}

/* The decoded bytes of all items fit list->bytes: they are fewer than the text's. */
static cuzk_status read_item(json_t *j, size_t index, void *out, cuzk_error *err)
{
    vanilla_reader_t *r = out;
    uint8_t *bytes = r->list->bytes + r->used;
    const char *text = "";
    size_t length = 0, n;
    cuzk_error why;
    cuzk_status status = json_read_string(j, &text, &length, err);

    if (status != CUZK_OK) return status;
    if (base64_read_input(bytes, &n, text, length, "item", &why) != CUZK_OK)
        return json_error(j, err, "%s", why.text);
    if (index == r->capacity && grow(r, err) != CUZK_OK) return err->status;
    r->list->items[index] = (cuzk_bytes){bytes, n};
    r->list->n = index + 1;
    r->used += n;
    return CUZK_OK;
}

typedef struct {
    vanilla_reader_t reader;
    size_t max;
} vanilla_list_reader_t;

static cuzk_status read_list(json_t *j, void *out, cuzk_error *err)
{
    vanilla_list_reader_t *r = out;

    return json_read_array(j, read_item, &r->reader, 1, r->max, NULL, err);
}

cuzk_status vanilla_list_check(const char *what, const uint8_t *text, size_t length, size_t max,
                               cuzk_error *err)
{
    enum { MARKS = 3 }; /* of an item: its quotes and a comma */
    char reason[64];
    const json_marks_limit_t limit = {MARKS * max + json_usual_marks(0), reason};

    (void)snprintf(reason, sizeof reason, "a list has at most %zu strings", max);
    return json_check_text(what, text, length, &limit, err);
}

cuzk_status vanilla_list_read(vanilla_list_t *list, const char *what, const uint8_t *text,
                              size_t length, size_t max, cuzk_error *err)
{
    vanilla_list_reader_t r = {.reader = {.list = list}, .max = max};
    void *bytes = NULL;
    cuzk_status status;

    memset(list, 0, sizeof *list);
    list->room = base64_room(length) + JSON_PADDING;
    status = big_alloc(&bytes, list->room, 1, "vanilla proofs", err);
    if (status != CUZK_OK) return status;
    list->bytes = bytes;
    return json_read(what, text, length, read_list, &r, err);
}

void vanilla_list_clear(vanilla_list_t *list)
{
    free(list->items);
    big_free(list->bytes, list->room, 1);
    memset(list, 0, sizeof *list);
}
