/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_GADGET_MERKLE_H
#define CUZK_GADGET_MERKLE_H

/* Merkle paths in a circuit, through trees of the shapes of hash/tree.h with arities 2 and 8
 * (storage-proofs-core's gadgets por.rs and insertion.rs have the constraint forms). */

#include "gadget/num.h"
#include "hash/tree.h"

/** A path as plain values. Unused, and may be zeroed, in runs without values. */
typedef struct {
    uint64_t index;       /* of the leaf */
    const fr_t *siblings; /* shape->n_siblings */
} merkle_path_t;

/** Proves that leaf is in the tree with that root; the index becomes a public input. Each level:
 *  its index bits, its siblings, the insertion, the hash; then the packed index and
 *  computed root * 1 = root. */
void merkle_include(cs_t *cs, const tree_shape_t *shape, const num_t *leaf,
                    const merkle_path_t *path, const num_t *root);

/** The same from variables that exist: bits is the index (lowest first, none of them constant or
 *  negated), siblings as in merkle_path_t; no public input. */
void merkle_include_at(cs_t *cs, const tree_shape_t *shape, const num_t *leaf,
                       const boolean_t *bits, const num_t *siblings, const num_t *root);

/** out[0 .. arity-1] = others[0 .. arity-2] with element put before others[bits], bits being
 * lg(arity) variables, lowest first. arity 2 or 8. */
void merkle_insert(cs_t *cs, num_t *out, const num_t *element, const boolean_t *bits,
                   const num_t *others, unsigned arity);

/** from[bits], of 2^n_bits elements, n_bits <= 8, bits lowest first. One variable and constraint
 *  for each element but one. */
num_t merkle_select(cs_t *cs, const num_t *from, const boolean_t *bits, unsigned n_bits);

#endif
