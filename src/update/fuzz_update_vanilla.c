/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Bincode partition proofs of an update. The first byte chooses the registered proof; every
 * partition gets the same bytes. What reads well is checked, which must not fault whatever the
 * values are. */
#include "hash/poseidon.h"
#include "update/vanilla.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cuzk_bytes partitions[UPDATE_MAX_PARTITIONS];
    update_statement_t statement = {.comm_r_old = fr_one, .comm_r_new = fr_one};
    update_proof_t proof;
    arena_t arena;
    cuzk_error err;

    if (size < 1 + FR_BYTES) return 0;
    statement.config = update_config_by_number(data[0] % UPDATE_PROOFS);
    (void)fr_from_bytes(&statement.comm_d_new, data + 1);
    data += 1 + FR_BYTES;
    size -= 1 + FR_BYTES;
    for (size_t k = 0; k < UPDATE_MAX_PARTITIONS; k++) partitions[k] = (cuzk_bytes){data, size};
    (void)arena_open(&arena, (size_t)1 << 30, "test", &(cuzk_error){0});
    if (update_vanilla_read(&proof, &statement, partitions,
                            update_partition_count(statement.config), &arena, &err) == CUZK_OK) {
        /* let it past the first two checks, which a change to anything fails */
        const fr_t old[2] = {proof.comm_c, proof.root_r_old},
                   new[2] = {proof.comm_c, proof.root_r_new};

        poseidon_hash(&proof.comm_r_old, POSEIDON_2, old);
        poseidon_hash(&proof.comm_r_new, POSEIDON_2, new);
        (void)update_check(&proof, NULL, &err);
    }
    arena_close(&arena);
    return 0;
}
