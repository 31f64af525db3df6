/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* The scenario "scale": work recorded on executors of many threads, whatever this machine has. */

#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/strand_trace.h"
#include "bench/engine_scenarios.h"
#include "bench/peer_inputs.h"
#include "bench/schedule.h"
#include "bench/stats.h"
#include "engine/engine.h"
#include "msm/msm.h"
#include "ntt/ntt.h"

enum { LG_MSM = 20, LG_NTT = 22, MANY_THREADS = 64, CASE_POREP = 0, KERNEL_RUNS = 5 };

/* A piece of work that can be run again on any number of threads, with memory that is there already
 * as an engine's is after the first proof. */
typedef struct workload {
    const char *name;
    const scenario_options_t *options;
    uint32_t runs;       /* on each number of threads; the medians count */
    void *input, *other; /* elements; points and scalars */

    cuzk_status (*open)(struct workload *work, uint32_t threads, cuzk_error *err);
    /** trace may be NULL. */
    cuzk_status (*run)(struct workload *work, trace_t *trace, cuzk_error *err);
    /** Takes what open() left, also when that failed. */
    void (*close)(struct workload *work);

    executor_t *executor;
    ntt_domain_t *domain;
    void *memory;
    size_t memory_bytes;
    cuzk_engine *engine;
    proof_case_t proof;
} workload_t;

/* ---- kernels -----------------------------------------------------------------------------------
 */

static points_t points_of(const workload_t *work)
{
    return (points_t){.n = (size_t)1 << LG_MSM,
                      .point_bytes = sizeof(g1_affine_t),
                      .form = POINTS_AFFINE,
                      .base = work->input};
}

static cuzk_status open_msm(workload_t *work, uint32_t threads, cuzk_error *err)
{
    const size_t n = (size_t)1 << LG_MSM;
    const msm_size_t size = {.n_points = n, .n_terms = n, .threads = threads};
    const cuzk_status st = executor_open(&work->executor, threads, err);

    work->memory_bytes = msm_bytes_g1(&size);
    return st == CUZK_OK ? big_alloc(&work->memory, work->memory_bytes, 1, "msm", err) : st;
}

static cuzk_status sum(const workload_t *work, strand_t *strand, cuzk_error *err)
{
    const points_t points = points_of(work);
    const msm_scalars_t scalars = {.scalars = work->other, .n_terms = points.n};
    const msm_options_t options = {.memory = work->memory, .memory_bytes = work->memory_bytes};
    g1_jac_t result;

    return msm_g1(&result, &points, &scalars, &options, strand, err);
}

static cuzk_status open_ntt(workload_t *work, uint32_t threads, cuzk_error *err)
{
    cuzk_status st = executor_open(&work->executor, threads, err);

    if (st == CUZK_OK) st = ntt_domain_open(&work->domain, LG_NTT, err);
    if (st != CUZK_OK) return st;
    work->memory_bytes = ntt_scratch_bytes(work->domain, threads);
    return big_alloc(&work->memory, work->memory_bytes, 1, "scratch of a transform", err);
}

static cuzk_status transform(const workload_t *work, strand_t *strand, cuzk_error *err)
{
    return ntt_transform(work->domain, &(ntt_vector_t){.elements = work->input},
                         &(ntt_kind_t){.order = NTT_NATURAL_TO_NATURAL}, work->memory, strand, err);
}

static cuzk_status run_kernel(workload_t *work, trace_t *trace, cuzk_error *err)
{
    strand_t strand;

    executor_set_trace(work->executor, trace);
    strand_begin(&strand, work->executor, NULL, NULL);
    const cuzk_status st =
        work->domain != NULL ? transform(work, &strand, err) : sum(work, &strand, err);
    strand_end(&strand);
    return st;
}

static void close_kernel(workload_t *work)
{
    big_free(work->memory, work->memory_bytes, 1);
    ntt_domain_close(work->domain);
    executor_close(work->executor);
    work->memory = NULL;
    work->domain = NULL;
    work->executor = NULL;
}

/* ---- a whole proof -----------------------------------------------------------------------------
 */

static cuzk_status open_proof(workload_t *work, uint32_t threads, cuzk_error *err)
{
    bool loaded;
    cuzk_status st = engine_case_open(&work->proof, CASE_POREP, err);

    if (st == CUZK_OK) st = scenario_engine(&work->engine, work->options, threads, true, err);
    return st == CUZK_OK ? cuzk_params_preload(work->engine, "porep-2k", &loaded, err) : st;
}

