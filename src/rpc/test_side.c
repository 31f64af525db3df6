/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <grpc/byte_buffer.h>
#include <grpc/grpc_security.h>
#include <grpc/health/v1/health.pb-c.h>
#include <grpc/reflection/v1/reflection.pb-c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rpc/core.h"
#include "rpc/message.h"
#include "rpc/test_server.h"

/* ---- a stream, as a client of any language has it ---------------------------------------------
 */

typedef struct {
    grpc_channel *channel;
    grpc_completion_queue *queue;
    grpc_call *call;
    grpc_metadata_array initial, trailing;
    bool has_initial; /* metadata have been asked for; without, no message is handed out */
    grpc_status_code code;
    grpc_slice details;
} stream_t;

static void run(stream_t *s, const grpc_op *ops, size_t n)
{
    const gpr_timespec until =
        gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC), gpr_time_from_seconds(10, GPR_TIMESPAN));
    static char tag;

    assert_int_equal(grpc_call_start_batch(s->call, ops, n, &tag, NULL), GRPC_CALL_OK);
    assert_int_equal(grpc_completion_queue_pluck(s->queue, &tag, until, NULL).type,
                     GRPC_OP_COMPLETE);
}

static void stream_open(stream_t *s, const test_server_t *server, const char *path)
{
    const grpc_op op = {.op = GRPC_OP_SEND_INITIAL_METADATA};
    grpc_channel_credentials *plain = grpc_insecure_credentials_create();

    memset(s, 0, sizeof *s);
    s->channel = grpc_channel_create(server->address, plain, NULL);
    grpc_channel_credentials_release(plain);
    s->queue = grpc_completion_queue_create_for_pluck(NULL);
    grpc_metadata_array_init(&s->initial);
    grpc_metadata_array_init(&s->trailing);
    s->details = grpc_empty_slice();
    s->call =
        grpc_channel_create_call(s->channel, NULL, 0, s->queue, grpc_slice_from_static_string(path),
                                 NULL, gpr_inf_future(GPR_CLOCK_MONOTONIC), NULL);
    run(s, &op, 1);
}

static void stream_send(stream_t *s, const ProtobufCMessage *message)
{
    grpc_op op = {.op = GRPC_OP_SEND_MESSAGE};
    uint8_t *bytes;
    size_t length;
    cuzk_error err;

    assert_int_equal(message_pack(&bytes, &length, message, &err), CUZK_OK);
    grpc_slice slice = grpc_slice_from_copied_buffer((const char *)bytes, length);
    op.data.send_message.send_message = grpc_raw_byte_buffer_create(&slice, 1);
    run(s, &op, 1);
    grpc_byte_buffer_destroy(op.data.send_message.send_message);
    grpc_slice_unref(slice);
    free(bytes);
}

/* The next message, which is released with protobuf_c_message_free_unpacked(); NULL: no more. */
static ProtobufCMessage *stream_receive(stream_t *s, const ProtobufCMessageDescriptor *type)
{
    grpc_byte_buffer *buffer = NULL;
    grpc_op ops[] = {{.op = GRPC_OP_RECV_MESSAGE, .data.recv_message.recv_message = &buffer},
                     {.op = GRPC_OP_RECV_INITIAL_METADATA}};
    ProtobufCMessage *message;
    uint8_t *bytes;
    size_t length;
    cuzk_error err;

    ops[1].data.recv_initial_metadata.recv_initial_metadata = &s->initial;
    run(s, ops, s->has_initial ? 1 : 2);
    s->has_initial = true;
    if (buffer == NULL) return NULL;
    assert_int_equal(core_take_bytes(&bytes, &length, buffer, 1 << 20, &err), CUZK_OK);
    assert_int_equal(message_unpack(&message, type, bytes, length, &err), CUZK_OK);
    free(bytes);
    return message;
}

static grpc_status_code stream_end(stream_t *s)
{
    grpc_op ops[] = {{.op = GRPC_OP_SEND_CLOSE_FROM_CLIENT},
                     {.op = GRPC_OP_RECV_STATUS_ON_CLIENT},
                     {.op = GRPC_OP_RECV_INITIAL_METADATA}};

    ops[1].data.recv_status_on_client.trailing_metadata = &s->trailing;
    ops[1].data.recv_status_on_client.status = &s->code;
    ops[1].data.recv_status_on_client.status_details = &s->details;
    ops[2].data.recv_initial_metadata.recv_initial_metadata = &s->initial;
    run(s, ops, s->has_initial ? 2 : 3);
    grpc_metadata_array_destroy(&s->initial);
    grpc_metadata_array_destroy(&s->trailing);
    grpc_slice_unref(s->details);
    grpc_call_unref(s->call);
    grpc_completion_queue_shutdown(s->queue);
    grpc_completion_queue_destroy(s->queue);
    grpc_channel_destroy(s->channel);
    return s->code;
}

