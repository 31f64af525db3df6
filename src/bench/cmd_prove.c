/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "bench/commands.h"
#include "bench/instance.h"
#include "bench/synth.h"
#include "engine/circuits.h"

typedef struct {
    subject_options_t subject;
    option_u32_t iterations;
    option_u32_t warm_up;
    const char *params;
    option_choice_t window;
    option_choice_t bg2;
    bool json;
} bench_prove_options_t;

static const option_row_t rows[] = {
    SUBJECT_ROWS(bench_prove_options_t, subject),
    PARAMS_ROW(bench_prove_options_t, params),
    {"--iterations", "N", "measured proofs (default 1)",
     offsetof(bench_prove_options_t, iterations), 1, STATS_MAX_RUNS, OPTION_U32},
    {"--warm-up", "N", "proofs before those, outside the clock (default 0)",
     offsetof(bench_prove_options_t, warm_up), 0, STATS_MAX_RUNS, OPTION_U32},
    {"--window", "per-msm|fixed", "each sum's own (default), or the largest one's for all five",
     offsetof(bench_prove_options_t, window), 0, 0, OPTION_CHOICE},
    {"--bg2", "serial|parallel", "after the sums in G1 (default), or beside them, taking turns",
     offsetof(bench_prove_options_t, bg2), 0, 0, OPTION_CHOICE},
    {"--json", NULL, "accepted: the line of JSON is always printed",
     offsetof(bench_prove_options_t, json), 0, 0, OPTION_FLAG},
};

static int run(int argc, char **argv);

const options_command_t command_prove_bench = {
    .name = "prove",
    .summary = "measure the proof of one partition; prints one line of JSON",
    .rows = rows,
    .n_rows = sizeof rows / sizeof rows[0],
    .notes = "Takes what `cuzk prove` takes. The blinding is the same in each run, so that proofs\n"
             "can be compared (`result` is the SHA-256 of one); they are verified and thrown away.",
    .run = run,
};

/* Seconds of the parts of each proof. */
typedef struct {
    double synthesis[STATS_MAX_RUNS], h[STATS_MAX_RUNS], msm[STATS_MAX_RUNS];
    double msm_h[STATS_MAX_RUNS], msm_l[STATS_MAX_RUNS], msm_a[STATS_MAX_RUNS];
    double msm_b1[STATS_MAX_RUNS], msm_b2[STATS_MAX_RUNS];
} proof_parts_t;

static void keep_parts(proof_parts_t *parts, uint32_t i, double synthesis_s,
                       const groth16_timings_t *t)
{
    parts->synthesis[i] = synthesis_s;
    parts->h[i] = t->h_s;
    parts->msm[i] = t->msm_s;
    parts->msm_h[i] = t->msm_h_s;
    parts->msm_l[i] = t->msm_l_s;
    parts->msm_a[i] = t->msm_a_s;
    parts->msm_b1[i] = t->msm_b1_s;
    parts->msm_b2[i] = t->msm_b2_s;
}

/* What all proofs of a run share. */
typedef struct {
    const srs_t *srs;
    device_t *device;
    const synth_t *synth;
    bool one_window;  /* all sums take the width that suits the largest */
    bool g2_parallel; /* the sum in G2 beside those in G1 */
} prove_setting_t;

/* The prover's plan with what the experiment changes: the sum in G2 in a stream of its own, or the
 * window of the largest sum for all. */
static void make_plan(groth16_plan_t *plan, const prove_setting_t *setting,
                      const groth16_instance_t *x, const strand_t *strand)
{
    const groth16_size_t size = {.counts = x->counts,
                                 .n_elements = x->witness->n_elements,
                                 .a_elements = x->witness->n_elements,
                                 .b_elements = x->witness->n_elements,
                                 .is_read = setting->srs->h.base == NULL,
                                 .n_threads = strand_size(strand)};
    groth16_plan_make(plan, setting->device, &size);
    if (setting->g2_parallel) {
        *plan = (groth16_plan_t){.n_streams = 2};
        plan->stream_of[GROTH16_SUM_B2] = 1;
    }
    const uint32_t largest = msm_window_g1(setting->srs->h.n);
    for (unsigned i = GROTH16_SUM_H; i < GROTH16_PARTS && setting->one_window; i++)
        plan->window_bits[i] = (uint8_t)largest;
    groth16_plan_count(plan, setting->device, &size);
}

static cuzk_status prove_values(proof_t *proof, groth16_timings_t *timings,
                                const prove_setting_t *setting, synth_made_t *made, cuzk_error *err)
{
    strand_t *strand = setting->synth->subject->strand;
    groth16_instance_t instance;
    groth16_blinding_t blinding;
    groth16_plan_t plan;
    const cuzk_status st =
        instance_take(&instance, setting->device, setting->srs, &made->x, &made->sides, err);

    if (st != CUZK_OK) return st;
    fr_from_u64(&blinding.r, 3);
    fr_from_u64(&blinding.s, 5);
    make_plan(&plan, setting, &instance, strand);
    return groth16_prove(proof, timings, &instance, &plan, &blinding, strand, err);
}

