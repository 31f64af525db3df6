/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdio.h>

#include "base/clock.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/output.h"
#include "codec/json_write.h"

typedef struct {
    input_options_t input;
    const char *params;
    const char *out;
    const char *compiled;
    option_u32_t threads;
    option_u64_t memory_budget;
    bool hex;
    bool json;
} prove_options_t;

static const option_row_t rows[] = {
    INPUT_ROWS(prove_options_t, input),
    PARAMS_ROW(prove_options_t, params),
    {"-o", "FILE", "where the proof goes, - for stdout", offsetof(prove_options_t, out), 0, 0,
     OPTION_TEXT},
    {"--hex", NULL, "as a line of hex, not raw bytes", offsetof(prove_options_t, hex), 0, 0,
     OPTION_FLAG},
    {"--json", NULL, "times and peak memory as one JSON object (on stderr with -o -)",
     offsetof(prove_options_t, json), 0, 0, OPTION_FLAG},
    THREADS_ROW(prove_options_t, threads),
    {"--memory-budget", "SIZE", "for partitions proved at once, such as 16GiB (default: available)",
     offsetof(prove_options_t, memory_budget), 0, 0, OPTION_SIZE},
    {"--compiled", "DIR", "keep compiled circuits in this folder (default: compile each time)",
     offsetof(prove_options_t, compiled), 0, 0, OPTION_TEXT},
};

static int run(int argc, char **argv);

const options_command_t command_prove = {
    .name = "prove",
    .summary = "prove a PoRep, a sector update, a WinningPoSt or a WindowPoSt",
    .arguments = "KIND",
    .n_arguments = 1,
    .rows = rows,
    .n_rows = sizeof rows / sizeof rows[0],
    .notes =
        "  prove porep   --c1 FILE --miner-id N --sector-number N -o FILE\n"
        "  prove update  --sector-size SIZE --vanilla FILE --comm-r-old C --comm-r-new C\n"
        "                --comm-d-new C -o FILE\n"
        "  prove winning --sector-size SIZE --vanilla FILE --miner-id N --randomness HEX -o FILE\n"
        "  prove window  (as winning; one or more sectors, numbers rising)\n\n"
        "Writes 192 bytes a partition. The input is checked whole before parameters are opened, "
        "and\n"
        "every proof is verified before it is written. The folder of --compiled is not made; what\n"
        "is damaged in it is made anew, with a notice.",
    .run = run,
};

static void print_times(FILE *out, const cuzk_timings *t)
{
    json_writer_t w;

    json_writer_init(&w, JSON_ONE_LINE);
    json_write_object(&w, NULL);
    json_write_double(&w, "parse_s", t->parse_s);
    json_write_double(&w, "compile_s", t->compile_s);
    json_write_double(&w, "synthesis_s", t->synthesis_s);
    json_write_double(&w, "h_s", t->h_s);
    json_write_double(&w, "msm_s", t->msm_s);
    json_write_double(&w, "verify_s", t->verify_s);
    json_write_double(&w, "total_s", t->total_s);
    json_write_u64(&w, "peak_rss_bytes", peak_rss_bytes());
    json_write_end(&w);
    (void)fprintf(out, "%s\n", json_writer_text(&w));
    json_writer_clear(&w);
}

enum { INTERACTIVE_PARTITIONS = 10 }; /* a PoRep with more is non-interactive */

static void note_partitions(const job_t *job)
{
    if (job->row->kind == KIND_POREP && job->n_partitions > INTERACTIVE_PARTITIONS)
        (void)fprintf(stderr,
                      "cuzk prove: non-interactive: %u proofs, concatenated and not "
                      "aggregated\n",
                      job->n_partitions);
}

static cuzk_status prove_job(cuzk_proofs *proofs, circuit_kind kind, const prove_options_t *o,
                             cuzk_context *context, cuzk_error *err)
{
    const uint64_t start = clock_monotonic_ns();
    job_t job;

    cuzk_status st = inputs_open(&job, kind, &o->input, JOB_CHECK_CONTENT, context->strand, err);
    if (st != CUZK_OK) return st;
    note_partitions(&job);
    st = job_prove(proofs, context, &job, start, err);
    job_close(&job);
    return st;
}

/* A cuzk_notice; arg is the progress_t. */
static void print_notice(void *arg, const char *text)
{
    progress_end(arg);
    (void)fprintf(stderr, "cuzk prove: notice: %s\n", text);
}

static cuzk_status prove_to(output_t *output, circuit_kind kind, const prove_options_t *o,
                            cuzk_error *err)
{
    cuzk_context *context;
    cuzk_proofs proofs;
    progress_t progress;

    progress_init(&progress);
    const cuzk_options options = {.params_folder = o->params,
                                  .params_source = "--params",
                                  .threads = o->threads.value,
                                  .memory_budget = o->memory_budget.value,
                                  .progress = progress_report,
                                  .progress_arg = &progress,
                                  .compiled_folder = o->compiled,
                                  .notice = print_notice,
                                  .notice_arg = &progress};
    cuzk_status st = cuzk_open(&context, &options, err);
    if (st != CUZK_OK) return st;
    st = prove_job(&proofs, kind, o, context, err);
    progress_end(&progress);
    cuzk_close(context);
    if (st != CUZK_OK) return st;
    st = output_write(output, proofs.bytes, proofs.length, err);
    if (st == CUZK_OK && o->json) print_times(output->to_file ? stdout : stderr, &proofs.timings);
    cuzk_proofs_clear(&proofs);
    return st;
}

static int run(int argc, char **argv)
{
    const unsigned all = (1u << CIRCUIT_KINDS) - 1;
    prove_options_t o = {0};
    output_t output = {0};
    circuit_kind kind;
    const char *word;
    cuzk_error err;
    bool help;

    cuzk_status st = options_parse(&command_prove, &o, &word, &help, argc, argv, &err);
    if (help) {
        options_print_help("cuzk", &command_prove);
        return 0;
    }
    if (st == CUZK_OK) st = select_kind(&kind, "KIND", word, all, &err);
    if (st == CUZK_OK) st = require_option(o.out != NULL, "-o", &err);
    if (st == CUZK_OK) st = output_open(&output, o.out, o.hex, &err);
    if (st == CUZK_OK) st = prove_to(&output, kind, &o, &err);
    output_discard(&output);
    return finish("prove", st, &err);
}
