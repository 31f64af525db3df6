/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_DAEMON_SERVICE_H
#define CUZK_DAEMON_SERVICE_H

/* The methods of cuzk.v1.ProvingEngine: messages in, the queue and the engine asked, messages out.
 *
 * Codes: INVALID_ARGUMENT names the field; NOT_FOUND: no such job, or parameters that are not
 * there; RESOURCE_EXHAUSTED: it can never fit, or not now; FAILED_PRECONDITION: parameters in use;
 * UNAVAILABLE: the daemon stops; INTERNAL: our fault, or the machine's. */

#include "daemon/queue.h"
#include "rpc/server.h"

typedef struct service service_t;

typedef struct {
    cuzk_engine *engine;
    queue_t *queue;
    /** As http_options_t.take: for GetMetrics. */
    cuzk_status (*take)(void *arg, snapshot_t *snapshot, cuzk_error *err);
    void *arg;
} service_options_t;

/** CUZK_ERR_MEMORY. */
cuzk_status service_open(service_t **service, const service_options_t *options, cuzk_error *err);

/** NULL is allowed. No call is under way. */
void service_close(service_t *service);

/** For rpc_server_options_t: the methods, whose arg is the service, and its name. */
extern const char service_name[];
extern const rpc_method_t service_methods[];
extern const size_t service_n_methods;

/** For rpc_server_options_t.left; arg is the service. */
void service_left(void *arg, uint64_t call_id);

#endif
