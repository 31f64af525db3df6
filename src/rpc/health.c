/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <string.h>

#include <grpc/byte_buffer.h>

#include <grpc/health/v1/health.pb-c.h>
#include "rpc/call.h"
#include "rpc/message.h"
#include "rpc/side.h"

typedef Grpc__Health__V1__HealthCheckRequest request_t;
typedef Grpc__Health__V1__HealthCheckResponse response_t;

enum {
    SERVING = GRPC__HEALTH__V1__HEALTH_CHECK_RESPONSE__SERVING_STATUS__SERVING,
    NOT_SERVING = GRPC__HEALTH__V1__HEALTH_CHECK_RESPONSE__SERVING_STATUS__NOT_SERVING,
    SERVICE_UNKNOWN = GRPC__HEALTH__V1__HEALTH_CHECK_RESPONSE__SERVING_STATUS__SERVICE_UNKNOWN
};

static grpc_byte_buffer *response_of(int state)
{
    response_t response = GRPC__HEALTH__V1__HEALTH_CHECK_RESPONSE__INIT;
    uint8_t bytes[16];

    response.status = (Grpc__Health__V1__HealthCheckResponse__ServingStatus)state;
    return call_buffer(bytes, protobuf_c_message_pack(&response.base, bytes));
}

/* Whether the request could be read; else the call has been ended. */
static bool read_request(rpc_call_t *call, bool *is_known)
{
    const rpc_server_t *server = call->server;
    const char *service = server->options.service;
    ProtobufCMessage *message;

    if (!side_read(&message, call, &grpc__health__v1__health_check_request__descriptor))
        return false;
    const char *name = ((const request_t *)(const void *)message)->service;
    *is_known = *name == '\0' || strcmp(name, service) == 0;
    protobuf_c_message_free_unpacked(message, NULL);
    return true;
}

static int state_locked(const rpc_server_t *server)
{
    return server->is_serving && !server->is_draining ? SERVING : NOT_SERVING;
}

static void check_received(rpc_call_t *call)
{
    bool is_known;

    if (!read_request(call, &is_known)) return;
    if (!is_known) {
        (void)call_end(call, NULL, GRPC_STATUS_NOT_FOUND, "no such service");
        return;
    }
    (void)pthread_mutex_lock(&call->server->lock);
    const int state = state_locked(call->server);
    (void)pthread_mutex_unlock(&call->server->lock);
    (void)call_end(call, response_of(state), GRPC_STATUS_OK, "");
}

/* ---- watching ---------------------------------------------------------------------------------
 */

static void watch_sent(rpc_call_t *call, bool ok);

static void tell_locked(rpc_call_t *call, int state)
{
    if (call->is_ended || call->has_left || call->is_sending || call->seen_state == state) return;
    call->seen_state = state;
    call_send_locked(call, response_of(state), watch_sent);
}

/* The state may have changed while the last one was sent. */
static void watch_sent(rpc_call_t *call, bool ok)
{
    (void)pthread_mutex_lock(&call->server->lock);
    if (ok && call->seen_state != SERVICE_UNKNOWN) tell_locked(call, state_locked(call->server));
    (void)pthread_mutex_unlock(&call->server->lock);
}

static void watch_left(rpc_call_t *call)
{
    (void)pthread_mutex_lock(&call->server->lock);
    if (call_list_has(&call->server->watches, call)) call_list_remove(&call->server->watches, call);
    (void)pthread_mutex_unlock(&call->server->lock);
    (void)call_end(call, NULL, GRPC_STATUS_CANCELLED, "the caller has left");
}

static void watch_received(rpc_call_t *call)
{
    bool is_known;

    if (!read_request(call, &is_known)) return;
    (void)pthread_mutex_lock(&call->server->lock);
    if (!call->has_left && !call->is_ended) {
        if (is_known) call_list_add(&call->server->watches, call);
        tell_locked(call, is_known ? state_locked(call->server) : SERVICE_UNKNOWN);
    }
    (void)pthread_mutex_unlock(&call->server->lock);
}

void health_tell(rpc_server_t *server)
{
    (void)pthread_mutex_lock(&server->lock);
    if (!server->is_stopping)
        for (rpc_call_t *call = server->watches.first; call != NULL; call = call->next)
            tell_locked(call, state_locked(server));
    (void)pthread_mutex_unlock(&server->lock);
}

bool health_take(call_slot_t *slot, const char *method)
{
    const bool is_watch = strcmp(method, "Watch") == 0;

    if (!is_watch && strcmp(method, "Check") != 0) return false;
    rpc_call_t *call = call_take(slot->server, slot, CALL_SIDE, is_watch ? watch_left : side_left);
    if (call != NULL) call_receive(call, is_watch ? watch_received : check_received);
    return true;
}
