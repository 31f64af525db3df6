/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "gadget/poseidon_ahead.h"

#include "hash/poseidon_constants.h"

enum { MAX_PATHS = POSEIDON_AHEAD_PATHS };

static unsigned level_length(unsigned arity)
{
    return poseidon_trace_length(poseidon_instance_constants(poseidon_with_arity(arity)));
}

size_t poseidon_ahead_length(const tree_shape_t *shape)
{
    size_t n = 0;

    for (unsigned i = 0; i < shape->n_levels; i++) n += level_length(tree_arity(shape, i));
    return n;
}

void poseidon_ahead_paths(fr_t *ahead, const tree_shape_t *shape, const fr_t *const *leaves,
                          const merkle_path_t *const *paths, unsigned n)
{
    const size_t length = poseidon_ahead_length(shape);
    fr_t nodes[MAX_PATHS], children[MAX_PATHS][TREE_MAX_ARITY];
    const fr_t *inputs[MAX_PATHS];
    fr_t *traces[MAX_PATHS];
    unsigned shift = 0;
    size_t sibling = 0;

    VERIFY(n <= MAX_PATHS);
    for (unsigned k = 0; k < n; k++) {
        nodes[k] = *leaves[k];
        inputs[k] = children[k];
        traces[k] = ahead + k * length;
    }
    for (unsigned level = 0; level < shape->n_levels; level++) {
        const unsigned arity = tree_arity(shape, level);

        for (unsigned k = 0; k < n; k++) {
            const size_t place = paths[k]->index >> shift & (arity - 1);
            const fr_t *others = paths[k]->siblings + sibling;

            memcpy(children[k], others, place * sizeof *others);
            children[k][place] = nodes[k];
            memcpy(children[k] + place + 1, others + place, (arity - 1 - place) * sizeof *others);
        }
        poseidon_trace_many(traces, poseidon_with_arity(arity), inputs, n);
        for (unsigned k = 0; k < n; k++) {
            traces[k] += level_length(arity);
            nodes[k] = traces[k][-1];
        }
        shift += shape->lg_arity[level];
        sibling += arity - 1;
    }
}
