/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_POREP_CHALLENGE_H
#define CUZK_POREP_CHALLENGE_H

/* Which nodes a partition must open. Source: storage-proofs-porep stacked/vanilla/challenges.rs. */

#include "porep/porep_config.h"

/** What challenges are drawn from; all three kinds take the replica id, interactive ones the seed,
 *  synthetic ones seed and comm_r, non-interactive ones comm_r. */
typedef struct {
    uint8_t replica_id[32];
    uint8_t comm_r[32];
    uint8_t seed[32];
} porep_randomness_t;

/** challenges[0 .. config->n_challenges-1] of a partition < config->n_partitions, by the kind of
 *  config: never node 0; a node may repeat. */
void porep_challenges(uint32_t *challenges, const porep_config_t *config,
                      const porep_randomness_t *randomness, uint32_t partition);

#endif
