/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_GADGET_POSEIDON_AHEAD_H
#define CUZK_GADGET_POSEIDON_AHEAD_H

/* Hashes of several Merkle paths made at once, before the circuit comes to them: eight paths cost
 * less than two, one after the other (docs/algorithms/poseidon.md). For runs with a tape. */

#include "gadget/merkle.h"

enum { POSEIDON_AHEAD_PATHS = 8 };

/** Elements that one path's hashes have as variables. */
size_t poseidon_ahead_length(const tree_shape_t *shape);

/** ahead[k * length .. (k + 1) * length - 1] = those of path k from leaf *leaves[k];
 *  n <= POSEIDON_AHEAD_PATHS. While cs->tape->ahead points to a path's, merkle_include() takes them
 *  from there. */
void poseidon_ahead_paths(fr_t *ahead, const tree_shape_t *shape, const fr_t *const *leaves,
                          const merkle_path_t *const *paths, unsigned n);

#endif
