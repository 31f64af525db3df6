/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "rpc/address.h"
#include "rpc/listener.h"
#include "rpc/test_server.h"

static char folder[32], path[64];

static int make_folder(void **unused)
{
    (void)unused;
    (void)strcpy(folder, "/tmp/cuzk-rpc-test-XXXXXX");
    if (mkdtemp(folder) == NULL) return 1;
    (void)snprintf(path, sizeof path, "%s/socket", folder);
    return 0;
}

static int remove_folder(void **unused)
{
    (void)unused;
    return rmdir(folder);
}

static cuzk_status open_at(listener_t *listener, const char *text, uint32_t mode, const char *owner,
                           bool is_guarded, cuzk_error *err)
{
    const listener_options_t options = {mode, owner, is_guarded};
    address_t address;

    *listener = (listener_t){.n = 0};
    if (address_parse(&address, text, err) != CUZK_OK) return err->status;
    return listener_open(listener, &address, &options, err);
}

static cuzk_status open_unix(listener_t *listener, uint32_t mode, const char *owner,
                             cuzk_error *err)
{
    char text[80];

    (void)snprintf(text, sizeof text, "unix://%s", path);
    return open_at(listener, text, mode, owner, false, err);
}

static void addresses_are_read(void **unused)
{
    static const struct {
        const char *text, *path, *host;
        uint16_t port;
        address_scheme scheme;
    } rows[] = {{"unix:///run/curio/cuzk.sock", "/run/curio/cuzk.sock", "", 0, ADDRESS_PLAIN},
                {"unix:/run/x", "/run/x", "", 0, ADDRESS_PLAIN},
                {"unix:x.sock", "x.sock", "", 0, ADDRESS_PLAIN},
                {"127.0.0.1:9820", "", "127.0.0.1", 9820, ADDRESS_PLAIN},
                {"localhost:0", "", "localhost", 0, ADDRESS_PLAIN},
                {":65535", "", "", 65535, ADDRESS_PLAIN},
                {"[::1]:1", "", "::1", 1, ADDRESS_PLAIN},
                {"http://127.0.0.1:9820", "", "127.0.0.1", 9820, ADDRESS_HTTP},
                {"https://prover.example:443", "", "prover.example", 443, ADDRESS_HTTPS}};
    address_t address;
    cuzk_error err;

    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(address_parse(&address, rows[i].text, &err), CUZK_OK);
        assert_int_equal(address.is_unix, *rows[i].path != '\0');
        assert_string_equal(address.path, rows[i].path);
        assert_string_equal(address.host, rows[i].host);
        assert_int_equal(address.port, rows[i].port);
        assert_int_equal(address.scheme, rows[i].scheme);
    }
}

static void bad_addresses_are_named(void **unused)
{
    static const char *const rows[][2] = {
        {"", "neither HOST:PORT nor unix:///PATH"},
        {"localhost", "neither HOST:PORT nor unix:///PATH"},
        {"/run/cuzk.sock", "neither HOST:PORT nor unix:///PATH"},
        {"http://host:1/path", "neither HOST:PORT nor unix:///PATH"},
        {"unix:", "has no path"},
        {"unix://", "has no path"},
        {"unix://relative", "write unix:///PATH"},
        {"unix-abstract:name", "neither owner nor mode"},
        {"localhost:", "port \"\" is not a number"},
        {"localhost:http", "port \"http\" is not a number"},
        {"localhost:-1", "port \"-1\" is not a number"},
        {"localhost:1x", "port \"1x\" is not a number"},
        {"localhost:65536", "port 65536, 65535 is the largest"},
        {"localhost:99999999999999999999", "65535 is the largest"},
        {"::1:9820", "stands in brackets"},
        {"[::1:9820", "no ] before the port"},
        {"[::1]9820", "no ] before the port"}};
    char text[400], expected[64];
    address_t address;
    cuzk_error err;

    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(address_parse(&address, rows[i][0], &err), CUZK_ERR_ARG);
        assert_non_null(strstr(err.text, rows[i][1]));
        (void)snprintf(expected, sizeof expected, "address %s:", rows[i][0]);
        assert_ptr_equal(strstr(err.text, expected), err.text);
    }
    (void)memset(text, 'a', sizeof text);
    (void)strcpy(text + 300, ":1");
    assert_int_equal(address_parse(&address, text, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "host has 300 characters, 255 allowed"));
    (void)memcpy(text, "unix:", 5);
    (void)strcpy(text + 5 + 108, "");
    assert_int_equal(address_parse(&address, text, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "path has 108 bytes, 107 allowed"));
}

