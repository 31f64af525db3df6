/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/synth.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/memory.h"
#include "bench/element_digest.h"
#include "field/fr_batch.h"
#include "synthesis/shape.h"

enum { DIGEST_ITEMS = 1024 };

static void count_shape(synth_t *synth)
{
    shape_t shape;

    synthesis_shape(&shape, synth->subject->job.ops->circuit, synth->subject->values, SHAPE_COUNTS,
                    SHAPE_DEFAULT_BLOCK, NULL);
    synth->counts = shape.counts;
    shape_clear(&shape);
}

cuzk_status synth_open(synth_t *synth, const subject_t *subject, const synth_variant_t *variant,
                       cuzk_error *err)
{
    const uint64_t start = clock_monotonic_ns();
    cuzk_status st = CUZK_OK;

    *synth = (synth_t){.subject = subject, .variant = *variant};
    if (variant->path != SYNTH_GENERIC)
        st = pce_extract(&synth->own_pce, subject->job.row->label, subject->job.ops->circuit,
                         subject->values, err);
    else if (variant->presize)
        count_shape(synth);
    synth->pce = synth->own_pce;
    synth->shape_s = seconds_between(start, clock_monotonic_ns());
    return st;
}

void synth_close(synth_t *synth)
{
    if (synth->own_pce != NULL) pce_free(synth->own_pce);
}

circuit_counts_t synth_counts(const synth_t *synth)
{
    return synth->pce != NULL ? pce_plan(synth->pce)->counts : synth->counts;
}

bool synth_has_densities_alone(const synth_t *synth)
{
    return synth->pce != NULL;
}

static synthesis_hints_t make_hints(const synth_t *synth, synth_work work, bool want_c)
{
    synthesis_hints_t hints = {.path = SYNTHESIS_GENERIC, .want_c = want_c};

    if (synth->variant.path != SYNTH_GENERIC) {
        hints.path = SYNTHESIS_STAMPED;
        hints.plan = pce_plan(synth->pce);
        hints.strand = synth->subject->strand;
    } else if (synth->variant.presize) {
        hints.lg_domain = circuit_lg_domain(&synth->counts);
        hints.n_inputs = synth->counts.n_inputs;
        hints.n_aux = synth->counts.n_aux;
    }
    hints.no_densities = work != WORK_ALL;
    if (work == WORK_WITNESS || synth->variant.path == SYNTH_PCE) hints.path = SYNTHESIS_WITNESS;
    return hints;
}

static cuzk_status make_values(assignment_t *x, const synth_t *synth, synth_work work, bool want_c,
                               cuzk_error *err)
{
    const synthesis_hints_t hints = make_hints(synth, work, want_c);

    return synthesis_prove(x, synth->subject->job.ops->circuit, synth->subject->values, &hints,
                           err);
}

cuzk_status synth_values(assignment_t *x, const synth_t *synth, bool want_c, cuzk_error *err)
{
    return make_values(x, synth, WORK_ALL, want_c, err);
}

cuzk_status synth_evaluate(assignment_t *x, const synth_t *synth, cuzk_error *err)
{
    void *sides[3] = {NULL, NULL, NULL};
    cuzk_status st = CUZK_OK;

    x->capacity = (size_t)1 << x->lg_domain;
    for (int i = 0; i < 3 && st == CUZK_OK; i++)
        st = big_alloc(&sides[i], x->capacity, sizeof(fr_t), "a, b, c", err);
    x->a = sides[0];
    x->b = sides[1];
    x->c = sides[2];
    if (st == CUZK_OK)
        st = pce_evaluate(x->a, x->b, x->c, synth->pce, &x->witness, synth->subject->strand, err);
    return st;
}

