/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "bench/alloc_count.h"
#include "bench/cachegrind.h"
#include "bench/commands.h"
#include "bench/lc_variant.h"
#include "bench/synth.h"

typedef enum { COUNT_PERF, COUNT_NONE, COUNT_CACHEGRIND } count_mode;

typedef struct {
    subject_options_t subject;
    option_u32_t iterations;
    const char *path;
    const char *counters;
    const char *presize;
    const char *lc_storage;
    bool json;
    bool no_digests;
    char **argv; /* as given, for the simulation's own run */
    int argc;
} synth_options_t;

static const option_row_t rows[] = {
    SUBJECT_ROWS(synth_options_t, subject),
    {"--iterations", "N", "measured runs (default 3); 0: only parse and prepare",
     offsetof(synth_options_t, iterations), 0, STATS_MAX_RUNS, OPTION_U32},
    {"--path", "PATH", "stamped (default), generic or pce", offsetof(synth_options_t, path), 0, 0,
     OPTION_TEXT},
    {"--counters", "MODE", "perf (default), cachegrind (simulated) or none",
     offsetof(synth_options_t, counters), 0, 0, OPTION_TEXT},
    {"--presize", "on|off", "generic: make arrays at their size at once (default on)",
     offsetof(synth_options_t, presize), 0, 0, OPTION_TEXT},
    {"--lc-storage", "KIND", "generic: arena (default), vec, inline1, inline2 or inline4",
     offsetof(synth_options_t, lc_storage), 0, 0, OPTION_TEXT},
    {"--no-digests", NULL, "leave out the SHA-256 of what was computed",
     offsetof(synth_options_t, no_digests), 0, 0, OPTION_FLAG},
    {"--json", NULL, "end with a line of JSON", offsetof(synth_options_t, json), 0, 0, OPTION_FLAG},
};

static int run(int argc, char **argv);

const command_t command_synth_only = {
    .name = "synth-only",
    .summary = "measure synthesis: from a parsed proof to witness, densities and a, b, c",
    .rows = rows,
    .n_rows = sizeof rows / sizeof rows[0],
    .notes = "What is measured, and each member of the JSON, is described in docs/benchmarks.md.",
    .run = run,
};

static const char *const path_names[] = {"generic", "stamped", "pce"};
static const char *const counter_names[] = {"perf", "none", "cachegrind"};
static const char *const switch_names[] = {"off", "on"};

#define CHOOSE(choice, name, text, names, err)                                                     \
    choose(choice, name, text, names, sizeof(names) / sizeof(names)[0], err)

