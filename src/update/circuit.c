/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "update/circuit.h"

#include "gadget/merkle.h"
#include "gadget/packing.h"
#include "gadget/poseidon.h"
#include "gadget/sha256.h"
#include "gadget/terms.h"
#include "r1cs/tape.h"

enum { MAX_CHALLENGE_BITS = 31 };

/* What all challenges of a partition share. */
typedef struct {
    const update_config_t *config;
    tree_shape_t tree_r;
    tree_shape_t to_apex; /* tree D from its leaves to the apex leaves */
    num_t phi, comm_d_new, comm_r_new, root_r_old, root_r_new;
    boolean_t bits[MAX_CHALLENGE_BITS + UPDATE_H_CHOICES]; /* of the partition, then which h */
    num_t apex_leaves[UPDATE_MAX_APEX_LEAVES];
} partition_t;

/* A new variable that becomes public at once. */
static num_t alloc_public(cs_t *cs, const fr_t *value)
{
    const num_t a = num_alloc(cs, value);

    num_inputize(cs, &a);
    return a;
}

/* New variables with values[0 .. n-1]; values is NULL in runs without values. */
static void alloc_elements(cs_t *cs, num_t *r, const fr_t *values, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) r[i] = num_alloc(cs, values == NULL ? NULL : &values[i]);
}

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
    const num_t computed = poseidon_circuit(cs, POSEIDON_2, roots);

    num_enforce_equal(cs, &computed, comm_r);
}

/* The parent of two nodes of tree D; a part. */
static num_t make_apex_node(cs_t *cs, const num_t *children)
{
    num_t r = num_known(&fr_zero);

    if (cs_part(cs)) return sha256_circuit_parent(cs, children);
    tree_hash_sha256(&r.value, &children[0].value, &children[1].value);
    return r;
}

/* Builds the tree over the apex leaves; its root must be the partition's node in tree D. Parts:
 * each node, the path above them. */
static void check_apex(cs_t *cs, const partition_t *p, const num_t *partition_path)
{
    num_t row[UPDATE_MAX_APEX_LEAVES];
    tree_shape_t above;

    memcpy(row, p->apex_leaves, sizeof row);
    for (uint32_t n = update_apex_leaf_count(p->config); n > 1; n /= 2) {
        for (uint32_t i = 0; i < n / 2; i++) row[i] = make_apex_node(cs, &row[(size_t)2 * i]);
    }
    if (!cs_part(cs)) return;
    tree_shape_binary(&above, p->config->lg_partitions);
    merkle_include_at(cs, &above, &row[0], p->bits, partition_path, &p->comm_d_new);
}

/* r = n_digests * partition + digest, the number of a digest among those of all partitions. */
static num_t digest_index(cs_t *cs, const num_t *partition, uint32_t n_digests, uint32_t digest)
{
    lc_term_t terms[4] = {
        {.var = VAR_ONE}, {.var = partition->var}, {.coeff = fr_one}, {.coeff = fr_one}};
    num_t r;

    fr_from_u64(&terms[0].coeff, digest);
    fr_from_u64(&terms[1].coeff, n_digests);
    fr_mul(&r.value, &partition->value, &terms[1].coeff);
    fr_add(&r.value, &r.value, &terms[0].coeff);
    r.var = cs_alloc(cs, &r.value);
    if (cs->tape != NULL) {
        tape_row(cs, &r.value, &fr_one, &r.value);
        return r;
    }
    terms[2].var = VAR_ONE;
    terms[3].var = r.var;
    const lc_t sum = terms_of(terms, 2);
    const lc_t one = terms_of(terms + 2, 1);
    const lc_t result = terms_of(terms + 3, 1);
    cs_enforce(cs, &sum, &one, &result);
    return r;
}

