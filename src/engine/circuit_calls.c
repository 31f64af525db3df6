/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* What an engine does with a circuit beside proving: verify, preload, evict, estimate. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/engine.h"
#include "engine/job.h"
#include "groth16/groth16.h"
#include "registry/kinds.h"

executor_t *engine_executor(cuzk_engine *engine)
{
    return engine->executor;
}

/* A strand for a call that is not a job, at the priority of PoSts. */
static void begin_call(strand_t *strand, cuzk_engine *engine)
{
    const work_rank_t rank = {.priority = CUZK_PRIORITY_HIGH, .deadline_ns = UINT64_MAX};

    strand_begin(strand, engine->executor, &rank, &engine->stop);
}

/* ---- verifying ---------------------------------------------------------------------------------
 */

static cuzk_status check_length(size_t length, uint32_t n_partitions, cuzk_error *err)
{
    const size_t expected = (size_t)n_partitions * CUZK_PROOF_BYTES;

    if (length == expected) return CUZK_OK;
    return error_set(err, CUZK_ERR_ARG, "proof: %s%zu bytes, expected %zu (%u proofs of %d bytes)",
                     length == 0 ? "is empty: " : "", length, expected, n_partitions,
                     CUZK_PROOF_BYTES);
}

static cuzk_status check_key(const srs_vk_t *vk, const stated_inputs_t *stated,
                             const circuits_t *circuits, cuzk_error *err)
{
    if (vk->n_ic == stated->n_public_inputs + 1) return CUZK_OK;
    char *path = circuits_params_path(circuits, stated->row, "vk", err);
    if (path == NULL) return err->status;
    (void)error_set(err, CUZK_ERR_FORMAT,
                    "%s: a key for %u inputs, but %s has %u: another circuit's file?", path,
                    vk->n_ic - 1, stated->row->label, stated->n_public_inputs);
    free(path);
    return CUZK_ERR_FORMAT;
}

static cuzk_status verify_decoded(const srs_vk_t *vk, const stated_inputs_t *stated,
                                  const uint8_t *bytes, strand_t *strand, cuzk_error *err)
{
    proof_t *proofs = mem_alloc(stated->n_partitions, sizeof *proofs, "proofs", err);
    cuzk_status st = CUZK_OK;

    if (proofs == NULL) return err->status;
    for (size_t i = 0; i < stated->n_partitions && st == CUZK_OK; i++) {
        st = groth16_read_proof(&proofs[i], bytes + i * GROTH16_PROOF_BYTES, err);
        if (st != CUZK_OK) st = error_within(err, "proof %zu", i);
    }
    if (st == CUZK_OK)
        st = groth16_verify_many(vk, stated->inputs, stated->n_public_inputs, proofs,
                                 stated->n_partitions, strand, err);
    free(proofs);
    return st;
}

/* A proof is valid under one key alone, so the key may be what is wrong. */
static void name_key(const stated_inputs_t *stated, const circuits_t *circuits, cuzk_error *err)
{
    const cuzk_error found = *err;
    char *path = circuits_params_path(circuits, stated->row, "vk", err);

    *err = found;
    if (path != NULL) (void)error_set(err, CUZK_INVALID_PROOF, "%s (key: %s)", found.text, path);
    free(path);
}

static cuzk_status verify_stated(cuzk_engine *engine, const stated_inputs_t *stated,
                                 const uint8_t *proofs, strand_t *strand, cuzk_error *err)
{
    circuit_use_t *use = circuits_acquire(engine->circuits, stated->row);
    const srs_vk_t *vk;

    cuzk_status st = circuits_vk(&vk, engine->circuits, use, strand, err);
    if (st == CUZK_OK) st = check_key(vk, stated, engine->circuits, err);
    if (st == CUZK_OK) st = verify_decoded(vk, stated, proofs, strand, err);
    if (st == CUZK_INVALID_PROOF) name_key(stated, engine->circuits, err);
    circuits_release(engine->circuits, use);
    return st;
}

cuzk_status engine_verify(cuzk_engine *engine, const cuzk_statement *statement,
                          const uint8_t *proofs, size_t length, cuzk_error *err)
{
    stated_inputs_t stated = {0};
    const proof_kind_t *kind;
    strand_t strand;

    begin_call(&strand, engine);
    cuzk_status st = proof_kind_find(&kind, statement->kind, err);
    if (st == CUZK_OK) st = kind->state(&stated, statement, length, err);
    if (st == CUZK_OK) st = check_length(length, stated.n_partitions, err);
    if (st == CUZK_OK) st = verify_stated(engine, &stated, proofs, &strand, err);
    free(stated.inputs);
    strand_end(&strand);
    return st;
}

