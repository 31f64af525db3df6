/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_STATUS_LISTEN_H
#define CUZK_STATUS_LISTEN_H

/* A listening TCP socket from an address as people write it. */

#include <stdint.h>

#include "base/error.h"

/** *fd = a socket that listens and doesn't block, the caller's to close; *port the one it has.
 *  address is "127.0.0.1:9821", "localhost:9821" or "[::1]:9821"; port 0: any. A name that has
 *  several addresses gets one of them, IPv4 before IPv6. CUZK_ERR_ARG: not such an address, or none
 *  of this machine's; CUZK_ERR_BUSY: the port is taken; CUZK_ERR_IO. Texts begin with the key
 *  "daemon.status_listen". */
cuzk_status listen_open(int *fd, uint16_t *port, const char *address, cuzk_error *err);

#endif
