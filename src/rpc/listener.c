/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "rpc/listener.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rpc/listener_unix.h"

enum { BACKLOG = 128 };

static void set_port(struct sockaddr *address, uint16_t port)
{
    if (address->sa_family == AF_INET)
        ((struct sockaddr_in *)(void *)address)->sin_port = htons(port);
    else
        ((struct sockaddr_in6 *)(void *)address)->sin6_port = htons(port);
}

static uint16_t bound_port(int fd)
{
    struct sockaddr_storage address;
    socklen_t length = sizeof address;

    if (getsockname(fd, (struct sockaddr *)&address, &length) != 0) return 0;
    return ntohs(address.ss_family == AF_INET
                     ? ((const struct sockaddr_in *)(const void *)&address)->sin_port
                     : ((const struct sockaddr_in6 *)(const void *)&address)->sin6_port);
}

/* -1 with errno set when it can't be bound. */
static int bind_port(const struct addrinfo *where)
{
    const int on = 1;
    const int fd = socket(where->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (fd < 0) return -1;
    /* without it, a port whose connections have just ended could not be bound; one that is listened
     * on is refused all the same */
    (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (where->ai_family == AF_INET6)
        (void)setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    if (bind(fd, where->ai_addr, where->ai_addrlen) == 0 && listen(fd, BACKLOG) == 0) return fd;
    const int cause = errno;
    (void)close(fd);
    errno = cause;
    return -1;
}

static cuzk_status check_guard(const address_t *address, const struct addrinfo *found,
                               bool is_guarded, cuzk_error *err)
{
    for (const struct addrinfo *a = found; a != NULL; a = a->ai_next)
        if (!is_guarded && !address_is_loopback(a->ai_addr))
            return error_set(err, CUZK_ERR_ARG,
                             "address %s:%u: other machines reach it, which needs TLS "
                             "(tls_certificate, tls_key) and a token_file or tls_client_ca",
                             address->host, address->port);
    return CUZK_OK;
}

static cuzk_status bind_all(listener_t *listener, const address_t *address,
                            const struct addrinfo *found, cuzk_error *err)
{
    uint16_t port = address->port;
    int cause = EADDRNOTAVAIL;

    for (const struct addrinfo *a = found; a != NULL && listener->n < LISTENER_MAX_SOCKETS;
         a = a->ai_next) {
        set_port(a->ai_addr, port);
        const int fd = bind_port(a);
        if (fd >= 0) {
            listener->fds[listener->n++] = fd;
            port = bound_port(fd);
        } else if (errno != EADDRNOTAVAIL && errno != EAFNOSUPPORT) {
            cause = errno;
            listener_close(listener);
            break;
        }
    }
    if (listener->n == 0)
        return error_set(err, cause == EADDRINUSE ? CUZK_ERR_BUSY : CUZK_ERR_IO,
                         "address %s:%u: %s", address->host, port, strerror(cause));
    const bool is_v6 = strchr(address->host, ':') != NULL;
    (void)snprintf(listener->text, sizeof listener->text, "%s%s%s:%u", is_v6 ? "[" : "",
                   address->host, is_v6 ? "]" : "", port);
    return CUZK_OK;
}

cuzk_status listener_open(listener_t *listener, const address_t *address,
                          const listener_options_t *options, cuzk_error *err)
{
    struct addrinfo *found;
    cuzk_status status;

    *listener = (listener_t){.n = 0};
    if (address->is_unix) {
        status = listener_open_unix(listener, address->path, options, err);
    } else {
        if (address_resolve(&found, address, true, err) != CUZK_OK) return err->status;
        status = check_guard(address, found, options->is_guarded, err);
        if (status == CUZK_OK) status = bind_all(listener, address, found, err);
        freeaddrinfo(found);
    }
    if (status != CUZK_OK) listener_close(listener);
    return status;
}

void listener_close(listener_t *listener)
{
    struct stat st;

    if (listener->is_unix && lstat(listener->path, &st) == 0 && st.st_dev == listener->device &&
        st.st_ino == listener->inode)
        (void)unlink(listener->path);
    listener->is_unix = false;
    for (size_t i = 0; i < listener->n; i++) (void)close(listener->fds[i]);
    listener->n = 0;
}
