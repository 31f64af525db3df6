/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/memory.h"
#include "bench/child.h"
#include "bench/commands.h"
#include "bench/synth.h"
#include "cli/interrupt.h"

typedef struct {
    subject_options_t subject;
    const char *file;
    option_u32_t proofs;
    option_u32_t runs;
} pce_options_t;

static const option_row_t pce_rows[] = {
    SUBJECT_ROWS(pce_options_t, subject),
    {"--file", "FILE", "where the PCE is saved and loaded from (default: a temporary one)",
     offsetof(pce_options_t, file), 0, 0, OPTION_TEXT},
};

static const option_row_t pipeline_rows[] = {
    SUBJECT_ROWS(pce_options_t, subject),
    {"--proofs", "N", "how many proofs' a, b, c are made (default 8)",
     offsetof(pce_options_t, proofs), 1, STATS_MAX_RUNS, OPTION_U32},
    {"--runs", "N", "how often each way, by turns (default 3)", offsetof(pce_options_t, runs), 1,
     STATS_MAX_RUNS, OPTION_U32},
};

static int run_pce(int argc, char **argv);
static int run_pipeline(int argc, char **argv);

const options_command_t command_pce = {
    .name = "pce",
    .summary = "extract, digest, save, load, validate and evaluate a compiled circuit; prints JSON",
    .rows = pce_rows,
    .n_rows = sizeof pce_rows / sizeof pce_rows[0],
    .notes =
        "Of a circuit alone: --kind and --sector-size. With an input, as for synth-only, it is\n"
        "also evaluated.",
    .run = run_pce,
};

const options_command_t command_pce_pipeline = {
    .name = "pce-pipeline",
    .summary = "make several proofs' a, b, c one after the other and overlapped; prints JSON",
    .rows = pipeline_rows,
    .n_rows = sizeof pipeline_rows / sizeof pipeline_rows[0],
    .notes = "Overlapped: the next proof's witness is made while this one's a, b, c are evaluated.",
    .run = run_pipeline,
};

typedef struct {
    double extract_s, digest_s, save_s, load_s, validate_s, evaluate_s;
    uint64_t file_bytes;
    pce_info_t info;
    circuit_counts_t counts;
    synth_digests_t digests;
} pce_result_t;

/* A signal leaves no half of it, wherever it goes. */
static cuzk_status save(pce_t *pce, const char *path, cuzk_error *err)
{
    cuzk_status st = cancel_status(interrupt_token(), err);

    if (st != CUZK_OK) return st;
    interrupt_begin(NULL, NULL);
    st = pce_save(pce, path, err);
    interrupt_end();
    return st == CUZK_OK ? cancel_status(interrupt_token(), err) : st;
}

/* Everything that needs no values; *loaded is the one from the file. */
static cuzk_status go_round(pce_result_t *r, pce_t **loaded, const char *path, const char *label,
                            circuit_fn circuit, const void *values, cuzk_error *err)
{
    uint64_t since = clock_monotonic_ns();
    uint8_t digest[SHA256_BYTES];
    struct stat status;
    pce_t *pce;

    cuzk_status st = pce_extract(&pce, label, circuit, values, err);
    if (st != CUZK_OK) return st;
    r->extract_s = clock_lap_s(&since);
    st = pce_digest(digest, pce, err);
    r->digest_s = clock_lap_s(&since);
    r->info = pce_info(pce);
    r->counts = pce_plan(pce)->counts;
    if (st == CUZK_OK) st = save(pce, path, err);
    r->save_s = clock_lap_s(&since);
    pce_free(pce);
    if (st != CUZK_OK) return st;
    if (stat(path, &status) == 0) r->file_bytes = (uint64_t)status.st_size;
    (void)clock_lap_s(&since);
    st = pce_load(loaded, path, label, digest, err);
    if (st != CUZK_OK) return st;
    r->load_s = clock_lap_s(&since);
    st = pce_validate(*loaded, err);
    r->validate_s = clock_lap_s(&since);
    if (st != CUZK_OK) pce_free(*loaded);
    return st;
}

