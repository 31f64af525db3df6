/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "status/http.h"
#include "status/test_snapshots.h"

enum { MAX_CONNECTIONS = 8, ANSWER_BYTES = 1 << 20, WAIT_MS = 10000 };

static http_t *http;
static _Atomic(const char *) shown = "busy"; /* "": no snapshot can be had */
static char answer[ANSWER_BYTES];

static cuzk_status take(void *arg, snapshot_t *snapshot, cuzk_error *err)
{
    const char *name = atomic_load(&shown);

    (void)arg;
    return test_snapshot_make(snapshot, name)
               ? CUZK_OK
               : error_set(err, CUZK_ERR_MEMORY, "snapshot: no memory");
}

static int open_http(void **unused)
{
    const http_options_t options = {"127.0.0.1:0", take, NULL, MAX_CONNECTIONS};
    cuzk_error err;

    (void)unused;
    return http_open(&http, &options, &err) == CUZK_OK ? 0 : -1;
}

static int close_http(void **unused)
{
    (void)unused;
    http_close(http);
    return 0;
}

/* ---- a client -------------------------------------------------------------------------------- */

static int connect_to(const http_t *server)
{
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons(http_port(server)),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_true(fd >= 0);
    assert_int_equal(connect(fd, (const struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

/* A server that refuses a request stops reading, and what is sent then fails; its answer comes all
 * the same. */
static void put(int fd, const char *text)
{
    size_t left = strlen(text);

    while (left > 0) {
        const ssize_t n = send(fd, text, left, MSG_NOSIGNAL);

        if (n < 0 && (errno == EPIPE || errno == ECONNRESET)) return;
        assert_true(n > 0);
        text += n;
        left -= (size_t)n;
    }
}

/* Bytes read to buffer[0 ..]; 0 at the end of the stream. */
static size_t get_some(int fd, char *buffer, size_t size)
{
    struct pollfd event = {.fd = fd, .events = POLLIN};
    ssize_t n;

    if (poll(&event, 1, WAIT_MS) != 1) fail_msg("no answer within %d ms", WAIT_MS);
    n = recv(fd, buffer, size, 0);
    if (n < 0 && errno == ECONNRESET) return 0;
    assert_true(n >= 0);
    return (size_t)n;
}

static const char *header(const char *name)
{
    static char value[600];
    const size_t length = strlen(name);

    for (const char *line = strstr(answer, "\r\n"); line != NULL && strncmp(line, "\r\n\r\n", 4);
         line = strstr(line + 2, "\r\n")) {
        if (strncasecmp(line + 2, name, length) != 0 || line[2 + length] != ':') continue;
        (void)snprintf(value, sizeof value, "%.*s", (int)strcspn(line + 4 + length, "\r"),
                       line + 4 + length);
        return value;
    }
    return "";
}

/* One answer, to its end as Content-Length has it (for HEAD: that of the headers). */
static void get_answer(int fd, bool has_body)
{
    size_t n = 0;

    *answer = '\0';
    for (;;) {
        const char *end = strstr(answer, "\r\n\r\n");
        size_t got;

        if (end != NULL && n >= (size_t)(end + 4 - answer) +
                                    (has_body ? strtoul(header("Content-Length"), NULL, 10) : 0))
            return;
        assert_true(n < sizeof answer - 1);
        got = get_some(fd, answer + n, sizeof answer - 1 - n);
        if (got == 0) fail_msg("the stream ended after: %s", answer);
        n += got;
        answer[n] = '\0';
    }
}

static int code(void)
{
    return atoi(answer + strlen("HTTP/1.1 "));
}

static const char *body(void)
{
    return strstr(answer, "\r\n\r\n") + 4;
}

static int ask_with(const char *method, const char *target, const char *more)
{
    const int fd = connect_to(http);
    char request[256];

    (void)snprintf(request, sizeof request, "%s %s HTTP/1.1\r\nHost: a\r\n", method, target);
    put(fd, request);
    put(fd, more);
    put(fd, "\r\n");
    get_answer(fd, strcmp(method, "HEAD") != 0);
    assert_int_equal(close(fd), 0);
    return code();
}

static int ask(const char *method, const char *target)
{
    return ask_with(method, target, "");
}

/* ---- what is answered ------------------------------------------------------------------------ */

static void the_pages_are_there_and_no_others(void **unused)
{
    static const char *const none[] = {"/statusx",    "/status/", "/status%00x",  "/%73tatus",
                                       "/healthz/..", "//",       "/metrics.txt", "/page.js",
                                       "/Status",     "*",        "/status;x",    "/./status"};

    (void)unused;
    assert_int_equal(ask("GET", "/status"), 200);
    assert_string_equal(header("Content-Type"), "application/json");
    assert_string_equal(header("Access-Control-Allow-Origin"), "*");
    assert_int_equal(strncmp(body(), "{\"uptime_secs\":93784.5,", 23), 0);
    assert_int_equal(ask("GET", "/metrics"), 200);
    assert_string_equal(header("Content-Type"), "text/plain; version=0.0.4; charset=utf-8");
    assert_string_equal(header("Access-Control-Allow-Origin"), "");
    assert_non_null(strstr(body(), "\ncuzk_queue_depth 4\n"));
    assert_int_equal(ask("GET", "/healthz"), 200);
    assert_string_equal(body(), "ok\n");
    assert_string_equal(header("Content-Type"), "text/plain; charset=utf-8");
    assert_int_equal(ask("GET", "/"), 200);
    assert_string_equal(header("Content-Type"), "text/html; charset=utf-8");
    assert_non_null(
        strstr(header("Content-Security-Policy"), "default-src 'none'; style-src 'sha"));
    assert_int_equal(strncmp(body(), "<!DOCTYPE html>", 15), 0);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        if (ask("GET", none[i]) != 404) fail_msg("%s gives %d", none[i], code());
        assert_non_null(strstr(body(), "no such page"));
    }
}

static void a_body_changes_nothing(void **unused)
{
    (void)unused;
    assert_int_equal(ask_with("GET", "/healthz", "Content-Length: 3\r\n\r\nabc"), 200);
    assert_int_equal(ask_with("POST", "/healthz", "Content-Length: 1000000000\r\n\r\nabc"), 405);
    assert_string_equal(header("Connection"), "close");
}

static void a_query_changes_nothing(void **unused)
{
    (void)unused;
    assert_int_equal(ask("GET", "/status?a=b&c=%00&d"), 200);
    assert_int_equal(ask("GET", "/?"), 200);
    assert_int_equal(ask("GET", "/statusx?/status"), 404);
}

static void nothing_is_kept_or_guessed(void **unused)
{
    static const char *const targets[] = {"/", "/status", "/metrics", "/healthz", "/nothing"};

    (void)unused;
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        (void)ask("GET", targets[i]);
        assert_string_equal(header("Cache-Control"), "no-store");
        assert_string_equal(header("X-Content-Type-Options"), "nosniff");
    }
}

static void other_methods_are_refused(void **unused)
{
    static const char *const methods[] = {"POST", "PUT", "DELETE", "OPTIONS", "PATCH", "get", "X"};

    (void)unused;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        if (ask_with(methods[i], "/status", "Content-Length: 0\r\n") != 405)
            fail_msg("%s gives %d", methods[i], code());
        assert_string_equal(header("Allow"), "GET, HEAD");
        assert_int_equal(ask_with(methods[i], "/statusx", "Content-Length: 0\r\n"), 404);
    }
}

static void head_is_get_without_its_body(void **unused)
{
    static const char *const targets[] = {"/", "/status", "/metrics", "/healthz"};

    (void)unused;
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        char length[32], type[64];
        int fd;

        assert_int_equal(ask("GET", targets[i]), 200);
        (void)snprintf(length, sizeof length, "%zu", strlen(body()));
        (void)snprintf(type, sizeof type, "%s", header("Content-Type"));
        assert_string_equal(header("Content-Length"), length);
        fd = connect_to(http);
        put(fd, "HEAD ");
        put(fd, targets[i]);
        put(fd, " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        get_answer(fd, false);
        assert_int_equal(code(), 200);
        assert_string_equal(header("Content-Length"), length);
        assert_string_equal(header("Content-Type"), type);
        assert_string_equal(body(), "");
        assert_int_equal(get_some(fd, answer, 1), 0); /* and nothing comes after it */
        assert_int_equal(close(fd), 0);
    }
}

static void health_tells_a_daemon_that_drains(void **unused)
{
    (void)unused;
    atomic_store(&shown, "draining");
    assert_int_equal(ask("GET", "/healthz"), 503);
    assert_string_equal(body(), "draining\n");
    assert_int_equal(ask("GET", "/status"), 200);
    atomic_store(&shown, "busy");
    assert_int_equal(ask("GET", "/healthz"), 200);
}

static void a_snapshot_that_fails_is_an_error(void **unused)
{
    (void)unused;
    atomic_store(&shown, "");
    assert_int_equal(ask("GET", "/status"), 500);
    assert_string_equal(body(), "snapshot: no memory");
    assert_int_equal(ask("GET", "/healthz"), 500);
    assert_int_equal(ask("GET", "/"), 200);
    atomic_store(&shown, "busy");
}

/* ---- connections ----------------------------------------------------------------------------- */

static void a_request_may_come_in_pieces(void **unused)
{
    static const char request[] = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";
    const int fd = connect_to(http);

    (void)unused;
    for (size_t i = 0; request[i] != '\0'; i++) {
        put(fd, (const char[]){request[i], '\0'});
        (void)usleep(1000);
    }
    get_answer(fd, true);
    assert_int_equal(code(), 200);
    assert_int_equal(close(fd), 0);
}

static void a_connection_may_be_used_again(void **unused)
{
    const int fd = connect_to(http);

    (void)unused;
    for (int i = 0; i < 20; i++) {
        put(fd, "GET /status HTTP/1.1\r\nHost: a\r\n\r\n");
        get_answer(fd, true);
        assert_int_equal(code(), 200);
    }
    assert_int_equal(close(fd), 0);
}

/* Headers of `bytes` bytes in lines of 64. */
static int ask_with_headers(size_t bytes)
{
    char *lines = calloc(bytes + 64, 1);
    int result;

    assert_non_null(lines);
    for (size_t i = 0; i + 64 <= bytes; i += 64)
        (void)sprintf(lines + i, "X-%05u: %053d\r\n", (unsigned)(i / 64) % 100000, 0);
    result = ask_with("GET", "/healthz", lines);
    free(lines);
    return result;
}

static void large_headers_are_taken_and_larger_ones_refused(void **unused)
{
    char *line = calloc(8192 + 16, 1);

    (void)unused;
    assert_non_null(line);
    (void)memcpy(line, "X: ", 3);
    (void)memset(line + 3, 'x', 8192 - 5);
    (void)memcpy(line + 8192 - 2, "\r\n", 2);
    assert_int_equal(ask_with("GET", "/healthz", line), 200);
    free(line);
    assert_int_equal(ask_with_headers(8192), 200);
    assert_int_equal(ask_with_headers(128 << 10), 431);
}

static void bad_requests_get_an_answer_or_are_cut_off(void **unused)
{
    static const char *const bad[] = {"\r\n\r\n\r\n",
                                      "GET\r\n\r\n",
                                      "GET /status\r\n\r\n",
                                      "GET /status HTTP/9.9\r\n\r\n",
                                      "GET /status HTTP/1.1\r\n\r\n", /* without Host */
                                      "\x16\x03\x01\x02\x01\r\n\r\n"};

    (void)unused;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const int fd = connect_to(http);
        size_t n;

        put(fd, bad[i]);
        assert_int_equal(shutdown(fd, SHUT_WR), 0);
        n = get_some(fd, answer, sizeof answer - 1);
        answer[n] = '\0';
        if (n > 0 && (strncmp(answer, "HTTP/1.", 7) != 0 || code() < 400 || code() > 505))
            fail_msg("request %zu: %s", i, answer);
        assert_int_equal(close(fd), 0);
    }
    assert_int_equal(ask("GET", "/healthz"), 200);
}

