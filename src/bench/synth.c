/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/synth.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "bench/element_digest.h"
#include "bench/synth_generic.h"
#include "field/fr_batch.h"

enum { DIGEST_ITEMS = 1024 };

static circuit_fn circuit_of(const synth_t *synth)
{
    return synth->subject->input.kind->circuit;
}

static cuzk_status count_shape(synth_t *synth, cuzk_error *err)
{
    circuit_plan_t plan;

    const cuzk_status st =
        synthesis_plan(&plan, circuit_of(synth), synth->subject->input.values, err);
    if (st != CUZK_OK) return st;
    synth->counts = plan.counts;
    circuit_plan_clear(&plan);
    return CUZK_OK;
}

static cuzk_status keep_sides(synth_t *synth, cuzk_error *err)
{
    synth->kept_m = (size_t)1 << circuit_lg_domain(&pce_plan(synth->pce)->counts);
    return synthesis_sides_alloc(&synth->kept, synth->kept_m, true, err);
}

cuzk_status synth_open(synth_t *synth, const subject_t *subject, const synth_variant_t *variant,
                       cuzk_error *err)
{
    const uint64_t start = clock_monotonic_ns();
    cuzk_status st = CUZK_OK;

    *synth = (synth_t){.subject = subject, .variant = *variant};
    if (variant->path != SYNTH_GENERIC)
        st = pce_extract(&synth->own_pce, subject->input.facts.row->label, circuit_of(synth),
                         subject->input.values, err);
    else if (variant->presize)
        st = count_shape(synth, err);
    synth->pce = synth->own_pce;
    synth->shape_s = clock_seconds_between(start, clock_monotonic_ns());
    if (st == CUZK_OK && variant->path != SYNTH_GENERIC && variant->reuse)
        st = keep_sides(synth, err);
    if (st != CUZK_OK) synth_close(synth);
    return st;
}

void synth_close(synth_t *synth)
{
    pce_free(synth->own_pce);
    synthesis_sides_free(&synth->kept, synth->kept_m);
    *synth = (synth_t){0};
}

circuit_counts_t synth_counts(const synth_t *synth)
{
    return synth->pce != NULL ? pce_plan(synth->pce)->counts : synth->counts;
}

bool synth_has_densities_alone(const synth_t *synth)
{
    return synth->pce != NULL;
}

/* The kept sides, or new ones that are the run's. */
static cuzk_status choose_sides(synthesis_sides_t *sides, synth_made_t *made, const synth_t *synth,
                                bool want_c, cuzk_error *err)
{
    *sides = synth->kept;
    if (synth->kept.a != NULL) {
        if (!want_c) sides->c = NULL;
        return CUZK_OK;
    }
    made->m = (size_t)1 << circuit_lg_domain(&pce_plan(synth->pce)->counts);
    const cuzk_status st = synthesis_sides_alloc(&made->sides, made->m, want_c, err);
    *sides = made->sides;
    return st;
}

static cuzk_status make_stamped(synth_made_t *made, const synth_t *synth, strand_t *strand,
                                bool witness_alone, bool want_c, cuzk_error *err)
{
    const synthesis_options_t options = {.strand = strand};
    synthesis_sides_t sides = {0};
    cuzk_status st = CUZK_OK;

    if (!witness_alone) st = choose_sides(&sides, made, synth, want_c, err);
    if (st != CUZK_OK) return st;
    return synthesis_prove(&made->x, &sides, circuit_of(synth), synth->subject->input.values,
                           pce_plan(synth->pce), &options, err);
}

/* What the generic run made becomes an assignment. */
static cuzk_status make_generic(synth_made_t *made, const synth_t *synth, synth_work work,
                                cuzk_error *err)
{
    generic_made_t g;

    const cuzk_status st = generic_run(&g, circuit_of(synth), synth->subject->input.values, work,
                                       synth->variant.presize ? &synth->counts : NULL, err);
    if (st != CUZK_OK) return st;
    made->sides = g.sides;
    made->m = g.capacity;
    made->densities = g.densities;
    made->x = (assignment_t){.counts = g.counts,
                             .lg_domain = g.lg_domain,
                             .a = g.sides.a,
                             .b = g.sides.b,
                             .c = g.sides.c,
                             .witness = g.witness,
                             .densities = &made->densities};
    return CUZK_OK;
}

cuzk_status synth_values(synth_made_t *made, const synth_t *synth, strand_t *strand, bool want_c,
                         cuzk_error *err)
{
    *made = (synth_made_t){.work = WORK_ABC};
    const cuzk_status st =
        make_stamped(made, synth, strand, synth->variant.path == SYNTH_PCE, want_c, err);
    if (st != CUZK_OK) synth_made_clear(made);
    return st;
}

cuzk_status synth_evaluate(synth_made_t *made, const synth_t *synth, strand_t *strand,
                           cuzk_error *err)
{
    assignment_t *x = &made->x;
    synthesis_sides_t sides;

    const cuzk_status st = choose_sides(&sides, made, synth, true, err);
    if (st != CUZK_OK) return st;
    x->a = sides.a;
    x->b = sides.b;
    x->c = sides.c;
    return pce_evaluate(x->a, x->b, x->c, synth->pce, &x->witness, strand, err);
}

static cuzk_status make_densities(synth_made_t *made, const synth_t *synth, cuzk_error *err)
{
    const cuzk_status st = pce_densities(&made->densities, synth->pce, err);

    if (st == CUZK_OK) made->x.densities = &made->densities;
    return st;
}

/* All works but WORK_PARSE. */
static cuzk_status make(synth_made_t *made, const synth_t *synth, cuzk_error *err)
{
    const bool evaluates = synth->variant.path == SYNTH_PCE;
    const synth_work work = made->work;
    strand_t *strand = synth->subject->strand;
    cuzk_status st;

    if (synth->variant.path == SYNTH_GENERIC) return make_generic(made, synth, work, err);
    if (work == WORK_DENSITIES) {
        made->x.counts = synth_counts(synth);
        return make_densities(made, synth, err);
    }
    st = make_stamped(made, synth, strand, evaluates || work == WORK_WITNESS, true, err);
    if (st != CUZK_OK || work == WORK_WITNESS) return st;
    if (evaluates) st = synth_evaluate(made, synth, strand, err);
    if (st == CUZK_OK && work == WORK_ALL) st = make_densities(made, synth, err);
    return st;
}

cuzk_status synth_run(synth_made_t *made, const synth_t *synth, synth_work work, cuzk_error *err)
{
    *made = (synth_made_t){.work = work};
    if (work == WORK_PARSE) return subject_parse(&made->input, synth->subject, err);
    const cuzk_status st = make(made, synth, err);
    if (st != CUZK_OK) synth_made_clear(made);
    return st;
}

void synth_made_clear(synth_made_t *made)
{
    if (made->work == WORK_PARSE) {
        subject_input_clear(&made->input);
        return;
    }
    assignment_clear(&made->x);
    densities_clear(&made->densities);
    synthesis_sides_free(&made->sides, made->m);
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
    const densities_t *d = x->densities;
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
