/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_RPC_LISTENER_H
#define CUZK_RPC_LISTENER_H

/* Listening sockets. They are ours and not gRPC's, so that connections can be counted, and owner
 * and mode of a Unix socket are set before anybody can connect. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "rpc/address.h"

enum { LISTENER_MAX_SOCKETS = 8 };

typedef struct {
    int fds[LISTENER_MAX_SOCKETS]; /* non-blocking */
    size_t n;
    bool is_unix;
    char path[sizeof((struct sockaddr_un *)0)->sun_path]; /* of a Unix socket */
    dev_t device;                                         /* of its file */
    ino_t inode;
    char text[300]; /* the address as clients write it */
} listener_t;

typedef struct {
    uint32_t socket_mode;
    const char *socket_owner; /* may be NULL */
    bool is_guarded;          /* TLS, and clients have to show who they are */
} listener_options_t;

/** A stale Unix socket is replaced. Of a name that stands for several addresses all are bound that
 *  this machine has. CUZK_ERR_BUSY: a live server has it; CUZK_ERR_ARG: without is_guarded an
 *  address that other machines reach, an unknown owner, a file in the way; CUZK_ERR_MISSING: the
 *  folder; CUZK_ERR_IO. */
cuzk_status listener_open(listener_t *listener, const address_t *address,
                          const listener_options_t *options, cuzk_error *err);

/** Closes the sockets; a Unix socket's file is removed while it is this listener's. */
void listener_close(listener_t *listener);

#endif
