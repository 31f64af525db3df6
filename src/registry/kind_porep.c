/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* PoRep: commit phase 2 of a seal. */

#include <stdlib.h>

#include "base/memory.h"
#include "porep/porep_input.h"
#include "registry/kinds.h"

static input_limits_t porep_limits(uint64_t sector_bytes)
{
    uint64_t most = 0;

    for (uint64_t i = 0; i < POREP_PROOFS; i++) {
        const porep_config_t *config = porep_config_by_number(i);
        const uint64_t its = config->sector_size == sector_bytes ? porep_c1_max_bytes(config) : 0;

        if (its > most) most = its;
    }
    return (input_limits_t){most + SPACE_BYTES, most + SPACE_BYTES};
}

static cuzk_status porep_open(void **input, const cuzk_request *request, strand_t *strand,
                              cuzk_error *err)
{
    const bool takes_any = request->registered_proof == CUZK_ANY_PROOF;
    porep_input_t *porep = mem_alloc(1, sizeof *porep, "c1", err);

    (void)strand;
    *input = porep;
    if (porep == NULL) return err->status;
    const char *what = request->input_name != NULL ? request->input_name : "c1";
    const cuzk_status st = porep_input_open(porep, what, request->inputs[0],
                                            takes_any ? NULL : &request->registered_proof, err);
    if (st != CUZK_OK) {
        free(porep);
        *input = NULL;
    }
    return st;
}

static cuzk_status porep_check_content(const void *input, const cuzk_request *request,
                                       strand_t *strand, cuzk_error *err)
{
    const porep_input_t *porep = input;

    if (porep_input_check(porep, request->miner_id, request->sector_number, strand, err) == CUZK_OK)
        return CUZK_OK;
    return input_error(request, err);
}

static void porep_close(void *input)
{
    porep_input_close(input);
    free(input);
}

static const circuit_row_t *row_of(const porep_statement_t *statement)
{
    return circuit_row_by_bytes(KIND_POREP, statement->config->sector_size);
}

static input_facts_t porep_facts(const void *input)
{
    const porep_statement_t *statement = &((const porep_input_t *)input)->statement;

    return (input_facts_t){.row = row_of(statement),
                           .n_partitions = statement->config->n_partitions,
                           .n_public_inputs = porep_public_input_count(statement),
                           .registered_proof = statement->config->number};
}

static void porep_inputs(fr_t *inputs, const void *input, uint32_t partition)
{
    porep_public_inputs(inputs, &((const porep_input_t *)input)->statement, partition);
}

static void porep_values(void *values, const void *input, uint32_t partition)
{
    *(porep_circuit_t *)values = porep_input_circuit(input, partition);
}

static void porep_shape(void *values, uint64_t sector_bytes)
{
    *(porep_circuit_t *)values = porep_circuit_shape(sector_bytes);
}

static cuzk_status porep_state(stated_inputs_t *stated, const cuzk_statement *statement,
                               size_t length, cuzk_error *err)
{
    porep_statement_t checked;

    cuzk_status st = porep_statement_init(&checked, &statement->of.porep, err);
    if (st == CUZK_OK) st = porep_check_proofs_length(&checked, length, err);
    if (st != CUZK_OK) return st;
    const uint32_t n = porep_public_input_count(&checked);
    st = stated_inputs_init(stated, row_of(&checked), checked.config->n_partitions, n, err);
    for (uint32_t k = 0; k < stated->n_partitions; k++)
        porep_public_inputs(stated->inputs + (size_t)k * n, &checked, k);
    return st;
}

const proof_kind_t proof_kind_porep = {
    .kind = KIND_POREP,
    .number = CUZK_POREP,
    .priority = CUZK_PRIORITY_NORMAL,
    .circuit = porep_circuit,
    .values_bytes = sizeof(porep_circuit_t),
    .limits = porep_limits,
    .open = porep_open,
    .check = porep_check_content,
    .close = porep_close,
    .facts = porep_facts,
    .public_inputs = porep_inputs,
    .values = porep_values,
    .shape = porep_shape,
    .state = porep_state,
};