static cuzk_status evaluate(pce_result_t *r, const pce_t *pce, const subject_t *subject,
                            cuzk_error *err)
{
    const synth_t synth = {.subject = subject, .variant = {.path = SYNTH_PCE}, .pce = pce};
    synth_made_t made;

    cuzk_status st = synth_values(&made, &synth, subject->strand, true, err);
    if (st != CUZK_OK) return st;
    uint64_t since = clock_monotonic_ns();
    st = synth_evaluate(&made, &synth, subject->strand, err);
    r->evaluate_s = clock_lap_s(&since);
    if (st == CUZK_OK) synth_digest(&r->digests, &made.x, WORK_ALL);
    synth_made_clear(&made);
    return st;
}

static void print_pce(const pce_result_t *r, const char *label, uint32_t threads)
{
    json_writer_t w;

    measure_begin(&w, "pce", threads);
    json_write_string(&w, "circuit", label);
    json_write_u64(&w, "constraints", r->counts.n_constraints);
    json_write_double(&w, "extract_s", r->extract_s);
    json_write_double(&w, "digest_s", r->digest_s);
    json_write_double(&w, "save_s", r->save_s);
    json_write_double(&w, "load_s", r->load_s);
    json_write_double(&w, "validate_s", r->validate_s);
    json_write_double(&w, "evaluate_s", r->evaluate_s);
    json_write_u64(&w, "templates", r->info.n_templates);
    json_write_u64(&w, "stamps", r->info.n_stamps);
    json_write_u64(&w, "template_rows", r->info.template_rows);
    json_write_u64(&w, "template_terms", r->info.template_terms);
    json_write_u64(&w, "memory_bytes", r->info.memory_bytes);
    json_write_u64(&w, "file_bytes", r->file_bytes);
    json_write_u64(&w, "peak_rss_bytes", process_peak_rss_bytes());
    json_write_hex(&w, "r1cs_sha256", r->info.digest, SHA256_BYTES);
    if (!isnan(r->evaluate_s)) synth_write_digests(&w, &r->digests, WORK_ALL);
    measure_end(&w);
}

/* With an input: its circuit, and its values. */
static cuzk_status measure_input(pce_result_t *r, const char *path, const pce_options_t *o,
                                 cuzk_error *err)
{
    subject_t subject;
    pce_t *pce;

    cuzk_status st = subject_open(&subject, &o->subject, INPUTS_FORM, err);
    if (st != CUZK_OK) return st;
    const char *label = subject.input.facts.row->label;
    st = go_round(r, &pce, path, label, subject.input.kind->circuit, subject.input.values, err);
    if (st == CUZK_OK) {
        st = evaluate(r, pce, &subject, err);
        pce_free(pce);
    }
    if (st == CUZK_OK) print_pce(r, label, strand_size(subject.strand));
    subject_close(&subject);
    return st;
}

/* Without an input there is nothing for these to be of. */
static cuzk_status refuse_input_options(const subject_options_t *o, cuzk_error *err)
{
    const input_options_t *in = &o->input;
    const struct {
        bool given;
        const char *name;
    } rows[] = {
        {o->partition.given, "--partition"},      {o->threads.given, "--threads"},
        {in->miner_id != NULL, "--miner-id"},     {in->sector_number.given, "--sector-number"},
        {in->randomness.given, "--randomness"},   {in->comm_r_old != NULL, "--comm-r-old"},
        {in->comm_r_new != NULL, "--comm-r-new"}, {in->comm_d_new != NULL, "--comm-d-new"}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].given)
            return error_set(err, CUZK_ERR_ARG,
                             "%s: is of an input, and there is none (--c1 or "
                             "--vanilla)",
                             rows[i].name);
    return CUZK_OK;
}

