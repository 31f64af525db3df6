/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* single and batch: proofs by a daemon, with their times. */

#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/memory.h"
#include "bench/commands.h"
#include "bench/client_options.h"
#include "bench/measure.h"
#include "bench/remote_runs.h"

typedef struct {
    client_options_t daemon;
    remote_subject_options_t subject;
    option_u32_t timeout_s;
    const char *request_id;
    const char *out;
    option_u32_t count;
    option_u32_t concurrency;
    bool json;
} remote_bench_t;

#define COMMON_ROWS                                                                                \
    REMOTE_SUBJECT_ROWS(remote_bench_t, subject), DAEMON_ROWS(remote_bench_t, daemon),             \
        {"--timeout",                                                                              \
         "SECONDS",                                                                                \
         "of each call (default: none)",                                                           \
         offsetof(remote_bench_t, timeout_s),                                                      \
         1,                                                                                        \
         1 << 20,                                                                                  \
         OPTION_U32},                                                                              \
    {                                                                                              \
        "--json", NULL, "one line of JSON", offsetof(remote_bench_t, json), 0, 0, OPTION_FLAG      \
    }

static const option_row_t single_rows[] = {
    COMMON_ROWS,
    {"-o", "FILE", "where the proof goes, - for stdout", offsetof(remote_bench_t, out), 0, 0,
     OPTION_TEXT},
    {"--request-id", "ID", "of the request (default: a new one)",
     offsetof(remote_bench_t, request_id), 0, 0, OPTION_TEXT},
};

static const option_row_t batch_rows[] = {
    COMMON_ROWS,
    {"--count", "N", "proofs in all (default 3)", offsetof(remote_bench_t, count), 1,
     REMOTE_MAX_RUNS, OPTION_U32},
    {"-c", "N", "likewise", offsetof(remote_bench_t, count), 1, REMOTE_MAX_RUNS, OPTION_U32},
    {"--concurrency", "N", "calls at once (default 1)", offsetof(remote_bench_t, concurrency), 1,
     REMOTE_MAX_CLIENTS, OPTION_U32},
    {"-j", "N", "likewise", offsetof(remote_bench_t, concurrency), 1, REMOTE_MAX_CLIENTS,
     OPTION_U32},
};

static int run_single(int argc, char **argv);
static int run_batch(int argc, char **argv);

const options_command_t command_single = {
    .name = "single",
    .summary = "have a daemon prove something once; prints times",
    .rows = single_rows,
    .n_rows = sizeof single_rows / sizeof *single_rows,
    .notes = REMOTE_SUBJECT_NOTES,
    .run = run_single,
};

const options_command_t command_batch = {
    .name = "batch",
    .summary = "have a daemon prove the same several times; prints average, min, max, proofs/min",
    .rows = batch_rows,
    .n_rows = sizeof batch_rows / sizeof *batch_rows,
    .notes = REMOTE_SUBJECT_NOTES "\nEach proof is a job of its own, with a new request id.",
    .run = run_batch,
};

static double s_of(uint64_t ms)
{
    return (double)ms * 1e-3;
}

static void print_run(FILE *out, const remote_run_t *run)
{
    const remote_answer_t *a = &run->answer;

    (void)fprintf(out,
                  "%s: %.3f s (queue %.3f, parameters %.3f, synthesis %.3f, proving %.3f; in all "
                  "%.3f by the daemon's clock), %zu bytes\n",
                  a->job_id, run->round_trip_s, s_of(a->queue_wait_ms), s_of(a->srs_load_ms),
                  s_of(a->synthesis_ms), s_of(a->proving_ms), s_of(a->total_ms), a->length);
}

static void write_run(json_writer_t *w, const remote_run_t *run)
{
    const remote_answer_t *a = &run->answer;

    json_write_object(w, NULL);
    json_write_string(w, "job_id", a->job_id);
    json_write_double(w, "round_trip_s", run->round_trip_s);
    json_write_double(w, "queue_s", s_of(a->queue_wait_ms));
    json_write_double(w, "load_s", s_of(a->srs_load_ms));
    json_write_double(w, "synthesis_s", s_of(a->synthesis_ms));
    json_write_double(w, "proving_s", s_of(a->proving_ms));
    json_write_double(w, "total_s", s_of(a->total_ms));
    json_write_u64(w, "proof_bytes", a->length);
    json_write_end(w);
}

typedef struct {
    double average_s, min_s, max_s, per_minute;
} runs_summary_t;

