/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* Ends of jobs: results taken from the engine, those who wait told, the store kept. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "daemon/log.h"
#include "daemon/queue_parts.h"

/* How often what is old is looked for: as often as results are kept, within these. */
enum { TIDY_LEAST_MS = 100, TIDY_MOST_MS = 10000 };

/* When an end that could not be written is tried again. */
#define RECORD_AGAIN_NS ((uint64_t)2 * 1000000000)

/* ---- an end ------------------------------------------------------------------------------------
 */

/* Marks a job as ended, counts it, and returns those who wait. The mutex is held. */
static queue_wait_t *end_job(queue_t *queue, queue_job_t *job, queue_outcome outcome)
{
    snapshot_kind_t *kind = &queue->kinds[job->kind - 1];
    queue_wait_t *waits = job->waits;

    job->waits = NULL;
    job->phase = PHASE_ENDED;
    job->outcome = outcome;
    job->ended_ns = clock_monotonic_ns();
    job->ended_ms = queue_unix_ms();
    job->times_ms.total = (job->ended_ns - job->accepted_ns) / 1000000;
    if (!job->is_gone) queue->n_unfinished--;
    kind->completed += outcome == OUTCOME_COMPLETED;
    kind->failed += outcome == OUTCOME_FAILED;
    kind->refused += outcome == OUTCOME_REFUSED;
    kind->cancelled += outcome == OUTCOME_CANCELLED;
    kind->timed_out += outcome == OUTCOME_TIMED_OUT;
    kind->retried += job->n_retries;
    if (outcome == OUTCOME_COMPLETED)
        snapshot_histogram_add(&kind->duration_s, (double)job->times_ms.total * 1e-3);
    (void)pthread_cond_signal(&queue->feed);
    (void)pthread_cond_signal(&queue->keep);
    return waits;
}

/* A bad input is its caller's business, a failure is the operator's. */
static void log_end(const queue_job_t *job)
{
    static const struct {
        cuzk_log_level level;
        const char *word;
    } ends[] = {[OUTCOME_FAILED] = {CUZK_LOG_ERROR, "failed"},
                [OUTCOME_REFUSED] = {CUZK_LOG_WARNING, "refused"},
                [OUTCOME_CANCELLED] = {CUZK_LOG_INFO, "cancelled"},
                [OUTCOME_TIMED_OUT] = {CUZK_LOG_ERROR, "timed out"}};
    const log_subject_t subject = {
        .job = job->id, .request_id = job->request_id, .kind = snapshot_kind_label(job->kind)};

    if (job->outcome == OUTCOME_COMPLETED)
        log_line(CUZK_LOG_INFO, &subject, "done in %.3f s, %zu bytes",
                 (double)job->times_ms.total * 1e-3, job->proof_length);
    else
        log_line(ends[job->outcome].level, &subject, "%s: %s", ends[job->outcome].word, job->error);
}

queue_wait_t *queue_end_here(queue_t *queue, queue_job_t *job, queue_outcome outcome,
                             const char *error)
{
    (void)snprintf(job->error, sizeof job->error, "%s", error);
    queue_wait_t *waits = end_job(queue, job, outcome);
    log_end(job);
    return waits;
}

/* ---- the engine's results ----------------------------------------------------------------------
 */

static queue_outcome outcome_of(cuzk_status st, const cuzk_result *result)
{
    switch (st) {
    case CUZK_OK:
        return OUTCOME_COMPLETED;
    case CUZK_CANCELLED:
        return OUTCOME_CANCELLED;
    case CUZK_ERR_DEADLINE:
        return OUTCOME_TIMED_OUT;
    case CUZK_ERR_ARG:
    case CUZK_ERR_FORMAT:
        return result->failed_stage <= CUZK_STAGE_CHECK ? OUTCOME_REFUSED : OUTCOME_FAILED;
    default:
        return OUTCOME_FAILED;
    }
}

static uint64_t ms(double seconds)
{
    return seconds > 0 ? (uint64_t)(seconds * 1e3 + 0.5) : 0;
}

/* What only the engine has, and forgets when its result is taken. */
typedef struct {
    cuzk_progress progress;
    cuzk_partition *partitions;
    size_t n_partitions;
} engine_news_t;

