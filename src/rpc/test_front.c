/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "rpc/test_server.h"
#include "rpc/test_wire.h"

static const char SUBMIT[] = "/cuzk.v1.ProvingEngine/SubmitProof";

static void expect_works(const test_server_t *server)
{
    rpc_client_t *client = test_client(server->address);
    cuzk_error err;

    if (test_submit(client, "works", 1000, &err) != GRPC_STATUS_OK) fail_msg("%s", err.text);
    rpc_client_close(client);
}

static void wait_connections(test_server_t *server, uint32_t n)
{
    for (int i = 0; i < 1000 && rpc_server_stats(server->rpc).connections != n; i++)
        test_sleep_ms(10);
    assert_int_equal(rpc_server_stats(server->rpc).connections, n);
}

static void wait_calls(test_server_t *server, uint32_t n)
{
    for (int i = 0; i < 1000 && rpc_server_stats(server->rpc).calls != n; i++) test_sleep_ms(10);
    assert_int_equal(rpc_server_stats(server->rpc).calls, n);
}

static void connections_are_counted(void **unused)
{
    test_server_t server;
    const rpc_server_options_t options = test_server_options(&server);
    cuzk_error err;

    (void)unused;
    test_server_open(&server, &options);
    rpc_client_t *client = test_client(server.address);
    assert_int_equal(rpc_server_stats(server.rpc).connections, 0); /* it connects when it calls */
    assert_int_equal(test_submit(client, "a", 1, &err), GRPC_STATUS_OK);
    assert_int_equal(rpc_server_stats(server.rpc).connections, 1);
    const int raw = wire_connect(server.socket);
    wait_connections(&server, 2);
    rpc_client_close(client);
    wait_connections(&server, 1);
    (void)close(raw);
    wait_connections(&server, 0);
    test_server_close(&server, 0);
}

static void a_message_over_the_limit_is_refused(void **unused)
{
    test_server_t server;
    rpc_server_options_t options = test_server_options(&server);
    cuzk_error err;

    (void)unused;
    options.max_message_bytes = 1 << 20;
    test_server_open(&server, &options);
    rpc_client_t *client = test_client(server.address);
    assert_int_equal(test_submit(client, "fits", (1 << 20) - 100, &err), GRPC_STATUS_OK);
    assert_int_equal(test_submit(client, "big", 1 << 20, &err), GRPC_STATUS_RESOURCE_EXHAUSTED);
    assert_int_equal(err.status, CUZK_ERR_BUSY);
    assert_non_null(strstr(err.text, "larger than max"));
    assert_int_equal(test_served(&server), 1);
    assert_int_equal(test_submit(client, "fits", 100, &err), GRPC_STATUS_OK);
    rpc_client_close(client);
    test_server_close(&server, 0);
}

