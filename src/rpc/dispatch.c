/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/verify.h"
#include "rpc/call.h"
#include "rpc/credentials.h"
#include "rpc/reflection.h"

static const char HEALTH[] = "/grpc.health.v1.Health/";
static const char REFLECTION[] = "/grpc.reflection.v1.ServerReflection/";
static const char REFLECTION_ALPHA[] = "/grpc.reflection.v1alpha.ServerReflection/";

static void refuse(call_slot_t *slot, grpc_status_code code, const char *text)
{
    rpc_call_t *call = call_take(slot->server, slot, CALL_REFUSED, NULL);

    if (call != NULL) (void)call_end(call, NULL, code, text);
}

/* ---- methods ----------------------------------------------------------------------------------
 */

static void method_received(rpc_call_t *call)
{
    if (call->message != NULL)
        workers_give(call);
    else
        (void)call_end(call, NULL, GRPC_STATUS_INVALID_ARGUMENT, "the call has no message");
}

static void method_left(rpc_call_t *call)
{
    rpc_server_t *server = call->server;

    if (arrival_is_held_back(call)) {
        (void)call_end(call, NULL, GRPC_STATUS_CANCELLED, "the caller has left");
        return;
    }
    (void)pthread_mutex_lock(&server->lock);
    const bool is_begun = call->is_begun;
    (void)pthread_mutex_unlock(&server->lock);
    if (is_begun) server->options.left(server->options.arg, call->id);
}

static void take_method(call_slot_t *slot, const rpc_method_t *method)
{
    rpc_server_t *server = slot->server;
    char text[128];

    (void)pthread_mutex_lock(&server->lock);
    const bool is_draining = server->is_draining;
    const uint32_t n_calls = server->n_calls;
    (void)pthread_mutex_unlock(&server->lock);
    if (is_draining) {
        refuse(slot, GRPC_STATUS_UNAVAILABLE, "the server is shutting down");
        return;
    }
    if (n_calls >= server->options.max_calls) {
        (void)snprintf(text, sizeof text, "%u calls are under way, %u allowed: ask again later",
                       n_calls, server->options.max_calls);
        refuse(slot, GRPC_STATUS_RESOURCE_EXHAUSTED, text);
        return;
    }
    rpc_call_t *call = call_take(server, slot, CALL_METHOD, method_left);
    if (call == NULL) return;
    call->method = method;
    arrival_begin(call, method_received);
}

/* ---- any call ---------------------------------------------------------------------------------
 */

/* text = the slice, cut to size. */
static void copy_slice(char *text, size_t size, grpc_slice slice)
{
    const size_t n = GRPC_SLICE_LENGTH(slice) < size ? GRPC_SLICE_LENGTH(slice) : size - 1;

    memcpy(text, GRPC_SLICE_START_PTR(slice), n);
    text[n] = '\0';
}

static const char *after(const char *path, const char *prefix)
{
    const size_t n = strlen(prefix);

    return strncmp(path, prefix, n) == 0 ? path + n : NULL;
}

static bool is_allowed(const call_slot_t *slot)
{
    const char *token = slot->server->token;
    size_t n_found = 0;
    bool is_right = false;

    for (size_t i = 0; i < slot->metadata.count; i++) {
        const grpc_metadata *item = &slot->metadata.metadata[i];

        if (grpc_slice_str_cmp(item->key, "authorization") != 0) continue;
        n_found++;
        is_right = token_matches(token, (const char *)GRPC_SLICE_START_PTR(item->value),
                                 GRPC_SLICE_LENGTH(item->value));
    }
    return token == NULL || (n_found == 1 && is_right);
}

static const rpc_method_t *find_method(const rpc_server_t *server, const char *path)
{
    const char *name = after(path, server->path);

    for (size_t i = 0; name != NULL && i < server->options.n_methods; i++)
        if (strcmp(server->options.methods[i].name, name) == 0) return &server->options.methods[i];
    return NULL;
}

static bool has_room_for_side_call(rpc_server_t *server)
{
    (void)pthread_mutex_lock(&server->lock);
    const bool has_room = server->n_side < MAX_SIDE_CALLS && !server->is_stopping;
    (void)pthread_mutex_unlock(&server->lock);
    return has_room;
}

static void dispatch(call_slot_t *slot)
{
    char path[256], text[320];

    copy_slice(path, sizeof path, slot->details.method);
    if (!is_allowed(slot)) {
        refuse(slot, GRPC_STATUS_UNAUTHENTICATED,
               "the server wants its token as \"authorization: Bearer TOKEN\"");
        return;
    }
    const rpc_method_t *method = find_method(slot->server, path);
    if (method != NULL) {
        take_method(slot, method);
        return;
    }
    const char *health = after(path, HEALTH);
    const char *reflection = after(path, REFLECTION);
    if (reflection == NULL) reflection = after(path, REFLECTION_ALPHA);
    if (health != NULL || reflection != NULL) {
        if (!has_room_for_side_call(slot->server)) {
            (void)snprintf(text, sizeof text, "%d calls of health and reflection are under way",
                           MAX_SIDE_CALLS);
            refuse(slot, GRPC_STATUS_RESOURCE_EXHAUSTED, text);
            return;
        }
        if (health != NULL ? health_take(slot, health) : reflection_take(slot, reflection)) return;
    }
    (void)snprintf(text, sizeof text, "no method %s", path);
    refuse(slot, GRPC_STATUS_UNIMPLEMENTED, text);
}

static void slot_done(core_tag_t *tag, bool ok)
{
    call_slot_t *slot = (call_slot_t *)(void *)((char *)tag - offsetof(call_slot_t, tag));

    (void)pthread_mutex_lock(&slot->server->lock); /* sees what dispatch_ask() has written */
    (void)pthread_mutex_unlock(&slot->server->lock);
    if (ok) dispatch(slot);
    grpc_call_details_destroy(&slot->details);
    grpc_metadata_array_destroy(&slot->metadata);
    if (ok) dispatch_ask(slot);
}

void dispatch_begin(rpc_server_t *server)
{
    for (size_t i = 0; i < SLOTS; i++) {
        server->slots[i].server = server;
        server->slots[i].tag.done = slot_done;
    }
}

void dispatch_ask(call_slot_t *slot)
{
    rpc_server_t *server = slot->server;

    (void)pthread_mutex_lock(&server->lock);
    grpc_call_details_init(&slot->details);
    grpc_metadata_array_init(&slot->metadata);
    const grpc_call_error code =
        grpc_server_request_call(server->grpc, &slot->call, &slot->details, &slot->metadata,
                                 server->queue, server->queue, &slot->tag);
    (void)pthread_mutex_unlock(&server->lock);
    VERIFY(code == GRPC_CALL_OK);
    (void)code;
}
