/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "device/cpu.h"
#include "engine/engine.h"
#include "engine/job.h"
#include "engine/turn.h"

enum { DEFAULT_MAX_JOBS = 1024, THREADS_A_LANE = 16, THREADS_A_SEAT = 32, MOST_RETRIES = 8 };

/* Of large budgets a part is kept for urgent proofs, which take little. */
#define URGENT_MOST_BYTES ((uint64_t)512 << 20)
#define URGENT_FROM_BYTES ((uint64_t)4 << 30)

/* ---- opening and closing -----------------------------------------------------------------------
 */

/* How long a circuit has to be idle to be closed for work of that priority: while partitions are
 * under way, work that is not urgent can wait for their memory. */
static uint64_t min_idle_ns(cuzk_engine *engine, int32_t priority)
{
    if (priority >= CUZK_PRIORITY_HIGH) return 0;
    (void)pthread_mutex_lock(&engine->mutex);
    const bool is_alone = engine->n_admitted == 0;
    (void)pthread_mutex_unlock(&engine->mutex);
    return is_alone ? 0 : engine->params_min_idle_ns;
}

/* Idle memory: the buffers first, then the circuit nobody has used for longest. */
static void evict(void *arg, int32_t priority)
{
    cuzk_engine *engine = arg;

    if (device_memory(engine->device).idle > 0) {
        device_trim(engine->device);
        engine_settle_idle(engine);
    } else {
        (void)circuits_evict_one(engine->circuits, min_idle_ns(engine, priority));
    }
}

void engine_settle_idle(cuzk_engine *engine)
{
    const ledger_totals_t totals = ledger_totals(engine->ledger);
    const uint64_t others = totals.reserved - totals.by_owner[LEDGER_IDLE];

    (void)pthread_mutex_lock(&engine->mutex);
    if (others + device_memory(engine->device).idle > totals.budget) device_trim(engine->device);
    ledger_set(&engine->idle_held, engine->ledger, LEDGER_IDLE, device_memory(engine->device).idle);
    (void)pthread_mutex_unlock(&engine->mutex);
}

static void open_gates(cuzk_engine *engine, bool serial, uint32_t most_in_synthesis)
{
    const uint32_t threads = executor_size(engine->executor);

    engine->n_lanes = serial ? 1 : 2 + threads / THREADS_A_LANE;
    gate_init(&engine->gates.jobs, engine->n_lanes);
    uint32_t seats = serial ? 1 : 1 + threads / THREADS_A_SEAT;
    engine->max_proving = seats;
    if (most_in_synthesis != 0 && most_in_synthesis < seats) seats = most_in_synthesis;
    engine->max_synthesis = seats;
    gate_init(&engine->gates.synthesis, engine->max_synthesis);
    gate_init(&engine->gates.proving, engine->max_proving);
}

static cuzk_status open_parts(cuzk_engine *engine, const cuzk_engine_options *o, cuzk_error *err)
{
    const uint64_t budget = o->memory_budget != 0 ? o->memory_budget : memory_available_bytes();
    const uint64_t share = budget / 16 < URGENT_MOST_BYTES ? budget / 16 : URGENT_MOST_BYTES;
    params_place_t place = {o->params_folder,
                            o->params_source != NULL ? o->params_source : "params_folder"};

    if (place.folder == NULL) place = params_default_place();
    cuzk_status st = executor_open(&engine->executor, o->threads, err);
    if (st == CUZK_OK)
        st = device_cpu_open(&engine->device, &(device_cpu_options_t){.executor = engine->executor},
                             err);
    if (st == CUZK_OK)
        st = ledger_open(&engine->ledger, budget, budget < URGENT_FROM_BYTES ? 0 : share,
                         CUZK_PRIORITY_HIGH, err);
    if (st == CUZK_OK) st = circuits_open(&engine->circuits, engine->ledger, &place, err);
    if (st != CUZK_OK) return st;
    ledger_set_evict(engine->ledger, evict, engine);
    open_gates(engine, o->serial, o->max_synthesis);
    return CUZK_OK;
}

/* Whoever may write to the folder may give us a key of his own. One that is named in the
 * options was chosen for this engine; any other is looked at. */
static void warn_of_writers(cuzk_engine *engine)
{
    const char *folder = params_default_place().folder;
    struct stat info;

    if (stat(folder, &info) != 0) return;
    const bool is_ours = info.st_uid == geteuid() || info.st_uid == 0;
    if (is_ours && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0) return;
    engine_log(engine, NULL, CUZK_LOG_WARNING,
               "parameters: %s may be written to by %s: whoever does can replace keys", folder,
               !is_ours                 ? "its owner, another user"
               : info.st_mode & S_IWOTH ? "all users"
                                        : "its group");
}

