/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "cli/bad_sectors.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/remote_options.h"
#include "cli/shown.h"
#include "codec/json_write.h"
#ifdef CUZK_DAEMON
#include "cli/prove_remote.h"
#endif

typedef struct {
    input_options_t input;
    const char *params;
    const char *out;
    option_u32_t partition;
    option_u32_t threads;
    option_u64_t memory_budget;
    bool hex;
    bool json;
    bool quiet;
    bool estimate;
    bool skip_bad;
    remote_options_t daemon;
} prove_options_t;

static const option_row_t rows[] = {
    INPUT_ROWS(prove_options_t, input),
    PARAMS_ROW(prove_options_t, params),
    {"-o", "FILE", "where the proof goes, - for stdout", offsetof(prove_options_t, out), 0, 0,
     OPTION_TEXT},
    {"--hex", NULL, "as a line of hex, not raw bytes", offsetof(prove_options_t, hex), 0, 0,
     OPTION_FLAG},
    {"--json", NULL, "times, memory, bad sectors as one JSON object (on stderr with -o -)",
     offsetof(prove_options_t, json), 0, 0, OPTION_FLAG},
    QUIET_ROW(prove_options_t, quiet),
    THREADS_ROW(prove_options_t, threads),
    {"--partition", "N", "this one alone, from 0 on: 192 bytes (default: all)",
     offsetof(prove_options_t, partition), 0, UINT32_MAX - 1, OPTION_U32},
    {"--memory-budget", "SIZE", "for all it takes, such as 16GiB (default: what is available)",
     offsetof(prove_options_t, memory_budget), 0, 0, OPTION_SIZE},
    {"--estimate", NULL, "print what a partition takes, and prove nothing",
     offsetof(prove_options_t, estimate), 0, 0, OPTION_FLAG},
    {"--skip-bad", NULL, "window: leave out bad sectors, name them, prove the rest",
     offsetof(prove_options_t, skip_bad), 0, 0, OPTION_FLAG},
#ifdef CUZK_DAEMON
    {"--daemon", "ADDRESS", "prove by this daemon: unix:///PATH, HOST:PORT, https://HOST:PORT",
     offsetof(prove_options_t, daemon.address), 0, 0, OPTION_TEXT},
    REMOTE_ROWS("--daemon-", prove_options_t, daemon),
#endif
};

static int run(int argc, char **argv);

const options_command_t command_prove = {
    .name = "prove",
    .summary = "prove a PoRep, a sector update, a WinningPoSt or a WindowPoSt",
    .arguments = "KIND",
    .n_arguments = 1,
    .words = KIND_WORDS,
    .rows = rows,
    .n_rows = sizeof rows / sizeof rows[0],
    .notes =
        "  prove porep   --c1 FILE --miner-id N --sector-number N -o FILE\n"
        "  prove update  --sector-size SIZE --vanilla FILE --comm-r-old C --comm-r-new C\n"
        "                --comm-d-new C -o FILE\n"
        "  prove winning --sector-size SIZE --vanilla FILE --miner-id N --randomness HEX -o FILE\n"
        "  prove window  (as winning; one or more sectors, numbers rising)\n\n"
        "Writes 192 bytes for each partition. The input is checked whole before parameters are\n"
        "opened, and every proof is verified before it is written. SIGINT, SIGTERM and SIGHUP "
        "stop\n"
        "it without a trace. FILE is a regular file; other names it may have: /dev/null, and\n"
        "streams that are open already (-, /dev/stdout, /dev/fd/N).\n\n"
        "A window with bad sectors is refused with all of them and their reasons, with --json\n"
        "also as a list, bad_sectors. With --skip-bad the rest is proved and the exit code is 0;\n"
        "by the older rules (V1) that wants vanilla proofs made without the bad ones."
#ifdef CUZK_DAEMON
        "\n\n"
        "With --daemon the input is read here, and proved there; the proof is verified here when\n"
        "the folder of parameters has the circuit's .vk. A signal cancels the job. Asked for the\n"
        "same again, the daemon gives the proof it has."
#endif
    ,
    .run = run,
};

