/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <arpa/inet.h>
#include <cmocka.h>
#include <glob.h>
#include <netinet/in.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rpc/test_server.h"
#include "rpc/test_wire.h"

/* ---- certificates -----------------------------------------------------------------------------
 */

static char folder[32];
static char ca[64], ca_key[64], other_ca[64], other_ca_key[64];
static char server_pem[64], server_key[64], client_pem[64], client_key[64];
static char other_pem[64], other_key[64], token[64], wrong_token[64];

static const struct {
    char *path;
    const char *name;
} FILES[] = {{ca, "ca.pem"},
             {ca_key, "ca.key"},
             {other_ca, "other-ca.pem"},
             {other_ca_key, "oca.key"},
             {server_pem, "server.pem"},
             {server_key, "server.key"},
             {client_pem, "client.pem"},
             {client_key, "client.key"},
             {other_pem, "other.pem"},
             {other_key, "other.key"},
             {token, "token"},
             {wrong_token, "wrong"}};

static void write_text(const char *path, const char *text, mode_t mode)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, mode), 0);
}

typedef struct {
    X509 *certificate;
    EVP_PKEY *key;
} identity_t;

static void add_extension(X509 *to, int kind, const char *value)
{
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, NULL, kind, value);

    assert_non_null(extension);
    assert_int_equal(X509_add_ext(to, extension, -1), 1);
    X509_EXTENSION_free(extension);
}

/* signer NULL: it signs itself, and may sign others. */
static identity_t make_identity(const char *pem, const char *key, const char *name,
                                const identity_t *signer)
{
    const identity_t made = {X509_new(), EVP_EC_gen("P-256")};
    X509_NAME *subject = X509_get_subject_name(made.certificate);
    FILE *file;

    (void)X509_set_version(made.certificate, 2);
    (void)ASN1_INTEGER_set(X509_get_serialNumber(made.certificate), (long)strlen(pem));
    (void)X509_gmtime_adj(X509_getm_notBefore(made.certificate), -3600);
    (void)X509_gmtime_adj(X509_getm_notAfter(made.certificate), 3600);
    (void)X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, (const uint8_t *)name, -1, -1, 0);
    (void)X509_set_issuer_name(
        made.certificate, signer == NULL ? subject : X509_get_subject_name(signer->certificate));
    (void)X509_set_pubkey(made.certificate, made.key);
    if (signer == NULL)
        add_extension(made.certificate, NID_basic_constraints, "critical,CA:TRUE");
    else
        add_extension(made.certificate, NID_subject_alt_name, "DNS:localhost,IP:127.0.0.1");
    assert_true(X509_sign(made.certificate, signer == NULL ? made.key : signer->key, EVP_sha256()) >
                0);
    file = fopen(pem, "w");
    assert_int_equal(PEM_write_X509(file, made.certificate), 1);
    (void)fclose(file);
    file = fopen(key, "w");
    assert_int_equal(PEM_write_PrivateKey(file, made.key, NULL, NULL, 0, NULL, NULL), 1);
    (void)fclose(file);
    assert_int_equal(chmod(key, 0600), 0);
    return made;
}

static void free_identity(identity_t identity)
{
    X509_free(identity.certificate);
    EVP_PKEY_free(identity.key);
}

static int make_files(void **unused)
{
    (void)unused;
    (void)strcpy(folder, "/tmp/cuzk-rpc-tls-XXXXXX");
    if (mkdtemp(folder) == NULL) return 1;
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++)
        (void)snprintf(FILES[i].path, sizeof ca, "%s/%s", folder, FILES[i].name);
    const identity_t authority = make_identity(ca, ca_key, "authority", NULL);
    const identity_t other = make_identity(other_ca, other_ca_key, "other authority", NULL);
    free_identity(make_identity(server_pem, server_key, "server", &authority));
    free_identity(make_identity(client_pem, client_key, "client", &authority));
    free_identity(make_identity(other_pem, other_key, "other", &other));
    free_identity(authority);
    free_identity(other);
    write_text(token, "s3cret-token\nand a second line\n", 0600);
    write_text(wrong_token, "s3cret-tokem", 0644);
    return 0;
}

static int remove_files(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) (void)unlink(FILES[i].path);
    return rmdir(folder);
}

/* ---- calls ------------------------------------------------------------------------------------
 */

static grpc_status_code submit(const rpc_client_options_t *options, size_t n, cuzk_error *err)
{
    rpc_client_t *client;

    if (rpc_client_open(&client, options, err) != CUZK_OK) fail_msg("%s", err->text);
    const grpc_status_code code = test_submit(client, "through TLS", n, err);
    rpc_client_close(client);
    return code;
}

static size_t inner_folders(void)
{
    glob_t found;
    const size_t n = glob("/tmp/cuzk-rpc-*/tls", 0, NULL, &found) == 0 ? found.gl_pathc : 0;

    globfree(&found);
    return n;
}