static void ask_engine(engine_news_t *news, cuzk_engine *engine, cuzk_job id)
{
    *news = (engine_news_t){.progress = {.struct_size = sizeof news->progress}};
    if (cuzk_poll(engine, id, &news->progress, NULL) != CUZK_OK) return;
    const size_t room = news->progress.n_partitions;
    if (room == 0) return;
    news->partitions = calloc(room, sizeof *news->partitions);
    if (news->partitions == NULL) return; /* then they are not shown */
    if (cuzk_poll_partitions(engine, id, news->partitions, room, &news->n_partitions, NULL) !=
        CUZK_OK)
        news->n_partitions = 0;
}

/* How its partitions went, for whoever looks at the job later. */
static void keep_news(queue_job_t *job, const engine_news_t *news)
{
    job->n_retries = news->progress.n_retries;
    memcpy(job->retry_reason, news->progress.retry_reason, sizeof job->retry_reason);
    job->partitions = news->partitions; /* taken over */
    job->n_partitions = news->n_partitions;
}

/* The first moment at which one of its partitions was in work, from the engine's start of it on. */
static double begin_s(const queue_job_t *job)
{
    double first = -1;

    for (size_t i = 0; i < job->n_partitions; i++) {
        const double at = job->partitions[i].began_s[CUZK_STAGE_SYNTHESIS];

        if (at >= 0 && (first < 0 || at < first)) first = at;
    }
    return first;
}

static void keep_times(queue_job_t *job, const cuzk_timings *t)
{
    const double fed_s = clock_seconds_between(job->accepted_ns, job->fed_ns);

    job->times_ms = (store_times_t){.queue = ms(fed_s + t->queue_s),
                                    .load = ms(t->load_s),
                                    .synthesis = ms(t->synthesis_s),
                                    .proving = ms(t->h_s + t->msm_s)};
}

/* Takes the result of a job that the engine has ended. The mutex is held, and given back
 * meanwhile. */
static void collect(queue_t *queue, queue_job_t *job)
{
    cuzk_result result = {.struct_size = sizeof result};
    const cuzk_job id = job->engine_job;
    engine_news_t news;
    cuzk_error err = {0};

    queue_hold_job(job);
    (void)pthread_mutex_unlock(&queue->mutex);
    ask_engine(&news, queue->options.engine, id);
    const cuzk_status st = cuzk_wait(queue->options.engine, id, CUZK_NO_TIMEOUT, &result, &err);
    (void)pthread_mutex_lock(&queue->mutex);
    if (!job_is_urgent(job)) queue->n_bulk--;
    keep_news(job, &news);
    keep_times(job, &result.timings);
    if (st == CUZK_OK) {
        job->proof = result.proofs; /* taken over */
        job->proof_length = result.length;
        result.proofs = NULL;
    } else if (job->withdrawn == CUZK_OK) { /* else its error is there */
        memcpy(job->error, err.text, sizeof job->error);
    }
    if (begin_s(job) >= 0)
        snapshot_histogram_add(&queue->kinds[job->kind - 1].wait_s,
                               clock_seconds_between(job->accepted_ns, job->fed_ns) + begin_s(job));
    queue_wait_t *waits = end_job(
        queue, job,
        st != CUZK_OK && job->withdrawn != CUZK_OK ? OUTCOME_FAILED : outcome_of(st, &result));
    (void)pthread_mutex_unlock(&queue->mutex);
    cuzk_result_clear(&result);
    queue_tell_end(waits, job);
    log_end(job);
    (void)pthread_mutex_lock(&queue->mutex);
    if (job->withdrawn != CUZK_OK && !job->is_gone) queue_unlink_job(queue, job);
    (void)pthread_cond_broadcast(&queue->stored); /* it may be begun again now */
    queue_release_job(job);
}

/* The job of one of the engine's ends; NULL: the one who feeds it has not said its number yet. */
static queue_job_t *take_end(queue_t *queue)
{
    for (size_t i = 0; i < queue->ends.n; i++)
        for (queue_job_t *job = queue->jobs; job != NULL; job = job->next) {
            if (job->phase != PHASE_IN_ENGINE || job->engine_job != queue->ends.ids[i]) continue;
            queue->ends.ids[i] = queue->ends.ids[--queue->ends.n];
            return job;
        }
    return NULL;
}

/* ---- time that passes --------------------------------------------------------------------------
 */

/* Takes one waiter whose time has passed out of its job. *wake_ns: the earliest end of the others.
 */
