/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "rpc/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static bool take_prefix(const char **text, const char *prefix)
{
    const size_t n = strlen(prefix);

    if (strncmp(*text, prefix, n) != 0) return false;
    *text += n;
    return true;
}

static cuzk_status parse_unix(address_t *address, const char *text, const char *path,
                              cuzk_error *err)
{
    if (strncmp(path, "//", 2) == 0) path += 2;
    if (*path == '\0') return error_set(err, CUZK_ERR_ARG, "address %s: has no path", text);
    if (strncmp(text, "unix://", 7) == 0 && *path != '/')
        return error_set(err, CUZK_ERR_ARG, "address %s: write unix:///PATH or unix:PATH", text);
    if (strlen(path) >= sizeof address->path)
        return error_set(err, CUZK_ERR_ARG, "address %s: path has %zu bytes, %zu allowed", text,
                         strlen(path), sizeof address->path - 1);
    address->is_unix = true;
    (void)strcpy(address->path, path);
    return CUZK_OK;
}

static cuzk_status parse_port(uint16_t *port, const char *text, const char *digits, cuzk_error *err)
{
    char *end;
    const unsigned long value = strtoul(digits, &end, 10);

    if (*digits < '0' || *digits > '9' || *end != '\0')
        return error_set(err, CUZK_ERR_ARG, "address %s: port \"%s\" is not a number", text,
                         digits);
    if (value > UINT16_MAX)
        return error_set(err, CUZK_ERR_ARG, "address %s: port %s, 65535 is the largest", text,
                         digits);
    *port = (uint16_t)value;
    return CUZK_OK;
}

cuzk_status address_parse(address_t *address, const char *text, cuzk_error *err)
{
    const char *rest = text;

    *address = (address_t){.scheme = ADDRESS_PLAIN};
    if (take_prefix(&rest, "unix-abstract:"))
        return error_set(err, CUZK_ERR_ARG,
                         "address %s: an abstract socket has neither owner nor mode; write "
                         "unix:///PATH",
                         text);
    if (take_prefix(&rest, "unix:")) return parse_unix(address, text, rest, err);
    if (take_prefix(&rest, "http://"))
        address->scheme = ADDRESS_HTTP;
    else if (take_prefix(&rest, "https://"))
        address->scheme = ADDRESS_HTTPS;

    const char *colon = strrchr(rest, ':');
    const char *host = rest;
    if (strchr(rest, '/') != NULL || colon == NULL)
        return error_set(err, CUZK_ERR_ARG, "address %s: neither HOST:PORT nor unix:///PATH", text);
    size_t length = (size_t)(colon - rest);
    if (*rest == '[') {
        if (length < 2 || colon[-1] != ']')
            return error_set(err, CUZK_ERR_ARG, "address %s: no ] before the port", text);
        host++;
        length -= 2;
    } else if (memchr(rest, ':', length) != NULL) {
        return error_set(err, CUZK_ERR_ARG,
                         "address %s: an IPv6 address stands in brackets, "
                         "[::1]:PORT",
                         text);
    }
    if (length >= sizeof address->host)
        return error_set(err, CUZK_ERR_ARG, "address %s: host has %zu characters, %zu allowed",
                         text, length, sizeof address->host - 1);
    memcpy(address->host, host, length);
    return parse_port(&address->port, text, colon + 1, err);
}

cuzk_status address_resolve(struct addrinfo **found, const address_t *address, bool to_listen,
                            cuzk_error *err)
{
    const struct addrinfo hints = {.ai_family = AF_UNSPEC,
                                   .ai_socktype = SOCK_STREAM,
                                   .ai_flags = AI_NUMERICSERV | (to_listen ? AI_PASSIVE : 0)};
    const char *host = *address->host == '\0' ? NULL : address->host;
    char port[8];

    (void)snprintf(port, sizeof port, "%u", address->port);
    *found = NULL;
    const int code = getaddrinfo(host, port, &hints, found);
    if (code != 0)
        return error_set(err, CUZK_ERR_ARG, "address %s:%s: host: %s", host == NULL ? "" : host,
                         port, gai_strerror(code));
    return CUZK_OK;
}

bool address_is_loopback(const struct sockaddr *address)
{
    if (address->sa_family == AF_UNIX) return true;
    if (address->sa_family == AF_INET) {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)(const void *)address;

        return ntohl(v4->sin_addr.s_addr) >> 24 == 127;
    }
    if (address->sa_family != AF_INET6) return false;
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)(const void *)address;
    if (IN6_IS_ADDR_V4MAPPED(&v6->sin6_addr)) return v6->sin6_addr.s6_addr[12] == 127;
    return IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr);
}
