/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "rpc/server.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <grpc/grpc_posix.h>
#include <grpc/grpc_security.h>

#include "base/memory.h"
#include "rpc/call.h"
#include "rpc/credentials.h"
#include "rpc/reflection.h"

enum {
    DEFAULT_OPENING_MS = 20000,
    DEFAULT_ARRIVAL_MS = 300000,
    DEFAULT_ARRIVING_MESSAGES = 16,
    SPARE_STREAMS = 32,        /* of a connection, so that calls over the limits are told so */
    METADATA_BYTES = 16 << 10, /* of one call */
    IDLE_MS = 15 * 60 * 1000,  /* a connection without calls is closed; clients connect anew */
    KEEPALIVE_MS = 60 * 1000,  /* a peer that is silent for so long is asked whether it lives */
    KEEPALIVE_WAIT_MS = 20 * 1000,
    PING_MS = 100,       /* pings that come oftener are a flood */
    DESCRIPTOR_SHARE = 2 /* connections take at most one of so many descriptors */
};

/* ---- the polling thread -----------------------------------------------------------------------
 */

static void *poll_queue(void *arg)
{
    rpc_server_t *server = arg;

    for (;;) {
        const gpr_timespec until =
            gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC), gpr_time_from_millis(1000, GPR_TIMESPAN));
        const grpc_event event = grpc_completion_queue_next(server->queue, until, NULL);

        if (event.type == GRPC_QUEUE_SHUTDOWN) return NULL;
        if (event.type == GRPC_OP_COMPLETE) {
            core_tag_t *tag = event.tag;

            tag->done(tag, event.success != 0);
        }
        arrival_look_at_clock(server);
    }
}

static void shut_down_done(core_tag_t *tag, bool ok)
{
    rpc_server_t *server =
        (rpc_server_t *)(void *)((char *)tag - offsetof(rpc_server_t, shut_down));

    (void)ok;
    (void)pthread_mutex_lock(&server->lock);
    server->has_shut_down = true;
    (void)pthread_cond_broadcast(&server->changed);
    (void)pthread_mutex_unlock(&server->lock);
}

/* ---- opening ----------------------------------------------------------------------------------
 */

static int as_int(size_t n)
{
    return n < INT_MAX ? (int)n : INT_MAX;
}

static cuzk_status check_options(const rpc_server_options_t *o, cuzk_error *err)
{
    if (o->max_message_bytes == 0 || o->max_message_bytes > INT_MAX)
        return error_set(err, CUZK_ERR_ARG, "max_message_bytes: %zu, from 1 to %d allowed",
                         o->max_message_bytes, INT_MAX);
    if (o->max_connections == 0 || o->max_calls == 0 || o->n_workers == 0)
        return error_set(err, CUZK_ERR_ARG,
                         "max_connections %u, max_calls %u, n_workers %u: each is 1 at least",
                         o->max_connections, o->max_calls, o->n_workers);
    if (o->tls_client_ca != NULL && o->tls_certificate == NULL)
        return error_set(err, CUZK_ERR_ARG, "tls_client_ca: is given without tls_certificate");
    return CUZK_OK;
}

/* So that files can still be opened when all connections are. */
static uint32_t connections_within_descriptors(uint32_t wanted, bool has_tls)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
    const rlim_t most = limit.rlim_cur / DESCRIPTOR_SHARE / front_descriptors(has_tls);
    if (wanted <= most) return wanted;
    return most > 0 ? (uint32_t)most : 1;
}

static cuzk_status copy_options(rpc_server_t *server, const rpc_server_options_t *options,
                                cuzk_error *err)
{
    rpc_server_options_t *o = &server->options;
    const size_t size = strlen(options->service) + 3;

    *o = *options;
    if (o->opening_ms == 0) o->opening_ms = DEFAULT_OPENING_MS;
    if (o->arrival_ms == 0) o->arrival_ms = DEFAULT_ARRIVAL_MS;
    if (o->max_arriving_bytes == 0)
        o->max_arriving_bytes = o->max_message_bytes * DEFAULT_ARRIVING_MESSAGES;
    o->max_connections =
        connections_within_descriptors(o->max_connections, o->tls_certificate != NULL);
    server->path = mem_alloc(size, 1, "server", err);
    if (server->path == NULL) return err->status;
    (void)snprintf(server->path, size, "/%s/", options->service);
    o->service = server->service = mem_copy_text(options->service, "server", err);
    if (server->service == NULL) return err->status;
    if (o->token_file != NULL &&
        token_read(&server->token, o->token_file, "token_file", err) != CUZK_OK)
        return err->status;
    return reflection_open(&server->reflection, o->descriptor, o->descriptor_length, err);
}

