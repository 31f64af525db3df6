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
    const points_t points = {
        .n = vk->n_ic, .form = POINTS_AFFINE, .point_bytes = sizeof *vk->ic, .base = vk->ic};
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
    scalar_t *k = mem_alloc(vk->n_ic, sizeof *k, "public inputs", err);
    if (k == NULL) return err->status;
    k[0].l[0] = 1;
    fr_batch_to_scalar(k + 1, inputs, n);
    st = sum_ic(&p[1], vk, k, NULL, err);
    free(k);
    if (st != CUZK_OK) return st;
    return verdict(pairing_product_is(p, q, 3, &proof->a, &proof->b), err);
}

/* Many proofs, with their random factors, and scratch. */
typedef struct {
    const srs_vk_t *vk;
    const fr_t *inputs;
    uint32_t n;
    const proof_t *proofs;
    size_t n_proofs;
    scalar_t *factors; /* n_proofs, below 2^128 */
    g1_affine_t *c;    /* n_proofs */
    fr_t *sums;        /* n + 1 */
    scalar_t *k;       /* n + 1: the key's */
    size_t n_loops;
    gt_t *loops; /* a task's product of Miller loops */
} verify_batch_t;

static cuzk_status draw_factors(verify_batch_t *b, cuzk_error *err)
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
    const verify_batch_t *b = arg;
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
static void combine_inputs(verify_batch_t *b)
{
    for (size_t i = 0; i < b->n_proofs; i++) {
        fr_t factor, product;

        fr_from_scalar(&factor, &b->factors[i]);
        fr_add(&b->sums[0], &b->sums[0], &factor);
        for (uint32_t j = 0; j < b->n; j++) {
            fr_mul(&product, &factor, &b->inputs[i * b->n + j]);
            fr_add(&b->sums[j + 1], &b->sums[j + 1], &product);
        }
    }
    fr_batch_to_scalar(b->k, b->sums, (size_t)b->n + 1);
}

/* The points the key is paired with: p[0] with beta, p[1] with gamma, p[2] with delta. */
static cuzk_status combine_points(g1_affine_t p[3], verify_batch_t *b, strand_t *strand,
                                  cuzk_error *err)
{
    const points_t points = {
        .n = b->n_proofs, .form = POINTS_AFFINE, .point_bytes = sizeof *b->c, .base = b->c};
    const msm_scalars_t scalars = {.scalars = b->factors, .n_terms = b->n_proofs};
    g1_jac_t sum;

    combine_inputs(b);
    g1_mul_affine(&p[0], &b->vk->alpha_g1, &b->k[0]);
    cuzk_status st = sum_ic(&p[1], b->vk, b->k, strand, err);
    for (size_t i = 0; i < b->n_proofs; i++) b->c[i] = b->proofs[i].c;
    if (st == CUZK_OK) st = msm_g1(&sum, &points, &scalars, &(msm_options_t){0}, strand, err);
    if (st == CUZK_OK) g1_to_affine(&p[2], &sum);
    return st;
}

static cuzk_status verify_batch(verify_batch_t *b, strand_t *strand, cuzk_error *err)
{
    const g2_affine_t q[3] = {b->vk->beta_g2, b->vk->gamma_g2, b->vk->delta_g2};
    g1_affine_t p[3];
    gt_t left, right;
    cuzk_status st = draw_factors(b, err);

    if (st == CUZK_OK) st = combine_points(p, b, strand, err);
    if (st != CUZK_OK) return st;
    pairing_miller(&right, p, q, 3);
    st = strand_run(strand, b->n_loops, multiply_pairs, b, err);
    if (st != CUZK_OK) return st;
    left = b->loops[0];
    for (size_t i = 1; i < b->n_loops; i++) pairing_mul(&left, &left, &b->loops[i]);
    return verdict(pairing_equal(&left, &right), err);
}

static size_t count_loops(size_t n_proofs)
{
    return (n_proofs + PAIRS_A_TASK - 1) / PAIRS_A_TASK;
}

/* All of a batch's scratch, one array after the other in *memory. */
static cuzk_status alloc_batch(verify_batch_t *b, void **memory, cuzk_error *err)
{
    const cuzk_status st =
        big_alloc(memory, groth16_verify_bytes(b->n, b->n_proofs), 1, "proofs to verify", err);

    if (st != CUZK_OK) return st;
    b->n_loops = count_loops(b->n_proofs);
    b->loops = *memory;
    b->c = (g1_affine_t *)(void *)(b->loops + b->n_loops);
    b->factors = (scalar_t *)(void *)(b->c + b->n_proofs);
    b->k = b->factors + b->n_proofs;
    b->sums = (fr_t *)(void *)(b->k + (size_t)b->n + 1);
    return CUZK_OK;
}

uint64_t groth16_verify_bytes(uint32_t n, size_t n_proofs)
{
    return (uint64_t)count_loops(n_proofs) * sizeof(gt_t) +
           (uint64_t)n_proofs * (sizeof(g1_affine_t) + sizeof(scalar_t)) +
           ((uint64_t)n + 1) * (sizeof(scalar_t) + sizeof(fr_t));
}

cuzk_status groth16_verify_many(const srs_vk_t *vk, const fr_t *inputs, uint32_t n,
                                const proof_t *proofs, size_t n_proofs, strand_t *strand,
                                cuzk_error *err)
{
    verify_batch_t b = {.vk = vk, .inputs = inputs, .n = n, .proofs = proofs, .n_proofs = n_proofs};
    void *memory;
    cuzk_status st = check_count(vk, n, err);

    if (st != CUZK_OK || n_proofs == 0) return st;
    st = alloc_batch(&b, &memory, err);
    if (st != CUZK_OK) return st;
    st = verify_batch(&b, strand, err);
    big_free(memory, groth16_verify_bytes(n, n_proofs), 1);
    return st;
}
