/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "daemon/daemon.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "daemon/descriptor.h"
#include "daemon/service.h"
#include "status/http.h"

enum { WORKERS = 8, HTTP_CONNECTIONS = 64, RETRIES = 1, STOP_MS = 2000, ENGINE_JOBS = 1 << 16 };

struct daemon {
    store_t *store;
    cuzk_engine *engine;
    queue_link_t link;
    queue_t *queue;
    service_t *service;
    rpc_server_t *server;
    http_t *http;
};

/* ---- the engine --------------------------------------------------------------------------------
 */

/* The engine knows its jobs by number: the log has the daemon's names. */
static void log_of_engine(void *arg, cuzk_log_level level, uint64_t number, const char *text)
{
    queue_t *queue = ((queue_link_t *)arg)->queue;
    char id[STORE_ID_BYTES], request_id[STORE_REQUEST_ID_BYTES];
    log_subject_t subject = {0};
    cuzk_kind kind;

    if (level == CUZK_LOG_ERROR) level = CUZK_LOG_DEBUG; /* the queue says how jobs end */
    if (level == CUZK_LOG_INFO) level = CUZK_LOG_DEBUG;
    if (!log_has(level)) return;
    if (number != 0 && queue != NULL && queue_name(queue, number, id, request_id, &kind))
        subject =
            (log_subject_t){.job = id, .request_id = request_id, .kind = snapshot_kind_label(kind)};
    log_line(level, &subject, "%s", text);
}

static uint32_t engine_threads(const config_t *config)
{
    return config->synthesis.threads != 0 ? config->synthesis.threads : config->gpus.gpu_threads;
}

/* Proving on the processor where its owner means a device to be used would be many times slower
 * without a word. */
static cuzk_status check_devices(const config_t *config, cuzk_error *err)
{
    if (config->gpus.n_devices == 0) return CUZK_OK;
    return error_set(err, CUZK_ERR_ARG,
                     "gpus.devices: there is no device %u, nor any other: proofs are computed on "
                     "the processor, and the list has to be empty",
                     config->gpus.devices[0]);
}

static cuzk_status open_engine(daemon_t *daemon, const config_t *config, uint64_t budget,
                               cuzk_error *err)
{
    const cuzk_engine_options options = {
        .struct_size = sizeof options,
        .params_folder = config->srs.param_cache,
        .params_source = config->srs.source,
        .threads = engine_threads(config),
        .max_jobs = ENGINE_JOBS, /* the queue has the limit; jobs from before may be more */
        .memory_budget = budget,
        .serial = !config->pipeline.enabled,
        .log = log_of_engine,
        .log_arg = &daemon->link,
        .finished = queue_engine_finished,
        .finished_arg = &daemon->link,
        .retries = RETRIES,
        .max_synthesis = config->pipeline.max_parallel_synthesis,
        .params_min_idle_ms = config->memory.eviction_min_idle_ms,
    };

    return cuzk_engine_open(&daemon->engine, &options, err);
}

/* ---- queue and store ---------------------------------------------------------------------------
 */

static cuzk_status open_store(daemon_t *daemon, const config_t *config, cuzk_error *err)
{
    return config->store.enabled
               ? store_sqlite_open(&daemon->store, config->store.folder, config->store.limit_bytes,
                                   err)
               : store_memory_open(&daemon->store, config->store.limit_bytes, err);
}

static cuzk_status open_queue(daemon_t *daemon, const config_t *config, cuzk_error *err)
{
    const disconnect_rule rule = config->scheduler.on_disconnect;
    const queue_options_t options = {
        .engine = daemon->engine,
        .store = daemon->store,
        .is_durable = config->store.enabled,
        .max_jobs = config->scheduler.max_queue,
        .lookahead = config->pipeline.enabled ? config->pipeline.synthesis_lookahead : 0,
        .max_batch_size = config->scheduler.max_batch_size,
        .max_batch_wait_ms = config->scheduler.max_batch_wait_ms,
        .sort_by_type = config->scheduler.sort_by_type,
        .job_timeout_ms = config->scheduler.job_timeout_ms,
        .keep_ms = config->store.keep_ms,
        .cancels_posts = rule != DISCONNECT_FINISH,
        .cancels_begun = rule == DISCONNECT_CANCEL,
        .drops_waiting = rule != DISCONNECT_FINISH,
    };

    return queue_open(&daemon->queue, &options, &daemon->link, err);
}

/* ---- what is seen ------------------------------------------------------------------------------
 */

static cuzk_status take_snapshot(void *arg, snapshot_t *snapshot, cuzk_error *err)
{
    daemon_t *daemon = arg;

    const cuzk_status st = queue_snapshot(snapshot, daemon->queue, err);
    if (st != CUZK_OK) return st;
    const rpc_server_stats_t stats = rpc_server_stats(daemon->server);
    (void)snprintf(snapshot->address, sizeof snapshot->address, "%s",
                   rpc_server_address(daemon->server));
    snapshot->connections = stats.connections;
    snapshot->calls = stats.calls;
    snapshot->store_bytes = daemon->store->ops->bytes(daemon->store);
    return CUZK_OK;
}

