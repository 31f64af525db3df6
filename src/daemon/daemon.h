/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_DAEMON_DAEMON_H
#define CUZK_DAEMON_DAEMON_H

/* A proving daemon: store, engine, queue, gRPC service and HTTP, opened in that order and closed in
 * the opposite one. For the thread that runs it. */

#include "daemon/config.h"

typedef struct daemon daemon_t;

/** Opens all parts; what was accepted before goes on. budget: bytes for the engine. Errors name the
 *  part's key or file. */
cuzk_status daemon_open(daemon_t **daemon, const config_t *config, uint64_t budget,
                        cuzk_error *err);

/** Whether its parts answer; for a watchdog. Takes no longer than a moment, or does not return. */
bool daemon_is_alive(daemon_t *daemon);

/** The gRPC address, and one line about the whole: "2 jobs running, 3 waiting". */
const char *daemon_address(const daemon_t *daemon);
void daemon_describe(char *text, size_t size, daemon_t *daemon);

/** Accepts nothing more: new calls get UNAVAILABLE, waiting jobs stay in the store. */
void daemon_drain(daemon_t *daemon);

/** Whether the engine has jobs. */
bool daemon_is_busy(daemon_t *daemon);

/** Hands back what has not ended, and releases all. NULL is allowed. */
void daemon_close(daemon_t *daemon);

#endif
