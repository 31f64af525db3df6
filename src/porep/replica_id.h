/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_POREP_REPLICA_ID_H
#define CUZK_POREP_REPLICA_ID_H

/* What ties a replica to its miner, sector, ticket and data. */

#include "porep/porep_config.h"

/** Where a replica comes from. */
typedef struct {
    uint8_t prover_id[32]; /* codec/prover_id.h makes it from the miner's number */
    uint64_t sector_number;
    uint8_t ticket[32];
    uint8_t comm_d[32];
} porep_origin_t;

/** *replica_id = SHA-256(prover id, sector number as 8 bytes big-endian, ticket, comm_d, porep id)
 *  with the top two bits cleared. Source: storage-proofs-porep stacked/vanilla/params.rs. */
void porep_replica_id(fr_t *replica_id, const porep_origin_t *origin, const porep_config_t *config);

#endif
