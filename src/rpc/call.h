/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_RPC_CALL_H
#define CUZK_RPC_CALL_H

/* Inside a server: its parts, and calls of every sort. What has `_done` or is called through a tag
 * runs on the polling thread. A lock that is held is never held around a function of others. */

#include <pthread.h>
#include <stdatomic.h>

#include "rpc/core.h"
#include "rpc/front.h"
#include "rpc/server.h"

enum {
    SLOTS = 16,         /* calls that gRPC may hand us at once */
    MAX_SIDE_CALLS = 64 /* of health and reflection, under way */
};

/* Where gRPC puts the next call. */
typedef struct {
    core_tag_t tag;
    rpc_server_t *server;
    grpc_call *call;
    grpc_call_details details;
    grpc_metadata_array metadata;
} call_slot_t;

typedef enum { CALL_METHOD, CALL_SIDE, CALL_REFUSED } call_sort;

/* Of a method's message. */
typedef enum {
    ARRIVAL_NONE,      /* is there, or was never waited for */
    ARRIVAL_HELD_BACK, /* its sender has to wait */
    ARRIVAL_COUNTS,
    ARRIVAL_SLOW /* counts no more */
} arrival_state;

struct rpc_call {
    rpc_server_t *server;
    grpc_call *grpc;
    call_sort sort; /* CALL_SIDE: of health and reflection */
    uint64_t id;
    gpr_timespec deadline;
    const rpc_method_t *method;
    atomic_uint uses; /* one for each operation under way, one for whoever has to end it */

    /* lock of the server */
    bool is_begun; /* the method has it */
    bool is_ended;
    bool has_left;
    bool is_greeted; /* initial metadata have been sent */
    bool is_sending; /* a message of a stream */

    core_tag_t closed, received, sent, finished;
    int cancelled;
    grpc_byte_buffer *message; /* received */
    grpc_byte_buffer *sending, *last;
    void (*on_received)(rpc_call_t *call); /* message, or NULL: there is none */
    void (*on_sent)(rpc_call_t *call, bool ok);
    void (*on_left)(rpc_call_t *call);

    arrival_state arrival; /* this and the next three: lock */
    uint64_t counts_until_ns, arrives_until_ns;
    void (*on_arrived)(rpc_call_t *call);
    rpc_call_t *next, *previous; /* of the one list it is in */
    int seen_state;              /* of a health watch: what it was told last, -1: nothing */
};

typedef struct {
    rpc_call_t *first, *last;
} call_list_t;

struct rpc_server {
    rpc_server_options_t options;
    char *service;
    char *path;  /* before the method's name: "/cuzk.v1.ProvingEngine/" */
    char *token; /* NULL: none is asked for */
    char address[300];
    grpc_server *grpc;
    grpc_completion_queue *queue;
    grpc_server_credentials *credentials; /* of the connections that the front hands over */
    grpc_resource_quota *quota;
    front_t *front;
    struct reflection *reflection;
    char inner_path[108]; /* with TLS: gRPC's own socket, in a folder of ours */
    call_slot_t slots[SLOTS];
    core_tag_t shut_down;
    pthread_t poller;
    bool has_poller;

    pthread_mutex_t lock;
    pthread_cond_t changed;          /* a call has ended or been freed; gRPC has shut down */
    pthread_cond_t work;             /* for workers */
    call_list_t small, large;        /* messages that wait for a worker */
    call_list_t held_back, arriving; /* calls whose message is to arrive, the oldest first */
    call_list_t watches;
    pthread_t *workers;
    uint32_t n_workers, n_calls, n_side, n_objects, n_arriving;
    uint64_t waiting_bytes, next_id;
    bool has_small_worker; /* one that leaves large messages to others */
    bool is_draining, is_stopping, has_shut_down, is_closing, is_serving;
};

void call_list_add(call_list_t *list, rpc_call_t *call);
void call_list_remove(call_list_t *list, rpc_call_t *call);
bool call_list_has(const call_list_t *list, const rpc_call_t *call);

/** A call that gRPC has handed us; NULL without memory (it is then cancelled). on_left may be NULL;
 *  it is called at most once, and not after call_end(). */
rpc_call_t *call_take(rpc_server_t *server, const call_slot_t *slot, call_sort sort,
                      void (*on_left)(rpc_call_t *call));

/** Drops one use. */
void call_drop(rpc_call_t *call);

/** Asks for the next message; one at a time. */
void call_receive(rpc_call_t *call, void (*on_received)(rpc_call_t *call));

/** Sends a message of a stream; one at a time. Takes the buffer. Under the server's lock. */
void call_send_locked(rpc_call_t *call, grpc_byte_buffer *message,
                      void (*on_sent)(rpc_call_t *call, bool ok));

/** Ends a call: with a message, which it takes, or with NULL and a status. False, and nothing is
 *  done, when it has been ended before. Drops the use of whoever has to end it. */
bool call_end(rpc_call_t *call, grpc_byte_buffer *message, grpc_status_code code, const char *text);

grpc_byte_buffer *call_buffer(const uint8_t *bytes, size_t length);

/* ---- dispatch.c ------------------------------------------------------------------------------ */

/** Makes the slots ready, before the polling thread begins. */
void dispatch_begin(rpc_server_t *server);

/** Asks gRPC for the next call. */
void dispatch_ask(call_slot_t *slot);

/* ---- arrival.c ------------------------------------------------------------------------------- */

/** Has a method's message arrive, when there is room for it; on_arrived as in call_receive(). */
void arrival_begin(rpc_call_t *call, void (*on_arrived)(rpc_call_t *call));

/** A message has arrived, or will not. For calls of any sort. */
void arrival_done(rpc_call_t *call);

/** Lets in those for which there is room now. */
void arrival_admit(rpc_server_t *server);

/** Of a call whose caller has left: whether its message was still held back. It is no longer then,
 *  and the call is to be ended. */
bool arrival_is_held_back(rpc_call_t *call);

/** Ends the calls whose message takes too long. */
void arrival_look_at_clock(rpc_server_t *server);

/* ---- workers.c ------------------------------------------------------------------------------- */

cuzk_status workers_start(rpc_server_t *server, cuzk_error *err);
void workers_stop(rpc_server_t *server);

/** Hands a call whose message has arrived to the workers. */
void workers_give(rpc_call_t *call);

/* ---- health.c -------------------------------------------------------------------------------- */

/** Takes a call of the service grpc.health.v1.Health; false: it has no such method. */
bool health_take(call_slot_t *slot, const char *method);

/** Tells those who watch. */
void health_tell(rpc_server_t *server);

#endif
