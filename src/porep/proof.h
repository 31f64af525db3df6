/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_POREP_PROOF_H
#define CUZK_POREP_PROOF_H

/* A commit-phase-1 output in memory: what the circuit takes as its witness. Elements are reduced
 * and in Montgomery form; arrays lie in the arena of the job, sized from the shape. Paths are
 * flat arrays of siblings (hash/tree.h); the place of a node in its path is its index. */

#include "field/fr.h"
#include "porep/porep_config.h"

/** A column of tree C: the labels of one node in all layers, and its path. */
typedef struct {
    uint32_t node;
    fr_t leaf;          /* the column's hash as the file gives it */
    const fr_t *labels; /* n_layers, layer 1 first */
    const fr_t *path;   /* tree_r.n_siblings, in tree C */
} porep_column_t;

/** One challenged node. */
typedef struct {
    uint32_t node;
    fr_t data_leaf;                       /* of tree D */
    fr_t replica_leaf;                    /* of tree R: data_leaf + the last label */
    const fr_t *data_path;                /* tree_d.n_siblings */
    const fr_t *replica_path;             /* tree_r.n_siblings */
    porep_column_t column;                /* the node's; the circuit recomputes these labels */
    porep_column_t parents[POREP_DEGREE]; /* DRG parents, then expander parents, in graph order */
} porep_challenge_t;

typedef struct {
    const porep_config_t *config;
    porep_shape_t shape;
    fr_t replica_id;
    fr_t comm_d;
    fr_t comm_r;
    fr_t comm_c;      /* root of tree C, of all columns */
    fr_t comm_r_last; /* root of tree R */
    uint8_t seed[32];
    uint8_t ticket[32];
    porep_challenge_t *challenges; /* config->n_partitions * config->n_challenges, by partition */
} porep_proof_t;

/** The challenges of a partition, config->n_challenges of them. */
static inline const porep_challenge_t *porep_partition(const porep_proof_t *proof,
                                                       uint32_t partition)
{
    return proof->challenges + (size_t)partition * proof->config->n_challenges;
}

#endif
