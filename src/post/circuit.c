/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "post/circuit.h"

#include "gadget/poseidon.h"
#include "gadget/poseidon_ahead.h"
#include "r1cs/tape.h"

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
    post_circuit_t shape = {0};

    tree_shape_sector(&shape.tree, (uint32_t)__builtin_ctzll(sector_bytes / FR_BYTES));
    if (kind == POST_WINNING) {
        shape.n_sectors = WINNING_CHALLENGES;
        shape.n_challenges = 1;
    } else {
        shape.n_sectors = window_sectors(sector_bytes);
        shape.n_challenges = WINDOW_CHALLENGES;
    }
    return shape;
}

static void add_challenge(cs_t *cs, const tree_shape_t *tree, const post_challenge_t *challenge,
                          const num_t *root)
{
    const num_t leaf = num_alloc(cs, &challenge->leaf);

    merkle_include(cs, tree, &leaf, &challenge->path, root);
}

/* The commitment; returns comm_r_last. */
static num_t add_commitment(cs_t *cs, const post_sector_t *sector)
{
    const num_t comm_r_last = num_alloc(cs, &sector->comm_r_last);
    const num_t comm_c = num_alloc(cs, &sector->comm_c);
    const num_t comm_r = num_alloc(cs, &sector->comm_r);
    const num_t preimage[2] = {comm_c, comm_r_last};

    num_inputize(cs, &comm_r);
    const num_t hash = poseidon_circuit(cs, POSEIDON_2, preimage);
    num_enforce_equal(cs, &comm_r, &hash);
    return comm_r_last;
}

/* In runs with a tape: the hashes of a group of challenges, counted through all sectors. */
typedef struct {
    fr_t *values; /* room for a group */
    size_t length;
    uint32_t group; /* the one that is there, plus 1 */
} ahead_t;

static const post_challenge_t *challenge_at(const post_circuit_t *c, uint32_t i)
{
    return &c->sectors[i / c->n_challenges].challenges[i % c->n_challenges];
}

static const fr_t *hashes_of(ahead_t *a, const post_circuit_t *c, uint32_t i)
{
    enum { GROUP = POSEIDON_AHEAD_PATHS };
    const uint32_t first = i / GROUP * GROUP;
    const uint32_t left = c->n_sectors * c->n_challenges - first;
    const uint32_t n = left < GROUP ? left : GROUP;
    const merkle_path_t *paths[GROUP];
    const fr_t *leaves[GROUP];

    if (a->group != first / GROUP + 1) {
        for (uint32_t k = 0; k < n; k++) {
            leaves[k] = &challenge_at(c, first + k)->leaf;
            paths[k] = &challenge_at(c, first + k)->path;
        }
        poseidon_ahead_paths(a->values, &c->tree, leaves, paths, n);
        a->group = first / GROUP + 1;
    }
    return a->values + (i - first) * a->length;
}

/* Parts: the commitment, each challenge. */
static void add_sector(cs_t *cs, const post_circuit_t *c, ahead_t *ahead, uint32_t s)
{
    static const post_sector_t no_sector;
    static const post_challenge_t no_challenge;
    const post_sector_t *sector = cs->has_values ? &c->sectors[s] : &no_sector;
    const num_t comm_r_last =
        cs_part(cs) ? add_commitment(cs, sector) : num_known(&sector->comm_r_last);

    for (uint32_t i = 0; i < c->n_challenges; i++) {
        if (!cs_part(cs)) continue;
        if (cs->tape != NULL) cs->tape->ahead = hashes_of(ahead, c, s * c->n_challenges + i);
        add_challenge(cs, &c->tree, cs->has_values ? &sector->challenges[i] : &no_challenge,
                      &comm_r_last);
        if (cs->tape != NULL) cs->tape->ahead = NULL;
    }
}

void post_circuit(cs_t *cs, const void *circuit)
{
    const post_circuit_t *c = circuit;
    ahead_t ahead = {.length = poseidon_ahead_length(&c->tree)};

    if (cs->tape != NULL)
        ahead.values = arena_alloc(&cs->arena, ahead.length * POSEIDON_AHEAD_PATHS, sizeof(fr_t));
    for (uint32_t i = 0; i < c->n_sectors; i++) add_sector(cs, c, &ahead, i);
}