/* Clients that send half a request, or none, or read nothing: as many as there are places, and
 * more. */
static void slow_clients_keep_nobody_out(void **unused)
{
    static const char *const parts[] = {
        "", "GET /sta", "GET /status HTTP/1.1\r\nHost:", "GET /status HTTP/1.1\r\nHost: a\r\n\r\n"};
    int slow[3 * MAX_CONNECTIONS];

    (void)unused;
    for (size_t i = 0; i < 3 * MAX_CONNECTIONS; i++) {
        slow[i] = connect_to(http);
        put(slow[i], parts[i % 4]);
        if (i % MAX_CONNECTIONS == 0) assert_int_equal(ask("GET", "/healthz"), 200);
    }
    for (int i = 0; i < 20; i++) {
        const uint64_t before_ns = clock_monotonic_ns();

        assert_int_equal(ask("GET", "/healthz"), 200);
        assert_true(clock_seconds_between(before_ns, clock_monotonic_ns()) < 2);
    }
    for (size_t i = 0; i < 3 * MAX_CONNECTIONS; i++) assert_int_equal(close(slow[i]), 0);
}

static void the_one_that_is_idle_longest_makes_room(void **unused)
{
    int idle[MAX_CONNECTIONS];
    char byte;

    (void)unused;
    for (size_t i = 0; i < MAX_CONNECTIONS; i++) {
        idle[i] = connect_to(http);
        put(idle[i], "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
        get_answer(idle[i], true);
    }
    put(idle[0], "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"); /* now the second is the one */
    get_answer(idle[0], true);
    assert_int_equal(ask("GET", "/healthz"), 200);
    assert_int_equal(get_some(idle[1], &byte, 1), 0);
    for (size_t i = 0; i < MAX_CONNECTIONS; i++) {
        if (i != 1) {
            put(idle[i], "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
            get_answer(idle[i], true);
            assert_int_equal(code(), 200);
        }
        assert_int_equal(close(idle[i]), 0);
    }
}

static void *ask_often(void *failures)
{
    for (int i = 0; i < 100; i++) {
        const int fd = connect_to(http);
        char start[16] = "";

        put(fd, "GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        if (recv(fd, start, sizeof start - 1, MSG_WAITALL) != sizeof start - 1 ||
            strncmp(start, "HTTP/1.1 200", 12) != 0)
            atomic_fetch_add((atomic_int *)failures, 1);
        (void)close(fd);
    }
    return NULL;
}

static void several_clients_are_served_at_once(void **unused)
{
    pthread_t threads[4];
    atomic_int failures = 0;

    (void)unused;
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask_often, &failures), 0);
    for (size_t i = 0; i < 4; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(atomic_load(&failures), 0);
}

static void it_can_be_closed_with_clients_there(void **unused)
{
    const http_options_t options = {"127.0.0.1:0", take, NULL, MAX_CONNECTIONS};
    cuzk_error err;
    http_t *other;
    char byte;
    int fd;

    (void)unused;
    assert_int_equal(http_open(&other, &options, &err), CUZK_OK);
    fd = connect_to(other);
    put(fd, "GET /status HT");
    http_close(other);
    assert_int_equal(get_some(fd, &byte, 1), 0);
    assert_int_equal(close(fd), 0);
    http_close(NULL);
}

/* ---- addresses ------------------------------------------------------------------------------- */

static void expect_address(const char *address, cuzk_status status, const char *words)
{
    const http_options_t options = {address, take, NULL, MAX_CONNECTIONS};
    cuzk_error err;
    http_t *other;

    if (http_open(&other, &options, &err) != status) fail_msg("%s: %s", address, err.text);
    if (status == CUZK_OK) {
        assert_int_not_equal(http_port(other), 0);
        http_close(other);
        return;
    }
    assert_null(other);
    assert_int_equal(err.status, status);
    if (strstr(err.text, words) == NULL) fail_msg("%s: %s", address, err.text);
}

static void addresses_are_taken_or_named(void **unused)
{
    char taken[32];

    (void)unused;
    expect_address("localhost:0", CUZK_OK, "");
    expect_address("0.0.0.0:0", CUZK_OK, "");
    expect_address("", CUZK_ERR_ARG, "\"\" is not HOST:PORT");
    expect_address("9821", CUZK_ERR_ARG, "\"9821\" is not HOST:PORT");
    expect_address(":9821", CUZK_ERR_ARG, "is not HOST:PORT");
    expect_address("127.0.0.1", CUZK_ERR_ARG, "is not HOST:PORT");
    expect_address("127.0.0.1:", CUZK_ERR_ARG, "port \"\" is not a number of 0 to 65535");
    expect_address("127.0.0.1:65536", CUZK_ERR_ARG, "port \"65536\"");
    expect_address("127.0.0.1:000080", CUZK_ERR_ARG, "port \"000080\"");
    expect_address("127.0.0.1:-1", CUZK_ERR_ARG, "port \"-1\"");
    expect_address("127.0.0.1:http", CUZK_ERR_ARG, "port \"http\"");
    expect_address("::1:9821", CUZK_ERR_ARG, "brackets");
    expect_address("[]:0", CUZK_ERR_ARG, "host name of 0 characters");
    expect_address("no-such-host.invalid:0", CUZK_ERR_ARG, "host \"no-such-host.invalid\"");
    expect_address("192.0.2.1:0", CUZK_ERR_ARG, "192.0.2.1:0 is no address of this machine");
    (void)snprintf(taken, sizeof taken, "127.0.0.1:%u", http_port(http));
    expect_address(taken, CUZK_ERR_BUSY, "another program has the port");
    (void)snprintf(taken, sizeof taken, "localhost:%u", http_port(http));
    expect_address(taken, CUZK_ERR_BUSY, "another program has the port");
}

static void a_number_of_connections_is_wanted(void **unused)
{
    http_options_t options = {"127.0.0.1:0", take, NULL, 0};
    cuzk_error err;
    http_t *other;

    (void)unused;
    assert_int_equal(http_open(&other, &options, &err), CUZK_ERR_ARG);
    options.max_connections = 1025;
    assert_int_equal(http_open(&other, &options, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "1025, 1 to 1024 allowed"));
}

static void version_6_addresses_are_taken(void **unused)
{
    const int fd = socket(AF_INET6, SOCK_STREAM, 0);
    const struct sockaddr_in6 address = {.sin6_family = AF_INET6,
                                         .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    const bool is_there =
        fd >= 0 && bind(fd, (const struct sockaddr *)&address, sizeof address) == 0;

    (void)unused;
    if (fd >= 0) (void)close(fd);
    if (!is_there) skip();
    expect_address("[::1]:0", CUZK_OK, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_pages_are_there_and_no_others),
        cmocka_unit_test(a_body_changes_nothing),
        cmocka_unit_test(a_query_changes_nothing),
        cmocka_unit_test(nothing_is_kept_or_guessed),
        cmocka_unit_test(other_methods_are_refused),
        cmocka_unit_test(head_is_get_without_its_body),
        cmocka_unit_test(health_tells_a_daemon_that_drains),
        cmocka_unit_test(a_snapshot_that_fails_is_an_error),
        cmocka_unit_test(a_request_may_come_in_pieces),
        cmocka_unit_test(a_connection_may_be_used_again),
        cmocka_unit_test(large_headers_are_taken_and_larger_ones_refused),
        cmocka_unit_test(bad_requests_get_an_answer_or_are_cut_off),
        cmocka_unit_test(slow_clients_keep_nobody_out),
        cmocka_unit_test(the_one_that_is_idle_longest_makes_room),
        cmocka_unit_test(several_clients_are_served_at_once),
        cmocka_unit_test(it_can_be_closed_with_clients_there),
        cmocka_unit_test(addresses_are_taken_or_named),
        cmocka_unit_test(a_number_of_connections_is_wanted),
        cmocka_unit_test(version_6_addresses_are_taken),
    };

    return cmocka_run_group_tests(tests, open_http, close_http);
}
