/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/json_write.h"
#include "status/http.h"

/* The members of the public schema have its names; all others are ours. Times are seconds, but
 * those of partitions that the schema has in milliseconds. Numbers of miners and sectors are
 * strings: readers that know doubles alone would round them. */

/* For how long a job that has ended stays among the pipelines. */
static const double pipeline_stays_s = 30;

/* To the millisecond, which keeps the text short. */
static void put_seconds(json_writer_t *w, const char *name, double seconds)
{
    json_write_double(w, name, round(seconds * 1e3) / 1e3);
}

static void put_seconds_or_null(json_writer_t *w, const char *name, double seconds)
{
    if (seconds >= 0)
        put_seconds(w, name, seconds);
    else
        json_write_null(w, name);
}

static void put_decimal(json_writer_t *w, const char *name, uint64_t value)
{
    char digits[24];

    (void)snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    json_write_string(w, name, digits);
}

/* ---- jobs ------------------------------------------------------------------------------------ */

/* From a job's acceptance until it ended, or now. */
static double age_s(const snapshot_job_t *job)
{
    return snapshot_job_has_ended(job) ? job->accepted_ago_s - job->ended_ago_s
                                       : job->accepted_ago_s;
}

static void put_stage_ms(json_writer_t *w, const char *name, double begin_s, double end_s,
                         double now_s)
{
    const double last_s = end_s >= 0 ? end_s : now_s;

    if (begin_s < 0)
        json_write_null(w, name);
    else
        json_write_u64(w, name, last_s > begin_s ? (uint64_t)((last_s - begin_s) * 1e3) : 0);
}

static void put_partitions(json_writer_t *w, const snapshot_job_t *job)
{
    const double now_s = age_s(job);

    json_write_array(w, "partitions");
    for (uint32_t i = 0; i < job->n_partitions; i++) {
        const snapshot_partition_t *p = &job->partitions[i];

        json_write_object(w, NULL);
        json_write_u64(w, "index", p->index);
        json_write_string(w, "state", snapshot_partition_state_name(p->state));
        put_stage_ms(w, "synth_ms", p->synth_begin_s, p->synth_end_s, now_s);
        put_stage_ms(w, "gpu_ms", p->gpu_begin_s, p->gpu_end_s, now_s);
        put_seconds_or_null(w, "synth_begin_secs", p->synth_begin_s);
        put_seconds_or_null(w, "synth_end_secs", p->synth_end_s);
        put_seconds_or_null(w, "gpu_begin_secs", p->gpu_begin_s);
        put_seconds_or_null(w, "gpu_end_secs", p->gpu_end_s);
        json_write_end(w);
    }
    json_write_end(w);
}

static void put_job(json_writer_t *w, const snapshot_job_t *job)
{
    const bool has_ended = snapshot_job_has_ended(job);

    json_write_string(w, "job_id", job->id);
    json_write_string(w, "proof_kind", snapshot_kind_name(job->kind));
    json_write_u64(w, "total_partitions", job->n_partitions);
    json_write_u64(w, "partitions_done", job->partitions_done);
    json_write_string(w, "request_id", job->request_id);
    json_write_string(w, "state", snapshot_job_state_name(job->state));
    json_write_string(w, "priority", snapshot_priority_name(job->priority));
    put_decimal(w, "miner_id", job->miner_id);
    put_decimal(w, "sector_number", job->sector_number);
    put_seconds(w, "accepted_secs_ago", job->accepted_ago_s);
    put_seconds_or_null(w, "wait_secs", job->begin_s);
    put_seconds_or_null(w, "ended_secs_ago", has_ended ? job->ended_ago_s : -1);
    put_seconds_or_null(w, "total_secs", has_ended ? age_s(job) : -1);
    json_write_u64(w, "bytes", job->bytes);
    json_write_u64(w, "retries", job->n_retries);
    json_write_string(w, "retry_reason", job->retry_reason);
    json_write_string(w, "error", job->error);
}

