/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* Sector updates (SnapDeals). */

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "registry/kinds.h"
#include "update/update_input.h"
#include "update/vanilla.h"

static input_limits_t update_limits(uint64_t sector_bytes)
{
    const update_config_t *config = update_config_by_size(sector_bytes);

    return input_limits_of_list(update_partition_count(config), update_vanilla_bytes(config));
}

static cuzk_status update_open(void **input, const cuzk_request *request, strand_t *strand,
                               cuzk_error *err)
{
    cuzk_update_statement statement = {.registered_proof = request->registered_proof};
    update_input_t *update = mem_alloc(1, sizeof *update, "vanilla", err);

    (void)strand;
    *input = update;
    if (update == NULL) return err->status;
    memcpy(statement.comm_r_old, request->comm_r_old, sizeof statement.comm_r_old);
    memcpy(statement.comm_r_new, request->comm_r_new, sizeof statement.comm_r_new);
    memcpy(statement.comm_d_new, request->comm_d_new, sizeof statement.comm_d_new);
    const cuzk_status st =
        update_input_open(update, &statement, request->inputs, request->n_inputs, err);
    if (st == CUZK_OK) return CUZK_OK;
    free(update);
    *input = NULL;
    return st == CUZK_ERR_FORMAT ? input_error(request, err) : st;
}

static cuzk_status update_check_content(const void *input, const cuzk_request *request,
                                        strand_t *strand, cuzk_error *err)
{
    if (update_input_check(input, strand, err) == CUZK_OK) return CUZK_OK;
    return input_error(request, err);
}

static void update_close(void *input)
{
    update_input_close(input);
    free(input);
}

static const circuit_row_t *row_of(const update_statement_t *statement)
{
    return circuit_row_by_bytes(KIND_UPDATE, statement->config->sector_size);
}

static input_facts_t update_facts(const void *input)
{
    const update_statement_t *statement = &((const update_input_t *)input)->statement;

    return (input_facts_t){.row = row_of(statement),
                           .n_partitions = update_partition_count(statement->config),
                           .n_public_inputs = UPDATE_PUBLIC_INPUTS};
}

static void update_inputs(fr_t *inputs, const void *input, uint32_t partition)
{
    update_public_inputs(inputs, &((const update_input_t *)input)->statement, partition);
}

static void update_values(void *values, const void *input, uint32_t partition)
{
    *(update_circuit_t *)values = update_input_circuit(input, partition);
}

static void update_shape(void *values, uint64_t sector_bytes)
{
    *(update_circuit_t *)values = update_circuit_shape(sector_bytes);
}

static cuzk_status update_state(stated_inputs_t *stated, const cuzk_statement *statement,
                                size_t length, cuzk_error *err)
{
    update_statement_t checked;

    (void)length;
    cuzk_status st = update_statement_init(&checked, &statement->of.update, err);
    if (st != CUZK_OK) return st;
    st = stated_inputs_init(stated, row_of(&checked), update_partition_count(checked.config),
                            UPDATE_PUBLIC_INPUTS, err);
    for (uint32_t k = 0; k < stated->n_partitions; k++)
        update_public_inputs(stated->inputs + (size_t)k * UPDATE_PUBLIC_INPUTS, &checked, k);
    return st;
}

const proof_kind_t proof_kind_update = {
    .kind = KIND_UPDATE,
    .number = CUZK_UPDATE,
    .priority = CUZK_PRIORITY_NORMAL,
    .circuit = update_circuit,
    .values_bytes = sizeof(update_circuit_t),
    .limits = update_limits,
    .open = update_open,
    .check = update_check_content,
    .close = update_close,
    .facts = update_facts,
    .public_inputs = update_inputs,
    .values = update_values,
    .shape = update_shape,
    .state = update_state,
};
