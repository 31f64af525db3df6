/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_UPDATE_PROOF_H
#define CUZK_UPDATE_PROOF_H

/* The vanilla proof of a sector update in memory: what the circuit takes as its witness. Elements
 * are reduced and in Montgomery form; arrays lie in the arena of the job. Paths are flat arrays
 * of siblings (hash/tree.h); the place of a node in its path is its index. */

#include "field/fr.h"
#include "update/update_config.h"

/** One challenged node, in three trees: old replica, new data, new replica. */
typedef struct {
    uint32_t node;
    fr_t leaf_r_old;
    fr_t leaf_d_new;
    fr_t leaf_r_new;
    const fr_t *path_r_old; /* tree_r.n_siblings */
    const fr_t *path_d_new; /* tree_d.n_siblings = lg_nodes; the last lg_partitions of them are the
                             * partition's path, the lg_apex_leaves before lie in the apex tree */
    const fr_t *path_r_new; /* tree_r.n_siblings */
} update_challenge_t;

typedef struct {
    const fr_t *apex_leaves; /* update_apex_leaf_count() nodes of tree D, the partition's row */
    update_challenge_t *challenges; /* config->n_challenges */
} update_partition_t;

typedef struct {
    const update_config_t *config;
    tree_shape_t tree_d; /* binary SHA-256 */
    tree_shape_t tree_r; /* Poseidon */
    fr_t comm_r_old;     /* public */
    fr_t comm_d_new;     /* public: the root of the new data's tree D */
    fr_t comm_r_new;     /* public */
    fr_t comm_c;         /* root of tree C, which an update keeps */
    fr_t root_r_old;
    fr_t root_r_new;
    update_partition_t *partitions; /* update_partition_count(config) */
} update_proof_t;

#endif
