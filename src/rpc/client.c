/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "rpc/client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <grpc/byte_buffer.h>
#include <grpc/grpc_security.h>
#include <grpc/support/alloc.h>

#include "base/memory.h"
#include "rpc/address.h"
#include "rpc/core.h"
#include "rpc/credentials.h"
#include "rpc/message.h"

enum { MAX_MESSAGE_BYTES = 128 << 20, LOOK_MS = 50, RECONNECT_MS = 1000 };

static const char SYSTEM_AUTHORITIES[] = "/etc/ssl/certs/ca-certificates.crt";
static const char SERVICE[] = "cuzk.v1.ProvingEngine";

struct rpc_client {
    grpc_channel *channel;
    char *address;
    char *bearer; /* "Bearer TOKEN", or NULL */
};

/* ---- opening ----------------------------------------------------------------------------------
 */

static cuzk_status read_token(rpc_client_t *client, const char *path, cuzk_error *err)
{
    char *token;

    if (token_read(&token, path, "token_file", err) != CUZK_OK) return err->status;
    const size_t size = strlen(token) + sizeof "Bearer ";
    client->bearer = mem_alloc(size, 1, "token", err);
    if (client->bearer != NULL) (void)snprintf(client->bearer, size, "Bearer %s", token);
    token_free(token);
    return client->bearer == NULL ? err->status : CUZK_OK;
}

static bool is_local(const address_t *address)
{
    struct addrinfo *found;
    cuzk_error err;
    bool is_local = true;

    if (address->is_unix) return true;
    if (address_resolve(&found, address, false, &err) != CUZK_OK) return false;
    for (const struct addrinfo *a = found; a != NULL; a = a->ai_next)
        is_local = is_local && address_is_loopback(a->ai_addr);
    freeaddrinfo(found);
    return is_local;
}

static cuzk_status check_options(const rpc_client_options_t *options, const address_t *address,
                                 cuzk_error *err)
{
    const bool has_tls = address->scheme == ADDRESS_HTTPS;

    if (!has_tls && (options->tls_ca != NULL || options->tls_certificate != NULL))
        return error_set(err, CUZK_ERR_ARG, "address %s: certificates are for https://",
                         options->address);
    if (!has_tls && options->token_file != NULL && !is_local(address))
        return error_set(err, CUZK_ERR_ARG,
                         "address %s: a token does not go to another machine in clear text; write "
                         "https://",
                         options->address);
    return CUZK_OK;
}

static cuzk_status make_credentials(grpc_channel_credentials **credentials,
                                    const rpc_client_options_t *options, bool has_tls,
                                    cuzk_error *err)
{
    const char *authorities = options->tls_ca != NULL ? options->tls_ca : SYSTEM_AUTHORITIES;
    pem_t pem;

    if (!has_tls) {
        *credentials = grpc_insecure_credentials_create();
        return CUZK_OK;
    }
    if (pem_read(&pem, options->tls_certificate, options->tls_key, authorities, "tls_ca", err) !=
        CUZK_OK)
        return err->status;
    grpc_ssl_pem_key_cert_pair pair = {pem.key, pem.certificate};
    *credentials =
        grpc_ssl_credentials_create(pem.authorities, pem.key == NULL ? NULL : &pair, NULL, NULL);
    pem_clear(&pem);
    if (*credentials == NULL)
        return error_set(err, CUZK_ERR_FORMAT, "tls_ca %s: gRPC does not take it", authorities);
    return CUZK_OK;
}

static void make_channel(rpc_client_t *client, const address_t *address,
                         grpc_channel_credentials *credentials)
{
    grpc_arg args[] = {core_arg_integer(GRPC_ARG_MAX_RECEIVE_MESSAGE_LENGTH, MAX_MESSAGE_BYTES),
                       core_arg_integer(GRPC_ARG_MAX_SEND_MESSAGE_LENGTH, MAX_MESSAGE_BYTES),
                       core_arg_integer(GRPC_ARG_ENABLE_RETRIES, 0),
                       core_arg_integer(GRPC_ARG_ENABLE_HTTP_PROXY, 0),
                       core_arg_integer(GRPC_ARG_SERVICE_CONFIG_DISABLE_RESOLUTION, 1),
                       core_arg_integer(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1),
                       core_arg_integer(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, RECONNECT_MS),
                       core_arg_integer(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, RECONNECT_MS / 10),
                       core_arg_integer(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, RECONNECT_MS)};
    const grpc_channel_args all = {sizeof args / sizeof *args, args};
    char target[sizeof address->host + 32];
    const bool is_v6 = strchr(address->host, ':') != NULL;

    if (address->is_unix)
        (void)snprintf(target, sizeof target, "unix:%s", address->path);
    else
        (void)snprintf(target, sizeof target, "dns:///%s%s%s:%u", is_v6 ? "[" : "", address->host,
                       is_v6 ? "]" : "", address->port);
    client->channel = grpc_channel_create(target, credentials, &all);
}

