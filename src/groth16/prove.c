/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "groth16/groth16.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/random.h"
#include "groth16/query.h"
#include "groth16/quotient.h"
#include "msm/run.h"

static cuzk_status expect(const srs_t *srs, const char *section, uint64_t there, uint64_t needed,
                          cuzk_error *err)
{
    if (there == needed) return CUZK_OK;
    return error_set(err, CUZK_ERR_ARG,
                     "%s: not the parameters of this circuit: %s: count %llu, %llu needed",
                     srs->path, section, (unsigned long long)there, (unsigned long long)needed);
}

cuzk_status groth16_match(const srs_t *srs, const circuit_counts_t *counts, cuzk_error *err)
{
    const uint64_t domain = (uint64_t)1 << circuit_lg_domain(counts);
    const struct {
        const char *section;
        uint64_t there, needed;
    } rows[] = {{"ic", srs->vk.n_ic, counts->n_inputs},
                {"h", srs->h.n, domain - 1},
                {"l", srs->l.n, counts->n_aux},
                {"a", srs->a.n, counts->n_inputs + counts->a_aux},
                {"b_g1", srs->b_g1.n, counts->b_input + counts->b_aux},
                {"b_g2", srs->b_g2.n, counts->b_input + counts->b_aux}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const cuzk_status st = expect(srs, rows[i].section, rows[i].there, rows[i].needed, err);

        if (st != CUZK_OK) return st;
    }
    return CUZK_OK;
}

synthesis_hints_t groth16_hints(const srs_t *srs)
{
    const uint64_t domain = (uint64_t)srs->h.n + 1;

    return (synthesis_hints_t){.lg_domain = (unsigned)__builtin_ctzll(domain),
                               .n_inputs = srs->vk.n_ic,
                               .n_aux = (uint32_t)srs->l.n};
}

/* The sums of a proof, and how long each took. */
typedef struct {
    g1_jac_t h, l, a, b1;
    g2_jac_t b2;
    groth16_timings_t seconds;
} sums_t;

/* Everything a sum is made from. */
typedef struct {
    const srs_t *srs;
    const assignment_t *x;
    const scalar_t *scalars; /* query_convert() */
    const query_t *b;        /* of both sums over B */
    msm_options_t options;
    strand_t *strand;
    cuzk_error *err;
} source_t;

/* The window for all sums, or for each its own. */
static msm_options_t choose_options(const groth16_prover_t *prover)
{
    msm_options_t options = {0};
    msm_plan_t plan;

    if (prover->variant.one_window) {
        msm_plan_make(&plan, msm_group_g1(), prover->srs->h.n, 0, 0, 1);
        options.window_bits = plan.window_bits;
    }
    return options;
}

/* The quotient and its sum; nothing else of the proof is in memory meanwhile. */
static cuzk_status sum_h(sums_t *sums, const groth16_prover_t *prover, assignment_t *x,
                         cuzk_error *err)
{
    const msm_options_t options = choose_options(prover);
    const size_t m = (size_t)1 << x->lg_domain;
    uint64_t since = clock_monotonic_ns();
    scalar_t *h;
    cuzk_status st = groth16_quotient(&h, x, prover->strand, err);

    if (st != CUZK_OK) return st;
    sums->seconds.h_s = lap(&since);
    st = msm_g1(&sums->h, &prover->srs->h, &(msm_scalars_t){.scalars = h, .n_terms = m - 1},
                &options, prover->strand, err);
    sums->seconds.msm_h_s = lap(&since);
    big_free(h, m, sizeof *h);
    return st;
}

static cuzk_status sum_query_g1(g1_jac_t *r, double *seconds, const source_t *from,
                                const g1_source_t *points, const query_members_t *members)
{
    uint64_t since = clock_monotonic_ns();
    query_t q;
    cuzk_status st = query_build(&q, &from->x->witness, members, from->strand, from->err);

    if (st != CUZK_OK) return st;
    const msm_scalars_t scalars = query_scalars(&q, from->scalars);
    st = msm_g1(r, points, &scalars, &from->options, from->strand, from->err);
    query_clear(&q);
    *seconds = lap(&since);
    return st;
}

static cuzk_status sum_g1(sums_t *sums, const source_t *from)
{
    const query_members_t in_l = {.has_inputs = false};
    const query_members_t in_a = {.has_inputs = true,
                                  .aux_dense = &assignment_densities(from->x)->a_aux};
    const msm_scalars_t in_b = query_scalars(from->b, from->scalars);
    groth16_timings_t *t = &sums->seconds;
    cuzk_status st = sum_query_g1(&sums->l, &t->msm_l_s, from, &from->srs->l, &in_l);

    if (st == CUZK_OK) st = sum_query_g1(&sums->a, &t->msm_a_s, from, &from->srs->a, &in_a);
    uint64_t since = clock_monotonic_ns();
    if (st == CUZK_OK)
        st = msm_g1(&sums->b1, &from->srs->b_g1, &in_b, &from->options, from->strand, from->err);
    t->msm_b1_s = lap(&since);
    return st;
}

