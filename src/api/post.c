/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* WinningPoSt and WindowPoSt. */

#include "post/post.h"

#include <stdlib.h>

#include "api/job.h"
#include "api/partition.h"
#include "base/clock.h"
#include "base/memory.h"
#include "codec/prover_id.h"

enum { WINDOW_V1_1_FIRST = 10 /* registered proofs from here on count challenges the newer way */ };

/* What the chain's number asks for. */
static cuzk_status make_request(post_request_t *request, const circuit_row_t **row, uint32_t number,
                                uint64_t miner_id, const uint8_t randomness[32], cuzk_error *err)
{
    registered_proof_t proof;

    if (!registered_proof_by_number(&proof, KIND_WINNING, number) &&
        !registered_proof_by_number(&proof, KIND_WINDOW, number))
        return error_set(err, CUZK_ERR_ARG, "registered_proof: %u is no PoSt (0..14)", number);
    *request = (post_request_t){
        .kind = proof.row->kind == KIND_WINNING ? POST_WINNING : POST_WINDOW,
        .sector_bytes = proof.row->sector_bytes,
        .version = number >= WINDOW_V1_1_FIRST ? POST_V1_1 : POST_V1,
        .max_partitions = POST_ALL_PARTITIONS,
    };
    prover_id_from_miner(request->prover_id, miner_id);
    memcpy(request->randomness, randomness, sizeof request->randomness);
    *row = proof.row;
    return CUZK_OK;
}

static void *post_values(const job_t *job, uint32_t partition)
{
    post_circuit_t *circuit = small_alloc(1, sizeof *circuit);

    *circuit = post_partition(job->data, partition);
    return circuit;
}

static void post_job_inputs(const job_t *job, fr_t *inputs, uint32_t partition)
{
    const post_t *post = job->data;

    post_inputs(inputs, &post->statement, partition);
}

static void post_job_close(job_t *job)
{
    post_close(job->data);
    free(job->data);
}

static const job_ops_t post_ops = {.circuit = post_circuit,
                                   .values = post_values,
                                   .public_inputs = post_job_inputs,
                                   .close = post_job_close};

cuzk_status job_open_post(job_t *job, const cuzk_post_input *input, job_check check,
                          strand_t *strand, cuzk_error *err)
{
    const circuit_row_t *row;
    post_request_t request;

    cuzk_status st = make_request(&request, &row, input->registered_proof, input->miner_id,
                                  input->randomness, err);
    if (st != CUZK_OK) return st;
    post_t *post = small_alloc(1, sizeof *post);
    span_t *spans = small_alloc(input->n_vanilla, sizeof *spans);
    for (size_t i = 0; i < input->n_vanilla; i++)
        spans[i] = (span_t){.bytes = input->vanilla[i].bytes, .length = input->vanilla[i].length};
    st = post_open(post, &request, spans, input->n_vanilla, err);
    free(spans);
    if (st != CUZK_OK) {
        free(post);
        return st;
    }
    *job = (job_t){.row = row,
                   .ops = &post_ops,
                   .n_partitions = post->statement.n_partitions,
                   .n_public_inputs = (uint32_t)post_input_count(&post->statement),
                   .data = post};
    if (check == JOB_CHECK_CONTENT) st = post_check(post, strand, err);
    if (st != CUZK_OK) job_close(job);
    return st;
}

cuzk_status cuzk_prove_post(cuzk_context *context, const cuzk_post_input *input,
                            cuzk_proofs *proofs, cuzk_error *error)
{
    const uint64_t start = clock_monotonic_ns();
    job_t job;

    cuzk_status st = job_open_post(&job, input, JOB_CHECK_CONTENT, context->strand, error);
    if (st != CUZK_OK) return st;
    st = job_prove(proofs, context, &job, start, error);
    job_close(&job);
    return st;
}

static cuzk_status verify_statement(const cuzk_context *context, const circuit_row_t *row,
                                    const post_statement_t *statement, const uint8_t *proofs,
                                    size_t length, cuzk_error *err)
{
    const size_t n = post_input_count(statement);
    void *inputs;

    cuzk_status st =
        big_alloc(&inputs, n * statement->n_partitions, sizeof(fr_t), "public inputs", err);
    if (st != CUZK_OK) return st;
    for (uint32_t k = 0; k < statement->n_partitions; k++)
        post_inputs((fr_t *)inputs + k * n, statement, k);
    st = partitions_verify(context, row, inputs, (uint32_t)n, statement->n_partitions, proofs,
                           length, err);
    big_free(inputs, n * statement->n_partitions, sizeof(fr_t));
    return st;
}

cuzk_status cuzk_verify_post(cuzk_context *context, const cuzk_post_statement *statement,
                             const uint8_t *proofs, size_t length, cuzk_error *error)
{
    const size_t n = statement->n_sectors;
    const circuit_row_t *row;
    post_request_t request;
    post_statement_t stated;

    cuzk_status st = make_request(&request, &row, statement->registered_proof, statement->miner_id,
                                  statement->randomness, error);
    if (st != CUZK_OK) return st;
    post_replica_t *replicas = small_alloc(n, sizeof *replicas);
    for (size_t i = 0; i < n; i++) {
        replicas[i].number = statement->sectors[i].number;
        memcpy(replicas[i].comm_r, statement->sectors[i].comm_r, sizeof replicas[i].comm_r);
    }
    st = post_statement_init(&stated, &request, replicas, n, error);
    free(replicas);
    if (st != CUZK_OK) return st;
    st = verify_statement(context, row, &stated, proofs, length, error);
    post_statement_clear(&stated);
    return st;
}