static void make_core(rpc_server_t *server)
{
    const rpc_server_options_t *o = &server->options;
    grpc_arg args[16];
    size_t n = 0;

    server->quota = grpc_resource_quota_create("cuzk");
    grpc_resource_quota_resize(server->quota, 2 * o->max_arriving_bytes);
    args[n++] = (grpc_arg){.type = GRPC_ARG_POINTER,
                           .key = (char *)GRPC_ARG_RESOURCE_QUOTA,
                           .value.pointer = {server->quota, grpc_resource_quota_arg_vtable()}};
    args[n++] = core_arg_integer(GRPC_ARG_MAX_RECEIVE_MESSAGE_LENGTH, as_int(o->max_message_bytes));
    args[n++] = core_arg_integer(GRPC_ARG_MAX_SEND_MESSAGE_LENGTH, -1);
    args[n++] = core_arg_integer(GRPC_ARG_MAX_CONCURRENT_STREAMS,
                                 as_int((size_t)o->max_calls + MAX_SIDE_CALLS + SPARE_STREAMS));
    args[n++] = core_arg_integer(GRPC_ARG_MAX_METADATA_SIZE, METADATA_BYTES);
    args[n++] = core_arg_integer(GRPC_ARG_MAX_CONNECTION_IDLE_MS, IDLE_MS);
    args[n++] = core_arg_integer(GRPC_ARG_KEEPALIVE_TIME_MS, KEEPALIVE_MS);
    args[n++] = core_arg_integer(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, KEEPALIVE_WAIT_MS);
    args[n++] = core_arg_integer(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
    args[n++] = core_arg_integer(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, PING_MS);
    args[n++] = core_arg_integer(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, as_int(o->opening_ms));
    args[n++] = core_arg_integer(GRPC_ARG_ALLOW_REUSEPORT, 0);
    const grpc_channel_args all = {n, args};
    server->queue = grpc_completion_queue_create_for_next(NULL);
    server->grpc = grpc_server_create(&all, NULL);
    grpc_server_register_completion_queue(server->grpc, server->queue, NULL);
}

/* With TLS gRPC listens itself, where only the front connects: at a socket in a folder of ours. */
static cuzk_status listen_inside(rpc_server_t *server, cuzk_error *err)
{
    const rpc_server_options_t *o = &server->options;
    char folder[] = "/tmp/cuzk-rpc-XXXXXX";
    char address[sizeof server->inner_path + 8];
    pem_t pem;

    if (pem_read(&pem, o->tls_certificate, o->tls_key, o->tls_client_ca, "tls_client_ca", err) !=
        CUZK_OK)
        return err->status;
    grpc_ssl_pem_key_cert_pair pair = {pem.key, pem.certificate};
    server->credentials = grpc_ssl_server_credentials_create_ex(
        pem.authorities, &pair, 1,
        pem.authorities == NULL ? GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE
                                : GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY,
        NULL);
    pem_clear(&pem);
    if (mkdtemp(folder) == NULL)
        return error_set(err, CUZK_ERR_IO, "a folder in /tmp for a socket: can't be made");
    (void)snprintf(server->inner_path, sizeof server->inner_path, "%s/tls", folder);
    (void)snprintf(address, sizeof address, "unix:%s", server->inner_path);
    if (grpc_server_add_http2_port(server->grpc, address, server->credentials) == 0)
        return error_set(err, CUZK_ERR_FORMAT, "tls_certificate %s: gRPC does not take it",
                         o->tls_certificate);
    return CUZK_OK;
}

static void take_connection(void *arg, int fd)
{
    rpc_server_t *server = arg;

    grpc_server_add_channel_from_fd(server->grpc, fd, server->credentials);
}

static cuzk_status start(rpc_server_t *server, listener_t *listener, cuzk_error *err)
{
    const bool has_tls = server->options.tls_certificate != NULL;

    make_core(server);
    if (has_tls) {
        if (listen_inside(server, err) != CUZK_OK) return err->status;
    } else {
        server->credentials = grpc_insecure_server_credentials_create();
    }
    grpc_server_start(server->grpc);
    dispatch_begin(server);
    const int code = pthread_create(&server->poller, NULL, poll_queue, server);
    if (code != 0) return error_set(err, CUZK_ERR_IO, "the server's thread: %s", strerror(code));
    server->has_poller = true;
    if (workers_start(server, err) != CUZK_OK) return err->status;
    for (size_t i = 0; i < SLOTS; i++) dispatch_ask(&server->slots[i]);
    const front_options_t front = {.listener = listener,
                                   .max_connections = server->options.max_connections,
                                   .opening_ms = server->options.opening_ms,
                                   .take = take_connection,
                                   .arg = server,
                                   .inner_path = has_tls ? server->inner_path : NULL};
    return front_open(&server->front, &front, err);
}

static cuzk_status listen_at(listener_t *listener, const rpc_server_options_t *o, cuzk_error *err)
{
    const listener_options_t options = {.socket_mode = o->socket_mode,
                                        .socket_owner = o->socket_owner,
                                        .is_guarded =
                                            o->tls_certificate != NULL &&
                                            (o->token_file != NULL || o->tls_client_ca != NULL)};
    address_t address;

    if (address_parse(&address, o->address, err) != CUZK_OK) return err->status;
    if (address.scheme != ADDRESS_PLAIN)
        return error_set(err, CUZK_ERR_ARG, "address %s: write HOST:PORT or unix:///PATH",
                         o->address);
    return listener_open(listener, &address, &options, err);
}

cuzk_status rpc_server_open(rpc_server_t **server, const rpc_server_options_t *options,
                            cuzk_error *err)
{
    listener_t listener = {.n = 0};
    pthread_condattr_t monotonic;

    *server = NULL;
    if (check_options(options, err) != CUZK_OK) return err->status;
    rpc_server_t *s = mem_alloc(1, sizeof *s, "server", err);
    if (s == NULL) return err->status;
    (void)pthread_mutex_init(&s->lock, NULL);
    (void)pthread_condattr_init(&monotonic);
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&s->changed, &monotonic);
    (void)pthread_condattr_destroy(&monotonic);
    (void)pthread_cond_init(&s->work, NULL);
    s->is_serving = true;
    s->shut_down.done = shut_down_done;
    core_start();
    cuzk_status status = copy_options(s, options, err);
    if (status == CUZK_OK) status = listen_at(&listener, options, err);
    if (status == CUZK_OK) {
        (void)strcpy(s->address, listener.text);
        status = start(s, &listener, err);
        listener_close(&listener);
    }
    if (status != CUZK_OK) {
        rpc_server_close(s, 0);
        return status;
    }
    *server = s;
    return CUZK_OK;
}