static runs_summary_t summarize(const remote_run_t *runs, uint32_t n, double wall_s)
{
    runs_summary_t s = {.min_s = runs[0].round_trip_s, .max_s = runs[0].round_trip_s};

    for (uint32_t i = 0; i < n; i++) {
        const double t = runs[i].round_trip_s;

        s.average_s += t / n;
        if (t < s.min_s) s.min_s = t;
        if (t > s.max_s) s.max_s = t;
    }
    s.per_minute = wall_s > 0 ? 60.0 * n / wall_s : 0;
    return s;
}

static void report_json(FILE *out, const char *bench, const remote_subject_t *subject,
                        const remote_run_t *runs, const remote_runs_t *o, double wall_s)
{
    const runs_summary_t s = summarize(runs, o->n_runs, wall_s);
    json_writer_t w;

    measure_begin(&w, bench, 0);
    json_write_string(&w, "circuit", subject->circuit);
    json_write_u64(&w, "count", o->n_runs);
    json_write_u64(&w, "concurrency", o->n_clients);
    json_write_double(&w, "average_s", s.average_s);
    json_write_double(&w, "min_s", s.min_s);
    json_write_double(&w, "max_s", s.max_s);
    json_write_double(&w, "proofs_per_minute", s.per_minute);
    json_write_array(&w, "runs");
    for (uint32_t i = 0; i < o->n_runs; i++) write_run(&w, &runs[i]);
    json_write_end(&w);
    json_write_end(&w);
    (void)fprintf(out, "%s\n", json_writer_text(&w));
    json_writer_clear(&w);
}

static void report(const remote_bench_t *o, const char *bench, const remote_subject_t *subject,
                   const remote_run_t *runs, const remote_runs_t *of, double wall_s)
{
    FILE *out = o->out != NULL && file_is_stream(o->out) ? stderr : stdout;

    if (o->json) {
        report_json(out, bench, subject, runs, of, wall_s);
        return;
    }
    (void)fprintf(out, "circuit %s\n", subject->circuit);
    for (uint32_t i = 0; i < of->n_runs; i++) print_run(out, &runs[i]);
    if (of->n_runs == 1) return;
    const runs_summary_t s = summarize(runs, of->n_runs, wall_s);
    (void)fprintf(out, "average %.3f s, min %.3f s, max %.3f s, %.2f proofs/min (%u at once)\n",
                  s.average_s, s.min_s, s.max_s, s.per_minute, of->n_clients);
}

static cuzk_status run_all(const remote_bench_t *o, const char *bench, remote_runs_t *of,
                           cuzk_error *err)
{
    remote_run_t *runs = mem_alloc(of->n_runs, sizeof *runs, "runs", err);
    double wall_s;

    if (runs == NULL) return err->status;
    cuzk_status st = remote_runs(runs, &wall_s, of, err);
    if (st == CUZK_OK && o->out != NULL)
        st = file_write(o->out, runs[0].answer.proof, runs[0].answer.length, true, err);
    if (st == CUZK_OK) report(o, bench, of->subject, runs, of, wall_s);
    remote_runs_clear(runs, of->n_runs);
    free(runs);
    return st;
}

static cuzk_status bench(const remote_bench_t *o, const char *name, uint32_t count, cuzk_error *err)
{
    remote_runs_t of = {.request_id = o->request_id,
                        .timeout_ms = (uint64_t)o->timeout_s.value * 1000,
                        .n_runs = count,
                        .n_clients = o->concurrency.given ? o->concurrency.value : 1,
                        .shows_progress = client_options_progress(&o->daemon),
                        .tells_calls = client_options_calls(&o->daemon)};
    remote_subject_t subject;

    if (o->out != NULL && file_probe(o->out, true, err) != CUZK_OK) return error_within(err, "-o");
    cuzk_status st = remote_subject_open(&subject, &o->subject, err);
    if (st != CUZK_OK) return st;
    of.subject = &subject;
    st = client_options_open(&of.client, &o->daemon, err);
    if (st == CUZK_OK) {
        st = run_all(o, name, &of, err);
        rpc_client_close(of.client);
    }
    remote_subject_close(&subject);
    return st;
}

static cuzk_status bench_single(const void *options, cuzk_error *err)
{
    return bench(options, "single", 1, err);
}

static cuzk_status bench_batch(const void *options, cuzk_error *err)
{
    const remote_bench_t *o = options;

    return bench(o, "batch", o->count.given ? o->count.value : 3, err);
}

static int run_single(int argc, char **argv)
{
    remote_bench_t o = {0};

    return command_run(&command_single, &o, NULL, bench_single, argc, argv);
}

static int run_batch(int argc, char **argv)
{
    remote_bench_t o = {0};

    return command_run(&command_batch, &o, NULL, bench_batch, argc, argv);
}
