/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* Circuits, witnesses and requests, looked at without proving. */

#include "cuzk/describe.h"

#include <stdlib.h>
#include <string.h>

#include "api/shape_json.h"
#include "api/take.h"
#include "base/memory.h"
#include "engine/request.h"

/* The text of a writer, as the caller releases it. */
static cuzk_status give_json(char **json, const json_writer_t *w, cuzk_error *err)
{
    *json = mem_copy_text(json_writer_text(w), "description", err);
    return *json != NULL ? CUZK_OK : err->status;
}

/* ---- circuits ---------------------------------------------------------------------------------
 */

static void give_circuit(cuzk_circuit_info *info, const shape_t *shape)
{
    const circuit_counts_t *counts = &shape->counts;
    cuzk_circuit_info own = {.struct_size = sizeof own,
                             .n_constraints = counts->n_constraints,
                             .lg_domain = circuit_lg_domain(counts),
                             .n_inputs = counts->n_inputs,
                             .n_aux = counts->n_aux,
                             .nonzero_a = shape->nonzero_a,
                             .nonzero_b = shape->nonzero_b,
                             .nonzero_c = shape->nonzero_c,
                             .a_aux = counts->a_aux,
                             .b_input = counts->b_input,
                             .b_aux = counts->b_aux};

    memcpy(own.r1cs_sha256, shape->r1cs.all, sizeof own.r1cs_sha256);
    struct_give(info, &own, sizeof own);
}

static cuzk_status circuit_to_json(char **json, const shape_t *shape, const circuit_row_t *row,
                                   cuzk_error *err)
{
    json_writer_t w;

    json_writer_init(&w, JSON_PRETTY);
    shape_write_circuit(&w, shape, row);
    const cuzk_status st = give_json(json, &w, err);
    json_writer_clear(&w);
    return st;
}

static cuzk_status run_shape(shape_t *shape, const circuit_row_t *row, uint32_t block,
                             strand_t *strand, cuzk_error *err)
{
    circuit_fn circuit;
    void *values;

    cuzk_status st = proof_kind_shape(&circuit, &values, row, err);
    if (st != CUZK_OK) return st;
    st = synthesis_shape(shape, circuit, values, &(shape_options_t){SHAPE_DIGESTS, block, strand},
                         err);
    free(values);
    return st;
}

cuzk_status cuzk_describe_circuit(cuzk_engine *engine, const char *circuit, uint32_t block,
                                  cuzk_circuit_info *info, char **json, cuzk_error *error)
{
    const circuit_row_t *row;
    strand_t strand;
    cuzk_error err;
    shape_t shape;

    cuzk_status st = circuit_row_find(&row, circuit, &err);
    if (st != CUZK_OK) return error_give(error, st, &err);
    call_begin(&strand, engine);
    st = run_shape(&shape, row, block != 0 ? block : SHAPE_DEFAULT_BLOCK, &strand, &err);
    strand_end(&strand);
    if (st != CUZK_OK) return error_give(error, st, &err);
    if (info != NULL) give_circuit(info, &shape);
    if (json != NULL) st = circuit_to_json(json, &shape, row, &err);
    shape_clear(&shape);
    return error_give(error, st, &err);
}

/* ---- requests ---------------------------------------------------------------------------------
 */

/* An input that has its form. */
typedef struct {
    const proof_kind_t *kind;
    void *input;
    input_facts_t facts;
} open_input_t;

/* Release with kind->close(), on success only. */
static cuzk_status open_input(open_input_t *in, const cuzk_request *request, strand_t *strand,
                              cuzk_error *err)
{
    const circuit_row_t *row;
    request_copy_t copy;

    cuzk_status st = request_check(&in->kind, &row, request, err);
    if (st == CUZK_OK) st = request_copy(&copy, request, err);
    if (st != CUZK_OK) return st;
    st = in->kind->open(&in->input, &copy.request, strand, err);
    request_clear(&copy);
    if (st == CUZK_OK) in->facts = in->kind->facts(in->input);
    return st;
}

