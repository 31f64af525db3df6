/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* Accepting jobs, waiting for them, cancelling them. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/memory.h"
#include "cuzk/text.h"
#include "daemon/queue_parts.h"
#include "hash/sha256.h"

/* ---- a job of a submission ---------------------------------------------------------------------
 */

/* The request id and the request's own checksum, its last bytes, make the job's. */
static void make_id(char id[STORE_ID_BYTES], const char *request_id, const uint8_t *request,
                    size_t length)
{
    uint8_t digest[SHA256_BYTES];
    sha256_t h;

    sha256_init(&h);
    sha256_update(&h, request_id, strlen(request_id) + 1);
    sha256_update(&h, request + length - SHA256_BYTES, SHA256_BYTES);
    sha256_final(digest, &h);
    bytes_to_hex(id, digest, (STORE_ID_BYTES - 1) / 2);
}

static cuzk_priority priority_of(const cuzk_request *request)
{
    if (request->priority != CUZK_PRIORITY_DEFAULT) return request->priority;
    if (request->kind == CUZK_WINNING_POST) return CUZK_PRIORITY_CRITICAL;
    return request->kind == CUZK_WINDOW_POST ? CUZK_PRIORITY_HIGH : CUZK_PRIORITY_NORMAL;
}

static queue_job_t *new_job(const queue_t *queue, const char *id,
                            const queue_submission_t *submission, cuzk_error *err)
{
    const cuzk_request *request = &submission->request;
    queue_job_t *job = mem_alloc(1, sizeof *job, "job", err);

    if (job == NULL) return NULL;
    (void)snprintf(job->id, sizeof job->id, "%s", id);
    (void)snprintf(job->request_id, sizeof job->request_id, "%s", submission->request_id);
    job->kind = request->kind;
    job->priority = priority_of(request);
    job->registered_proof = request->registered_proof;
    job->miner_id = request->miner_id;
    job->sector_number = request->sector_number;
    job->accepted_ns = clock_monotonic_ns();
    job->accepted_ms = queue_unix_ms();
    job->deadline_ns = queue_deadline_ns(queue, job);
    job->is_storing = true;
    return job;
}

static cuzk_status refuse_stopping(cuzk_error *err)
{
    return error_set(err, CUZK_CANCELLED, "the daemon is stopping");
}

/* ---- waiting -----------------------------------------------------------------------------------
 */

static queue_wait_t *new_wait(const queue_waiter_t *waiter, cuzk_error *err)
{
    queue_wait_t *wait = mem_alloc(1, sizeof *wait, "waiter", err);

    if (wait == NULL) return NULL;
    wait->waiter = *waiter;
    wait->until_ns = waiter->timeout_ms == 0 || waiter->timeout_ms > UINT64_MAX / 4000000
                         ? UINT64_MAX
                         : clock_monotonic_ns() + waiter->timeout_ms * 1000000;
    return wait;
}

/* Puts a waiter to a job, or tells it at once when that has ended. The mutex is held, and given
 * back. */
static void wait_or_tell(queue_t *queue, queue_job_t *job, queue_wait_t *wait)
{
    if (job->phase != PHASE_ENDED) {
        wait->next = job->waits;
        job->waits = wait;
        (void)pthread_cond_signal(&queue->ended); /* there may be an earlier end to wait for */
        (void)pthread_mutex_unlock(&queue->mutex);
        return;
    }
    queue_hold_job(job);
    (void)pthread_mutex_unlock(&queue->mutex);
    queue_tell_end(wait, job);
    (void)pthread_mutex_lock(&queue->mutex);
    queue_release_job(job);
    (void)pthread_mutex_unlock(&queue->mutex);
}

void queue_tell(queue_wait_t *waits, const queue_result_t *result)
{
    while (waits != NULL) {
        queue_wait_t *wait = waits;

        waits = wait->next;
        wait->waiter.done(wait->waiter.arg, result);
        free(wait);
    }
}

void queue_tell_end(queue_wait_t *waits, const queue_job_t *job)
{
    if (waits == NULL) return; /* then it may be that the job has not ended */
    const queue_result_t result = {.id = job->id,
                                   .outcome = job->outcome,
                                   .proof = job->proof,
                                   .proof_length = job->proof_length,
                                   .error = job->error,
                                   .times_ms = job->times_ms};
    queue_tell(waits, &result);
}

/* The mutex is held. */
static cuzk_status find_named(queue_job_t **job, const queue_t *queue, const char *id,
                              cuzk_error *err)
{
    *job = queue_find_named(queue, id);
    if (*job == NULL) return error_set(err, CUZK_ERR_MISSING, "job_id: there is no job %.64s", id);
    return queue->is_stopping ? refuse_stopping(err) : CUZK_OK;
}