static void a_socket_has_the_mode_that_is_asked_for(void **unused)
{
    static const mode_t modes[] = {0600, 0660, 0666};
    const mode_t mask = umask(0077);
    listener_t listener;
    struct stat st;
    cuzk_error err;

    (void)unused;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        assert_int_equal(open_unix(&listener, modes[i], NULL, &err), CUZK_OK);
        assert_int_equal(stat(path, &st), 0);
        assert_int_equal(st.st_mode, S_IFSOCK | modes[i]);
        assert_int_equal(st.st_uid, geteuid());
        listener_close(&listener);
        assert_int_equal(access(path, F_OK), -1);
    }
    (void)umask(mask);
    assert_int_equal(open_unix(&listener, 01777, NULL, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "socket_mode: 01777"));
    assert_int_equal(open_unix(&listener, 0, NULL, &err), CUZK_ERR_ARG);
    assert_int_equal(access(path, F_OK), -1);
}

static void a_socket_has_the_owner_that_is_asked_for(void **unused)
{
    static const char *const unknown[] = {"nobody-by-that-name", "root:no-such-group", ":", "",
                                          ":99999999999",        "4294967295"};
    listener_t listener;
    struct stat st;
    cuzk_error err;
    char own[64];

    (void)unused;
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        assert_int_equal(open_unix(&listener, 0600, unknown[i], &err), CUZK_ERR_ARG);
        assert_non_null(strstr(err.text, "socket_owner"));
        assert_int_equal(access(path, F_OK), -1);
    }
    (void)snprintf(own, sizeof own, "%u:%u", geteuid(), getegid());
    assert_int_equal(open_unix(&listener, 0600, own, &err), CUZK_OK);
    listener_close(&listener);
    if (geteuid() != 0) return;
    assert_int_equal(open_unix(&listener, 0600, "daemon:daemon", &err), CUZK_OK);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_uid, 1);
    assert_int_equal(st.st_gid, 1);
    listener_close(&listener);
    assert_int_equal(open_unix(&listener, 0600, ":1", &err), CUZK_OK);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_uid, 0);
    assert_int_equal(st.st_gid, 1);
    listener_close(&listener);
}

static void a_live_socket_is_refused_and_a_stale_one_replaced(void **unused)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    listener_t first, second;
    cuzk_error err;

    (void)unused;
    assert_int_equal(open_unix(&first, 0600, NULL, &err), CUZK_OK);
    assert_int_equal(open_unix(&second, 0600, NULL, &err), CUZK_ERR_BUSY);
    assert_non_null(strstr(err.text, path));
    assert_non_null(strstr(err.text, "answers there already"));
    assert_int_equal(access(path, F_OK), 0);
    listener_close(&first);

    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    (void)strcpy(address.sun_path, path);
    assert_int_equal(bind(fd, (const struct sockaddr *)&address, sizeof address), 0);
    (void)close(fd); /* a server that was killed leaves its file */
    assert_int_equal(open_unix(&first, 0600, NULL, &err), CUZK_OK);

    assert_int_equal(unlink(path), 0); /* another takes the place: the first leaves it alone */
    assert_int_equal(open_unix(&second, 0600, NULL, &err), CUZK_OK);
    listener_close(&first);
    assert_int_equal(access(path, F_OK), 0);
    listener_close(&second);
    assert_int_equal(access(path, F_OK), -1);
}

static void a_file_in_the_way_is_left_alone(void **unused)
{
    listener_t listener;
    cuzk_error err;
    const int fd = open(path, O_CREAT | O_WRONLY, 0600);

    (void)unused;
    (void)close(fd);
    assert_int_equal(open_unix(&listener, 0600, NULL, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "a file that is not a socket"));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(open_at(&listener, "unix:///no/such/folder/socket", 0600, NULL, false, &err),
                     CUZK_ERR_MISSING);
    assert_non_null(strstr(err.text, "/no/such/folder"));
}

