/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "rpc/call.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <grpc/byte_buffer.h>

#include "base/verify.h"

#define CALL_OF(tag, member) ((rpc_call_t *)(void *)((char *)(tag)-offsetof(rpc_call_t, member)))

void call_list_add(call_list_t *list, rpc_call_t *call)
{
    call->previous = list->last;
    call->next = NULL;
    *(list->last == NULL ? &list->first : &list->last->next) = call;
    list->last = call;
}

bool call_list_has(const call_list_t *list, const rpc_call_t *call)
{
    return call->previous != NULL || list->first == call;
}

void call_list_remove(call_list_t *list, rpc_call_t *call)
{
    *(call->previous == NULL ? &list->first : &call->previous->next) = call->next;
    *(call->next == NULL ? &list->last : &call->next->previous) = call->previous;
    call->next = call->previous = NULL;
}

static void lock(const rpc_call_t *call)
{
    (void)pthread_mutex_lock(&call->server->lock);
}

static void unlock(const rpc_call_t *call)
{
    (void)pthread_mutex_unlock(&call->server->lock);
}

void call_drop(rpc_call_t *call)
{
    rpc_server_t *server = call->server;

    if (atomic_fetch_sub(&call->uses, 1) != 1) return;
    if (call->message != NULL) grpc_byte_buffer_destroy(call->message);
    if (call->sending != NULL) grpc_byte_buffer_destroy(call->sending);
    if (call->last != NULL) grpc_byte_buffer_destroy(call->last);
    grpc_call_unref(call->grpc);
    free(call);
    (void)pthread_mutex_lock(&server->lock);
    server->n_objects--;
    (void)pthread_cond_broadcast(&server->changed);
    (void)pthread_mutex_unlock(&server->lock);
}

/* Starts a batch whose tag keeps the call. Under the lock, which also makes what this thread has
 * written seen by the one that gets the tag. */
static void start(rpc_call_t *call, const grpc_op *ops, size_t n, core_tag_t *tag)
{
    (void)atomic_fetch_add(&call->uses, 1);
    const grpc_call_error code = grpc_call_start_batch(call->grpc, ops, n, tag, NULL);
    VERIFY(code == GRPC_CALL_OK);
    (void)code;
}

static void closed_done(core_tag_t *tag, bool ok)
{
    rpc_call_t *call = CALL_OF(tag, closed);

    (void)ok;
    lock(call);
    const bool is_news = call->cancelled != 0 && !call->is_ended;
    call->has_left = is_news;
    unlock(call);
    if (is_news && call->on_left != NULL) call->on_left(call);
    call_drop(call);
}

static void received_done(core_tag_t *tag, bool ok)
{
    rpc_call_t *call = CALL_OF(tag, received);

    lock(call); /* sees what the one who asked has written */
    unlock(call);
    arrival_done(call);
    if (!ok && call->message != NULL) {
        grpc_byte_buffer_destroy(call->message);
        call->message = NULL;
    }
    call->on_received(call);
    call_drop(call);
}

static void sent_done(core_tag_t *tag, bool ok)
{
    rpc_call_t *call = CALL_OF(tag, sent);

    lock(call);
    grpc_byte_buffer_destroy(call->sending);
    call->sending = NULL;
    call->is_sending = false;
    unlock(call);
    call->on_sent(call, ok);
    call_drop(call);
}

static void finished_done(core_tag_t *tag, bool ok)
{
    (void)ok;
    lock(CALL_OF(tag, finished));
    unlock(CALL_OF(tag, finished));
    call_drop(CALL_OF(tag, finished));
}

static void count(rpc_server_t *server, const rpc_call_t *call, uint32_t change)
{
    if (call->sort == CALL_METHOD) server->n_calls += change;
    if (call->sort == CALL_SIDE) server->n_side += change;
}

rpc_call_t *call_take(rpc_server_t *server, const call_slot_t *slot, call_sort sort,
                      void (*on_left)(rpc_call_t *call))
{
    rpc_call_t *call = calloc(1, sizeof *call);
    const grpc_op op = {.op = GRPC_OP_RECV_CLOSE_ON_SERVER,
                        .data.recv_close_on_server.cancelled =
                            call == NULL ? NULL : &call->cancelled};

    if (call == NULL) {
        (void)grpc_call_cancel_with_status(slot->call, GRPC_STATUS_RESOURCE_EXHAUSTED,
                                           "out of memory", NULL);
        grpc_call_unref(slot->call);
        return NULL;
    }
    call->server = server;
    call->grpc = slot->call;
    call->sort = sort;
    call->deadline = slot->details.deadline;
    call->uses = 1;
    call->closed.done = closed_done;
    call->received.done = received_done;
    call->sent.done = sent_done;
    call->finished.done = finished_done;
    call->on_left = on_left;
    call->seen_state = -1;
    lock(call);
    call->id = ++server->next_id;
    server->n_objects++;
    count(server, call, 1);
    start(call, &op, 1, &call->closed);
    unlock(call);
    return call;
}

