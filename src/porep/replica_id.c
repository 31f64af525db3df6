/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "porep/replica_id.h"

#include "base/bytes.h"
#include "hash/sha256.h"

void porep_replica_id(fr_t *replica_id, const porep_origin_t *origin, const porep_config_t *config)
{
    uint8_t number[8], id[32], digest[SHA256_BYTES];
    sha256_t h;

    store_be64(number, origin->sector_number);
    porep_id(id, config);
    sha256_init(&h);
    sha256_update(&h, origin->prover_id, sizeof origin->prover_id);
    sha256_update(&h, number, sizeof number);
    sha256_update(&h, origin->ticket, sizeof origin->ticket);
    sha256_update(&h, origin->comm_d, sizeof origin->comm_d);
    sha256_update(&h, id, sizeof id);
    sha256_final(digest, &h);
    digest[SHA256_BYTES - 1] &= 0x3f;
    (void)fr_from_bytes(replica_id, digest); /* below 2^254, so below the modulus */
}
