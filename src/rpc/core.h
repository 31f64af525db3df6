/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_RPC_CORE_H
#define CUZK_RPC_CORE_H

/* The gRPC library as servers and clients of this process share it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <grpc/grpc.h>

#include "base/error.h"

/** Starts the library when it does not run; it then runs until the process ends, since to shut it
 *  down can wait ten seconds for a poller of its own. It keeps its own lines off standard error
 *  unless GRPC_VERBOSITY is in the environment, and asks the system for addresses of hosts unless
 *  GRPC_DNS_RESOLVER is. A process does not fork afterwards. From any thread. */
void core_start(void);

/** A channel argument. text is borrowed. */
grpc_arg core_arg_integer(const char *key, int value);
grpc_arg core_arg_text(const char *key, const char *text);

/** What a completion queue gives back: done is called with whether the operation went well. */
typedef struct core_tag {
    void (*done)(struct core_tag *tag, bool ok);
} core_tag_t;

/** *bytes = the message, from malloc(), with one zero byte after its end; the buffer is destroyed.
 *  CUZK_ERR_MEMORY; CUZK_ERR_FORMAT: compressed in a way that does not expand to max bytes. */
cuzk_status core_take_bytes(uint8_t **bytes, size_t *length, grpc_byte_buffer *buffer, size_t max,
                            cuzk_error *err);

#endif