/* The bits of a digest of comm_r_new; a part. */
static void draw_digest(cs_t *cs, boolean_t bits[FR_BITS], const partition_t *p,
                        const num_t *partition, uint32_t n_digests, uint32_t j)
{
    fr_t inputs[2] = {p->comm_r_new.value};
    fr_t value;

    if (cs_part(cs)) {
        const num_t index = digest_index(cs, partition, n_digests, j);
        const num_t digest = hash_random(cs, &p->comm_r_new, &index);

        num_alloc_bits(cs, bits, FR_BITS, &digest);
        packing_enforce(cs, bits, FR_BITS, &digest);
        return;
    }
    fr_from_u64(&value, n_digests);
    fr_mul(&inputs[1], &partition->value, &value);
    fr_from_u64(&value, j);
    fr_add(&inputs[1], &inputs[1], &value);
    poseidon_hash(&value, POSEIDON_2_MD, inputs);
    num_known_bits(bits, FR_BITS, &value);
}

/* challenges[i] = the bits of challenge i within the partition: digests of comm_r_new cut into
 * pieces. */
static void draw_challenges(cs_t *cs, const partition_t *p, const num_t *partition,
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
static num_t select_high_bits(cs_t *cs, const partition_t *p, const boolean_t *challenge)
{
    const uint32_t n_bits = p->config->lg_nodes;
    const boolean_t *selectors = p->bits + p->config->lg_partitions;
    const arena_mark_t mark = arena_mark(&cs->arena);
    const lc_t one = lc_from_var(&cs->arena, VAR_ONE);
    num_t sum = num_known(&fr_zero);
    lc_t terms = lc_empty();

    for (unsigned i = 0; i < UPDATE_H_CHOICES; i++) {
        const unsigned h = p->config->h[i];
        const num_t high = packing_num(cs, challenge + n_bits - h, h);
        const num_t selector = {.value = selectors[i].value ? fr_one : fr_zero,
                                .var = selectors[i].var};
        const num_t product = num_mul(cs, &high, &selector);

        fr_add(&sum.value, &sum.value, &product.value);
        lc_add_var(&cs->arena, &terms, product.var);
    }
    sum.var = cs_alloc(cs, &sum.value);
    if (cs->tape != NULL) {
        tape_row(cs, &sum.value, &fr_one, &sum.value);
        arena_rewind(&cs->arena, mark);
        return sum;
    }
    const lc_t result = lc_from_var(&cs->arena, sum.var);
    cs_enforce(cs, &terms, &one, &result);
    arena_rewind(&cs->arena, mark);
    return sum;
}

static void include_in_tree_r(cs_t *cs, const partition_t *p, const num_t *leaf,
                              const boolean_t *bits, const fr_t *path, const num_t *root)
{
    const uint32_t n = p->tree_r.n_siblings;
    const arena_mark_t mark = arena_mark(&cs->arena);
    num_t *siblings = arena_alloc(&cs->arena, n, sizeof *siblings);

    alloc_elements(cs, siblings, path, n);
    merkle_include_at(cs, &p->tree_r, leaf, bits, siblings, root);
    arena_rewind(&cs->arena, mark);
}

/* bits are those of the challenge within the sector. */
static void check_challenge(cs_t *cs, const partition_t *p, const boolean_t *bits,
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
    alloc_elements(cs, path_to_apex, challenge->path_d_new, below_apex);
    merkle_include_at(cs, &p->to_apex, &leaf_d_new, bits, path_to_apex, &apex_leaf);
}

/* The values of one partition; a zeroed one in runs without values. */
typedef struct {
    update_proof_t proof;
    const fr_t *apex_leaves;
    const fr_t *partition_path;
    const update_challenge_t *challenges;
    fr_t partition_and_h;
} values_t;

static void get_values(values_t *v, const update_circuit_t *x)
{
    *v = (values_t){0};
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
static num_t make_partition(cs_t *cs, partition_t *p, const values_t *v, num_t *partition_path)
{
    const uint32_t lg_partitions = p->config->lg_partitions;
    const uint32_t n_bits = lg_partitions + UPDATE_H_CHOICES;

    const num_t partition_and_h = alloc_public(cs, &v->partition_and_h);
    num_alloc_bits(cs, p->bits, n_bits, &partition_and_h);
    packing_enforce(cs, p->bits, n_bits, &partition_and_h);
    const num_t partition = packing_num(cs, p->bits, lg_partitions);

    const num_t comm_r_old = alloc_public(cs, &v->proof.comm_r_old);
    p->comm_d_new = alloc_public(cs, &v->proof.comm_d_new);
    p->comm_r_new = alloc_public(cs, &v->proof.comm_r_new);
    p->phi = hash_random(cs, &p->comm_d_new, &comm_r_old);

    const num_t comm_c = num_alloc(cs, &v->proof.comm_c);
    p->root_r_old = num_alloc(cs, &v->proof.root_r_old);
    p->root_r_new = num_alloc(cs, &v->proof.root_r_new);
    alloc_elements(cs, p->apex_leaves, v->apex_leaves, update_apex_leaf_count(p->config));
    alloc_elements(cs, partition_path, v->partition_path, lg_partitions);
    check_commitment(cs, &comm_c, &p->root_r_old, &comm_r_old);
    check_commitment(cs, &comm_c, &p->root_r_new, &p->comm_r_new);
    return partition;
}

static num_t know_partition(partition_t *p, const values_t *v, num_t *partition_path,
                            uint32_t number)
{
    const fr_t preimage[2] = {v->proof.comm_d_new, v->proof.comm_r_old};
    num_t partition = num_known(&fr_zero);

    num_known_bits(p->bits, p->config->lg_partitions + UPDATE_H_CHOICES, &v->partition_and_h);
    fr_from_u64(&partition.value, number);
    p->comm_d_new = num_known(&v->proof.comm_d_new);
    p->comm_r_new = num_known(&v->proof.comm_r_new);
    poseidon_hash(&p->phi.value, POSEIDON_2_MD, preimage);
    p->root_r_old = num_known(&v->proof.root_r_old);
    p->root_r_new = num_known(&v->proof.root_r_new);
    for (uint32_t i = 0; i < update_apex_leaf_count(p->config); i++)
        p->apex_leaves[i] = num_known(&v->apex_leaves[i]);
    for (uint32_t i = 0; i < p->config->lg_partitions; i++)
        partition_path[i] = num_known(&v->partition_path[i]);
    return partition;
}

void update_circuit(cs_t *cs, const void *circuit)
{
    static const update_challenge_t no_challenge;
    const update_circuit_t *x = circuit;
    const update_config_t *config = x->config;
    const uint32_t in_partition = config->lg_nodes - config->lg_partitions;
    partition_t p = {.config = config};
    boolean_t challenges[UPDATE_MAX_CHALLENGES][MAX_CHALLENGE_BITS];
    num_t partition_path[MAX_CHALLENGE_BITS];
    values_t values;

    VERIFY(x->proof != NULL || !cs->has_values);
    tree_shape_sector(&p.tree_r, config->lg_nodes);
    tree_shape_binary(&p.to_apex, in_partition - config->lg_apex_leaves);
    get_values(&values, x);
    const num_t partition = cs_part(cs) ? make_partition(cs, &p, &values, partition_path)
                                        : know_partition(&p, &values, partition_path, x->partition);
    check_apex(cs, &p, partition_path);
    draw_challenges(cs, &p, &partition, challenges);
    for (uint32_t i = 0; i < config->n_challenges; i++) {
        if (!cs_part(cs)) continue;
        memcpy(challenges[i] + in_partition, p.bits, config->lg_partitions * sizeof p.bits[0]);
        check_challenge(cs, &p, challenges[i],
                        values.challenges != NULL ? &values.challenges[i] : &no_challenge);
    }
}
