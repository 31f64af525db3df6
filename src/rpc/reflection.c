/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "rpc/reflection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include <grpc/reflection/v1/reflection.pb-c.h>
#include "rpc/message.h"
#include "rpc/outline.pb-c.h"
#include "rpc/side.h"

typedef Grpc__Reflection__V1__ServerReflectionRequest request_t;
typedef Grpc__Reflection__V1__ServerReflectionResponse response_t;

typedef struct {
    char *name; /* in full: "cuzk.v1.ProvingEngine.Prove" */
    size_t file;
    bool is_service;
} symbol_t;

typedef struct {
    char *name;
    ProtobufCBinaryData bytes; /* in set */
} file_entry_t;

struct reflection {
    Cuzk__Outline__FileSet *set;
    file_entry_t *files;
    size_t n_files;
    symbol_t *symbols;
    size_t n_symbols, room;
};

/* ---- the table of names -----------------------------------------------------------------------
 */

/* What names are added to, and where they stand. */
typedef struct {
    reflection_t *reflection;
    size_t file;
    cuzk_error *err;
} filler_t;

/* The full name, borrowed until the next name is added; NULL without memory. */
static const char *add(const filler_t *to, const char *scope, const char *name, bool is_service)
{
    reflection_t *r = to->reflection;
    const size_t size = strlen(scope) + strlen(name) + 2;

    if (r->n_symbols == r->room) {
        const size_t room = r->room * 2 + 32;
        symbol_t *symbols = realloc(r->symbols, room * sizeof *symbols);

        if (symbols == NULL) {
            (void)error_set(to->err, CUZK_ERR_MEMORY, "reflection: out of memory");
            return NULL;
        }
        r->symbols = symbols;
        r->room = room;
    }
    char *full = mem_alloc(size, 1, "reflection", to->err);
    if (full == NULL) return NULL;
    (void)snprintf(full, size, "%s%s%s", scope, *scope == '\0' ? "" : ".", name);
    r->symbols[r->n_symbols++] = (symbol_t){full, to->file, is_service};
    return full;
}

static bool add_named(const filler_t *to, const char *scope, Cuzk__Outline__Named *const *items,
                      size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (add(to, scope, items[i]->name, false) == NULL) return false;
    return true;
}

static bool add_messages(const filler_t *to, const char *scope,
                         Cuzk__Outline__Message *const *items, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *full = add(to, scope, items[i]->name, false);

        if (full == NULL || !add_named(to, full, items[i]->enum_type, items[i]->n_enum_type) ||
            !add_messages(to, full, items[i]->nested_type, items[i]->n_nested_type))
            return false;
    }
    return true;
}

static bool add_services(const filler_t *to, const char *scope,
                         Cuzk__Outline__Service *const *items, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *full = add(to, scope, items[i]->name, true);

        if (full == NULL || !add_named(to, full, items[i]->method, items[i]->n_method))
            return false;
    }
    return true;
}

static cuzk_status add_file(reflection_t *r, size_t index, cuzk_error *err)
{
    const ProtobufCBinaryData *bytes = &r->set->file[index];
    const filler_t to = {r, index, err};
    ProtobufCMessage *message;

    if (message_unpack(&message, &cuzk__outline__file__descriptor, bytes->data, bytes->len, err) !=
        CUZK_OK)
        return err->status;
    const Cuzk__Outline__File *file = (const Cuzk__Outline__File *)(const void *)message;
    r->files[index] = (file_entry_t){mem_copy_text(file->name, "reflection", err), *bytes};
    const bool is_filled =
        r->files[index].name != NULL &&
        add_messages(&to, file->package, file->message_type, file->n_message_type) &&
        add_named(&to, file->package, file->enum_type, file->n_enum_type) &&
        add_services(&to, file->package, file->service, file->n_service);
    protobuf_c_message_free_unpacked(message, NULL);
    return is_filled ? CUZK_OK : err->status;
}

