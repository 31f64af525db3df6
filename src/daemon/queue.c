/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* Opening and closing the queue, and its list of jobs. */

#include "daemon/queue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/verify.h"
#include "daemon/log.h"
#include "daemon/queue_parts.h"

/* A job that was begun so often and never ended may be what ends the daemon: first it goes behind
 * all others, in the end it is given up. */
enum { SUSPECT_STARTS = 4, MOST_STARTS = 64 };

/* ---- time -------------------------------------------------------------------------------------
 */

void queue_cond_init(pthread_cond_t *cond)
{
    pthread_condattr_t attributes;

    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_cond_init(cond, &attributes);
    (void)pthread_condattr_destroy(&attributes);
}

void queue_wait_until(pthread_cond_t *cond, pthread_mutex_t *mutex, uint64_t until_ns)
{
    if (until_ns == UINT64_MAX) {
        (void)pthread_cond_wait(cond, mutex);
        return;
    }
    const struct timespec until = {.tv_sec = (time_t)(until_ns / 1000000000),
                                   .tv_nsec = (long)(until_ns % 1000000000)};
    (void)pthread_cond_timedwait(cond, mutex, &until);
}

int64_t queue_unix_ms(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- the list ----------------------------------------------------------------------------------
 */

queue_job_t *queue_find(const queue_t *queue, const char *id)
{
    for (queue_job_t *job = queue->jobs; job != NULL; job = job->next)
        if (strcmp(job->id, id) == 0) return job;
    return NULL;
}

queue_job_t *queue_find_named(const queue_t *queue, const char *name)
{
    queue_job_t *found = queue_find(queue, name);

    if (found != NULL || *name == '\0') return found;
    for (queue_job_t *job = queue->jobs; job != NULL; job = job->next)
        if (strcmp(job->request_id, name) == 0) found = job;
    return found;
}

void queue_link_job(queue_t *queue, queue_job_t *job)
{
    *queue->last = job;
    queue->last = &job->next;
    if (job->phase != PHASE_ENDED) queue->n_unfinished++;
}

static void free_job(queue_job_t *job)
{
    VERIFY(job->waits == NULL);
    free(job->proof);
    free(job->partitions);
    free(job);
}

void queue_hold_job(queue_job_t *job)
{
    job->n_refs++;
}

void queue_release_job(queue_job_t *job)
{
    VERIFY(job->n_refs > 0);
    if (--job->n_refs == 0 && job->is_gone) free_job(job);
}

void queue_unlink_job(queue_t *queue, queue_job_t *job)
{
    queue_job_t **at = &queue->jobs;

    while (*at != job) at = &(*at)->next;
    *at = job->next;
    if (*at == NULL) queue->last = at;
    if (job->phase != PHASE_ENDED) queue->n_unfinished--;
    job->is_gone = true;
    if (job->n_refs == 0) free_job(job);
}

uint64_t queue_deadline_ns(const queue_t *queue, const queue_job_t *job)
{
    const uint64_t most_ms = queue->options.job_timeout_ms;

    return most_ms == 0 ? UINT64_MAX : job->accepted_ns + most_ms * 1000000;
}

uint32_t queue_circuit(const queue_job_t *job)
{
    return (uint32_t)job->kind << 8 | job->registered_proof;
}

/* ---- jobs from before --------------------------------------------------------------------------
 */

typedef struct {
    queue_t *queue;
    cuzk_status st;
    cuzk_error *err;
} restore_t;

static queue_outcome outcome_of(store_state state)
{
    switch (state) {
    case STORE_COMPLETED:
        return OUTCOME_COMPLETED;
    case STORE_CANCELLED:
        return OUTCOME_CANCELLED;
    case STORE_TIMED_OUT:
        return OUTCOME_TIMED_OUT;
    case STORE_ACCEPTED:
    case STORE_FAILED:
        break;
    }
    return OUTCOME_FAILED;
}

static cuzk_status restore_end(queue_job_t *job, const store_job_t *record, cuzk_error *err)
{
    const int64_t ago_ms = queue_unix_ms() - record->ended_ms;
    const uint64_t now = clock_monotonic_ns();
    const uint64_t ago_ns = ago_ms > 0 ? (uint64_t)ago_ms * 1000000 : 0;

    job->phase = PHASE_ENDED;
    job->is_recorded = true;
    job->outcome = outcome_of(record->state);
    job->ended_ms = record->ended_ms;
    job->ended_ns = ago_ns < now ? now - ago_ns : 0;
    job->times_ms = record->times_ms;
    (void)snprintf(job->error, sizeof job->error, "%s", record->error != NULL ? record->error : "");
    if (record->proof_length == 0) return CUZK_OK;
    job->proof = mem_alloc(record->proof_length, 1, "proof", err);
    if (job->proof == NULL) return err->status;
    memcpy(job->proof, record->proof, record->proof_length);
    job->proof_length = record->proof_length;
    return CUZK_OK;
}

static void restore_waiting(queue_t *queue, queue_job_t *job)
{
    job->is_suspect = job->n_starts >= SUSPECT_STARTS;
    if (job->n_starts < MOST_STARTS) return;
    char error[128];
    (void)snprintf(error, sizeof error,
                   "it was begun %u times and the daemon ended each time before it did",
                   job->n_starts);
    (void)queue_end_here(queue, job, OUTCOME_FAILED, error);
}

static void restore(void *arg, const store_job_t *record)
{
    restore_t *r = arg;

    if (r->st != CUZK_OK) return;
    queue_job_t *job = mem_alloc(1, sizeof *job, "job", r->err);
    if (job == NULL) {
        r->st = r->err->status;
        return;
    }
    memcpy(job->id, record->id, sizeof job->id);
    memcpy(job->request_id, record->request_id, sizeof job->request_id);
    job->kind = record->kind;
    job->priority = record->priority;
    job->registered_proof = record->registered_proof;
    job->miner_id = record->miner_id;
    job->sector_number = record->sector_number;
    job->accepted_ns = clock_monotonic_ns();
    job->accepted_ms = record->accepted_ms;
    job->deadline_ns = queue_deadline_ns(r->queue, job);
    job->is_submitted = true;
    job->n_starts = record->n_starts;
    if (record->state != STORE_ACCEPTED) r->st = restore_end(job, record, r->err);
    queue_link_job(r->queue, job);
    if (record->state == STORE_ACCEPTED) restore_waiting(r->queue, job);
}

static cuzk_status take_up(queue_t *queue, cuzk_error *err)
{
    restore_t r = {.queue = queue, .err = err};
    store_t *store = queue->options.store;

    cuzk_status st = store->ops->list(store, restore, &r, err);
    if (st == CUZK_OK) st = r.st;
    if (st == CUZK_OK && queue->n_unfinished > 0)
        log_line(CUZK_LOG_INFO, NULL, "%u jobs from before are taken up again",
                 queue->n_unfinished);
    return st;
}

/* ---- opening and closing -----------------------------------------------------------------------
 */

void queue_engine_finished(void *arg, cuzk_job id)
{
    queue_t *queue = ((queue_link_t *)arg)->queue;

    if (queue == NULL) return;
    (void)pthread_mutex_lock(&queue->mutex);
    VERIFY(queue->ends.n < queue->ends.room);
    queue->ends.ids[queue->ends.n++] = id;
    (void)pthread_cond_signal(&queue->ended);
    (void)pthread_mutex_unlock(&queue->mutex);
}

/* The feeder comes last: until it runs, the engine has no job whose end could come in when the
 * queue that could not be opened is gone. */
static cuzk_status start_threads(queue_t *queue, cuzk_error *err)
{
    void *(*const mains[QUEUE_THREADS])(void *) = {queue_keeper_main, queue_ender_main,
                                                   queue_feeder_main};

    for (; queue->n_threads < QUEUE_THREADS; queue->n_threads++) {
        const int rc =
            pthread_create(&queue->threads[queue->n_threads], NULL, mains[queue->n_threads], queue);
        if (rc != 0)
            return error_set(err, CUZK_ERR_MEMORY, "queue: a thread could not be started: %s",
                             strerror(rc));
    }
    return CUZK_OK;
}

/* Jobs that have not ended are never more than this, so neither are the engine's ends. */
static cuzk_status make_ends(queue_t *queue, cuzk_error *err)
{
    const uint32_t most = queue->options.max_jobs;

    queue->ends.room = (queue->n_unfinished > most ? queue->n_unfinished : most) + 1;
    queue->ends.ids = mem_alloc(queue->ends.room, sizeof *queue->ends.ids, "queue", err);
    return queue->ends.ids == NULL ? err->status : CUZK_OK;
}

cuzk_status queue_open(queue_t **out, const queue_options_t *options, queue_link_t *link,
                       cuzk_error *err)
{
    queue_t *queue = mem_alloc(1, sizeof *queue, "queue", err);
    cuzk_stats stats = {.struct_size = sizeof stats};

    *out = NULL;
    if (queue == NULL) return err->status;
    queue->options = *options;
    queue->link = link;
    queue->last = &queue->jobs;
    queue->opened_ns = clock_monotonic_ns();
    (void)cuzk_engine_stats(options->engine, &stats, NULL);
    queue->n_slots = stats.max_synthesis + stats.max_proving + options->lookahead;
    (void)pthread_mutex_init(&queue->mutex, NULL);
    queue_cond_init(&queue->feed);
    queue_cond_init(&queue->ended);
    queue_cond_init(&queue->keep);
    queue_cond_init(&queue->stored);
    cuzk_status st = take_up(queue, err);
    if (st == CUZK_OK) st = make_ends(queue, err);
    if (st == CUZK_OK) {
        link->queue = queue;
        st = start_threads(queue, err);
    }
    if (st != CUZK_OK) {
        queue_stop(queue);
        queue_free(queue);
        return st;
    }
    *out = queue;
    return CUZK_OK;
}

void queue_drain(queue_t *queue)
{
    (void)pthread_mutex_lock(&queue->mutex);
    queue->is_draining = true;
    (void)pthread_cond_broadcast(&queue->feed);
    (void)pthread_mutex_unlock(&queue->mutex);
}

size_t queue_in_engine(queue_t *queue)
{
    size_t n = 0;

    (void)pthread_mutex_lock(&queue->mutex);
    for (const queue_job_t *job = queue->jobs; job != NULL; job = job->next)
        n += job->phase == PHASE_FEEDING || job->phase == PHASE_IN_ENGINE;
    (void)pthread_mutex_unlock(&queue->mutex);
    return n;
}

/* The mutex is held. */
static queue_job_t *find_awaited(const queue_t *queue)
{
    for (queue_job_t *job = queue->jobs; job != NULL; job = job->next)
        if (job->waits != NULL) return job;
    return NULL;
}

static void tell_stopping(queue_t *queue)
{
    queue_result_t result = {.outcome = OUTCOME_STOPPING,
                             .error = queue->options.is_durable
                                          ? "the daemon is stopping: the job goes on after its "
                                            "restart"
                                          : "the daemon is stopping"};
    queue_job_t *job;

    (void)pthread_mutex_lock(&queue->mutex);
    while ((job = find_awaited(queue)) != NULL) {
        queue_wait_t *waits = job->waits;

        job->waits = NULL;
        result.id = job->id;
        queue_hold_job(job);
        (void)pthread_mutex_unlock(&queue->mutex);
        queue_tell(waits, &result);
        (void)pthread_mutex_lock(&queue->mutex);
        queue_release_job(job);
    }
    (void)pthread_mutex_unlock(&queue->mutex);
}

static bool is_storing_any(const queue_t *queue)
{
    for (const queue_job_t *job = queue->jobs; job != NULL; job = job->next)
        if (job->is_storing) return true;
    return false;
}

/* The keeper goes last, when there are no more ends that it could write. */
static void stop_keeper(queue_t *queue)
{
    (void)pthread_mutex_lock(&queue->mutex);
    while (is_storing_any(queue)) (void)pthread_cond_wait(&queue->stored, &queue->mutex);
    queue->keeps_no_more = true;
    for (queue_job_t *job = queue->jobs; job != NULL; job = job->next)
        if (job->record_again_ns != 0) job->record_again_ns = QUEUE_RECORD_NOW;
    (void)pthread_cond_signal(&queue->keep);
    (void)pthread_mutex_unlock(&queue->mutex);
    if (queue->n_threads > 0) (void)pthread_join(queue->threads[--queue->n_threads], NULL);
}

void queue_stop(queue_t *queue)
{
    (void)pthread_mutex_lock(&queue->mutex);
    queue->is_draining = queue->is_stopping = true;
    (void)pthread_cond_signal(&queue->feed);
    (void)pthread_cond_signal(&queue->ended);
    (void)pthread_cond_broadcast(&queue->stored);
    (void)pthread_mutex_unlock(&queue->mutex);
    while (queue->n_threads > 1) (void)pthread_join(queue->threads[--queue->n_threads], NULL);
    tell_stopping(queue);
    stop_keeper(queue);
}

void queue_free(queue_t *queue)
{
    queue->link->queue = NULL;
    while (queue->jobs != NULL) queue_unlink_job(queue, queue->jobs);
    free(queue->ends.ids);
    (void)pthread_cond_destroy(&queue->feed);
    (void)pthread_cond_destroy(&queue->ended);
    (void)pthread_cond_destroy(&queue->keep);
    (void)pthread_cond_destroy(&queue->stored);
    (void)pthread_mutex_destroy(&queue->mutex);
    free(queue);
}