cuzk_status rpc_client_open(rpc_client_t **client, const rpc_client_options_t *options,
                            cuzk_error *err)
{
    grpc_channel_credentials *credentials = NULL;
    address_t address;

    *client = NULL;
    if (address_parse(&address, options->address, err) != CUZK_OK) return err->status;
    if (check_options(options, &address, err) != CUZK_OK) return err->status;
    rpc_client_t *c = mem_alloc(1, sizeof *c, "client", err);
    if (c == NULL) return err->status;
    core_start();
    c->address = mem_copy_text(options->address, "client", err);
    cuzk_status status = c->address == NULL ? err->status : CUZK_OK;
    if (status == CUZK_OK && options->token_file != NULL)
        status = read_token(c, options->token_file, err);
    if (status == CUZK_OK)
        status = make_credentials(&credentials, options, address.scheme == ADDRESS_HTTPS, err);
    if (status != CUZK_OK) {
        rpc_client_close(c);
        return status;
    }
    make_channel(c, &address, credentials);
    grpc_channel_credentials_release(credentials);
    *client = c;
    return CUZK_OK;
}

void rpc_client_close(rpc_client_t *client)
{
    if (client == NULL) return;
    if (client->channel != NULL) grpc_channel_destroy(client->channel);
    token_free(client->bearer);
    free(client->address);
    free(client);
}

/* ---- a call -----------------------------------------------------------------------------------
 */

typedef struct {
    grpc_call *call;
    grpc_completion_queue *queue;
    grpc_metadata_array initial, trailing;
    grpc_byte_buffer *sent, *received;
    grpc_status_code code;
    grpc_slice details;
} exchange_t;

static void start(exchange_t *x, rpc_client_t *client)
{
    grpc_metadata bearer = {.key = grpc_slice_from_static_string("authorization")};
    grpc_op ops[6] = {
        {.op = GRPC_OP_SEND_INITIAL_METADATA},  {.op = GRPC_OP_SEND_MESSAGE},
        {.op = GRPC_OP_SEND_CLOSE_FROM_CLIENT}, {.op = GRPC_OP_RECV_INITIAL_METADATA},
        {.op = GRPC_OP_RECV_MESSAGE},           {.op = GRPC_OP_RECV_STATUS_ON_CLIENT}};

    if (client->bearer != NULL) {
        bearer.value = grpc_slice_from_copied_string(client->bearer);
        ops[0].data.send_initial_metadata.count = 1;
        ops[0].data.send_initial_metadata.metadata = &bearer;
    }
    ops[1].data.send_message.send_message = x->sent;
    ops[3].data.recv_initial_metadata.recv_initial_metadata = &x->initial;
    ops[4].data.recv_message.recv_message = &x->received;
    ops[5].data.recv_status_on_client.trailing_metadata = &x->trailing;
    ops[5].data.recv_status_on_client.status = &x->code;
    ops[5].data.recv_status_on_client.status_details = &x->details;
    (void)grpc_call_start_batch(x->call, ops, sizeof ops / sizeof *ops, x, NULL);
    if (client->bearer != NULL) grpc_slice_unref(bearer.value);
}

static gpr_timespec after_ms(uint64_t ms)
{
    return gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC),
                        gpr_time_from_millis((int64_t)ms, GPR_TIMESPAN));
}

static gpr_timespec deadline_of(uint64_t timeout_ms)
{
    if (timeout_ms == 0 || timeout_ms > INT64_MAX / 2) return gpr_inf_future(GPR_CLOCK_MONOTONIC);
    return after_ms(timeout_ms);
}

/* The batch ends when the call does, also by cancelling. */
static void wait_for_end(exchange_t *x, const cancel_t *cancel)
{
    bool is_cancelled = false;

    for (;;) {
        const bool looks = cancel != NULL && !is_cancelled;
        const gpr_timespec until = looks ? after_ms(LOOK_MS) : gpr_inf_future(GPR_CLOCK_MONOTONIC);
        const grpc_event event = grpc_completion_queue_pluck(x->queue, x, until, NULL);

        if (event.type == GRPC_OP_COMPLETE) return;
        if (looks && cancel_is_set(cancel)) {
            is_cancelled = true;
            (void)grpc_call_cancel(x->call, NULL);
        }
    }
}