cuzk_status reflection_open(reflection_t **reflection, const uint8_t *descriptor, size_t length,
                            cuzk_error *err)
{
    reflection_t *r = mem_alloc(1, sizeof *r, "reflection", err);
    ProtobufCMessage *set;

    *reflection = NULL;
    if (r == NULL) return err->status;
    if (message_unpack(&set, &cuzk__outline__file_set__descriptor, descriptor, length, err) !=
        CUZK_OK) {
        reflection_close(r);
        return error_within(err, "descriptor");
    }
    r->set = (Cuzk__Outline__FileSet *)(void *)set;
    r->n_files = r->set->n_file;
    r->files = mem_alloc(r->n_files, sizeof *r->files, "reflection", err);
    cuzk_status status = r->files == NULL ? err->status : CUZK_OK;
    for (size_t i = 0; status == CUZK_OK && i < r->n_files; i++) status = add_file(r, i, err);
    if (status == CUZK_OK)
        *reflection = r;
    else
        reflection_close(r);
    return status;
}

void reflection_close(reflection_t *r)
{
    if (r == NULL) return;
    for (size_t i = 0; i < r->n_symbols; i++) free(r->symbols[i].name);
    for (size_t i = 0; r->files != NULL && i < r->n_files; i++) free(r->files[i].name);
    if (r->set != NULL) protobuf_c_message_free_unpacked(&r->set->base, NULL);
    free(r->symbols);
    free(r->files);
    free(r);
}

/* ---- answers ----------------------------------------------------------------------------------
 */

#define ASKS(of)    GRPC__REFLECTION__V1__SERVER_REFLECTION_REQUEST__MESSAGE_REQUEST_##of
#define ANSWERS(of) GRPC__REFLECTION__V1__SERVER_REFLECTION_RESPONSE__MESSAGE_RESPONSE_##of

/* n_files when there is none. */
static size_t find_file(const reflection_t *r, const char *name)
{
    size_t i = 0;

    while (i < r->n_files && strcmp(r->files[i].name, name) != 0) i++;
    return i;
}

static size_t find_symbol_file(const reflection_t *r, const char *name)
{
    for (size_t i = 0; i < r->n_symbols; i++)
        if (strcmp(r->symbols[i].name, name) == 0) return r->symbols[i].file;
    return r->n_files;
}

static cuzk_status pack(uint8_t **bytes, size_t *length, const response_t *response,
                        cuzk_error *err)
{
    return message_pack(bytes, length, &response->base, err);
}

static cuzk_status answer_file(uint8_t **bytes, size_t *length, const reflection_t *r, size_t file,
                               response_t *response, cuzk_error *err)
{
    Grpc__Reflection__V1__FileDescriptorResponse found =
        GRPC__REFLECTION__V1__FILE_DESCRIPTOR_RESPONSE__INIT;

    found.n_file_descriptor_proto = 1;
    found.file_descriptor_proto = &r->files[file].bytes;
    response->message_response_case = ANSWERS(FILE_DESCRIPTOR_RESPONSE);
    response->file_descriptor_response = &found;
    return pack(bytes, length, response, err);
}

static cuzk_status answer_services(uint8_t **bytes, size_t *length, const reflection_t *r,
                                   response_t *response, cuzk_error *err)
{
    Grpc__Reflection__V1__ListServiceResponse list =
        GRPC__REFLECTION__V1__LIST_SERVICE_RESPONSE__INIT;
    const size_t n = r->n_symbols;
    Grpc__Reflection__V1__ServiceResponse *items = mem_alloc(n, sizeof *items, "reflection", err);
    Grpc__Reflection__V1__ServiceResponse **pointers =
        mem_alloc(n, sizeof(void *), "reflection", err);
    cuzk_status status = CUZK_ERR_MEMORY;

    for (size_t i = 0; items != NULL && pointers != NULL && i < n; i++) {
        if (!r->symbols[i].is_service) continue;
        grpc__reflection__v1__service_response__init(&items[i]);
        items[i].name = r->symbols[i].name;
        pointers[list.n_service++] = &items[i];
    }
    if (items != NULL && pointers != NULL) {
        list.service = pointers;
        response->message_response_case = ANSWERS(LIST_SERVICES_RESPONSE);
        response->list_services_response = &list;
        status = pack(bytes, length, response, err);
    }
    free(items);
    free(pointers);
    return status;
}