/* The public inputs of the partitions that a request asks for, as its input has them. */
static cuzk_status state_input(stated_inputs_t *stated, const proof_kind_t *kind, const void *input,
                               uint32_t partition, cuzk_error *err)
{
    const input_facts_t facts = kind->facts(input);
    const bool all = partition == CUZK_ALL_PARTITIONS;
    const uint32_t n = facts.n_public_inputs;

    if (!all && partition >= facts.n_partitions)
        return error_set(err, CUZK_ERR_ARG, "partition: %u, but the input has %u (from 0 on)",
                         partition, facts.n_partitions);
    const cuzk_status st =
        stated_inputs_init(stated, facts.row, all ? facts.n_partitions : 1, n, err);
    for (uint32_t k = 0; k < stated->n_partitions; k++)
        kind->public_inputs(stated->inputs + (size_t)k * n, input, all ? k : partition);
    return st;
}

static cuzk_status state_request(stated_inputs_t *stated, const cuzk_request *request,
                                 strand_t *strand, cuzk_error *err)
{
    const proof_kind_t *kind;
    const circuit_row_t *row;
    request_copy_t copy;
    void *input;

    cuzk_status st = request_check(&kind, &row, request, err);
    if (st == CUZK_OK) st = request_copy(&copy, request, err);
    if (st != CUZK_OK) return st;
    st = kind->open(&input, &copy.request, strand, err);
    if (st == CUZK_OK) {
        st = state_input(stated, kind, input, request->partition, err);
        kind->close(input);
    }
    request_clear(&copy);
    return st;
}

cuzk_status engine_verify_request(cuzk_engine *engine, const cuzk_request *request,
                                  const uint8_t *proofs, size_t length, cuzk_error *err)
{
    stated_inputs_t stated = {0};
    strand_t strand;

    begin_call(&strand, engine);
    cuzk_status st = state_request(&stated, request, &strand, err);
    if (st == CUZK_OK) st = check_length(length, stated.n_partitions, err);
    if (st == CUZK_OK) st = verify_stated(engine, &stated, proofs, &strand, err);
    free(stated.inputs);
    strand_end(&strand);
    return st;
}

/* ---- parameters --------------------------------------------------------------------------------
 */

/* Plan and parameters of a circuit, which fit each other. */
static cuzk_status load(const circuit_plan_t **plan, const srs_t **srs, cuzk_engine *engine,
                        circuit_use_t *use, strand_t *strand, cuzk_error *err)
{
    cuzk_status st = circuits_srs(srs, engine->circuits, use, strand, err);

    if (st == CUZK_OK) st = circuits_plan(plan, engine->circuits, use, strand, err);
    if (st == CUZK_OK) st = groth16_match(*srs, &(*plan)->counts, err);
    return st;
}

/* Whether the system has room for all points of the file in its cache. */
static bool is_worth_caching(const srs_t *srs)
{
    const points_t *const queries[] = {&srs->h, &srs->l, &srs->a, &srs->b_g1, &srs->b_g2};
    uint64_t bytes = 0;

    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++)
        bytes += (uint64_t)queries[i]->n * queries[i]->point_bytes;
    return bytes <= memory_available_bytes() / 2;
}

cuzk_status engine_preload(bool *already_loaded, cuzk_engine *engine, const circuit_row_t *row,
                           cuzk_error *err)
{
    circuit_use_t *use = circuits_acquire(engine->circuits, row);
    const circuit_plan_t *plan;
    const srs_t *srs;
    strand_t strand;

    begin_call(&strand, engine);
    *already_loaded = circuits_has_srs(engine->circuits, use);
    cuzk_status st = load(&plan, &srs, engine, use, &strand, err);
    strand_end(&strand);
    if (st == CUZK_OK && !*already_loaded && is_worth_caching(srs))
        st = srs_preload(srs, &engine->stop, err);
    circuits_release(engine->circuits, use);
    return st;
}

cuzk_status engine_evict(uint64_t *freed_bytes, cuzk_engine *engine, const circuit_row_t *row,
                         cuzk_error *err)
{
    return circuits_evict(freed_bytes, engine->circuits, row, err);
}

/* ---- estimates ---------------------------------------------------------------------------------
 */

/* Additions of h's multiplication and of the witness', an addition in G2 as three: each full scalar
 * is spread over that many digits. */