cuzk_status queue_await(queue_t *queue, const char *id, const queue_waiter_t *waiter,
                        cuzk_error *err)
{
    queue_wait_t *wait = new_wait(waiter, err);
    queue_job_t *job;

    if (wait == NULL) return err->status;
    (void)pthread_mutex_lock(&queue->mutex);
    const cuzk_status st = find_named(&job, queue, id, err);
    if (st == CUZK_OK) {
        wait_or_tell(queue, job, wait); /* gives the mutex back */
        return CUZK_OK;
    }
    (void)pthread_mutex_unlock(&queue->mutex);
    free(wait);
    return st;
}

/* ---- accepting ---------------------------------------------------------------------------------
 */

/* How a request becomes a job: looked at, checked, enlisted under its id, begun where it can be at
 * once, stored. */
typedef struct {
    queue_t *queue;
    const queue_submission_t *submission;
    queue_wait_t *wait; /* NULL: nobody waits */
    char id[STORE_ID_BYTES];
    uint8_t *bytes; /* of the request */
    size_t length;
    queue_job_t *job; /* held */
    bool is_submit;   /* nobody waits: it is accepted when it is stored */
    bool is_known;
    bool is_ours; /* PHASE_FEEDING: this thread hands it to the engine */
} acceptance_t;

/* Whether a job that is not urgent may be begun at once. The mutex is held, as in all below that
 * take a const queue_t. */
static bool has_slot(const queue_t *queue)
{
    if (queue->options.max_batch_size > 1 || queue->n_bulk >= queue->n_slots) return false;
    for (const queue_job_t *job = queue->jobs; job != NULL; job = job->next)
        if (job->phase == PHASE_PENDING) return false; /* it goes first */
    return true;
}

static cuzk_status check_room(const queue_t *queue, cuzk_error *err)
{
    if (queue->is_draining) return refuse_stopping(err);
    if (queue->n_unfinished < queue->options.max_jobs) return CUZK_OK;
    return error_set(err, CUZK_ERR_BUSY,
                     "queue: %u jobs wait or run, which is scheduler.max_queue: try again later",
                     queue->n_unfinished);
}

/* Whether whoever asks for the same again is to get what becomes of this job: it goes on, or it
 * went well. */
static bool is_of_use(const queue_job_t *job)
{
    if (job->withdrawn != CUZK_OK) return false;
    return job->phase == PHASE_ENDED ? job->outcome == OUTCOME_COMPLETED : !job->is_cancelled;
}

/* A first look, before anything expensive. *needs_check: the input's form is to be looked at; of a
 * known job it has been, and a PoRep that the engine will read at once need not be read twice. */
static cuzk_status look(bool *needs_check, const acceptance_t *a, cuzk_error *err)
{
    queue_t *queue = a->queue;
    cuzk_status st = CUZK_OK;

    (void)pthread_mutex_lock(&queue->mutex);
    const queue_job_t *job = queue_find(queue, a->id);
    const bool is_known = job != NULL && is_of_use(job);
    if (!is_known) st = check_room(queue, err);
    const bool is_read_at_once =
        a->submission->request.kind == CUZK_POREP && !a->is_submit && has_slot(queue);
    (void)pthread_mutex_unlock(&queue->mutex);
    *needs_check = !is_known && !is_read_at_once;
    return st;
}

static cuzk_status check(const acceptance_t *a, cuzk_error *err)
{
    const cuzk_request *request = &a->submission->request;
    uint32_t n_partitions;

    const cuzk_status st =
        cuzk_check_request(a->queue->options.engine, request, &n_partitions, err);
    if (st != CUZK_OK || request->kind != CUZK_WINDOW_POST || n_partitions == 1) return st;
    return error_set(err, CUZK_ERR_ARG,
                     "vanilla_proofs: %zu sectors, which are %u partitions: a job proves one",
                     request->n_inputs, n_partitions);
}

/* Another circuit, or urgent work, ends the gathering of batches. */
static void flush_batches(queue_t *queue, const queue_job_t *job)
{
    for (queue_job_t *other = queue->jobs; other != NULL; other = other->next)
        if (other->phase == PHASE_PENDING && queue_circuit(other) != queue_circuit(job))
            other->is_released = true;
    (void)pthread_cond_signal(&queue->feed);
}

