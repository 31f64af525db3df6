/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Bincode partition proofs of an update. The first byte chooses the registered proof, its top bit
 * whether every partition has all the bytes or an equal share of them, the next whether there is
 * one partition too few; three commitments follow. What reads well is checked, which must not fault
 * whatever the values are. */
#include <string.h>

#include "base/fuzz_support.h"
#include "hash/poseidon.h"
#include "update/update_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ALL_HAVE_ALL = 0x80, ONE_TOO_FEW = 0x40, HEAD_BYTES = 1 + 3 * FR_BYTES };

static fuzz_verdict check(update_input_t *update)
{
    update_proof_t *proof = &update->proof;
    cuzk_error err;

    if (update_input_check(update, NULL, &err) == CUZK_OK) return FUZZ_RIGHT;
    /* past the first two checks, which a change to anything fails */
    const fr_t old[2] = {proof->comm_c, proof->root_r_old},
               new[2] = {proof->comm_c, proof->root_r_new};

    poseidon_hash(&proof->comm_r_old, POSEIDON_2, old);
    poseidon_hash(&proof->comm_r_new, POSEIDON_2, new);
    (void)update_input_check(update, NULL, &err);
    return FUZZ_READ;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cuzk_bytes partitions[UPDATE_MAX_PARTITIONS];
    cuzk_update_statement stated = {0};
    fuzz_verdict verdict = FUZZ_REFUSED;
    update_input_t update;
    cuzk_error err;

    if (size < HEAD_BYTES) return 0;
    stated.registered_proof = (data[0] & 0x3f) % (UPDATE_PROOFS + 1);
    memcpy(stated.comm_r_old, data + 1, FR_BYTES);
    memcpy(stated.comm_d_new, data + 1 + FR_BYTES, FR_BYTES);
    memcpy(stated.comm_r_new, data + 1 + 2 * FR_BYTES, FR_BYTES);
    const update_config_t *config = update_config_by_number(stated.registered_proof);
    const size_t n = config != NULL ? update_partition_count(config) : 1;
    const size_t all = size - HEAD_BYTES;
    const size_t share = data[0] & ALL_HAVE_ALL ? 0 : all / n;
    for (size_t k = 0; k < n; k++)
        partitions[k] = (cuzk_bytes){data + HEAD_BYTES + k * share, share > 0 ? share : all};
    if (update_input_open(&update, &stated, partitions, n - (data[0] & ONE_TOO_FEW ? 1 : 0),
                          &err) == CUZK_OK) {
        verdict = check(&update);
        (void)update_input_circuit(&update, 0);
        update_input_close(&update);
    }
    fuzz_judge(verdict);
    return 0;
}
