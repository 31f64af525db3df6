/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/engine_scenarios.h"

#include <time.h>

#include "base/clock.h"
#include "bench/alloc_count.h"
#include "bench/stats.h"
#include "cuzk/watch.h"

enum { CASE_WINNING = 2, PIPELINE_JOBS = 4, LOOK_NS = 200000, CANCEL_TRIES = 3 };

/* ---- helpers -----------------------------------------------------------------------------------
 */

void scenario_pause(uint64_t ns)
{
    const struct timespec t = {.tv_sec = (time_t)(ns / 1000000000),
                               .tv_nsec = (long)(ns % 1000000000)};

    (void)nanosleep(&t, NULL);
}

cuzk_status scenario_engine(cuzk_engine **engine, const scenario_options_t *o, uint32_t threads,
                            bool serial, cuzk_error *err)
{
    const cuzk_engine_options options = {.struct_size = sizeof options,
                                         .params_folder = o->params,
                                         .params_source = "--params",
                                         .threads = threads,
                                         .serial = serial};

    return cuzk_engine_open(engine, &options, err);
}

static cuzk_status finish(cuzk_timings *timings, cuzk_engine *engine, cuzk_job job, cuzk_error *err)
{
    cuzk_result result = {.struct_size = sizeof result};
    const cuzk_status st = cuzk_wait(engine, job, CUZK_NO_TIMEOUT, &result, err);

    if (timings != NULL) *timings = result.timings;
    cuzk_result_clear(&result);
    return st;
}

cuzk_status scenario_prove(cuzk_timings *timings, cuzk_engine *engine, const proof_case_t *c,
                           cuzk_error *err)
{
    cuzk_job job;
    const cuzk_status st = cuzk_submit(engine, &c->request, &job, err);

    return st == CUZK_OK ? finish(timings, engine, job, err) : st;
}

/* Waits until a job is at `stage` or past it; *seconds since the submit, as this thread saw it. */
static cuzk_status wait_stage(double *seconds, cuzk_stage *seen, cuzk_engine *engine, cuzk_job job,
                              cuzk_stage stage, cuzk_error *err)
{
    cuzk_progress progress = {.struct_size = sizeof progress};

    for (;;) {
        const cuzk_status st = cuzk_poll(engine, job, &progress, err);

        *seconds = progress.seconds;
        *seen = progress.stage;
        if (st != CUZK_OK || progress.stage >= stage) return st;
        scenario_pause(LOOK_NS);
    }
}

/* ---- priority ----------------------------------------------------------------------------------
 */

typedef struct {
    double winning_alone[STATS_MAX_RUNS], winning_loaded[STATS_MAX_RUNS], delay[STATS_MAX_RUNS];
    double bulk_alone[STATS_MAX_RUNS], bulk_loaded[STATS_MAX_RUNS];
} priority_times_t;

/* Bulk work begins, and in its middle the WinningPoSt comes. */
static cuzk_status run_loaded(priority_times_t *t, uint32_t i, cuzk_engine *engine,
                              const proof_case_t *bulk, const proof_case_t *winning,
                              cuzk_error *err)
{
    cuzk_job bulk_job, winning_job;
    cuzk_timings timings = {0};
    cuzk_stage seen;

    cuzk_status st = cuzk_submit(engine, &bulk->request, &bulk_job, err);
    if (st != CUZK_OK) return st;
    scenario_pause((uint64_t)(t->bulk_alone[i] * 1e9 * (1 + i) / (4 + 2 * i)));
    st = cuzk_submit(engine, &winning->request, &winning_job, err);
    if (st == CUZK_OK)
        st = wait_stage(&t->delay[i], &seen, engine, winning_job, CUZK_STAGE_PARSE, err);
    if (st == CUZK_OK) st = finish(&timings, engine, winning_job, err);
    t->winning_loaded[i] = timings.total_s;
    if (st == CUZK_OK) st = finish(&timings, engine, bulk_job, err);
    t->bulk_loaded[i] = timings.total_s;
    return st;
}

