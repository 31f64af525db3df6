/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "status/listen.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define KEY "daemon.status_listen"

enum { MAX_PORT = 65535, HOST_BYTES = 256, PORT_BYTES = 6 };

/* "HOST:PORT" taken apart. */
typedef struct {
    char host[HOST_BYTES];
    char port[PORT_BYTES];
} place_t;

static bool is_port(const char *text)
{
    uint32_t port = 0;

    if (*text == '\0' || strlen(text) >= PORT_BYTES) return false;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9') return false;
        port = 10 * port + (uint32_t)(*text - '0');
    }
    return port <= MAX_PORT;
}

static cuzk_status take_apart(place_t *place, const char *address, cuzk_error *err)
{
    const char *colon = strrchr(address, ':');
    const char *host = address;
    size_t length;

    if (colon == NULL || colon == address)
        return error_set(err, CUZK_ERR_ARG, KEY ": \"%s\" is not HOST:PORT, such as 127.0.0.1:9821",
                         address);
    if (!is_port(colon + 1))
        return error_set(err, CUZK_ERR_ARG, KEY ": port \"%s\" is not a number of 0 to %d",
                         colon + 1, MAX_PORT);
    length = (size_t)(colon - address);
    if (*host == '[' && host[length - 1] == ']') {
        host++;
        length -= 2;
    } else if (memchr(host, ':', length) != NULL) {
        return error_set(err, CUZK_ERR_ARG,
                         KEY ": \"%s\": an IPv6 address stands in brackets, "
                             "such as [::1]:9821",
                         address);
    }
    if (length == 0 || length >= HOST_BYTES)
        return error_set(err, CUZK_ERR_ARG, KEY ": a host name of %zu characters, 1 to %d allowed",
                         length, HOST_BYTES - 1);
    (void)snprintf(place->host, sizeof place->host, "%.*s", (int)length, host);
    (void)snprintf(place->port, sizeof place->port, "%s", colon + 1);
    return CUZK_OK;
}

/* A bound and listening socket; -1 and errno. */
static int open_one(const struct addrinfo *info)
{
    const int on = 1;
    const int fd = socket(info->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    int number;

    if (fd < 0) return -1;
    /* Lets a port be used again at once; a second listener is refused all the same. */
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
        bind(fd, info->ai_addr, info->ai_addrlen) == 0 && listen(fd, SOMAXCONN) == 0)
        return fd;
    number = errno;
    (void)close(fd);
    errno = number;
    return -1;
}

/* Whether another address of the same name may do. A port that is taken is none of these: another
 * daemon may have it. */
static bool is_no_address(int number)
{
    return number == EADDRNOTAVAIL || number == EAFNOSUPPORT;
}

static cuzk_status refused(const char *address, int number, cuzk_error *err)
{
    switch (number) {
    case EADDRINUSE:
        return error_set(err, CUZK_ERR_BUSY, KEY ": %s: another program has the port", address);
    case EADDRNOTAVAIL:
    case EAFNOSUPPORT:
        return error_set(err, CUZK_ERR_ARG, KEY ": %s is no address of this machine", address);
    case EACCES:
        return error_set(err, CUZK_ERR_ARG, KEY ": %s: this user may not have the port", address);
    default:
        return error_set(err, CUZK_ERR_IO, KEY ": %s: %s", address, strerror(number));
    }
}

static uint16_t bound_port(int fd)
{
    struct sockaddr_storage storage = {0};
    socklen_t length = sizeof storage;
    struct sockaddr_in in;
    struct sockaddr_in6 in6;

    (void)getsockname(fd, (struct sockaddr *)&storage, &length);
    memcpy(&in, &storage, sizeof in);
    memcpy(&in6, &storage, sizeof in6);
    return ntohs(storage.ss_family == AF_INET6 ? in6.sin6_port : in.sin_port);
}

cuzk_status listen_open(int *fd, uint16_t *port, const char *address, cuzk_error *err)
{
    static const int families[] = {AF_INET, AF_INET6};
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
    struct addrinfo *list = NULL;
    int number = EADDRNOTAVAIL;
    place_t place;
    cuzk_status status = take_apart(&place, address, err);
    int told;

    *fd = -1;
    if (status != CUZK_OK) return status;
    told = getaddrinfo(place.host, place.port, &hints, &list);
    if (told != 0)
        return error_set(err, told == EAI_MEMORY ? CUZK_ERR_MEMORY : CUZK_ERR_ARG,
                         KEY ": host \"%s\": %s", place.host, gai_strerror(told));
    for (size_t i = 0; i < 2; i++) {
        for (const struct addrinfo *info = list; info != NULL; info = info->ai_next) {
            if (*fd >= 0 || !is_no_address(number) || info->ai_family != families[i]) continue;
            *fd = open_one(info);
            if (*fd < 0) number = errno;
        }
    }
    freeaddrinfo(list);
    if (*fd < 0) return refused(address, number, err);
    *port = bound_port(*fd);
    return CUZK_OK;
}
