/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli/remote_watch.h"

#include <stdio.h>
#include <time.h>

#include "base/clock.h"

enum { SLICE_MS = 50, SLICES = 10 };

#define ASK_MS ((uint64_t)2000)

/* "3 of 500 done, ", or nothing. */
static const char *count_text(char text[48], remote_watch_t *watch)
{
    const unsigned total = atomic_load(&watch->total);

    text[0] = '\0';
    if (total > 0) (void)snprintf(text, 48, "%u of %u done, ", atomic_load(&watch->done), total);
    return text;
}

static void say(remote_watch_t *watch)
{
    const double seconds = clock_seconds_between(watch->since_ns, clock_monotonic_ns());
    remote_t remote = {.client = watch->client, .timeout_ms = ASK_MS, .cancel = &watch->end};
    Cuzk__V1__GetStatusResponse *status;
    uint32_t pending = 0, in_progress = 0;
    char count[48];
    cuzk_error err;

    (void)count_text(count, watch);
    if (remote_status(&status, &remote, &err) != CUZK_OK) {
        if (!cancel_is_set(&watch->end))
            progress_say(&watch->line, "%s%.0f s, the daemon does not answer", count, seconds);
        return;
    }
    for (size_t i = 0; i < status->n_queues; i++) {
        pending += status->queues[i]->pending;
        in_progress += status->queues[i]->in_progress;
    }
    protobuf_c_message_free_unpacked(&status->base, NULL);
    progress_say(&watch->line, "%s%.0f s, the daemon has %u in work, %u waiting", count, seconds,
                 in_progress, pending);
}

static void *watch_main(void *arg)
{
    const struct timespec slice = {.tv_nsec = SLICE_MS * 1000000L};
    remote_watch_t *watch = arg;

    for (int i = 1; !cancel_is_set(&watch->end); i++) {
        (void)nanosleep(&slice, NULL);
        if (i % SLICES == 0) say(watch);
    }
    return NULL;
}

void remote_watch_begin(remote_watch_t *watch, rpc_client_t *client, bool wanted)
{
    *watch = (remote_watch_t){.client = client, .since_ns = clock_monotonic_ns()};
    cancel_init(&watch->end, UINT64_MAX);
    progress_init(&watch->line, wanted);
    watch->is_on =
        watch->line.is_on && pthread_create(&watch->thread, NULL, watch_main, watch) == 0;
}

void remote_watch_end(remote_watch_t *watch)
{
    if (!watch->is_on) return;
    cancel_request(&watch->end);
    (void)pthread_join(watch->thread, NULL);
    progress_end(&watch->line);
    watch->is_on = false;
}
