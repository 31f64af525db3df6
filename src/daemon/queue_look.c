/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* What is seen of the queue. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "daemon/queue_parts.h"

enum { ENDED_SHOWN = 64, PARAMS_SHOWN = 32 };

/* ---- counts ------------------------------------------------------------------------------------
 */

queue_counts_t queue_counts(queue_t *queue)
{
    queue_counts_t counts = {0};

    counts.uptime_s = (clock_monotonic_ns() - queue->opened_ns) / 1000000000;
    (void)pthread_mutex_lock(&queue->mutex);
    for (const queue_job_t *job = queue->jobs; job != NULL; job = job->next) {
        counts.pending[job->kind - 1] += job->phase == PHASE_PENDING;
        counts.in_progress[job->kind - 1] +=
            job->phase == PHASE_FEEDING || job->phase == PHASE_IN_ENGINE;
    }
    for (int i = 0; i < SNAPSHOT_KINDS; i++) {
        counts.completed += queue->kinds[i].completed;
        counts.failed +=
            queue->kinds[i].failed + queue->kinds[i].timed_out + queue->kinds[i].refused;
    }
    (void)pthread_mutex_unlock(&queue->mutex);
    return counts;
}

bool queue_name(queue_t *queue, cuzk_job number, char id[STORE_ID_BYTES],
                char request_id[STORE_REQUEST_ID_BYTES], cuzk_kind *kind)
{
    bool is_known = false;

    (void)pthread_mutex_lock(&queue->mutex);
    for (const queue_job_t *job = queue->jobs; job != NULL && !is_known; job = job->next) {
        is_known = job->phase == PHASE_IN_ENGINE && job->engine_job == number;
        if (!is_known) continue;
        memcpy(id, job->id, STORE_ID_BYTES);
        memcpy(request_id, job->request_id, STORE_REQUEST_ID_BYTES);
        *kind = job->kind;
    }
    (void)pthread_mutex_unlock(&queue->mutex);
    return is_known;
}

/* ---- partitions --------------------------------------------------------------------------------
 */

static partition_state state_of(const cuzk_partition *p, bool has_failed)
{
    if (p->stage == CUZK_STAGE_DONE) return PARTITION_DONE;
    if (has_failed) return PARTITION_FAILED;
    if (p->stage >= CUZK_STAGE_H) return PARTITION_GPU;
    if (p->stage < CUZK_STAGE_SYNTHESIS) return PARTITION_PENDING;
    return p->synthesized_s < 0 ? PARTITION_SYNTHESIZING : PARTITION_SYNTH_DONE;
}

/* The engine's times are from its start of the job on. */
static double shifted(double at_s, double by_s)
{
    return at_s < 0 ? -1 : at_s + by_s;
}

static void show_partition(snapshot_partition_t *out, const cuzk_partition *p, double fed_s,
                           bool has_failed)
{
    *out = (snapshot_partition_t){.index = p->number,
                                  .state = state_of(p, has_failed),
                                  .synth_begin_s = shifted(p->began_s[CUZK_STAGE_SYNTHESIS], fed_s),
                                  .synth_end_s = shifted(p->synthesized_s, fed_s),
                                  .gpu_begin_s = shifted(p->began_s[CUZK_STAGE_H], fed_s),
                                  .gpu_end_s = shifted(p->began_s[CUZK_STAGE_DONE], fed_s)};
}

/* ---- jobs --------------------------------------------------------------------------------------
 */

typedef struct {
    queue_t *queue;
    snapshot_t *snapshot;
    size_t n_partitions, room; /* in snapshot->partitions */
    uint64_t now_ns;
} queue_look_t;

static job_state job_state_of(const queue_job_t *job)
{
    if (job->phase == PHASE_PENDING) return JOB_PENDING;
    if (job->phase != PHASE_ENDED) return JOB_RUNNING;
    switch (job->outcome) {
    case OUTCOME_COMPLETED:
        return JOB_COMPLETED;
    case OUTCOME_CANCELLED:
        return JOB_CANCELLED;
    case OUTCOME_TIMED_OUT:
        return JOB_TIMED_OUT;
    default:
        return JOB_FAILED;
    }
}

static cuzk_status make_room(queue_look_t *look, size_t n, cuzk_error *err)
{
    if (look->n_partitions + n <= look->room) return CUZK_OK;
    const size_t room = 2 * (look->n_partitions + n);
    snapshot_partition_t *moved =
        realloc(look->snapshot->partitions, room * sizeof *look->snapshot->partitions);
    if (moved == NULL) return error_set(err, CUZK_ERR_MEMORY, "snapshot: no memory");
    look->snapshot->partitions = moved;
    look->room = room;
    return CUZK_OK;
}