static queue_wait_t *take_late(queue_job_t **of, queue_t *queue, uint64_t now_ns, uint64_t *wake_ns)
{
    for (*of = queue->jobs; *of != NULL; *of = (*of)->next)
        for (queue_wait_t **at = &(*of)->waits; *at != NULL; at = &(*at)->next) {
            queue_wait_t *wait = *at;

            if (wait->until_ns > now_ns) {
                if (wait->until_ns < *wake_ns) *wake_ns = wait->until_ns;
                continue;
            }
            *at = wait->next;
            return wait;
        }
    return NULL;
}

/* Tells a waiter whose time has passed. The mutex is held, and given back meanwhile. */
static void tell_late(queue_t *queue, queue_job_t *job, queue_wait_t *wait)
{
    const queue_result_t result = {
        .id = job->id, .outcome = OUTCOME_STILL_RUNNING, .error = "the job goes on"};

    queue_hold_job(job);
    (void)pthread_mutex_unlock(&queue->mutex);
    wait->waiter.done(wait->waiter.arg, &result);
    free(wait);
    (void)pthread_mutex_lock(&queue->mutex);
    queue_release_job(job);
}

/* Ends one job that waited until its own time had passed. */
static bool end_overdue(queue_t *queue, uint64_t now_ns, uint64_t *wake_ns)
{
    for (queue_job_t *job = queue->jobs; job != NULL; job = job->next) {
        if (job->phase != PHASE_PENDING) continue;
        if (job->deadline_ns > now_ns) {
            if (job->deadline_ns < *wake_ns) *wake_ns = job->deadline_ns;
            continue;
        }
        queue_hold_job(job);
        queue_wait_t *waits =
            queue_end_here(queue, job, OUTCOME_TIMED_OUT, "not begun within scheduler.job_timeout");
        (void)pthread_mutex_unlock(&queue->mutex);
        queue_tell_end(waits, job);
        (void)pthread_mutex_lock(&queue->mutex);
        queue_release_job(job);
        return true;
    }
    return false;
}

void *queue_ender_main(void *arg)
{
    queue_t *queue = arg;

    (void)pthread_mutex_lock(&queue->mutex);
    for (;;) {
        const uint64_t now = clock_monotonic_ns();
        uint64_t wake_ns = UINT64_MAX;
        queue_job_t *job = take_end(queue);
        queue_wait_t *late;

        if (job != NULL)
            collect(queue, job);
        else if (queue->is_stopping)
            break;
        else if ((late = take_late(&job, queue, now, &wake_ns)) != NULL)
            tell_late(queue, job, late);
        else if (!end_overdue(queue, now, &wake_ns))
            queue_wait_until(&queue->ended, &queue->mutex, wake_ns);
    }
    (void)pthread_mutex_unlock(&queue->mutex);
    return NULL;
}

/* ---- the store ---------------------------------------------------------------------------------
 */

static store_state state_of(queue_outcome outcome)
{
    switch (outcome) {
    case OUTCOME_COMPLETED:
        return STORE_COMPLETED;
    case OUTCOME_CANCELLED:
        return STORE_CANCELLED;
    case OUTCOME_TIMED_OUT:
        return STORE_TIMED_OUT;
    default:
        return STORE_FAILED;
    }
}

void queue_describe_new(store_job_t *record, const queue_job_t *job)
{
    *record = (store_job_t){.kind = job->kind,
                            .priority = job->priority,
                            .registered_proof = job->registered_proof,
                            .miner_id = job->miner_id,
                            .sector_number = job->sector_number,
                            .accepted_ms = job->accepted_ms,
                            .state = STORE_ACCEPTED};
    memcpy(record->id, job->id, sizeof record->id);
    memcpy(record->request_id, job->request_id, sizeof record->request_id);
}

static void describe_end(store_job_t *record, const queue_job_t *job)
{
    queue_describe_new(record, job);
    record->state = state_of(job->outcome);
    record->ended_ms = job->ended_ms;
    record->proof = job->proof;
    record->proof_length = job->proof_length;
    record->error = job->error;
    record->times_ms = job->times_ms;
}

static void complain(const queue_job_t *job, const cuzk_error *err)
{
    const log_subject_t subject = {.job = job->id, .request_id = job->request_id};

    log_line(CUZK_LOG_ERROR, &subject, "store: %s", err->text);
}