/* In the clock: from the parsed proof to the points of the proof. */
static cuzk_status prove_once(proof_t *proof, measure_t *m, proof_parts_t *parts,
                              const prove_setting_t *setting, cuzk_error *err)
{
    groth16_timings_t timings = {0};
    synth_made_t made;

    measure_start(m);
    const uint64_t start = clock_monotonic_ns();
    cuzk_status st =
        synth_values(&made, setting->synth, setting->synth->subject->strand, false, err);
    const double synthesis_s = clock_seconds_between(start, clock_monotonic_ns());
    if (st != CUZK_OK) return st;
    st = prove_values(proof, &timings, setting, &made, err);
    measure_stop(m);
    device_trim(setting->device);
    synth_made_clear(&made);
    keep_parts(parts, m->n - 1, synthesis_s, &timings);
    return st;
}

static cuzk_status verify(const proof_t *proof, const srs_t *srs, const subject_t *s,
                          cuzk_error *err)
{
    const uint32_t n = s->input.facts.n_public_inputs;
    fr_t *inputs = mem_alloc(n, sizeof *inputs, "public inputs", err);

    if (inputs == NULL) return err->status;
    s->input.kind->public_inputs(inputs, s->input.data, s->partition);
    const cuzk_status st = groth16_verify(&srs->vk, inputs, n, proof, err);
    free(inputs);
    if (st != CUZK_INVALID_PROOF) return st;
    return error_set(err, CUZK_ERR_INTERNAL, "a proof failed its own check");
}

static void write_json(const measure_t *m, const proof_parts_t *parts, const proof_t *proof,
                       const subject_t *s)
{
    char hash[2 * SHA256_BYTES + 1];
    json_writer_t w;

    instance_proof_hash(hash, proof);
    measure_begin(&w, "prove", strand_size(s->strand));
    subject_write(&w, s);
    measure_times(&w, m, hash, 0);
    json_write_object(&w, "parts");
    json_write_double(&w, "parse_s", s->parse_s);
    json_write_double(&w, "synthesis_s", median(parts->synthesis, m->n));
    json_write_double(&w, "h_s", median(parts->h, m->n));
    json_write_double(&w, "msm_s", median(parts->msm, m->n));
    json_write_double(&w, "msm_h_s", median(parts->msm_h, m->n));
    json_write_double(&w, "msm_l_s", median(parts->msm_l, m->n));
    json_write_double(&w, "msm_a_s", median(parts->msm_a, m->n));
    json_write_double(&w, "msm_b1_s", median(parts->msm_b1, m->n));
    json_write_double(&w, "msm_b2_s", median(parts->msm_b2, m->n));
    json_write_end(&w);
    json_write_u64(&w, "peak_rss_bytes", process_peak_rss_bytes());
    json_write_bool(&w, "verified", true);
    measure_end(&w);
}

static cuzk_status prove_all(proof_t *proof, measure_t *m, proof_parts_t *parts,
                             const prove_setting_t *setting, const bench_prove_options_t *o,
                             cuzk_error *err)
{
    const uint32_t n = o->iterations.given ? o->iterations.value : 1;
    cuzk_status st = CUZK_OK;

    for (uint32_t i = 0; i < o->warm_up.value + n && st == CUZK_OK; i++) {
        if (i == o->warm_up.value) measure_restart(m);
        st = prove_once(proof, m, parts, setting, err);
        if (st == CUZK_OK) st = verify(proof, setting->srs, setting->synth->subject, err);
    }
    return st;
}

static cuzk_status open_params(srs_t *srs, const char *folder, const circuit_row_t *row,
                               strand_t *strand, cuzk_error *err)
{
    const params_place_t place =
        folder != NULL ? (params_place_t){folder, "--params"} : params_default_place();
    char *path = circuit_params_path(place.folder, row, "params", err);

    if (path == NULL) return err->status;
    const cuzk_status st = srs_open(srs, path, strand, err);
    free(path);
    return st != CUZK_ERR_MISSING ? st : error_within(err, "%s", place.source);
}

static cuzk_status measure_subject(const subject_t *s, const bench_prove_options_t *o,
                                   cuzk_error *err)
{
    static proof_parts_t parts;
    static measure_t m;
    device_t *device = NULL;
    proof_t proof;
    synth_t synth;
    srs_t srs;

    cuzk_status st = open_params(&srs, o->params, s->input.facts.row, s->strand, err);
    if (st != CUZK_OK) return st;
    st = synth_open(&synth, s, &(synth_variant_t){.path = SYNTH_STAMPED}, err);
    if (st != CUZK_OK) goto out;
    measure_init(&m, true);
    st = device_cpu_open(&device, &(device_cpu_options_t){0}, err);
    if (st == CUZK_OK) {
        const prove_setting_t setting = {.srs = &srs,
                                         .device = device,
                                         .synth = &synth,
                                         .one_window = o->window.value == 1,
                                         .g2_parallel = o->bg2.value == 1};

        st = prove_all(&proof, &m, &parts, &setting, o, err);
    }
    if (st == CUZK_OK) write_json(&m, &parts, &proof, s);
    device_close(device);
    measure_clear(&m);
    synth_close(&synth);
out:
    srs_close(&srs);
    return st;
}

static cuzk_status measure_prove(const void *options, cuzk_error *err)
{
    const bench_prove_options_t *o = options;
    subject_t subject;

    cuzk_status st = subject_open(&subject, &o->subject, INPUTS_CONTENT, err);
    if (st != CUZK_OK) return st;
    st = measure_subject(&subject, o, err);
    subject_close(&subject);
    return st;
}

static int run(int argc, char **argv)
{
    bench_prove_options_t o = {0};

    return command_run(&command_prove_bench, &o, NULL, measure_prove, argc, argv);
}
