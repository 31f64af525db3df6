/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* The scenario "scale": work recorded on executors of many threads, whatever this machine has. */

#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/strand_trace.h"
#include "bench/engine_scenarios.h"
#include "bench/peer_inputs.h"
#include "bench/schedule.h"
#include "engine/engine.h"
#include "msm/msm.h"
#include "ntt/ntt.h"

enum { LG_MSM = 20, LG_NTT = 22, MANY_THREADS = 64, CASE_POREP = 0 };

static const uint32_t core_counts[] = {16, 64, 96};

enum { CORE_COUNTS = sizeof core_counts / sizeof core_counts[0] };

/* A piece of work that can be run again on any number of threads. */
typedef struct workload {
    const char *name;
    /** Runs it; trace may be NULL. *cpu_s: of all threads, for the work alone. */
    cuzk_status (*run)(double *cpu_s, const struct workload *work, uint32_t threads, trace_t *trace,
                       cuzk_error *err);
    const scenario_options_t *options;
    void *input, *other; /* elements; points and scalars */
} workload_t;

/* ---- the works ---------------------------------------------------------------------------------
 */

/* A strand of a new executor. */
static cuzk_status begin(executor_t **executor, strand_t *strand, uint32_t threads, trace_t *trace,
                         cuzk_error *err)
{
    const cuzk_status st = executor_open(executor, threads, err);

    if (st != CUZK_OK) return st;
    executor_set_trace(*executor, trace);
    strand_begin(strand, *executor, NULL, NULL);
    return CUZK_OK;
}

static void end(executor_t *executor, strand_t *strand)
{
    strand_end(strand);
    executor_close(executor);
}

static double cpu_since(uint64_t start_ns)
{
    return clock_seconds_between(start_ns, clock_process_cpu_ns());
}

static cuzk_status run_msm(double *cpu_s, const workload_t *work, uint32_t threads, trace_t *trace,
                           cuzk_error *err)
{
    const size_t n = (size_t)1 << LG_MSM;
    const points_t points = {
        .n = n, .point_bytes = sizeof(g1_affine_t), .form = POINTS_AFFINE, .base = work->input};
    const msm_scalars_t scalars = {.scalars = work->other, .n_terms = n};
    executor_t *executor;
    strand_t strand;
    g1_jac_t sum;

    cuzk_status st = begin(&executor, &strand, threads, trace, err);
    if (st != CUZK_OK) return st;
    const uint64_t start = clock_process_cpu_ns();
    st = msm_g1(&sum, &points, &scalars, &(msm_options_t){0}, &strand, err);
    *cpu_s = cpu_since(start);
    end(executor, &strand);
    return st;
}

static cuzk_status run_ntt(double *cpu_s, const workload_t *work, uint32_t threads, trace_t *trace,
                           cuzk_error *err)
{
    executor_t *executor;
    ntt_domain_t *domain;
    strand_t strand;

    cuzk_status st = begin(&executor, &strand, threads, trace, err);
    if (st != CUZK_OK) return st;
    st = ntt_domain_open(&domain, LG_NTT, err);
    if (st == CUZK_OK) {
        const uint64_t start = clock_process_cpu_ns();

        st = ntt_forward(domain, work->input, NTT_NATURAL_TO_NATURAL, &strand, err);
        *cpu_s = cpu_since(start);
        ntt_domain_close(domain);
    }
    end(executor, &strand);
    return st;
}

static cuzk_status run_proof(double *cpu_s, const workload_t *work, uint32_t threads,
                             trace_t *trace, cuzk_error *err)
{
    cuzk_engine *engine;
    engine_case_t c;
    bool loaded;

    cuzk_status st = engine_case_open(&c, CASE_POREP, err);
    if (st != CUZK_OK) return st;
    st = scenario_engine(&engine, work->options, threads, true, err);
    if (st == CUZK_OK) {
        st = cuzk_params_preload(engine, "porep-2k", &loaded, err);
        executor_set_trace(engine_executor(engine), trace);
        const uint64_t start = clock_process_cpu_ns();
        if (st == CUZK_OK) st = scenario_prove(NULL, engine, &c, err);
        *cpu_s = cpu_since(start);
        cuzk_engine_close(engine);
    }
    engine_case_clear(&c);
    return st;
}

