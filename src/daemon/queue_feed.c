/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* Which job is next, and handing it to the engine. */

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "daemon/log.h"
#include "daemon/submission.h"
#include "daemon/queue_parts.h"

#define LOW_WAITS_NS ((uint64_t)30 * 60 * 1000000000) /* then it counts as normal */

enum { RETRY_MS = 50 }; /* when the engine had no memory for an input */

/* ---- order -------------------------------------------------------------------------------------
 */

static int rank_of(const queue_job_t *job, uint64_t now_ns)
{
    const bool is_old = now_ns - job->accepted_ns >= LOW_WAITS_NS;

    if (job->is_suspect) return CUZK_PRIORITY_DEFAULT; /* below all others */
    if (job->priority == CUZK_PRIORITY_LOW && is_old) return CUZK_PRIORITY_NORMAL;
    return (int)job->priority;
}

bool queue_is_before(const queue_job_t *a, const queue_job_t *b, uint64_t now_ns)
{
    const int rank_a = rank_of(a, now_ns), rank_b = rank_of(b, now_ns);

    if (rank_a != rank_b) return rank_a > rank_b;
    return a->accepted_ns < b->accepted_ns;
}

/* ---- batches -----------------------------------------------------------------------------------
 */

static bool is_batched(const queue_t *queue, const queue_job_t *job)
{
    return queue->options.max_batch_size > 1 && !job_is_urgent(job) &&
           (job->kind == CUZK_POREP || job->kind == CUZK_UPDATE);
}

static bool is_held_back(const queue_t *queue, const queue_job_t *job)
{
    return job->phase == PHASE_PENDING && !job->is_released && is_batched(queue, job);
}

/* Releases up to n jobs of a circuit, the first ones first. */
static void release_circuit(queue_t *queue, uint32_t circuit, uint32_t n)
{
    for (queue_job_t *job = queue->jobs; job != NULL && n > 0; job = job->next) {
        if (!is_held_back(queue, job) || queue_circuit(job) != circuit) continue;
        job->is_released = true;
        n--;
    }
}

static uint32_t count_held_back(const queue_t *queue, uint32_t circuit)
{
    uint32_t n = 0;

    for (const queue_job_t *job = queue->jobs; job != NULL; job = job->next)
        n += is_held_back(queue, job) && queue_circuit(job) == circuit;
    return n;
}

/* A batch goes when it is full, or when its first job has waited long enough. */
static void release_batches(queue_t *queue, uint64_t now_ns, uint64_t *wake_ns)
{
    const uint64_t most_ns = queue->options.max_batch_wait_ms * 1000000;

    for (queue_job_t *job = queue->jobs; job != NULL; job = job->next) {
        if (!is_held_back(queue, job)) continue;
        const uint32_t circuit = queue_circuit(job), n = count_held_back(queue, circuit);
        const uint64_t due_ns = job->accepted_ns + most_ns;

        if (now_ns >= due_ns)
            release_circuit(queue, circuit, n);
        else if (n >= queue->options.max_batch_size)
            release_circuit(queue, circuit, queue->options.max_batch_size);
        else if (due_ns < *wake_ns)
            *wake_ns = due_ns;
    }
}

/* ---- the next job ------------------------------------------------------------------------------
 */

static bool is_ready(const queue_t *queue, const queue_job_t *job)
{
    return job->phase == PHASE_PENDING && !job->is_storing && !is_held_back(queue, job);
}

/* Of jobs that came in one batch's time those of the circuit begun last go first: its parameters
 * are open. */
static queue_job_t *of_last_circuit(queue_t *queue, queue_job_t *first, uint64_t now_ns)
{
    const uint64_t wait_ns = queue->options.max_batch_wait_ms * 1000000;
    queue_job_t *best = first;

    if (!queue->options.sort_by_type || queue_circuit(first) == queue->last_circuit) return first;
    for (queue_job_t *job = queue->jobs; job != NULL; job = job->next) {
        if (!is_ready(queue, job) || queue_circuit(job) != queue->last_circuit) continue;
        if (rank_of(job, now_ns) != rank_of(first, now_ns)) continue;
        if (job->accepted_ns > first->accepted_ns + wait_ns) continue;
        if (best == first || queue_is_before(job, best, now_ns)) best = job;
    }
    return best;
}

queue_job_t *queue_next(queue_t *queue, uint64_t now_ns, uint64_t *wake_ns)
{
    queue_job_t *first = NULL;

    *wake_ns = UINT64_MAX;
    if (queue->is_draining) return NULL;
    release_batches(queue, now_ns, wake_ns);
    for (queue_job_t *job = queue->jobs; job != NULL; job = job->next)
        if (is_ready(queue, job) && (first == NULL || queue_is_before(job, first, now_ns)))
            first = job;
    if (first == NULL) return NULL;
    if (job_is_urgent(first)) return first;
    if (queue->n_bulk >= queue->n_slots) return NULL;
    return of_last_circuit(queue, first, now_ns);
}

/* ---- handing over ------------------------------------------------------------------------------
 */

static uint64_t time_left_ms(const queue_job_t *job)
{
    const uint64_t now = clock_monotonic_ns();

    if (job->deadline_ns == UINT64_MAX) return 0;
    return job->deadline_ns > now ? (job->deadline_ns - now) / 1000000 + 1 : 1;
}

static void log_begin(const queue_job_t *job)
{
    const log_subject_t subject = {
        .job = job->id, .request_id = job->request_id, .kind = snapshot_kind_label(job->kind)};

    log_line(CUZK_LOG_INFO, &subject, "begun after %.3f s",
             clock_seconds_between(job->accepted_ns, clock_monotonic_ns()));
}

