/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "porep/porep_input.h"

#include "codec/prover_id.h"
#include "porep/origin.h"

enum {
    CHALLENGES_BYTES =
        POREP_MAX_PARTITIONS * POREP_MAX_CHALLENGES * sizeof(porep_challenge_t) + (1 << 20)
};

cuzk_status porep_input_open(porep_input_t *porep, const char *what, cuzk_bytes c1,
                             const uint32_t *registered_proof, cuzk_error *err)
{
    const porep_config_t *requested = NULL;

    if (registered_proof != NULL &&
        porep_config_find(&requested, *registered_proof, err) != CUZK_OK)
        return err->status;
    /* An element has 65 characters or more and takes 32 bytes; beside them the challenges, whose
     * number does not depend on the text. */
    cuzk_status status =
        arena_open(&porep->arena, c1.length / 2 + CHALLENGES_BYTES, "commit-phase-1 output", err);
    if (status != CUZK_OK) return status;
    status = porep_c1_read(&porep->c1, what, c1, requested, &porep->arena, err);
    if (status == CUZK_OK)
        porep_statement_of(&porep->statement, &porep->c1.proof);
    else
        porep_input_close(porep);
    return status;
}

void porep_input_close(porep_input_t *porep)
{
    arena_close(&porep->arena);
}

cuzk_status porep_input_check(const porep_input_t *porep, uint64_t miner_id, uint64_t sector_number,
                              strand_t *strand, cuzk_error *err)
{
    uint8_t prover_id[PROVER_ID_BYTES];

    if (porep->c1.is_wrapped && porep->c1.sector_number != sector_number)
        return error_set(err, CUZK_ERR_ARG, "sector_number: %llu, but the file's SectorNum is %llu",
                         (unsigned long long)sector_number,
                         (unsigned long long)porep->c1.sector_number);
    prover_id_from_miner(prover_id, miner_id);
    const porep_origin_t origin = porep_origin_of(&porep->c1.proof, prover_id, sector_number);
    if (!porep_has_origin(&porep->c1.proof, &origin))
        return porep_explain_origin(&porep->c1.proof, &origin, strand, err);
    return porep_check(&porep->c1.proof, prover_id, sector_number, strand, err);
}

porep_circuit_t porep_input_circuit(const porep_input_t *porep, uint32_t partition)
{
    VERIFY(partition < porep->statement.config->n_partitions);
    return (porep_circuit_t){
        .shape = porep->c1.proof.shape, .proof = &porep->c1.proof, .partition = partition};
}
