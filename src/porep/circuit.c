/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "porep/circuit.h"

#include "gadget/merkle.h"
#include "gadget/packing.h"
#include "gadget/poseidon.h"
#include "porep/label.h"

/* What all challenges of a partition share. */
typedef struct {
    const porep_shape_t *shape;
    num_t comm_d, comm_c, comm_r_last;
    boolean_t replica_id[SHA256_BITS]; /* as SHA-256 reads it */
} porep_common_t;

/* The labels of one node in all layers, layer 1 first. */
typedef struct {
    num_t labels[POREP_MAX_LAYERS];
} label_column_t;

/* What the labels of a node are made from, and the data they encode. */
typedef struct {
    num_t data;
    label_column_t parents[POREP_DEGREE];
    boolean_t node[POREP_NODE_BITS];
} challenge_inputs_t;

static void include_in_tree_r(cs_t *cs, const porep_common_t *p, const num_t *leaf, uint32_t node,
                              const fr_t *siblings, const num_t *root)
{
    const merkle_path_t path = {.index = node, .siblings = siblings};

    merkle_include(cs, &p->shape->tree_r, leaf, &path, root);
}

/* The column is in tree C. */
static void include_column(cs_t *cs, const porep_common_t *p, const label_column_t *column,
                           uint32_t node, const fr_t *siblings)
{
    if (cs->values_only) return;
    const num_t hash = poseidon_circuit(cs, porep_column_hash(p->shape->n_layers), column->labels);
    include_in_tree_r(cs, p, &hash, node, siblings, &p->comm_c);
}

/* The data in tree D, the parents in tree C, the node's number. */
static void add_inputs(cs_t *cs, const porep_common_t *p, challenge_inputs_t *in,
                       const porep_challenge_t *challenge)
{
    const merkle_path_t path = {.index = challenge->node, .siblings = challenge->data_path};

    in->data = num_alloc(cs, &challenge->data_leaf);
    merkle_include(cs, &p->shape->tree_d, &in->data, &path, &p->comm_d);
    for (uint32_t i = 0; i < POREP_DEGREE; i++) {
        const porep_column_t *parent = &challenge->parents[i];

        num_alloc_all(cs, in->parents[i].labels, parent->labels, p->shape->n_layers);
        include_column(cs, p, &in->parents[i], parent->node, parent->path);
    }
    for (unsigned i = 0; i < POREP_NODE_BITS; i++)
        in->node[i] = boolean_alloc(cs, (uint64_t)challenge->node >> i & 1);
    packing_inputs(cs, in->node, POREP_NODE_BITS);
}

static num_t add_label(cs_t *cs, const porep_common_t *p, const challenge_inputs_t *in,
                       uint32_t layer)
{
    num_t parents[POREP_DEGREE];

    for (uint32_t i = 0; i < porep_label_parents(layer); i++)
        parents[i] = in->parents[i].labels[porep_label_parent_layer(layer, i) - 1];
    return porep_label_circuit(cs, p->replica_id, layer, in->node, parents);
}

/* Parts: the inputs, each label, the encoded node and its column. */
static void add_challenge(cs_t *cs, const porep_common_t *p, const porep_challenge_t *challenge)
{
    const uint32_t n_layers = p->shape->n_layers;
    challenge_inputs_t in;
    label_column_t column;

    (void)cs_part(cs);
    add_inputs(cs, p, &in, challenge);
    for (uint32_t layer = 1; layer <= n_layers; layer++) {
        (void)cs_part(cs);
        column.labels[layer - 1] = add_label(cs, p, &in, layer);
    }
    if (!cs_part(cs)) return;
    /* the last label encodes the data */
    const num_t replica = num_add(cs, &column.labels[n_layers - 1], &in.data);
    include_in_tree_r(cs, p, &replica, challenge->node, challenge->replica_path, &p->comm_r_last);
    include_column(cs, p, &column, challenge->node, challenge->column.path);
}

/* The first part: the commitments. */
static void add_commitments(cs_t *cs, porep_common_t *p, const porep_proof_t *proof)
{
    (void)cs_part(cs);
    const num_t replica_id = num_alloc_public(cs, &proof->replica_id);

    porep_label_bits(cs, p->replica_id, &replica_id);
    p->comm_d = num_alloc_public(cs, &proof->comm_d);
    const num_t comm_r = num_alloc_public(cs, &proof->comm_r);
    p->comm_r_last = num_alloc(cs, &proof->comm_r_last);
    p->comm_c = num_alloc(cs, &proof->comm_c);
    if (cs->values_only) return;

    const num_t roots[2] = {p->comm_c, p->comm_r_last};
    const num_t computed = poseidon_circuit(cs, POSEIDON_2, roots);
    num_enforce_equal(cs, &comm_r, &computed);
}

porep_circuit_t porep_circuit_shape(uint64_t sector_bytes)
{
    porep_circuit_t circuit = {0};
    const bool found = porep_shape_init(&circuit.shape, sector_bytes);

    VERIFY(found);
    return circuit;
}

void porep_circuit(cs_t *cs, const void *circuit)
{
    static const porep_proof_t no_proof;
    static const porep_challenge_t no_challenge;
    const porep_circuit_t *x = circuit;
    porep_common_t p = {.shape = &x->shape};

    VERIFY(x->proof != NULL || !cs->has_values);
    add_commitments(cs, &p, x->proof != NULL ? x->proof : &no_proof);
    for (uint32_t i = 0; i < x->shape.n_challenges; i++)
        add_challenge(
            cs, &p, x->proof != NULL ? &porep_partition(x->proof, x->partition)[i] : &no_challenge);
}
