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

/* ---- callers that leave -----------------------------------------------------------------------
 */

static void whoever_leaves_is_told_of_once(void **unused)
{
    test_server_t server;
    const rpc_server_options_t options = test_server_options(&server);
    cancel_t cancel;

    (void)unused;
    cancel_init(&cancel, UINT64_MAX);
    test_server_open(&server, &options);
    rpc_client_t *client = test_client(server.address);
    test_waiter_t late = {.client = client, .timeout_ms = 200};
    test_waiter_t cancelled = {.client = client, .cancel = &cancel};
    test_waiter_t done = {.client = client, .timeout_ms = 10000};

    test_await(&late);
    test_wait_held(&server, 1);
    test_await(&cancelled);
    test_wait_held(&server, 2);
    test_await(&done);
    test_wait_held(&server, 3);
    assert_in_range(rpc_call_time_left_ms(server.held[0]), 0, 200);
    assert_int_equal(rpc_call_time_left_ms(server.held[1]), UINT64_MAX);
    assert_in_range(rpc_call_time_left_ms(server.held[2]), 5000, 10200); /* gRPC rounds up */
    assert_int_equal(test_await_end(&late), GRPC_STATUS_DEADLINE_EXCEEDED);
    assert_int_equal(late.err.status, CUZK_ERR_DEADLINE);
    test_wait_left(&server, 1);
    assert_int_equal(server.left_ids[0], server.held_ids[0]);
    assert_true(rpc_call_has_left(server.held[0]));
    assert_false(rpc_call_has_left(server.held[1]));
    assert_int_equal(rpc_call_time_left_ms(server.held[0]), 0);

    const uint64_t before = clock_monotonic_ns();
    cancel_request(&cancel);
    assert_int_equal(test_await_end(&cancelled), GRPC_STATUS_CANCELLED);
    assert_int_equal(cancelled.err.status, CUZK_CANCELLED);
    assert_in_range(clock_monotonic_ns() - before, 0, 2000000000);
    test_wait_left(&server, 2);
    assert_int_equal(server.left_ids[1], server.held_ids[1]);

    test_complete(&server, 2);
    assert_int_equal(test_await_end(&done), GRPC_STATUS_OK);
    assert_int_equal(rpc_server_stats(server.rpc).calls, 2); /* those that left are to be ended */
    test_complete(&server, 0);
    rpc_call_fail(server.held[1], GRPC_STATUS_ABORTED, "too late");
    assert_int_equal(rpc_server_stats(server.rpc).calls, 0);
    rpc_client_close(client);
    test_sleep_ms(50);
    assert_int_equal(test_left(&server), 2); /* the one that was answered is none of them */
    test_server_close(&server, 0);
}

static void calls_over_the_limit_are_refused(void **unused)
{
    enum { MOST = 3 };
    test_server_t server;
    rpc_server_options_t options = test_server_options(&server);
    test_waiter_t waiters[MOST];
    cuzk_error err;

    (void)unused;
    options.max_calls = MOST;
    test_server_open(&server, &options);
    rpc_client_t *client = test_client(server.address);
    for (size_t i = 0; i < MOST; i++) {
        waiters[i] = (test_waiter_t){.client = client};
        test_await(&waiters[i]);
        test_wait_held(&server, i + 1);
    }
    assert_int_equal(test_submit(client, "one more", 10 << 20, &err),
                     GRPC_STATUS_RESOURCE_EXHAUSTED);
    assert_int_equal(err.status, CUZK_ERR_BUSY);
    assert_non_null(strstr(err.text, "3 calls are under way, 3 allowed"));
    assert_int_equal(test_served(&server), 0);
    for (size_t i = 0; i < MOST; i++) {
        test_complete(&server, i);
        assert_int_equal(test_await_end(&waiters[i]), GRPC_STATUS_OK);
    }
    assert_int_equal(test_submit(client, "one more", 10, &err), GRPC_STATUS_OK);
    rpc_client_close(client);
    test_server_close(&server, 0);
}

/* ---- the end of a server ----------------------------------------------------------------------
 */

typedef struct {
    test_server_t *server;
    uint64_t grace_ms, took_ms;
    pthread_t thread;
} closing_t;

static void *close_server(void *arg)
{
    closing_t *closing = arg;
    const uint64_t begin = clock_monotonic_ns();

    rpc_server_close(closing->server->rpc, closing->grace_ms);
    closing->server->rpc = NULL;
    closing->took_ms = (clock_monotonic_ns() - begin) / 1000000;
    return NULL;
}

static void calls_under_way_have_their_grace(void **unused)
{
    test_server_t server;
    const rpc_server_options_t options = test_server_options(&server);
    closing_t closing = {.server = &server, .grace_ms = 20000};

    (void)unused;
    test_server_open(&server, &options);
    rpc_client_t *client = test_client(server.address);
    test_waiter_t waiter = {.client = client};
    test_await(&waiter);
    test_wait_held(&server, 1);
    assert_int_equal(pthread_create(&closing.thread, NULL, close_server, &closing), 0);
    test_sleep_ms(100);
    test_complete(&server, 0);
    assert_int_equal(test_await_end(&waiter), GRPC_STATUS_OK);
    (void)pthread_join(closing.thread, NULL);
    assert_in_range(closing.took_ms, 90, 5000);
    assert_int_equal(test_left(&server), 0);
    assert_int_equal(access(server.socket, F_OK), -1);
    rpc_client_close(client);
    test_server_close(&server, 0);
}