static cuzk_status run_priority(priority_times_t *t, cuzk_engine *engine, uint32_t runs,
                                const proof_case_t *bulk, const proof_case_t *winning,
                                cuzk_error *err)
{
    cuzk_timings timings = {0};
    cuzk_status st = scenario_prove(NULL, engine, winning, err); /* warms up */

    for (uint32_t i = 0; i < runs && st == CUZK_OK; i++) {
        st = scenario_prove(&timings, engine, winning, err);
        t->winning_alone[i] = timings.total_s;
        if (st == CUZK_OK) st = scenario_prove(&timings, engine, bulk, err);
        t->bulk_alone[i] = timings.total_s;
        if (st == CUZK_OK) st = run_loaded(t, i, engine, bulk, winning, err);
    }
    return st;
}

cuzk_status scenario_priority(json_writer_t *w, const scenario_options_t *o, cuzk_error *err)
{
    static priority_times_t t;
    proof_case_t bulk, winning;
    cuzk_engine *engine;

    cuzk_status st = engine_case_open(&bulk, o->bulk, err);
    if (st != CUZK_OK) return st;
    st = engine_case_open(&winning, CASE_WINNING, err);
    if (st == CUZK_OK) st = scenario_engine(&engine, o, o->threads, false, err);
    if (st == CUZK_OK) {
        st = run_priority(&t, engine, o->runs, &bulk, &winning, err);
        cuzk_engine_close(engine);
    }
    json_write_string(w, "bulk", bulk.name);
    json_write_double(w, "winning_alone_s", median(t.winning_alone, o->runs));
    json_write_double(w, "winning_under_load_s", median(t.winning_loaded, o->runs));
    json_write_double(w, "start_delay_s", median(t.delay, o->runs));
    json_write_double(w, "bulk_alone_s", median(t.bulk_alone, o->runs));
    json_write_double(w, "bulk_with_winning_s", median(t.bulk_loaded, o->runs));
    case_close(&winning);
    case_close(&bulk);
    return st;
}

/* ---- pipeline ----------------------------------------------------------------------------------
 */

static cuzk_status run_jobs(double *seconds, cuzk_engine *engine, const proof_case_t *c,
                            cuzk_error *err)
{
    const uint64_t start = clock_monotonic_ns();
    cuzk_job jobs[PIPELINE_JOBS];
    cuzk_status st = CUZK_OK;
    int n = 0;

    for (; n < PIPELINE_JOBS && st == CUZK_OK; n++)
        st = cuzk_submit(engine, &c->request, &jobs[n], err);
    for (int i = 0; i < n && st == CUZK_OK; i++) st = finish(NULL, engine, jobs[i], err);
    *seconds = clock_seconds_between(start, clock_monotonic_ns());
    return st;
}

/* Both engines by turns, each warmed up by one proof. */
cuzk_status scenario_pipeline(json_writer_t *w, const scenario_options_t *o, cuzk_error *err)
{
    static double seconds[2][STATS_MAX_RUNS];
    proof_case_t c;

    cuzk_status st = engine_case_open(&c, o->bulk, err);
    for (uint32_t i = 0; i < 2 * o->runs && st == CUZK_OK; i++) {
        const bool overlaps = (i ^ i / 2) & 1;
        cuzk_engine *engine;

        st = scenario_engine(&engine, o, o->threads, !overlaps, err);
        if (st != CUZK_OK) break;
        st = scenario_prove(NULL, engine, &c, err);
        if (st == CUZK_OK) st = run_jobs(&seconds[overlaps][i / 2], engine, &c, err);
        cuzk_engine_close(engine);
    }
    json_write_string(w, "bulk", c.name);
    json_write_u64(w, "jobs", PIPELINE_JOBS);
    json_write_double(w, "serial_s", median(seconds[0], o->runs));
    json_write_double(w, "pipelined_s", median(seconds[1], o->runs));
    case_close(&c);
    return st;
}

/* ---- cancel ------------------------------------------------------------------------------------
 */

