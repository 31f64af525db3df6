/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "cuzk/v1/proving.pb-c.h"
#include "rpc/message.h"
#include "rpc/test_server.h"

void test_sleep_ms(unsigned ms)
{
    const struct timespec pause = {ms / 1000, (long)(ms % 1000) * 1000000};

    (void)nanosleep(&pause, NULL);
}

/* ---- methods ----------------------------------------------------------------------------------
 */

static ProtobufCMessage *unpack(const ProtobufCMessageDescriptor *type, uint8_t *bytes, size_t n,
                                rpc_call_t *call)
{
    ProtobufCMessage *message;
    cuzk_error err;

    if (message_unpack(&message, type, bytes, n, &err) != CUZK_OK)
        rpc_call_fail(call, GRPC_STATUS_INVALID_ARGUMENT, err.text);
    free(bytes);
    return message;
}

static void reply(rpc_call_t *call, const ProtobufCMessage *message)
{
    uint8_t *bytes;
    size_t length;
    cuzk_error err;

    if (message_pack(&bytes, &length, message, &err) != CUZK_OK) abort();
    rpc_call_reply(call, bytes, length);
    free(bytes);
}

static void count_served(test_server_t *server)
{
    (void)pthread_mutex_lock(&server->lock);
    server->n_served++;
    (void)pthread_mutex_unlock(&server->lock);
}

static void submit(void *arg, rpc_call_t *call, uint8_t *bytes, size_t length)
{
    ProtobufCMessage *message =
        unpack(&cuzk__v1__submit_proof_request__descriptor, bytes, length, call);
    Cuzk__V1__SubmitProofResponse answer = CUZK__V1__SUBMIT_PROOF_RESPONSE__INIT;

    count_served(arg);
    if (message == NULL) return;
    const Cuzk__V1__SubmitProofRequest *request = (const void *)message;
    if (strcmp(request->request_id, "slow") == 0) test_sleep_ms(250);
    answer.job_id = request->request_id;
    answer.queue_position = (uint32_t)request->vanilla_proof.len;
    reply(call, &answer.base);
    protobuf_c_message_free_unpacked(message, NULL);
}

static void cancel(void *arg, rpc_call_t *call, uint8_t *bytes, size_t length)
{
    ProtobufCMessage *message =
        unpack(&cuzk__v1__cancel_proof_request__descriptor, bytes, length, call);

    (void)arg;
    if (message == NULL) return;
    rpc_call_fail(call,
                  (grpc_status_code)atoi(
                      ((const Cuzk__V1__CancelProofRequest *)(const void *)message)->job_id),
                  "as asked for");
    protobuf_c_message_free_unpacked(message, NULL);
}

static void await(void *arg, rpc_call_t *call, uint8_t *bytes, size_t length)
{
    test_server_t *server = arg;

    (void)length;
    free(bytes);
    (void)pthread_mutex_lock(&server->lock);
    if (server->n_held == TEST_HELD) abort();
    server->held_ids[server->n_held] = rpc_call_id(call);
    server->held[server->n_held++] = call;
    (void)pthread_cond_broadcast(&server->changed);
    (void)pthread_mutex_unlock(&server->lock);
}

static void left(void *arg, uint64_t call_id)
{
    test_server_t *server = arg;

    (void)pthread_mutex_lock(&server->lock);
    if (server->n_left == TEST_HELD) abort();
    server->left_ids[server->n_left++] = call_id;
    (void)pthread_cond_broadcast(&server->changed);
    (void)pthread_mutex_unlock(&server->lock);
}

/* ---- the server -------------------------------------------------------------------------------
 */

rpc_server_options_t test_server_options(test_server_t *server)
{
    static const rpc_method_t methods[] = {
        {"SubmitProof", submit}, {"CancelProof", cancel}, {"AwaitProof", await}};
    cuzk_error err;

    memset(server, 0, sizeof *server);
    (void)strcpy(server->folder, "/tmp/cuzk-rpc-test-XXXXXX");
    assert_non_null(mkdtemp(server->folder));
    (void)snprintf(server->socket, sizeof server->socket, "%s/socket", server->folder);
    (void)snprintf(server->address, sizeof server->address, "unix://%s", server->socket);
    assert_int_equal(file_read(&server->descriptor, &server->descriptor_length,
                               CUZK_BINARY_DIR "/src/rpc/generated/proving.descriptor", 1 << 20,
                               &err),
                     CUZK_OK);
    (void)pthread_mutex_init(&server->lock, NULL);
    (void)pthread_cond_init(&server->changed, NULL);
    return (rpc_server_options_t){.address = server->address,
                                  .service = "cuzk.v1.ProvingEngine",
                                  .methods = methods,
                                  .n_methods = sizeof methods / sizeof *methods,
                                  .arg = server,
                                  .left = left,
                                  .descriptor = server->descriptor,
                                  .descriptor_length = server->descriptor_length,
                                  .max_message_bytes = 128 << 20,
                                  .max_connections = 64,
                                  .max_calls = 32,
                                  .n_workers = 2,
                                  .socket_mode = 0600};
}

