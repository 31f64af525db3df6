/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "api/partition.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/random.h"

/* Scratch of the multiplications and tables of the transforms, for any circuit. */
#define SCRATCH_BYTES ((uint64_t)256 << 20)

/* a, b and h of the domain; a witness of elements alone, which is the most it can be. */
uint64_t partition_bytes(const srs_t *srs)
{
    const uint64_t domain = (uint64_t)srs->h.n + 1;

    return (3 * domain + (uint64_t)srs->l.n + srs->vk.n_ic) * sizeof(fr_t) + SCRATCH_BYTES;
}

static cuzk_status check_inputs(const assignment_t *x, const partition_t *p, cuzk_error *err)
{
    const witness_t *w = &x->witness;

    if (w->n_inputs == p->n_public_inputs + 1 &&
        memcmp(w->inputs + 1, p->public_inputs, p->n_public_inputs * sizeof *w->inputs) == 0)
        return CUZK_OK;
    return error_set(err, CUZK_ERR_INTERNAL,
                     "partition %zu: the circuit's inputs are not the verifier's", p->index);
}

/* The check that no proof leaves without: the bytes, as a verifier reads them. */
static cuzk_status check_proof(const uint8_t bytes[GROTH16_PROOF_BYTES], const srs_t *srs,
                               const partition_t *p, cuzk_error *err)
{
    proof_t proof;
    cuzk_status st = groth16_read_proof(&proof, bytes, err);

    if (st == CUZK_OK)
        st = groth16_verify(&srs->vk, p->public_inputs, p->n_public_inputs, &proof, err);
    if (st == CUZK_OK) return CUZK_OK;
    return error_set(
        err, CUZK_ERR_INTERNAL,
        "partition %zu: the proof failed its own check (damaged parameters, or a fault "
        "of this machine): %s",
        p->index, srs->path);
}

/* The compiled circuit's plan, by way of the context's cache. */
static cuzk_status find_plan(const circuit_plan_t **plan, const cuzk_context *context,
                             const partition_t *partition, cuzk_error *err)
{
    uint8_t digest[SHA256_BYTES];
    const pce_circuit_t circuit = {.label = partition->row->label,
                                   .digest = digest,
                                   .circuit = partition->circuit,
                                   .values = partition->values};
    const pce_t *pce;

    circuit_r1cs_digest(digest, partition->row);
    const cuzk_status st = pce_cache_get(&pce, context->pces, &circuit, err);
    if (st == CUZK_OK) *plan = pce_plan(pce);
    return st;
}

cuzk_status partition_prove(uint8_t bytes[GROTH16_PROOF_BYTES], cuzk_timings *timings,
                            cuzk_context *context, const srs_t *srs, const partition_t *partition,
                            cuzk_error *err)
{
    synthesis_hints_t hints = {.strand = context->strand};
    groth16_blinding_t blinding;
    groth16_timings_t inner;
    assignment_t x;
    proof_t proof;

    context_report(context, "compile", partition->index, partition->count);
    uint64_t since = clock_monotonic_ns();
    cuzk_status st = find_plan(&hints.plan, context, partition, err);
    if (st != CUZK_OK) return st;
    timings->compile_s += lap(&since);
    context_report(context, "synthesis", partition->index, partition->count);
    st = synthesis_prove(&x, partition->circuit, partition->values, &hints, err);
    if (st != CUZK_OK) return st;
    timings->synthesis_s += lap(&since);
    st = check_inputs(&x, partition, err);
    if (st != CUZK_OK) goto out;

    context_report(context, "proof", partition->index, partition->count);
    st = groth16_random_blinding(&blinding, err);
    if (st != CUZK_OK) goto out;
    st = groth16_prove(&proof, &inner, srs, &x, &blinding, context->strand, err);
    wipe(&blinding, sizeof blinding);
    if (st != CUZK_OK) goto out;
    timings->h_s += inner.h_s;
    timings->msm_s += inner.msm_s;

    context_report(context, "check", partition->index, partition->count);
    const uint64_t proved = clock_monotonic_ns();
    groth16_write_proof(bytes, &proof);
    st = check_proof(bytes, srs, partition, err);
    timings->verify_s += seconds_between(proved, clock_monotonic_ns());
out:
    assignment_clear(&x);
    return st;
}

static cuzk_status verify_decoded(const cuzk_context *context, const srs_vk_t *vk,
                                  const fr_t *inputs, uint32_t n_inputs, size_t n_partitions,
                                  const uint8_t *bytes, cuzk_error *err)
{
    proof_t *proofs = small_alloc(n_partitions, sizeof *proofs);
    cuzk_status st = CUZK_OK;

    for (size_t i = 0; i < n_partitions && st == CUZK_OK; i++) {
        st = groth16_read_proof(&proofs[i], bytes + i * GROTH16_PROOF_BYTES, err);
        if (st != CUZK_OK) st = error_within(err, "proof %zu", i);
    }
    if (st == CUZK_OK)
        st = groth16_verify_many(vk, inputs, n_inputs, proofs, n_partitions, context->strand, err);
    free(proofs);
    return st;
}

cuzk_status partitions_verify(const cuzk_context *context, const circuit_row_t *row,
                              const fr_t *inputs, uint32_t n_inputs, size_t n_partitions,
                              const uint8_t *proofs, size_t length, cuzk_error *err)
{
    const size_t expected = n_partitions * GROTH16_PROOF_BYTES;
    srs_vk_t vk;

    if (length != expected)
        return error_set(err, CUZK_ERR_ARG,
                         "proof: %zu bytes, expected %zu (%zu proofs of %d bytes)", length,
                         expected, n_partitions, GROTH16_PROOF_BYTES);
    cuzk_status st = params_open_vk(&vk, &context->params, row, n_inputs, err);
    if (st != CUZK_OK) return st;
    st = verify_decoded(context, &vk, inputs, n_inputs, n_partitions, proofs, err);
    srs_vk_clear(&vk);
    return st;
}
