/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CLI_REMOTE_WATCH_H
#define CUZK_CLI_REMOTE_WATCH_H

/* A line on a terminal that says what a daemon does, while calls wait for it. */

#include <pthread.h>
#include <stdatomic.h>

#include "cli/progress.h"
#include "cli/remote.h"

/** Not moved while it is in use. */
typedef struct {
    rpc_client_t *client;
    pthread_t thread;
    bool is_on;
    cancel_t end;
    progress_t line;
    uint64_t since_ns;
    atomic_uint done, total; /* jobs of this program; total 0: not said */
} remote_watch_t;

/** Begins, on a terminal alone and when it is wanted: a thread asks the daemon twice a second. */
void remote_watch_begin(remote_watch_t *watch, rpc_client_t *client, bool wanted);

/** Erases the line for good. */
void remote_watch_end(remote_watch_t *watch);

#endif
