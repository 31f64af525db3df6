/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_CLIENT_OPTIONS_H
#define CUZK_BENCH_CLIENT_OPTIONS_H

/* What the commands share that speak to a daemon. Of two rows with one field the second is the
 * short name of the first. */

#include "cli/remote.h"

#define DAEMON_DEFAULT_ADDRESS "http://127.0.0.1:9820"

typedef struct {
    remote_options_t remote;
    const char *log_level;
} client_options_t;

#define DAEMON_ROWS(type, field)                                                                   \
    {"--addr",                                                                                     \
     "ADDRESS",                                                                                    \
     "unix:///PATH, HOST:PORT, http(s)://HOST:PORT (default " DAEMON_DEFAULT_ADDRESS ")",          \
     offsetof(type, field.remote.address),                                                         \
     0,                                                                                            \
     0,                                                                                            \
     OPTION_TEXT},                                                                                 \
        {"-a", "ADDRESS", "likewise", offsetof(type, field.remote.address), 0, 0, OPTION_TEXT},    \
        REMOTE_ROWS("--", type, field.remote),                                                     \
    {                                                                                              \
        "--log-level", "error|warn|info|debug|trace",                                              \
            "info: progress on a terminal; debug: a line for each call (default info)",            \
            offsetof(type, field.log_level), 0, 0, OPTION_WORD                                     \
    }

/** As remote_open(), with the default address. */
cuzk_status client_options_open(rpc_client_t **client, const client_options_t *o, cuzk_error *err);

/** Whether progress is wanted, and a line for each call. */
bool client_options_progress(const client_options_t *o);
bool client_options_calls(const client_options_t *o);

#endif