static void close_parts(cuzk_engine *engine)
{
    if (engine->circuits != NULL) { /* the last to be opened but for the gates */
        gate_clear(&engine->gates.jobs);
        gate_clear(&engine->gates.synthesis);
        gate_clear(&engine->gates.proving);
    }
    circuits_close(engine->circuits);
    ledger_release(&engine->idle_held);
    ledger_release(&engine->callers_held);
    ledger_close(engine->ledger);
    device_close(engine->device);
    executor_close(engine->executor);
    (void)pthread_cond_destroy(&engine->changed);
    (void)pthread_mutex_destroy(&engine->mutex);
    (void)pthread_mutex_destroy(&engine->log_mutex);
    free(engine);
}

cuzk_status engine_open(cuzk_engine **out, const cuzk_engine_options *options, cuzk_error *err)
{
    cuzk_engine_options o = {.struct_size = sizeof o};

    *out = NULL;
    if (options != NULL) struct_take(&o, sizeof o, options);
    if (o.retries > MOST_RETRIES)
        return error_set(err, CUZK_ERR_ARG, "retries: %u, at most %d", o.retries, MOST_RETRIES);
    cuzk_engine *engine = mem_alloc(1, sizeof *engine, "engine", err);
    if (engine == NULL) return err->status;
    (void)pthread_mutex_init(&engine->mutex, NULL);
    (void)pthread_mutex_init(&engine->log_mutex, NULL);
    turn_cond_init(&engine->changed);
    cancel_init(&engine->stop, UINT64_MAX);
    engine->max_jobs = o.max_jobs != 0 ? o.max_jobs : DEFAULT_MAX_JOBS;
    engine->log = o.log;
    engine->log_arg = o.log_arg;
    engine->finished = o.finished;
    engine->finished_arg = o.finished_arg;
    engine->retries = o.retries;
    engine->params_min_idle_ns =
        o.params_min_idle_ms < UINT64_MAX / 1000000 ? o.params_min_idle_ms * 1000000 : UINT64_MAX;
    const cuzk_status st = open_parts(engine, &o, err);
    if (st != CUZK_OK) {
        close_parts(engine);
        return st;
    }
    if (o.params_folder == NULL) warn_of_writers(engine);
    *out = engine;
    return CUZK_OK;
}

void engine_stop(cuzk_engine *engine)
{
    cancel_request(&engine->stop);
}

const cancel_t *engine_stopped(const cuzk_engine *engine)
{
    return &engine->stop;
}

void engine_close(cuzk_engine *engine)
{
    if (engine == NULL) return;
    (void)pthread_mutex_lock(&engine->mutex);
    engine_stop(engine);
    while (engine->n_threads > 0) (void)pthread_cond_wait(&engine->changed, &engine->mutex);
    (void)pthread_mutex_unlock(&engine->mutex);
    while (engine->jobs != NULL) {
        engine_job_t *job = engine->jobs;

        engine->jobs = job->next;
        engine_job_free(job);
    }
    close_parts(engine);
}

/* ---- submitting --------------------------------------------------------------------------------
 */

static cuzk_status refuse_busy(const cuzk_engine *engine, cuzk_error *err)
{
    return error_set(err, CUZK_ERR_BUSY, "jobs: %u are waiting or running, the limit",
                     engine->max_jobs);
}

static cuzk_status new_job(engine_job_t **out, cuzk_engine *engine, const proof_kind_t *kind,
                           const cuzk_request *request, cuzk_error *err)
{
    engine_job_t *job = mem_alloc(1, sizeof *job, "job", err);
    const uint64_t now = clock_monotonic_ns();
    const uint64_t deadline =
        request->timeout_ms == 0 || request->timeout_ms > (UINT64_MAX - now) / 1000000 - 1
            ? UINT64_MAX
            : now + request->timeout_ms * 1000000;

    *out = job;
    if (job == NULL) return err->status;
    job->engine = engine;
    job->kind = kind;
    job->submitted_ns = now;
    job->rank = (work_rank_t){.priority = request_priority(request, kind), .deadline_ns = deadline};
    cancel_init(&job->cancel, deadline);
    job->cancel.parent = &engine->stop;
    const cuzk_status st = request_copy(&job->copy, request, err);
    if (st != CUZK_OK) engine_job_free(job);
    return st;
}

/* Takes the job's number and its place in the list. */
static cuzk_status enlist(cuzk_engine *engine, engine_job_t *job, cuzk_error *err)
{
    cuzk_status st = CUZK_OK;

    (void)pthread_mutex_lock(&engine->mutex);
    if (engine->n_unfinished >= engine->max_jobs) st = refuse_busy(engine, err);
    if (st == CUZK_OK) {
        job->id = ++engine->last_id;
        job->rank.age = job->id;
        job->next = engine->jobs;
        engine->jobs = job;
        engine->n_unfinished++;
        engine->n_threads++;
    }
    (void)pthread_mutex_unlock(&engine->mutex);
    return st;
}

/* The mutex is held. */
static void unlink_job(cuzk_engine *engine, const engine_job_t *job)
{
    engine_job_t **at = &engine->jobs;

    while (*at != job) at = &(*at)->next;
    *at = job->next;
}

