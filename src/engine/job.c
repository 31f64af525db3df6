/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "engine/job.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "engine/engine.h"
#include "groth16/groth16.h"

void engine_log(cuzk_engine *engine, const engine_job_t *job, cuzk_log_level level,
                const char *format, ...)
{
    char text[CUZK_ERROR_TEXT_BYTES], safe[CUZK_ERROR_TEXT_BYTES];
    va_list args;

    if (engine->log == NULL) return;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    (void)text_escape(safe, sizeof safe, text, strlen(text));
    (void)pthread_mutex_lock(&engine->log_mutex);
    engine->log(engine->log_arg, level, job != NULL ? job->id : 0, safe);
    (void)pthread_mutex_unlock(&engine->log_mutex);
}

void engine_job_free(engine_job_t *job)
{
    request_clear(&job->copy);
    free(job->partitions);
    free(job->proofs);
    free(job->bad);
    free(job);
}

const char *engine_stage_name(cuzk_stage stage)
{
    static const char *const names[CUZK_STAGES] = {"queued", "parse", "check",  "plan", "synthesis",
                                                   "h",      "msm",   "verify", "done"};

    return (unsigned)stage < CUZK_STAGES ? names[stage] : "unknown stage";
}

/* ---- what others see of a job ------------------------------------------------------------------
 */

void engine_job_early(engine_job_t *job, cuzk_stage stage)
{
    (void)pthread_mutex_lock(&job->engine->mutex);
    job->early = stage;
    (void)pthread_mutex_unlock(&job->engine->mutex);
}

/* The mutex is held. A partition that is tried again has not come to the stages after this one. */
static void begin_stage(const engine_job_t *job, cuzk_partition *partition, cuzk_stage stage)
{
    for (int later = (int)stage + 1; later < CUZK_STAGES; later++) partition->began_s[later] = -1;
    if (stage <= CUZK_STAGE_SYNTHESIS) partition->synthesized_s = -1;
    partition->stage = stage;
    partition->began_s[stage] = clock_seconds_between(job->submitted_ns, clock_monotonic_ns());
}

void engine_job_stage(engine_job_t *job, uint32_t partition, cuzk_stage stage)
{
    (void)pthread_mutex_lock(&job->engine->mutex);
    begin_stage(job, &job->partitions[partition], stage);
    (void)pthread_mutex_unlock(&job->engine->mutex);
    engine_log(job->engine, job, CUZK_LOG_DEBUG, "partition %u: %s",
               job->first_partition + partition, engine_stage_name(stage));
}

void engine_job_synthesized(engine_job_t *job, uint32_t partition)
{
    (void)pthread_mutex_lock(&job->engine->mutex);
    job->partitions[partition].synthesized_s =
        clock_seconds_between(job->submitted_ns, clock_monotonic_ns());
    (void)pthread_mutex_unlock(&job->engine->mutex);
}

static void set_error(engine_job_t *job, uint32_t partition, const cuzk_error *err)
{
    (void)pthread_mutex_lock(&job->engine->mutex);
    if (job->error.status == CUZK_OK || partition < job->failed) {
        job->error = *err;
        job->failed = partition;
        job->failed_stage = job->n_partitions > 0 && job->partitions[partition].stage != 0
                                ? job->partitions[partition].stage
                                : job->early;
    }
    (void)pthread_mutex_unlock(&job->engine->mutex);
}

/* ---- before the partitions ---------------------------------------------------------------------
 */

static void init_partition(cuzk_partition *partition, uint32_t number)
{
    *partition = (cuzk_partition){.number = number, .synthesized_s = -1};
    for (int stage = 0; stage < CUZK_STAGES; stage++) partition->began_s[stage] = -1;
}

static cuzk_status choose_partitions(engine_job_t *job, cuzk_error *err)
{
    const uint32_t wanted = job->copy.request.partition;
    const uint32_t n = job->facts.n_partitions;

    if (wanted != CUZK_ALL_PARTITIONS && wanted >= n)
        return error_set(err, CUZK_ERR_ARG, "partition: %u, but the input has %u (from 0 on)",
                         wanted, n);
    const uint32_t n_partitions = wanted == CUZK_ALL_PARTITIONS ? n : 1;
    job->partitions = mem_alloc(n_partitions, sizeof *job->partitions, "partitions", err);
    if (job->partitions == NULL) return err->status;
    job->proofs = mem_alloc(n_partitions, CUZK_PROOF_BYTES, "proofs", err);
    if (job->proofs == NULL) return err->status;
    (void)pthread_mutex_lock(&job->engine->mutex);
    job->first_partition = wanted == CUZK_ALL_PARTITIONS ? 0 : wanted;
    for (uint32_t i = 0; i < n_partitions; i++)
        init_partition(&job->partitions[i], job->first_partition + i);
    job->n_partitions = n_partitions;
    (void)pthread_mutex_unlock(&job->engine->mutex);
    return CUZK_OK;
}

