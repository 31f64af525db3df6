/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "update/update_input.h"

#include "base/verify.h"
#include "update/vanilla.h"

/* The arrays take about as much as the proofs' own bytes. */
static size_t arena_capacity(const cuzk_bytes *items, size_t n)
{
    size_t bytes = (size_t)1 << 20;

    for (size_t i = 0; i < n; i++) bytes += 2 * items[i].length;
    return bytes;
}

cuzk_status update_input_open(update_input_t *update, const cuzk_update_statement *stated,
                              const cuzk_bytes *items, size_t n, cuzk_error *err)
{
    cuzk_status status = update_statement_init(&update->statement, stated, err);

    update->arena = (arena_t){0};
    if (status == CUZK_OK)
        status = arena_open(&update->arena, arena_capacity(items, n), "vanilla proofs", err);
    if (status == CUZK_OK)
        status =
            update_vanilla_read(&update->proof, &update->statement, items, n, &update->arena, err);
    if (status != CUZK_OK) update_input_close(update);
    return status;
}

void update_input_close(update_input_t *update)
{
    arena_close(&update->arena);
}

cuzk_status update_input_check(const update_input_t *update, strand_t *strand, cuzk_error *err)
{
    return update_check(&update->proof, strand, err);
}

update_circuit_t update_input_circuit(const update_input_t *update, uint32_t partition)
{
    VERIFY(partition < update_partition_count(update->statement.config));
    return (update_circuit_t){
        .config = update->statement.config, .proof = &update->proof, .partition = partition};
}