static uint64_t resident_bytes(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");

    assert_non_null(file);
    assert_int_equal(fscanf(file, "%*u %lu", &pages), 1);
    (void)fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Adds what a frame says to the windows of the connection and of stream 1. */
static void open_windows(const wire_frame_t *frame, int64_t windows[2])
{
    if (frame->type == WIRE_WINDOW) windows[frame->stream] += load_be32(frame->bytes);
}

/* Sends a message that says it has 4 GiB, as far as the server takes it. Returns the bytes sent
 * when the stream or the connection was ended. */
static size_t send_endless_message(int fd, uint64_t *most_resident)
{
    enum { PIECE = 16 << 10, LIMIT = 1 << 30 };
    static const uint8_t piece[PIECE];
    int64_t windows[2] = {65535, 65535};
    wire_frame_t frame = {.type = WIRE_DATA};
    bool is_closed = false;
    size_t sent = 0;

    assert_true(wire_begin(fd) && wire_send_call(fd, 1, SUBMIT));
    assert_true(wire_send_length(fd, 1, UINT32_MAX));
    while (sent < LIMIT && !is_closed && frame.type != WIRE_RESET) {
        const bool has_room = windows[0] >= PIECE && windows[1] >= PIECE;

        if (wire_receive(&frame, fd, has_room ? 0 : 5000, &is_closed)) {
            open_windows(&frame, windows);
            continue;
        }
        if (!has_room || !wire_send_frame(fd, WIRE_DATA, 0, 1, piece, PIECE)) break;
        windows[0] -= PIECE;
        windows[1] -= PIECE;
        sent += PIECE;
        if (resident_bytes() > *most_resident) *most_resident = resident_bytes();
    }
    return sent;
}

static void an_endless_message_takes_bounded_memory(void **unused)
{
    test_server_t server;
    rpc_server_options_t options = test_server_options(&server);

    (void)unused;
    options.max_message_bytes = 1 << 20;
    options.max_arriving_bytes = 16 << 20;
    test_server_open(&server, &options);
    const int fd = wire_connect(server.socket);
    const uint64_t before = resident_bytes();
    uint64_t most = before;
    const size_t sent = send_endless_message(fd, &most);
    assert_in_range(sent, 1 << 20, 64 << 20);
    assert_in_range(most - before, 0, 160 << 20); /* also where sanitizers take twice as much */
    (void)close(fd);
    expect_works(&server);
    test_server_close(&server, 0);
}

enum { SENDERS = 12 };

typedef struct {
    pthread_t thread;
    const char *address;
    size_t bytes;
    grpc_status_code code;
    cuzk_error err;
} sender_t;

static void *send_one(void *arg)
{
    sender_t *sender = arg;
    rpc_client_t *client = test_client(sender->address);

    sender->code = test_submit(client, "large", sender->bytes, &sender->err);
    rpc_client_close(client);
    return NULL;
}

static void large_messages_together_stay_within_their_bound(void **unused)
{
    test_server_t server;
    rpc_server_options_t options = test_server_options(&server);
    sender_t senders[SENDERS];

    (void)unused;
    options.max_message_bytes = 8 << 20;
    options.max_arriving_bytes = 32 << 20;
    test_server_open(&server, &options);
    for (size_t i = 0; i < SENDERS; i++) {
        senders[i].address = server.address;
        senders[i].bytes = (8 << 20) - 100;
        assert_int_equal(pthread_create(&senders[i].thread, NULL, send_one, &senders[i]), 0);
    }
    for (size_t i = 0; i < SENDERS; i++) {
        (void)pthread_join(senders[i].thread, NULL);
        if (senders[i].code != GRPC_STATUS_OK) fail_msg("%s", senders[i].err.text);
    }
    expect_works(&server);
    test_server_close(&server, 0);
}

/* ---- how connections begin --------------------------------------------------------------------
 */

static void only_http2_is_let_in(void **unused)
{
    static const char *const wrong[] = {"GET /status HTTP/1.1\r\n\r\n", "\x16\x03\x01\x02",
                                        "PRI * HTTP/2.0\r\n\r\nSX", "P!"};
    test_server_t server;
    const rpc_server_options_t options = test_server_options(&server);

    (void)unused;
    test_server_open(&server, &options);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const int fd = wire_connect(server.socket);

        assert_true(wire_send(fd, wrong[i], strlen(wrong[i])));
        assert_true(wire_is_closed_within(fd, 5000));
        (void)close(fd);
    }
    const int fd = wire_connect(server.socket); /* in pieces */
    assert_true(wire_send(fd, "PRI * HTTP/2.0\r\n", 16));
    test_sleep_ms(20);
    assert_true(wire_send(fd, "\r\nSM\r\n\r\n", 8));
    assert_true(wire_send_frame(fd, WIRE_SETTINGS, 0, 0, NULL, 0));
    assert_true(wire_send_call(fd, 1, "/cuzk.v1.ProvingEngine/Nothing"));
    assert_int_equal(wire_wait_status(fd, 1), GRPC_STATUS_UNIMPLEMENTED);
    (void)close(fd);
    wait_connections(&server, 0);
    test_server_close(&server, 0);
}

static void who_does_not_begin_is_closed(void **unused)
{
    test_server_t server;
    rpc_server_options_t options = test_server_options(&server);

    (void)unused;
    options.opening_ms = 200;
    test_server_open(&server, &options);
    const int silent = wire_connect(server.socket);
    const int slow = wire_connect(server.socket);
    assert_true(wire_send(slow, "PRI", 3));
    assert_false(wire_is_closed_within(silent, 50));
    assert_true(wire_is_closed_within(silent, 2000));
    assert_true(wire_is_closed_within(slow, 2000));
    (void)close(silent);
    (void)close(slow);
    expect_works(&server);
    wait_connections(&server, 0);
    test_server_close(&server, 0);
}

static void connections_over_the_limit_are_closed(void **unused)
{
    enum { MOST = 4, MORE = 20 };
    test_server_t server;
    rpc_server_options_t options = test_server_options(&server);
    int fds[MORE];
    cuzk_error err;

    (void)unused;
    options.max_connections = MOST;
    test_server_open(&server, &options);
    rpc_client_t *client = test_client(server.address);
    assert_int_equal(test_submit(client, "first", 1, &err), GRPC_STATUS_OK);
    for (int i = 0; i < MORE; i++) {
        fds[i] = wire_connect(server.socket);
        assert_true(fds[i] >= 0);
    }
    for (int i = MOST - 1; i < MORE; i++) assert_true(wire_is_closed_within(fds[i], 5000));
    assert_int_equal(rpc_server_stats(server.rpc).connections, MOST);
    assert_int_equal(test_submit(client, "still", 1 << 20, &err), GRPC_STATUS_OK);
    rpc_client_t *late = test_client(server.address);
    assert_int_equal(test_submit(late, "late", 1, &err), GRPC_STATUS_UNAVAILABLE);
    assert_int_equal(err.status, CUZK_ERR_MISSING);
    rpc_client_close(late);
    for (int i = 0; i < MORE; i++) (void)close(fds[i]);
    wait_connections(&server, 1);
    expect_works(&server);
    rpc_client_close(client);
    test_server_close(&server, 0);
}