/* Whether the store could not be told that a job has ended. */
static bool is_record_failed(const queue_job_t *job)
{
    return job->phase == PHASE_ENDED && !job->is_recorded && !job->is_recording &&
           job->record_again_ns > QUEUE_RECORD_NOW;
}

/* The job of that id: of use, or one that has ended and the store knows it. One that is on its way
 * there is waited for; the mutex is given back meanwhile. */
static cuzk_status find_known(queue_job_t **job, const acceptance_t *a, cuzk_error *err)
{
    queue_t *queue = a->queue;
    bool has_retried = false;

    for (*job = NULL;;) {
        if (queue->is_stopping) return refuse_stopping(err);
        *job = queue_find(queue, a->id);
        if (*job == NULL || is_of_use(*job) || (*job)->is_recorded) return CUZK_OK;
        if (is_record_failed(*job)) {
            if (has_retried)
                return error_set(err, CUZK_ERR_IO,
                                 "job %s: the end of its last run could not be stored: try again "
                                 "later",
                                 a->id);
            has_retried = true;
            (*job)->record_again_ns = QUEUE_RECORD_NOW;
            (void)pthread_cond_signal(&queue->keep);
        }
        (void)pthread_cond_wait(&queue->stored, &queue->mutex);
    }
}

/* Links a new job; old, which may be NULL, is one of its id that has ended and makes way. */
static cuzk_status enlist_new(acceptance_t *a, queue_job_t *fresh, queue_job_t *old,
                              cuzk_error *err)
{
    queue_t *queue = a->queue;

    if (check_room(queue, err) != CUZK_OK) return err->status;
    if (old != NULL) queue_unlink_job(queue, old);
    flush_batches(queue, fresh);
    a->is_ours = job_is_urgent(fresh) || has_slot(queue);
    fresh->phase = a->is_ours ? PHASE_FEEDING : PHASE_PENDING;
    if (a->is_ours && !job_is_urgent(fresh)) queue->n_bulk++;
    queue_link_job(queue, fresh);
    return CUZK_OK;
}

/* The job of an acceptance: known, or new and linked. The mutex is held. */
static cuzk_status enlist(queue_ticket_t *ticket, acceptance_t *a, queue_job_t *fresh,
                          cuzk_error *err)
{
    queue_job_t *job;

    cuzk_status st = find_known(&job, a, err);
    if (st != CUZK_OK) return st;
    ticket->is_known = a->is_known = job != NULL && is_of_use(job);
    if (!a->is_known) st = enlist_new(a, fresh, job, err);
    if (st != CUZK_OK) return st;
    a->job = a->is_known ? job : fresh;
    if (a->is_submit) a->job->is_submitted = true;
    queue_hold_job(a->job);
    return CUZK_OK;
}

static uint32_t position_of(const queue_t *queue, const queue_job_t *job)
{
    const uint64_t now = clock_monotonic_ns();
    uint32_t n = 0;

    if (job->phase != PHASE_PENDING) return 0;
    for (const queue_job_t *other = queue->jobs; other != NULL; other = other->next)
        n += other->phase == PHASE_PENDING && queue_is_before(other, job, now);
    return n;
}

/* A job that has been begun may have ended by now: the store gets its end later. */
static cuzk_status store_job(const acceptance_t *a, cuzk_error *err)
{
    store_t *store = a->queue->options.store;
    store_job_t record;

    queue_describe_new(&record, a->job);
    return store->ops->add(store, &record, a->bytes, a->length, err);
}

/* Takes a job back that could not be accepted: others who wait for it are told why. */
static void withdraw(const acceptance_t *a, const cuzk_error *err)
{
    queue_t *queue = a->queue;
    queue_job_t *job = a->job;
    queue_wait_t *waits = NULL;

    (void)pthread_mutex_lock(&queue->mutex);
    job->is_storing = false;
    job->withdrawn = err->status;
    if (job->phase == PHASE_IN_ENGINE) { /* it ends by itself, soon */
        (void)snprintf(job->error, sizeof job->error, "%s", err->text);
        (void)cuzk_cancel(queue->options.engine, job->engine_job, NULL);
    } else {
        if (job->phase == PHASE_FEEDING && !job_is_urgent(job)) queue->n_bulk--;
        if (job->phase != PHASE_ENDED)
            waits = queue_end_here(queue, job, OUTCOME_FAILED, err->text);
        queue_unlink_job(queue, job);
    }
    (void)pthread_cond_broadcast(&queue->stored);
    (void)pthread_mutex_unlock(&queue->mutex);
    queue_tell_end(waits, job);
}

