/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* Sector updates (SnapDeals). */

#include "update/update.h"

#include <stdlib.h>

#include "api/job.h"
#include "api/partition.h"
#include "base/clock.h"
#include "base/memory.h"
#include "update/circuit.h"
#include "update/vanilla.h"

typedef struct {
    arena_t arena;
    update_statement_t statement;
    update_proof_t proof;
} update_job_t;

static void *update_values(const job_t *job, uint32_t partition)
{
    const update_job_t *update = job->data;
    update_circuit_t *circuit = small_alloc(1, sizeof *circuit);

    *circuit = (update_circuit_t){
        .config = update->proof.config, .proof = &update->proof, .partition = partition};
    return circuit;
}

static void update_job_inputs(const job_t *job, fr_t *inputs, uint32_t partition)
{
    const update_job_t *update = job->data;

    update_public_inputs(inputs, &update->statement, partition);
}

static void update_job_close(job_t *job)
{
    update_job_t *update = job->data;

    arena_clear(&update->arena);
    free(update);
}

static const job_ops_t update_ops = {.circuit = update_circuit,
                                     .values = update_values,
                                     .public_inputs = update_job_inputs,
                                     .close = update_job_close};

static cuzk_status make_statement(update_statement_t *stated,
                                  const cuzk_update_statement *statement, cuzk_error *err)
{
    update_claim_t claim = {.config = update_config_by_number(statement->registered_proof)};

    if (claim.config == NULL)
        return error_set(err, CUZK_ERR_ARG, "registered_proof: %u is no update (0..%d)",
                         statement->registered_proof, UPDATE_PROOFS - 1);
    memcpy(claim.comm_r_old, statement->comm_r_old, sizeof claim.comm_r_old);
    memcpy(claim.comm_r_new, statement->comm_r_new, sizeof claim.comm_r_new);
    memcpy(claim.comm_d_new, statement->comm_d_new, sizeof claim.comm_d_new);
    return update_statement_init(stated, &claim, err);
}

static const circuit_row_t *row_of(const update_statement_t *stated)
{
    return circuit_row_by_bytes(KIND_UPDATE, stated->config->sector_size);
}

static cuzk_status read_vanilla(update_job_t *update, const cuzk_bytes *vanilla, size_t n,
                                cuzk_error *err)
{
    span_t *spans = small_alloc(n, sizeof *spans);

    for (size_t i = 0; i < n; i++)
        spans[i] = (span_t){.bytes = vanilla[i].bytes, .length = vanilla[i].length};
    const cuzk_status st =
        update_vanilla_read(&update->proof, &update->statement, spans, n, &update->arena, err);
    free(spans);
    return st;
}

cuzk_status job_open_update(job_t *job, const cuzk_update_statement *statement,
                            const cuzk_bytes *vanilla, size_t n_vanilla, job_check check,
                            strand_t *strand, cuzk_error *err)
{
    update_job_t *update = small_alloc(1, sizeof *update);

    arena_init(&update->arena);
    *job = (job_t){.ops = &update_ops, .n_public_inputs = UPDATE_PUBLIC_INPUTS, .data = update};
    cuzk_status st = make_statement(&update->statement, statement, err);
    if (st == CUZK_OK) st = read_vanilla(update, vanilla, n_vanilla, err);
    if (st == CUZK_OK && check == JOB_CHECK_CONTENT) st = update_check(&update->proof, strand, err);
    if (st != CUZK_OK) {
        job_close(job);
        return st;
    }
    job->row = row_of(&update->statement);
    job->n_partitions = update_partition_count(update->statement.config);
    return CUZK_OK;
}

cuzk_status cuzk_prove_update(cuzk_context *context, const cuzk_update_statement *statement,
                              const cuzk_bytes *vanilla, size_t n_vanilla, cuzk_proofs *proofs,
                              cuzk_error *error)
{
    const uint64_t start = clock_monotonic_ns();
    job_t job;

    cuzk_status st = job_open_update(&job, statement, vanilla, n_vanilla, JOB_CHECK_CONTENT,
                                     context->strand, error);
    if (st != CUZK_OK) return st;
    st = job_prove(proofs, context, &job, start, error);
    job_close(&job);
    return st;
}

cuzk_status cuzk_verify_update(cuzk_context *context, const cuzk_update_statement *statement,
                               const uint8_t *proofs, size_t length, cuzk_error *error)
{
    fr_t inputs[UPDATE_MAX_PARTITIONS * UPDATE_PUBLIC_INPUTS];
    update_statement_t stated;

    const cuzk_status st = make_statement(&stated, statement, error);
    if (st != CUZK_OK) return st;
    const uint32_t n = update_partition_count(stated.config);
    for (uint32_t k = 0; k < n; k++)
        update_public_inputs(inputs + (size_t)k * UPDATE_PUBLIC_INPUTS, &stated, k);
    return partitions_verify(context, row_of(&stated), inputs, UPDATE_PUBLIC_INPUTS, n, proofs,
                             length, error);
}