static cuzk_status start(cuzk_engine *engine, engine_job_t *job, cuzk_error *err)
{
    pthread_attr_t attributes;
    pthread_t thread;

    (void)pthread_attr_init(&attributes);
    (void)pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    const int rc = pthread_create(&thread, &attributes, engine_job_main, job);
    (void)pthread_attr_destroy(&attributes);
    if (rc == 0) return CUZK_OK;
    (void)pthread_mutex_lock(&engine->mutex);
    unlink_job(engine, job);
    engine->n_unfinished--;
    engine->n_threads--;
    (void)pthread_mutex_unlock(&engine->mutex);
    return error_set(err, CUZK_ERR_MEMORY, "job: its thread could not be started: %s",
                     strerror(rc));
}

static cuzk_status no_room(uint64_t bytes, cuzk_error *err)
{
    char size[TEXT_SIZE_ROOM];

    return error_set(err, CUZK_ERR_BUSY, "memory budget: no room now for an input of %s",
                     text_size(size, bytes));
}

cuzk_status engine_submit(cuzk_job *id, cuzk_engine *engine, const cuzk_request *request,
                          cuzk_error *err)
{
    const proof_kind_t *kind;
    const circuit_row_t *row;
    engine_job_t *job;

    cuzk_status st = request_check(&kind, &row, request, err);
    if (st == CUZK_OK && row != NULL) st = engine_look_ahead(engine, kind, row, request, err);
    if (st == CUZK_OK) st = new_job(&job, engine, kind, request, err);
    if (st != CUZK_OK) return st;
    if (!ledger_try(&job->input_held, engine->ledger, LEDGER_JOBS, job->copy.bytes))
        st = no_room(job->copy.bytes, err);
    if (st == CUZK_OK) st = enlist(engine, job, err);
    if (st == CUZK_OK) {
        *id = job->id; /* the job may be gone once its thread runs */
        job->copy.is_owner = true;
        st = start(engine, job, err);
    }
    if (st == CUZK_OK) return CUZK_OK;
    job->copy.is_owner = false;
    ledger_release(&job->input_held);
    engine_job_free(job);
    return st;
}

/* ---- waiting, looking, cancelling --------------------------------------------------------------
 */

static bool is_past(uint64_t start_ns, uint64_t timeout_ms)
{
    return timeout_ms != CUZK_NO_TIMEOUT &&
           (clock_monotonic_ns() - start_ns) / 1000000 >= timeout_ms;
}

/* The mutex is held. A caller that knows of no bad sectors is given none. */
static void collect(cuzk_result *result, engine_job_t *job)
{
    const bool is_good = job->error.status == CUZK_OK;
    const bool takes_bad = result->struct_size >= RESULT_WITH_BAD_BYTES;
    const cuzk_result own = {.struct_size = sizeof own,
                             .proofs = is_good ? job->proofs : NULL,
                             .length = is_good ? (size_t)job->n_partitions * CUZK_PROOF_BYTES : 0,
                             .timings = job->timings,
                             .bad_sectors = job->bad,
                             .n_bad_sectors = job->n_bad,
                             .failed_stage = is_good ? CUZK_STAGE_QUEUED : job->failed_stage};

    struct_give(result, &own, sizeof own);
    if (is_good) job->proofs = NULL;
    if (takes_bad) job->bad = NULL;
}

cuzk_status engine_wait(cuzk_result *result, cuzk_engine *engine, cuzk_job id, uint64_t timeout_ms,
                        cuzk_error *err)
{
    const uint64_t start_ns = clock_monotonic_ns();
    engine_job_t *job;

    (void)pthread_mutex_lock(&engine->mutex);
    cuzk_status st = engine_find_job(&job, engine, id, err);
    while (st == CUZK_OK && !job->is_finished && !is_past(start_ns, timeout_ms)) {
        turn_wait(&engine->changed, &engine->mutex);
        st = engine_find_job(&job, engine, id, err);
    }
    if (st == CUZK_OK && !job->is_finished)
        st = error_set(err, CUZK_ERR_BUSY, "job %llu: not finished within %llu ms",
                       (unsigned long long)id, (unsigned long long)timeout_ms);
    else if (st == CUZK_OK) {
        st = job->error.status;
        if (st != CUZK_OK) *err = job->error;
        collect(result, job);
        unlink_job(engine, job);
        engine_job_free(job);
    }
    (void)pthread_mutex_unlock(&engine->mutex);
    return st;
}

cuzk_status engine_cancel(cuzk_engine *engine, cuzk_job id, cuzk_error *err)
{
    engine_job_t *job;

    (void)pthread_mutex_lock(&engine->mutex);
    const cuzk_status st = engine_find_job(&job, engine, id, err);
    if (st == CUZK_OK) cancel_request(&job->cancel);
    (void)pthread_mutex_unlock(&engine->mutex);
    return st;
}