/* Cancels a job in a stage; *stop_s stays below 0 when the stage was over before it was seen. */
static cuzk_status cancel_once(double *stop_s, cuzk_engine *engine, const proof_case_t *c,
                               cuzk_stage stage, cuzk_error *err)
{
    cuzk_stage seen;
    double seconds;
    cuzk_job job;

    cuzk_status st = cuzk_submit(engine, &c->request, &job, err);
    if (st == CUZK_OK) st = wait_stage(&seconds, &seen, engine, job, stage, err);
    if (st != CUZK_OK) return st;
    const uint64_t start = clock_monotonic_ns();
    (void)cuzk_cancel(engine, job, err);
    st = finish(NULL, engine, job, err);
    if (seen == stage) *stop_s = clock_seconds_between(start, clock_monotonic_ns());
    return st == CUZK_CANCELLED ? CUZK_OK : st; /* or it was done before it saw the token */
}

static cuzk_status cancel_stages(json_writer_t *w, cuzk_engine *engine, const proof_case_t *c,
                                 uint32_t runs, cuzk_error *err)
{
    cuzk_status st = CUZK_OK;
    double most = 0;

    json_write_object(w, "stages");
    for (cuzk_stage stage = CUZK_STAGE_QUEUED; stage < CUZK_STAGE_DONE; stage++) {
        double worst = -1;

        for (uint32_t i = 0; i < CANCEL_TRIES * runs && st == CUZK_OK; i++) {
            double stop_s = -1;

            st = cancel_once(&stop_s, engine, c, stage, err);
            if (stop_s > worst) worst = stop_s;
            if (i + 1 >= runs && worst >= 0) break;
        }
        if (worst < 0)
            json_write_null(w, cuzk_stage_name(stage));
        else
            json_write_double(w, cuzk_stage_name(stage), worst);
        if (worst > most) most = worst;
    }
    json_write_end(w);
    json_write_double(w, "stop_s", most);
    return st;
}

cuzk_status scenario_cancel(json_writer_t *w, const scenario_options_t *o, cuzk_error *err)
{
    cuzk_stats stats = {.struct_size = sizeof stats};
    cuzk_engine *engine;
    proof_case_t c;

    cuzk_status st = engine_case_open(&c, o->bulk, err);
    if (st != CUZK_OK) return st;
    json_write_string(w, "bulk", c.name);
    st = scenario_engine(&engine, o, o->threads, false, err);
    if (st == CUZK_OK) {
        st = cancel_stages(w, engine, &c, o->runs, err);
        (void)cuzk_engine_stats(engine, &stats, NULL);
        json_write_u64(w, "bytes_left", stats.job_bytes);
        /* and it is as good as before */
        if (st == CUZK_OK) st = scenario_prove(NULL, engine, &c, err);
        cuzk_engine_close(engine);
    }
    case_close(&c);
    return st;
}

/* ---- budget ------------------------------------------------------------------------------------
 */

static cuzk_status measure_budget(json_writer_t *w, const scenario_options_t *o, int i,
                                  cuzk_error *err)
{
    cuzk_stats stats = {.struct_size = sizeof stats};
    cuzk_engine *engine;
    proof_case_t c;

    cuzk_status st = engine_case_open(&c, i, err);
    if (st != CUZK_OK) return st;
    st = scenario_engine(&engine, o, o->threads, true, err);
    if (st == CUZK_OK) {
        const uint64_t before = alloc_live_restart();

        st = scenario_prove(NULL, engine, &c, err);
        const uint64_t peak = alloc_live_peak() - before;
        (void)cuzk_engine_stats(engine, &stats, NULL);
        json_write_object(w, c.name);
        json_write_u64(w, "reserved_bytes", stats.peak_reserved_bytes);
        json_write_u64(w, "peak_bytes", peak);
        json_write_double(w, "ratio", (double)stats.peak_reserved_bytes / (double)peak);
        json_write_end(w);
        cuzk_engine_close(engine);
    }
    case_close(&c);
    return st;
}

cuzk_status scenario_budget(json_writer_t *w, const scenario_options_t *o, cuzk_error *err)
{
    cuzk_status st = CUZK_OK;

    json_write_object(w, "kinds");
    for (int i = 0; i < ENGINE_CASES && st == CUZK_OK; i++) st = measure_budget(w, o, i, err);
    json_write_end(w);
    return st;
}
