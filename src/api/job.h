/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_API_JOB_H
#define CUZK_API_JOB_H

/* A parsed and checked input of any proof kind, as partitions ready to be synthesised. */

#include "api/context.h"

/** How deep an input is looked into before anything is made of it. */
typedef enum {
    JOB_CHECK_FORM,   /* lengths, counts, ranges: what a witness needs to be made at all */
    JOB_CHECK_CONTENT /* also that it is right: challenges, commitments, paths */
} job_check;

typedef struct job job_t;

/** What a kind does with its own data; partitions are below job->n_partitions. */
typedef struct {
    circuit_fn circuit;
    /** The values of a partition for the circuit; release with free(). They point into the job. */
    void *(*values)(const job_t *job, uint32_t partition);
    /** inputs[0 .. n_public_inputs-1] of a partition, as the verifier derives them. */
    void (*public_inputs)(const job_t *job, fr_t *inputs, uint32_t partition);
    void (*close)(job_t *job);
} job_ops_t;

struct job {
    const circuit_row_t *row;
    const job_ops_t *ops;
    uint32_t n_partitions;
    uint32_t n_public_inputs; /* of each partition, ONE not among them */
    void *data;               /* the kind's own, released by ops->close */
};

/** Read and check an input. Release with job_close(), on success only. Nothing of the input is
 *  needed afterwards. */
cuzk_status job_open_post(job_t *job, const cuzk_post_input *input, job_check check,
                          strand_t *strand, cuzk_error *err);
cuzk_status job_open_porep(job_t *job, const cuzk_porep_input *input, job_check check,
                           strand_t *strand, cuzk_error *err);
cuzk_status job_open_update(job_t *job, const cuzk_update_statement *statement,
                            const cuzk_bytes *vanilla, size_t n_vanilla, job_check check,
                            strand_t *strand, cuzk_error *err);

void job_close(job_t *job);

/** Proves all partitions of a job, as many at once as the memory budget and the threads allow;
 *  start_ns is when the call began. The error is that of the first partition that failed. */
cuzk_status job_prove(cuzk_proofs *proofs, cuzk_context *context, const job_t *job,
                      uint64_t start_ns, cuzk_error *err);

#endif