static cuzk_status sum_g2(sums_t *sums, const source_t *from)
{
    const msm_scalars_t in_b = query_scalars(from->b, from->scalars);
    uint64_t since = clock_monotonic_ns();
    const cuzk_status st =
        msm_g2(&sums->b2, &from->srs->b_g2, &in_b, &from->options, from->strand, from->err);

    sums->seconds.msm_b2_s = lap(&since);
    return st;
}

static cuzk_status sum_groups(sums_t *sums, const source_t *from, bool parallel)
{
    (void)parallel;
    const cuzk_status st = sum_g1(sums, from);
    return st == CUZK_OK ? sum_g2(sums, from) : st;
}

static cuzk_status sum_witness(sums_t *sums, const groth16_prover_t *prover, const assignment_t *x,
                               cuzk_error *err)
{
    const densities_t *d = assignment_densities(x);
    const query_members_t in_b = {
        .has_inputs = true, .input_dense = &d->b_input, .aux_dense = &d->b_aux};
    scalar_t *scalars;
    query_t b;
    cuzk_status st = query_convert(&scalars, &x->witness, prover->strand, err);

    if (st != CUZK_OK) return st;
    st = query_build(&b, &x->witness, &in_b, prover->strand, err);
    if (st == CUZK_OK) {
        const source_t from = {.srs = prover->srs,
                               .x = x,
                               .scalars = scalars,
                               .b = &b,
                               .options = choose_options(prover),
                               .strand = prover->strand,
                               .err = err};
        st = sum_groups(sums, &from, prover->variant.g2_parallel);
        query_clear(&b);
    }
    big_free(scalars, (size_t)x->witness.n_inputs + x->witness.n_elements, sizeof *scalars);
    return st;
}

/* A = alpha + sum_a + r delta, B1 = beta + sum_b (in G1, without s delta),
 * C = sum_l + sum_h + s A + r B1. */
static void assemble_g1(proof_t *proof, const sums_t *sums, const srs_vk_t *vk, const scalar_t *r,
                        const scalar_t *s)
{
    g1_jac_t a, c, term;

    g1_from_affine(&term, &vk->delta_g1);
    g1_mul(&a, &term, r);
    g1_add_affine(&a, &a, &vk->alpha_g1);
    g1_add(&a, &a, &sums->a);
    g1_to_affine(&proof->a, &a);

    g1_mul(&c, &a, s);
    g1_add_affine(&term, &sums->b1, &vk->beta_g1);
    g1_mul(&term, &term, r);
    g1_add(&c, &c, &term);
    g1_add(&c, &c, &sums->h);
    g1_add(&c, &c, &sums->l);
    g1_to_affine(&proof->c, &c);
}

/* B = beta + sum_b + s delta in G2. */
static void assemble_g2(proof_t *proof, const sums_t *sums, const srs_vk_t *vk, const scalar_t *s)
{
    g2_jac_t b, term;

    g2_from_affine(&term, &vk->delta_g2);
    g2_mul(&b, &term, s);
    g2_add_affine(&b, &b, &vk->beta_g2);
    g2_add(&b, &b, &sums->b2);
    g2_to_affine(&proof->b, &b);
}

static cuzk_status assemble(proof_t *proof, const sums_t *sums, const srs_vk_t *vk,
                            const groth16_blinding_t *blinding, cuzk_error *err)
{
    scalar_t r, s;

    fr_to_scalar(&r, &blinding->r);
    fr_to_scalar(&s, &blinding->s);
    assemble_g1(proof, sums, vk, &r, &s);
    assemble_g2(proof, sums, vk, &s);
    wipe(&r, sizeof r);
    wipe(&s, sizeof s);
    if (g1_affine_is_identity(&proof->a) || g2_affine_is_identity(&proof->b) ||
        g1_affine_is_identity(&proof->c))
        return error_set(err, CUZK_ERR_INTERNAL, "proof: a part is the identity");
    return CUZK_OK;
}

cuzk_status groth16_prove_variant(proof_t *proof, groth16_timings_t *timings,
                                  const groth16_prover_t *prover, assignment_t *x,
                                  const groth16_blinding_t *blinding, cuzk_error *err)
{
    sums_t sums = {0};
    uint64_t since = clock_monotonic_ns();
    cuzk_status st = groth16_match(prover->srs, &x->counts, err);

    if (st == CUZK_OK) st = sum_h(&sums, prover, x, err);
    assignment_release_a(x);
    assignment_release_b(x);
    if (st == CUZK_OK) st = sum_witness(&sums, prover, x, err);
    if (st == CUZK_OK) st = assemble(proof, &sums, &prover->srs->vk, blinding, err);
    sums.seconds.msm_s = lap(&since) - sums.seconds.h_s;
    if (timings != NULL) *timings = sums.seconds;
    return st;
}

cuzk_status groth16_prove(proof_t *proof, groth16_timings_t *timings, const srs_t *srs,
                          assignment_t *x, const groth16_blinding_t *blinding, strand_t *strand,
                          cuzk_error *err)
{
    const groth16_prover_t prover = {.srs = srs, .strand = strand};

    return groth16_prove_variant(proof, timings, &prover, x, blinding, err);
}