static cuzk_status measure_shape(pce_result_t *r, const char *path, const pce_options_t *o,
                                 cuzk_error *err)
{
    const circuit_row_t *row;
    cuzk_proof_info proof;
    circuit_fn circuit;
    cuzk_kind kind;
    void *values;
    pce_t *pce;

    cuzk_status st = require_option(o->subject.kind != NULL, "--kind", err);
    if (st == CUZK_OK) st = refuse_input_options(&o->subject, err);
    if (st == CUZK_OK) st = cuzk_kind_from_text(o->subject.kind, "--kind", &kind, err);
    if (st == CUZK_OK) st = select_proof(&proof, &o->subject.input.selection, kind, err);
    if (st == CUZK_OK) st = circuit_row_find(&row, proof.circuit, err);
    if (st == CUZK_OK) st = proof_kind_shape(&circuit, &values, row, err);
    if (st != CUZK_OK) return st;
    st = go_round(r, &pce, path, row->label, circuit, values, err);
    free(values);
    if (st != CUZK_OK) return st;
    pce_free(pce);
    print_pce(r, row->label, 1);
    return CUZK_OK;
}

static cuzk_status measure_pce(const void *options, cuzk_error *err)
{
    const pce_options_t *o = options;
    const input_options_t *input = &o->subject.input;
    pce_result_t r = {.evaluate_s = (double)NAN};
    char path[CHILD_PATH_BYTES + 16];
    temporary_t folder = {.fd = -1};
    cuzk_status st = CUZK_OK;

    if (o->file == NULL) st = scratch_make(&folder, err);
    if (st != CUZK_OK) return st;
    if (o->file != NULL && strlen(o->file) >= sizeof path)
        return error_set(err, CUZK_ERR_ARG, "--file: its path is too long");
    if (o->file != NULL)
        (void)snprintf(path, sizeof path, "%s", o->file);
    else
        (void)snprintf(path, sizeof path, "%s/pce", folder.path);
    const bool has_input = input->c1 != NULL || input->vanilla != NULL;
    st = has_input ? measure_input(&r, path, o, err) : measure_shape(&r, path, o, err);
    scratch_remove(&folder);
    return st;
}

static int run_pce(int argc, char **argv)
{
    pce_options_t o = {0};

    return command_run(&command_pce, &o, NULL, measure_pce, argc, argv);
}

/* ---- several proofs ------------------------------------------------------------------------- */

/* One step of the pipeline: the next witness, and this one's a, b, c. */
typedef struct {
    const synth_t *synth;
    synth_made_t next, now;
    bool has_next, has_now;
    cuzk_status statuses[2]; /* of now, of next */
    cuzk_error errors[2];
} pipeline_step_t;

static void evaluate_now(pipeline_step_t *s, strand_t *strand)
{
    s->statuses[0] =
        s->has_now ? synth_evaluate(&s->now, s->synth, strand, &s->errors[0]) : CUZK_OK;
}

static void make_next(pipeline_step_t *s, strand_t *strand)
{
    s->statuses[1] =
        s->has_next ? synth_values(&s->next, s->synth, strand, true, &s->errors[1]) : CUZK_OK;
}

/* The thread beside the caller's: a strand of the same executor. */
static void *make_next_beside(void *arg)
{
    pipeline_step_t *s = arg;
    strand_t strand;

    strand_begin(&strand, s->synth->subject->strand->executor, NULL, NULL);
    make_next(s, &strand);
    strand_end(&strand);
    return NULL;
}

static void overlap_step(pipeline_step_t *s)
{
    strand_t *strand = s->synth->subject->strand;
    pthread_t beside;
    const bool is_beside = pthread_create(&beside, NULL, make_next_beside, s) == 0;

    if (!is_beside)
        s->statuses[1] = error_set(&s->errors[1], CUZK_ERR_MEMORY,
                                   "pce-pipeline: its thread could not be started");
    evaluate_now(s, strand);
    if (!is_beside) return;
    strand_leave(strand);
    (void)pthread_join(beside, NULL);
    strand_enter(strand);
}

static void run_step(pipeline_step_t *s, bool overlapped)
{
    if (overlapped) {
        overlap_step(s);
        return;
    }
    evaluate_now(s, s->synth->subject->strand);
    make_next(s, s->synth->subject->strand);
}

