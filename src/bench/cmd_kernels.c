/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <string.h>

#include "base/cpu.h"
#include "bench/commands.h"
#include "bench/kernels.h"

enum { MAX_LOG_N = 28, FIXED_WINDOW_LG = 22 };

typedef struct {
    const char *bench;
    const char *shape;
    const char *cache;
    const char *window;
    option_u32_t log_n;
    option_u32_t threads;
    option_u32_t runs;
} kernels_options_t;

static const option_row_t rows[] = {
    {"--bench", "NAME", "msm-g1, msm-g2, ntt or groth16", offsetof(kernels_options_t, bench), 0, 0,
     OPTION_TEXT},
    {"--log-n", "K", "size 2^K, 1 to 28", offsetof(kernels_options_t, log_n), 1, MAX_LOG_N,
     OPTION_U32},
    {"--threads", "T", "worker threads (default: one a CPU)", offsetof(kernels_options_t, threads),
     1, 1024, OPTION_U32},
    {"--runs", "R", "measured runs (default 3)", offsetof(kernels_options_t, runs), 1,
     STATS_MAX_RUNS, OPTION_U32},
    {"--window", "MODE", "msm: per-msm (default), or fixed: the width for 2^22 terms",
     offsetof(kernels_options_t, window), 0, 0, OPTION_TEXT},
    {"--shape", "NAME", "groth16: dense (default) or bits", offsetof(kernels_options_t, shape), 0,
     0, OPTION_TEXT},
    {"--cache", "DIR", "groth16: keep the parameters there", offsetof(kernels_options_t, cache), 0,
     0, OPTION_TEXT},
};

static int run(int argc, char **argv);

const command_t command_kernels = {
    .name = "kernels",
    .summary = "measure a kernel or a whole proof; prints one line of JSON",
    .rows = rows,
    .n_rows = sizeof rows / sizeof rows[0],
    .notes = "Inputs and what the clock holds are described in docs/benchmarks.md. Times are wall\n"
             "seconds; cpu_s is the median CPU time of all threads.",
    .run = run,
};

typedef struct {
    const char *name;
    cuzk_status (*run)(const kernels_t *k, cuzk_error *err);
} bench_row_t;

static const bench_row_t benches[] = {
    {"msm-g1", kernels_msm_g1},
    {"msm-g2", kernels_msm_g2},
    {"ntt", kernels_ntt},
    {"groth16", kernels_groth16},
};

void kernels_write(json_writer_t *w, const kernels_t *k, const measure_t *m, const char *result)
{
    measure_begin(w, k->bench, k->threads);
    json_write_u64(w, "log_n", k->log_n);
    measure_times(w, m, result, 0);
}

static cuzk_status fill(kernels_t *k, const kernels_options_t *o, cuzk_error *err)
{
    const char *window = o->window != NULL ? o->window : "per-msm";

    *k = (kernels_t){.bench = o->bench,
                     .log_n = o->log_n.value,
                     .threads = o->threads.given ? o->threads.value : cpu_count_allowed(),
                     .runs = o->runs.given ? o->runs.value : 3,
                     .window_lg = strcmp(window, "fixed") == 0 ? FIXED_WINDOW_LG : 0,
                     .shape = o->shape != NULL ? o->shape : "dense",
                     .cache = o->cache};
    if (o->bench == NULL) return error_set(err, CUZK_ERR_ARG, "--bench: is needed");
    if (!o->log_n.given) return error_set(err, CUZK_ERR_ARG, "--log-n: is needed");
    if (strcmp(window, "fixed") != 0 && strcmp(window, "per-msm") != 0)
        return error_set(err, CUZK_ERR_ARG, "--window: \"%s\" is neither fixed nor per-msm",
                         window);
    if (strcmp(k->shape, "dense") != 0 && strcmp(k->shape, "bits") != 0)
        return error_set(err, CUZK_ERR_ARG, "--shape: \"%s\" is neither dense nor bits", k->shape);
    return CUZK_OK;
}

static cuzk_status measure_bench(const void *options, cuzk_error *err)
{
    const kernels_options_t *o = options;
    kernels_t k;

    cuzk_status st = fill(&k, o, err);
    if (st != CUZK_OK) return st;
    for (size_t i = 0; i < sizeof benches / sizeof benches[0]; i++) {
        if (strcmp(o->bench, benches[i].name) != 0) continue;
        st = pool_open(&k.pool, k.threads, err);
        if (st == CUZK_OK) st = benches[i].run(&k, err);
        pool_close(k.pool);
        return st;
    }
    return error_set(err, CUZK_ERR_ARG, "--bench: \"%s\" is none of msm-g1, msm-g2, ntt, groth16",
                     o->bench);
}

static int run(int argc, char **argv)
{
    kernels_options_t o = {0};

    return command_run(&command_kernels, &o, NULL, measure_bench, argc, argv);
}
