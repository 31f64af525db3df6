/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/stress.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "cli/interrupt.h"

enum { LOOK_MS = 500, AGAIN_MS = 20000 };

/* What the threads share. */
typedef struct {
    const stress_options_t *o;
    stress_tally_t *tally;
    rpc_client_t *connections[STRESS_MAX_CONNECTIONS];
    uint32_t n_connections;
    remote_watch_t watch;
    uint64_t start_ns;
    cancel_t looker_ends;
    pthread_mutex_t mutex;
    uint32_t next; /* job to do, then job to ask for again */
    bool is_asking_again;
    stress_proof_t *proofs; /* of each job */
} stress_shared_t;

/* ---- jobs --------------------------------------------------------------------------------------
 */

/* The next job's number; UINT32_MAX: there is none. */
static uint32_t take_job(stress_shared_t *shared)
{
    const stress_options_t *o = shared->o;
    const uint64_t age_ns = clock_monotonic_ns() - shared->start_ns;

    (void)pthread_mutex_lock(&shared->mutex);
    bool is_over = shared->next >= o->n_jobs || cancel_is_set(interrupt_token());
    if (!shared->is_asking_again && o->duration_ms > 0 && age_ns >= o->duration_ms * 1000000)
        is_over = true;
    const uint32_t number = is_over ? UINT32_MAX : shared->next++;
    (void)pthread_mutex_unlock(&shared->mutex);
    return number;
}

/* Whether the daemon still has the proof of a job that ended: the same one. */
static void ask_again(stress_client_t *c, const stress_proof_t *proof)
{
    remote_t remote = stress_remote(c, AGAIN_MS);
    remote_answer_t answer;
    cuzk_status st;
    cuzk_error err;

    if (proof->job_id[0] == '\0') return;
    do st = remote_await(&answer, &remote, proof->job_id, AGAIN_MS / 2, &err);
    while (st != CUZK_OK && stress_repeats(c, &remote));
    if (cancel_is_set(c->cancel)) {
        remote_answer_clear(&answer);
        return;
    }
    if (st == CUZK_OK) st = remote_outcome(&answer, &err);
    if (st == CUZK_OK &&
        (answer.length != proof->length || memcmp(answer.proof, proof->proof, proof->length) != 0))
        st = error_set(&err, CUZK_INVALID_PROOF, "another proof than before");
    if (st != CUZK_OK) {
        (void)error_within(&err, "job %s, asked for again", proof->job_id);
        stress_tally_change(c->tally, st == CUZK_INVALID_PROOF ? END_WRONG : END_LOST, err.text);
    }
    remote_answer_clear(&answer);
}

/* A client: its own share of the jobs, whichever comes. */
typedef struct {
    stress_shared_t *shared;
    pthread_t thread;
    stress_client_t client;
} worker_t;

static void *worker_main(void *arg)
{
    worker_t *worker = arg;
    stress_shared_t *shared = worker->shared;

    for (uint32_t i = take_job(shared); i != UINT32_MAX; i = take_job(shared)) {
        if (shared->is_asking_again) {
            ask_again(&worker->client, &shared->proofs[i]);
        } else {
            const stress_job_t job = stress_plan_job(&shared->o->plan, i);

            stress_do(&shared->proofs[i], &worker->client, &job, i);
            (void)atomic_fetch_add(&shared->watch.done, 1);
        }
    }
    return NULL;
}

/* Lets all clients work until there are no more jobs. Threads that can't be started are done
 * without; the calling thread is one. */
static void work(stress_shared_t *shared, worker_t *workers, bool is_asking_again)
{
    uint32_t n = 1;

    shared->next = 0;
    shared->is_asking_again = is_asking_again;
    while (n < shared->o->n_clients &&
           pthread_create(&workers[n].thread, NULL, worker_main, &workers[n]) == 0)
        n++;
    (void)worker_main(&workers[0]);
    for (uint32_t i = 1; i < n; i++) (void)pthread_join(workers[i].thread, NULL);
}

/* ---- the daemon's memory -----------------------------------------------------------------------
 */

