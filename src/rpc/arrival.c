/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdio.h>

#include "base/clock.h"
#include "rpc/call.h"

/* Messages arrive a few at a time: as many as fit max_arriving_bytes if all are of the largest
 * size, beside those that wait for a worker. What is not asked for stays with its sender, but for
 * 64 KiB. How large one is nobody knows before it is there: so one that takes long counts no more,
 * and can't keep others from arriving. At twice the bound gRPC's quota ends calls. */

enum { COUNTS_MS = 2000 };

static bool has_room(const rpc_server_t *server)
{
    const uint64_t each = server->options.max_message_bytes;
    const uint64_t taken = server->n_arriving * each + server->waiting_bytes;

    return taken == 0 || taken + each <= server->options.max_arriving_bytes;
}

/* A call that may now ask for its message; NULL: none. */
static rpc_call_t *next_locked(rpc_server_t *server)
{
    rpc_call_t *call = server->held_back.first;

    if (call == NULL || !has_room(server)) return NULL;
    call_list_remove(&server->held_back, call);
    call_list_add(&server->arriving, call);
    server->n_arriving++;
    call->arrival = ARRIVAL_COUNTS;
    call->counts_until_ns = clock_monotonic_ns() + COUNTS_MS * UINT64_C(1000000);
    return call;
}

void arrival_admit(rpc_server_t *server)
{
    for (;;) {
        (void)pthread_mutex_lock(&server->lock);
        rpc_call_t *call = next_locked(server);
        (void)pthread_mutex_unlock(&server->lock);
        if (call == NULL) return;
        call_receive(call, call->on_arrived);
    }
}

void arrival_begin(rpc_call_t *call, void (*on_arrived)(rpc_call_t *call))
{
    rpc_server_t *server = call->server;

    (void)pthread_mutex_lock(&server->lock);
    call->on_arrived = on_arrived;
    call->arrival = ARRIVAL_HELD_BACK;
    call->arrives_until_ns = clock_monotonic_ns() + server->options.arrival_ms * UINT64_C(1000000);
    call_list_add(&server->held_back, call);
    (void)pthread_mutex_unlock(&server->lock);
    arrival_admit(server);
}

/* Whether it was held back. */
static bool forget_locked(rpc_call_t *call)
{
    rpc_server_t *server = call->server;
    const arrival_state was = call->arrival;

    if (was == ARRIVAL_COUNTS) server->n_arriving--;
    if (was != ARRIVAL_NONE)
        call_list_remove(was == ARRIVAL_HELD_BACK ? &server->held_back : &server->arriving, call);
    call->arrival = ARRIVAL_NONE;
    return was == ARRIVAL_HELD_BACK;
}

void arrival_done(rpc_call_t *call)
{
    (void)pthread_mutex_lock(&call->server->lock);
    (void)forget_locked(call);
    (void)pthread_mutex_unlock(&call->server->lock);
    arrival_admit(call->server);
}

bool arrival_is_held_back(rpc_call_t *call)
{
    (void)pthread_mutex_lock(&call->server->lock);
    const bool is_held_back = call->arrival == ARRIVAL_HELD_BACK;
    if (is_held_back) (void)forget_locked(call);
    (void)pthread_mutex_unlock(&call->server->lock);
    return is_held_back;
}

/* Ended by cancelling, which is then told as that the caller has left, or no message has come. */
static void end_late_locked(rpc_server_t *server, call_list_t *list, uint64_t now_ns)
{
    char text[96];

    (void)snprintf(text, sizeof text, "the message did not arrive within %u ms",
                   server->options.arrival_ms);
    for (rpc_call_t *call = list->first; call != NULL && now_ns >= call->arrives_until_ns;
         call = call->next) {
        call->arrives_until_ns = UINT64_MAX; /* once is enough */
        (void)grpc_call_cancel_with_status(call->grpc, GRPC_STATUS_DEADLINE_EXCEEDED, text, NULL);
    }
}

void arrival_look_at_clock(rpc_server_t *server)
{
    const uint64_t now_ns = clock_monotonic_ns();

    (void)pthread_mutex_lock(&server->lock);
    for (rpc_call_t *call = server->arriving.first; call != NULL; call = call->next) {
        if (call->arrival != ARRIVAL_COUNTS || now_ns < call->counts_until_ns) continue;
        call->arrival = ARRIVAL_SLOW;
        server->n_arriving--;
    }
    end_late_locked(server, &server->arriving, now_ns);
    end_late_locked(server, &server->held_back, now_ns);
    (void)pthread_mutex_unlock(&server->lock);
    arrival_admit(server);
}
