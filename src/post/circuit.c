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

/* The commitment, a part; returns comm_r_last. */
static num_t add_commitment(cs_t *cs, const post_sector_t *sector)
{
    (void)cs_part(cs);
    const num_t comm_r_last = num_alloc(cs, &sector->comm_r_last);
    if (cs->values_only) return comm_r_last;

    const num_t comm_c = num_alloc(cs, &sector->comm_c);
    const num_t comm_r = num_alloc_public(cs, &sector->comm_r);
    const num_t preimage[2] = {comm_c, comm_r_last};
    const num_t hash = poseidon_circuit(cs, POSEIDON_2, preimage);
    num_enforce_equal(cs, &comm_r, &hash);
    return comm_r_last;
}

/* A merkle_opening_fn: challenges counted through all sectors. */
static const post_challenge_t *challenge_at(const void *circuit, uint32_t i)
{
    const post_circuit_t *c = circuit;

    return &c->sectors[i / c->n_challenges].challenges[i % c->n_challenges];
}

/* Parts: the commitment of each sector, each of its challenges. */
void post_circuit(cs_t *cs, const void *circuit)
{
    static const post_sector_t no_sector;
    const post_circuit_t *c = circuit;
    merkle_batch_t batch;

    merkle_batch_open(&batch, cs, &c->tree, challenge_at, c, c->n_sectors * c->n_challenges);
    for (uint32_t s = 0; s < c->n_sectors; s++) {
        const num_t comm_r_last = add_commitment(cs, cs->has_values ? &c->sectors[s] : &no_sector);

        for (uint32_t i = 0; i < c->n_challenges; i++) {
            if (!cs_part(cs)) continue;
            merkle_batch_include(cs, &batch, s * c->n_challenges + i, &comm_r_last);
        }
    }
}
