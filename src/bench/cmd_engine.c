/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdlib.h>

#include "bench/commands.h"
#include "bench/engine_scenarios.h"
#include "bench/measure.h"

typedef struct {
    option_choice_t scenario;
    const char *params;
    option_choice_t bulk;
    option_u32_t threads;
    option_u32_t runs;
    bool json;
} engine_options_t;

static const option_row_t rows[] = {
    {"--scenario", "priority|pipeline|cancel|budget|scale", "what to measure",
     offsetof(engine_options_t, scenario), 0, 0, OPTION_CHOICE},
    {"--params", "DIR", "parameter folder (else $FIL_PROOFS_PARAMETER_CACHE or the default)",
     offsetof(engine_options_t, params), 0, 0, OPTION_TEXT},
    {"--bulk", "porep|update|winning|window", "the case that stands for bulk work",
     offsetof(engine_options_t, bulk), 0, 0, OPTION_CHOICE},
    {"--threads", "N", "threads that compute at once (default: one for each CPU)",
     offsetof(engine_options_t, threads), 1, 1024, OPTION_U32},
    {"--runs", "N", "runs of what is measured more than once (default 1)",
     offsetof(engine_options_t, runs), 1, 32, OPTION_U32},
    {"--json", NULL, "accepted: the line of JSON is always printed",
     offsetof(engine_options_t, json), 0, 0, OPTION_FLAG},
};

static int run(int argc, char **argv);

const options_command_t command_engine = {
    .name = "engine",
    .summary = "measure an engine under several jobs; prints one line of JSON",
    .rows = rows,
    .n_rows = sizeof rows / sizeof rows[0],
    .notes =
        "The inputs are within the program: one of each kind, of 2 KiB sectors. Their parameters\n"
        "are made by `cuzk setup KIND --sector-size 2KiB`.\n\n"
        "  priority  a WinningPoSt alone, and beside bulk work that was there before\n"
        "  pipeline  four jobs one after the other, and overlapped\n"
        "  cancel    how long a job takes to stop in each of its stages\n"
        "  budget    what is reserved for a proof of each kind, and what is allocated\n"
        "  scale     CPU time with 64 threads against one, and how busy 16, 64 and 96 cores\n"
        "            would be, by scheduling the recorded tasks again",
    .run = run,
};

static cuzk_status measure_engine(const void *options, cuzk_error *err)
{
    static const struct {
        const char *name;
        scenario_fn run;
    } scenarios[] = {{"priority", scenario_priority},
                     {"pipeline", scenario_pipeline},
                     {"cancel", scenario_cancel},
                     {"budget", scenario_budget},
                     {"scale", scenario_scale}};
    const engine_options_t *o = options;
    const scenario_options_t scenario = {.params = o->params,
                                         .threads = o->threads.value,
                                         .runs = o->runs.given ? o->runs.value : 1,
                                         .bulk = (int)o->bulk.value};
    json_writer_t w;

    if (!o->scenario.given) return error_set(err, CUZK_ERR_ARG, "--scenario: is needed");
    measure_begin(&w, "engine", o->threads.value);
    json_write_string(&w, "scenario", scenarios[o->scenario.value].name);
    json_write_u64(&w, "runs", scenario.runs);
    const cuzk_status st = scenarios[o->scenario.value].run(&w, &scenario, err);
    if (st == CUZK_OK)
        measure_end(&w);
    else
        json_writer_clear(&w);
    return st;
}

static int run(int argc, char **argv)
{
    engine_options_t o = {0};

    return command_run(&command_engine, &o, NULL, measure_engine, argc, argv);
}