/* The a, b, c of n proofs. digests: of the last one's, or NULL. */
static cuzk_status run_steps(synth_digests_t *digests, const synth_t *synth, uint32_t n,
                             bool overlapped, cuzk_error *err)
{
    pipeline_step_t s = {.synth = synth};

    for (uint32_t i = 0; i <= n; i++) {
        s.has_now = i > 0;
        s.has_next = i < n;
        run_step(&s, overlapped);
        if (digests != NULL && i == n && s.statuses[0] == CUZK_OK)
            synth_digest(digests, &s.now.x, WORK_ABC);
        if (s.has_now) synth_made_clear(&s.now);
        for (int k = 0; k < 2; k++) {
            if (s.statuses[k] == CUZK_OK) continue;
            if (k == 0 && s.has_next && s.statuses[1] == CUZK_OK) synth_made_clear(&s.next);
            *err = s.errors[k];
            return s.statuses[k];
        }
        s.now = s.next;
    }
    return CUZK_OK;
}

/* Both ways by turns. */
typedef struct {
    double seconds[2][STATS_MAX_RUNS]; /* one by one; overlapped */
    synth_digests_t digests[2];        /* of the second proof */
} pipeline_result_t;

static cuzk_status run_both(pipeline_result_t *r, const synth_t *synth, uint32_t n, uint32_t runs,
                            cuzk_error *err)
{
    cuzk_status st = CUZK_OK;

    for (int way = 0; way < 2 && st == CUZK_OK; way++) /* outside the clock */
        st = run_steps(&r->digests[way], synth, 2, way == 1, err);
    if (st == CUZK_OK && memcmp(&r->digests[0], &r->digests[1], sizeof r->digests[0]) != 0)
        st = error_set(err, CUZK_ERR_INTERNAL, "overlapped proofs have other a, b, c");
    for (uint32_t i = 0; i < 2 * runs && st == CUZK_OK; i++) {
        const uint32_t way = (i ^ i / 2) & 1;
        uint64_t since = clock_monotonic_ns();

        st = run_steps(NULL, synth, n, way == 1, err);
        r->seconds[way][i / 2] = clock_lap_s(&since);
    }
    return st;
}

static void print_pipeline(const pipeline_result_t *r, const synth_t *synth, uint32_t n,
                           uint32_t runs)
{
    const double constraints = (double)pce_plan(synth->pce)->counts.n_constraints * n;
    const double alone_s = median(r->seconds[0], runs);
    const double overlapped_s = median(r->seconds[1], runs);
    json_writer_t w;

    measure_begin(&w, "pce-pipeline", strand_size(synth->subject->strand));
    subject_write(&w, synth->subject);
    json_write_u64(&w, "proofs", n);
    json_write_u64(&w, "runs", runs);
    json_write_double(&w, "shape_s", synth->shape_s);
    json_write_double(&w, "one_by_one_s", alone_s);
    json_write_double(&w, "overlapped_s", overlapped_s);
    json_write_double(&w, "overlapped_to_one_by_one", overlapped_s / alone_s);
    json_write_double(&w, "constraints_per_s", constraints / overlapped_s);
    json_write_u64(&w, "peak_rss_bytes", process_peak_rss_bytes());
    synth_write_digests(&w, &r->digests[0], WORK_ABC);
    measure_end(&w);
}

static cuzk_status measure_pipeline(const void *options, cuzk_error *err)
{
    static pipeline_result_t r;
    const pce_options_t *o = options;
    const uint32_t n = o->proofs.given ? o->proofs.value : 8;
    const uint32_t runs = o->runs.given ? o->runs.value : 3;
    subject_t subject;
    synth_t synth;

    cuzk_status st = subject_open(&subject, &o->subject, INPUTS_FORM, err);
    if (st != CUZK_OK) return st;
    st = synth_open(&synth, &subject, &(synth_variant_t){.path = SYNTH_PCE}, err);
    if (st == CUZK_OK) {
        st = run_both(&r, &synth, n, runs, err);
        if (st == CUZK_OK) print_pipeline(&r, &synth, n, runs);
        synth_close(&synth);
    }
    subject_close(&subject);
    return st;
}

static int run_pipeline(int argc, char **argv)
{
    pce_options_t o = {0};

    return command_run(&command_pce_pipeline, &o, NULL, measure_pipeline, argc, argv);
}
