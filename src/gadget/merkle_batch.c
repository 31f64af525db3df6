/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "gadget/merkle_batch.h"

#include "hash/poseidon_constants.h"
#include "r1cs/tape.h"

enum { GROUP = 8 };

static unsigned level_length(unsigned arity)
{
    return poseidon_trace_length(poseidon_instance_constants(poseidon_with_arity(arity)));
}

void merkle_batch_open(merkle_batch_t *batch, cs_t *cs, const tree_shape_t *shape,
                       merkle_opening_fn opening, const void *arg, uint32_t n)
{
    *batch = (merkle_batch_t){.shape = shape, .opening = opening, .arg = arg, .n = n};
    if (cs->tape == NULL || shape->hash != TREE_POSEIDON) return;
    for (unsigned i = 0; i < shape->n_levels; i++)
        batch->path_length += level_length(tree_arity(shape, i));
    batch->hashes = arena_alloc(&cs->arena, GROUP * batch->path_length, sizeof *batch->hashes);
}

/* children = the siblings of a level with the node put at its place among them. */
static void insert_node(fr_t *children, const fr_t *node, size_t place, const fr_t *siblings,
                        unsigned arity)
{
    memcpy(children, siblings, place * sizeof *siblings);
    children[place] = *node;
    memcpy(children + place + 1, siblings + place, (arity - 1 - place) * sizeof *siblings);
}

/* The variables of the hashes on the paths of openings[0 .. n-1]: path_length elements each. */
static void hash_paths(const merkle_batch_t *batch, const merkle_opening_t *const *openings,
                       unsigned n)
{
    const tree_shape_t *shape = batch->shape;
    fr_t nodes[GROUP], children[GROUP][TREE_MAX_ARITY];
    const fr_t *inputs[GROUP];
    fr_t *traces[GROUP];
    unsigned shift = 0;
    size_t sibling = 0;

    for (unsigned k = 0; k < n; k++) {
        nodes[k] = openings[k]->leaf;
        inputs[k] = children[k];
        traces[k] = batch->hashes + k * batch->path_length;
    }
    for (unsigned level = 0; level < shape->n_levels; level++) {
        const unsigned arity = tree_arity(shape, level);

        for (unsigned k = 0; k < n; k++) {
            const merkle_path_t *path = &openings[k]->path;

            insert_node(children[k], &nodes[k], path->index >> shift & (arity - 1),
                        path->siblings + sibling, arity);
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

/* Those from i on, but for what is left to other runs: n_more parts follow in this one. */
static void make_group(merkle_batch_t *batch, uint32_t i, uint32_t n_more)
{
    const merkle_opening_t *openings[GROUP];
    uint32_t n = batch->n - i < GROUP ? batch->n - i : GROUP;

    if (n > n_more + 1) n = n_more + 1;
    batch->first = i;
    batch->end = i + n;
    for (uint32_t k = batch->first; k < batch->end; k++)
        openings[k - batch->first] = batch->opening(batch->arg, k);
    hash_paths(batch, openings, batch->end - batch->first);
}

void merkle_batch_include(cs_t *cs, merkle_batch_t *batch, uint32_t i, const num_t *root)
{
    static const merkle_opening_t no_opening;
    const merkle_opening_t *opening = cs->has_values ? batch->opening(batch->arg, i) : &no_opening;

    VERIFY(i < batch->n);
    if (cs->values_only) return;
    const num_t leaf = num_alloc(cs, &opening->leaf);
    if (batch->hashes != NULL) {
        if (i < batch->first || i >= batch->end) make_group(batch, i, cs->tape->parts_left);
        cs->tape->ahead = batch->hashes + (i - batch->first) * batch->path_length;
    }
    merkle_include(cs, batch->shape, &leaf, &opening->path, root);
    if (batch->hashes != NULL) cs->tape->ahead = NULL;
}