static cuzk_status get_circuit(engine_job_t *job, strand_t *strand, cuzk_error *err)
{
    cuzk_engine *engine = job->engine;
    uint64_t since = clock_monotonic_ns();

    engine_job_early(job, CUZK_STAGE_PLAN);
    job->circuit = circuits_acquire(engine->circuits, job->facts.row);
    cuzk_status st = circuits_srs(&job->srs, engine->circuits, job->circuit, strand, err);
    job->timings.load_s = clock_lap_s(&since);
    if (st == CUZK_OK) st = circuits_plan(&job->plan, engine->circuits, job->circuit, strand, err);
    job->timings.plan_s = clock_lap_s(&since);
    if (st == CUZK_OK) st = groth16_match(job->srs, &job->plan->counts, err);
    if (st != CUZK_OK) return st;
    const partition_bytes_t bytes = engine_partition_bytes(engine, job->plan);
    return ledger_fits(engine->ledger, bytes.peak, job->rank.priority, job->facts.row->label, err);
}

/* The request's bytes, which nothing needs once they are parsed. */
static void drop_request(engine_job_t *job)
{
    request_clear(&job->copy);
    (void)pthread_mutex_lock(&job->engine->mutex); /* progress reads what is held */
    reservation_t held = job->input_held;
    job->input_held = (reservation_t){0};
    (void)pthread_mutex_unlock(&job->engine->mutex);
    ledger_release(&held);
}

/* What is done once for all partitions, as a strand. */
static cuzk_status prepare(engine_job_t *job, cuzk_error *err)
{
    strand_t strand;

    strand_begin(&strand, job->engine->executor, &job->rank, &job->cancel);
    cuzk_status st = engine_read_input(job, &strand, err);
    if (st == CUZK_OK) st = choose_partitions(job, err);
    drop_request(job);
    if (st == CUZK_OK) st = get_circuit(job, &strand, err);
    job->prepared = strand.id;
    strand_end(&strand);
    return st;
}

/* ---- partitions --------------------------------------------------------------------------------
 */

static void add_timings(cuzk_timings *sum, const cuzk_timings *one)
{
    if (one->queue_s > sum->queue_s) sum->queue_s = one->queue_s;
    sum->synthesis_s += one->synthesis_s;
    sum->h_s += one->h_s;
    sum->msm_s += one->msm_s;
    sum->io_wait_s += one->io_wait_s;
    sum->verify_s += one->verify_s;
}

/* False: there is no more to do. */
static bool take_partition(uint32_t *partition, engine_job_t *job)
{
    (void)pthread_mutex_lock(&job->engine->mutex);
    const bool has_more = job->next_partition < job->n_partitions && job->error.status == CUZK_OK;
    if (has_more) *partition = job->next_partition++;
    (void)pthread_mutex_unlock(&job->engine->mutex);
    return has_more;
}

static void end_partition(engine_job_t *job, uint32_t partition, const cuzk_timings *timings)
{
    (void)pthread_mutex_lock(&job->engine->mutex);
    add_timings(&job->timings, timings);
    begin_stage(job, &job->partitions[partition], CUZK_STAGE_DONE);
    job->n_done++;
    job->engine->n_proofs_done++;
    (void)pthread_mutex_unlock(&job->engine->mutex);
}

/* Faults of the machine, which may not come again. */
static bool may_retry(cuzk_status st)
{
    return st == CUZK_INVALID_PROOF || st == CUZK_ERR_MEMORY || st == CUZK_ERR_IO ||
           st == CUZK_ERR_INTERNAL;
}

static void note_retry(engine_job_t *job, uint32_t partition, const cuzk_error *err)
{
    (void)pthread_mutex_lock(&job->engine->mutex);
    job->n_retries++;
    (void)snprintf(job->retry_reason, sizeof job->retry_reason, "partition %u: %.200s",
                   job->first_partition + partition, err->text);
    (void)pthread_mutex_unlock(&job->engine->mutex);
    engine_log(job->engine, job, CUZK_LOG_WARNING, "partition %u is tried again: %s",
               job->first_partition + partition, err->text);
}