static cuzk_status answer_error(uint8_t **bytes, size_t *length, grpc_status_code code,
                                const char *text, response_t *response, cuzk_error *err)
{
    Grpc__Reflection__V1__ErrorResponse error = GRPC__REFLECTION__V1__ERROR_RESPONSE__INIT;

    error.error_code = (int32_t)code;
    error.error_message = (char *)(uintptr_t)text;
    response->message_response_case = ANSWERS(ERROR_RESPONSE);
    response->error_response = &error;
    return pack(bytes, length, response, err);
}

cuzk_status reflection_answer(uint8_t **bytes, size_t *length, const reflection_t *r,
                              const ProtobufCMessage *message, cuzk_error *err)
{
    request_t *request = (request_t *)(uintptr_t)message;
    response_t response = GRPC__REFLECTION__V1__SERVER_REFLECTION_RESPONSE__INIT;
    size_t file = r->n_files;
    const char *text = "no such symbol";

    response.valid_host = request->host;
    response.original_request = request;
    switch (request->message_request_case) {
    case ASKS(LIST_SERVICES):
        return answer_services(bytes, length, r, &response, err);
    case ASKS(FILE_BY_FILENAME):
        file = find_file(r, request->file_by_filename);
        text = "no such file";
        break;
    case ASKS(FILE_CONTAINING_SYMBOL):
        file = find_symbol_file(r, request->file_containing_symbol);
        break;
    case ASKS(FILE_CONTAINING_EXTENSION):
    case ASKS(ALL_EXTENSION_NUMBERS_OF_TYPE):
        text = "there are no extensions";
        break;
    default:
        return answer_error(bytes, length, GRPC_STATUS_INVALID_ARGUMENT, "asks for nothing",
                            &response, err);
    }
    if (file < r->n_files) return answer_file(bytes, length, r, file, &response, err);
    return answer_error(bytes, length, GRPC_STATUS_NOT_FOUND, text, &response, err);
}

/* ---- calls ------------------------------------------------------------------------------------
 */

static void stream_received(rpc_call_t *call);

static void stream_sent(rpc_call_t *call, bool ok)
{
    if (ok)
        call_receive(call, stream_received);
    else
        (void)call_end(call, NULL, GRPC_STATUS_CANCELLED, "the caller has left");
}

static void stream_received(rpc_call_t *call)
{
    ProtobufCMessage *request;
    uint8_t *bytes;
    size_t length;
    cuzk_error err;

    if (call->message == NULL) { /* the caller asks no more */
        (void)call_end(call, NULL, GRPC_STATUS_OK, "");
        return;
    }
    if (!side_read(&request, call, &grpc__reflection__v1__server_reflection_request__descriptor))
        return;
    const cuzk_status status =
        reflection_answer(&bytes, &length, call->server->reflection, request, &err);
    protobuf_c_message_free_unpacked(request, NULL);
    if (status != CUZK_OK) {
        (void)call_end(call, NULL, GRPC_STATUS_RESOURCE_EXHAUSTED, err.text);
        return;
    }
    (void)pthread_mutex_lock(&call->server->lock);
    if (!call->is_ended) call_send_locked(call, call_buffer(bytes, length), stream_sent);
    (void)pthread_mutex_unlock(&call->server->lock);
    free(bytes);
}

bool reflection_take(call_slot_t *slot, const char *method)
{
    if (strcmp(method, "ServerReflectionInfo") != 0) return false;
    rpc_call_t *call = call_take(slot->server, slot, CALL_SIDE, side_left);
    if (call != NULL) call_receive(call, stream_received);
    return true;
}