/* pipelines: jobs that have begun; waiting: those that have not; recent: those that have ended. */
static void put_jobs(json_writer_t *w, const snapshot_t *s)
{
    json_write_array(w, "pipelines");
    for (size_t i = 0; i < s->n_jobs; i++) {
        const snapshot_job_t *job = &s->jobs[i];

        if (job->begin_s < 0) continue;
        if (snapshot_job_has_ended(job) && job->ended_ago_s > pipeline_stays_s) continue;
        json_write_object(w, NULL);
        put_job(w, job);
        put_seconds(w, "started_secs_ago", job->accepted_ago_s - job->begin_s);
        put_partitions(w, job);
        json_write_end(w);
    }
    json_write_end(w);
    for (int ended = 0; ended <= 1; ended++) {
        json_write_array(w, ended ? "recent" : "waiting");
        for (size_t i = 0; i < s->n_jobs; i++) {
            const snapshot_job_t *job = &s->jobs[i];

            if (ended ? !snapshot_job_has_ended(job) : !snapshot_job_is_waiting(job)) continue;
            json_write_object(w, NULL);
            put_job(w, job);
            json_write_end(w);
        }
        json_write_end(w);
    }
}

/* ---- the daemon ------------------------------------------------------------------------------ */

static void put_memory(json_writer_t *w, const snapshot_t *s)
{
    json_write_object(w, "memory");
    json_write_u64(w, "total_bytes", s->budget_bytes);
    json_write_u64(w, "used_bytes", s->reserved_bytes);
    json_write_u64(w, "available_bytes",
                   s->budget_bytes > s->reserved_bytes ? s->budget_bytes - s->reserved_bytes : 0);
    json_write_u64(w, "jobs_bytes", s->job_bytes);
    json_write_u64(w, "parameters_bytes", s->params_bytes);
    json_write_u64(w, "idle_bytes", s->idle_bytes);
    json_write_u64(w, "peak_bytes", s->peak_bytes);
    json_write_u64(w, "resident_bytes", s->resident_bytes);
    json_write_u64(w, "system_available_bytes", s->system_available_bytes);
    json_write_end(w);
}

static void put_synthesis(json_writer_t *w, const snapshot_t *s)
{
    json_write_object(w, "synthesis");
    json_write_u64(w, "max_concurrent", s->synthesis_max);
    json_write_u64(w, "active", s->synthesis_active);
    json_write_end(w);
}

static void put_workers(json_writer_t *w, const snapshot_t *s)
{
    json_write_array(w, "gpu_workers");
    for (size_t i = 0; i < s->n_workers; i++) {
        const snapshot_worker_t *worker = &s->workers[i];

        json_write_object(w, NULL);
        json_write_u64(w, "worker_id", worker->id);
        json_write_u64(w, "gpu_ordinal", worker->device);
        json_write_string(w, "state", worker->is_busy ? "proving" : "idle");
        if (worker->is_busy) {
            json_write_string(w, "current_job", worker->job);
            json_write_u64(w, "current_partition", worker->partition);
            put_seconds(w, "busy_secs", worker->busy_s);
            json_write_string(w, "current_proof_kind", snapshot_kind_name(worker->kind));
        } else {
            json_write_null(w, "current_job");
            json_write_null(w, "current_partition");
            json_write_null(w, "busy_secs");
            json_write_null(w, "current_proof_kind");
        }
        json_write_end(w);
    }
    json_write_end(w);
}

static void put_allocation(json_writer_t *w, const snapshot_params_t *params, uint64_t bytes)
{
    if (bytes == 0) return;
    json_write_object(w, NULL);
    json_write_string(w, "circuit_id", params->circuit);
    json_write_u64(w, "bytes", bytes);
    put_seconds(w, "last_used_secs_ago", params->last_used_ago_s);
    json_write_bool(w, "evictable", params->users == 0);
    json_write_u64(w, "users", params->users);
    json_write_end(w);
}

/* srs: open parameters; pce: recorded circuits, which are plans here. */
static void put_allocations(json_writer_t *w, const snapshot_t *s)
{
    json_write_object(w, "allocations");
    json_write_array(w, "srs");
    for (size_t i = 0; i < s->n_params; i++)
        put_allocation(w, &s->params[i], s->params[i].srs_bytes);
    json_write_end(w);
    json_write_array(w, "pce");
    for (size_t i = 0; i < s->n_params; i++)
        put_allocation(w, &s->params[i], s->params[i].plan_bytes);
    json_write_end(w);
    json_write_end(w);
}

