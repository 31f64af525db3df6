/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_RPC_SERVER_H
#define CUZK_RPC_SERVER_H

/* A gRPC server: unary methods of one service, the standard health service, server reflection, and
 * UNIMPLEMENTED for anything else. Messages are bytes here; what they mean is the methods'
 * business. One thread polls the completion queue, workers run the methods. A process that has
 * opened a server or a client does not fork afterwards. */

#include <grpc/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct rpc_server rpc_server_t;

/** A call under way, from its method's start until rpc_call_reply() or rpc_call_fail(). */
typedef struct rpc_call rpc_call_t;

/** A unary method. */
typedef struct {
    const char *name; /* "Prove" */
    /** On a worker. request[0 .. length-1] is malloc()ed and the method's to free. The call is
     *  ended exactly once, by the method or later by whoever has it then. */
    void (*serve)(void *arg, rpc_call_t *call, uint8_t *request, size_t length);
} rpc_method_t;

typedef struct {
    const char *address; /* "unix:///run/curio/cuzk.sock", "host:port", "[::1]:port"; port 0: any */
    const char *service; /* "cuzk.v1.ProvingEngine" */
    const rpc_method_t *methods;
    size_t n_methods;
    void *arg; /* of the methods and of left() */

    /** The caller of a call has gone, or its deadline has passed: called at most once a call, by
     *  the polling thread, and perhaps while the call is being ended by another thread. The call is
     *  still to be ended. */
    void (*left)(void *arg, uint64_t call_id);

    const uint8_t *descriptor; /* a FileDescriptorSet, for reflection */
    size_t descriptor_length;

    size_t max_message_bytes;
    uint32_t max_connections; /* one more is closed at once */
    uint32_t max_calls;       /* under way at once; one more gets RESOURCE_EXHAUSTED */
    uint32_t n_workers;       /* at least 1; of several, one takes messages up to 1 MiB alone */
    uint32_t opening_ms;      /* within which a connection has to begin; 0: 20 s */
    uint32_t arrival_ms;      /* within which a message has to arrive; 0: 300 s */
    /* Of messages that have not reached their methods. So many of the largest size are let in at
     * once, and others wait at their senders; one that takes more than two seconds counts no more.
     * At twice the bound all the same, gRPC ends calls with RESOURCE_EXHAUSTED. 0: 16 times
     * max_message_bytes. */
    size_t max_arriving_bytes;

    uint32_t socket_mode;                  /* of a Unix socket, such as 0660 */
    const char *socket_owner;              /* "user", "user:group", ":group"; NULL: who runs it */
    const char *tls_certificate, *tls_key; /* PEM files, both or neither */
    const char *tls_client_ca; /* PEM file: clients must show a certificate of it; may be NULL */
    const char *token_file;    /* its first line must come as "authorization: Bearer TOKEN"; may be
                                  NULL */
} rpc_server_options_t;

/** Binds and serves. A stale Unix socket is replaced; CUZK_ERR_BUSY when a live server answers on
 *  it, or has the port. CUZK_ERR_ARG: an address other than loopback without TLS and token, an
 *  unknown owner ...; CUZK_ERR_MISSING, CUZK_ERR_FORMAT: a file of TLS or the token; CUZK_ERR_IO.
 *  options is borrowed for the call; methods, arg and descriptor until rpc_server_close(). */
cuzk_status rpc_server_open(rpc_server_t **server, const rpc_server_options_t *options,
                            cuzk_error *err);

/** The address as clients write it, with the port that was bound. */
const char *rpc_server_address(const rpc_server_t *server);

/** Of the health service: SERVING or NOT_SERVING. */
void rpc_server_set_serving(rpc_server_t *server, bool is_serving);

/** From now on new calls get UNAVAILABLE; calls under way go on. */
void rpc_server_drain(rpc_server_t *server);

/** Drains, waits up to grace_ms for the calls under way, cancels the rest (left() is called), waits
 *  until all have been ended, removes the Unix socket, and releases all. NULL is allowed. */
void rpc_server_close(rpc_server_t *server, uint64_t grace_ms);

typedef struct {
    uint32_t connections, calls;
    uint64_t message_bytes; /* of requests that have arrived and whose method has not begun */
} rpc_server_stats_t;

rpc_server_stats_t rpc_server_stats(rpc_server_t *server);

/* ---- calls; from any thread ------------------------------------------------------------------ */

/** Never used twice in a server. */
uint64_t rpc_call_id(const rpc_call_t *call);

/** Whether left() has been called for it, or is about to be: for a method that takes note of a
 * call, to ask once it has done so. */
bool rpc_call_has_left(const rpc_call_t *call);

/** Milliseconds until the caller's deadline; UINT64_MAX: it set none. */
uint64_t rpc_call_time_left_ms(const rpc_call_t *call);

/** Ends a call with a message, which is copied. */
void rpc_call_reply(rpc_call_t *call, const uint8_t *message, size_t length);

/** Ends a call with a status other than OK; text is UTF-8 of one line. */
void rpc_call_fail(rpc_call_t *call, grpc_status_code code, const char *text);

#endif
