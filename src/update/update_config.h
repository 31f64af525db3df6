/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_UPDATE_UPDATE_CONFIG_H
#define CUZK_UPDATE_UPDATE_CONFIG_H

/* The registered sector updates (EmptySectorUpdate, SnapDeals): one row each. Source:
 * storage-proofs-update constants.rs; filecoin-proofs-api registry.rs. */

#include <stddef.h>

#include "hash/tree.h"

enum {
    UPDATE_PROOFS = 5,        /* registered proofs 0 .. 4 */
    UPDATE_H_CHOICES = 6,     /* values of h the circuit can select */
    UPDATE_H_DEFAULT = 3,     /* index of the value in use */
    UPDATE_PUBLIC_INPUTS = 4, /* k and h_select, comm_r_old, comm_d_new, comm_r_new */
    UPDATE_MAX_CHALLENGES = 86,
    UPDATE_MAX_APEX_LEAVES = 128,
    UPDATE_MAX_PARTITIONS = 16
};

/** A registered update, with all its circuit's shape depends on. */
typedef struct {
    uint32_t number;
    const char *name;     /* "StackedDrg32GiBV1" */
    uint64_t sector_size; /* bytes */
    uint32_t lg_nodes;    /* log2 of the sector's nodes: bits of a challenge */
    uint32_t lg_partitions;
    uint32_t n_challenges;       /* a partition */
    uint32_t lg_apex_leaves;     /* of a partition */
    uint8_t h[UPDATE_H_CHOICES]; /* high bits of a challenge that choose its rho */
} update_config_t;

/** The row of a number, NULL when number >= UPDATE_PROOFS. */
const update_config_t *update_config_by_number(uint64_t number);

/** The row of a sector size in bytes, NULL when there is none. */
const update_config_t *update_config_by_size(uint64_t sector_size);

static inline uint32_t update_partition_count(const update_config_t *config)
{
    return (uint32_t)1 << config->lg_partitions;
}
static inline uint32_t update_apex_leaf_count(const update_config_t *config)
{
    return (uint32_t)1 << config->lg_apex_leaves;
}

/** The value of h in use: config->h at its default index. */
static inline uint32_t update_h(const update_config_t *config)
{
    return config->h[UPDATE_H_DEFAULT];
}

/** The circuit's choice of h: one bit, at the first place of config->h that has the value in use
 *  (the first of all at test sizes, where the six values are equal). */
uint32_t update_h_select(const update_config_t *config);

#endif