/* ---- health -----------------------------------------------------------------------------------
 */

typedef Grpc__Health__V1__HealthCheckRequest health_request_t;
enum { SERVING = 1, NOT_SERVING = 2, SERVICE_UNKNOWN = 3 };

static const char CHECK[] = "/grpc.health.v1.Health/Check";
static const char WATCH[] = "/grpc.health.v1.Health/Watch";

static void send_service(stream_t *s, const char *service)
{
    health_request_t request = GRPC__HEALTH__V1__HEALTH_CHECK_REQUEST__INIT;

    request.service = (char *)(uintptr_t)service;
    stream_send(s, &request.base);
}

/* The state in the next answer; -1: there is none. */
static int receive_state(stream_t *s)
{
    ProtobufCMessage *answer =
        stream_receive(s, &grpc__health__v1__health_check_response__descriptor);

    if (answer == NULL) return -1;
    const int state =
        (int)((const Grpc__Health__V1__HealthCheckResponse *)(const void *)answer)->status;
    protobuf_c_message_free_unpacked(answer, NULL);
    return state;
}

static int check(const test_server_t *server, const char *service, grpc_status_code *code)
{
    stream_t s;

    stream_open(&s, server, CHECK);
    send_service(&s, service);
    const int state = receive_state(&s);
    *code = stream_end(&s);
    return state;
}

static void health_is_told(void **unused)
{
    test_server_t server;
    const rpc_server_options_t options = test_server_options(&server);
    grpc_status_code code;

    (void)unused;
    test_server_open(&server, &options);
    for (int i = 0; i < 3; i++) {
        if (i > 0) rpc_server_set_serving(server.rpc, i == 2);
        assert_int_equal(check(&server, "", &code), i == 1 ? NOT_SERVING : SERVING);
        assert_int_equal(code, GRPC_STATUS_OK);
        assert_int_equal(check(&server, "cuzk.v1.ProvingEngine", &code),
                         i == 1 ? NOT_SERVING : SERVING);
        assert_int_equal(check(&server, "cuzk.v1.Proving", &code), -1);
        assert_int_equal(code, GRPC_STATUS_NOT_FOUND);
    }
    rpc_server_drain(server.rpc);
    assert_int_equal(check(&server, "", &code), NOT_SERVING);
    test_server_close(&server, 0);
}

static void health_is_watched(void **unused)
{
    test_server_t server;
    const rpc_server_options_t options = test_server_options(&server);
    stream_t s, unknown;

    (void)unused;
    test_server_open(&server, &options);
    stream_open(&s, &server, WATCH);
    send_service(&s, "");
    assert_int_equal(receive_state(&s), SERVING);
    stream_open(&unknown, &server, WATCH);
    send_service(&unknown, "nothing");
    assert_int_equal(receive_state(&unknown), SERVICE_UNKNOWN);
    for (int i = 0; i < 4; i++) {
        rpc_server_set_serving(server.rpc, i % 2 != 0);
        rpc_server_set_serving(server.rpc, i % 2 != 0); /* no news */
        assert_int_equal(receive_state(&s), i % 2 != 0 ? SERVING : NOT_SERVING);
    }
    rpc_server_drain(server.rpc);
    assert_int_equal(receive_state(&s), NOT_SERVING);
    test_server_close(&server, 10000); /* who watches is not waited for */
    assert_int_not_equal(stream_end(&s), GRPC_STATUS_OK);
    assert_int_not_equal(stream_end(&unknown), GRPC_STATUS_OK);
}

