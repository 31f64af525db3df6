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
                             cuzk_context *context, const srs_t *srs, const job_t *job, uint32_t k,
                             cuzk_error *err)
{
    fr_t *inputs = small_alloc(job->n_public_inputs, sizeof *inputs);
    void *values = job->ops->values(job, k);

    job->ops->public_inputs(job, inputs, k);
    const partition_t partition = {.row = job->row,
                                   .circuit = job->ops->circuit,
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

/* Lanes take the next partition each until none is left or one has failed. */
typedef struct {
    cuzk_context *context;
    const job_t *job;
    const srs_t *srs;
    uint8_t *bytes; /* of all proofs */
    pthread_mutex_t mutex;
    uint32_t next;        /* guarded by the mutex, as all below */
    cuzk_timings timings; /* of the partitions that are done */
    uint32_t failed;      /* the lowest partition that failed, n_partitions if none */
    cuzk_error error;     /* its */
} lanes_t;

static void add_timings(cuzk_timings *sum, const cuzk_timings *one)
{
    sum->compile_s += one->compile_s;
    sum->synthesis_s += one->synthesis_s;
    sum->h_s += one->h_s;
    sum->msm_s += one->msm_s;
    sum->verify_s += one->verify_s;
}

/* The next partition, or n_partitions when there is no more to do. */
static uint32_t take_partition(lanes_t *lanes)
{
    const uint32_t n = lanes->job->n_partitions;

    (void)pthread_mutex_lock(&lanes->mutex);
    const uint32_t k = lanes->next < n && lanes->failed == n ? lanes->next++ : n;
    (void)pthread_mutex_unlock(&lanes->mutex);
    return k;
}

static void run_lane(void *arg, size_t index, uint32_t worker)
{
    lanes_t *lanes = arg;

    (void)index;
    (void)worker;
    for (uint32_t k; (k = take_partition(lanes)) < lanes->job->n_partitions;) {
        cuzk_timings timings = {0};
        cuzk_error err;
        const cuzk_status st = prove_one(lanes->bytes + (size_t)k * GROTH16_PROOF_BYTES, &timings,
                                         lanes->context, lanes->srs, lanes->job, k, &err);

        (void)pthread_mutex_lock(&lanes->mutex);
        add_timings(&lanes->timings, &timings);
        if (st != CUZK_OK && k < lanes->failed) {
            lanes->failed = k;
            lanes->error = err;
        }
        (void)pthread_mutex_unlock(&lanes->mutex);
    }
}

/* How many partitions to prove at once. A quarter of the threads keeps a partition busy well
 * enough that more lanes only cover its serial parts. */
static cuzk_status count_lanes(uint32_t *n_lanes, const cuzk_context *context, const job_t *job,
                               const srs_t *srs, cuzk_error *err)
{
    const uint64_t each = partition_bytes(srs);
    const uint64_t budget =
        context->memory_budget != 0 ? context->memory_budget : memory_available_bytes();
    const uint64_t fit = budget / each;
    uint32_t n = 1 + strand_size(context->strand) / 4;

    if (context->memory_budget != 0 && fit == 0)
        return error_set(err, CUZK_ERR_BUDGET,
                         "memory budget: %llu bytes, one partition of %s takes %llu",
                         (unsigned long long)budget, job->row->label, (unsigned long long)each);
    if (n > job->n_partitions) n = job->n_partitions;
    *n_lanes = fit < n ? (fit == 0 ? 1 : (uint32_t)fit) : n;
    return CUZK_OK;
}

static cuzk_status run_lanes(lanes_t *lanes, cuzk_error *err)
{
    uint32_t n_lanes = 1;
    const cuzk_status st = count_lanes(&n_lanes, lanes->context, lanes->job, lanes->srs, err);

    if (st != CUZK_OK) return st;
    (void)pthread_mutex_init(&lanes->mutex, NULL);
    for (uint32_t i = 0; i < n_lanes; i++) run_lane(lanes, i, 0);
    (void)pthread_mutex_destroy(&lanes->mutex);
    if (lanes->failed == lanes->job->n_partitions) return CUZK_OK;
    *err = lanes->error;
    return err->status;
}

cuzk_status job_prove(cuzk_proofs *proofs, cuzk_context *context, const job_t *job,
                      uint64_t start_ns, cuzk_error *err)
{
    const size_t length = (size_t)job->n_partitions * GROTH16_PROOF_BYTES;
    const double parse_s = seconds_between(start_ns, clock_monotonic_ns());
    srs_t srs;

    cuzk_status st = params_open_srs(&srs, &context->params, job->row, err);
    if (st != CUZK_OK) return st;
    lanes_t lanes = {.context = context,
                     .job = job,
                     .srs = &srs,
                     .bytes = small_alloc(length, 1),
                     .timings = {.parse_s = parse_s},
                     .failed = job->n_partitions};
    st = run_lanes(&lanes, err);
    srs_close(&srs);
    if (st != CUZK_OK) {
        free(lanes.bytes);
        return st;
    }
    lanes.timings.total_s = seconds_between(start_ns, clock_monotonic_ns());
    *proofs = (cuzk_proofs){.bytes = lanes.bytes, .length = length, .timings = lanes.timings};
    return CUZK_OK;
}

void cuzk_proofs_clear(cuzk_proofs *proofs)
{
    free(proofs->bytes);
    *proofs = (cuzk_proofs){0};
}