static void look(stress_shared_t *shared)
{
    remote_t remote = {.client = shared->connections[0], .timeout_ms = REMOTE_SHORT_MS};
    cuzk_error err;
    char *text;

    if (remote_metrics(&text, &remote, &err) != CUZK_OK) return;
    stress_tally_metrics(shared->tally, text);
    free(text);
}

/* A daemon that is killed takes its peak with it: it is asked again and again. */
static void *looker_main(void *arg)
{
    stress_shared_t *shared = arg;
    const stress_client_t sleeper = {.cancel = &shared->looker_ends};

    while (!cancel_is_set(&shared->looker_ends)) {
        look(shared);
        stress_sleep(&sleeper, LOOK_MS);
    }
    look(shared);
    return NULL;
}

/* ---- the run -----------------------------------------------------------------------------------
 */

static cuzk_status connect_all(stress_shared_t *shared, cuzk_error *err)
{
    const stress_options_t *o = shared->o;
    const uint32_t n =
        o->n_clients < STRESS_MAX_CONNECTIONS ? o->n_clients : STRESS_MAX_CONNECTIONS;

    while (shared->n_connections < n) {
        const cuzk_status st =
            client_options_open(&shared->connections[shared->n_connections], o->daemon, err);
        if (st != CUZK_OK) return st;
        shared->n_connections++;
    }
    return CUZK_OK;
}

static worker_t *make_workers(stress_shared_t *shared, cuzk_error *err)
{
    worker_t *workers = mem_alloc(shared->o->n_clients, sizeof *workers, "clients", err);

    for (uint32_t i = 0; workers != NULL && i < shared->o->n_clients; i++) {
        workers[i].shared = shared;
        workers[i].client =
            (stress_client_t){.o = shared->o,
                              .tally = shared->tally,
                              .client = shared->connections[i % shared->n_connections],
                              .cancel = interrupt_token(),
                              .start_ns = shared->start_ns};
    }
    return workers;
}

static cuzk_status run_workers(stress_shared_t *shared, cuzk_error *err)
{
    worker_t *workers = make_workers(shared, err);
    pthread_t looker;

    if (workers == NULL) return err->status;
    if (pthread_create(&looker, NULL, looker_main, shared) != 0) {
        free(workers);
        return error_set(err, CUZK_ERR_MEMORY, "the system gives no thread");
    }
    remote_watch_begin(&shared->watch, shared->connections[0],
                       client_options_progress(shared->o->daemon));
    atomic_store(&shared->watch.total, shared->o->n_jobs);
    work(shared, workers, false);
    if (shared->o->asks_again) work(shared, workers, true);
    remote_watch_end(&shared->watch);
    cancel_request(&shared->looker_ends);
    (void)pthread_join(looker, NULL);
    free(workers);
    return cancel_status(interrupt_token(), err);
}

/* Nothing is begun with a daemon that cannot be reached. */
static cuzk_status greet(const stress_shared_t *shared, cuzk_error *err)
{
    remote_t remote = {.client = shared->connections[0], .timeout_ms = REMOTE_SHORT_MS};
    Cuzk__V1__GetStatusResponse *status;
    const cuzk_status st = remote_status(&status, &remote, err);

    if (st == CUZK_OK) protobuf_c_message_free_unpacked(&status->base, NULL);
    return st;
}

cuzk_status stress_run(stress_tally_t *tally, const stress_options_t *o, cuzk_error *err)
{
    stress_shared_t shared = {.o = o, .tally = tally, .start_ns = clock_monotonic_ns()};

    shared.proofs = mem_alloc(o->n_jobs, sizeof *shared.proofs, "proofs", err);
    if (shared.proofs == NULL) return err->status;
    (void)pthread_mutex_init(&shared.mutex, NULL);
    cancel_init(&shared.looker_ends, UINT64_MAX);
    interrupt_begin(NULL, NULL);
    cuzk_status st = connect_all(&shared, err);
    if (st == CUZK_OK) st = greet(&shared, err);
    if (st == CUZK_OK) st = run_workers(&shared, err);
    interrupt_end();
    for (uint32_t i = 0; i < shared.n_connections; i++) rpc_client_close(shared.connections[i]);
    for (uint32_t i = 0; i < o->n_jobs; i++) free(shared.proofs[i].proof);
    free(shared.proofs);
    (void)pthread_mutex_destroy(&shared.mutex);
    return st;
}
