/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "update/circuit.h"

#include "gadget/merkle.h"
#include "gadget/packing.h"
#include "gadget/poseidon.h"
#include "gadget/sha256.h"

enum { MAX_CHALLENGE_BITS = 31 };

/* What all challenges of a partition share. */
typedef struct {
    const update_config_t *config;
    tree_shape_t tree_r;
    tree_shape_t to_apex; /* tree D from its leaves to the apex leaves */
    num_t phi, comm_d_new, comm_r_new, root_r_old, root_r_new;
    boolean_t bits[MAX_CHALLENGE_BITS + UPDATE_H_CHOICES]; /* of the partition, then which h */
    num_t apex_leaves[UPDATE_MAX_APEX_LEAVES];
} update_common_t;

/* The hash with the domain tag of the update's random values. */
static num_t hash_random(cs_t *cs, const num_t *a, const num_t *b)
{
    const num_t inputs[2] = {*a, *b};

    return poseidon_circuit(cs, POSEIDON_2_MD, inputs);
}

/* H(comm_c, root_r) * 1 = comm_r */
static void check_commitment(cs_t *cs, const num_t *comm_c, const num_t *root_r,
                             const num_t *comm_r)
{
    const num_t roots[2] = {*comm_c, *root_r};

    if (cs->values_only) return;
    const num_t computed = poseidon_circuit(cs, POSEIDON_2, roots);

    num_enforce_equal(cs, &computed, comm_r);
}

/* Builds the tree over the apex leaves; its root must be the partition's node in tree D. Parts:
 * each node, the path above them. */
static void check_apex(cs_t *cs, const update_common_t *p, const num_t *partition_path)
{
    num_t row[UPDATE_MAX_APEX_LEAVES];
    tree_shape_t above;

    memcpy(row, p->apex_leaves, sizeof row);
    for (uint32_t n = update_apex_leaf_count(p->config); n > 1; n /= 2) {
        for (uint32_t i = 0; i < n / 2; i++) {
            (void)cs_part(cs);
            row[i] = sha256_circuit_parent(cs, &row[(size_t)2 * i]);
        }
    }
    if (!cs_part(cs)) return;
    tree_shape_binary(&above, p->config->lg_partitions);
    merkle_include_at(cs, &above, &row[0], p->bits, partition_path, &p->comm_d_new);
}

/* The bits of digest j of comm_r_new, of n_digests a partition; a part. */
static void draw_digest(cs_t *cs, boolean_t bits[FR_BITS], const update_common_t *p,
                        const num_t *partition, uint32_t n_digests, uint32_t j)
{
    fr_t first, each;

    (void)cs_part(cs);
    fr_from_u64(&first, j);
    fr_from_u64(&each, n_digests);
    const num_t index = num_affine(cs, &first, &each, partition);
    const num_t digest = hash_random(cs, &p->comm_r_new, &index);

    num_alloc_bits(cs, bits, FR_BITS, &digest);
    packing_enforce(cs, bits, FR_BITS, &digest);
}

/* challenges[i] = the bits of challenge i within the partition: digests of comm_r_new cut into
 * pieces. */
static void draw_challenges(cs_t *cs, const update_common_t *p, const num_t *partition,
                            boolean_t (*challenges)[MAX_CHALLENGE_BITS])
{
    const uint32_t n_challenges = p->config->n_challenges;
    const uint32_t n_bits = p->config->lg_nodes - p->config->lg_partitions;
    const uint32_t a_digest = PACKING_CAPACITY / n_bits;
    const uint32_t n_digests = (n_challenges + a_digest - 1) / a_digest;
    uint32_t done = 0;

    for (uint32_t j = 0; j < n_digests; j++) {
        boolean_t bits[FR_BITS];

        draw_digest(cs, bits, p, partition, n_digests, j);
        for (uint32_t i = 0; i < a_digest && done < n_challenges; i++)
            memcpy(challenges[done++], bits + (size_t)i * n_bits, n_bits * sizeof *bits);
    }
}

/* The high bits of a challenge as a number: h of them, for the h that is selected. */
static num_t select_high_bits(cs_t *cs, const update_common_t *p, const boolean_t *challenge)
{
    const uint32_t n_bits = p->config->lg_nodes;
    const boolean_t *selectors = p->bits + p->config->lg_partitions;
    num_t products[UPDATE_H_CHOICES];

    for (unsigned i = 0; i < UPDATE_H_CHOICES; i++) {
        const unsigned h = p->config->h[i];
        const num_t high = packing_num(cs, challenge + n_bits - h, h);
        const num_t selector = num_of_bit(selectors[i]);

        products[i] = num_mul(cs, &high, &selector);
    }
    return num_sum(cs, products, UPDATE_H_CHOICES);
}

static void include_in_tree_r(cs_t *cs, const update_common_t *p, const num_t *leaf,
                              const boolean_t *bits, const fr_t *path, const num_t *root)
{
    const uint32_t n = p->tree_r.n_siblings;
    const arena_mark_t mark = arena_mark(&cs->arena);
    num_t *siblings = arena_alloc(&cs->arena, n, sizeof *siblings);

    num_alloc_all(cs, siblings, path, n);
    merkle_include_at(cs, &p->tree_r, leaf, bits, siblings, root);
    arena_rewind(&cs->arena, mark);
}

