/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "porep/c1_generate.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/verify.h"
#include "hash/poseidon.h"
#include "hash/sha256.h"
#include "porep/label.h"
#include "porep/porep.h"

/* ---- values that nothing else decides ---- */

typedef enum { FILL_LABEL, FILL_TREE_C, FILL_TREE_R, FILL_SEED, FILL_TICKET } fill_kind;

static void fill_bytes(uint8_t bytes[32], uint64_t random_seed, fill_kind kind, uint64_t a,
                       uint64_t b)
{
    uint8_t message[32];

    store_le64(message, random_seed);
    store_le64(message + 8, (uint64_t)kind);
    store_le64(message + 16, a);
    store_le64(message + 24, b);
    sha256(bytes, message, sizeof message);
    bytes[31] &= 0x3f;
}

static void fill(fr_t *value, uint64_t random_seed, fill_kind kind, uint64_t a, uint64_t b)
{
    uint8_t bytes[32];

    fill_bytes(bytes, random_seed, kind, a, b);
    (void)fr_from_bytes(value, bytes);
}

/* ---- sorted sets of nodes ---- */

static int compare_nodes(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static size_t sort_unique(uint32_t *nodes, size_t n)
{
    size_t kept = 0;

    qsort(nodes, n, sizeof *nodes, compare_nodes);
    for (size_t i = 0; i < n; i++) {
        if (kept == 0 || nodes[kept - 1] != nodes[i]) nodes[kept++] = nodes[i];
    }
    return kept;
}

/* The place of node among n sorted ones, or n. */
static size_t find(const uint32_t *nodes, size_t n, uint32_t node)
{
    const uint32_t *at = bsearch(&node, nodes, n, sizeof *nodes, compare_nodes);

    return at == NULL ? n : (size_t)(at - nodes);
}

/* ---- trees known at some leaves only ---- */

typedef struct {
    const tree_shape_t *shape;
    uint64_t random_seed;
    fill_kind kind;
    struct {
        uint32_t *nodes; /* sorted */
        fr_t *values;
        size_t n;
    } level[TREE_MAX_LEVELS + 1]; /* leaves first, the root last */
} sparse_tree_t;

/* The value of a node at a level: a known one, or the one made up for it. */
static void sparse_value(fr_t *value, const sparse_tree_t *tree, uint32_t level, uint32_t node)
{
    const size_t i = find(tree->level[level].nodes, tree->level[level].n, node);

    if (i < tree->level[level].n) {
        *value = tree->level[level].values[i];
    } else {
        fill(value, tree->random_seed, tree->kind, level, node);
    }
}

static void sparse_siblings(fr_t *siblings, const sparse_tree_t *tree, uint32_t level,
                            uint32_t node)
{
    const uint32_t arity = (uint32_t)1 << tree->shape->lg_arity[level];
    const uint32_t first = node / arity * arity;

    for (uint32_t i = 0; i < arity; i++) {
        if (first + i != node) sparse_value(siblings++, tree, level, first + i);
    }
}

/* Builds all levels above the leaves, which are there. */
static void sparse_grow(sparse_tree_t *tree, arena_t *arena)
{
    for (uint32_t level = 0; level < tree->shape->n_levels; level++) {
        const uint32_t arity = (uint32_t)1 << tree->shape->lg_arity[level];
        const size_t n = tree->level[level].n;
        uint32_t *nodes = arena_alloc(arena, n, sizeof *nodes);
        fr_t *values = arena_alloc(arena, n, sizeof *values);
        size_t n_above;

        for (size_t i = 0; i < n; i++) nodes[i] = tree->level[level].nodes[i] / arity;
        n_above = sort_unique(nodes, n);
        for (size_t i = 0; i < n_above; i++) {
            fr_t children[TREE_MAX_ARITY];

            for (uint32_t c = 0; c < arity; c++) {
                sparse_value(&children[c], tree, level, nodes[i] * arity + c);
            }
            poseidon_hash(&values[i], arity == 2 ? POSEIDON_2 : POSEIDON_8, children);
        }
        tree->level[level + 1].nodes = nodes;
        tree->level[level + 1].values = values;
        tree->level[level + 1].n = n_above;
    }
}

static const fr_t *sparse_path(const sparse_tree_t *tree, uint32_t node, arena_t *arena)
{
    fr_t *siblings = arena_alloc(arena, tree->shape->n_siblings, sizeof *siblings);
    fr_t *at = siblings;

    for (uint32_t level = 0; level < tree->shape->n_levels; level++) {
        sparse_siblings(at, tree, level, node);
        at += ((size_t)1 << tree->shape->lg_arity[level]) - 1;
        node >>= tree->shape->lg_arity[level];
    }
    return siblings;
}

/* ---- a sector of zeros ---- */

typedef struct {
    porep_proof_t *proof;
    porep_graph_t graph;
    uint64_t random_seed;
    arena_t *arena;
    size_t n_challenges; /* of all partitions */
    uint32_t *nodes;     /* challenged ones, sorted; labels[i * n_layers ...] are node i's */
    size_t n_nodes;
    fr_t *labels;
    fr_t *zero_path; /* of any leaf of tree D */
    sparse_tree_t tree_c, tree_r;
} made_sector_t;

static void zero_tree(made_sector_t *sector)
{
    porep_proof_t *proof = sector->proof;
    fr_t node = fr_zero;

    sector->zero_path =
        arena_alloc(sector->arena, proof->shape.tree_d.n_siblings, sizeof *sector->zero_path);
    for (uint32_t level = 0; level < proof->shape.tree_d.n_levels; level++) {
        sector->zero_path[level] = node;
        tree_hash_sha256(&node, &node, &node);
    }
    proof->comm_d = node;
}

static void derive_challenges(made_sector_t *sector)
{
    porep_proof_t *proof = sector->proof;
    porep_statement_t statement;

    porep_statement_of(&statement, proof);
    sector->graph = statement.graph;
    for (uint32_t k = 0; k < proof->config->n_partitions; k++) {
        uint32_t nodes[POREP_MAX_CHALLENGES];

        porep_challenges(nodes, proof->config, &statement.randomness, k);
        for (uint32_t i = 0; i < proof->config->n_challenges; i++) {
            porep_challenge_t *challenge = &proof->challenges[k * proof->config->n_challenges + i];
            uint32_t parents[POREP_DEGREE];

            challenge->node = challenge->column.node = nodes[i];
            porep_graph_parents(&sector->graph, nodes[i], parents);
            for (size_t p = 0; p < POREP_DEGREE; p++) challenge->parents[p].node = parents[p];
        }
    }
}

static void label_value(fr_t *label, const made_sector_t *sector, uint32_t node, uint32_t layer)
{
    const size_t i = find(sector->nodes, sector->n_nodes, node);

    if (i < sector->n_nodes) {
        *label = sector->labels[i * sector->proof->shape.n_layers + layer - 1];
    } else {
        fill(label, sector->random_seed, FILL_LABEL, layer, node);
    }
}

/* Labels of challenged nodes, in the order in which they need each other. */
static void make_labels(made_sector_t *sector)
{
    const uint32_t n_layers = sector->proof->shape.n_layers;

    sector->nodes = arena_alloc(sector->arena, sector->n_challenges, sizeof *sector->nodes);
    for (size_t i = 0; i < sector->n_challenges; i++) {
        sector->nodes[i] = sector->proof->challenges[i].node;
    }
    sector->n_nodes = sort_unique(sector->nodes, sector->n_challenges);
    sector->labels = arena_alloc(sector->arena, sector->n_nodes * n_layers, sizeof *sector->labels);
    for (uint32_t layer = 1; layer <= n_layers; layer++) {
        for (size_t i = 0; i < sector->n_nodes; i++) {
            fr_t values[POREP_DEGREE];
            uint32_t parents[POREP_DEGREE];

            porep_graph_parents(&sector->graph, sector->nodes[i], parents);
            for (uint32_t p = 0; p < porep_label_parents(layer); p++)
                label_value(&values[p], sector, parents[p], porep_label_parent_layer(layer, p));
            porep_label(&sector->labels[i * n_layers + layer - 1], &sector->proof->replica_id,
                        layer, sector->nodes[i], values);
        }
    }
}

static void plant_trees(made_sector_t *sector)
{
    const porep_shape_t *shape = &sector->proof->shape;
    sparse_tree_t *c = &sector->tree_c, *r = &sector->tree_r;
    const size_t n = sector->n_challenges * (1 + POREP_DEGREE);
    size_t at = 0;

    *c = (sparse_tree_t){&shape->tree_r, sector->random_seed, FILL_TREE_C, {{NULL, NULL, 0}}};
    *r = (sparse_tree_t){&shape->tree_r, sector->random_seed, FILL_TREE_R, {{NULL, NULL, 0}}};
    c->level[0].nodes = arena_alloc(sector->arena, n, sizeof *c->level[0].nodes);
    c->level[0].values = arena_alloc(sector->arena, n, sizeof *c->level[0].values);
    r->level[0].nodes = sector->nodes;
    r->level[0].values = arena_alloc(sector->arena, sector->n_nodes, sizeof *r->level[0].values);
    r->level[0].n = sector->n_nodes;
    for (size_t i = 0; i < sector->n_nodes; i++) { /* data of zero: the last label alone */
        r->level[0].values[i] = sector->labels[(i + 1) * shape->n_layers - 1];
    }
    for (size_t i = 0; i < sector->n_challenges; i++) {
        const porep_challenge_t *challenge = &sector->proof->challenges[i];

        c->level[0].nodes[at++] = challenge->node;
        for (size_t p = 0; p < POREP_DEGREE; p++) {
            c->level[0].nodes[at++] = challenge->parents[p].node;
        }
    }
    c->level[0].n = sort_unique(c->level[0].nodes, n);
    for (size_t i = 0; i < c->level[0].n; i++) {
        fr_t labels[POREP_MAX_LAYERS];

        for (uint32_t layer = 1; layer <= shape->n_layers; layer++) {
            label_value(&labels[layer - 1], sector, c->level[0].nodes[i], layer);
        }
        poseidon_hash(&c->level[0].values[i], porep_column_hash(shape->n_layers), labels);
    }
    sparse_grow(c, sector->arena);
    sparse_grow(r, sector->arena);
    sector->proof->comm_c = c->level[shape->tree_r.n_levels].values[0];
    sector->proof->comm_r_last = r->level[shape->tree_r.n_levels].values[0];
}

static void open_column(porep_column_t *column, const made_sector_t *sector)
{
    const uint32_t n_layers = sector->proof->shape.n_layers;
    fr_t *labels = arena_alloc(sector->arena, n_layers, sizeof *labels);

    for (uint32_t layer = 1; layer <= n_layers; layer++) {
        label_value(&labels[layer - 1], sector, column->node, layer);
    }
    column->labels = labels;
    sparse_value(&column->leaf, &sector->tree_c, 0, column->node);
    column->path = sparse_path(&sector->tree_c, column->node, sector->arena);
}

static void open_challenges(const made_sector_t *sector)
{
    for (size_t i = 0; i < sector->n_challenges; i++) {
        porep_challenge_t *challenge = &sector->proof->challenges[i];

        challenge->data_leaf = fr_zero;
        challenge->data_path = sector->zero_path;
        sparse_value(&challenge->replica_leaf, &sector->tree_r, 0, challenge->node);
        challenge->replica_path = sparse_path(&sector->tree_r, challenge->node, sector->arena);
        open_column(&challenge->column, sector);
        for (size_t p = 0; p < POREP_DEGREE; p++) open_column(&challenge->parents[p], sector);
    }
}

void porep_generate_proof(porep_proof_t *proof, const porep_config_t *config,
                          const uint8_t prover_id[32], uint64_t sector_number, uint64_t random_seed,
                          arena_t *arena)
{
    made_sector_t sector = {.proof = proof,
                            .random_seed = random_seed,
                            .arena = arena,
                            .n_challenges = (size_t)config->n_partitions * config->n_challenges};
    porep_origin_t origin = {.sector_number = sector_number};
    fr_t roots[2];

    VERIFY(config->feature == POREP_INTERACTIVE);
    *proof = (porep_proof_t){.config = config};
    (void)porep_shape_init(&proof->shape, config->sector_size);
    proof->challenges = arena_alloc(arena, sector.n_challenges, sizeof *proof->challenges);
    fill_bytes(proof->seed, random_seed, FILL_SEED, 0, 0);
    fill_bytes(proof->ticket, random_seed, FILL_TICKET, 0, 0);

    zero_tree(&sector);
    memcpy(origin.prover_id, prover_id, 32);
    memcpy(origin.ticket, proof->ticket, 32);
    fr_to_bytes(origin.comm_d, &proof->comm_d);
    porep_replica_id(&proof->replica_id, &origin, config);

    derive_challenges(&sector);
    make_labels(&sector);
    plant_trees(&sector);
    open_challenges(&sector);
    roots[0] = proof->comm_c;
    roots[1] = proof->comm_r_last;
    poseidon_hash(&proof->comm_r, POSEIDON_2, roots);
}