static void watchers_are_bounded(void **unused)
{
    enum { MOST = 64 };
    test_server_t server;
    const rpc_server_options_t options = test_server_options(&server);
    static stream_t streams[MOST], more;
    grpc_status_code code;
    cuzk_error err;

    (void)unused;
    test_server_open(&server, &options);
    for (size_t i = 0; i < MOST; i++) {
        stream_open(&streams[i], &server, WATCH);
        send_service(&streams[i], "");
        assert_int_equal(receive_state(&streams[i]), SERVING);
    }
    stream_open(&more, &server, WATCH);
    assert_int_equal(receive_state(&more), -1);
    assert_int_equal(stream_end(&more), GRPC_STATUS_RESOURCE_EXHAUSTED);
    rpc_client_t *client = test_client(server.address); /* methods do not suffer */
    assert_int_equal(test_submit(client, "a", 1, &err), GRPC_STATUS_OK);
    rpc_client_close(client);
    for (size_t i = 0; i < MOST; i++) {
        (void)grpc_call_cancel(streams[i].call, NULL);
        assert_int_equal(stream_end(&streams[i]), GRPC_STATUS_CANCELLED);
    }
    for (int i = 0; i < 200 && check(&server, "", &code) != SERVING; i++) test_sleep_ms(10);
    assert_int_equal(check(&server, "", &code), SERVING);
    test_server_close(&server, 0);
}

static void bad_messages_are_refused(void **unused)
{
    test_server_t server;
    const rpc_server_options_t options = test_server_options(&server);
    char *name = malloc(100001);
    grpc_status_code code;
    stream_t s;

    (void)unused;
    test_server_open(&server, &options);
    memset(name, 'x', 100000);
    name[100000] = '\0';
    assert_int_equal(check(&server, name, &code), -1);
    assert_int_equal(code, GRPC_STATUS_RESOURCE_EXHAUSTED);
    free(name);
    assert_int_equal(check(&server, "\xff", &code), -1);
    assert_int_equal(code, GRPC_STATUS_INVALID_ARGUMENT);
    stream_open(&s, &server, CHECK);
    assert_int_equal(stream_end(&s), GRPC_STATUS_INVALID_ARGUMENT); /* without a message */
    stream_open(&s, &server, "/grpc.health.v1.Health/List");
    assert_int_equal(stream_end(&s), GRPC_STATUS_UNIMPLEMENTED);
    stream_open(&s, &server, "/cuzk.v1.ProvingEngine/");
    assert_int_equal(stream_end(&s), GRPC_STATUS_UNIMPLEMENTED);
    stream_open(&s, &server, "nothing");
    assert_int_equal(stream_end(&s), GRPC_STATUS_UNIMPLEMENTED);
    test_server_close(&server, 0);
}

/* ---- reflection -------------------------------------------------------------------------------
 */

typedef Grpc__Reflection__V1__ServerReflectionRequest reflection_request_t;
typedef Grpc__Reflection__V1__ServerReflectionResponse reflection_response_t;

#define ASKS(of) GRPC__REFLECTION__V1__SERVER_REFLECTION_REQUEST__MESSAGE_REQUEST_##of

static const char *const REFLECTIONS[] = {
    "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
    "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"};

static reflection_response_t *
ask(stream_t *s, Grpc__Reflection__V1__ServerReflectionRequest__MessageRequestCase of,
    const char *text)
{
    reflection_request_t request = GRPC__REFLECTION__V1__SERVER_REFLECTION_REQUEST__INIT;
    Grpc__Reflection__V1__ExtensionRequest extension =
        GRPC__REFLECTION__V1__EXTENSION_REQUEST__INIT;

    request.host = (char *)(uintptr_t) "a host";
    request.message_request_case = of;
    request.list_services = (char *)(uintptr_t)text; /* all are one pointer but one */
    if (of == ASKS(FILE_CONTAINING_EXTENSION)) request.file_containing_extension = &extension;
    stream_send(s, &request.base);
    ProtobufCMessage *message =
        stream_receive(s, &grpc__reflection__v1__server_reflection_response__descriptor);
    assert_non_null(message);
    reflection_response_t *response = (reflection_response_t *)(void *)message;
    assert_string_equal(response->valid_host, "a host");
    assert_int_equal(response->original_request->message_request_case, of);
    return response;
}

static void expect_error(stream_t *s,
                         Grpc__Reflection__V1__ServerReflectionRequest__MessageRequestCase of,
                         const char *text, grpc_status_code code)
{
    reflection_response_t *response = ask(s, of, text);

    assert_int_equal(
        response->message_response_case,
        GRPC__REFLECTION__V1__SERVER_REFLECTION_RESPONSE__MESSAGE_RESPONSE_ERROR_RESPONSE);
    assert_int_equal(response->error_response->error_code, code);
    protobuf_c_message_free_unpacked(&response->base, NULL);
}

