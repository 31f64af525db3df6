/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* What an engine says of itself and its jobs, and the memory its caller puts under its budget. */

#include <string.h>

#include "base/clock.h"
#include "base/verify.h"
#include "engine/engine.h"
#include "engine/job.h"

/* ---- jobs --------------------------------------------------------------------------------------
 */

cuzk_status engine_find_job(engine_job_t **job, cuzk_engine *engine, cuzk_job id, cuzk_error *err)
{
    for (*job = engine->jobs; *job != NULL; *job = (*job)->next)
        if ((*job)->id == id) return CUZK_OK;
    return error_set(err, CUZK_ERR_ARG, "job: there is none of number %llu",
                     (unsigned long long)id);
}

/* The mutex is held. Of the partitions that are not done the one that is furthest. */
static void fill_progress(cuzk_progress *progress, const engine_job_t *job)
{
    *progress =
        (cuzk_progress){.struct_size = sizeof *progress,
                        .stage = job->is_finished ? CUZK_STAGE_DONE : job->early,
                        .status = job->error.status,
                        .n_partitions = job->n_partitions,
                        .partitions_done = job->n_done,
                        .partition = job->first_partition,
                        .seconds = clock_seconds_between(job->submitted_ns, clock_monotonic_ns()),
                        .bytes = job->bytes + job->input_held.bytes,
                        .n_retries = job->n_retries};
    memcpy(progress->retry_reason, job->retry_reason, sizeof progress->retry_reason);
    for (uint32_t i = 0; i < job->n_partitions && !job->is_finished; i++) {
        const cuzk_partition *partition = &job->partitions[i];

        if (partition->stage == CUZK_STAGE_DONE || partition->stage <= progress->stage) continue;
        progress->stage = partition->stage;
        progress->partition = partition->number;
    }
}

cuzk_status engine_poll(cuzk_progress *progress, cuzk_engine *engine, cuzk_job id, cuzk_error *err)
{
    engine_job_t *job;

    (void)pthread_mutex_lock(&engine->mutex);
    const cuzk_status st = engine_find_job(&job, engine, id, err);
    if (st == CUZK_OK) fill_progress(progress, job);
    (void)pthread_mutex_unlock(&engine->mutex);
    return st;
}

cuzk_status engine_poll_partitions(cuzk_partition *partitions, size_t room, size_t *n,
                                   cuzk_engine *engine, cuzk_job id, cuzk_error *err)
{
    engine_job_t *job;

    *n = 0;
    (void)pthread_mutex_lock(&engine->mutex);
    const cuzk_status st = engine_find_job(&job, engine, id, err);
    if (st == CUZK_OK) {
        *n = job->n_partitions;
        if (*n < room) room = *n;
        if (room > 0) memcpy(partitions, job->partitions, room * sizeof *partitions);
    }
    (void)pthread_mutex_unlock(&engine->mutex);
    return st;
}

/* ---- the engine --------------------------------------------------------------------------------
 */

void engine_stats(cuzk_stats *stats, cuzk_engine *engine)
{
    const ledger_totals_t totals = ledger_totals(engine->ledger);

    *stats = (cuzk_stats){.struct_size = sizeof *stats,
                          .budget_bytes = totals.budget,
                          .reserved_bytes = totals.reserved,
                          .peak_reserved_bytes = totals.peak,
                          .job_bytes = totals.by_owner[LEDGER_JOBS],
                          .params_bytes = totals.by_owner[LEDGER_PARAMS],
                          .idle_bytes = totals.by_owner[LEDGER_IDLE],
                          .threads = executor_size(engine->executor),
                          .max_synthesis = engine->max_synthesis,
                          .max_proving = engine->max_proving};
    (void)pthread_mutex_lock(&engine->mutex);
    for (const engine_job_t *job = engine->jobs; job != NULL; job = job->next) {
        if (job->is_finished) continue;
        if (job->early == CUZK_STAGE_QUEUED)
            stats->jobs_queued++;
        else
            stats->jobs_running++;
    }
    stats->jobs_done = engine->n_jobs_done;
    stats->jobs_failed = engine->n_jobs_failed;
    stats->proofs_done = engine->n_proofs_done;
    (void)pthread_mutex_unlock(&engine->mutex);
}

size_t engine_params_list(cuzk_open_params *list, size_t room, cuzk_engine *engine)
{
    return circuits_list(list, room, engine->circuits);
}

/* ---- memory of the caller's own ----------------------------------------------------------------
 */

cuzk_status engine_memory_take(cuzk_engine *engine, uint64_t bytes, cuzk_error *err)
{
    reservation_t more;

    cuzk_status st = ledger_fits(engine->ledger, bytes, CUZK_PRIORITY_CRITICAL, "memory", err);
    if (st != CUZK_OK) return st;
    if (!ledger_try(&more, engine->ledger, LEDGER_JOBS, bytes))
        return error_set(err, CUZK_ERR_BUSY, "memory budget: no room now for %llu bytes",
                         (unsigned long long)bytes);
    (void)pthread_mutex_lock(&engine->mutex);
    more.bytes += engine->callers_held.bytes;
    engine->callers_held = more;
    (void)pthread_mutex_unlock(&engine->mutex);
    return CUZK_OK;
}

void engine_memory_give(cuzk_engine *engine, uint64_t bytes)
{
    (void)pthread_mutex_lock(&engine->mutex);
    VERIFY(bytes <= engine->callers_held.bytes);
    ledger_shrink(&engine->callers_held, engine->callers_held.bytes - bytes);
    (void)pthread_mutex_unlock(&engine->mutex);
}