/* ---- estimates --------------------------------------------------------------------------------
 */

static void print_estimate_json(const cuzk_estimate *e)
{
    json_writer_t w;

    json_writer_init(&w, JSON_ONE_LINE);
    json_write_object(&w, NULL);
    json_write_string(&w, "circuit", e->circuit);
    json_write_string(&w, "params_file", e->params_file);
    json_write_u64(&w, "n_partitions", e->n_partitions);
    json_write_u64(&w, "n_constraints", e->n_constraints);
    json_write_u64(&w, "synthesis_bytes", e->synthesis_bytes);
    json_write_u64(&w, "h_bytes", e->h_bytes);
    json_write_u64(&w, "msm_bytes", e->msm_bytes);
    json_write_u64(&w, "peak_bytes", e->peak_bytes);
    json_write_u64(&w, "point_additions", e->point_additions);
    json_write_end(&w);
    (void)puts(json_writer_text(&w));
    json_writer_clear(&w);
}

static void print_estimate(const cuzk_estimate *e)
{
    (void)printf("circuit          %s, %u partitions of %llu constraints\n", e->circuit,
                 e->n_partitions, (unsigned long long)e->n_constraints);
    (void)printf("parameters       %s\n", shown(e->params_file));
    (void)printf("bytes            %llu for a partition: synthesis %llu, h %llu, msm %llu\n",
                 (unsigned long long)e->peak_bytes, (unsigned long long)e->synthesis_bytes,
                 (unsigned long long)e->h_bytes, (unsigned long long)e->msm_bytes);
    (void)printf("point additions  %llu\n", (unsigned long long)e->point_additions);
}

static cuzk_status estimate(const input_request_t *in, cuzk_engine *engine, bool json,
                            cuzk_error *err)
{
    cuzk_estimate e = {.struct_size = sizeof e};
    const cuzk_status st = cuzk_estimate_request(engine, &in->request, &e, err);

    if (st == CUZK_OK && json) print_estimate_json(&e);
    if (st == CUZK_OK && !json) print_estimate(&e);
    return st;
}

/* ---- proofs -----------------------------------------------------------------------------------
 */

enum { SLICE_MS = 100, INTERACTIVE_PARTITIONS = 10 /* a PoRep of more is non-interactive */ };

static void print_times(FILE *out, cuzk_kind kind, const cuzk_result *result)
{
    const cuzk_timings *t = &result->timings;
    json_writer_t w;

    json_writer_init(&w, JSON_ONE_LINE);
    json_write_object(&w, NULL);
    json_write_double(&w, "queue_s", t->queue_s);
    json_write_double(&w, "parse_s", t->parse_s);
    json_write_double(&w, "check_s", t->check_s);
    json_write_double(&w, "plan_s", t->plan_s);
    json_write_double(&w, "load_s", t->load_s);
    json_write_double(&w, "synthesis_s", t->synthesis_s);
    json_write_double(&w, "h_s", t->h_s);
    json_write_double(&w, "msm_s", t->msm_s);
    json_write_double(&w, "io_wait_s", t->io_wait_s);
    json_write_double(&w, "verify_s", t->verify_s);
    json_write_double(&w, "total_s", t->total_s);
    json_write_u64(&w, "peak_rss_bytes", process_peak_rss_bytes());
    if (kind == CUZK_WINDOW_POST) bad_sectors_write(&w, result);
    json_write_end(&w);
    (void)fprintf(out, "%s\n", json_writer_text(&w));
    json_writer_clear(&w);
}

/* What is said of a job while it is waited for. */
typedef struct {
    progress_t line;
    job_progress_t job;
    bool has_noted;
} report_t;

static void note_partitions(report_t *report, cuzk_kind kind, uint32_t n_partitions)
{
    if (report->has_noted || kind != CUZK_POREP || n_partitions <= INTERACTIVE_PARTITIONS) return;
    report->has_noted = true;
    progress_end(&report->line);
    (void)fprintf(stderr,
                  "cuzk prove: non-interactive: %u proofs, concatenated and not aggregated\n",
                  n_partitions);
}

