/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "rpc/message.h"

#include <malloc.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

enum { SPARE_BYTES = 4 << 20, BLOCK_BYTES = 16 /* what malloc takes for itself */ };

/* Memory of one decoding; what is given back counts no more. */
typedef struct {
    size_t left;
    bool is_refused;
} budget_t;

static void *take(void *of, size_t n)
{
    budget_t *budget = of;
    void *p = n < budget->left ? malloc(n) : NULL;

    if (p == NULL) {
        budget->is_refused = true;
        return NULL;
    }
    const size_t taken = malloc_usable_size(p) + BLOCK_BYTES;
    budget->left -= taken < budget->left ? taken : budget->left;
    return p;
}

static void give(void *of, void *p)
{
    budget_t *budget = of;

    if (p == NULL) return;
    budget->left += malloc_usable_size(p) + BLOCK_BYTES;
    free(p);
}

static bool is_utf8(const char *text)
{
    const size_t length = strlen(text);
    size_t n = 0;

    for (size_t at = 0; at < length; at += n) {
        n = text_utf8_length((const unsigned char *)text + at, length - at);
        if (n == 0) return false;
    }
    return true;
}

/* Whether a field of a message is there; *n = how many values it has, *values = the first. */
static bool find_values(const ProtobufCFieldDescriptor *field, const char *message, size_t *n,
                        const void **values)
{
    const void *member = message + field->offset;

    *n = 1;
    *values = member;
    if (field->label == PROTOBUF_C_LABEL_REPEATED) {
        memcpy(n, message + field->quantifier_offset, sizeof *n);
        memcpy(values, member, sizeof *values);
    } else if ((field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) != 0) {
        uint32_t which;

        memcpy(&which, message + field->quantifier_offset, sizeof which);
        return which == field->id;
    }
    return true;
}

/* Our messages hold no message of their own type but a reflection request, which the sender of one
 * does not nest: the depth is that of the types. */
static cuzk_status check_strings(const ProtobufCMessage *message, cuzk_error *err)
{
    const ProtobufCMessageDescriptor *type = message->descriptor;

    for (unsigned i = 0; i < type->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &type->fields[i];
        const bool is_message = field->type == PROTOBUF_C_TYPE_MESSAGE;
        const void *values;
        size_t n;

        if (!is_message && field->type != PROTOBUF_C_TYPE_STRING) continue;
        if (!find_values(field, (const char *)message, &n, &values)) continue;
        for (size_t k = 0; k < n; k++) {
            const void *value = ((const void *const *)values)[k];

            if (value == NULL) continue;
            if (is_message && check_strings(value, err) != CUZK_OK)
                return error_within(err, "%s", field->name);
            if (!is_message && !is_utf8(value))
                return error_set(err, CUZK_ERR_FORMAT, "%s: is not UTF-8", field->name);
        }
    }
    return CUZK_OK;
}

cuzk_status message_unpack(ProtobufCMessage **message, const ProtobufCMessageDescriptor *type,
                           const uint8_t *bytes, size_t length, cuzk_error *err)
{
    budget_t budget = {.left = length + SPARE_BYTES};
    ProtobufCAllocator allocator = {.alloc = take, .free = give, .allocator_data = &budget};

    *message = protobuf_c_message_unpack(type, &allocator, length, bytes);
    if (*message == NULL && budget.is_refused)
        return error_set(err, CUZK_ERR_FORMAT,
                         "%s: %zu bytes decode to more than they may: too many fields", type->name,
                         length);
    if (*message == NULL)
        return error_set(err, CUZK_ERR_FORMAT, "%s: %zu bytes do not decode", type->name, length);
    if (check_strings(*message, err) == CUZK_OK) return CUZK_OK;
    protobuf_c_message_free_unpacked(*message, NULL);
    *message = NULL;
    return err->status;
}

cuzk_status message_pack(uint8_t **bytes, size_t *length, const ProtobufCMessage *message,
                         cuzk_error *err)
{
    *length = protobuf_c_message_get_packed_size(message);
    *bytes = mem_alloc(*length, 1, "message", err);
    if (*bytes == NULL) return err->status;
    (void)protobuf_c_message_pack(message, *bytes);
    return CUZK_OK;
}