static void tls_and_a_token(void **unused)
{
    test_server_t server;
    rpc_server_options_t options = test_server_options(&server);
    const size_t n_folders = inner_folders();
    char https[330], http[330];
    cuzk_error err;

    (void)unused;
    options.address = ":0"; /* all interfaces: what needs both */
    options.tls_certificate = server_pem;
    options.tls_key = server_key;
    options.token_file = token;
    test_server_open(&server, &options);
    assert_int_equal(inner_folders(), n_folders + 1);
    (void)snprintf(https, sizeof https, "https://127.0.0.1%s", rpc_server_address(server.rpc));
    (void)snprintf(http, sizeof http, "http://127.0.0.1%s", rpc_server_address(server.rpc));
    rpc_client_options_t client = {.address = https, .token_file = token, .tls_ca = ca};
    for (size_t n = 1; n <= 20 << 20; n *= 27)
        assert_int_equal(submit(&client, n, &err), GRPC_STATUS_OK);
    client.token_file = wrong_token;
    assert_int_equal(submit(&client, 10 << 20, &err), GRPC_STATUS_UNAUTHENTICATED);
    assert_non_null(strstr(err.text, "authorization: Bearer TOKEN"));
    assert_null(strstr(err.text, "s3cret"));
    client.token_file = NULL;
    assert_int_equal(submit(&client, 1, &err), GRPC_STATUS_UNAUTHENTICATED);
    assert_int_equal(err.status, CUZK_ERR_ARG);
    client = (rpc_client_options_t){.address = https, .token_file = token, .tls_ca = other_ca};
    assert_int_equal(submit(&client, 1, &err), GRPC_STATUS_UNAVAILABLE);
    client = (rpc_client_options_t){.address = http, .token_file = token};
    assert_int_equal(submit(&client, 1, &err), GRPC_STATUS_UNAVAILABLE);
    for (int i = 0; i < 500 && rpc_server_stats(server.rpc).connections > 0; i++) test_sleep_ms(10);
    assert_int_equal(rpc_server_stats(server.rpc).connections, 0);
    test_server_close(&server, 0);
    assert_int_equal(inner_folders(), n_folders);
}

static void tls_and_client_certificates(void **unused)
{
    test_server_t server;
    rpc_server_options_t options = test_server_options(&server);
    char https[330];
    cuzk_error err;

    (void)unused;
    options.address = "localhost:0";
    options.tls_certificate = server_pem;
    options.tls_key = server_key;
    options.tls_client_ca = ca;
    test_server_open(&server, &options);
    (void)snprintf(https, sizeof https, "https://%s", rpc_server_address(server.rpc));
    rpc_client_options_t client = {.address = https, .tls_ca = ca};
    assert_int_equal(submit(&client, 1, &err), GRPC_STATUS_UNAVAILABLE);
    client.tls_certificate = client_pem;
    client.tls_key = client_key;
    assert_int_equal(submit(&client, 1 << 20, &err), GRPC_STATUS_OK);
    client.tls_certificate = other_pem;
    client.tls_key = other_key;
    assert_int_equal(submit(&client, 1, &err), GRPC_STATUS_UNAVAILABLE);
    assert_int_equal(test_served(&server), 1);
    test_server_close(&server, 0);
}

static int connect_to_port(const char *address)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int fd = socket(AF_INET, SOCK_STREAM, 0);

    to.sin_port = htons((uint16_t)atoi(strrchr(address, ':') + 1));
    assert_int_equal(connect(fd, (const struct sockaddr *)&to, sizeof to), 0);
    return fd;
}

static void connections_with_tls_are_bounded_too(void **unused)
{
    enum { MOST = 3, MORE = 12 };
    test_server_t server;
    rpc_server_options_t options = test_server_options(&server);
    int fds[MORE];
    char https[330];
    cuzk_error err;

    (void)unused;
    options.address = "127.0.0.1:0";
    options.tls_certificate = server_pem;
    options.tls_key = server_key;
    options.max_connections = MOST;
    options.opening_ms = 1000;
    test_server_open(&server, &options);
    (void)snprintf(https, sizeof https, "https://%s", rpc_server_address(server.rpc));
    for (int i = 0; i < MORE; i++) { /* that begin a handshake and say no more */
        fds[i] = connect_to_port(https);
        (void)wire_send(fds[i], "\x16\x03\x01", 3);
    }
    for (int i = MOST; i < MORE; i++) assert_true(wire_is_closed_within(fds[i], 500));
    assert_int_equal(rpc_server_stats(server.rpc).connections, MOST);
    for (int i = 0; i < MOST; i++) assert_true(wire_is_closed_within(fds[i], 10000));
    for (int i = 0; i < MORE; i++) (void)close(fds[i]);
    const int wrong = connect_to_port(https);
    (void)wire_begin(wrong); /* clear text; it may be closed in the middle of it */
    assert_true(wire_is_closed_within(wrong, 5000));
    (void)close(wrong);
    const rpc_client_options_t client = {.address = https, .tls_ca = ca};
    assert_int_equal(submit(&client, 1, &err), GRPC_STATUS_OK);
    test_server_close(&server, 0);
}