static void say_progress(report_t *report, const cuzk_request *request, const cuzk_progress *now)
{
    note_partitions(report, request->kind, now->n_partitions);
    progress_job(&report->job, now,
                 request->partition == CUZK_ALL_PARTITIONS ? 0 : request->partition);
}

/* Waits for a job, telling where it stands. */
static cuzk_status follow(cuzk_result *result, cuzk_engine *engine, const cuzk_request *request,
                          cuzk_job job, bool is_quiet, cuzk_error *err)
{
    report_t report = {.job = {.line = &report.line}};
    cuzk_progress now = {.struct_size = sizeof now};
    cuzk_status st;

    progress_init(&report.line, !is_quiet);
    while ((st = cuzk_wait(engine, job, SLICE_MS, result, err)) == CUZK_ERR_BUSY) {
        if (cuzk_poll(engine, job, &now, NULL) != CUZK_OK) break;
        say_progress(&report, request, &now);
    }
    if (st == CUZK_OK)
        note_partitions(&report, request->kind, (uint32_t)(result->length / CUZK_PROOF_BYTES));
    progress_end(&report.line);
    return st;
}

static void stop_engine(void *engine)
{
    cuzk_engine_stop(engine);
}

/* Between the look at the file and the proof in its place signals end the work, not the program. */
static cuzk_status prove(cuzk_result *result, const prove_options_t *o, const cuzk_request *request,
                         cuzk_engine *engine, cuzk_error *err)
{
    const bool is_stream = file_is_stream(o->out);
    cuzk_job job;

    interrupt_begin(stop_engine, engine);
    cuzk_status st = output_check(o->out, err);
    if (st == CUZK_OK) st = cuzk_submit(engine, request, &job, err);
    if (st == CUZK_OK) st = follow(result, engine, request, job, o->quiet || o->json, err);
    if (st == CUZK_OK) st = cancel_status(interrupt_token(), err); /* it was done at that moment */
    if (is_stream) interrupt_end(); /* who reads it may keep us waiting, or be gone */
    if (st == CUZK_OK) st = output_write(o->out, o->hex, result->proofs, result->length, err);
    interrupt_end();
    return st;
}

/* Also when there is no proof: an operator's script reads there which sectors to skip. */
static void report(const prove_options_t *o, const cuzk_request *request, const cuzk_result *result,
                   cuzk_status st)
{
    FILE *out = file_is_stream(o->out) ? stderr : stdout;

    if (st == CUZK_OK && result->n_bad_sectors > 0) bad_sectors_tell(result, request, true);
    if (st == CUZK_OK && o->json) print_times(out, request->kind, result);
    if (st != CUZK_OK && o->json && result->n_bad_sectors > 0) bad_sectors_print(out, result);
}

/* read_s: seconds that reading the files took. */
static cuzk_status prove_and_report(const prove_options_t *o, const cuzk_request *request,
                                    cuzk_engine *engine, double read_s, cuzk_result *result,
                                    cuzk_error *err)
{
    const cuzk_status st = prove(result, o, request, engine, err);

    result->timings.parse_s += read_s;
    result->timings.total_s += read_s;
    report(o, request, result, st);
    return st;
}

/* The exit code. When there is no proof the last line says why; bad sectors that are not all of the
 * reason have a line before it. */
static int end(cuzk_status st, const cuzk_request *request, const cuzk_result *result,
               const cuzk_error *err)
{
    const size_t n = result->n_bad_sectors;
    const bool are_left_out = request->skip_bad && n < request->n_inputs;

    if (st == CUZK_OK || n == 0) return finish("prove", st, err);
    if (n > 1 || are_left_out) bad_sectors_tell(result, request, are_left_out);
    if (n > 1 && !are_left_out) return status_exit_code(st);
    return finish("prove", st, err);
}

#ifdef CUZK_DAEMON
static cuzk_status prove_elsewhere(const prove_options_t *o, const cuzk_request *request,
                                   cuzk_engine *engine, cuzk_error *err)
{
    const prove_remote_t remote = {.daemon = &o->daemon,
                                   .params = o->params,
                                   .out = o->out,
                                   .hex = o->hex,
                                   .json = o->json,
                                   .quiet = o->quiet};

    return prove_remote(&remote, request, engine, err);
}
#endif

