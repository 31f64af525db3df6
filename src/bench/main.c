/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* cuzk-bench: what the parts of the prover cost on this machine. */

#include <stdio.h>
#include <string.h>

#include "base/cpu.h"
#include "bench/kernels.h"
#include "cli/options.h"

enum { MAX_LOG_N = 28 };

typedef struct {
    const char *bench;
    const char *shape;
    const char *cache;
    option_u32_t log_n;
    option_u32_t threads;
    option_u32_t runs;
} kernels_options_t;

static const option_row_t kernels_rows[] = {
    {"--bench", "NAME", "msm-g1, msm-g2, ntt or groth16", offsetof(kernels_options_t, bench), 0, 0,
     OPTION_TEXT},
    {"--log-n", "K", "size 2^K, 1 to 28", offsetof(kernels_options_t, log_n), 1, MAX_LOG_N,
     OPTION_U32},
    {"--threads", "T", "worker threads (default: one a CPU)", offsetof(kernels_options_t, threads),
     1, 1024, OPTION_U32},
    {"--runs", "R", "measured runs (default 3)", offsetof(kernels_options_t, runs), 1,
     MEASURE_MAX_RUNS, OPTION_U32},
    {"--shape", "NAME", "groth16: dense (default) or bits", offsetof(kernels_options_t, shape), 0,
     0, OPTION_TEXT},
    {"--cache", "DIR", "groth16: keep the parameters there", offsetof(kernels_options_t, cache), 0,
     0, OPTION_TEXT},
};

static int run_kernels(int argc, char **argv);

static const command_t command_kernels = {
    .name = "kernels",
    .summary = "measure a kernel or a whole proof; prints one line of JSON",
    .rows = kernels_rows,
    .n_rows = sizeof kernels_rows / sizeof kernels_rows[0],
    .notes = "Inputs and what the clock holds are described in docs/benchmarks.md. Times are wall\n"
             "seconds; cpu_s is the median CPU time of all threads.",
    .run = run_kernels,
};

static const command_t *const commands[] = {&command_kernels};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

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

static cuzk_status measure_bench(const kernels_options_t *o, cuzk_error *err)
{
    kernels_t k = {.bench = o->bench,
                   .log_n = o->log_n.value,
                   .threads = o->threads.given ? o->threads.value : cpu_count_allowed(),
                   .runs = o->runs.given ? o->runs.value : 3,
                   .shape = o->shape != NULL ? o->shape : "dense",
                   .cache = o->cache};

    if (o->bench == NULL) return error_set(err, CUZK_ERR_ARG, "--bench: is needed");
    if (!o->log_n.given) return error_set(err, CUZK_ERR_ARG, "--log-n: is needed");
    if (strcmp(k.shape, "dense") != 0 && strcmp(k.shape, "bits") != 0)
        return error_set(err, CUZK_ERR_ARG, "--shape: \"%s\" is neither dense nor bits", k.shape);
    for (size_t i = 0; i < sizeof benches / sizeof benches[0]; i++) {
        if (strcmp(o->bench, benches[i].name) != 0) continue;
        cuzk_status st = pool_open(&k.pool, k.threads, err);

        if (st == CUZK_OK) st = benches[i].run(&k, err);
        pool_close(k.pool);
        return st;
    }
    return error_set(err, CUZK_ERR_ARG, "--bench: \"%s\" is none of msm-g1, msm-g2, ntt, groth16",
                     o->bench);
}

static int run_kernels(int argc, char **argv)
{
    kernels_options_t o = {0};
    cuzk_error err;
    bool help;

    cuzk_status st = options_parse(&command_kernels, &o, NULL, &help, argc, argv, &err);
    if (help) {
        options_print_help("cuzk-bench", &command_kernels);
        return 0;
    }
    if (st == CUZK_OK) st = measure_bench(&o, &err);
    if (st != CUZK_OK) (void)fprintf(stderr, "cuzk-bench kernels: %s\n", err.text);
    return status_exit_code(st);
}

static void print_usage(void)
{
    (void)printf("usage: cuzk-bench COMMAND ...     (cuzk-bench COMMAND --help tells its "
                 "options)\n\n");
    for (int i = 0; i < COMMANDS; i++)
        (void)printf("  %-12s %s\n", commands[i]->name, commands[i]->summary);
}

int main(int argc, char **argv)
{
    const char *text;

    if (argc >= 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        print_usage();
        return 0;
    }
    if (argc >= 2 && strcmp(argv[1], "--version") == 0) {
        (void)printf("cuzk-bench %s (kernels: %s)\n", CUZK_VERSION,
                     cpu_level_name(cpu_level_used()));
        return 0;
    }
    if (!cpu_level_check(&text)) {
        (void)fprintf(stderr, "cuzk-bench: %s\n", text);
        return 2;
    }
    for (int i = 0; argc >= 2 && i < COMMANDS; i++)
        if (strcmp(argv[1], commands[i]->name) == 0) return commands[i]->run(argc - 1, argv + 1);
    (void)fprintf(stderr, "cuzk-bench: %s%s%s (see cuzk-bench --help)\n", argc >= 2 ? "\"" : "",
                  argc >= 2 ? argv[1] : "a command is needed", argc >= 2 ? "\" is no command" : "");
    return 2;
}