static cuzk_status prove_partition(engine_job_t *job, uint32_t partition, cuzk_timings *timings,
                                   cuzk_error *err)
{
    uint8_t *proof = job->proofs + (size_t)partition * CUZK_PROOF_BYTES;

    for (uint32_t retries = 0;; retries++) {
        cuzk_timings one = {0};
        const cuzk_status st = engine_prove_partition(proof, &one, job, partition, err);

        add_timings(timings, &one);
        if (st == CUZK_OK || !may_retry(st) || retries == job->engine->retries) return st;
        note_retry(job, partition, err);
    }
}

static void *run_lane(void *arg)
{
    engine_job_t *job = arg;

    for (uint32_t i; take_partition(&i, job);) {
        cuzk_timings timings = {0};
        cuzk_error err;

        const cuzk_status st = prove_partition(job, i, &timings, &err);
        if (st == CUZK_OK)
            end_partition(job, i, &timings);
        else
            set_error(job, i, &err);
    }
    return NULL;
}

/* Lanes beside the job's own thread are a gain, not a need: one that can't be started is done
 * without. */
static void run_lanes(engine_job_t *job)
{
    enum { MOST_LANES = 64 };
    const uint32_t wanted =
        job->n_partitions < job->engine->n_lanes ? job->n_partitions : job->engine->n_lanes;
    pthread_t threads[MOST_LANES];
    uint32_t n = 0;

    for (; n + 1 < wanted && n < MOST_LANES; n++) {
        if (pthread_create(&threads[n], NULL, run_lane, job) == 0) continue;
        engine_log(job->engine, job, CUZK_LOG_WARNING,
                   "a thread could not be started: partitions overlap less");
        break;
    }
    (void)run_lane(job);
    for (uint32_t i = 0; i < n; i++) (void)pthread_join(threads[i], NULL);
}

/* A proof that is not valid is nobody's answer. The lanes have ended. */
static void explain_invalid(engine_job_t *job)
{
    cuzk_error err;

    if (job->error.status != CUZK_INVALID_PROOF) return;
    (void)engine_find_damage(job, job->first_partition + job->failed, &err);
    (void)pthread_mutex_lock(&job->engine->mutex);
    job->error = err;
    (void)pthread_mutex_unlock(&job->engine->mutex);
}

/* ---- the whole ---------------------------------------------------------------------------------
 */

static void release(engine_job_t *job)
{
    if (job->input != NULL) job->kind->close(job->input);
    job->input = NULL;
    circuits_release(job->engine->circuits, job->circuit);
    job->circuit = NULL;
    drop_request(job);
}

static void finish(engine_job_t *job)
{
    cuzk_engine *engine = job->engine;

    release(job);
    job->timings.total_s = clock_seconds_between(job->submitted_ns, clock_monotonic_ns());
    if (job->error.status == CUZK_OK)
        engine_log(engine, job, CUZK_LOG_INFO, "done in %.3f s: %u proofs of %s",
                   job->timings.total_s, job->n_partitions, job->facts.row->label);
    else
        engine_log(engine, job, CUZK_LOG_ERROR, "%s", job->error.text);
    (void)pthread_mutex_lock(&engine->mutex);
    if (job->error.status == CUZK_OK)
        engine->n_jobs_done++;
    else
        engine->n_jobs_failed++;
    const cuzk_job id = job->id;
    job->is_finished = true;
    engine->n_unfinished--;
    (void)pthread_cond_broadcast(&engine->changed);
    (void)pthread_mutex_unlock(&engine->mutex);

    /* from here on whoever waited for the job may have freed it */
    if (engine->finished != NULL) engine->finished(engine->finished_arg, id);
    (void)pthread_mutex_lock(&engine->mutex);
    engine->n_threads--;
    (void)pthread_cond_broadcast(&engine->changed);
    (void)pthread_mutex_unlock(&engine->mutex);
}

void *engine_job_main(void *arg)
{
    engine_job_t *job = arg;
    gate_t *gate = &job->engine->gates.jobs;
    cuzk_error err;

    cuzk_status st = gate_enter(gate, &job->rank, &job->cancel, &err);
    if (st == CUZK_OK) {
        job->timings.queue_s = clock_seconds_between(job->submitted_ns, clock_monotonic_ns());
        st = prepare(job, &err);
        if (st == CUZK_OK) {
            run_lanes(job);
            explain_invalid(job);
        }
        release(job);
        gate_leave(gate, job->rank.priority);
    }
    if (st != CUZK_OK) set_error(job, 0, &err);
    finish(job);
    return NULL;
}
