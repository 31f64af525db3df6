/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_GADGET_MERKLE_H
#define CUZK_GADGET_MERKLE_H

/* Merkle paths. A tree is described by the arity of each level of its paths, from the leaves up:
 * base levels, then at most one level over sub-trees and one over those (storage-proofs-core's
 * gadgets por.rs and insertion.rs have the constraint forms). */

#include "gadget/num.h"

enum { MERKLE_MAX_LEVELS = 32, MERKLE_MAX_ARITY = 8, MERKLE_NODE_BYTES = 32 };

typedef struct {
    uint8_t n_levels;
    uint8_t arity[MERKLE_MAX_LEVELS]; /* 2 or 8 each; arity[0] at the leaves */
} merkle_shape_t;

/** The trees C, R and R-last (Poseidon, arity 8) of a sector: 32 GiB has 8 sub-trees, 64 GiB two
 *  times 8. sector_bytes is a supported size: 2 KiB, 8 MiB, 512 MiB, 32 GiB, 64 GiB. */
merkle_shape_t merkle_shape_tree_r(uint64_t sector_bytes);

/** The binary tree of 2^n_levels leaves; the data tree D of a sector has sector_bytes / 32. */
merkle_shape_t merkle_shape_binary(unsigned n_levels);

/** Bits of a leaf's index: the sum of lg(arity). At most 63. */
unsigned merkle_index_bits(const merkle_shape_t *shape);

/** Siblings on a path: the sum of arity - 1. */
unsigned merkle_siblings(const merkle_shape_t *shape);

/** A path as plain values. Unused, and may be zeroed, in runs without values. */
typedef struct {
    uint64_t index;       /* of the leaf, the leaf level's part in the low bits */
    const fr_t *siblings; /* merkle_siblings() of them, leaf level first, left to right */
} merkle_path_t;

/** The parent of children[0 .. arity-1]. */
typedef num_t (*merkle_hash_fn)(cs_t *cs, const num_t *children, unsigned arity);

/** Proves that leaf is in the tree with that root; the index becomes a public input. Each level:
 *  its index bits, its siblings, the insertion, the hash; then the packed index and
 *  computed root * 1 = root. */
void merkle_include(cs_t *cs, const merkle_shape_t *shape, merkle_hash_fn hash, const num_t *leaf,
                    const merkle_path_t *path, const num_t *root);

/** The same from variables that exist: bits is the index (lowest first, none of them constant or
 *  negated), siblings as in merkle_path_t; no public input. */
void merkle_include_at(cs_t *cs, const merkle_shape_t *shape, merkle_hash_fn hash,
                       const num_t *leaf, const boolean_t *bits, const num_t *siblings,
                       const num_t *root);

/** out[0 .. arity-1] = others[0 .. arity-2] with element put before others[bits], bits being
 * lg(arity) variables, lowest first. arity 2 or 8. */
void merkle_insert(cs_t *cs, num_t *out, const num_t *element, const boolean_t *bits,
                   const num_t *others, unsigned arity);

/** from[bits], of 2^n_bits elements, n_bits <= 8, bits lowest first. One variable and constraint
 *  for each element but one. */
num_t merkle_select(cs_t *cs, const num_t *from, const boolean_t *bits, unsigned n_bits);

#endif
