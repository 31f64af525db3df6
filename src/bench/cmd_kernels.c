/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/cpu.h"
#include "bench/commands.h"
#include "bench/kernels.h"
#include "cli/interrupt.h"
#include "cli/select.h"

enum { MAX_LOG_N = 28, FIXED_WINDOW_LG = 22 };

typedef struct {
    option_choice_t bench;
    option_choice_t shape;
    const char *cache;
    option_choice_t window;
    option_u32_t log_n;
    option_u32_t threads;
    option_u32_t runs;
} kernels_options_t;

static const option_row_t rows[] = {
    {"--bench", "msm-g1|msm-g2|ntt|groth16", "what to measure", offsetof(kernels_options_t, bench),
     0, 0, OPTION_CHOICE},
    {"--log-n", "K", "size 2^K, 1 to 28", offsetof(kernels_options_t, log_n), 1, MAX_LOG_N,
     OPTION_U32},
    {"--threads", "T", "worker threads (default: one for each CPU)",
     offsetof(kernels_options_t, threads), 1, 1024, OPTION_U32},
    {"--runs", "R", "measured runs (default 3)", offsetof(kernels_options_t, runs), 1,
     STATS_MAX_RUNS, OPTION_U32},
    {"--window", "per-msm|fixed", "msm: its own (default), or the one for 2^22 terms",
     offsetof(kernels_options_t, window), 0, 0, OPTION_CHOICE},
    {"--shape", "dense|bits", "groth16: of the circuit (default dense)",
     offsetof(kernels_options_t, shape), 0, 0, OPTION_CHOICE},
    {"--cache", "DIR", "groth16: keep the parameters there", offsetof(kernels_options_t, cache), 0,
     0, OPTION_TEXT},
};

static int run(int argc, char **argv);

const options_command_t command_kernels = {
    .name = "kernels",
    .summary = "measure a kernel or a whole proof; prints one line of JSON",
    .rows = rows,
    .n_rows = sizeof rows / sizeof rows[0],
    .notes = "Inputs and what the clock holds are described in docs/benchmarks.md. Times are wall\n"
             "seconds; cpu_s is the median CPU time of all threads.",
    .run = run,
};

/* In the order of --bench. */
static const struct {
    const char *name;
    cuzk_status (*run)(const kernels_t *k, cuzk_error *err);
} benches[] = {
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

static cuzk_status refuse_for(bool given, const char *option, const char *bench, cuzk_error *err)
{
    return given ? error_set(err, CUZK_ERR_ARG, "%s: is not for %s", option, bench) : CUZK_OK;
}

static cuzk_status check_options(const kernels_options_t *o, cuzk_error *err)
{
    cuzk_status st = require_option(o->bench.given, "--bench", err);

    if (st == CUZK_OK) st = require_option(o->log_n.given, "--log-n", err);
    if (st != CUZK_OK) return st;
    const char *bench = benches[o->bench.value].name;
    const bool is_groth16 = benches[o->bench.value].run == kernels_groth16;
    if (is_groth16 || benches[o->bench.value].run == kernels_ntt)
        st = refuse_for(o->window.given, "--window", bench, err);
    if (st == CUZK_OK && !is_groth16) st = refuse_for(o->shape.given, "--shape", bench, err);
    if (st == CUZK_OK && !is_groth16) st = refuse_for(o->cache != NULL, "--cache", bench, err);
    return st;
}

static cuzk_status measure_bench(const void *options, cuzk_error *err)
{
    const kernels_options_t *o = options;

    cuzk_status st = check_options(o, err);
    if (st != CUZK_OK) return st;
    kernels_t k = {.bench = benches[o->bench.value].name,
                   .log_n = o->log_n.value,
                   .threads = o->threads.given ? o->threads.value : cpu_count_allowed(),
                   .runs = o->runs.given ? o->runs.value : 3,
                   .window_lg = o->window.value == 1 ? FIXED_WINDOW_LG : 0,
                   .bits = o->shape.value == 1,
                   .cache = o->cache};
    st = strand_open(&k.strand, k.threads, err);
    if (st != CUZK_OK) return st;
    strand_watch(k.strand, interrupt_token());
    st = benches[o->bench.value].run(&k, err);
    strand_close(k.strand);
    return st;
}

static int run(int argc, char **argv)
{
    kernels_options_t o = {0};

    return command_run(&command_kernels, &o, NULL, measure_bench, argc, argv);
}