/* *choice is kept when there is no text. */
static cuzk_status choose(unsigned *choice, const char *name, const char *text,
                          const char *const *names, size_t n, cuzk_error *err)
{
    char all[128] = "";

    if (text == NULL) return CUZK_OK;
    for (unsigned i = 0; i < n; i++) {
        if (strcmp(text, names[i]) == 0) {
            *choice = i;
            return CUZK_OK;
        }
        const size_t used = strlen(all);
        (void)snprintf(all + used, sizeof all - used, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    return error_set(err, CUZK_ERR_ARG, "%s: \"%s\" is none of %s", name, text, all);
}

typedef struct {
    synth_variant_t variant;
    count_mode count;
    uint32_t iterations;
} plan_t;

static cuzk_status make_plan(plan_t *plan, const synth_options_t *o, cuzk_error *err)
{
    unsigned path = SYNTH_STAMPED, count = COUNT_PERF, presize = 1;

    cuzk_status st = CHOOSE(&path, "--path", o->path, path_names, err);
    if (st == CUZK_OK) st = CHOOSE(&count, "--counters", o->counters, counter_names, err);
    if (st == CUZK_OK) st = CHOOSE(&presize, "--presize", o->presize, switch_names, err);
    if (st != CUZK_OK) return st;
    if (path != SYNTH_GENERIC && (o->presize != NULL || o->lc_storage != NULL))
        return error_set(err, CUZK_ERR_ARG, "%s: is for --path generic alone",
                         o->presize != NULL ? "--presize" : "--lc-storage");
    st = lc_variant_choose(o->lc_storage, o->argv, err);
    if (st != CUZK_OK) return st;
    *plan = (plan_t){.variant = {.path = (synth_path)path, .presize = presize == 1},
                     .count = (count_mode)count,
                     .iterations = o->iterations.given ? o->iterations.value : 3};
    return CUZK_OK;
}

/* What the iterations gave. */
typedef struct {
    measure_t m;
    double witness_s[STATS_MAX_RUNS], abc_s[STATS_MAX_RUNS];
    alloc_count_t allocated; /* by the last one */
    uint64_t peak_rss;
    circuit_counts_t counts;
    uint64_t bits; /* auxiliary variables that are bits */
    synth_digests_t digests;
    counters_t simulated;
} result_t;

static cuzk_status iterate(result_t *r, const synth_t *synth, const plan_t *plan, bool digests,
                           cuzk_error *err)
{
    for (uint32_t i = 0; i < plan->iterations; i++) {
        const alloc_count_t before = alloc_count_now();
        synth_phases_t phases;
        assignment_t x;

        measure_start(&r->m);
        const cuzk_status st = synth_run(&x, &phases, synth, err);
        if (st != CUZK_OK) return st;
        measure_stop(&r->m);
        const alloc_count_t after = alloc_count_now();
        r->allocated = (alloc_count_t){after.calls - before.calls, after.bytes - before.bytes};
        r->witness_s[i] = phases.witness_s;
        r->abc_s[i] = phases.abc_s;
        r->peak_rss = peak_rss_bytes();
        r->counts = x.counts;
        r->bits = x.witness.n_aux - x.witness.n_elements;
        if (digests && i + 1 == plan->iterations) synth_digest(&r->digests, &x);
        assignment_clear(&x);
    }
    return CUZK_OK;
}

/* This command once more, with none of the options that the simulation sets itself. */
static cuzk_status simulate(result_t *r, const synth_options_t *o, cuzk_error *err)
{
    static const char *const own[] = {"--counters", "--iterations"};
    char self[CHILD_PATH_BYTES];
    child_args_t args = {0};

    cuzk_status st = child_self(self, err);
    if (st == CUZK_OK) st = child_add(&args, self, err);
    for (int i = 0; i < o->argc && st == CUZK_OK; i++) {
        bool skip = false;

        for (size_t k = 0; k < sizeof own / sizeof own[0]; k++) {
            const size_t length = strlen(own[k]);

            if (strncmp(o->argv[i], own[k], length) != 0) continue;
            skip = o->argv[i][length] == '\0' || o->argv[i][length] == '=';
            if (o->argv[i][length] == '\0') i++;
            break;
        }
        if (!skip) st = child_add(&args, o->argv[i], err);
    }
    if (st == CUZK_OK && !o->no_digests) st = child_add(&args, "--no-digests", err);
    if (st == CUZK_OK) st = child_add(&args, "--counters=none", err);
    return st == CUZK_OK ? cachegrind_measure(&r->simulated, &args, err) : st;
}

static void write_phases(json_writer_t *w, const result_t *r, const synth_t *synth)
{
    json_write_object(w, "phases");
    json_write_double(w, "parse_s", synth->subject->parse_s);
    json_write_double(w, "shape_s", synth->shape_s);
    json_write_double(w, "witness_s", median(r->witness_s, r->m.n));
    json_write_double(w, "abc_s", median(r->abc_s, r->m.n));
    json_write_end(w);
}

static void write_json(const result_t *r, const synth_t *synth, const plan_t *plan, bool digests)
{
    const double n = (double)r->counts.n_constraints;
    uint8_t all[SHA256_BYTES];
    char result[2 * SHA256_BYTES + 1];
    json_writer_t w;

    sha256(all, &r->digests, sizeof r->digests);
    hex_encode(result, all, sizeof all);
    measure_begin(&w, "synth-only", pool_size(synth->subject->pool));
    subject_write(&w, synth->subject);
    json_write_string(&w, "path", path_names[plan->variant.path]);
    json_write_u64(&w, "iterations", r->m.n);
    json_write_u64(&w, "constraints", r->counts.n_constraints);
    json_write_u64(&w, "aux", r->counts.n_aux);
    json_write_u64(&w, "aux_bits", r->bits);
    json_write_double(&w, "constraints_per_s", n / median(r->m.wall, r->m.n));
    json_write_double(&w, "constraints_per_cpu_s", n / median(r->m.cpu, r->m.n));
    write_phases(&w, r, synth);
    json_write_u64(&w, "bytes_allocated", r->allocated.bytes);
    json_write_u64(&w, "allocations", r->allocated.calls);
    json_write_u64(&w, "peak_rss_bytes", r->peak_rss);
    measure_times(&w, &r->m, digests ? result : "", r->counts.n_constraints);
    if (plan->count == COUNT_CACHEGRIND) {
        json_write_string(&w, "simulated_caches", CACHEGRIND_CACHES);
        counters_write(&w, "simulated", &r->simulated, r->counts.n_constraints);
    }
    if (digests) synth_write_digests(&w, &r->digests);
    measure_end(&w);
}

static void print_text(const result_t *r, const synth_t *synth, const plan_t *plan)
{
    const double n = (double)r->counts.n_constraints;
    const double wall = median(r->m.wall, r->m.n);
    counters_t counters;

    (void)printf("%s, partition %u, path %s, %u threads, %s kernels\n",
                 synth->subject->job.row->label, synth->subject->partition,
                 path_names[plan->variant.path], pool_size(synth->subject->pool),
                 cpu_level_name(cpu_level_used()));
    (void)printf("parse %.3f s, shape %.3f s (both before the clock)\n", synth->subject->parse_s,
                 synth->shape_s);
    (void)printf("%u iterations: median %.4f s, CPU %.4f s", r->m.n, wall,
                 median(r->m.cpu, r->m.n));
    if (plan->variant.path == SYNTH_PCE)
        (void)printf(" (witness %.4f s, a b c %.4f s)", median(r->witness_s, r->m.n),
                     median(r->abc_s, r->m.n));
    (void)printf("\n%.0f constraints: %.2f M/s, %.2f M a CPU second\n", n, n / wall * 1e-6,
                 n / median(r->m.cpu, r->m.n) * 1e-6);
    (void)printf("%llu bytes in %llu allocations an iteration, peak memory %llu bytes\n",
                 (unsigned long long)r->allocated.bytes, (unsigned long long)r->allocated.calls,
                 (unsigned long long)r->peak_rss);
    if (r->m.counters != NULL) {
        counters_read(&counters, r->m.counters, r->m.n);
        counters_print(&counters, r->counts.n_constraints);
    }
    if (plan->count != COUNT_CACHEGRIND) return;
    (void)printf("simulated by cachegrind (" CACHEGRIND_CACHES "), portable kernels:\n");
    counters_print(&r->simulated, r->counts.n_constraints);
}

static cuzk_status measure_subject(const subject_t *subject, const plan_t *plan,
                                   const synth_options_t *o, cuzk_error *err)
{
    static result_t r;
    synth_t synth;

    cuzk_status st = synth_open(&synth, subject, &plan->variant, err);
    if (st != CUZK_OK) return st;
    measure_init(&r.m, plan->count != COUNT_NONE);
    st = iterate(&r, &synth, plan, !o->no_digests, err);
    if (st == CUZK_OK && plan->count == COUNT_CACHEGRIND) st = simulate(&r, o, err);
    if (st == CUZK_OK && r.m.n > 0) {
        if (!o->json) print_text(&r, &synth, plan);
        if (o->json) write_json(&r, &synth, plan, !o->no_digests);
    }
    measure_clear(&r.m);
    synth_close(&synth);
    return st;
}

static cuzk_status measure_synth(const void *options, cuzk_error *err)
{
    const synth_options_t *o = options;
    subject_t subject;
    plan_t plan;

    cuzk_status st = make_plan(&plan, o, err);
    if (st == CUZK_OK) st = subject_open(&subject, &o->subject, err);
    if (st != CUZK_OK) return st;
    st = measure_subject(&subject, &plan, o, err);
    subject_close(&subject);
    return st;
}

static int run(int argc, char **argv)
{
    synth_options_t o = {.argc = argc, .argv = argv};

    return command_run(&command_synth_only, &o, NULL, measure_synth, argc, argv);
}