static uint64_t count_additions(const circuit_plan_t *plan, const srs_t *srs)
{
    enum { DIGITS = 16, G2_COST = 3 };
    const uint64_t bits = plan->counts.n_aux - plan->n_elements;
    const uint64_t dense = plan->n_elements;

    return DIGITS * (uint64_t)srs->h.n + 2 * (bits / 2 + DIGITS * dense) +
           (1 + G2_COST) * (DIGITS * (uint64_t)srs->b_g1.n / 4);
}

static cuzk_status fill_estimate(cuzk_estimate *e, cuzk_engine *engine, const circuit_row_t *row,
                                 const circuit_plan_t *plan, const srs_t *srs, cuzk_error *err)
{
    const partition_bytes_t bytes = engine_partition_bytes(engine, plan);
    char *path = circuits_params_path(engine->circuits, row, "params", err);

    if (path == NULL) return err->status;
    *e = (cuzk_estimate){.struct_size = sizeof *e,
                         .n_constraints = plan->counts.n_constraints,
                         .synthesis_bytes = bytes.synthesis,
                         .h_bytes = bytes.h,
                         .msm_bytes = bytes.msm,
                         .peak_bytes = bytes.peak,
                         .point_additions = count_additions(plan, srs)};
    (void)snprintf(e->circuit, sizeof e->circuit, "%s", row->label);
    (void)snprintf(e->params_file, sizeof e->params_file, "%s", path);
    free(path);
    return CUZK_OK;
}

static cuzk_status estimate_row(cuzk_estimate *e, cuzk_engine *engine, const circuit_row_t *row,
                                cuzk_error *err)
{
    circuit_use_t *use = circuits_acquire(engine->circuits, row);
    const circuit_plan_t *plan;
    const srs_t *srs;
    strand_t strand;

    begin_call(&strand, engine);
    cuzk_status st = load(&plan, &srs, engine, use, &strand, err);
    if (st == CUZK_OK) st = fill_estimate(e, engine, row, plan, srs, err);
    strand_end(&strand);
    circuits_release(engine->circuits, use);
    return st;
}

/* The circuit and the number of partitions of an input. */
static cuzk_status read_facts(input_facts_t *facts, cuzk_engine *engine, const proof_kind_t *kind,
                              const cuzk_request *request, cuzk_error *err)
{
    request_copy_t copy;
    strand_t strand;
    void *input;

    cuzk_status st = request_copy(&copy, request, err);
    if (st != CUZK_OK) return st;
    begin_call(&strand, engine);
    st = kind->open(&input, &copy.request, &strand, err);
    if (st == CUZK_OK) {
        *facts = kind->facts(input);
        kind->close(input);
    }
    strand_end(&strand);
    request_clear(&copy);
    return st;
}

cuzk_status engine_check(uint32_t *n_partitions, cuzk_engine *engine, const cuzk_request *request,
                         cuzk_error *err)
{
    const proof_kind_t *kind;
    const circuit_row_t *row;
    input_facts_t facts;

    cuzk_status st = request_check(&kind, &row, request, err);
    if (st == CUZK_OK) st = read_facts(&facts, engine, kind, request, err);
    if (st == CUZK_OK) st = engine_look_ahead(engine, kind, facts.row, request, err);
    if (st == CUZK_OK) *n_partitions = facts.n_partitions;
    return st;
}

cuzk_status engine_estimate(cuzk_estimate *estimate, cuzk_engine *engine,
                            const cuzk_request *request, cuzk_error *err)
{
    const proof_kind_t *kind;
    const circuit_row_t *row;
    input_facts_t facts;

    cuzk_status st = request_check(&kind, &row, request, err);
    if (st == CUZK_OK) st = read_facts(&facts, engine, kind, request, err);
    if (st == CUZK_OK) st = estimate_row(estimate, engine, facts.row, err);
    if (st == CUZK_OK) estimate->n_partitions = facts.n_partitions;
    return st;
}

cuzk_status engine_look_ahead(cuzk_engine *engine, const proof_kind_t *kind,
                              const circuit_row_t *row, const cuzk_request *request,
                              cuzk_error *err)
{
    circuit_use_t *use = circuits_acquire(engine->circuits, row);
    const circuit_plan_t *plan;
    strand_t strand;

    begin_call(&strand, engine);
    cuzk_status st = circuits_plan(&plan, engine->circuits, use, &strand, err);
    strand_end(&strand);
    if (st == CUZK_OK)
        st = ledger_fits(engine->ledger, engine_partition_bytes(engine, plan).peak,
                         request_priority(request, kind), row->label, err);
    circuits_release(engine->circuits, use);
    return st;
}
