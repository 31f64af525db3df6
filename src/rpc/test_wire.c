/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "rpc/test_wire.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/clock.h"

int wire_connect(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    (void)strcpy(address.sun_path, path);
    if (fd >= 0 && connect(fd, (const struct sockaddr *)&address, sizeof address) == 0) return fd;
    if (fd >= 0) (void)close(fd);
    return -1;
}

bool wire_send(int fd, const void *bytes, size_t n)
{
    const uint8_t *at = bytes;

    while (n > 0) {
        const ssize_t sent = send(fd, at, n, MSG_NOSIGNAL);

        if (sent < 0) return false;
        at += sent;
        n -= (size_t)sent;
    }
    return true;
}

bool wire_send_frame(int fd, uint8_t type, uint8_t flags, uint32_t stream, const void *bytes,
                     size_t n)
{
    uint8_t head[9] = {(uint8_t)(n >> 16), (uint8_t)(n >> 8), (uint8_t)n, type, flags};

    store_be32(head + 5, stream);
    return wire_send(fd, head, sizeof head) && wire_send(fd, bytes, n);
}

bool wire_begin(int fd)
{
    static const char preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

    return wire_send(fd, preface, sizeof preface - 1) &&
           wire_send_frame(fd, WIRE_SETTINGS, 0, 0, NULL, 0);
}

static size_t put_header(uint8_t *to, const char *name, const char *value)
{
    const size_t a = strlen(name), b = strlen(value);

    to[0] = 0; /* a literal that is not indexed, under a new name */
    to[1] = (uint8_t)a;
    memcpy(to + 2, name, a);
    to[2 + a] = (uint8_t)b;
    memcpy(to + 3 + a, value, b);
    return 3 + a + b;
}

bool wire_send_call(int fd, uint32_t stream, const char *path)
{
    uint8_t block[512];
    size_t n = put_header(block, ":method", "POST");

    n += put_header(block + n, ":scheme", "http");
    n += put_header(block + n, ":path", path);
    n += put_header(block + n, ":authority", "localhost");
    n += put_header(block + n, "te", "trailers");
    n += put_header(block + n, "content-type", "application/grpc");
    return wire_send_frame(fd, WIRE_HEADERS, 4 /* END_HEADERS */, stream, block, n);
}

bool wire_send_length(int fd, uint32_t stream, uint32_t length)
{
    uint8_t bytes[5] = {0};

    store_be32(bytes + 1, length);
    return wire_send_frame(fd, WIRE_DATA, 0, stream, bytes, sizeof bytes);
}

static bool read_all(int fd, uint8_t *to, size_t n, uint64_t until_ns, bool *is_closed)
{
    while (n > 0) {
        struct pollfd one = {.fd = fd, .events = POLLIN};
        const uint64_t now = clock_monotonic_ns();

        if (now >= until_ns || poll(&one, 1, (int)((until_ns - now) / 1000000) + 1) <= 0)
            return false;
        const ssize_t got = recv(fd, to, n, 0);
        if (got <= 0) {
            *is_closed = true;
            return false;
        }
        to += got;
        n -= (size_t)got;
    }
    return true;
}

bool wire_receive(wire_frame_t *frame, int fd, unsigned timeout_ms, bool *is_closed)
{
    const uint64_t until_ns = clock_monotonic_ns() + timeout_ms * UINT64_C(1000000);
    uint8_t head[9];

    *is_closed = false;
    if (!read_all(fd, head, sizeof head, until_ns, is_closed)) return false;
    frame->length = (size_t)head[0] << 16 | (size_t)head[1] << 8 | head[2];
    frame->type = head[3];
    frame->flags = head[4];
    frame->stream = load_be32(head + 5);
    if (frame->length > sizeof frame->bytes) abort();
    if (!read_all(fd, frame->bytes, frame->length, until_ns, is_closed)) return false;
    if (frame->type == WIRE_SETTINGS && frame->flags == 0)
        (void)wire_send_frame(fd, WIRE_SETTINGS, 1, 0, NULL, 0);
    if (frame->type == WIRE_PING && frame->flags == 0)
        (void)wire_send_frame(fd, WIRE_PING, 1, 0, frame->bytes, frame->length);
    return true;
}

/* The first trailers of a connection have the name and the value in full. */
static int status_in(const wire_frame_t *frame)
{
    static const char name[] = "grpc-status";
    const uint8_t *at = memmem(frame->bytes, frame->length, name, sizeof name - 1);

    if (at == NULL) return -1;
    at += sizeof name - 1;
    int status = 0;
    for (size_t i = 1; i <= at[0]; i++) status = status * 10 + at[i] - '0';
    return status;
}

int wire_wait_status(int fd, uint32_t stream)
{
    const uint64_t until_ns = clock_monotonic_ns() + UINT64_C(10000000000);
    wire_frame_t frame;
    bool is_closed = false;

    while (clock_monotonic_ns() < until_ns && !is_closed) {
        if (!wire_receive(&frame, fd, 100, &is_closed) || frame.stream != stream) continue;
        if (frame.type == WIRE_RESET) return -1;
        if (frame.type == WIRE_HEADERS && status_in(&frame) >= 0) return status_in(&frame);
    }
    return -1;
}

bool wire_is_closed_within(int fd, unsigned timeout_ms)
{
    const uint64_t until_ns = clock_monotonic_ns() + timeout_ms * UINT64_C(1000000);
    uint8_t byte;
    bool is_closed = false;

    while (read_all(fd, &byte, 1, until_ns, &is_closed)) {}
    return is_closed;
}