static void calls_past_their_grace_are_cancelled(void **unused)
{
    test_server_t server;
    const rpc_server_options_t options = test_server_options(&server);
    closing_t closing = {.server = &server, .grace_ms = 200};
    cuzk_error err;

    (void)unused;
    test_server_open(&server, &options);
    rpc_client_t *client = test_client(server.address);
    test_waiter_t waiter = {.client = client};
    test_await(&waiter);
    test_wait_held(&server, 1);
    rpc_server_drain(server.rpc);
    assert_int_equal(test_submit(client, "late", 1, &err), GRPC_STATUS_UNAVAILABLE);
    assert_non_null(strstr(err.text, "shutting down"));
    assert_int_equal(pthread_create(&closing.thread, NULL, close_server, &closing), 0);
    test_wait_left(&server, 1);
    assert_int_equal(server.left_ids[0], server.held_ids[0]);
    test_sleep_ms(100); /* it waits for whoever has the call */
    assert_non_null(server.rpc);
    test_complete(&server, 0);
    (void)pthread_join(closing.thread, NULL);
    assert_in_range(closing.took_ms, 290, 5000);
    assert_int_not_equal(test_await_end(&waiter), GRPC_STATUS_OK);
    rpc_client_close(client);
    test_server_close(&server, 0);
}

static void a_client_outlives_its_server(void **unused)
{
    test_server_t server, again;
    const rpc_server_options_t options = test_server_options(&server);
    char text[256];
    cuzk_error err;

    (void)unused;
    rpc_client_t *client = test_client(server.address);
    assert_int_equal(test_submit(client, "nobody", 1, &err), GRPC_STATUS_UNAVAILABLE);
    assert_int_equal(err.status, CUZK_ERR_MISSING);
    (void)snprintf(text, sizeof text,
                   "%s: SubmitProof: No such file or directory: is cuzk-daemon running?",
                   server.address);
    assert_string_equal(err.text, text);
    test_server_open(&server, &options);
    for (int i = 0; i < 100 && test_submit(client, "back", 1, &err) != GRPC_STATUS_OK; i++)
        test_sleep_ms(50);
    assert_int_equal(test_submit(client, "back", 1, &err), GRPC_STATUS_OK);
    rpc_server_close(server.rpc, 0);
    assert_int_equal(test_submit(client, "gone", 1, &err), GRPC_STATUS_UNAVAILABLE);

    rpc_server_options_t same = test_server_options(&again);
    same.address = server.address;
    test_server_open(&again, &same);
    for (int i = 0; i < 100 && test_submit(client, "again", 1, &err) != GRPC_STATUS_OK; i++)
        test_sleep_ms(50);
    assert_int_equal(test_submit(client, "again", 1, &err), GRPC_STATUS_OK);
    test_server_close(&again, 0);
    rpc_client_close(client);
    server.rpc = NULL;
    test_server_close(&server, 0);
}

/* ---- many at once -----------------------------------------------------------------------------
 */

enum { THREADS = 8, ROUNDS = 30 };

static void *submit_often(void *arg)
{
    size_t n_refused = 0;
    char id[32];
    cuzk_error err;

    for (size_t i = 0; i < ROUNDS; i++) {
        (void)snprintf(id, sizeof id, "job-%zu", i);
        n_refused += test_submit(arg, id, i * i * 500, &err) != GRPC_STATUS_OK;
    }
    return (void *)n_refused;
}

static void many_threads_share_a_client(void **unused)
{
    test_server_t server;
    const rpc_server_options_t options = test_server_options(&server);
    pthread_t threads[THREADS];
    void *n_refused;

    (void)unused;
    test_server_open(&server, &options);
    rpc_client_t *client = test_client(server.address);
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, submit_often, client), 0);
    for (size_t i = 0; i < THREADS; i++) {
        (void)pthread_join(threads[i], &n_refused);
        assert_null(n_refused);
    }
    assert_int_equal(test_served(&server), THREADS * ROUNDS);
    assert_int_equal(rpc_server_stats(server.rpc).calls, 0);
    assert_int_equal(rpc_server_stats(server.rpc).message_bytes, 0);
    rpc_client_close(client);
    test_server_close(&server, 0);
}

static void *submit_slow(void *arg)
{
    cuzk_error err;

    return test_submit(arg, "slow", 2 << 20, &err) == GRPC_STATUS_OK ? NULL : arg;
}

/* Eight large messages take two seconds of the workers that serve such. */
static void small_messages_pass_large_ones(void **unused)
{
    test_server_t server;
    const rpc_server_options_t options = test_server_options(&server);
    pthread_t threads[8];
    void *failed;
    cuzk_error err;

    (void)unused;
    test_server_open(&server, &options);
    rpc_client_t *client = test_client(server.address);
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, submit_slow, client), 0);
    for (int i = 0; i < 500 && rpc_server_stats(server.rpc).message_bytes < 4 * (2 << 20); i++)
        test_sleep_ms(2);
    for (int i = 0; i < 3; i++)
        assert_int_equal(test_submit(client, "winning", 100000, &err), GRPC_STATUS_OK);
    assert_true(rpc_server_stats(server.rpc).message_bytes > 0); /* large ones still wait */
    for (size_t i = 0; i < 8; i++) {
        (void)pthread_join(threads[i], &failed);
        assert_null(failed);
    }
    rpc_client_close(client);
    test_server_close(&server, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_is_answered),
        cmocka_unit_test(each_code_has_its_status),
        cmocka_unit_test(whoever_leaves_is_told_of_once),
        cmocka_unit_test(calls_over_the_limit_are_refused),
        cmocka_unit_test(calls_under_way_have_their_grace),
        cmocka_unit_test(calls_past_their_grace_are_cancelled),
        cmocka_unit_test(a_client_outlives_its_server),
        cmocka_unit_test(many_threads_share_a_client),
        cmocka_unit_test(small_messages_pass_large_ones),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