void call_receive(rpc_call_t *call, void (*on_received)(rpc_call_t *call))
{
    const grpc_op op = {.op = GRPC_OP_RECV_MESSAGE,
                        .data.recv_message.recv_message = &call->message};

    lock(call);
    call->on_received = on_received;
    start(call, &op, 1, &call->received);
    unlock(call);
}

void call_send_locked(rpc_call_t *call, grpc_byte_buffer *message,
                      void (*on_sent)(rpc_call_t *call, bool ok))
{
    grpc_op ops[2] = {{.op = GRPC_OP_SEND_MESSAGE}, {.op = GRPC_OP_SEND_INITIAL_METADATA}};

    ops[0].data.send_message.send_message = message;
    call->sending = message;
    call->is_sending = true;
    call->on_sent = on_sent;
    start(call, ops, call->is_greeted ? 1 : 2, &call->sent);
    call->is_greeted = true;
}

bool call_end(rpc_call_t *call, grpc_byte_buffer *message, grpc_status_code code, const char *text)
{
    grpc_slice details = grpc_slice_from_copied_string(text);
    grpc_op ops[3] = {{.op = GRPC_OP_SEND_STATUS_FROM_SERVER}};
    size_t n = 1;

    ops[0].data.send_status_from_server.status = code;
    ops[0].data.send_status_from_server.status_details = code == GRPC_STATUS_OK ? NULL : &details;
    lock(call);
    const bool is_first = !call->is_ended;
    if (is_first) {
        call->is_ended = true;
        if (!call->is_greeted) ops[n++].op = GRPC_OP_SEND_INITIAL_METADATA;
        if (message != NULL) {
            ops[n].op = GRPC_OP_SEND_MESSAGE;
            ops[n++].data.send_message.send_message = call->last = message;
        }
        start(call, ops, n, &call->finished);
        count(call->server, call, (uint32_t)-1);
        (void)pthread_cond_broadcast(&call->server->changed);
    }
    unlock(call);
    grpc_slice_unref(details);
    if (is_first)
        call_drop(call);
    else if (message != NULL)
        grpc_byte_buffer_destroy(message);
    return is_first;
}

grpc_byte_buffer *call_buffer(const uint8_t *bytes, size_t length)
{
    grpc_slice slice = grpc_slice_from_copied_buffer((const char *)bytes, length);
    grpc_byte_buffer *buffer = grpc_raw_byte_buffer_create(&slice, 1);

    grpc_slice_unref(slice);
    return buffer;
}

/* ---- what methods use -------------------------------------------------------------------------
 */

uint64_t rpc_call_id(const rpc_call_t *call)
{
    return call->id;
}

bool rpc_call_has_left(const rpc_call_t *call)
{
    lock(call);
    const bool has_left = call->has_left;
    unlock(call);
    return has_left;
}

uint64_t rpc_call_time_left_ms(const rpc_call_t *call)
{
    const gpr_timespec deadline = gpr_convert_clock_type(call->deadline, GPR_CLOCK_MONOTONIC);

    if (gpr_time_cmp(call->deadline, gpr_inf_future(call->deadline.clock_type)) == 0)
        return UINT64_MAX;
    const gpr_timespec left = gpr_time_sub(deadline, gpr_now(GPR_CLOCK_MONOTONIC));
    if (left.tv_sec < 0) return 0;
    return (uint64_t)left.tv_sec * 1000 + (uint64_t)left.tv_nsec / 1000000;
}

void rpc_call_reply(rpc_call_t *call, const uint8_t *message, size_t length)
{
    const bool is_first = call_end(call, call_buffer(message, length), GRPC_STATUS_OK, "");

    VERIFY(is_first);
    (void)is_first;
}

void rpc_call_fail(rpc_call_t *call, grpc_status_code code, const char *text)
{
    const bool is_first = call_end(call, NULL, code, text);

    VERIFY(is_first && code != GRPC_STATUS_OK);
    (void)is_first;
}
