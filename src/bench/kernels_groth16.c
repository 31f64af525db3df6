/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "bench/child.h"
#include "bench/kernels.h"
#include "bench/peer_inputs.h"
#include "bench/instance.h"
#include "cli/interrupt.h"
#include "setup/setup.h"
#include "synthesis/owned.h"

/* Secrets and blinding are the same each time, so that proofs can be compared. */
enum { SPARE_ROWS = 8, FIRST_SECRET = 5, FIRST_BLINDING = 11 };

/* Where the parameters lie, and how long they took. */
typedef struct {
    char path[CHILD_PATH_BYTES];
    temporary_t folder; /* to remove; cleared where --cache names another */
    bool cached;
    double setup_s;
} bench_params_t;

static const char *shape_name(const kernels_t *k)
{
    return k->bits ? "bits" : "dense";
}

static cuzk_status choose_path(bench_params_t *p, const kernels_t *k, cuzk_error *err)
{
    const char *folder = k->cache;

    if (folder == NULL) {
        const cuzk_status st = scratch_make(&p->folder, err);

        if (st != CUZK_OK) return st;
        folder = p->folder.path;
    }
    const int n = snprintf(p->path, sizeof p->path, "%s/cuzk-fixed-%s-%u.params", folder,
                           shape_name(k), k->log_n);
    if (n < 0 || (size_t)n >= sizeof p->path)
        return error_set(err, CUZK_ERR_ARG, "--cache: the path is too long");
    p->cached = access(p->path, R_OK) == 0;
    return CUZK_OK;
}

static cuzk_status make_params(bench_params_t *p, const kernels_t *k, const peer_chain_t *chain,
                               cuzk_error *err)
{
    const setup_outputs_t outputs = {.params_path = p->path, .replace = true};
    setup_secrets_t secrets = {.g1 = *g1_generator(), .g2 = *g2_generator()};
    fr_t *const scalars[] = {&secrets.alpha, &secrets.beta, &secrets.gamma, &secrets.delta,
                             &secrets.tau};
    const uint64_t start = clock_monotonic_ns();

    for (unsigned i = 0; i < 5; i++) fr_from_u64(scalars[i], FIRST_SECRET + i);
    const cuzk_status st = setup_run(&outputs, peer_chain, chain, &secrets, k->strand, err);
    p->setup_s = clock_seconds_between(start, clock_monotonic_ns());
    return st;
}

/* What is proved each time. */
typedef struct {
    const srs_t *srs;
    const peer_chain_t *chain;
    device_t *device;
} bench_proof_t;

/* In the clock: everything from the circuit's values to the proof, synthesis included. */
static cuzk_status prove_once(proof_t *proof, double *synth_s, measure_t *m, const kernels_t *k,
                              const bench_proof_t *subject, cuzk_error *err)
{
    groth16_blinding_t blinding;
    groth16_instance_t instance;
    owned_assignment_t owned;

    fr_from_u64(&blinding.r, FIRST_BLINDING);
    fr_from_u64(&blinding.s, FIRST_BLINDING + 1);
    measure_start(m);
    const uint64_t start = clock_monotonic_ns();
    const synthesis_options_t options = {.path = SYNTHESIS_GENERIC};
    cuzk_status st =
        owned_assignment_make(&owned, peer_chain, subject->chain, false, &options, err);
    *synth_s = clock_seconds_between(start, clock_monotonic_ns());
    if (st != CUZK_OK) return st;
    st = instance_take(&instance, subject->device, subject->srs, &owned.x, &owned.sides, err);
    if (st == CUZK_OK) st = groth16_prove(proof, NULL, &instance, NULL, &blinding, k->strand, err);
    measure_stop(m);
    device_trim(subject->device);
    owned_assignment_clear(&owned);
    return st;
}

static void print_groth16(const kernels_t *k, const measure_t *m, const double *synth_s,
                          const proof_t *proof, const bench_params_t *p, bool verified)
{
    const size_t n = ((size_t)1 << k->log_n) - SPARE_ROWS;
    char hash[2 * SHA256_BYTES + 1];
    double rest[STATS_MAX_RUNS];
    json_writer_t w;

    instance_proof_hash(hash, proof);
    for (uint32_t i = 0; i < m->n; i++) rest[i] = m->wall[i] - synth_s[i];
    kernels_write(&w, k, m, hash);
    json_write_string(&w, "shape", shape_name(k));
    json_write_u64(&w, "constraints", n);
    json_write_double(&w, "synth_s", median(synth_s, m->n));
    json_write_double(&w, "prove_less_synth_s", median(rest, m->n));
    if (p->cached)
        json_write_null(&w, "setup_s");
    else
        json_write_double(&w, "setup_s", p->setup_s);
    json_write_bool(&w, "verified", verified);
    measure_end(&w);
}

static cuzk_status measure_proofs(const kernels_t *k, const bench_params_t *p,
                                  const peer_chain_t *chain, cuzk_error *err)
{
    double synth_s[STATS_MAX_RUNS];
    measure_t m = {0};
    bench_proof_t subject = {.chain = chain};
    bool verified = true;
    proof_t proof;
    srs_t srs;

    cuzk_status st = srs_open(&srs, p->path, k->strand, err);
    if (st != CUZK_OK) return st;
    subject.srs = &srs;
    measure_init(&m, true);
    st = device_cpu_open(&subject.device, &(device_cpu_options_t){0}, err);
    for (uint32_t i = 0; i < k->runs && st == CUZK_OK; i++) {
        st = prove_once(&proof, &synth_s[i], &m, k, &subject, err);
        if (st == CUZK_OK)
            verified &= groth16_verify(&srs.vk, &chain->last, 1, &proof, err) == CUZK_OK;
    }
    if (st == CUZK_OK) print_groth16(k, &m, synth_s, &proof, p, verified);
    measure_clear(&m);
    device_close(subject.device);
    srs_close(&srs);
    return st == CUZK_OK && !verified
               ? error_set(err, CUZK_ERR_INTERNAL, "a proof failed its own check")
               : st;
}

cuzk_status kernels_groth16(const kernels_t *k, cuzk_error *err)
{
    bench_params_t params = {0};
    peer_chain_t chain;

    if (k->log_n < 4) return error_set(err, CUZK_ERR_ARG, "--log-n: groth16 begins at 4");
    cuzk_status st = choose_path(&params, k, err);
    if (st != CUZK_OK) return st;
    st = peer_chain_init(&chain, ((size_t)1 << k->log_n) - SPARE_ROWS, k->bits, err);
    interrupt_begin(NULL, NULL); /* with --cache, too, files are made */
    if (st == CUZK_OK && !params.cached) st = make_params(&params, k, &chain, err);
    if (st == CUZK_OK) st = measure_proofs(k, &params, &chain, err);
    peer_chain_clear(&chain);
    interrupt_end();
    scratch_remove(&params.folder);
    return st;
}
