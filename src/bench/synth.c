/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/synth.h"

#include <math.h>

#include "base/clock.h"
#include "base/memory.h"
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

static synthesis_hints_t make_hints(const synth_t *synth, bool want_c)
{
    synthesis_hints_t hints = {.path = SYNTHESIS_GENERIC, .want_c = want_c};

    if (synth->variant.path != SYNTH_GENERIC) {
        hints.path = synth->variant.path == SYNTH_PCE ? SYNTHESIS_WITNESS : SYNTHESIS_STAMPED;
        hints.plan = pce_plan(synth->pce);
        hints.pool = synth->subject->pool;
    } else if (synth->variant.presize) {
        hints.lg_domain = circuit_lg_domain(&synth->counts);
        hints.n_inputs = synth->counts.n_inputs;
        hints.n_aux = synth->counts.n_aux;
    }
    return hints;
}

cuzk_status synth_values(assignment_t *x, const synth_t *synth, bool want_c, cuzk_error *err)
{
    const synthesis_hints_t hints = make_hints(synth, want_c);

    return synthesis_prove(x, synth->subject->job.ops->circuit, synth->subject->values, &hints,
                           err);
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
        st = pce_evaluate(x->a, x->b, x->c, synth->pce, &x->witness, synth->subject->pool, err);
    return st;
}

cuzk_status synth_run(assignment_t *x, synth_phases_t *phases, const synth_t *synth,
                      cuzk_error *err)
{
    const uint64_t start = clock_monotonic_ns();

    *phases = (synth_phases_t){(double)NAN, (double)NAN};
    cuzk_status st = synth_values(x, synth, true, err);
    if (st != CUZK_OK || synth->variant.path != SYNTH_PCE) return st;
    const uint64_t middle = clock_monotonic_ns();
    st = synth_evaluate(x, synth, err);
    phases->witness_s = seconds_between(start, middle);
    phases->abc_s = seconds_between(middle, clock_monotonic_ns());
    if (st != CUZK_OK) assignment_clear(x);
    return st;
}

static void digest_elements(uint8_t digest[SHA256_BYTES], const fr_t *elements, size_t n)
{
    scalar_t block[DIGEST_ITEMS];
    sha256_t hash;

    sha256_init(&hash);
    while (n > 0) {
        const size_t now = n < DIGEST_ITEMS ? n : DIGEST_ITEMS;

        fr_batch_to_scalar(block, elements, now);
        sha256_update(&hash, block, now * sizeof *block);
        elements += now;
        n -= now;
    }
    sha256_final(digest, &hash);
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

void synth_digest(synth_digests_t *digests, const assignment_t *x)
{
    digest_aux(digests->aux, &x->witness);
    digest_elements(digests->a, x->a, x->counts.n_constraints);
    digest_elements(digests->b, x->b, x->counts.n_constraints);
    digest_elements(digests->c, x->c, x->counts.n_constraints);
}

void synth_write_digests(json_writer_t *w, const synth_digests_t *d)
{
    json_write_hex(w, "aux_sha256", d->aux, SHA256_BYTES);
    json_write_hex(w, "a_sha256", d->a, SHA256_BYTES);
    json_write_hex(w, "b_sha256", d->b, SHA256_BYTES);
    json_write_hex(w, "c_sha256", d->c, SHA256_BYTES);
}
