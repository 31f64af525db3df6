/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* Names, numbers and commitments as text. */

#include "cuzk/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/take.h"
#include "base/memory.h"
#include "base/text.h"
#include "codec/commitment.h"
#include "codec/json.h"
#include "codec/prover_id.h"
#include "codec/vanilla_list.h"
#include "engine/request.h"
#include "porep/porep_config.h"
#include "post/circuit.h"
#include "post/statement.h"

/* ---- kinds and registered proofs ------------------------------------------------------------- */

const char *cuzk_kind_name(cuzk_kind kind)
{
    const proof_kind_t *row;
    cuzk_error err;

    if (proof_kind_find(&row, kind, &err) != CUZK_OK) return "unknown kind";
    return circuit_kind_name(row->kind);
}

cuzk_status cuzk_kind_from_text(const char *text, const char *field, cuzk_kind *kind,
                                cuzk_error *error)
{
    circuit_kind found;
    cuzk_error err;

    if (circuit_kind_parse(&found, text)) {
        *kind = proof_kind(found)->number;
        return CUZK_OK;
    }
    (void)error_set(&err, CUZK_ERR_ARG, "%s: \"%s\" is none of porep, update, winning, window",
                    field, text);
    return error_give(error, CUZK_ERR_ARG, &err);
}

const char *cuzk_proof_range(cuzk_kind kind)
{
    const proof_kind_t *row;
    cuzk_error err;

    if (proof_kind_find(&row, kind, &err) != CUZK_OK) return "none";
    return registered_proof_range(row->kind);
}

static void give_proof(cuzk_proof_info *info, const proof_kind_t *kind,
                       const registered_proof_t *proof)
{
    cuzk_proof_info own = {.struct_size = sizeof own,
                           .kind = kind->number,
                           .registered_proof = proof->number,
                           .sector_bytes = proof->row->sector_bytes};

    if (kind->kind == KIND_POREP)
        own.has_seed = porep_config_by_number(proof->number)->feature != POREP_NON_INTERACTIVE;
    if (kind->kind == KIND_WINDOW)
        own.partition_sectors = post_circuit_shape(POST_WINDOW, proof->row->sector_bytes).n_sectors;
    text_give(own.name, sizeof own.name, proof->name);
    text_give(own.chain_name, sizeof own.chain_name, proof->chain_name);
    text_give(own.sector_size, sizeof own.sector_size, proof->row->size_name);
    text_give(own.circuit, sizeof own.circuit, proof->row->label);
    circuit_parameter_id(own.parameter_id, proof->row);
    struct_give(info, &own, sizeof own);
}

cuzk_status cuzk_proof_by_number(cuzk_kind kind, uint32_t registered_proof, cuzk_proof_info *info,
                                 cuzk_error *error)
{
    registered_proof_t proof;
    const proof_kind_t *row;
    cuzk_error err;

    cuzk_status st = proof_kind_find(&row, kind, &err);
    if (st == CUZK_OK && !registered_proof_by_number(&proof, row->kind, registered_proof))
        st = error_set(&err, CUZK_ERR_ARG, "registered_proof: %u is not one of the %s proofs (%s)",
                       registered_proof, circuit_kind_name(row->kind),
                       registered_proof_range(row->kind));
    if (st == CUZK_OK) give_proof(info, row, &proof);
    return error_give(error, st, &err);
}

static cuzk_status refuse_proof(circuit_kind kind, const char *text, const char *field,
                                cuzk_error *err)
{
    enum { MOST_SHOWN = 64 };
    char names[REGISTERED_NAMES_BYTES];

    registered_proof_names(names, kind);
    return error_set(err, CUZK_ERR_ARG,
                     "%s: \"%.*s%s\" is not one of the %s proofs (numbers %s, or %s)", field,
                     MOST_SHOWN, text, strlen(text) > MOST_SHOWN ? "..." : "",
                     circuit_kind_name(kind), registered_proof_range(kind), names);
}

cuzk_status cuzk_proof_from_text(cuzk_kind kind, const char *text, const char *field,
                                 cuzk_proof_info *info, cuzk_error *error)
{
    registered_proof_t proof;
    const proof_kind_t *row;
    cuzk_error err;

    cuzk_status st = proof_kind_find(&row, kind, &err);
    if (st == CUZK_OK && !registered_proof_parse(&proof, row->kind, text))
        st = refuse_proof(row->kind, text, field, &err);
    if (st == CUZK_OK) give_proof(info, row, &proof);
    return error_give(error, st, &err);
}