/* bits are those of the challenge within the sector. */
static void check_challenge(cs_t *cs, const update_common_t *p, const boolean_t *bits,
                            const update_challenge_t *challenge)
{
    const uint32_t lg_apex = p->config->lg_apex_leaves;
    const uint32_t below_apex = p->to_apex.n_levels;
    num_t path_to_apex[TREE_MAX_LEVELS];

    const num_t high = select_high_bits(cs, p, bits);
    const num_t rho = hash_random(cs, &p->phi, &high);
    const num_t leaf_r_old = num_alloc(cs, &challenge->leaf_r_old);
    const num_t leaf_d_new = num_alloc(cs, &challenge->leaf_d_new);
    const num_t scaled = num_mul(cs, &leaf_d_new, &rho);
    const num_t leaf_r_new = num_add(cs, &leaf_r_old, &scaled);

    include_in_tree_r(cs, p, &leaf_r_old, bits, challenge->path_r_old, &p->root_r_old);
    include_in_tree_r(cs, p, &leaf_r_new, bits, challenge->path_r_new, &p->root_r_new);

    const num_t apex_leaf = merkle_select(cs, p->apex_leaves, bits + below_apex, lg_apex);
    num_alloc_all(cs, path_to_apex, challenge->path_d_new, below_apex);
    merkle_include_at(cs, &p->to_apex, &leaf_d_new, bits, path_to_apex, &apex_leaf);
}

/* The values of one partition; zeroed in runs without values. */
typedef struct {
    update_proof_t proof;
    const fr_t *apex_leaves;
    const fr_t *partition_path;
    const update_challenge_t *challenges;
    fr_t partition_and_h;
} partition_values_t;

static void get_values(partition_values_t *v, const update_circuit_t *x)
{
    *v = (partition_values_t){0};
    if (x->proof == NULL) return;
    const uint32_t lg_partitions = x->config->lg_partitions;
    const update_partition_t *partition = &x->proof->partitions[x->partition];

    v->proof = *x->proof;
    v->apex_leaves = partition->apex_leaves;
    v->challenges = partition->challenges;
    v->partition_path = partition->challenges[0].path_d_new + x->config->lg_nodes - lg_partitions;
    fr_from_u64(&v->partition_and_h, x->partition | (uint64_t)update_h_select(x->config)
                                                        << lg_partitions);
}

/* The first part: the public inputs and the roots behind them; returns the partition's number. */
static num_t add_partition(cs_t *cs, update_common_t *p, const partition_values_t *v,
                           num_t *partition_path)
{
    const uint32_t lg_partitions = p->config->lg_partitions;
    const uint32_t n_bits = lg_partitions + UPDATE_H_CHOICES;

    (void)cs_part(cs);
    const num_t partition_and_h = num_alloc_public(cs, &v->partition_and_h);
    num_alloc_bits(cs, p->bits, n_bits, &partition_and_h);
    packing_enforce(cs, p->bits, n_bits, &partition_and_h);
    const num_t partition = packing_num(cs, p->bits, lg_partitions);

    const num_t comm_r_old = num_alloc_public(cs, &v->proof.comm_r_old);
    p->comm_d_new = num_alloc_public(cs, &v->proof.comm_d_new);
    p->comm_r_new = num_alloc_public(cs, &v->proof.comm_r_new);
    p->phi = hash_random(cs, &p->comm_d_new, &comm_r_old);

    const num_t comm_c = num_alloc(cs, &v->proof.comm_c);
    p->root_r_old = num_alloc(cs, &v->proof.root_r_old);
    p->root_r_new = num_alloc(cs, &v->proof.root_r_new);
    num_alloc_all(cs, p->apex_leaves, v->apex_leaves, update_apex_leaf_count(p->config));
    num_alloc_all(cs, partition_path, v->partition_path, lg_partitions);
    check_commitment(cs, &comm_c, &p->root_r_old, &comm_r_old);
    check_commitment(cs, &comm_c, &p->root_r_new, &p->comm_r_new);
    return partition;
}

update_circuit_t update_circuit_shape(uint64_t sector_bytes)
{
    const update_config_t *config = update_config_by_size(sector_bytes);

    VERIFY(config != NULL);
    return (update_circuit_t){.config = config};
}

void update_circuit(cs_t *cs, const void *circuit)
{
    static const update_challenge_t no_challenge;
    const update_circuit_t *x = circuit;
    const update_config_t *config = x->config;
    const uint32_t in_partition = config->lg_nodes - config->lg_partitions;
    update_common_t p = {.config = config};
    boolean_t challenges[UPDATE_MAX_CHALLENGES][MAX_CHALLENGE_BITS];
    num_t partition_path[MAX_CHALLENGE_BITS];
    partition_values_t values;

    VERIFY(x->proof != NULL || !cs->has_values);
    tree_shape_sector(&p.tree_r, config->lg_nodes);
    tree_shape_binary(&p.to_apex, in_partition - config->lg_apex_leaves);
    get_values(&values, x);
    const num_t partition = add_partition(cs, &p, &values, partition_path);
    check_apex(cs, &p, partition_path);
    draw_challenges(cs, &p, &partition, challenges);
    for (uint32_t i = 0; i < config->n_challenges; i++) {
        if (!cs_part(cs)) continue;
        memcpy(challenges[i] + in_partition, p.bits, config->lg_partitions * sizeof p.bits[0]);
        check_challenge(cs, &p, challenges[i],
                        values.challenges != NULL ? &values.challenges[i] : &no_challenge);
    }
}
