/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "porep/origin.h"

#include <string.h>

#include "codec/prover_id.h"

enum { SECTORS_TRIED = 1 << 20, MINERS_TRIED = 1 << 22 };

porep_origin_t porep_origin_of(const porep_proof_t *proof, const uint8_t prover_id[32],
                               uint64_t sector_number)
{
    porep_origin_t origin = {.sector_number = sector_number};

    memcpy(origin.prover_id, prover_id, sizeof origin.prover_id);
    memcpy(origin.ticket, proof->ticket, sizeof origin.ticket);
    fr_to_bytes(origin.comm_d, &proof->comm_d);
    return origin;
}

static bool fits(const porep_proof_t *proof, const porep_origin_t *origin,
                 const porep_config_t *config)
{
    fr_t id;

    porep_replica_id(&id, origin, config);
    return fr_equal(&id, &proof->replica_id);
}

bool porep_has_origin(const porep_proof_t *proof, const porep_origin_t *origin)
{
    return fits(proof, origin, proof->config);
}

cuzk_status porep_refuse_origin(const porep_proof_t *proof, const porep_origin_t *stated,
                                cuzk_error *err)
{
    return error_set(
        err, CUZK_ERR_FORMAT,
        "replica_id: not that of miner %llu, sector %llu and the file's ticket and "
        "comm_d with %s (made with another ticket or comm_d, more than one of these is "
        "another, or the file is damaged?)",
        (unsigned long long)prover_id_to_miner(stated->prover_id),
        (unsigned long long)stated->sector_number, proof->config->name);
}

/* ---- which it is ------------------------------------------------------------------------------
 */

/* A proof and what was said of it. */
typedef struct {
    const porep_proof_t *proof;
    const porep_origin_t *stated;
} origin_search_t;

static bool is_sector(void *arg, size_t number)
{
    const origin_search_t *search = arg;
    porep_origin_t origin = *search->stated;

    origin.sector_number = number;
    return porep_has_origin(search->proof, &origin);
}

static bool is_miner(void *arg, size_t number)
{
    const origin_search_t *search = arg;
    porep_origin_t origin = *search->stated;

    prover_id_from_miner(origin.prover_id, number);
    return porep_has_origin(search->proof, &origin);
}

static const porep_config_t *find_config(const origin_search_t *search)
{
    for (uint64_t i = 0; i < POREP_PROOFS; i++) {
        const porep_config_t *config = porep_config_by_number(i);

        if (fits(search->proof, search->stated, config)) return config;
    }
    return NULL;
}

cuzk_status porep_explain_origin(const porep_proof_t *proof, const porep_origin_t *stated,
                                 strand_t *strand, cuzk_error *err)
{
    origin_search_t search = {.proof = proof, .stated = stated};
    const unsigned long long miner = prover_id_to_miner(stated->prover_id);
    const unsigned long long sector = stated->sector_number;
    const porep_config_t *config = find_config(&search);
    size_t found;

    if (config != NULL)
        return error_set(err, CUZK_ERR_FORMAT,
                         "replica_id: of a replica made as %s, but registered_proof is %s",
                         config->name, proof->config->name);
    cuzk_status st = strand_find(&found, strand, SECTORS_TRIED, is_sector, &search, err);
    if (st == CUZK_OK && found < SECTORS_TRIED)
        return error_set(err, CUZK_ERR_FORMAT,
                         "replica_id: that of sector %zu, not of sector %llu (miner %llu)", found,
                         sector, miner);
    if (st == CUZK_OK) st = strand_find(&found, strand, MINERS_TRIED, is_miner, &search, err);
    if (st != CUZK_OK) return st;
    if (found < MINERS_TRIED)
        return error_set(err, CUZK_ERR_FORMAT,
                         "replica_id: that of miner %zu, not of miner %llu (sector %llu)", found,
                         miner, sector);
    return porep_refuse_origin(proof, stated, err);
}