cuzk_status synth_run(synth_made_t *made, const synth_t *synth, synth_work work, cuzk_error *err)
{
    assignment_t *x = &made->x;

    *made = (synth_made_t){.work = work};
    if (work == WORK_PARSE) return subject_parse(&made->job, &made->values, synth->subject, err);
    if (work == WORK_DENSITIES) {
        x->counts = synth_counts(synth);
        pce_densities(&x->own_densities, synth->pce);
        return CUZK_OK;
    }
    cuzk_status st = make_values(x, synth, work, true, err);
    if (st != CUZK_OK || work == WORK_WITNESS) return st;
    if (synth->variant.path == SYNTH_PCE) st = synth_evaluate(x, synth, err);
    if (st != CUZK_OK) {
        assignment_clear(x);
        return st;
    }
    if (work == WORK_ALL && synth->variant.path != SYNTH_GENERIC) {
        pce_densities(&x->own_densities, synth->pce);
        x->shared_densities = NULL;
    }
    return CUZK_OK;
}

void synth_made_clear(synth_made_t *made)
{
    if (made->work != WORK_PARSE) {
        assignment_clear(&made->x);
        return;
    }
    free(made->values);
    job_close(&made->job);
}

static void digest_aux(uint8_t digest[SHA256_BYTES], const witness_t *w)
{
    fr_t values[DIGEST_ITEMS];
    sha256_t hash;

    sha256_init(&hash);
    for (uint32_t i = 0; i < w->n_aux; i += DIGEST_ITEMS) {
        const uint32_t now = w->n_aux - i < DIGEST_ITEMS ? w->n_aux - i : DIGEST_ITEMS;

        for (uint32_t j = 0; j < now; j++) values[j] = *witness_aux(w, i + j);
        fr_batch_to_scalar((scalar_t *)values, values, now);
        sha256_update(&hash, values, now * sizeof *values);
    }
    sha256_final(digest, &hash);
}

static void digest_density(sha256_t *hash, const density_t *d, uint32_t n)
{
    for (size_t i = 0; i < ((size_t)n + 63) / 64; i++) {
        uint8_t word[8];

        store_le64(word, i < d->n_words ? d->words[i] : 0);
        sha256_update(hash, word, sizeof word);
    }
}

static void digest_densities(uint8_t digest[SHA256_BYTES], const assignment_t *x)
{
    const densities_t *d = assignment_densities(x);
    sha256_t hash;

    sha256_init(&hash);
    digest_density(&hash, &d->a_aux, x->counts.n_aux);
    digest_density(&hash, &d->b_input, x->counts.n_inputs);
    digest_density(&hash, &d->b_aux, x->counts.n_aux);
    sha256_final(digest, &hash);
}

static bool makes_abc(synth_work work)
{
    return work == WORK_ABC || work == WORK_ALL;
}

static bool makes_witness(synth_work work)
{
    return work == WORK_WITNESS || makes_abc(work);
}

static bool makes_densities(synth_work work)
{
    return work == WORK_DENSITIES || work == WORK_ALL;
}

void synth_digest(synth_digests_t *digests, const assignment_t *x, synth_work work)
{
    *digests = (synth_digests_t){0};
    if (makes_witness(work)) digest_aux(digests->aux, &x->witness);
    if (makes_abc(work)) {
        digest_elements(digests->a, x->a, x->counts.n_constraints);
        digest_elements(digests->b, x->b, x->counts.n_constraints);
        digest_elements(digests->c, x->c, x->counts.n_constraints);
    }
    if (makes_densities(work)) digest_densities(digests->densities, x);
}

void synth_write_digests(json_writer_t *w, const synth_digests_t *d, synth_work work)
{
    if (makes_witness(work)) json_write_hex(w, "aux_sha256", d->aux, SHA256_BYTES);
    if (makes_abc(work)) {
        json_write_hex(w, "a_sha256", d->a, SHA256_BYTES);
        json_write_hex(w, "b_sha256", d->b, SHA256_BYTES);
        json_write_hex(w, "c_sha256", d->c, SHA256_BYTES);
    }
    if (makes_densities(work)) json_write_hex(w, "densities_sha256", d->densities, SHA256_BYTES);
}
