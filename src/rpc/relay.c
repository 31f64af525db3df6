/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "rpc/relay.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/memory.h"

enum { BUFFER_BYTES = 64 << 10, ROUNDS = 32 };

typedef struct {
    int from, to;
    size_t start, end; /* what has been read and not written */
    bool is_read_out, is_ended;
    uint8_t bytes[BUFFER_BYTES];
} way_t;

struct relay {
    way_t ways[2];
};

cuzk_status relay_open(relay_t **relay, int a, int b, cuzk_error *err)
{
    *relay = mem_alloc(1, sizeof **relay, "buffers of a connection", err);
    if (*relay == NULL) return err->status;
    (*relay)->ways[0].from = (*relay)->ways[1].to = a;
    (*relay)->ways[0].to = (*relay)->ways[1].from = b;
    return CUZK_OK;
}

void relay_close(relay_t *relay)
{
    free(relay);
}

static bool would_wait(void)
{
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

/* One read or write; RELAY_MORE when it moved something. */
static relay_state step(way_t *way)
{
    if (way->is_ended) return RELAY_WAITS;
    if (way->start == way->end && !way->is_read_out) {
        const ssize_t n = read(way->from, way->bytes, sizeof way->bytes);

        if (n < 0) return would_wait() ? RELAY_WAITS : RELAY_ENDED;
        way->start = 0;
        way->end = (size_t)n;
        way->is_read_out = n == 0;
        return RELAY_MORE;
    }
    if (way->start < way->end) {
        const ssize_t n =
            send(way->to, way->bytes + way->start, way->end - way->start, MSG_NOSIGNAL);

        if (n < 0) return would_wait() ? RELAY_WAITS : RELAY_ENDED;
        way->start += (size_t)n;
        return RELAY_MORE;
    }
    way->is_ended = true;
    (void)shutdown(way->to, SHUT_WR);
    return RELAY_MORE;
}

relay_state relay_run(relay_t *relay)
{
    way_t *const ways = relay->ways;

    for (int i = 0; i < ROUNDS; i++) {
        const relay_state there = step(&ways[0]);
        const relay_state back = step(&ways[1]);

        if (there == RELAY_ENDED || back == RELAY_ENDED || (ways[0].is_ended && ways[1].is_ended))
            return RELAY_ENDED;
        if (there == RELAY_WAITS && back == RELAY_WAITS) return RELAY_WAITS;
    }
    return RELAY_MORE;
}
