/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_RPC_FRONT_H
#define CUZK_RPC_FRONT_H

/* The side of a server that meets connections: one thread accepts them, up to a bound, and hands on
 * those that begin as they should. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "rpc/listener.h"

typedef struct front front_t;

typedef struct {
    listener_t *listener;     /* becomes the front's */
    uint32_t max_connections; /* one more is closed at once */
    uint32_t opening_ms;      /* within which a connection has to send its first bytes */

    /** Without TLS. A connection that began with HTTP/2's preface, which is still to be read. fd
     *  becomes take's. On the front's thread. */
    void (*take)(void *arg, int fd);
    void *arg;

    /** With TLS: the Unix socket that bytes are carried to and from; NULL without. */
    const char *inner_path;
} front_options_t;

/** The descriptors that one connection takes, both sides together. */
uint32_t front_descriptors(bool has_tls);

/** Begins to accept. The listener is closed also when it fails: CUZK_ERR_IO, CUZK_ERR_MEMORY. */
cuzk_status front_open(front_t **front, const front_options_t *options, cuzk_error *err);

/** Accepts no more; connections go on. Returns when take() will not be called again. */
void front_stop_accepting(front_t *front);

/** Connections that are open, also those that have sent nothing. */
uint32_t front_connections(front_t *front);

/** Ends the thread, and what is left of the connections. NULL is allowed. */
void front_close(front_t *front);

#endif