static void ports_are_bound_once(void **unused)
{
    listener_t first, second;
    cuzk_error err;

    (void)unused;
    assert_int_equal(open_at(&first, "localhost:0", 0, NULL, false, &err), CUZK_OK);
    assert_ptr_equal(strstr(first.text, "localhost:"), first.text);
    assert_string_not_equal(first.text, "localhost:0");
    assert_int_equal(open_at(&second, first.text, 0, NULL, false, &err), CUZK_ERR_BUSY);
    assert_non_null(strstr(err.text, first.text));
    listener_close(&first);
    assert_int_equal(open_at(&first, "127.0.0.1:0", 0, NULL, false, &err), CUZK_OK);
    listener_close(&first);
    assert_int_equal(open_at(&first, "no-such-host.invalid:1", 0, NULL, false, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "no-such-host.invalid:1"));
    assert_int_equal(open_at(&first, "203.0.113.1:1", 0, NULL, true, &err), CUZK_ERR_IO);
    assert_non_null(strstr(err.text, "203.0.113.1:1"));
}

static void other_machines_need_a_guard(void **unused)
{
    static const char *const open[] = {"0.0.0.0:0", ":0", "[::]:0", "203.0.113.1:9820"};
    listener_t listener;
    cuzk_error err;

    (void)unused;
    for (size_t i = 0; i < sizeof open / sizeof *open; i++) {
        assert_int_equal(open_at(&listener, open[i], 0, NULL, false, &err), CUZK_ERR_ARG);
        assert_non_null(strstr(err.text, "tls_certificate"));
        assert_non_null(strstr(err.text, "token_file or tls_client_ca"));
    }
    assert_int_equal(open_at(&listener, ":0", 0, NULL, true, &err), CUZK_OK);
    listener_close(&listener);
}

/* Through a port of this machine, by a name and by both sorts of numbers. */
static void ports_are_served(void **unused)
{
    static const char *const at[] = {"localhost:0", "127.0.0.1:0", "[::1]:0"};
    char address[320];
    cuzk_error err;

    (void)unused;
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        test_server_t server;
        rpc_server_options_t options = test_server_options(&server);

        options.address = at[i];
        const cuzk_status status = rpc_server_open(&server.rpc, &options, &err);
        if (status == CUZK_OK) {
            (void)snprintf(address, sizeof address, "%s%s", i == 1 ? "http://" : "",
                           rpc_server_address(server.rpc));
            rpc_client_t *client = test_client(address);
            assert_int_equal(test_submit(client, "by port", 3 << 20, &err), GRPC_STATUS_OK);
            rpc_client_close(client);
        } else { /* a machine without IPv6 */
            assert_int_equal(i, 2);
            assert_int_equal(status, CUZK_ERR_IO);
        }
        test_server_close(&server, 0);
    }
}

static void options_are_checked(void **unused)
{
    test_server_t server;
    const rpc_server_options_t right = test_server_options(&server);
    rpc_server_options_t options = right;
    cuzk_error err;

    (void)unused;
    options.max_message_bytes = 0;
    assert_int_equal(rpc_server_open(&server.rpc, &options, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "max_message_bytes: 0"));
    options = right;
    options.n_workers = 0;
    assert_int_equal(rpc_server_open(&server.rpc, &options, &err), CUZK_ERR_ARG);
    options = right;
    options.address = "https://localhost:0";
    assert_int_equal(rpc_server_open(&server.rpc, &options, &err), CUZK_ERR_ARG);
    options = right;
    options.descriptor_length /= 2;
    assert_int_equal(rpc_server_open(&server.rpc, &options, &err), CUZK_ERR_FORMAT);
    assert_non_null(strstr(err.text, "descriptor"));
    assert_null(server.rpc);
    test_server_close(&server, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_are_read),
        cmocka_unit_test(bad_addresses_are_named),
        cmocka_unit_test(a_socket_has_the_mode_that_is_asked_for),
        cmocka_unit_test(a_socket_has_the_owner_that_is_asked_for),
        cmocka_unit_test(a_live_socket_is_refused_and_a_stale_one_replaced),
        cmocka_unit_test(a_file_in_the_way_is_left_alone),
        cmocka_unit_test(ports_are_bound_once),
        cmocka_unit_test(other_machines_need_a_guard),
        cmocka_unit_test(ports_are_served),
        cmocka_unit_test(options_are_checked),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