void test_server_open(test_server_t *server, const rpc_server_options_t *options)
{
    cuzk_error err;

    if (rpc_server_open(&server->rpc, options, &err) != CUZK_OK) fail_msg("%s", err.text);
}

void test_server_close(test_server_t *server, uint64_t grace_ms)
{
    rpc_server_close(server->rpc, grace_ms);
    server->rpc = NULL;
    free(server->descriptor);
    assert_int_equal(rmdir(server->folder), 0);
    (void)pthread_cond_destroy(&server->changed);
    (void)pthread_mutex_destroy(&server->lock);
}

static void wait_until(test_server_t *server, const size_t *counter, size_t n)
{
    struct timespec until;

    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 10;
    (void)pthread_mutex_lock(&server->lock);
    while (*counter < n)
        if (pthread_cond_timedwait(&server->changed, &server->lock, &until) != 0) break;
    const size_t reached = *counter;
    (void)pthread_mutex_unlock(&server->lock);
    assert_int_equal(reached, n);
}

void test_wait_held(test_server_t *server, size_t n)
{
    wait_until(server, &server->n_held, n);
}

void test_wait_left(test_server_t *server, size_t n)
{
    wait_until(server, &server->n_left, n);
}

size_t test_served(test_server_t *server)
{
    (void)pthread_mutex_lock(&server->lock);
    const size_t n = server->n_served;
    (void)pthread_mutex_unlock(&server->lock);
    return n;
}

size_t test_left(test_server_t *server)
{
    (void)pthread_mutex_lock(&server->lock);
    const size_t n = server->n_left;
    (void)pthread_mutex_unlock(&server->lock);
    return n;
}

void test_complete(test_server_t *server, size_t i)
{
    Cuzk__V1__AwaitProofResponse answer = CUZK__V1__AWAIT_PROOF_RESPONSE__INIT;

    answer.status = CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__COMPLETED;
    reply(server->held[i], &answer.base);
}

/* ---- clients ----------------------------------------------------------------------------------
 */

rpc_client_t *test_client(const char *address)
{
    const rpc_client_options_t options = {.address = address};
    rpc_client_t *client;
    cuzk_error err;

    if (rpc_client_open(&client, &options, &err) != CUZK_OK) fail_msg("%s", err.text);
    return client;
}

grpc_status_code test_submit(rpc_client_t *client, const char *id, size_t n, cuzk_error *err)
{
    Cuzk__V1__SubmitProofRequest message = CUZK__V1__SUBMIT_PROOF_REQUEST__INIT;
    const rpc_request_t request = {.method = "SubmitProof",
                                   .request = &message.base,
                                   .reply = &cuzk__v1__submit_proof_response__descriptor,
                                   .timeout_ms = 20000};
    ProtobufCMessage *answer;
    grpc_status_code code;

    message.request_id = (char *)(uintptr_t)id;
    message.vanilla_proof.len = n;
    message.vanilla_proof.data = calloc(n + 1, 1);
    const cuzk_status status = rpc_client_call(&answer, &code, client, &request, err);
    free(message.vanilla_proof.data);
    assert_int_equal(status == CUZK_OK, code == GRPC_STATUS_OK);
    if (status != CUZK_OK) return code;
    assert_string_equal(((const Cuzk__V1__SubmitProofResponse *)(const void *)answer)->job_id, id);
    assert_int_equal(((const Cuzk__V1__SubmitProofResponse *)(const void *)answer)->queue_position,
                     n);
    protobuf_c_message_free_unpacked(answer, NULL);
    return code;
}

static void *wait_for_proof(void *arg)
{
    test_waiter_t *waiter = arg;
    Cuzk__V1__AwaitProofRequest message = CUZK__V1__AWAIT_PROOF_REQUEST__INIT;
    const rpc_request_t request = {.method = "AwaitProof",
                                   .request = &message.base,
                                   .reply = &cuzk__v1__await_proof_response__descriptor,
                                   .timeout_ms = waiter->timeout_ms,
                                   .cancel = waiter->cancel};
    ProtobufCMessage *answer;

    message.job_id = waiter->job_id;
    if (rpc_client_call(&answer, &waiter->code, waiter->client, &request, &waiter->err) == CUZK_OK)
        protobuf_c_message_free_unpacked(answer, NULL);
    return NULL;
}

void test_await(test_waiter_t *waiter)
{
    assert_int_equal(pthread_create(&waiter->thread, NULL, wait_for_proof, waiter), 0);
}

grpc_status_code test_await_end(test_waiter_t *waiter)
{
    (void)pthread_join(waiter->thread, NULL);
    return waiter->code;
}