/* ---- 200 idle connections and few descriptors -------------------------------------------------
 */

enum { CROWD = 200 };

/* A process of its own, begun before gRPC is: for each line of a path it connects CROWD times, says
 * "+", and closes them at the next line. */
static struct {
    int to, from;
} crowd;

static void be_a_crowd(int from, int to)
{
    static int fds[CROWD];
    char path[128];
    ssize_t n;

    while ((n = read(from, path, sizeof path - 1)) > 0) {
        path[n] = '\0';
        for (int i = 0; i < CROWD; i++) {
            if (fds[i] > 0) (void)close(fds[i]);
            fds[i] = *path == '/' ? wire_connect(path) : 0;
        }
        if (write(to, "+", 1) != 1) _exit(1);
    }
    _exit(0);
}

static void begin_crowd(void)
{
    int to[2], from[2];

    if (pipe(to) != 0 || pipe(from) != 0) abort();
    if (fork() == 0) {
        (void)close(to[1]);
        be_a_crowd(to[0], from[1]);
    }
    (void)close(to[0]);
    (void)close(from[1]);
    crowd.to = to[1];
    crowd.from = from[0];
}

static void tell_crowd(const char *path)
{
    char answer;

    assert_int_equal(write(crowd.to, path, strlen(path)), strlen(path));
    assert_int_equal(read(crowd.from, &answer, 1), 1);
}

static void a_crowd_does_no_harm(void **unused)
{
    test_server_t server;
    rpc_server_options_t options = test_server_options(&server);
    struct rlimit limit, few;
    cuzk_error err;

    (void)unused;
    options.max_connections = 1000;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    few = limit;
    few.rlim_cur = 64;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    test_server_open(&server, &options);
    rpc_client_t *client = test_client(server.address);
    assert_int_equal(test_submit(client, "first", 1, &err), GRPC_STATUS_OK);
    tell_crowd(server.socket);
    wait_connections(&server, 16); /* half of the descriptors, two each */
    assert_int_equal(test_submit(client, "still", 1 << 20, &err), GRPC_STATUS_OK);

    few.rlim_cur = 20; /* now not even those that are allowed can be opened */
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    tell_crowd("close");
    wait_connections(&server, 1);
    tell_crowd(server.socket);
    assert_int_equal(test_submit(client, "still", 1 << 20, &err), GRPC_STATUS_OK);
    tell_crowd("close");
    wait_connections(&server, 1);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    expect_works(&server);
    rpc_client_close(client);
    test_server_close(&server, 0);
}

/* ---- what a connection may send ---------------------------------------------------------------
 */

static void pings_are_answered(void **unused)
{
    enum { PINGS = 15 };
    test_server_t server;
    const rpc_server_options_t options = test_server_options(&server);
    wire_frame_t frame;
    bool is_closed = false;
    int n_answers = 0;

    (void)unused;
    test_server_open(&server, &options);
    const int fd = wire_connect(server.socket);
    assert_true(wire_begin(fd));
    for (int i = 0; i < PINGS; i++) {
        assert_true(wire_send_frame(fd, WIRE_PING, 0, 0, "12345678", 8));
        const uint64_t next_ns = clock_monotonic_ns() + 150000000;
        while (clock_monotonic_ns() < next_ns) {
            if (!wire_receive(&frame, fd, 10, &is_closed)) continue;
            assert_int_not_equal(frame.type, WIRE_GOAWAY);
            n_answers += frame.type == WIRE_PING && frame.flags == 1;
        }
    }
    assert_false(is_closed);
    assert_int_equal(n_answers, PINGS);
    for (int i = 0; i < 10000; i++) /* a flood is another matter */
        if (!wire_send_frame(fd, WIRE_PING, 0, 0, "12345678", 8)) break;
    assert_true(wire_is_closed_within(fd, 5000));
    (void)close(fd);
    expect_works(&server);
    test_server_close(&server, 0);
}

