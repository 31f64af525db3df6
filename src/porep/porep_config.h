/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_POREP_POREP_CONFIG_H
#define CUZK_POREP_POREP_CONFIG_H

/* The registered seal proofs: one row each. Source: filecoin-proofs-api registry.rs;
 * filecoin-proofs constants.rs and parameters.rs. */

#include <stddef.h>

#include "base/error.h"
#include "base/verify.h"
#include "hash/poseidon.h"
#include "hash/tree.h"

enum {
    POREP_PROOFS = 20,    /* registered proofs 0 .. 19 */
    POREP_DRG_DEGREE = 6, /* parents in the same layer */
    POREP_EXP_DEGREE = 8, /* parents in the layer before */
    POREP_DEGREE = POREP_DRG_DEGREE + POREP_EXP_DEGREE,
    POREP_LABEL_PARENTS = 37, /* parents hashed into a label, repeated to that count */
    POREP_MAX_LAYERS = 11,
    POREP_MAX_CHALLENGES = 18, /* a partition */
    POREP_MAX_PARTITIONS = 126
};

/** Version of the rules; it decides the order of the parents and how the expander's are reduced. */
typedef enum { POREP_V1, POREP_V1_1, POREP_V1_2 } porep_version;

/** How challenges are drawn. */
typedef enum { POREP_INTERACTIVE, POREP_SYNTHETIC, POREP_NON_INTERACTIVE } porep_feature;

/** What the circuit's shape depends on; equal for all versions and features of a size. */
typedef struct {
    uint32_t lg_nodes;     /* log2 of the sector's 32-byte nodes */
    uint32_t n_layers;     /* labels of a column: 2 or 11 */
    uint32_t n_challenges; /* a partition: 2 or 18 */
    tree_shape_t tree_d;   /* data, binary SHA-256 */
    tree_shape_t tree_r;   /* replica and columns (trees R and C), Poseidon */
} porep_shape_t;

typedef struct {
    uint32_t number;        /* on chain; as 8 bytes little-endian and zeros it is the porep id */
    const char *name;       /* "StackedDrg32GiBV1_1", as the reference spells it */
    const char *chain_name; /* as go-state-types does: the same but for the non-interactive kind */
    const char *shape_name; /* the key of the vanilla proofs in commit-phase-1 output */
    uint64_t sector_size;   /* bytes */
    porep_version version;
    porep_feature feature;
    uint32_t n_partitions;
    uint32_t n_layers;
    uint32_t n_challenges; /* a partition */
} porep_config_t;

/** The row of a number, NULL when number >= POREP_PROOFS. */
const porep_config_t *porep_config_by_number(uint64_t number);

/** The same; CUZK_ERR_ARG when there is none. */
cuzk_status porep_config_find(const porep_config_t **config, uint64_t number, cuzk_error *err);

/** The row of a name of n bytes in either spelling, NULL when there is none. Exact, case counts. */
const porep_config_t *porep_config_by_name(const char *name, size_t n);

enum { POREP_NAMES_BYTES = 1024 };

/** All names there are, for messages: the reference's with ", " between, then the chain's others.
 */
void porep_config_names(char names[POREP_NAMES_BYTES]);

/** Fills *shape for a sector size of a registered proof; false for any other. */
bool porep_shape_init(porep_shape_t *shape, uint64_t sector_size);

/** The porep id: what the graph's seeds and the replica id are made from. */
void porep_id(uint8_t id[32], const porep_config_t *config);

/** The hash that makes a leaf of tree C from the labels of a column: of 2 or 11 layers. */
static inline poseidon_instance porep_column_hash(uint32_t n_layers)
{
    VERIFY(n_layers == 2 || n_layers == 11);
    return n_layers == 2 ? POSEIDON_2 : POSEIDON_11;
}

#endif