static cuzk_status status_of(grpc_status_code code)
{
    switch (code) {
    case GRPC_STATUS_OK:
        return CUZK_OK;
    case GRPC_STATUS_INVALID_ARGUMENT:
    case GRPC_STATUS_NOT_FOUND:
    case GRPC_STATUS_ALREADY_EXISTS:
    case GRPC_STATUS_FAILED_PRECONDITION:
    case GRPC_STATUS_OUT_OF_RANGE:
    case GRPC_STATUS_UNIMPLEMENTED:
    case GRPC_STATUS_PERMISSION_DENIED:
    case GRPC_STATUS_UNAUTHENTICATED:
        return CUZK_ERR_ARG;
    case GRPC_STATUS_RESOURCE_EXHAUSTED:
        return CUZK_ERR_BUSY;
    case GRPC_STATUS_UNAVAILABLE:
        return CUZK_ERR_MISSING;
    case GRPC_STATUS_DEADLINE_EXCEEDED:
        return CUZK_ERR_DEADLINE;
    case GRPC_STATUS_CANCELLED:
        return CUZK_CANCELLED;
    default:
        return CUZK_ERR_IO;
    }
}

static cuzk_status explain(const exchange_t *x, const rpc_client_t *client, const char *method,
                           cuzk_error *err)
{
    char *details = grpc_slice_to_c_string(x->details);
    const char *text = details;
    const char *last = strstr(details, "last error: ");

    if (last != NULL) text = last + strlen("last error: "); /* of several addresses that failed */
    const char *known = strstr(text, "Connection refused");
    if (known == NULL) known = strstr(text, "No such file or directory");
    if (known == NULL) known = strstr(text, "Permission denied");
    if (x->code == GRPC_STATUS_UNAVAILABLE && known != NULL)
        (void)error_set(err, CUZK_ERR_MISSING, "%s: %s: %s: is cuzk-daemon running?",
                        client->address, method, known);
    else
        (void)error_set(err, status_of(x->code), "%s: %s: %s", client->address, method, text);
    gpr_free(details);
    return err->status;
}

static cuzk_status take_reply(ProtobufCMessage **reply, exchange_t *x, const rpc_client_t *client,
                              const rpc_request_t *request, cuzk_error *err)
{
    grpc_byte_buffer *buffer = x->received;
    uint8_t *bytes;
    size_t length;

    if (x->code != GRPC_STATUS_OK) return explain(x, client, request->method, err);
    if (buffer == NULL)
        return error_set(err, CUZK_ERR_FORMAT, "%s: %s: the reply has no message", client->address,
                         request->method);
    x->received = NULL;
    if (core_take_bytes(&bytes, &length, buffer, MAX_MESSAGE_BYTES, err) == CUZK_OK) {
        const cuzk_status status = message_unpack(reply, request->reply, bytes, length, err);

        free(bytes);
        if (status == CUZK_OK) return CUZK_OK;
    }
    return error_within(err, "%s: %s: the reply", client->address, request->method);
}

static void end_exchange(exchange_t *x)
{
    grpc_metadata_array_destroy(&x->initial);
    grpc_metadata_array_destroy(&x->trailing);
    grpc_slice_unref(x->details);
    if (x->received != NULL) grpc_byte_buffer_destroy(x->received);
    grpc_byte_buffer_destroy(x->sent);
    grpc_call_unref(x->call);
    grpc_completion_queue_shutdown(x->queue);
    (void)grpc_completion_queue_pluck(x->queue, NULL, gpr_inf_future(GPR_CLOCK_MONOTONIC), NULL);
    grpc_completion_queue_destroy(x->queue);
}

static void free_bytes(void *bytes)
{
    free(bytes);
}

static cuzk_status encode(grpc_byte_buffer **buffer, const ProtobufCMessage *message,
                          cuzk_error *err)
{
    uint8_t *bytes;
    size_t length;

    if (message_pack(&bytes, &length, message, err) != CUZK_OK) return err->status;
    grpc_slice slice = grpc_slice_new(bytes, length, free_bytes);
    *buffer = grpc_raw_byte_buffer_create(&slice, 1);
    grpc_slice_unref(slice);
    return CUZK_OK;
}

cuzk_status rpc_client_call(ProtobufCMessage **reply, grpc_status_code *code, rpc_client_t *client,
                            const rpc_request_t *request, cuzk_error *err)
{
    exchange_t x = {.code = GRPC_STATUS_UNKNOWN};
    char path[128];

    *reply = NULL;
    *code = GRPC_STATUS_UNKNOWN;
    (void)snprintf(path, sizeof path, "/%s/%s", SERVICE, request->method);
    if (encode(&x.sent, request->request, err) != CUZK_OK) return err->status;
    grpc_metadata_array_init(&x.initial);
    grpc_metadata_array_init(&x.trailing);
    x.details = grpc_empty_slice();
    x.queue = grpc_completion_queue_create_for_pluck(NULL);
    const grpc_slice method = grpc_slice_from_copied_string(path); /* gRPC may keep it */
    x.call = grpc_channel_create_call(client->channel, NULL, 0, x.queue, method, NULL,
                                      deadline_of(request->timeout_ms), NULL);
    grpc_slice_unref(method);
    start(&x, client);
    wait_for_end(&x, request->cancel);
    *code = x.code;
    const cuzk_status status = take_reply(reply, &x, client, request, err);
    end_exchange(&x);
    return status;
}
