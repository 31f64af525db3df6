/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/remote_runs.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/random.h"
#include "cli/interrupt.h"

/* What the calling threads share. */
typedef struct {
    const remote_runs_t *o;
    remote_run_t *runs;
    uint64_t salt; /* of request ids */
    remote_watch_t watch;
    cancel_t cancel; /* a signal, or another thread's failure */
    pthread_mutex_t mutex;
    uint32_t next;
    cuzk_error error; /* the first; status CUZK_OK: none */
} shared_t;

static cuzk_status prove(remote_run_t *run, shared_t *shared, uint32_t i, cuzk_error *err)
{
    const remote_runs_t *o = shared->o;
    remote_t remote = {.client = o->client,
                       .timeout_ms = o->timeout_ms,
                       .cancel = &shared->cancel,
                       .is_told = o->tells_calls};
    uint64_t since = clock_monotonic_ns();
    remote_message_t message;
    char id[64];

    (void)snprintf(id, sizeof id, "bench-%016" PRIx64 "-%u", shared->salt, i);
    cuzk_status st = remote_message_init(&message, o->subject->request,
                                         o->request_id != NULL ? o->request_id : id, err);
    message.message.partition_index = o->subject->partition;
    if (st == CUZK_OK) st = remote_prove(&run->answer, &remote, &message, err);
    run->round_trip_s = clock_lap_s(&since);
    if (st == CUZK_CANCELLED) remote_abandon(o->client, &message);
    remote_message_clear(&message);
    return st == CUZK_OK ? remote_outcome(&run->answer, err) : st;
}

/* The next run's number, or UINT32_MAX when there is none. */
static uint32_t take_run(shared_t *shared)
{
    (void)pthread_mutex_lock(&shared->mutex);
    const bool is_over = shared->next >= shared->o->n_runs || shared->error.status != CUZK_OK;
    const uint32_t i = is_over ? UINT32_MAX : shared->next++;
    (void)pthread_mutex_unlock(&shared->mutex);
    return i;
}

static void note_error(shared_t *shared, const cuzk_error *err)
{
    (void)pthread_mutex_lock(&shared->mutex);
    if (shared->error.status == CUZK_OK) shared->error = *err;
    (void)pthread_mutex_unlock(&shared->mutex);
    cancel_request(&shared->cancel);
}

static void *client_main(void *arg)
{
    shared_t *shared = arg;
    cuzk_error err;

    for (uint32_t i = take_run(shared); i != UINT32_MAX; i = take_run(shared)) {
        if (prove(&shared->runs[i], shared, i, &err) != CUZK_OK) {
            note_error(shared, &err);
            break;
        }
        (void)atomic_fetch_add(&shared->watch.done, 1);
    }
    return NULL;
}

/* The first client is the calling thread. Threads that can't be started are done without. */
static void run_clients(shared_t *shared)
{
    pthread_t threads[REMOTE_MAX_CLIENTS];
    uint32_t n = 0;

    while (n + 1 < shared->o->n_clients &&
           pthread_create(&threads[n], NULL, client_main, shared) == 0)
        n++;
    (void)client_main(shared);
    for (uint32_t i = 0; i < n; i++) (void)pthread_join(threads[i], NULL);
}

cuzk_status remote_runs(remote_run_t *runs, double *wall_s, const remote_runs_t *o, cuzk_error *err)
{
    shared_t shared = {.o = o, .runs = runs};
    uint64_t since = clock_monotonic_ns();

    cuzk_status st = random_bytes(&shared.salt, sizeof shared.salt, err);
    if (st != CUZK_OK) return st;
    (void)pthread_mutex_init(&shared.mutex, NULL);
    interrupt_begin(NULL, NULL);
    cancel_init(&shared.cancel, UINT64_MAX);
    shared.cancel.parent = interrupt_token();
    remote_watch_begin(&shared.watch, o->client, o->shows_progress);
    if (o->n_runs > 1) atomic_store(&shared.watch.total, o->n_runs);
    run_clients(&shared);
    remote_watch_end(&shared.watch);
    *wall_s = clock_lap_s(&since);
    st = cancel_status(interrupt_token(), err);
    interrupt_end();
    (void)pthread_mutex_destroy(&shared.mutex);
    if (st != CUZK_OK || shared.error.status == CUZK_OK) return st;
    *err = shared.error;
    return err->status;
}

void remote_runs_clear(remote_run_t *runs, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) remote_answer_clear(&runs[i].answer);
}
