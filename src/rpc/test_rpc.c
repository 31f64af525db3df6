/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "cuzk/v1/proving.pb-c.h"
#include "rpc/test_server.h"

static void a_call_is_answered(void **unused)
{
    test_server_t server;
    const rpc_server_options_t options = test_server_options(&server);
    cuzk_error err;

    (void)unused;
    test_server_open(&server, &options);
    assert_string_equal(rpc_server_address(server.rpc), server.address);
    rpc_client_t *client = test_client(server.address);
    assert_int_equal(test_submit(client, "winpost-1000-ab", 10, &err), GRPC_STATUS_OK);
    assert_int_equal(test_submit(client, "", 0, &err), GRPC_STATUS_OK);
    assert_int_equal(test_submit(client, "big", 100 << 20, &err), GRPC_STATUS_OK);
    rpc_client_close(client);
    test_server_close(&server, 0);
}

static grpc_status_code fail_with(rpc_client_t *client, grpc_status_code code, cuzk_error *err)
{
    Cuzk__V1__CancelProofRequest message = CUZK__V1__CANCEL_PROOF_REQUEST__INIT;
    const rpc_request_t request = {.method = "CancelProof",
                                   .request = &message.base,
                                   .reply = &cuzk__v1__cancel_proof_response__descriptor};
    char id[8];
    ProtobufCMessage *answer;
    grpc_status_code got;

    (void)snprintf(id, sizeof id, "%d", (int)code);
    message.job_id = id;
    assert_int_not_equal(rpc_client_call(&answer, &got, client, &request, err), CUZK_OK);
    assert_null(answer);
    return got;
}

static void each_code_has_its_status(void **unused)
{
    static const struct {
        grpc_status_code code;
        cuzk_status status;
    } rows[] = {{GRPC_STATUS_INVALID_ARGUMENT, CUZK_ERR_ARG},
                {GRPC_STATUS_NOT_FOUND, CUZK_ERR_ARG},
                {GRPC_STATUS_UNIMPLEMENTED, CUZK_ERR_ARG},
                {GRPC_STATUS_UNAUTHENTICATED, CUZK_ERR_ARG},
                {GRPC_STATUS_FAILED_PRECONDITION, CUZK_ERR_ARG},
                {GRPC_STATUS_RESOURCE_EXHAUSTED, CUZK_ERR_BUSY},
                {GRPC_STATUS_UNAVAILABLE, CUZK_ERR_MISSING},
                {GRPC_STATUS_DEADLINE_EXCEEDED, CUZK_ERR_DEADLINE},
                {GRPC_STATUS_CANCELLED, CUZK_CANCELLED},
                {GRPC_STATUS_INTERNAL, CUZK_ERR_IO},
                {GRPC_STATUS_UNKNOWN, CUZK_ERR_IO}};
    test_server_t server;
    const rpc_server_options_t options = test_server_options(&server);
    char text[128];
    cuzk_error err;

    (void)unused;
    test_server_open(&server, &options);
    rpc_client_t *client = test_client(server.address);
    (void)snprintf(text, sizeof text, "%s: CancelProof: as asked for", server.address);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(fail_with(client, rows[i].code, &err), rows[i].code);
        assert_int_equal(err.status, rows[i].status);
        assert_string_equal(err.text, text);
    }
    rpc_client_close(client);
    test_server_close(&server, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_call_is_answered),
                                       cmocka_unit_test(each_code_has_its_status)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
