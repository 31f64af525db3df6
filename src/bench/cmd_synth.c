/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <string.h>

#include "bench/cachegrind.h"
#include "bench/commands.h"
#include "bench/lc_variant.h"
#include "bench/synth_runs.h"

typedef struct {
    subject_options_t subject;
    option_u32_t iterations;
    option_u32_t warm_up;
    option_choice_t path;
    option_choice_t work;
    option_choice_t counters;
    option_choice_t presize;
    option_choice_t memory;
    const char *lc_storage;
    bool json;
    bool no_digests;
    bool no_phases;
    char **argv; /* as given, for the simulation's own run */
    int argc;
} synth_options_t;

static const option_row_t rows[] = {
    SUBJECT_ROWS(synth_options_t, subject),
    {"--iterations", "N", "measured runs (default 3)", offsetof(synth_options_t, iterations), 0,
     STATS_MAX_RUNS, OPTION_U32},
    {"--warm-up", "N", "runs before those, outside the clock (default 1)",
     offsetof(synth_options_t, warm_up), 0, STATS_MAX_RUNS, OPTION_U32},
    {"--path", "stamped|generic|pce", "how (default stamped)", offsetof(synth_options_t, path), 0,
     0, OPTION_CHOICE},
    {"--work", "all|parse|witness|abc|densities", "what the clock holds (default all)",
     offsetof(synth_options_t, work), 0, 0, OPTION_CHOICE},
    {"--counters", "perf|none|cachegrind", "perf's (default), none, or simulated ones, too",
     offsetof(synth_options_t, counters), 0, 0, OPTION_CHOICE},
    {"--presize", "on|off", "generic: reserve arrays at their final size (default on)",
     offsetof(synth_options_t, presize), 0, 0, OPTION_CHOICE},
    {"--memory", "reused|fresh", "a, b, c, but for generic: the same in all runs (default), or new",
     offsetof(synth_options_t, memory), 0, 0, OPTION_CHOICE},
    {"--lc-storage", "KIND", "generic: arena (default), vec, inline1, inline2 or inline4",
     offsetof(synth_options_t, lc_storage), 0, 0, OPTION_TEXT},
    {"--no-digests", NULL, "leave out the SHA-256 of what was computed",
     offsetof(synth_options_t, no_digests), 0, 0, OPTION_FLAG},
    {"--no-phases", NULL, "leave out the runs that tell phases apart",
     offsetof(synth_options_t, no_phases), 0, 0, OPTION_FLAG},
    {"--json", NULL, "end with a line of JSON", offsetof(synth_options_t, json), 0, 0, OPTION_FLAG},
};

static int run(int argc, char **argv);

const options_command_t command_synth_only = {
    .name = "synth-only",
    .summary = "measure synthesis: from a parsed proof to witness, densities and a, b, c",
    .rows = rows,
    .n_rows = sizeof rows / sizeof rows[0],
    .notes = "What is measured, and each member of the JSON, is described in docs/benchmarks.md.",
    .run = run,
};

static cuzk_status make_plan(synth_plan_t *plan, const synth_options_t *o, cuzk_error *err)
{
    /* in the order of the options' words */
    static const synth_path paths[] = {SYNTH_STAMPED, SYNTH_GENERIC, SYNTH_PCE};
    static const synth_work works[] = {WORK_ALL, WORK_PARSE, WORK_WITNESS, WORK_ABC,
                                       WORK_DENSITIES};
    static const count_mode counts[] = {COUNT_PERF, COUNT_NONE, COUNT_CACHEGRIND};
    const bool is_generic = paths[o->path.value] == SYNTH_GENERIC;

    *plan = (synth_plan_t){.variant = {.path = paths[o->path.value],
                                       .presize = o->presize.value == 0,
                                       .reuse = o->memory.value == 0},
                           .work = works[o->work.value],
                           .count = counts[o->counters.value],
                           .warm_up = o->warm_up.given ? o->warm_up.value : 1,
                           .iterations = o->iterations.given ? o->iterations.value : 3,
                           .digests = !o->no_digests};
    plan->phases = plan->work == WORK_ALL && !o->no_phases;
    if (!is_generic && (o->presize.given || o->lc_storage != NULL))
        return error_set(err, CUZK_ERR_ARG, "%s: is for --path generic alone",
                         o->presize.given ? "--presize" : "--lc-storage");
    if (is_generic && o->memory.given)
        return error_set(err, CUZK_ERR_ARG, "--memory: is not for --path generic");
    if (is_generic && plan->work == WORK_DENSITIES)
        return error_set(err, CUZK_ERR_ARG,
                         "--work densities: is not for --path generic, which "
                         "gathers them from its constraints");
    return lc_variant_choose(o->lc_storage, o->argv, err);
}

/* Whether a word of the command is one of the options that the simulation sets itself; *i is left
 * at its argument. */
static bool skip_own(int *i, char *const *argv)
{
    static const char *const own[] = {"--counters", "--iterations", "--warm-up", "--work"};

    for (size_t k = 0; k < sizeof own / sizeof own[0]; k++) {
        if (!option_is(argv[*i], own[k])) continue;
        if (strchr(argv[*i], '=') == NULL) (*i)++;
        return true;
    }
    return false;
}

/* This command for the simulation; self is where its first word goes. */
static cuzk_status make_child(child_args_t *child, char self[CHILD_PATH_BYTES],
                              const synth_options_t *o, cuzk_error *err)
{
    static const char *const more[] = {"--counters=none", "--warm-up=0", "--no-digests",
                                       "--no-phases"};

    cuzk_status st = child_self(self, err);
    if (st == CUZK_OK) st = child_add(child, self, err);
    for (int i = 0; i < o->argc && st == CUZK_OK; i++)
        if (!skip_own(&i, o->argv)) st = child_add(child, o->argv[i], err);
    for (size_t i = 0; i < sizeof more / sizeof more[0] && st == CUZK_OK; i++)
        st = child_add(child, more[i], err);
    return st;
}

static cuzk_status measure_subject(const subject_t *subject, const synth_plan_t *plan, bool json,
                                   cuzk_error *err)
{
    static synth_result_t r;
    synth_t synth;

    cuzk_status st = synth_open(&synth, subject, &plan->variant, err);
    if (st != CUZK_OK) return st;
    st = synth_measure(&r, &synth, plan, err);
    if (st == CUZK_OK && json) synth_report_json(&r, &synth, plan);
    if (st == CUZK_OK && !json) synth_report_text(&r, &synth, plan);
    synth_close(&synth);
    return st;
}

static cuzk_status measure_synth(const void *options, cuzk_error *err)
{
    const synth_options_t *o = options;
    char self[CHILD_PATH_BYTES];
    subject_t subject;
    synth_plan_t plan;

    cuzk_status st = make_plan(&plan, o, err);
    if (st == CUZK_OK && plan.count == COUNT_CACHEGRIND) st = cachegrind_check(err);
    if (st == CUZK_OK && plan.count == COUNT_CACHEGRIND) st = make_child(&plan.child, self, o, err);
    if (st == CUZK_OK) st = subject_open(&subject, &o->subject, INPUTS_FORM, err);
    if (st != CUZK_OK) return st;
    st = measure_subject(&subject, &plan, o->json, err);
    subject_close(&subject);
    return st;
}

static int run(int argc, char **argv)
{
    synth_options_t o = {.argc = argc, .argv = argv};

    return command_run(&command_synth_only, &o, NULL, measure_synth, argc, argv);
}