static void end_acceptance(const acceptance_t *a)
{
    queue_t *queue = a->queue;

    (void)pthread_mutex_lock(&queue->mutex);
    a->job->is_storing = false;
    (void)pthread_cond_broadcast(&queue->stored);
    (void)pthread_cond_signal(&queue->feed);
    (void)pthread_cond_signal(&queue->keep); /* it may have been begun, or have ended */
    (void)pthread_mutex_unlock(&queue->mutex);
}

/* Begins a new job where that can be done at once, and stores it. */
static cuzk_status accept_new(acceptance_t *a, cuzk_error *err)
{
    queue_t *queue = a->queue;

    cuzk_status st = a->is_ours ? queue_feed(queue, a->job, &a->submission->request, err) : CUZK_OK;
    if (st == CUZK_ERR_BUSY) st = CUZK_OK; /* it waits with the others */
    if (st == CUZK_OK) st = store_job(a, err);
    if (st == CUZK_OK) end_acceptance(a);
    return st;
}

/* A job that somebody else is still storing is accepted when it is stored. */
static cuzk_status join_known(const acceptance_t *a, cuzk_error *err)
{
    queue_t *queue = a->queue;
    queue_job_t *job = a->job;

    (void)pthread_mutex_lock(&queue->mutex);
    while (job->is_storing && a->is_submit) (void)pthread_cond_wait(&queue->stored, &queue->mutex);
    const cuzk_status st =
        job->withdrawn == CUZK_OK ? CUZK_OK : error_set(err, job->withdrawn, "%s", job->error);
    (void)pthread_mutex_unlock(&queue->mutex);
    return st;
}

/* Takes the own waiter back from a job; false: it has been told. The mutex is held. */
static bool unlink_wait(queue_job_t *job, const queue_wait_t *wait)
{
    for (queue_wait_t **at = &job->waits; *at != NULL; at = &(*at)->next) {
        if (*at != wait) continue;
        *at = wait->next;
        return true;
    }
    return false;
}

/* What could not be accepted: whoever has been told of the job's end already has an answer. */
static cuzk_status refuse(acceptance_t *a, queue_wait_t *linked, const cuzk_error *err)
{
    bool is_told = false;

    (void)pthread_mutex_lock(&a->queue->mutex);
    if (linked != NULL && unlink_wait(a->job, linked))
        a->wait = linked;
    else
        is_told = linked != NULL;
    (void)pthread_mutex_unlock(&a->queue->mutex);
    if (!a->is_known) withdraw(a, err);
    return is_told ? CUZK_OK : err->status;
}

/* Links the job, and its waiter from the first moment on: *linked is that one, which is the job's
 * then. */
static cuzk_status enter(queue_ticket_t *ticket, queue_wait_t **linked, acceptance_t *a,
                         cuzk_error *err)
{
    queue_t *queue = a->queue;
    queue_job_t *fresh = new_job(queue, a->id, a->submission, err);

    if (fresh == NULL) return err->status;
    fresh->request_bytes = a->length;
    (void)pthread_mutex_lock(&queue->mutex);
    const cuzk_status st = enlist(ticket, a, fresh, err);
    if (a->job != fresh) free(fresh);
    if (st == CUZK_OK && a->wait != NULL && a->job->phase != PHASE_ENDED) {
        *linked = a->wait;
        a->wait->next = a->job->waits;
        a->job->waits = a->wait;
        a->wait = NULL;
    }
    (void)pthread_cond_signal(&queue->ended); /* there may be an earlier end to wait for */
    (void)pthread_mutex_unlock(&queue->mutex);
    return st;
}

static cuzk_status accept(queue_ticket_t *ticket, acceptance_t *a, cuzk_error *err)
{
    queue_t *queue = a->queue;
    queue_wait_t *linked = NULL;

    cuzk_status st = enter(ticket, &linked, a, err);
    if (st != CUZK_OK) return st;
    st = a->is_known ? join_known(a, err) : accept_new(a, err);
    if (st != CUZK_OK) st = refuse(a, linked, err);
    (void)pthread_mutex_lock(&queue->mutex);
    ticket->position = position_of(queue, a->job);
    if (st == CUZK_OK && a->wait != NULL) {
        wait_or_tell(queue, a->job, a->wait); /* gives the mutex back */
        a->wait = NULL;
        (void)pthread_mutex_lock(&queue->mutex);
    }
    queue_release_job(a->job);
    (void)pthread_mutex_unlock(&queue->mutex);
    return st;
}

