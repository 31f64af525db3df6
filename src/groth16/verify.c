/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"
#include "curve/pairing.h"
#include "field/fr_batch.h"
#include "groth16/groth16.h"
#include "msm/msm.h"

enum { FACTOR_BYTES = 16, PAIRS_A_TASK = 4 };

static cuzk_status check_count(const srs_vk_t *vk, uint32_t n, cuzk_error *err)
{
    if (n == vk->n_ic - 1) return CUZK_OK;
    return error_set(err, CUZK_ERR_ARG, "public inputs: %u given, the key has %u", n, vk->n_ic - 1);
}

/* r = sum(k[j] * ic[j]) over all of ic. */
static cuzk_status sum_ic(g1_affine_t *r, const srs_vk_t *vk, const scalar_t *k, strand_t *strand,
                          cuzk_error *err)
{
    const g1_source_t points = {vk->ic, vk->n_ic, G1_FORM_AFFINE};
    const msm_scalars_t scalars = {.scalars = k, .n_terms = vk->n_ic};
    g1_jac_t sum;
    const cuzk_status st = msm_g1(&sum, &points, &scalars, &(msm_options_t){0}, strand, err);

    if (st == CUZK_OK) g1_to_affine(r, &sum);
    return st;
}

static cuzk_status verdict(bool good, cuzk_error *err)
{
    if (good) return CUZK_OK;
    return error_set(err, CUZK_INVALID_PROOF, "proof: does not verify under this key and inputs");
}

cuzk_status groth16_verify(const srs_vk_t *vk, const fr_t *inputs, uint32_t n, const proof_t *proof,
                           cuzk_error *err)
{
    cuzk_status st = check_count(vk, n, err);
    g1_affine_t p[3] = {[0] = vk->alpha_g1, [2] = proof->c};
    const g2_affine_t q[3] = {vk->beta_g2, vk->gamma_g2, vk->delta_g2};

    if (st != CUZK_OK) return st;
    scalar_t *k = small_alloc(vk->n_ic, sizeof *k);
    k[0].l[0] = 1;
    fr_batch_to_scalar(k + 1, inputs, n);
    st = sum_ic(&p[1], vk, k, NULL, err);
    free(k);
    if (st != CUZK_OK) return st;
    return verdict(pairing_product_is(p, q, 3, &proof->a, &proof->b), err);
}

/* Many proofs, with their random factors. */
typedef struct {
    const srs_vk_t *vk;
    const fr_t *inputs;
    uint32_t n;
    const proof_t *proofs;
    size_t n_proofs;
    scalar_t *factors; /* n_proofs, below 2^128 */
    gt_t *loops;       /* a task's product of Miller loops */
} batch_t;

static cuzk_status draw_factors(batch_t *b, cuzk_error *err)
{
    for (size_t i = 0; i < b->n_proofs; i++) {
        const cuzk_status st = random_bytes(b->factors[i].l, FACTOR_BYTES, err);

        if (st != CUZK_OK) return st;
    }
    return CUZK_OK;
}

/* product(e(factor A, B)) over a few proofs, before the final exponentiation. */
static void multiply_pairs(void *arg, size_t task, uint32_t worker)
{
    const batch_t *b = arg;
    const size_t first = task * PAIRS_A_TASK;
    const size_t left = b->n_proofs - first;
    const size_t n = left < PAIRS_A_TASK ? left : PAIRS_A_TASK;
    g1_affine_t p[PAIRS_A_TASK];
    g2_affine_t q[PAIRS_A_TASK];

    (void)worker;
    for (size_t i = 0; i < n; i++) {
        g1_mul_affine(&p[i], &b->proofs[first + i].a, &b->factors[first + i]);
        q[i] = b->proofs[first + i].b;
    }
    pairing_miller(&b->loops[task], p, q, n);
}

/* The key's scalars: sum(factor) for ONE, sum(factor * input j) for the others. */
static void combine_inputs(scalar_t *k, const batch_t *b)
{
    fr_t *sums = small_alloc((size_t)b->n + 1, sizeof *sums);

    for (size_t i = 0; i < b->n_proofs; i++) {
        fr_t factor, product;

        fr_from_scalar(&factor, &b->factors[i]);
        fr_add(&sums[0], &sums[0], &factor);
        for (uint32_t j = 0; j < b->n; j++) {
            fr_mul(&product, &factor, &b->inputs[i * b->n + j]);
            fr_add(&sums[j + 1], &sums[j + 1], &product);
        }
    }
    fr_batch_to_scalar(k, sums, (size_t)b->n + 1);
    free(sums);
}

/* The points the key is paired with: p[0] with beta, p[1] with gamma, p[2] with delta. */
static cuzk_status combine_points(g1_affine_t p[3], const batch_t *b, strand_t *strand,
                                  cuzk_error *err)
{
    scalar_t *k = small_alloc((size_t)b->n + 1, sizeof *k);
    g1_affine_t *c = small_alloc(b->n_proofs, sizeof *c);
    const g1_source_t points = {c, b->n_proofs, G1_FORM_AFFINE};
    const msm_scalars_t scalars = {.scalars = b->factors, .n_terms = b->n_proofs};
    g1_jac_t sum;

    combine_inputs(k, b);
    g1_mul_affine(&p[0], &b->vk->alpha_g1, &k[0]);
    cuzk_status st = sum_ic(&p[1], b->vk, k, strand, err);
    for (size_t i = 0; i < b->n_proofs; i++) c[i] = b->proofs[i].c;
    if (st == CUZK_OK) st = msm_g1(&sum, &points, &scalars, &(msm_options_t){0}, strand, err);
    if (st == CUZK_OK) g1_to_affine(&p[2], &sum);
    free(c);
    free(k);
    return st;
}

static cuzk_status verify_batch(batch_t *b, strand_t *strand, cuzk_error *err)
{
    const size_t n_tasks = (b->n_proofs + PAIRS_A_TASK - 1) / PAIRS_A_TASK;
    const g2_affine_t q[3] = {b->vk->beta_g2, b->vk->gamma_g2, b->vk->delta_g2};
    g1_affine_t p[3];
    gt_t left, right;
    cuzk_status st = draw_factors(b, err);

    if (st == CUZK_OK) st = combine_points(p, b, strand, err);
    if (st != CUZK_OK) return st;
    pairing_miller(&right, p, q, 3);
    b->loops = small_alloc(n_tasks, sizeof *b->loops);
    st = strand_run(strand, n_tasks, multiply_pairs, b, err);
    left = b->loops[0];
    for (size_t i = 1; i < n_tasks; i++) pairing_mul(&left, &left, &b->loops[i]);
    free(b->loops);
    if (st != CUZK_OK) return st;
    return verdict(pairing_equal(&left, &right), err);
}

cuzk_status groth16_verify_many(const srs_vk_t *vk, const fr_t *inputs, uint32_t n,
                                const proof_t *proofs, size_t n_proofs, strand_t *strand,
                                cuzk_error *err)
{
    batch_t b = {.vk = vk, .inputs = inputs, .n = n, .proofs = proofs, .n_proofs = n_proofs};
    cuzk_status st = check_count(vk, n, err);

    if (st != CUZK_OK || n_proofs == 0) return st;
    b.factors = small_alloc(n_proofs, sizeof *b.factors);
    st = verify_batch(&b, strand, err);
    free(b.factors);
    return st;
}