static void put_counters(json_writer_t *w, const snapshot_t *s)
{
    const snapshot_totals_t totals = snapshot_totals(s);

    json_write_object(w, "counters");
    json_write_u64(w, "total_completed", totals.completed);
    json_write_u64(w, "total_failed", totals.failed);
    json_write_object(w, "completed_by_kind");
    for (int k = 0; k < SNAPSHOT_KINDS; k++)
        json_write_u64(w, snapshot_kind_name((cuzk_kind)(k + 1)), s->kinds[k].completed);
    json_write_end(w);
    json_write_object(w, "failed_by_kind");
    for (int k = 0; k < SNAPSHOT_KINDS; k++)
        json_write_u64(w, snapshot_kind_name((cuzk_kind)(k + 1)), s->kinds[k].failed);
    json_write_end(w);
    json_write_u64(w, "queue_depth", totals.pending);
    json_write_end(w);
}

/* What a partition holds: first a circuit that is being run, then its witness and vectors until its
 * proof is there. No vectors are kept for later, and no proof is left half done by a device. */
static void put_buffers(json_writer_t *w, const snapshot_t *s)
{
    uint64_t in_synthesis = 0, in_proving = 0;

    for (size_t i = 0; i < s->n_jobs; i++) {
        const snapshot_job_t *job = &s->jobs[i];

        if (snapshot_job_has_ended(job)) continue;
        for (uint32_t k = 0; k < job->n_partitions; k++) {
            const partition_state state = job->partitions[k].state;

            in_synthesis += state == PARTITION_SYNTHESIZING;
            in_proving += state == PARTITION_SYNTH_DONE || state == PARTITION_GPU;
        }
    }
    json_write_object(w, "buffers");
    json_write_u64(w, "synth_in_flight", in_synthesis);
    json_write_u64(w, "provers_in_flight", in_proving);
    json_write_u64(w, "aux_in_flight", in_proving);
    json_write_u64(w, "shells_in_flight", 0);
    json_write_u64(w, "pending_handles", 0);
    json_write_end(w);
}

static void put_durations(json_writer_t *w, const char *name, const snapshot_histogram_t *histogram)
{
    json_write_object(w, name);
    json_write_u64(w, "count", histogram->count);
    put_seconds(w, "sum", histogram->sum);
    json_write_end(w);
}

static void put_queues(json_writer_t *w, const snapshot_t *s)
{
    json_write_array(w, "queues");
    for (int k = 0; k < SNAPSHOT_KINDS; k++) {
        const snapshot_kind_t *kind = &s->kinds[k];

        json_write_object(w, NULL);
        json_write_string(w, "proof_kind", snapshot_kind_name((cuzk_kind)(k + 1)));
        json_write_u64(w, "pending", kind->pending);
        json_write_u64(w, "in_progress", kind->in_progress);
        json_write_u64(w, "completed", kind->completed);
        json_write_u64(w, "failed", kind->failed);
        json_write_u64(w, "cancelled", kind->cancelled);
        json_write_u64(w, "timed_out", kind->timed_out);
        json_write_u64(w, "refused", kind->refused);
        json_write_u64(w, "partition_retries", kind->retried);
        put_seconds_or_null(w, "oldest_waiting_secs",
                            snapshot_oldest_wait_s(s, (cuzk_kind)(k + 1)));
        put_durations(w, "duration_secs", &kind->duration_s);
        put_durations(w, "wait_secs", &kind->wait_s);
        json_write_end(w);
    }
    json_write_end(w);
}

static void put_server(json_writer_t *w, const snapshot_t *s)
{
    json_write_object(w, "server");
    json_write_string(w, "version", s->version != NULL ? s->version : "");
    json_write_string(w, "address", s->address);
    json_write_string(w, "state", s->is_draining ? "draining" : "serving");
    json_write_u64(w, "connections", s->connections);
    json_write_u64(w, "calls", s->calls);
    json_write_u64(w, "store_bytes", s->store_bytes);
    json_write_u64(w, "threads", s->threads);
    json_write_end(w);
}

char *http_status_json(const snapshot_t *snapshot)
{
    json_writer_t w;
    char *text = NULL;

    json_writer_init(&w, JSON_ONE_LINE);
    json_write_object(&w, NULL);
    put_seconds(&w, "uptime_secs", snapshot->uptime_s);
    put_server(&w, snapshot);
    put_memory(&w, snapshot);
    put_synthesis(&w, snapshot);
    put_jobs(&w, snapshot);
    put_workers(&w, snapshot);
    put_allocations(&w, snapshot);
    put_counters(&w, snapshot);
    put_buffers(&w, snapshot);
    put_queues(&w, snapshot);
    json_write_end(&w);
    if (!json_writer_failed(&w)) text = strdup(json_writer_text(&w));
    json_writer_clear(&w);
    return text;
}
