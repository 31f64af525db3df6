/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "porep/circuit.h"

#include "base/bytes.h"
#include "gadget/merkle.h"
#include "gadget/packing.h"
#include "gadget/poseidon.h"
#include "gadget/sha256.h"
#include "gadget/uint32.h"

enum { NODE_BITS = 64 };

/* What all challenges of a partition share. */
typedef struct {
    const porep_shape_t *shape;
    num_t comm_d, comm_c, comm_r_last;
    fr_t replica_id_value;
    boolean_t replica_id[SHA256_BITS]; /* as SHA-256 reads it */
} partition_t;

/* The labels of one node in all layers. */
typedef struct {
    num_t labels[POREP_MAX_LAYERS];
} column_t;

/* A new variable with values[i]; values is NULL in runs without values. */
static num_t alloc_element(cs_t *cs, const fr_t *values, uint32_t i)
{
    return num_alloc(cs, values == NULL ? NULL : &values[i]);
}

static void alloc_column(cs_t *cs, column_t *column, const fr_t *labels, uint32_t n_layers)
{
    for (uint32_t i = 0; i < n_layers; i++) column->labels[i] = alloc_element(cs, labels, i);
}

static num_t hash_column(cs_t *cs, const column_t *column, uint32_t n_layers)
{
    VERIFY(n_layers == 2 || n_layers == 11);
    return poseidon_circuit(cs, n_layers == 2 ? POSEIDON_2 : POSEIDON_11, column->labels);
}

static void include_in_tree_r(cs_t *cs, const partition_t *p, const num_t *leaf, uint32_t node,
                              const fr_t *siblings, const num_t *root)
{
    const merkle_path_t path = {.index = node, .siblings = siblings};

    merkle_include(cs, &p->shape->tree_r, leaf, &path, root);
}

/* bits = a number as SHA-256 reads its 32 bytes little-endian */
static void hash_input(cs_t *cs, boolean_t bits[SHA256_BITS], const num_t *a)
{
    boolean_t little_endian[FR_BITS];

    num_to_bits(cs, little_endian, a);
    packing_swap_bytes(bits, little_endian, FR_BITS);
}

/* The label of a node (lowest bit first) in a layer, counted from 1: the hash of the replica id,
 * the layer (4 bytes), the node (8 bytes), zeros up to 64 bytes, and POREP_LABEL_PARENTS labels
 * of parents: those there are, repeated in their order. */
static num_t make_label(cs_t *cs, const partition_t *p, const column_t parents[POREP_DEGREE],
                        const boolean_t node[NODE_BITS], uint32_t layer)
{
    enum { N_BITS = (2 + POREP_LABEL_PARENTS) * SHA256_BITS };
    const uint32_t n_parents = layer == 1 ? POREP_DRG_DEGREE : POREP_DEGREE;
    const arena_mark_t mark = arena_mark(&cs->arena);
    boolean_t *bits = arena_alloc(&cs->arena, N_BITS, sizeof *bits);
    boolean_t *at = bits + 2 * SHA256_BITS;
    uint32_bits_t layer_bits;

    memcpy(bits, p->replica_id, sizeof p->replica_id);
    uint32_constant(&layer_bits, layer);
    uint32_to_bits_be(bits + SHA256_BITS, &layer_bits);
    for (unsigned i = 0; i < NODE_BITS; i++)
        bits[SHA256_BITS + UINT32_BITS + i] = node[NODE_BITS - 1 - i];
    for (boolean_t *pad = bits + SHA256_BITS + UINT32_BITS + NODE_BITS; pad < at; pad++)
        *pad = boolean_constant(false);

    for (uint32_t i = 0; i < n_parents; i++) {
        const uint32_t of_layer = i < POREP_DRG_DEGREE ? layer : layer - 1;

        hash_input(cs, at + (size_t)i * SHA256_BITS, &parents[i].labels[of_layer - 1]);
    }
    for (uint32_t i = n_parents; i < POREP_LABEL_PARENTS; i++)
        memcpy(at + (size_t)i * SHA256_BITS, at + (size_t)(i - n_parents) * SHA256_BITS,
               SHA256_BITS * sizeof *at);

    const num_t label = sha256_circuit_num(cs, bits, N_BITS);
    arena_rewind(&cs->arena, mark);
    return label;
}

/* The bytes that make_label() hashes, and their hash. */
static void label_value(fr_t *label, const partition_t *p, const column_t parents[POREP_DEGREE],
                        const porep_challenge_t *challenge, uint32_t layer)
{
    uint8_t bytes[(2 + POREP_LABEL_PARENTS) * SHA256_BYTES] = {0};
    uint8_t digest[SHA256_BYTES];
    uint8_t *at = bytes + 2 * SHA256_BYTES;
    const uint32_t n_parents = layer == 1 ? POREP_DRG_DEGREE : POREP_DEGREE;

    fr_to_bytes(bytes, &p->replica_id_value);
    store_be32(bytes + SHA256_BYTES, layer);
    store_be64(bytes + SHA256_BYTES + 4, challenge->node);
    for (uint32_t i = 0; i < POREP_LABEL_PARENTS; i++) {
        const uint32_t parent = i % n_parents;
        const uint32_t of_layer = parent < POREP_DRG_DEGREE ? layer : layer - 1;

        fr_to_bytes(at + (size_t)i * SHA256_BYTES, &parents[parent].labels[of_layer - 1].value);
    }
    sha256(digest, bytes, sizeof bytes);
    digest[SHA256_BYTES - 1] &= 0x3f;
    (void)fr_from_bytes(label, digest); /* below 2^254, so below the modulus */
}

