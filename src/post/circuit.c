/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "post/circuit.h"

#include "gadget/poseidon.h"

enum {
    WINNING_CHALLENGES = 66,
    WINDOW_CHALLENGES = 10,
    WINDOW_SECTORS_32_GIB = 2349,
    WINDOW_SECTORS_64_GIB = 2300,
    WINDOW_SECTORS_SMALL = 2
};

static uint32_t window_sectors(uint64_t sector_bytes)
{
    if (sector_bytes == (uint64_t)32 << 30) return WINDOW_SECTORS_32_GIB;
    if (sector_bytes == (uint64_t)64 << 30) return WINDOW_SECTORS_64_GIB;
    return WINDOW_SECTORS_SMALL;
}

post_circuit_t post_circuit_shape(post_kind kind, uint64_t sector_bytes)
{
    post_circuit_t shape = {.tree = merkle_shape_tree_r(sector_bytes)};

    if (kind == POST_WINNING) {
        shape.n_sectors = WINNING_CHALLENGES;
        shape.n_challenges = 1;
    } else {
        shape.n_sectors = window_sectors(sector_bytes);
        shape.n_challenges = WINDOW_CHALLENGES;
    }
    return shape;
}

static void add_challenge(cs_t *cs, const merkle_shape_t *tree, const post_challenge_t *challenge,
                          const num_t *root)
{
    const num_t leaf = num_alloc(cs, &challenge->leaf);

    merkle_include(cs, tree, poseidon_circuit_parent, &leaf, &challenge->path, root);
}

static void add_sector(cs_t *cs, const post_circuit_t *c, const post_sector_t *sector)
{
    static const post_challenge_t no_challenge;
    const num_t comm_r_last = num_alloc(cs, &sector->comm_r_last);
    const num_t comm_c = num_alloc(cs, &sector->comm_c);
    const num_t comm_r = num_alloc(cs, &sector->comm_r);
    const num_t preimage[2] = {comm_c, comm_r_last};

    num_inputize(cs, &comm_r);
    const num_t hash = poseidon_circuit(cs, POSEIDON_2, preimage);
    num_enforce_equal(cs, &comm_r, &hash);
    for (uint32_t i = 0; i < c->n_challenges; i++)
        add_challenge(cs, &c->tree, cs->has_values ? &sector->challenges[i] : &no_challenge,
                      &comm_r_last);
}

void post_circuit(cs_t *cs, const void *circuit)
{
    static const post_sector_t no_sector;
    const post_circuit_t *c = circuit;

    for (uint32_t i = 0; i < c->n_sectors; i++)
        add_sector(cs, c, cs->has_values ? &c->sectors[i] : &no_sector);
}