cuzk_status cuzk_describe_request(cuzk_engine *engine, const cuzk_request *request,
                                  cuzk_request_info *info, cuzk_error *error)
{
    cuzk_request_info own = {.struct_size = sizeof own};
    cuzk_request taken;
    strand_t strand;
    open_input_t in;
    cuzk_error err;

    struct_take(&taken, sizeof taken, request);
    call_begin(&strand, engine);
    const cuzk_status st = open_input(&in, &taken, &strand, &err);
    if (st == CUZK_OK) in.kind->close(in.input);
    strand_end(&strand);
    if (st != CUZK_OK) return error_give(error, st, &err);
    text_give(own.circuit, sizeof own.circuit, in.facts.row->label);
    text_give(own.sector_size, sizeof own.sector_size, in.facts.row->size_name);
    own.n_partitions = in.facts.n_partitions;
    own.n_public_inputs = in.facts.n_public_inputs;
    own.registered_proof =
        taken.kind == CUZK_POREP ? in.facts.registered_proof : taken.registered_proof;
    struct_give(info, &own, sizeof own);
    return CUZK_OK;
}

/* ---- witnesses --------------------------------------------------------------------------------
 */

/* Where the witnesses of a request go. */
typedef struct {
    const open_input_t *in;
    uint32_t block;
    cuzk_witness_fn each;
    void *arg;
    json_writer_t w;
    strand_t strand;
} witnesses_t;

static void give_witness(const witnesses_t *to, const shape_t *shape, uint32_t partition)
{
    cuzk_witness_info own = {.struct_size = sizeof own,
                             .partition = partition,
                             .n_inputs = shape->counts.n_inputs,
                             .n_aux = shape->counts.n_aux,
                             .aux_in_0_1 = shape->aux_in_0_1,
                             .n_constraints = shape->counts.n_constraints,
                             .n_violated = shape->violated,
                             .first_violated = shape->violated > 0 ? shape->first_violated : 0};

    memcpy(own.r1cs_sha256, shape->r1cs.all, sizeof own.r1cs_sha256);
    memcpy(own.aux_sha256, shape->aux.all, sizeof own.aux_sha256);
    to->each(to->arg, &own);
}

static cuzk_status describe_partition(witnesses_t *to, uint32_t partition, cuzk_error *err)
{
    const proof_kind_t *kind = to->in->kind;
    void *values = mem_alloc(1, kind->values_bytes, "circuit", err);
    shape_t shape;

    if (values == NULL) return err->status;
    kind->values(values, to->in->input, partition);
    const cuzk_status st =
        synthesis_shape(&shape, kind->circuit, values,
                        &(shape_options_t){SHAPE_VALUES, to->block, &to->strand}, err);
    free(values);
    if (st != CUZK_OK) return st;
    if (to->each != NULL) give_witness(to, &shape, partition);
    shape_write_witness(&to->w, &shape);
    shape_clear(&shape);
    return CUZK_OK;
}

static cuzk_status describe_partitions(witnesses_t *to, uint32_t wanted, cuzk_error *err)
{
    const uint32_t n = to->in->facts.n_partitions;
    const bool all = wanted == CUZK_ALL_PARTITIONS;
    cuzk_status st = CUZK_OK;

    if (!all && wanted >= n)
        return error_set(err, CUZK_ERR_ARG, "partition: %u, but the input has %u (from 0 on)",
                         wanted, n);
    json_write_array(&to->w, NULL);
    for (uint32_t k = all ? 0 : wanted; k < (all ? n : wanted + 1) && st == CUZK_OK; k++)
        st = describe_partition(to, k, err);
    json_write_end(&to->w);
    return st;
}

cuzk_status cuzk_describe_witness(cuzk_engine *engine, const cuzk_request *request, uint32_t block,
                                  cuzk_witness_fn each, void *arg, char **json, cuzk_error *error)
{
    open_input_t in;
    witnesses_t to = {
        .in = &in, .block = block != 0 ? block : SHAPE_DEFAULT_BLOCK, .each = each, .arg = arg};
    cuzk_request taken;
    cuzk_error err;

    struct_take(&taken, sizeof taken, request);
    call_begin(&to.strand, engine);
    cuzk_status st = open_input(&in, &taken, &to.strand, &err);
    if (st == CUZK_OK) {
        json_writer_init(&to.w, JSON_PRETTY);
        st = describe_partitions(&to, taken.partition, &err);
        if (st == CUZK_OK && json != NULL) st = give_json(json, &to.w, &err);
        json_writer_clear(&to.w);
        in.kind->close(in.input);
    }
    strand_end(&to.strand);
    return error_give(error, st, &err);
}
