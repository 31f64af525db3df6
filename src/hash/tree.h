/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_HASH_TREE_H
#define CUZK_HASH_TREE_H

/* Authentication paths of the trees of a sector, as siblings in one flat array. A level with
 * arity a has a - 1 siblings, by rising position with the node's own place left out; levels run
 * from the leaf to the root. The place of a node at a level is read off the leaf's index, whose
 * digits (lowest first) are in the arities of the levels.
 *
 * Tree D is binary SHA-256 with the top two bits of each digest cleared; trees C and R are
 * Poseidon with arity 8, then, at sizes that have them, one level over subtrees (arity 8) and one
 * over those (arity 2). Source: storage-proofs-core, merkle/proof.rs. */

#include "field/fr.h"

enum { TREE_MAX_LEVELS = 32, TREE_MAX_ARITY = 8 };

typedef enum {
    TREE_SHA256,  /* arity 2 only */
    TREE_POSEIDON /* arities 2, 4 and 8 */
} tree_hash;

typedef struct {
    tree_hash hash;
    uint32_t n_levels; /* of a path, root and leaf not counted twice */
    uint32_t n_base;   /* levels of the base tree */
    uint32_t n_sub;    /* levels over subtrees, 0 or 1; then n_top, 0 or 1 */
    uint32_t n_top;
    uint32_t n_siblings;               /* of a whole path */
    uint8_t lg_arity[TREE_MAX_LEVELS]; /* log2 of the arity of each level */
    uint64_t n_leaves;                 /* a power of two */
} tree_shape_t;

/** Children of a node above level `level`. */
static inline uint32_t tree_arity(const tree_shape_t *shape, uint32_t level)
{
    return (uint32_t)1 << shape->lg_arity[level];
}

/** Bits of a leaf's index. */
static inline uint32_t tree_index_bits(const tree_shape_t *shape)
{
    return (uint32_t)__builtin_ctzll(shape->n_leaves);
}

/** Tree D over 2^lg_nodes leaves, lg_nodes <= TREE_MAX_LEVELS. */
void tree_shape_binary(tree_shape_t *shape, uint32_t lg_nodes);

/** Tree C or R of a sector of 2^lg_nodes nodes: the base tree of arity 8 takes a multiple of three
 *  of the bits; what sizes have above it follows the reference (32 GiB: 8-8, 64 GiB: 8-8-2).
 *  lg_nodes is 6, 18, 24, 30 or 31. */
void tree_shape_sector(tree_shape_t *shape, uint32_t lg_nodes);

/** *root = the root the path leads to; siblings: shape->n_siblings elements; index < n_leaves. */
void tree_root(fr_t *root, const tree_shape_t *shape, const fr_t *leaf, uint64_t index,
               const fr_t *siblings);

/** The same for levels [from, to) alone; siblings are those of the whole path, index is the
 *  leaf's, node the value at level `from`. r may be node. */
void tree_climb(fr_t *r, const tree_shape_t *shape, const fr_t *node, uint64_t index,
                const fr_t *siblings, uint32_t from, uint32_t to);

/** r = SHA-256(left, right) with the top two bits cleared: a node of tree D. */
void tree_hash_sha256(fr_t *r, const fr_t *left, const fr_t *right);

#endif
