/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "status/answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "codec/base64.h"
#include "status/page.h"

typedef struct MHD_Response response_t;

enum { DIGEST_BYTES = 32 };

/* "'sha256-...'" of a part of the page, whose digest the build has in hex. */
static void source_of(char *source, size_t size, const char *hex)
{
    uint8_t digest[DIGEST_BYTES];
    char text[64];

    if (!bytes_from_hex(digest, DIGEST_BYTES, hex, strlen(hex))) abort(); /* a fault of the build */
    base64_write(text, digest, DIGEST_BYTES);
    (void)snprintf(source, size, "'sha256-%s'", text);
}

void answer_init(answer_t *answer, const http_options_t *options)
{
    char style[80], script[80];

    answer->take = options->take;
    answer->arg = options->arg;
    source_of(style, sizeof style, CUZK_PAGE_STYLE_SHA256);
    source_of(script, sizeof script, CUZK_PAGE_SCRIPT_SHA256);
    (void)snprintf(answer->policy, sizeof answer->policy,
                   "default-src 'none'; style-src %s; script-src %s; connect-src 'self'; img-src "
                   "data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
                   style, script);
}

size_t answer_unescape(void *arg, struct MHD_Connection *connection, char *text)
{
    (void)arg;
    (void)connection;
    return strlen(text);
}

/* ---- responses: NULL without memory ---------------------------------------------------------- */

static response_t *with_header(response_t *response, const char *name, const char *value)
{
    if (response != NULL && MHD_add_response_header(response, name, value) != MHD_YES) {
        MHD_destroy_response(response);
        return NULL;
    }
    return response;
}

static response_t *response_of(void *text, size_t length, enum MHD_ResponseMemoryMode mode,
                               const char *type)
{
    response_t *response = MHD_create_response_from_buffer(length, text, mode);

    if (response == NULL && mode == MHD_RESPMEM_MUST_FREE) free(text);
    response = with_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    response = with_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
    return with_header(response, "X-Content-Type-Options", "nosniff");
}

static response_t *plain(const char *text)
{
    return response_of((char *)(uintptr_t)text, strlen(text), MHD_RESPMEM_MUST_COPY,
                       "text/plain; charset=utf-8");
}

static response_t *made(char *text, const char *type)
{
    return text == NULL ? NULL : response_of(text, strlen(text), MHD_RESPMEM_MUST_FREE, type);
}

static enum MHD_Result send_response(struct MHD_Connection *connection, unsigned code,
                                     response_t *response)
{
    enum MHD_Result result;

    if (response == NULL) return MHD_NO; /* the connection is closed */
    result = MHD_queue_response(connection, code, response);
    MHD_destroy_response(response);
    return result;
}

/* ---- paths ----------------------------------------------------------------------------------- */

typedef response_t *(*answer_make)(unsigned *code, const snapshot_t *snapshot);

static response_t *make_status(unsigned *code, const snapshot_t *snapshot)
{
    (void)code;
    return with_header(made(http_status_json(snapshot), "application/json"),
                       MHD_HTTP_HEADER_ACCESS_CONTROL_ALLOW_ORIGIN, "*");
}

static response_t *make_metrics(unsigned *code, const snapshot_t *snapshot)
{
    (void)code;
    return made(http_metrics_text(snapshot), "text/plain; version=0.0.4; charset=utf-8");
}

static response_t *make_health(unsigned *code, const snapshot_t *snapshot)
{
    if (!snapshot->is_draining) return plain("ok\n");
    *code = MHD_HTTP_SERVICE_UNAVAILABLE;
    return plain("draining\n");
}

static enum MHD_Result send_snapshot(const answer_t *answer, struct MHD_Connection *connection,
                                     answer_make make)
{
    unsigned code = MHD_HTTP_OK;
    snapshot_t snapshot = {0};
    response_t *response;
    cuzk_error err;

    if (answer->take(answer->arg, &snapshot, &err) != CUZK_OK) {
        code = MHD_HTTP_INTERNAL_SERVER_ERROR;
        response = plain(err.text);
    } else {
        response = make(&code, &snapshot);
    }
    snapshot_clear(&snapshot);
    return send_response(connection, code, response);
}

static enum MHD_Result send_page(const answer_t *answer, struct MHD_Connection *connection)
{
    response_t *response =
        response_of((char *)(uintptr_t)status_page, (size_t)(status_page_end - status_page),
                    MHD_RESPMEM_PERSISTENT, "text/html; charset=utf-8");

    response = with_header(response, "Content-Security-Policy", answer->policy);
    response = with_header(response, "Referrer-Policy", "no-referrer");
    return send_response(connection, MHD_HTTP_OK, response);
}

enum MHD_Result answer_request(void *arg, struct MHD_Connection *connection, const char *path,
                               const char *method, const char *version, const char *body,
                               size_t *body_length, void **state)
{
    static const struct {
        const char *path;
        answer_make make; /* NULL: the page */
    } rows[] = {
        {"/", NULL},
        {"/status", make_status},
        {"/metrics", make_metrics},
        {"/healthz", make_health},
    };

    (void)version;
    (void)body;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(path, rows[i].path) != 0) continue;
        if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
            return send_response(connection, MHD_HTTP_METHOD_NOT_ALLOWED,
                                 with_header(plain("only GET and HEAD are answered here\n"),
                                             MHD_HTTP_HEADER_ALLOW, "GET, HEAD"));
        /* An answer to the first of the calls for a request would end the connection. */
        if (*state == NULL || *body_length > 0) {
            *state = arg;
            *body_length = 0; /* a body is read over */
            return MHD_YES;
        }
        return rows[i].make == NULL ? send_page(arg, connection)
                                    : send_snapshot(arg, connection, rows[i].make);
    }
    return send_response(connection, MHD_HTTP_NOT_FOUND,
                         plain("no such page; there are /, /status, /metrics and /healthz\n"));
}