static const char *given(const char *text)
{
    return *text != '\0' ? text : NULL;
}

static cuzk_status open_server(daemon_t *daemon, const config_t *config, cuzk_error *err)
{
    const rpc_server_options_t options = {
        .address = config->daemon.listen,
        .service = service_name,
        .methods = service_methods,
        .n_methods = service_n_methods,
        .arg = daemon->service,
        .left = service_left,
        .descriptor = descriptor_begin,
        .descriptor_length = (size_t)(descriptor_end - descriptor_begin),
        .max_message_bytes = config->daemon.max_message_bytes,
        .max_connections = config->daemon.max_connections,
        .max_calls = config->daemon.max_calls,
        .n_workers = WORKERS,
        .socket_mode = config->daemon.socket_mode,
        .socket_owner = given(config->daemon.socket_owner),
        .tls_certificate = given(config->daemon.tls_certificate),
        .tls_key = given(config->daemon.tls_key),
        .tls_client_ca = given(config->daemon.tls_client_ca),
        .token_file = given(config->daemon.token_file),
    };

    const cuzk_status st = rpc_server_open(&daemon->server, &options, err);
    return st == CUZK_OK ? st : error_within(err, "daemon.listen");
}

static cuzk_status open_http(daemon_t *daemon, const config_t *config, cuzk_error *err)
{
    const http_options_t options = {.address = config->daemon.status_listen,
                                    .take = take_snapshot,
                                    .arg = daemon,
                                    .max_connections = HTTP_CONNECTIONS};

    if (*options.address == '\0') return CUZK_OK;
    if (http_open(&daemon->http, &options, err) != CUZK_OK) return err->status;
    const char *port = strrchr(options.address, ':');
    log_line(CUZK_LOG_INFO, NULL, "status page on http://%.*s:%u", (int)(port - options.address),
             options.address, http_port(daemon->http));
    return CUZK_OK;
}

/* ---- the whole ---------------------------------------------------------------------------------
 */

static cuzk_status open_parts(daemon_t *daemon, const config_t *config, uint64_t budget,
                              cuzk_error *err)
{
    cuzk_status st = check_devices(config, err);
    if (st == CUZK_OK) st = open_store(daemon, config, err);
    if (st == CUZK_OK) st = open_engine(daemon, config, budget, err);
    if (st == CUZK_OK) st = open_queue(daemon, config, err);
    if (st != CUZK_OK) return st;
    const service_options_t service = {
        .engine = daemon->engine, .queue = daemon->queue, .take = take_snapshot, .arg = daemon};
    st = service_open(&daemon->service, &service, err);
    if (st == CUZK_OK) st = open_server(daemon, config, err);
    if (st == CUZK_OK) st = open_http(daemon, config, err);
    if (st == CUZK_OK) rpc_server_set_serving(daemon->server, true);
    return st;
}

cuzk_status daemon_open(daemon_t **out, const config_t *config, uint64_t budget, cuzk_error *err)
{
    daemon_t *daemon = mem_alloc(1, sizeof *daemon, "daemon", err);

    *out = NULL;
    if (daemon == NULL) return err->status;
    const cuzk_status st = open_parts(daemon, config, budget, err);
    if (st != CUZK_OK) {
        daemon_close(daemon);
        return st;
    }
    *out = daemon;
    return CUZK_OK;
}

bool daemon_is_alive(daemon_t *daemon)
{
    cuzk_stats stats = {.struct_size = sizeof stats};

    (void)queue_counts(daemon->queue);
    return cuzk_engine_stats(daemon->engine, &stats, NULL) == CUZK_OK;
}

const char *daemon_address(const daemon_t *daemon)
{
    return rpc_server_address(daemon->server);
}

void daemon_describe(char *text, size_t size, daemon_t *daemon)
{
    const queue_counts_t counts = queue_counts(daemon->queue);
    uint32_t pending = 0, in_progress = 0;

    for (int i = 0; i < SNAPSHOT_KINDS; i++) {
        pending += counts.pending[i];
        in_progress += counts.in_progress[i];
    }
    (void)snprintf(text, size, "%u jobs running, %u waiting, %llu proved, %llu failed", in_progress,
                   pending, (unsigned long long)counts.completed,
                   (unsigned long long)counts.failed);
}

void daemon_drain(daemon_t *daemon)
{
    rpc_server_set_serving(daemon->server, false);
    queue_drain(daemon->queue);
    rpc_server_drain(daemon->server);
}

bool daemon_is_busy(daemon_t *daemon)
{
    return queue_in_engine(daemon->queue) > 0;
}

void daemon_close(daemon_t *daemon)
{
    if (daemon == NULL) return;
    if (daemon->server != NULL) rpc_server_drain(daemon->server);
    http_close(daemon->http);
    if (daemon->queue != NULL) queue_stop(daemon->queue);
    rpc_server_close(daemon->server, STOP_MS);
    service_close(daemon->service);
    cuzk_engine_close(daemon->engine);
    if (daemon->queue != NULL) queue_free(daemon->queue);
    if (daemon->store != NULL) daemon->store->ops->close(daemon->store);
    free(daemon);
}
