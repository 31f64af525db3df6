/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdlib.h>
#include <string.h>

#include <grpc/byte_buffer.h>

#include "base/memory.h"
#include "rpc/call.h"

enum { SMALL_BYTES = 1 << 20 };

/* Small messages first; and one worker, where there are several, takes no others, so that they
 * never wait for large ones to be read through. */
static rpc_call_t *next_call(rpc_server_t *server, bool takes_large)
{
    call_list_t *list =
        server->small.first != NULL || !takes_large ? &server->small : &server->large;
    rpc_call_t *call = list->first;

    if (call == NULL) return NULL;
    call_list_remove(list, call);
    server->waiting_bytes -= grpc_byte_buffer_length(call->message);
    call->is_begun = !call->has_left;
    return call;
}

static void serve(rpc_call_t *call, bool is_begun)
{
    rpc_server_t *server = call->server;
    grpc_byte_buffer *message = call->message;
    uint8_t *bytes;
    size_t length;
    cuzk_error err;

    if (!is_begun) {
        (void)call_end(call, NULL, GRPC_STATUS_CANCELLED, "the caller has left");
        return;
    }
    call->message = NULL;
    if (core_take_bytes(&bytes, &length, message, server->options.max_message_bytes, &err) !=
        CUZK_OK)
        rpc_call_fail(call, GRPC_STATUS_RESOURCE_EXHAUSTED, err.text);
    else
        call->method->serve(server->options.arg, call, bytes, length);
}

static void *work(void *arg)
{
    rpc_server_t *server = arg;

    (void)pthread_mutex_lock(&server->lock);
    const bool takes_large = server->options.n_workers == 1 || server->has_small_worker;
    server->has_small_worker = true;
    while (!server->is_closing) {
        rpc_call_t *call = next_call(server, takes_large);

        if (call == NULL) {
            (void)pthread_cond_wait(&server->work, &server->lock);
            continue;
        }
        const bool is_begun = call->is_begun;
        (void)pthread_mutex_unlock(&server->lock);
        serve(call, is_begun);
        (void)pthread_mutex_lock(&server->lock);
    }
    (void)pthread_mutex_unlock(&server->lock);
    return NULL;
}

void workers_give(rpc_call_t *call)
{
    rpc_server_t *server = call->server;
    const size_t bytes = grpc_byte_buffer_length(call->message);

    (void)pthread_mutex_lock(&server->lock);
    call_list_add(bytes <= SMALL_BYTES ? &server->small : &server->large, call);
    server->waiting_bytes += bytes;
    (void)pthread_cond_broadcast(&server->work);
    (void)pthread_mutex_unlock(&server->lock);
}

cuzk_status workers_start(rpc_server_t *server, cuzk_error *err)
{
    const uint32_t n = server->options.n_workers;

    server->workers = mem_alloc(n, sizeof *server->workers, "workers", err);
    if (server->workers == NULL) return err->status;
    for (uint32_t i = 0; i < n; i++) {
        (void)pthread_mutex_lock(&server->lock);
        const int code = pthread_create(&server->workers[i], NULL, work, server);
        server->n_workers += code == 0;
        (void)pthread_mutex_unlock(&server->lock);
        if (code != 0)
            return error_set(err, CUZK_ERR_IO, "worker %u of %u: %s", i + 1, n, strerror(code));
    }
    return CUZK_OK;
}

void workers_stop(rpc_server_t *server)
{
    (void)pthread_mutex_lock(&server->lock);
    server->is_closing = true;
    (void)pthread_cond_broadcast(&server->work);
    (void)pthread_mutex_unlock(&server->lock);
    for (uint32_t i = 0; i < server->n_workers; i++) (void)pthread_join(server->workers[i], NULL);
    free(server->workers);
    server->workers = NULL;
    server->n_workers = 0;
}
