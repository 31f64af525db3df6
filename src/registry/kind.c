/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "registry/kind.h"

#include "base/memory.h"
#include "codec/base64.h"
#include "registry/kinds.h"

static const proof_kind_t *const kinds[CIRCUIT_KINDS] = {
    [KIND_POREP] = &proof_kind_porep,
    [KIND_UPDATE] = &proof_kind_update,
    [KIND_WINNING] = &proof_kind_winning,
    [KIND_WINDOW] = &proof_kind_window,
};

const proof_kind_t *proof_kind(circuit_kind kind)
{
    return kinds[kind];
}

cuzk_status proof_kind_find(const proof_kind_t **kind, cuzk_kind number, cuzk_error *err)
{
    for (int i = 0; i < CIRCUIT_KINDS; i++) {
        *kind = kinds[i];
        if ((*kind)->number == number) return CUZK_OK;
    }
    return error_set(err, CUZK_ERR_ARG, "kind: %d, expected %d (porep) to %d (winning)",
                     (int)number, CUZK_POREP, CUZK_WINNING_POST);
}

cuzk_status input_error(const cuzk_request *request, cuzk_error *err)
{
    const bool is_about_it = err->status == CUZK_ERR_FORMAT || err->status == CUZK_ERR_ARG;

    if (!is_about_it || request->input_name == NULL) return err->status;
    return error_within(err, "%s", request->input_name);
}

input_limits_t proof_kind_limits(const proof_kind_t *kind)
{
    input_limits_t most = {0};

    for (int i = 0; i < SECTOR_SIZES; i++) {
        const input_limits_t its = kind->limits(circuit_row_by_place(kind->kind, i)->sector_bytes);

        if (its.bytes > most.bytes) most.bytes = its.bytes;
        if (its.text > most.text) most.text = its.text;
    }
    return most;
}

input_limits_t input_limits_of_list(uint64_t n, uint64_t item_bytes)
{
    enum { QUOTES_AND_COMMA = 3 };

    return (input_limits_t){n * item_bytes,
                            n * (base64_length(item_bytes) + QUOTES_AND_COMMA) + SPACE_BYTES};
}

cuzk_status proof_kind_shape(circuit_fn *circuit, void **values, const circuit_row_t *row,
                             cuzk_error *err)
{
    const proof_kind_t *kind = kinds[row->kind];

    *circuit = kind->circuit;
    *values = mem_alloc(1, kind->values_bytes, "circuit", err);
    if (*values == NULL) return err->status;
    kind->shape(*values, row->sector_bytes);
    return CUZK_OK;
}

cuzk_status proof_kind_row(const circuit_row_t **row, const proof_kind_t *kind,
                           uint32_t registered_proof, cuzk_error *err)
{
    registered_proof_t proof;

    *row = NULL;
    if (kind->kind == KIND_POREP && registered_proof == CUZK_ANY_PROOF) return CUZK_OK;
    if (!registered_proof_by_number(&proof, kind->kind, registered_proof))
        return error_set(err, CUZK_ERR_ARG, "registered_proof: %u is not one of the %s proofs (%s)",
                         registered_proof, circuit_kind_name(kind->kind),
                         registered_proof_range(kind->kind));
    *row = proof.row;
    return CUZK_OK;
}

cuzk_status stated_inputs_init(stated_inputs_t *stated, const circuit_row_t *row,
                               uint32_t n_partitions, uint32_t n_public_inputs, cuzk_error *err)
{
    *stated = (stated_inputs_t){.row = row, .n_public_inputs = n_public_inputs};
    stated->inputs = mem_alloc((size_t)n_partitions * n_public_inputs, sizeof *stated->inputs,
                               "public inputs", err);
    if (stated->inputs == NULL) return err->status;
    stated->n_partitions = n_partitions;
    return CUZK_OK;
}