/* ---- files ------------------------------------------------------------------------------------
 */

static void expect_refused(rpc_server_options_t options, cuzk_status status, const char *text)
{
    rpc_server_t *server;
    cuzk_error err;

    options.address = "127.0.0.1:0";
    assert_int_equal(rpc_server_open(&server, &options, &err), status);
    assert_null(server);
    if (strstr(err.text, text) == NULL) fail_msg("%s", err.text);
}

static void tokens_are_checked(void **unused)
{
    static const struct {
        const char *text, *complaint;
        mode_t mode;
        cuzk_status status;
    } rows[] = {{"", "first line has 0 bytes", 0600, CUZK_ERR_FORMAT},
                {"\nsecond", "first line has 0 bytes", 0600, CUZK_ERR_FORMAT},
                {"two words\n", "visible ASCII", 0600, CUZK_ERR_FORMAT},
                {"t\xc3\xa4st\n", "visible ASCII", 0600, CUZK_ERR_FORMAT},
                {"good\n", "mode 0620", 0620, CUZK_ERR_ARG},
                {"good\n", "mode 0602", 0602, CUZK_ERR_ARG}};
    test_server_t server;
    rpc_server_options_t options = test_server_options(&server);
    char path[64], https[] = "http://203.0.113.1:1";
    rpc_client_options_t client = {.address = https, .token_file = path};
    rpc_client_t *opened;
    cuzk_error err;

    (void)unused;
    (void)snprintf(path, sizeof path, "%s/try", folder);
    options.token_file = path;
    expect_refused(options, CUZK_ERR_MISSING, path);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        write_text(path, rows[i].text, rows[i].mode);
        expect_refused(options, rows[i].status, rows[i].complaint);
        expect_refused(options, rows[i].status, "token_file");
    }
    write_text(path, "good", 0644);
    assert_int_equal(rpc_client_open(&opened, &client, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "clear text"));

    test_server_open(&server, &options); /* a token without TLS, on this machine */
    client.address = server.address;
    assert_int_equal(submit(&client, 1, &err), GRPC_STATUS_OK);
    client.token_file = NULL;
    assert_int_equal(submit(&client, 1, &err), GRPC_STATUS_UNAUTHENTICATED);
    test_server_close(&server, 0);
    assert_int_equal(unlink(path), 0);
}

static void certificates_are_checked(void **unused)
{
    test_server_t server;
    const rpc_server_options_t plain = test_server_options(&server);
    rpc_server_options_t options = plain;
    rpc_client_t *client;
    cuzk_error err;

    (void)unused;
    options.tls_certificate = server_pem;
    expect_refused(options, CUZK_ERR_ARG, "tls_certificate: is given without tls_key");
    options.tls_key = client_key;
    expect_refused(options, CUZK_ERR_FORMAT, "is not the key of tls_certificate");
    options.tls_key = server_pem;
    expect_refused(options, CUZK_ERR_FORMAT, "has no private key in PEM");
    options.tls_key = "/no/such/file";
    expect_refused(options, CUZK_ERR_MISSING, "tls_key /no/such/file");
    options.tls_key = server_key;
    options.tls_certificate = server_key;
    expect_refused(options, CUZK_ERR_FORMAT, "tls_certificate");
    options.tls_certificate = server_pem;
    options.tls_client_ca = token;
    expect_refused(options, CUZK_ERR_FORMAT, "tls_client_ca");
    options.tls_client_ca = NULL;
    assert_int_equal(chmod(server_key, 0660), 0);
    expect_refused(options, CUZK_ERR_ARG, "others than its owner can write to it");
    assert_int_equal(chmod(server_key, 0600), 0);
    options = plain;
    options.tls_client_ca = ca;
    expect_refused(options, CUZK_ERR_ARG, "tls_client_ca: is given without tls_certificate");

    rpc_client_options_t c = {.address = "https://localhost:1", .tls_ca = token};
    assert_int_equal(rpc_client_open(&client, &c, &err), CUZK_ERR_FORMAT);
    assert_non_null(strstr(err.text, "tls_ca"));
    c = (rpc_client_options_t){.address = "localhost:1", .tls_ca = ca};
    assert_int_equal(rpc_client_open(&client, &c, &err), CUZK_ERR_ARG);
    assert_null(client);
    test_server_close(&server, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tls_and_a_token),
        cmocka_unit_test(tls_and_client_certificates),
        cmocka_unit_test(connections_with_tls_are_bounded_too),
        cmocka_unit_test(tokens_are_checked),
        cmocka_unit_test(certificates_are_checked),
    };

    return cmocka_run_group_tests(tests, make_files, remove_files);
}