/* The engine has no memory for a job's input now: it waits on, unless its end was asked for. */
static void put_back(queue_t *queue, queue_job_t *job)
{
    queue_wait_t *waits = NULL;

    (void)pthread_mutex_lock(&queue->mutex);
    if (!job_is_urgent(job)) queue->n_bulk--;
    job->phase = PHASE_PENDING;
    job->is_released = true;
    if (job->is_cancelled) waits = queue_end_here(queue, job, OUTCOME_CANCELLED, "cancelled");
    (void)pthread_cond_signal(&queue->ended); /* its deadline is looked at again */
    (void)pthread_mutex_unlock(&queue->mutex);
    queue_tell_end(waits, job);
}

static void note_begin(queue_t *queue, queue_job_t *job, cuzk_job id)
{
    (void)pthread_mutex_lock(&queue->mutex);
    job->phase = PHASE_IN_ENGINE;
    job->engine_job = id;
    job->fed_ns = clock_monotonic_ns();
    if (!job_is_urgent(job)) queue->last_circuit = queue_circuit(job);
    if (job->is_cancelled) (void)cuzk_cancel(queue->options.engine, id, NULL);
    (void)pthread_cond_signal(&queue->ended); /* it may have ended already */
    (void)pthread_cond_signal(&queue->keep);  /* that it was begun is to be stored */
    (void)pthread_mutex_unlock(&queue->mutex);
    log_begin(job);
}

cuzk_status queue_feed(queue_t *queue, queue_job_t *job, const cuzk_request *request,
                       cuzk_error *err)
{
    cuzk_request taken = *request;
    cuzk_job id;

    taken.priority = job->is_suspect ? CUZK_PRIORITY_LOW : job->priority;
    taken.timeout_ms = time_left_ms(job);
    taken.input_name = submission_input_name(job->kind);
    const cuzk_status st = cuzk_submit(queue->options.engine, &taken, &id, err);
    if (st == CUZK_OK) note_begin(queue, job, id);
    if (st == CUZK_ERR_BUSY) put_back(queue, job);
    return st;
}

/* Hands over a job whose request is read. That it was begun is stored first: should the engine end
 * with it, and the daemon, it is known how often that was. */
static cuzk_status feed_read(queue_t *queue, queue_job_t *job, const uint8_t *bytes, size_t length,
                             cuzk_error *err)
{
    cuzk_request request = {.struct_size = sizeof request};

    cuzk_status st = cuzk_request_read(&request, bytes, length, err);
    if (st != CUZK_OK) return st;
    (void)pthread_mutex_lock(&queue->mutex);
    if (!job->is_start_stored) queue_record_start(queue, job);
    (void)pthread_mutex_unlock(&queue->mutex);
    st = queue_feed(queue, job, &request, err);
    cuzk_request_clear(&request);
    return st;
}

/* Reads a job's request from the store and hands it over. A long one is read only when the engine
 * has room for it. */
static cuzk_status feed_stored(queue_t *queue, queue_job_t *job, cuzk_error *err)
{
    cuzk_engine *engine = queue->options.engine;
    store_t *store = queue->options.store;
    const uint64_t room = job->request_bytes;
    uint8_t *bytes;
    size_t length;

    cuzk_status st = cuzk_memory_take(engine, room, err);
    if (st == CUZK_ERR_BUSY) put_back(queue, job);
    if (st != CUZK_OK) return st;
    st = store->ops->request(&bytes, &length, store, job->id, err);
    cuzk_memory_give(engine, room);
    if (st != CUZK_OK) return st;
    job->request_bytes = length;
    st = feed_read(queue, job, bytes, length, err);
    free(bytes);
    return st;
}

/* The mutex is held, and given back meanwhile. Returns when to look again, at the latest. */
static uint64_t feed(queue_t *queue, queue_job_t *job)
{
    uint64_t again_ns = 0;
    cuzk_error err;

    job->phase = PHASE_FEEDING;
    if (!job_is_urgent(job)) queue->n_bulk++;
    queue_hold_job(job);
    (void)pthread_mutex_unlock(&queue->mutex);
    const cuzk_status st = feed_stored(queue, job, &err);
    (void)pthread_mutex_lock(&queue->mutex);
    if (st == CUZK_ERR_BUSY) {
        again_ns = clock_monotonic_ns() + (uint64_t)RETRY_MS * 1000000;
    } else if (st != CUZK_OK) {
        if (!job_is_urgent(job)) queue->n_bulk--;
        queue_wait_t *waits = queue_end_here(queue, job, OUTCOME_FAILED, err.text);

        (void)pthread_mutex_unlock(&queue->mutex);
        queue_tell_end(waits, job);
        (void)pthread_mutex_lock(&queue->mutex);
    }
    queue_release_job(job);
    return again_ns;
}

void *queue_feeder_main(void *arg)
{
    queue_t *queue = arg;
    uint64_t not_before_ns = 0; /* the engine had no memory for an input */

    (void)pthread_mutex_lock(&queue->mutex);
    while (!queue->is_stopping) {
        const uint64_t now = clock_monotonic_ns();
        uint64_t wake_ns = not_before_ns;
        queue_job_t *job = now < not_before_ns ? NULL : queue_next(queue, now, &wake_ns);

        if (job != NULL)
            not_before_ns = feed(queue, job);
        else
            queue_wait_until(&queue->feed, &queue->mutex, wake_ns);
    }
    (void)pthread_mutex_unlock(&queue->mutex);
    return NULL;
}