static cuzk_status do_request(const prove_options_t *o, const input_request_t *in,
                              cuzk_engine *engine, double read_s, cuzk_result *result,
                              cuzk_error *err)
{
#ifdef CUZK_DAEMON
    if (o->daemon.address != NULL) return prove_elsewhere(o, &in->request, engine, err);
#endif
    if (o->estimate) return estimate(in, engine, o->json, err);
    return prove_and_report(o, &in->request, engine, read_s, result, err);
}

static int run_request(const prove_options_t *o, cuzk_kind kind)
{
    const cuzk_engine_options options = {.struct_size = sizeof options,
                                         .params_folder = o->params,
                                         .params_source = "--params",
                                         .log = print_warning,
                                         .threads = o->threads.value,
                                         .memory_budget = o->memory_budget.value};
    uint64_t since = clock_monotonic_ns();
    cuzk_result result = {.struct_size = sizeof result};
    cuzk_engine *engine = NULL;
    input_request_t in;
    cuzk_error err;

    cuzk_status st = inputs_read(&in, kind, &o->input, INPUTS_CONTENT, &err);
    const double read_s = clock_lap_s(&since);
    if (o->partition.given) in.request.partition = o->partition.value;
    in.request.skip_bad = o->skip_bad;
    if (st == CUZK_OK) st = cuzk_engine_open(&engine, &options, &err);
    if (st == CUZK_OK) st = inputs_check_file(&in, engine, &err);
    if (st == CUZK_OK) st = do_request(o, &in, engine, read_s, &result, &err);
    cuzk_engine_close(engine);
    const int code = end(st, &in.request, &result, &err);
    cuzk_result_clear(&result);
    inputs_clear(&in);
    return code;
}

/* What is for a daemon alone, and what it does not take. */
static cuzk_status check_remote_options(const prove_options_t *o, cuzk_error *err)
{
    const bool is_remote = o->daemon.address != NULL;
    const struct {
        const char *name;
        bool given, is_for_remote;
    } all[] = {{"--estimate", o->estimate, false},
               {"--skip-bad", o->skip_bad, false},
               {"--partition", o->partition.given, false},
               {"--memory-budget", o->memory_budget.given, false},
               {"--daemon-token-file", o->daemon.token_file != NULL, true},
               {"--daemon-ca", o->daemon.ca != NULL, true},
               {"--daemon-certificate", o->daemon.certificate != NULL, true},
               {"--daemon-key", o->daemon.key != NULL, true}};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (!all[i].given || all[i].is_for_remote == is_remote) continue;
        return error_set(err, CUZK_ERR_ARG,
                         is_remote ? "%s: is not for --daemon" : "%s: wants --daemon", all[i].name);
    }
    return CUZK_OK;
}

static cuzk_status check_options(const prove_options_t *o, cuzk_kind kind, cuzk_error *err)
{
    if (o->skip_bad && o->estimate)
        return error_set(err, CUZK_ERR_ARG, "--skip-bad: is not for --estimate");
    if (o->skip_bad && kind != CUZK_WINDOW_POST)
        return refuse_option(true, "--skip-bad", kind, err);
    if (check_remote_options(o, err) != CUZK_OK) return err->status;
    if (!o->estimate) return require_option(o->out != NULL, "-o", err);
    if (o->out != NULL) return error_set(err, CUZK_ERR_ARG, "-o: is not for --estimate");
    return CUZK_OK;
}

static int run(int argc, char **argv)
{
    prove_options_t o = {0};
    cuzk_kind kind;
    const char *word;
    cuzk_error err;
    bool help;

    cuzk_status st = options_parse(&command_prove, &o, &word, &help, argc, argv, &err);
    if (help) {
        options_print_help("cuzk", &command_prove);
        return 0;
    }
    if (st == CUZK_OK) st = cuzk_kind_from_text(word, "KIND", &kind, &err);
    if (st == CUZK_OK) st = check_options(&o, kind, &err);
    return st == CUZK_OK ? run_request(&o, kind) : finish("prove", st, &err);
}
