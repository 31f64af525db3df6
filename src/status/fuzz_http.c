/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/fuzz_support.h"
#include "status/answer.h"
#include "status/test_snapshots.h"

/* What a client may send on a connection, after which it sends no more. What comes back is nothing
 * or begins as an answer does. FUZZ_READ: the first request is answered with 200. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static cuzk_status take(void *arg, snapshot_t *snapshot, cuzk_error *err)
{
    (void)arg;
    return test_snapshot_make(snapshot, "long") ? CUZK_OK : error_set(err, CUZK_ERR_MEMORY, "none");
}

static struct MHD_Daemon *start(void)
{
    static answer_t answer;
    const http_options_t options = {.take = take};
    struct MHD_Daemon *daemon;

    answer_init(&answer, &options);
    daemon = MHD_start_daemon(MHD_USE_NO_LISTEN_SOCKET, 0, NULL, NULL, answer_request, &answer,
                              MHD_OPTION_UNESCAPE_CALLBACK, answer_unescape, NULL,
                              MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
    if (daemon == NULL) abort();
    return daemon;
}

/* Whether it has begun as answers do; *is_good: with 200. */
static bool is_answer(const char *text, size_t n, bool *is_good)
{
    *is_good = n >= 12 && memcmp(text + 9, "200", 3) == 0;
    return n == 0 ||
           (n >= 12 && memcmp(text, "HTTP/1.", 7) == 0 && text[9] >= '2' && text[9] <= '5');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct MHD_Daemon *daemon;
    char first[16], rest[4096];
    size_t n = 0, sent = 0;
    ssize_t got = -1;
    bool is_good;
    int ends[2];

    if (daemon == NULL) daemon = start();
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) != 0) abort();
    if (MHD_add_connection(daemon, ends[1], NULL, 0) != MHD_YES) abort();
    /* It has all that was sent and answers without waiting; a few more turns than it needs. */
    for (int idle = 0; idle < 4 && got != 0;) {
        if (sent < size) {
            const ssize_t put = send(ends[0], data + sent, size - sent, MSG_NOSIGNAL);

            sent = put > 0 ? sent + (size_t)put : sent;
        }
        if (sent == size) (void)shutdown(ends[0], SHUT_WR);
        if (MHD_run(daemon) != MHD_YES) abort();
        got = n < sizeof first ? recv(ends[0], first + n, sizeof first - n, 0)
                               : recv(ends[0], rest, sizeof rest, 0);
        if (got > 0 && n < sizeof first) n += (size_t)got;
        idle = got > 0 ? 0 : idle + 1;
    }
    (void)close(ends[0]);
    if (MHD_run(daemon) != MHD_YES) abort();
    if (!is_answer(first, n, &is_good)) abort();
    fuzz_judge(is_good ? FUZZ_READ : FUZZ_REFUSED);
    return 0;
}