static cuzk_status show_partitions(snapshot_job_t *out, queue_look_t *look,
                                   const cuzk_partition *list, size_t n, double fed_s,
                                   cuzk_error *err)
{
    const bool has_failed = out->state != JOB_RUNNING && out->state != JOB_COMPLETED;

    if (make_room(look, n, err) != CUZK_OK) return err->status;
    for (size_t i = 0; i < n; i++) {
        snapshot_partition_t *p = &look->snapshot->partitions[look->n_partitions++];

        show_partition(p, &list[i], fed_s, has_failed);
        out->partitions_done += p->state == PARTITION_DONE;
        if (p->synth_begin_s >= 0 && (out->begin_s < 0 || p->synth_begin_s < out->begin_s))
            out->begin_s = p->synth_begin_s;
    }
    out->n_partitions = (uint32_t)n;
    return CUZK_OK;
}

/* What only the engine knows of a job that it has. */
static cuzk_status ask_engine(snapshot_job_t *out, queue_look_t *look, const queue_job_t *job,
                              double fed_s, cuzk_error *err)
{
    cuzk_engine *engine = look->queue->options.engine;
    cuzk_progress progress = {.struct_size = sizeof progress};
    size_t n = 0;

    if (cuzk_poll(engine, job->engine_job, &progress, NULL) != CUZK_OK) return CUZK_OK;
    out->bytes = progress.bytes;
    out->n_retries = progress.n_retries;
    memcpy(out->retry_reason, progress.retry_reason, sizeof progress.retry_reason);
    if (progress.n_partitions == 0) return CUZK_OK;
    cuzk_partition *list = mem_alloc(progress.n_partitions, sizeof *list, "snapshot", err);
    if (list == NULL) return err->status;
    cuzk_status st = CUZK_OK;
    if (cuzk_poll_partitions(engine, job->engine_job, list, progress.n_partitions, &n, NULL) ==
        CUZK_OK)
        st = show_partitions(out, look, list, n, fed_s, err);
    free(list);
    return st;
}

static cuzk_status show_job(queue_look_t *look, const queue_job_t *job, cuzk_error *err)
{
    snapshot_job_t *out = &look->snapshot->jobs[look->snapshot->n_jobs++];
    const double fed_s = clock_seconds_between(job->accepted_ns, job->fed_ns);

    *out = (snapshot_job_t){.kind = job->kind,
                            .priority = job->priority,
                            .state = job_state_of(job),
                            .miner_id = job->miner_id,
                            .sector_number = job->sector_number,
                            .accepted_ago_s = clock_seconds_between(job->accepted_ns, look->now_ns),
                            .begin_s = -1,
                            .n_retries = job->n_retries};
    memcpy(out->id, job->id, sizeof out->id);
    memcpy(out->request_id, job->request_id, sizeof out->request_id);
    if (job->phase == PHASE_IN_ENGINE) return ask_engine(out, look, job, fed_s, err);
    if (job->phase != PHASE_ENDED) return CUZK_OK;
    out->ended_ago_s = clock_seconds_between(job->ended_ns, look->now_ns);
    memcpy(out->retry_reason, job->retry_reason, sizeof job->retry_reason);
    (void)snprintf(out->error, sizeof out->error, "%.*s", (int)sizeof out->error - 1, job->error);
    return show_partitions(out, look, job->partitions, job->n_partitions, fed_s, err);
}

static int compare_jobs(const void *a, const void *b)
{
    const queue_job_t *x = *(queue_job_t *const *)a, *y = *(queue_job_t *const *)b;
    const bool x_ended = x->phase == PHASE_ENDED, y_ended = y->phase == PHASE_ENDED;
    const bool x_waits = x->phase == PHASE_PENDING, y_waits = y->phase == PHASE_PENDING;

    if (x_ended != y_ended) return x_ended ? 1 : -1;
    if (x_ended) return x->ended_ns > y->ended_ns ? -1 : 1;
    if (x_waits != y_waits) return x_waits ? 1 : -1;
    return queue_is_before(x, y, clock_monotonic_ns()) ? -1 : 1;
}

/* Begun ones, waiting ones in the order of work, the last that ended. The mutex is held. */
static cuzk_status show_jobs(queue_look_t *look, cuzk_error *err)
{
    const queue_t *queue = look->queue;
    size_t n = 0, n_shown = 0;

    for (const queue_job_t *job = queue->jobs; job != NULL; job = job->next) n++;
    const queue_job_t **order = mem_alloc(n, sizeof *order, "snapshot", err);
    if (order == NULL) return err->status;
    n = 0;
    for (const queue_job_t *job = queue->jobs; job != NULL; job = job->next) order[n++] = job;
    qsort(order, n, sizeof *order, compare_jobs);
    while (n_shown < n && n_shown < queue->n_unfinished + ENDED_SHOWN) n_shown++;
    look->snapshot->jobs = mem_alloc(n_shown, sizeof *look->snapshot->jobs, "snapshot", err);
    cuzk_status st = look->snapshot->jobs == NULL ? err->status : CUZK_OK;
    for (size_t i = 0; i < n_shown && st == CUZK_OK; i++) st = show_job(look, order[i], err);
    free(order);
    return st;
}

