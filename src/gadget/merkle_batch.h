/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_GADGET_MERKLE_BATCH_H
#define CUZK_GADGET_MERKLE_BATCH_H

/* Many leaves of trees of one shape, included one after another. In runs with a tape the hashes of
 * several paths are made at once: eight paths cost less than two, one after the other
 * (docs/algorithms/poseidon.md). */

#include "gadget/merkle.h"

/** A leaf with its path, as plain values. */
typedef struct {
    fr_t leaf;
    merkle_path_t path;
} merkle_opening_t;

/** Opening i < n of a batch. Not called in runs without values. */
typedef const merkle_opening_t *(*merkle_opening_fn)(const void *arg, uint32_t i);

/** The openings of a circuit. The fields are merkle_batch.c's. */
typedef struct {
    const tree_shape_t *shape;
    merkle_opening_fn opening;
    const void *arg;
    uint32_t n;
    fr_t *hashes; /* those of a group of paths; NULL in runs without a tape */
    size_t path_length;
    uint32_t first, end; /* the group */
} merkle_batch_t;

/** For the rest of the circuit: memory comes from the arena of cs. shape and arg are borrowed. */
void merkle_batch_open(merkle_batch_t *batch, cs_t *cs, const tree_shape_t *shape,
                       merkle_opening_fn opening, const void *arg, uint32_t n);

/** Proves that opening i < n leads to root: its leaf as a new variable, then merkle_include(). */
void merkle_batch_include(cs_t *cs, merkle_batch_t *batch, uint32_t i, const num_t *root);

#endif