cuzk_status queue_submit(queue_ticket_t *ticket, queue_t *queue,
                         const queue_submission_t *submission, const queue_waiter_t *waiter,
                         cuzk_error *err)
{
    acceptance_t a = {.queue = queue, .submission = submission, .is_submit = waiter == NULL};
    bool needs_check;

    if (waiter != NULL) {
        a.wait = new_wait(waiter, err);
        if (a.wait == NULL) return err->status;
    }
    cuzk_status st = cuzk_request_write(&submission->request, &a.bytes, &a.length, err);
    if (st == CUZK_OK) {
        make_id(a.id, submission->request_id, a.bytes, a.length);
        memcpy(ticket->id, a.id, sizeof ticket->id);
        st = look(&needs_check, &a, err);
    }
    if (st == CUZK_OK && needs_check) st = check(&a, err);
    if (st == CUZK_OK) st = accept(ticket, &a, err);
    cuzk_bytes_free(a.bytes);
    free(a.wait);
    return st;
}

/* ---- leaving and cancelling --------------------------------------------------------------------
 */

static bool has_owner(const queue_job_t *job)
{
    for (const queue_wait_t *wait = job->waits; wait != NULL; wait = wait->next)
        if (wait->waiter.owns) return true;
    return false;
}

/* Whether a job that its last caller has left is to end. */
static bool ends_with_callers(const queue_t *queue, const queue_job_t *job)
{
    const queue_options_t *o = &queue->options;

    if (job->is_submitted || has_owner(job) || job->phase == PHASE_ENDED) return false;
    if (job->kind == CUZK_WINNING_POST || job->kind == CUZK_WINDOW_POST) return o->cancels_posts;
    return job->phase == PHASE_PENDING ? o->drops_waiting : o->cancels_begun;
}

/* Cancels a job that has not ended; returns those who are to be told now. The mutex is held. */
static queue_wait_t *cancel_job(queue_t *queue, queue_job_t *job, const char *why)
{
    job->is_cancelled = true;
    if (job->phase == PHASE_PENDING) return queue_end_here(queue, job, OUTCOME_CANCELLED, why);
    if (job->phase == PHASE_IN_ENGINE)
        (void)cuzk_cancel(queue->options.engine, job->engine_job, NULL);
    return NULL; /* PHASE_FEEDING: whoever feeds it looks */
}

/* Takes the waiter of a call out of its job: NULL when there is none. The mutex is held. */
static queue_wait_t *take_wait(queue_job_t **job, queue_t *queue, uint64_t call)
{
    for (*job = queue->jobs; *job != NULL; *job = (*job)->next)
        for (queue_wait_t *wait = (*job)->waits; wait != NULL; wait = wait->next)
            if (wait->waiter.call == call && unlink_wait(*job, wait)) {
                wait->next = NULL;
                return wait;
            }
    return NULL;
}

void queue_leave(queue_t *queue, uint64_t call)
{
    const queue_result_t gone = {
        .id = "", .outcome = OUTCOME_CANCELLED, .error = "the caller left"};
    queue_wait_t *told = NULL;
    queue_job_t *job;

    (void)pthread_mutex_lock(&queue->mutex);
    queue_wait_t *wait = take_wait(&job, queue, call);
    if (wait != NULL) {
        queue_hold_job(job);
        if (wait->waiter.owns && ends_with_callers(queue, job))
            told = cancel_job(queue, job, "its caller left");
    }
    (void)pthread_mutex_unlock(&queue->mutex);
    if (wait == NULL) return;
    wait->waiter.done(wait->waiter.arg, &gone);
    free(wait);
    queue_tell_end(told, job);
    (void)pthread_mutex_lock(&queue->mutex);
    queue_release_job(job);
    (void)pthread_mutex_unlock(&queue->mutex);
}

cuzk_status queue_cancel(bool *was_running, queue_t *queue, const char *id, cuzk_error *err)
{
    queue_wait_t *told = NULL;
    queue_job_t *job;

    *was_running = false;
    (void)pthread_mutex_lock(&queue->mutex);
    const cuzk_status st = find_named(&job, queue, id, err);
    if (st != CUZK_OK) {
        (void)pthread_mutex_unlock(&queue->mutex);
        return st;
    }
    queue_hold_job(job);
    *was_running = job->phase != PHASE_ENDED;
    if (*was_running) told = cancel_job(queue, job, "cancelled");
    (void)pthread_mutex_unlock(&queue->mutex);
    queue_tell_end(told, job);
    (void)pthread_mutex_lock(&queue->mutex);
    queue_release_job(job);
    (void)pthread_mutex_unlock(&queue->mutex);
    return CUZK_OK;
}