/* Partitions lie where they will stay. */
static void point_to_partitions(snapshot_t *snapshot)
{
    snapshot_partition_t *at = snapshot->partitions;

    for (size_t i = 0; i < snapshot->n_jobs; i++) {
        snapshot->jobs[i].partitions = at;
        at += snapshot->jobs[i].n_partitions;
    }
}

/* ---- the engine --------------------------------------------------------------------------------
 */

static cuzk_status show_params(snapshot_t *snapshot, cuzk_engine *engine, cuzk_error *err)
{
    cuzk_open_params list[PARAMS_SHOWN];
    size_t n;

    (void)cuzk_params_list(engine, list, PARAMS_SHOWN, &n, NULL);
    if (n > PARAMS_SHOWN) n = PARAMS_SHOWN;
    snapshot->params = mem_alloc(n, sizeof *snapshot->params, "snapshot", err);
    if (snapshot->params == NULL) return err->status;
    for (size_t i = 0; i < n; i++) {
        snapshot_params_t *out = &snapshot->params[snapshot->n_params++];

        *out = (snapshot_params_t){.srs_bytes = list[i].params_bytes,
                                   .plan_bytes = list[i].plan_bytes,
                                   .users = list[i].n_users,
                                   .last_used_ago_s = list[i].idle_s};
        memcpy(out->circuit, list[i].circuit, sizeof out->circuit);
    }
    return CUZK_OK;
}

static void show_memory(snapshot_t *snapshot, const cuzk_stats *stats)
{
    snapshot->budget_bytes = stats->budget_bytes;
    snapshot->reserved_bytes = stats->reserved_bytes;
    snapshot->peak_bytes = stats->peak_reserved_bytes;
    snapshot->job_bytes = stats->job_bytes;
    snapshot->params_bytes = stats->params_bytes;
    snapshot->idle_bytes = stats->idle_bytes;
    snapshot->threads = stats->threads;
    snapshot->synthesis_max = stats->max_synthesis;
    snapshot->system_available_bytes = memory_available_bytes();
    snapshot->resident_bytes = process_rss_bytes();
}

/* Seats of the device: those of its partitions that are past synthesis. */
static cuzk_status show_workers(snapshot_t *snapshot, uint32_t n, cuzk_error *err)
{
    snapshot->workers = mem_alloc(n, sizeof *snapshot->workers, "snapshot", err);
    if (snapshot->workers == NULL) return err->status;
    snapshot->n_workers = n;
    for (uint32_t i = 0; i < n; i++) snapshot->workers[i].id = i;
    uint32_t next = 0;
    for (size_t i = 0; i < snapshot->n_jobs; i++) {
        const snapshot_job_t *job = &snapshot->jobs[i];

        for (uint32_t k = 0; k < job->n_partitions; k++) {
            const snapshot_partition_t *p = &job->partitions[k];

            snapshot->synthesis_active += p->state == PARTITION_SYNTHESIZING;
            if (p->state != PARTITION_GPU || next == n) continue;
            snapshot_worker_t *worker = &snapshot->workers[next++];
            worker->is_busy = true;
            worker->kind = job->kind;
            worker->partition = p->index;
            worker->busy_s = job->accepted_ago_s - p->gpu_begin_s;
            memcpy(worker->job, job->id, sizeof worker->job);
        }
    }
    return CUZK_OK;
}

static cuzk_status look_at_jobs(snapshot_t *snapshot, queue_t *queue, cuzk_error *err)
{
    queue_look_t look = {.queue = queue, .snapshot = snapshot, .now_ns = clock_monotonic_ns()};

    (void)pthread_mutex_lock(&queue->mutex);
    memcpy(snapshot->kinds, queue->kinds, sizeof snapshot->kinds);
    snapshot->uptime_s = clock_seconds_between(queue->opened_ns, look.now_ns);
    snapshot->is_draining = queue->is_draining;
    const cuzk_status st = show_jobs(&look, err);
    (void)pthread_mutex_unlock(&queue->mutex);
    if (st != CUZK_OK) return st;
    point_to_partitions(snapshot);
    for (size_t i = 0; i < snapshot->n_jobs; i++) {
        snapshot_kind_t *kind = &snapshot->kinds[snapshot->jobs[i].kind - 1];

        kind->pending += snapshot->jobs[i].state == JOB_PENDING;
        kind->in_progress += snapshot->jobs[i].state == JOB_RUNNING;
    }
    return CUZK_OK;
}

cuzk_status queue_snapshot(snapshot_t *snapshot, queue_t *queue, cuzk_error *err)
{
    cuzk_stats stats = {.struct_size = sizeof stats};

    *snapshot = (snapshot_t){.version = cuzk_version()};
    cuzk_status st = look_at_jobs(snapshot, queue, err);
    (void)cuzk_engine_stats(queue->options.engine, &stats, NULL);
    show_memory(snapshot, &stats);
    if (st == CUZK_OK) st = show_params(snapshot, queue->options.engine, err);
    if (st == CUZK_OK) st = show_workers(snapshot, stats.max_proving, err);
    if (st != CUZK_OK) snapshot_clear(snapshot);
    return st;
}
