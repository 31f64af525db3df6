/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_RPC_LISTENER_UNIX_H
#define CUZK_RPC_LISTENER_UNIX_H

/* A part of listener.h: a socket in the file system. */

#include "rpc/listener.h"

/** Adds the socket to a listener that is closed with listener_close() in any case. */
cuzk_status listener_open_unix(listener_t *listener, const char *path,
                               const listener_options_t *options, cuzk_error *err);

#endif
