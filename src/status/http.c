/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "status/http.h"

#include <microhttpd.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "base/memory.h"
#include "status/answer.h"
#include "status/listen.h"

enum {
    IDLE_TIMEOUT_S = 15,
    /* A connection's buffers: headers of 8 KiB and more fit, whatever their number. */
    CONNECTION_BYTES = 48 << 10,
    MOST_CONNECTIONS = 1024
};

/* A connection; those that have finished a request longest ago come first. */
typedef struct client {
    struct client *previous, *next;
    int fd;
} client_t;

/* One thread, libmicrohttpd's, serves all connections and waits for none of them. It alone uses the
 * list. */
struct http {
    struct MHD_Daemon *daemon;
    answer_t answer;
    uint16_t port;
    uint32_t max_clients, n_clients;
    client_t clients; /* the head of a ring */
};

static void leave_ring(client_t *client)
{
    client->previous->next = client->next;
    client->next->previous = client->previous;
    client->previous = client->next = client;
}

static void join_ring(http_t *http, client_t *client)
{
    client->previous = http->clients.previous;
    client->next = &http->clients;
    client->previous->next = client;
    http->clients.previous = client;
}

/* A connection asks to be taken. When all places are, the one that has finished no request for the
 * longest time makes room: neither idle clients nor slow ones can keep others out. */
static enum MHD_Result make_room(void *arg, const struct sockaddr *address, socklen_t length)
{
    http_t *http = arg;
    client_t *first = http->clients.next;

    (void)address;
    (void)length;
    if (http->n_clients < http->max_clients || first == &http->clients) return MHD_YES;
    leave_ring(first);
    http->n_clients--;
    (void)shutdown(first->fd, SHUT_RDWR); /* libmicrohttpd then closes it */
    first->fd = -1;
    return MHD_YES;
}

static void note_connection(void *arg, struct MHD_Connection *connection, void **context,
                            enum MHD_ConnectionNotificationCode code)
{
    http_t *http = arg;
    client_t *client = *context;

    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        *context = client = calloc(1, sizeof *client);
        if (client == NULL) return; /* it is served, and times out when it is idle */
        client->fd =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
        join_ring(http, client);
        http->n_clients++;
    } else if (client != NULL) {
        leave_ring(client);
        if (client->fd >= 0) http->n_clients--;
        free(client);
        *context = NULL;
    }
}

static void note_request(void *arg, struct MHD_Connection *connection, void **state,
                         enum MHD_RequestTerminationCode code)
{
    client_t *client =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;

    (void)state;
    if (client == NULL || client->fd < 0 || code != MHD_REQUEST_TERMINATED_COMPLETED_OK) return;
    leave_ring(client);
    join_ring(arg, client);
}

cuzk_status http_open(http_t **http, const http_options_t *options, cuzk_error *err)
{
    http_t *new;
    cuzk_status status;
    int fd;

    *http = NULL;
    if (options->max_connections < 1 || options->max_connections > MOST_CONNECTIONS)
        return error_set(err, CUZK_ERR_ARG, "connections to the status page: %u, 1 to %d allowed",
                         options->max_connections, MOST_CONNECTIONS);
    new = mem_alloc(1, sizeof *new, "status page", err);
    if (new == NULL) return err->status;
    new->max_clients = options->max_connections;
    new->clients.previous = new->clients.next = &new->clients;
    answer_init(&new->answer, options);
    status = listen_open(&fd, &new->port, options->address, err);
    if (status != CUZK_OK) {
        free(new);
        return status;
    }
    /* By poll(): with epoll the end of a stream that comes together with its last bytes is missed,
     * and such a connection lasts until it is idle for too long. Closes fd, also when it fails. The
     * limit leaves room for those that are being closed. */
    new->daemon = MHD_start_daemon(
        MHD_USE_POLL_INTERNAL_THREAD, new->port, make_room, new, answer_request, &new->answer,
        MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT, 2 * new->max_clients,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_TIMEOUT_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)CONNECTION_BYTES, MHD_OPTION_UNESCAPE_CALLBACK, answer_unescape, NULL,
        MHD_OPTION_NOTIFY_CONNECTION, note_connection, new, MHD_OPTION_NOTIFY_COMPLETED,
        note_request, new, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
    if (new->daemon == NULL) {
        free(new);
        return error_set(err, CUZK_ERR_IO, "daemon.status_listen: %s: its thread was not started",
                         options->address);
    }
    *http = new;
    return CUZK_OK;
}

uint16_t http_port(const http_t *http)
{
    return http->port;
}

void http_close(http_t *http)
{
    if (http == NULL) return;
    MHD_stop_daemon(http->daemon);
    free(http);
}