/* ---- measuring ---------------------------------------------------------------------------------
 */

typedef struct {
    double cpu_s[2]; /* one thread, MANY_THREADS */
    double busy[CORE_COUNTS];
} scale_t;

static cuzk_status simulate(double *busy, const workload_t *work, uint32_t cores, cuzk_error *err)
{
    const trace_event_t *events;
    schedule_t schedule = {0};
    trace_t *trace;
    double cpu_s;
    size_t n;

    cuzk_status st = trace_open(&trace, err);
    if (st != CUZK_OK) return st;
    st = work->run(&cpu_s, work, cores, trace, err);
    if (st == CUZK_OK) st = trace_events(&events, &n, trace, err);
    if (st == CUZK_OK) st = schedule_simulate(&schedule, events, n, cores, err);
    *busy = schedule.busy;
    trace_close(trace);
    return st;
}

static cuzk_status measure(scale_t *scale, const workload_t *work, cuzk_error *err)
{
    cuzk_status st = work->run(&scale->cpu_s[0], work, 1, NULL, err);

    if (st == CUZK_OK) st = work->run(&scale->cpu_s[1], work, MANY_THREADS, NULL, err);
    for (int i = 0; i < CORE_COUNTS && st == CUZK_OK; i++)
        st = simulate(&scale->busy[i], work, core_counts[i], err);
    return st;
}

static void write_members(json_writer_t *w, const scale_t *scale)
{
    json_write_object(w, "cpu_s");
    json_write_double(w, "1", scale->cpu_s[0]);
    json_write_double(w, "64", scale->cpu_s[1]);
    json_write_end(w);
    json_write_double(w, "busy_16", scale->busy[0]);
    json_write_double(w, "busy_64", scale->busy[1]);
    json_write_double(w, "busy_96", scale->busy[2]);
}

/* CPU times add up; of the busy shares the least counts. */
static void add(scale_t *all, const scale_t *one)
{
    for (int i = 0; i < 2; i++) all->cpu_s[i] += one->cpu_s[i];
    for (int i = 0; i < CORE_COUNTS; i++)
        if (one->busy[i] < all->busy[i]) all->busy[i] = one->busy[i];
}

static cuzk_status make_inputs(workload_t *msm, workload_t *ntt, cuzk_error *err)
{
    const size_t n = (size_t)1 << LG_MSM, m = (size_t)1 << LG_NTT;
    cuzk_status st = big_alloc(&msm->input, n, sizeof(g1_affine_t), "points", err);

    if (st == CUZK_OK) st = big_alloc(&msm->other, n, sizeof(scalar_t), "scalars", err);
    if (st == CUZK_OK) st = big_alloc(&ntt->input, m, sizeof(fr_t), "elements", err);
    if (st != CUZK_OK) return st;
    peer_points_g1(msm->input, n, NULL);
    peer_scalars(msm->other, n, NULL);
    peer_scalars(ntt->input, m, NULL); /* any elements below the modulus do */
    return CUZK_OK;
}

cuzk_status scenario_scale(json_writer_t *w, const scenario_options_t *o, cuzk_error *err)
{
    workload_t works[] = {{.name = "msm_g1_2^20", .run = run_msm, .options = o},
                          {.name = "ntt_2^22", .run = run_ntt, .options = o},
                          {.name = "porep_2KiB", .run = run_proof, .options = o}};
    scale_t all = {.busy = {1, 1, 1}};
    cuzk_status st = make_inputs(&works[0], &works[1], err);

    json_write_object(w, "works");
    for (size_t i = 0; i < sizeof works / sizeof works[0] && st == CUZK_OK; i++) {
        scale_t one = {0};

        st = measure(&one, &works[i], err);
        if (st != CUZK_OK) break;
        json_write_object(w, works[i].name);
        write_members(w, &one);
        json_write_end(w);
        add(&all, &one);
    }
    json_write_end(w);
    write_members(w, &all);
    big_free(works[0].input, (size_t)1 << LG_MSM, sizeof(g1_affine_t));
    big_free(works[0].other, (size_t)1 << LG_MSM, sizeof(scalar_t));
    big_free(works[1].input, (size_t)1 << LG_NTT, sizeof(fr_t));
    return st;
}