/* The file's description has to be the bytes that protoc wrote of it. */
static void expect_file(stream_t *s, const test_server_t *server,
                        Grpc__Reflection__V1__ServerReflectionRequest__MessageRequestCase of,
                        const char *text, const char *file)
{
    reflection_response_t *response = ask(s, of, text);
    char start[80];

    if (response->file_descriptor_response == NULL || response->message_response_case != 4)
        fail_msg("%s", text);
    assert_int_equal(response->file_descriptor_response->n_file_descriptor_proto, 1);
    const ProtobufCBinaryData *bytes =
        &response->file_descriptor_response->file_descriptor_proto[0];
    (void)snprintf(start, sizeof start, "\n%c%s", (int)strlen(file), file);
    assert_memory_equal(bytes->data, start, strlen(start)); /* field 1: its name */
    assert_non_null(memmem(server->descriptor, server->descriptor_length, bytes->data, bytes->len));
    protobuf_c_message_free_unpacked(&response->base, NULL);
}

static void expect_services(stream_t *s)
{
    static const char *const names[] = {"cuzk.v1.ProvingEngine", "grpc.health.v1.Health",
                                        "grpc.reflection.v1.ServerReflection",
                                        "grpc.reflection.v1alpha.ServerReflection"};
    reflection_response_t *response = ask(s, ASKS(LIST_SERVICES), "*");
    const Grpc__Reflection__V1__ListServiceResponse *list = response->list_services_response;

    assert_int_equal(list->n_service, 4);
    for (size_t i = 0; i < 4; i++) {
        size_t k = 0;

        while (k < 4 && strcmp(list->service[k]->name, names[i]) != 0) k++;
        assert_in_range(k, 0, 3);
    }
    protobuf_c_message_free_unpacked(&response->base, NULL);
}

static void services_describe_themselves(void **unused)
{
    static const char *const symbols[][2] = {
        {"cuzk.v1.ProvingEngine", "cuzk/v1/proving.proto"},
        {"cuzk.v1.ProvingEngine.Prove", "cuzk/v1/proving.proto"},
        {"cuzk.v1.SubmitProofRequest", "cuzk/v1/proving.proto"},
        {"cuzk.v1.AwaitProofResponse.Status", "cuzk/v1/proving.proto"},
        {"cuzk.v1.ProofKind", "cuzk/v1/proving.proto"},
        {"grpc.health.v1.Health", "grpc/health/v1/health.proto"},
        {"grpc.reflection.v1alpha.ErrorResponse", "grpc/reflection/v1alpha/reflection.proto"}};
    test_server_t server;
    const rpc_server_options_t options = test_server_options(&server);
    stream_t s;

    (void)unused;
    test_server_open(&server, &options);
    for (size_t v = 0; v < 2; v++) {
        stream_open(&s, &server, REFLECTIONS[v]);
        expect_services(&s);
        for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
            expect_file(&s, &server, ASKS(FILE_CONTAINING_SYMBOL), symbols[i][0], symbols[i][1]);
            expect_file(&s, &server, ASKS(FILE_BY_FILENAME), symbols[i][1], symbols[i][1]);
        }
        expect_error(&s, ASKS(FILE_CONTAINING_SYMBOL), "cuzk.v1.Proving", GRPC_STATUS_NOT_FOUND);
        expect_error(&s, ASKS(FILE_BY_FILENAME), "proving.proto", GRPC_STATUS_NOT_FOUND);
        expect_error(&s, ASKS(FILE_CONTAINING_EXTENSION), "", GRPC_STATUS_NOT_FOUND);
        expect_error(&s, ASKS(ALL_EXTENSION_NUMBERS_OF_TYPE), "x", GRPC_STATUS_NOT_FOUND);
        expect_error(&s, GRPC__REFLECTION__V1__SERVER_REFLECTION_REQUEST__MESSAGE_REQUEST__NOT_SET,
                     "", GRPC_STATUS_INVALID_ARGUMENT);
        assert_int_equal(stream_end(&s), GRPC_STATUS_OK);
    }
    stream_open(&s, &server, "/grpc.reflection.v1.ServerReflection/Info");
    assert_int_equal(stream_end(&s), GRPC_STATUS_UNIMPLEMENTED);
    stream_open(&s, &server, REFLECTIONS[0]);
    expect_services(&s);
    test_server_close(&server, 10000); /* an open stream is not waited for */
    assert_int_not_equal(stream_end(&s), GRPC_STATUS_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(health_is_told),
        cmocka_unit_test(health_is_watched),
        cmocka_unit_test(watchers_are_bounded),
        cmocka_unit_test(bad_messages_are_refused),
        cmocka_unit_test(services_describe_themselves),
    };

    core_start();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