cuzk_status cuzk_proof_newest(cuzk_kind kind, const char *sector_size, const char *field,
                              cuzk_proof_info *info, cuzk_error *error)
{
    registered_proof_t proof;
    const circuit_row_t *row;
    const proof_kind_t *found;
    cuzk_error err;

    cuzk_status st = proof_kind_find(&found, kind, &err);
    if (st == CUZK_OK) {
        row = circuit_row_by_name(found->kind, sector_size);
        if (row == NULL)
            st = error_set(&err, CUZK_ERR_ARG,
                           "%s: \"%s\" is none of 2KiB, 8MiB, 512MiB, 32GiB, 64GiB", field,
                           sector_size);
    }
    if (st == CUZK_OK) {
        registered_proof_newest(&proof, row);
        give_proof(info, found, &proof);
    }
    return error_give(error, st, &err);
}

/* ---- commitments, miners, randomness --------------------------------------------------------- */

cuzk_status cuzk_commitment_from_text(cuzk_commitment commitment, const char *text,
                                      const char *field, uint8_t bytes[CUZK_COMMITMENT_BYTES],
                                      cuzk_error *error)
{
    const commitment_kind kind =
        commitment == CUZK_COMM_R ? COMMITMENT_SEALED : COMMITMENT_UNSEALED;
    cuzk_error err;

    cuzk_status st = commitment_parse(bytes, kind, text, field, &err);
    if (st == CUZK_OK) st = commitment_check(bytes, field, &err);
    return error_give(error, st, &err);
}

cuzk_status cuzk_miner_from_text(const char *text, const char *field, uint64_t *miner_id,
                                 cuzk_error *error)
{
    cuzk_error err;

    return error_give(error, prover_id_parse_miner(miner_id, text, field, &err), &err);
}

cuzk_status cuzk_randomness_check(const uint8_t bytes[32], const char *field, cuzk_error *error)
{
    cuzk_error err;

    return error_give(error, post_check_randomness(bytes, field, &err), &err);
}

/* ---- lists of vanilla proofs ----------------------------------------------------------------- */

/* What the caller has is inputs; the bytes are the list's. */
typedef struct {
    vanilla_list_t list;
    cuzk_bytes inputs[];
} vanilla_inputs_t;

uint64_t cuzk_input_max_bytes(cuzk_kind kind)
{
    const proof_kind_t *row;
    cuzk_error err;

    if (proof_kind_find(&row, kind, &err) != CUZK_OK) return 0;
    return proof_kind_limits(row).text;
}

static cuzk_status read_list(vanilla_list_t *list, const uint8_t *json, size_t length,
                             const char *field, cuzk_error *err)
{
    const uint64_t max = proof_kind_limits(proof_kind(KIND_WINDOW)).text; /* the longest list */
    char size[TEXT_SIZE_ROOM], limit[TEXT_SIZE_ROOM];

    *list = (vanilla_list_t){0};
    if (length > max)
        return error_set(err, CUZK_ERR_ARG, "%s: %s, at most %s (a window's longest list)", field,
                         text_size(size, length), text_size(limit, max));
    if (vanilla_list_check(field, json, length, INPUTS_MAX, err) != CUZK_OK) return err->status;
    uint8_t *text = mem_alloc(length + JSON_PADDING, 1, field, err);
    if (text == NULL) return err->status;
    if (length > 0) memcpy(text, json, length);
    const cuzk_status st = vanilla_list_read(list, field, text, length, INPUTS_MAX, err);
    free(text);
    return st;
}

cuzk_status cuzk_vanilla_from_json(const uint8_t *json, size_t length, const char *field,
                                   cuzk_bytes **inputs, size_t *n_inputs, cuzk_error *error)
{
    vanilla_inputs_t *all = NULL;
    vanilla_list_t list;
    cuzk_error err;

    cuzk_status st = read_list(&list, json, length, field, &err);
    if (st == CUZK_OK) {
        all = mem_alloc(1, sizeof *all + list.n * sizeof *all->inputs, field, &err);
        if (all == NULL) st = err.status;
    }
    if (st != CUZK_OK) {
        vanilla_list_clear(&list);
        return error_give(error, st, &err);
    }
    all->list = list;
    for (size_t i = 0; i < list.n; i++)
        all->inputs[i] = (cuzk_bytes){list.items[i].bytes, list.items[i].length};
    *inputs = all->inputs;
    *n_inputs = list.n;
    return CUZK_OK;
}

void cuzk_vanilla_free(cuzk_bytes *inputs)
{
    if (inputs == NULL) return;
    vanilla_inputs_t *all =
        (vanilla_inputs_t *)(void *)((uint8_t *)inputs - offsetof(vanilla_inputs_t, inputs));
    vanilla_list_clear(&all->list);
    free(all);
}