/* Writes a job's end to the store. The mutex is held, and given back meanwhile. */
static void record(queue_t *queue, queue_job_t *job)
{
    store_t *store = queue->options.store;
    store_job_t end;
    cuzk_error err;

    describe_end(&end, job);
    const bool is_last = queue->keeps_no_more;
    job->is_recording = true;
    queue_hold_job(job);
    (void)pthread_mutex_unlock(&queue->mutex);
    const cuzk_status st = store->ops->end(store, &end, &err);
    if (st != CUZK_OK) complain(job, &err);
    (void)pthread_mutex_lock(&queue->mutex);
    job->is_recording = false;
    job->is_recorded = st == CUZK_OK || st == CUZK_ERR_MISSING; /* the store has forgotten it */
    if (!job->is_recorded) /* each is tried once more at the stop, also when that comes now */
        job->record_again_ns = queue->keeps_no_more && !is_last
                                   ? QUEUE_RECORD_NOW
                                   : clock_monotonic_ns() + RECORD_AGAIN_NS;
    (void)pthread_cond_broadcast(&queue->stored);
    queue_release_job(job);
}

void queue_record_start(queue_t *queue, queue_job_t *job)
{
    store_t *store = queue->options.store;
    cuzk_error err;

    job->n_starts++;
    job->is_start_stored = true;
    queue_hold_job(job);
    (void)pthread_mutex_unlock(&queue->mutex);
    if (store->ops->start(store, job->id, &err) != CUZK_OK) complain(job, &err);
    (void)pthread_mutex_lock(&queue->mutex);
    queue_release_job(job);
}

static bool is_old(const queue_t *queue, const queue_job_t *job, uint64_t now_ns)
{
    return job->phase == PHASE_ENDED && job->is_recorded && job->n_refs == 0 &&
           (now_ns - job->ended_ns) / 1000000 >= queue->options.keep_ms;
}

/* Forgets results that nobody may ask for any more. The mutex is held, and given back meanwhile. */
static void tidy(queue_t *queue, uint64_t now_ns)
{
    store_t *store = queue->options.store;
    const int64_t before_ms = queue_unix_ms() - (int64_t)queue->options.keep_ms;
    queue_job_t *next;
    cuzk_error err;

    for (queue_job_t *job = queue->jobs; job != NULL; job = next) {
        next = job->next;
        if (is_old(queue, job, now_ns)) queue_unlink_job(queue, job);
    }
    (void)pthread_mutex_unlock(&queue->mutex);
    if (store->ops->expire(store, before_ms, &err) != CUZK_OK)
        log_line(CUZK_LOG_ERROR, NULL, "store: %s", err.text);
    (void)pthread_mutex_lock(&queue->mutex);
}

/* A job of which the store is to know something new. *wake_ns: when to look again. */
static queue_job_t *find_news(const queue_t *queue, uint64_t now_ns, uint64_t *wake_ns)
{
    for (queue_job_t *job = queue->jobs; job != NULL; job = job->next) {
        if (job->is_storing || job->withdrawn != CUZK_OK || job->is_recorded) continue;
        if (job->phase == PHASE_IN_ENGINE && !job->is_start_stored) return job;
        if (job->phase != PHASE_ENDED) continue;
        if (job->record_again_ns <= now_ns) return job;
        if (job->record_again_ns < *wake_ns) *wake_ns = job->record_again_ns;
    }
    return NULL;
}

/* How often what is old is looked for. */
static uint64_t tidy_after_ns(const queue_t *queue)
{
    const uint64_t keep_ms = queue->options.keep_ms;

    if (keep_ms >= TIDY_MOST_MS) return (uint64_t)TIDY_MOST_MS * 1000000;
    return (keep_ms > TIDY_LEAST_MS ? keep_ms : TIDY_LEAST_MS) * 1000000;
}

void *queue_keeper_main(void *arg)
{
    queue_t *queue = arg;
    uint64_t tidy_ns = clock_monotonic_ns() + tidy_after_ns(queue);

    (void)pthread_mutex_lock(&queue->mutex);
    for (;;) {
        const uint64_t now = clock_monotonic_ns();
        uint64_t wake_ns = tidy_ns;
        queue_job_t *job = find_news(queue, now, &wake_ns);

        if (job != NULL && job->phase == PHASE_ENDED) {
            record(queue, job);
        } else if (job != NULL) {
            queue_record_start(queue, job);
        } else if (queue->keeps_no_more) {
            break;
        } else if (now >= tidy_ns) {
            tidy(queue, now);
            tidy_ns = clock_monotonic_ns() + tidy_after_ns(queue);
        } else {
            queue_wait_until(&queue->keep, &queue->mutex, wake_ns);
        }
    }
    (void)pthread_mutex_unlock(&queue->mutex);
    return NULL;
}
