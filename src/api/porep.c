/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* PoRep: commit phase 2 of a seal. */

#include "porep/porep.h"

#include <stdlib.h>

#include "api/job.h"
#include "api/partition.h"
#include "base/clock.h"
#include "base/memory.h"
#include "codec/json.h"
#include "codec/prover_id.h"
#include "porep/c1.h"
#include "porep/circuit.h"

typedef struct {
    arena_t arena;
    porep_c1_t c1;
    porep_statement_t statement;
} porep_job_t;

static cuzk_status refuse_number(uint32_t number, cuzk_error *err)
{
    return error_set(err, CUZK_ERR_ARG, "registered_proof: %u is no PoRep (0..%d)", number,
                     POREP_PROOFS - 1);
}

static void *porep_values(const job_t *job, uint32_t partition)
{
    const porep_job_t *porep = job->data;
    porep_circuit_t *circuit = small_alloc(1, sizeof *circuit);

    *circuit = (porep_circuit_t){
        .shape = &porep->c1.proof.shape, .proof = &porep->c1.proof, .partition = partition};
    return circuit;
}

static void porep_job_inputs(const job_t *job, fr_t *inputs, uint32_t partition)
{
    const porep_job_t *porep = job->data;

    porep_public_inputs(inputs, &porep->statement, partition);
}

static void porep_job_close(job_t *job)
{
    porep_job_t *porep = job->data;

    arena_clear(&porep->arena);
    free(porep);
}

static const job_ops_t porep_ops = {.circuit = porep_circuit,
                                    .values = porep_values,
                                    .public_inputs = porep_job_inputs,
                                    .close = porep_job_close};

/* The reader wants spare bytes after the text, which a caller's bytes need not have. */
static cuzk_status read_c1(porep_job_t *porep, const cuzk_porep_input *input, cuzk_error *err)
{
    const cuzk_bytes c1 = input->c1;
    const porep_config_t *requested = NULL;

    if (input->registered_proof != NULL) {
        requested = porep_config_by_number(*input->registered_proof);
        if (requested == NULL) return refuse_number(*input->registered_proof, err);
    }
    uint8_t *text = malloc(c1.length + JSON_PADDING);
    if (text == NULL)
        return error_set(err, CUZK_ERR_MEMORY, "c1: no memory for its %zu bytes", c1.length);
    if (c1.length > 0) memcpy(text, c1.bytes, c1.length);
    memset(text + c1.length, 0, JSON_PADDING);
    const cuzk_status st =
        porep_c1_read(&porep->c1, "c1", text, c1.length, requested, &porep->arena, err);
    free(text);
    return st;
}

static cuzk_status check_content(const porep_job_t *porep, const cuzk_porep_input *input,
                                 strand_t *strand, cuzk_error *err)
{
    uint8_t prover_id[PROVER_ID_BYTES];

    if (porep->c1.is_wrapped && porep->c1.sector_number != input->sector_number)
        return error_set(err, CUZK_ERR_ARG, "sector_number: %llu, but the file's SectorNum is %llu",
                         (unsigned long long)input->sector_number,
                         (unsigned long long)porep->c1.sector_number);
    prover_id_from_miner(prover_id, input->miner_id);
    return porep_check(&porep->c1.proof, prover_id, input->sector_number, strand, err);
}

cuzk_status job_open_porep(job_t *job, const cuzk_porep_input *input, job_check check,
                           strand_t *strand, cuzk_error *err)
{
    porep_job_t *porep = small_alloc(1, sizeof *porep);
    registered_proof_t registered;

    arena_init(&porep->arena);
    *job = (job_t){.ops = &porep_ops, .data = porep};
    cuzk_status st = read_c1(porep, input, err);
    if (st == CUZK_OK && check == JOB_CHECK_CONTENT) st = check_content(porep, input, strand, err);
    if (st != CUZK_OK) {
        job_close(job);
        return st;
    }
    const porep_config_t *config = porep->c1.proof.config;
    (void)registered_proof_by_number(&registered, KIND_POREP, config->number);
    porep_statement_of(&porep->statement, &porep->c1.proof);
    job->row = registered.row;
    job->n_partitions = config->n_partitions;
    job->n_public_inputs = porep_public_input_count(config->n_challenges);
    return CUZK_OK;
}

cuzk_status cuzk_prove_porep(cuzk_context *context, const cuzk_porep_input *input,
                             cuzk_proofs *proofs, cuzk_error *error)
{
    const uint64_t start = clock_monotonic_ns();
    job_t job;

    cuzk_status st = job_open_porep(&job, input, JOB_CHECK_CONTENT, context->strand, error);
    if (st != CUZK_OK) return st;
    st = job_prove(proofs, context, &job, start, error);
    job_close(&job);
    return st;
}

/* The statement's proofs come one a partition; the only other form there is, an aggregate of the
 * non-interactive kind, is named when it is refused. */
static cuzk_status refuse_aggregate(const porep_config_t *config, size_t length, cuzk_error *err)
{
    const size_t expected = (size_t)config->n_partitions * GROTH16_PROOF_BYTES;

    if (config->feature != POREP_NON_INTERACTIVE || length == expected) return CUZK_OK;
    return error_set(err, CUZK_ERR_ARG,
                     "proof: %zu bytes, expected %zu (%u proofs of %d bytes); an aggregated proof "
                     "cannot be verified here",
                     length, expected, config->n_partitions, GROTH16_PROOF_BYTES);
}

static cuzk_status verify_statement(const cuzk_context *context, const porep_statement_t *statement,
                                    const uint8_t *proofs, size_t length, cuzk_error *err)
{
    const porep_config_t *config = statement->config;
    const uint32_t n = porep_public_input_count(config->n_challenges);
    registered_proof_t registered;

    fr_t *inputs = small_alloc((size_t)n * config->n_partitions, sizeof *inputs);
    for (uint32_t k = 0; k < config->n_partitions; k++)
        porep_public_inputs(inputs + (size_t)k * n, statement, k);
    (void)registered_proof_by_number(&registered, KIND_POREP, config->number);
    const cuzk_status st = partitions_verify(context, registered.row, inputs, n,
                                             config->n_partitions, proofs, length, err);
    free(inputs);
    return st;
}

cuzk_status cuzk_verify_porep(cuzk_context *context, const cuzk_porep_statement *statement,
                              const uint8_t *proofs, size_t length, cuzk_error *error)
{
    const porep_config_t *config = porep_config_by_number(statement->registered_proof);
    porep_statement_t stated;

    if (config == NULL) return refuse_number(statement->registered_proof, error);
    porep_claim_t claim = {.config = config, .origin = {.sector_number = statement->sector_number}};
    prover_id_from_miner(claim.origin.prover_id, statement->miner_id);
    memcpy(claim.origin.ticket, statement->ticket, sizeof claim.origin.ticket);
    memcpy(claim.origin.comm_d, statement->comm_d, sizeof claim.origin.comm_d);
    memcpy(claim.comm_r, statement->comm_r, sizeof claim.comm_r);
    memcpy(claim.seed, statement->seed, sizeof claim.seed);
    cuzk_status st = refuse_aggregate(config, length, error);
    if (st == CUZK_OK) st = porep_statement_init(&stated, &claim, error);
    if (st == CUZK_OK) st = verify_statement(context, &stated, proofs, length, error);
    return st;
}