/* The columns of the parents, each in tree C. */
static void check_parents(cs_t *cs, const partition_t *p, column_t parents[POREP_DEGREE],
                          const porep_challenge_t *challenge)
{
    for (uint32_t i = 0; i < POREP_DEGREE; i++) {
        const porep_column_t *column = &challenge->parents[i];

        alloc_column(cs, &parents[i], column->labels, p->shape->n_layers);
        const num_t hash = hash_column(cs, &parents[i], p->shape->n_layers);
        include_in_tree_r(cs, p, &hash, column->node, column->path, &p->comm_c);
    }
}

/* What the labels of a node are made from. */
typedef struct {
    num_t data;
    column_t parents[POREP_DEGREE];
    boolean_t node[NODE_BITS];
} inputs_t;

/* The data in tree D, the parents, the node's number. */
static void make_inputs(cs_t *cs, const partition_t *p, inputs_t *in,
                        const porep_challenge_t *challenge)
{
    const merkle_path_t path = {.index = challenge->node, .siblings = challenge->data_path};

    in->data = num_alloc(cs, &challenge->data_leaf);
    merkle_include(cs, &p->shape->tree_d, &in->data, &path, &p->comm_d);
    check_parents(cs, p, in->parents, challenge);
    for (unsigned i = 0; i < NODE_BITS; i++)
        in->node[i] = boolean_alloc(cs, (uint64_t)challenge->node >> i & 1);
    packing_inputs(cs, in->node, NODE_BITS);
}

static void know_inputs(const partition_t *p, inputs_t *in, const porep_challenge_t *challenge)
{
    in->data = num_known(&challenge->data_leaf);
    for (uint32_t i = 0; i < POREP_DEGREE; i++) {
        for (uint32_t j = 0; j < p->shape->n_layers; j++)
            in->parents[i].labels[j] = num_known(&challenge->parents[i].labels[j]);
    }
    for (unsigned i = 0; i < NODE_BITS; i++)
        in->node[i] = boolean_is(VAR_ONE, (uint64_t)challenge->node >> i & 1);
}

/* Parts: the inputs, each label, the encoded node and its column. */
static void check_challenge(cs_t *cs, const partition_t *p, const porep_challenge_t *challenge)
{
    const uint32_t n_layers = p->shape->n_layers;
    inputs_t in;
    column_t own;

    if (cs_part(cs))
        make_inputs(cs, p, &in, challenge);
    else
        know_inputs(p, &in, challenge);
    for (uint32_t layer = 1; layer <= n_layers; layer++) {
        num_t *label = &own.labels[layer - 1];

        if (cs_part(cs))
            *label = make_label(cs, p, in.parents, in.node, layer);
        else
            label_value(&label->value, p, in.parents, challenge, layer);
    }
    if (!cs_part(cs)) return;
    /* the last label encodes the data */
    const num_t replica = num_add(cs, &own.labels[n_layers - 1], &in.data);
    include_in_tree_r(cs, p, &replica, challenge->node, challenge->replica_path, &p->comm_r_last);
    const num_t hash = hash_column(cs, &own, n_layers);
    include_in_tree_r(cs, p, &hash, challenge->node, challenge->column.path, &p->comm_c);
}

/* A new variable that becomes public at once. */
static num_t alloc_public(cs_t *cs, const fr_t *value)
{
    const num_t a = num_alloc(cs, value);

    num_inputize(cs, &a);
    return a;
}

/* The first part: the commitments. */
static void make_partition(cs_t *cs, partition_t *p, const porep_proof_t *proof)
{
    const num_t replica_id = alloc_public(cs, &proof->replica_id);

    hash_input(cs, p->replica_id, &replica_id);
    p->comm_d = alloc_public(cs, &proof->comm_d);
    const num_t comm_r = alloc_public(cs, &proof->comm_r);
    p->comm_r_last = num_alloc(cs, &proof->comm_r_last);
    p->comm_c = num_alloc(cs, &proof->comm_c);

    const num_t roots[2] = {p->comm_c, p->comm_r_last};
    const num_t computed = poseidon_circuit(cs, POSEIDON_2, roots);
    num_enforce_equal(cs, &comm_r, &computed);
}

static void know_partition(partition_t *p, const porep_proof_t *proof)
{
    boolean_t bits[FR_BITS];

    num_known_bits(bits, FR_BITS, &proof->replica_id);
    packing_swap_bytes(p->replica_id, bits, FR_BITS);
    p->comm_d = num_known(&proof->comm_d);
    p->comm_r_last = num_known(&proof->comm_r_last);
    p->comm_c = num_known(&proof->comm_c);
}

void porep_circuit(cs_t *cs, const void *circuit)
{
    static const porep_proof_t no_proof;
    static const porep_challenge_t no_challenge;
    const porep_circuit_t *x = circuit;
    const porep_proof_t *proof = x->proof != NULL ? x->proof : &no_proof;
    partition_t p = {.shape = x->shape, .replica_id_value = proof->replica_id};

    VERIFY(x->proof != NULL || !cs->has_values);
    if (cs_part(cs))
        make_partition(cs, &p, proof);
    else
        know_partition(&p, proof);
    for (uint32_t i = 0; i < x->shape->n_challenges; i++)
        check_challenge(
            cs, &p, x->proof != NULL ? &porep_partition(proof, x->partition)[i] : &no_challenge);
}
