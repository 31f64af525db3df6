/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_STATUS_HTTP_H
#define CUZK_STATUS_HTTP_H

/* The HTTP side, for people and monitors: GET and HEAD of /status (JSON), /metrics (Prometheus),
 * /healthz, and / (the status page). Anything else is 404, or 405 for other methods. */

#include "base/error.h"
#include "status/snapshot.h"

typedef struct http http_t;

typedef struct {
    const char *address; /* "127.0.0.1:9821", "localhost:9821", "[::1]:9821"; port 0: any */
    /** Fills in *snapshot, which is zeroed and http releases. CUZK_ERR_MEMORY. */
    cuzk_status (*take)(void *arg, snapshot_t *snapshot, cuzk_error *err);
    void *arg;
    /* 1 .. 1024. When all are open, the one that has finished no request for longest makes room. */
    uint32_t max_connections;
} http_options_t;

/** Serves on a thread of its own, which calls take() and waits for no client. CUZK_ERR_ARG: the
 *  address, the number of connections; CUZK_ERR_BUSY: the port is taken; CUZK_ERR_MEMORY;
 *  CUZK_ERR_IO. options is borrowed for the call, arg until http_close(). */
cuzk_status http_open(http_t **http, const http_options_t *options, cuzk_error *err);

/** The port that was bound. */
uint16_t http_port(const http_t *http);

/** NULL is allowed. */
void http_close(http_t *http);

/** Both: new zero-terminated text, released with free(); NULL without memory. */
char *http_status_json(const snapshot_t *snapshot);
char *http_metrics_text(const snapshot_t *snapshot);

#endif
