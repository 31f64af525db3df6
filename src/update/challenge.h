/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_UPDATE_CHALLENGE_H
#define CUZK_UPDATE_CHALLENGE_H

/* What an update draws by Poseidon (POSEIDON_2_MD): the nodes a partition opens, and the factor
 * that encodes each. Source: storage-proofs-update challenges.rs and vanilla.rs. */

#include "field/fr.h"
#include "update/update_config.h"

/** nodes[0 .. config->n_challenges-1] of a partition, all within its part of the sector: random
 *  bits from the digests of (comm_r_new, counter), lowest first, as many whole ones as fit 254
 *  bits of a digest, below the partition's number. The counter runs on over the partitions, each
 *  beginning with a digest of its own. */
void update_challenges(uint32_t *nodes, const update_config_t *config, const fr_t *comm_r_new,
                       uint32_t partition);

/** *phi = H(comm_d_new, comm_r_old), of the whole update. */
void update_phi(fr_t *phi, const fr_t *comm_d_new, const fr_t *comm_r_old);

/** *rho = H(phi, the update_h() high bits of node): new replica = old replica + new data * rho. */
void update_rho(fr_t *rho, const update_config_t *config, const fr_t *phi, uint32_t node);

#endif