static cuzk_status run_proof(workload_t *work, trace_t *trace, cuzk_error *err)
{
    executor_set_trace(engine_executor(work->engine), trace);
    return scenario_prove(NULL, work->engine, &work->proof, err);
}

static void close_proof(workload_t *work)
{
    cuzk_engine_close(work->engine);
    case_close(&work->proof);
    work->engine = NULL;
}

/* ---- measuring ---------------------------------------------------------------------------------
 */

/* The CPU time of one run, and how busy so many cores would be with it. */
static cuzk_status run_traced(double *cpu_s, double *busy, workload_t *work, uint32_t cores,
                              cuzk_error *err)
{
    const trace_event_t *events;
    schedule_t schedule = {0};
    trace_t *trace;
    size_t n;

    cuzk_status st = trace_open(&trace, err);
    if (st != CUZK_OK) return st;
    const uint64_t start = clock_process_cpu_ns();
    st = work->run(work, trace, err);
    *cpu_s = clock_seconds_between(start, clock_process_cpu_ns());
    if (st == CUZK_OK) st = trace_events(&events, &n, trace, err);
    if (st == CUZK_OK) st = schedule_simulate(&schedule, events, n, cores, err);
    *busy = schedule.busy;
    trace_close(trace);
    return st;
}

/* Medians of the runs after one that is not counted. */
static cuzk_status measure_on(double *cpu_s, double *busy, workload_t *work, uint32_t threads,
                              cuzk_error *err)
{
    double cpu_times[STATS_MAX_RUNS], shares[STATS_MAX_RUNS];
    cuzk_status st = work->open(work, threads, err);

    if (st == CUZK_OK) st = work->run(work, NULL, err);
    for (uint32_t i = 0; i < work->runs && st == CUZK_OK; i++)
        st = run_traced(&cpu_times[i], &shares[i], work, threads, err);
    work->close(work);
    if (st != CUZK_OK) return st;
    *cpu_s = median(cpu_times, work->runs);
    *busy = median(shares, work->runs);
    return CUZK_OK;
}

typedef struct {
    double cpu_s[2]; /* one thread, MANY_THREADS */
    double busy_16, busy_64, busy_96;
} scale_t;

static cuzk_status measure(scale_t *scale, workload_t *work, cuzk_error *err)
{
    double unused;
    cuzk_status st = measure_on(&scale->cpu_s[0], &unused, work, 1, err);

    if (st == CUZK_OK) st = measure_on(&unused, &scale->busy_16, work, 16, err);
    if (st == CUZK_OK) st = measure_on(&scale->cpu_s[1], &scale->busy_64, work, MANY_THREADS, err);
    return st == CUZK_OK ? measure_on(&unused, &scale->busy_96, work, 96, err) : st;
}

static void write_members(json_writer_t *w, const scale_t *scale)
{
    json_write_object(w, "cpu_s");
    json_write_double(w, "1", scale->cpu_s[0]);
    json_write_double(w, "64", scale->cpu_s[1]);
    json_write_end(w);
    json_write_double(w, "busy_16", scale->busy_16);
    json_write_double(w, "busy_64", scale->busy_64);
    json_write_double(w, "busy_96", scale->busy_96);
}

/* CPU times add up; of the busy shares the least counts. */
static void add(scale_t *all, const scale_t *one)
{
    for (int i = 0; i < 2; i++) all->cpu_s[i] += one->cpu_s[i];
    if (one->busy_16 < all->busy_16) all->busy_16 = one->busy_16;
    if (one->busy_64 < all->busy_64) all->busy_64 = one->busy_64;
    if (one->busy_96 < all->busy_96) all->busy_96 = one->busy_96;
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
    const workload_t kernel = {.runs = KERNEL_RUNS, .run = run_kernel, .close = close_kernel};
    workload_t works[] = {kernel,
                          kernel,
                          {.name = "porep_2KiB",
                           .options = o,
                           .runs = o->runs,
                           .open = open_proof,
                           .run = run_proof,
                           .close = close_proof}};
    scale_t all = {.busy_16 = 1, .busy_64 = 1, .busy_96 = 1};

    works[0].name = "msm_g1_2^20";
    works[0].open = open_msm;
    works[1].name = "ntt_2^22";
    works[1].open = open_ntt;
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
