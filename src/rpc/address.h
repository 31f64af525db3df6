/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_RPC_ADDRESS_H
#define CUZK_RPC_ADDRESS_H

/* Where a server listens, as people write it. */

#include <netdb.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/un.h>

#include "base/error.h"

typedef enum { ADDRESS_PLAIN, ADDRESS_HTTP, ADDRESS_HTTPS } address_scheme;

typedef struct {
    bool is_unix;
    address_scheme scheme;                                /* of a port; what stood before "://" */
    char path[sizeof((struct sockaddr_un *)0)->sun_path]; /* of a Unix socket */
    char host[256]; /* of a port; "" for all of this machine */
    uint16_t port;
} address_t;

/** "unix:///path", "unix:path", "host:port", "[::1]:port", ":port", "http://host:port",
 *  "https://host:port". Abstract sockets are refused: they have neither owner nor mode.
 *  CUZK_ERR_ARG names the text and what is wrong with it. */
cuzk_status address_parse(address_t *address, const char *text, cuzk_error *err);

/** The socket addresses of a port, for a listener (an empty host then means all interfaces) or for
 *  a client. Asks the resolver, and so may wait. Release with freeaddrinfo(). CUZK_ERR_ARG. */
cuzk_status address_resolve(struct addrinfo **found, const address_t *address, bool to_listen,
                            cuzk_error *err);

/** Whether only this machine can reach it. */
bool address_is_loopback(const struct sockaddr *address);

#endif