/* ---- closing ----------------------------------------------------------------------------------
 */

static void wait_for_calls(rpc_server_t *server, uint64_t grace_ms)
{
    struct timespec until;

    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)(grace_ms / 1000);
    until.tv_nsec += (long)(grace_ms % 1000) * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    (void)pthread_mutex_lock(&server->lock);
    while (server->n_calls > 0)
        if (pthread_cond_timedwait(&server->changed, &server->lock, &until) != 0) break;
    (void)pthread_mutex_unlock(&server->lock);
}

static void wait_for_objects(rpc_server_t *server)
{
    (void)pthread_mutex_lock(&server->lock);
    while (server->n_objects > 0 || !server->has_shut_down)
        (void)pthread_cond_wait(&server->changed, &server->lock);
    (void)pthread_mutex_unlock(&server->lock);
}

/* In the order gRPC wants: no new calls, the old ones cancelled, all tags back, then the queue. */
static void stop_core(rpc_server_t *server, uint64_t grace_ms)
{
    (void)pthread_mutex_lock(&server->lock);
    server->is_stopping = true;
    (void)pthread_mutex_unlock(&server->lock);
    grpc_server_shutdown_and_notify(server->grpc, server->queue, &server->shut_down);
    wait_for_calls(server, grace_ms);
    grpc_server_cancel_all_calls(server->grpc);
    wait_for_objects(server);
}

void rpc_server_close(rpc_server_t *server, uint64_t grace_ms)
{
    if (server == NULL) return;
    rpc_server_drain(server);
    if (server->front != NULL) front_stop_accepting(server->front);
    if (server->has_poller) stop_core(server, grace_ms);
    workers_stop(server);
    if (server->queue != NULL) {
        grpc_completion_queue_shutdown(server->queue);
        if (server->has_poller) (void)pthread_join(server->poller, NULL);
        grpc_server_destroy(server->grpc);
        grpc_completion_queue_destroy(server->queue);
        grpc_resource_quota_unref(server->quota);
    }
    if (server->credentials != NULL) grpc_server_credentials_release(server->credentials);
    front_close(server->front);
    if (*server->inner_path != '\0') {
        (void)unlink(server->inner_path);
        *strrchr(server->inner_path, '/') = '\0';
        (void)rmdir(server->inner_path);
    }
    reflection_close(server->reflection);
    token_free(server->token);
    free(server->path);
    free(server->service);
    (void)pthread_cond_destroy(&server->work);
    (void)pthread_cond_destroy(&server->changed);
    (void)pthread_mutex_destroy(&server->lock);
    free(server);
}

/* ---- while it runs ----------------------------------------------------------------------------
 */

const char *rpc_server_address(const rpc_server_t *server)
{
    return server->address;
}

void rpc_server_set_serving(rpc_server_t *server, bool is_serving)
{
    (void)pthread_mutex_lock(&server->lock);
    server->is_serving = is_serving;
    (void)pthread_mutex_unlock(&server->lock);
    health_tell(server);
}

void rpc_server_drain(rpc_server_t *server)
{
    (void)pthread_mutex_lock(&server->lock);
    server->is_draining = true;
    (void)pthread_mutex_unlock(&server->lock);
    health_tell(server);
}

rpc_server_stats_t rpc_server_stats(rpc_server_t *server)
{
    rpc_server_stats_t stats = {.connections = front_connections(server->front)};

    (void)pthread_mutex_lock(&server->lock);
    stats.calls = server->n_calls;
    stats.message_bytes = server->waiting_bytes;
    (void)pthread_mutex_unlock(&server->lock);
    return stats;
}
