/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_RPC_TEST_WIRE_H
#define CUZK_RPC_TEST_WIRE_H

/* HTTP/2 by hand, to send a server what no gRPC client would. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WIRE_DATA,
    WIRE_HEADERS,
    WIRE_RESET = 3,
    WIRE_SETTINGS,
    WIRE_PING = 6,
    WIRE_GOAWAY,
    WIRE_WINDOW
};

/** Connects to a Unix socket, and sends nothing; -1 when it is refused. */
int wire_connect(const char *path);

/** The client's preface and its settings. */
bool wire_begin(int fd);

/** False when the connection is closed. Waits until it can be sent. */
bool wire_send(int fd, const void *bytes, size_t n);
bool wire_send_frame(int fd, uint8_t type, uint8_t flags, uint32_t stream, const void *bytes,
                     size_t n);

/** The headers of a call: "/cuzk.v1.ProvingEngine/Prove". */
bool wire_send_call(int fd, uint32_t stream, const char *path);

/** The five bytes before a message, as the beginning of a stream's data. */
bool wire_send_length(int fd, uint32_t stream, uint32_t length);

typedef struct {
    uint8_t type, flags;
    uint32_t stream;
    size_t length;
    uint8_t bytes[1 << 14];
} wire_frame_t;

/** The next frame, waiting up to timeout_ms; settings and pings are answered and shown as well.
 *  False: none came; *is_closed: the connection is closed. */
bool wire_receive(wire_frame_t *frame, int fd, unsigned timeout_ms, bool *is_closed);

/** The status of a stream's trailers, which are waited for up to 10 s; -1: the stream was reset, or
 *  the connection closed, before. */
int wire_wait_status(int fd, uint32_t stream);

/** Whether the server closes the connection within that time; what it sends before is read. */
bool wire_is_closed_within(int fd, unsigned timeout_ms);

#endif
