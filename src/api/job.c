/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "api/job.h"

#include <stdlib.h>

#include "api/partition.h"
#include "base/clock.h"
#include "base/memory.h"

void job_close(job_t *job)
{
    job->ops->close(job);
}

static cuzk_status prove_one(uint8_t bytes[GROTH16_PROOF_BYTES], cuzk_timings *timings,
                             const cuzk_context *context, const srs_t *srs, const job_t *job,
                             uint32_t k, cuzk_error *err)
{
    fr_t *inputs = small_alloc(job->n_public_inputs, sizeof *inputs);
    void *values = job->ops->values(job, k);

    job->ops->public_inputs(job, inputs, k);
    const partition_t partition = {.circuit = job->ops->circuit,
                                   .values = values,
                                   .public_inputs = inputs,
                                   .n_public_inputs = job->n_public_inputs,
                                   .index = k,
                                   .count = job->n_partitions};
    const cuzk_status st = partition_prove(bytes, timings, context, srs, &partition, err);
    free(values);
    free(inputs);
    return st;
}

cuzk_status job_prove(cuzk_proofs *proofs, const cuzk_context *context, const job_t *job,
                      uint64_t start_ns, cuzk_error *err)
{
    const size_t length = (size_t)job->n_partitions * GROTH16_PROOF_BYTES;
    cuzk_timings timings = {.parse_s = seconds_between(start_ns, clock_monotonic_ns())};
    srs_t srs;

    cuzk_status st = context_open_srs(&srs, context, job->row, err);
    if (st != CUZK_OK) return st;
    uint8_t *bytes = small_alloc(length, 1);
    for (uint32_t k = 0; k < job->n_partitions && st == CUZK_OK; k++)
        st = prove_one(bytes + (size_t)k * GROTH16_PROOF_BYTES, &timings, context, &srs, job, k,
                       err);
    srs_close(&srs);
    if (st != CUZK_OK) {
        free(bytes);
        return st;
    }
    timings.total_s = seconds_between(start_ns, clock_monotonic_ns());
    *proofs = (cuzk_proofs){.bytes = bytes, .length = length, .timings = timings};
    return CUZK_OK;
}

void cuzk_proofs_clear(cuzk_proofs *proofs)
{
    free(proofs->bytes);
    *proofs = (cuzk_proofs){0};
}