static void a_message_has_to_arrive(void **unused)
{
    test_server_t server;
    rpc_server_options_t options = test_server_options(&server);

    (void)unused;
    options.arrival_ms = 300;
    test_server_open(&server, &options);
    const int fd = wire_connect(server.socket);
    assert_true(wire_begin(fd) && wire_send_call(fd, 1, SUBMIT));
    assert_true(wire_send_length(fd, 1, 1000)); /* and no more */
    const int empty = wire_connect(server.socket);
    assert_true(wire_begin(empty) && wire_send_call(empty, 1, SUBMIT));
    assert_true(wire_send_frame(empty, WIRE_DATA, 1 /* END_STREAM */, 1, NULL, 0));
    assert_int_equal(wire_wait_status(empty, 1), GRPC_STATUS_INVALID_ARGUMENT);
    assert_int_equal(wire_wait_status(fd, 1), GRPC_STATUS_DEADLINE_EXCEEDED);
    wait_calls(&server, 0);
    assert_int_equal(test_served(&server), 0);
    (void)close(fd);
    (void)close(empty);
    test_server_close(&server, 0);
}

/* One message is let in at a time, and its sender stops. */
static void a_slow_sender_does_not_keep_others_out(void **unused)
{
    test_server_t server;
    rpc_server_options_t options = test_server_options(&server);

    (void)unused;
    options.max_arriving_bytes = options.max_message_bytes;
    test_server_open(&server, &options);
    const int slow = wire_connect(server.socket);
    assert_true(wire_begin(slow) && wire_send_call(slow, 1, SUBMIT));
    assert_true(wire_send_length(slow, 1, 1000));
    wait_calls(&server, 1);
    const int leaves = wire_connect(server.socket); /* while it is held back */
    assert_true(wire_begin(leaves) && wire_send_call(leaves, 1, SUBMIT));
    wait_calls(&server, 2);
    (void)close(leaves);
    wait_calls(&server, 1);
    const uint64_t before = clock_monotonic_ns();
    expect_works(&server);
    assert_in_range(clock_monotonic_ns() - before, 1000000000, 8000000000);
    const uint64_t then = clock_monotonic_ns();
    expect_works(&server);
    assert_in_range(clock_monotonic_ns() - then, 0, 1000000000);
    assert_int_equal(test_served(&server), 2);
    (void)close(slow);
    wait_calls(&server, 0);
    test_server_close(&server, 0);
}

static void a_caller_that_goes_in_the_middle_leaves_nothing(void **unused)
{
    static const uint8_t cancel[4] = {0, 0, 0, 8};
    test_server_t server;
    const rpc_server_options_t options = test_server_options(&server);

    (void)unused;
    test_server_open(&server, &options);
    for (int i = 0; i < 20; i++) {
        const int fd = wire_connect(server.socket);

        assert_true(wire_begin(fd) && wire_send_call(fd, 1, SUBMIT));
        assert_true(wire_send_length(fd, 1, 1000));
        if (i % 2 == 0) assert_true(wire_send_frame(fd, WIRE_RESET, 0, 1, cancel, sizeof cancel));
        (void)close(fd);
    }
    wait_connections(&server, 0);
    wait_calls(&server, 0);
    assert_int_equal(test_served(&server) + test_left(&server), 0);
    test_server_close(&server, 0);
}

/* Bytes after a right beginning, from a fixed sequence. */
static void garbage_does_no_harm(void **unused)
{
    test_server_t server;
    const rpc_server_options_t options = test_server_options(&server);
    uint64_t state = 1;
    uint8_t bytes[512];

    (void)unused;
    test_server_open(&server, &options);
    for (int i = 0; i < 300; i++) {
        const int fd = wire_connect(server.socket);
        bool is_open = wire_begin(fd) && (i % 3 == 0 || wire_send_call(fd, 1, SUBMIT));

        for (size_t k = 0; k < sizeof bytes; k++) {
            state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
            bytes[k] = (uint8_t)(state >> 56);
        }
        if (i % 2 == 0) /* as a frame of any type, else as whatever it is */
            is_open = is_open && wire_send_frame(fd, bytes[0] % 10, bytes[1], bytes[2] % 4,
                                                 bytes + 3, bytes[3]);
        else
            is_open = is_open && wire_send(fd, bytes, sizeof bytes);
        (void)is_open; /* the server may have closed it at any byte */
        (void)close(fd);
    }
    wait_connections(&server, 0);
    expect_works(&server);
    test_server_close(&server, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(connections_are_counted),
        cmocka_unit_test(a_message_over_the_limit_is_refused),
        cmocka_unit_test(an_endless_message_takes_bounded_memory),
        cmocka_unit_test(large_messages_together_stay_within_their_bound),
        cmocka_unit_test(only_http2_is_let_in),
        cmocka_unit_test(who_does_not_begin_is_closed),
        cmocka_unit_test(connections_over_the_limit_are_closed),
        cmocka_unit_test(a_crowd_does_no_harm),
        cmocka_unit_test(pings_are_answered),
        cmocka_unit_test(a_message_has_to_arrive),
        cmocka_unit_test(a_slow_sender_does_not_keep_others_out),
        cmocka_unit_test(a_caller_that_goes_in_the_middle_leaves_nothing),
        cmocka_unit_test(garbage_does_no_harm),
    };

    begin_crowd();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
