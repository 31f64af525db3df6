/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "porep/c1_challenge.h"

#include "base/verify.h"
#include "porep/label.h"

enum { MAX_COUNTED = 1 << 16 }; /* items of an array that is too long; more are cut off there */

#define N_FIELDS(table) (sizeof(table) / sizeof(table)[0])

cuzk_status c1_read_fr(json_t *j, fr_t *value, cuzk_error *err)
{
    uint8_t bytes[FR_BYTES];

    if (json_read_bytes(j, bytes, sizeof bytes, err) != CUZK_OK) return err->status;
    if (!fr_from_bytes(value, bytes)) return json_error(j, err, "not below the field's modulus");
    return CUZK_OK;
}

/* An array of `expected` things under way: items past it are counted, not read. */
typedef struct {
    json_item_reader read;
    void *out;
    size_t expected;
} c1_counted_t;

static cuzk_status read_counted(json_t *j, size_t index, void *out, cuzk_error *err)
{
    const c1_counted_t *counted = out;

    return index < counted->expected ? counted->read(j, index, counted->out, err) : CUZK_OK;
}

cuzk_status c1_read_exactly(json_t *j, json_item_reader read, void *out, size_t expected,
                            const char *items, cuzk_error *err)
{
    c1_counted_t counted = {read, out, expected};
    size_t n = 0;

    if (json_read_array(j, read_counted, &counted, 0, MAX_COUNTED, &n, err) != CUZK_OK) {
        return err->status;
    }
    if (n != expected) return json_error(j, err, "%zu %s, expected %zu", n, items, expected);
    return CUZK_OK;
}

static cuzk_status read_fr_item(json_t *j, size_t index, void *out, cuzk_error *err)
{
    return c1_read_fr(j, (fr_t *)out + index, err);
}

/* ---- Merkle proofs ---- */

typedef struct {
    const tree_shape_t *shape;
    fr_t root, leaf;
    uint64_t index;
    fr_t *siblings;
    uint32_t first_level; /* of the part being read */
} c1_path_t;

typedef struct {
    c1_path_t *path;
    uint32_t level;
    fr_t *siblings;
    uint64_t place;
} c1_step_t;

static cuzk_status read_step_hashes(json_t *j, void *out, cuzk_error *err)
{
    const c1_step_t *step = out;
    const size_t arity = (size_t)1 << step->path->shape->lg_arity[step->level];

    return c1_read_exactly(j, read_fr_item, step->siblings, arity - 1, "hashes", err);
}

static cuzk_status read_step_index(json_t *j, void *out, cuzk_error *err)
{
    c1_step_t *step = out;
    const uint64_t arity = (uint64_t)1 << step->path->shape->lg_arity[step->level];

    return json_read_u64(j, &step->place, arity - 1, err);
}

static cuzk_status read_step(json_t *j, size_t index, void *out, cuzk_error *err)
{
    static const json_field_t fields[] = {{"hashes", read_step_hashes, JSON_REQUIRED},
                                          {"index", read_step_index, JSON_REQUIRED}};
    c1_path_t *path = out;
    c1_step_t step = {path, path->first_level + (uint32_t)index, path->siblings, 0};
    uint32_t bits = 0;

    for (uint32_t level = 0; level < step.level; level++) {
        step.siblings += ((size_t)1 << path->shape->lg_arity[level]) - 1;
        bits += path->shape->lg_arity[level];
    }
    if (json_read_object(j, fields, N_FIELDS(fields), &step, err) != CUZK_OK) return err->status;
    path->index |= step.place << bits;
    return CUZK_OK;
}

static cuzk_status read_steps(json_t *j, void *out, cuzk_error *err)
{
    c1_path_t *path = out;
    const tree_shape_t *shape = path->shape;
    uint32_t n_levels = shape->n_base;

    if (path->first_level >= shape->n_base) n_levels = shape->n_sub;
    if (path->first_level >= shape->n_base + shape->n_sub) n_levels = shape->n_top;
    return c1_read_exactly(j, read_step, path, n_levels, "levels", err);
}

static cuzk_status read_part(json_t *j, c1_path_t *path, uint32_t first_level, cuzk_error *err)
{
    static const json_field_t fields[] = {{"path", read_steps, JSON_REQUIRED}};

    path->first_level = first_level;
    return json_read_object(j, fields, N_FIELDS(fields), path, err);
}

static cuzk_status read_base(json_t *j, void *out, cuzk_error *err)
{
    return read_part(j, out, 0, err);
}

static cuzk_status read_sub(json_t *j, void *out, cuzk_error *err)
{
    return read_part(j, out, ((c1_path_t *)out)->shape->n_base, err);
}

static cuzk_status read_top(json_t *j, void *out, cuzk_error *err)
{
    const tree_shape_t *shape = ((c1_path_t *)out)->shape;

    return read_part(j, out, shape->n_base + shape->n_sub, err);
}

static cuzk_status read_root(json_t *j, void *out, cuzk_error *err)
{
    return c1_read_fr(j, &((c1_path_t *)out)->root, err);
}

static cuzk_status read_leaf(json_t *j, void *out, cuzk_error *err)
{
    return c1_read_fr(j, &((c1_path_t *)out)->leaf, err);
}

static cuzk_status read_single(json_t *j, void *out, cuzk_error *err)
{
    static const json_field_t fields[] = {{"root", read_root, JSON_REQUIRED},
                                          {"leaf", read_leaf, JSON_REQUIRED},
                                          {"path", read_base, JSON_REQUIRED}};
    return json_read_object(j, fields, N_FIELDS(fields), out, err);
}

static cuzk_status read_subtree(json_t *j, void *out, cuzk_error *err)
{
    static const json_field_t fields[] = {{"root", read_root, JSON_REQUIRED},
                                          {"leaf", read_leaf, JSON_REQUIRED},
                                          {"base_proof", read_base, JSON_REQUIRED},
                                          {"sub_proof", read_sub, JSON_REQUIRED}};
    return json_read_object(j, fields, N_FIELDS(fields), out, err);
}

static cuzk_status read_top_tree(json_t *j, void *out, cuzk_error *err)
{
    static const json_field_t fields[] = {{"root", read_root, JSON_REQUIRED},
                                          {"leaf", read_leaf, JSON_REQUIRED},
                                          {"base_proof", read_base, JSON_REQUIRED},
                                          {"sub_proof", read_sub, JSON_REQUIRED},
                                          {"top_proof", read_top, JSON_REQUIRED}};
    return json_read_object(j, fields, N_FIELDS(fields), out, err);
}

/* {"Single": ...}, {"Sub": ...} or {"Top": ...}, whichever the shape has */
static cuzk_status read_data(json_t *j, void *out, cuzk_error *err)
{
    static const json_field_t kinds[] = {{"Single", read_single, JSON_REQUIRED},
                                         {"Sub", read_subtree, JSON_REQUIRED},
                                         {"Top", read_top_tree, JSON_REQUIRED}};
    const tree_shape_t *shape = ((c1_path_t *)out)->shape;

    return json_read_object(j, &kinds[shape->n_sub + shape->n_top], 1, out, err);
}

/* {"data": ...}; siblings has room for shape->n_siblings */
static cuzk_status read_path(json_t *j, c1_path_t *path, const tree_shape_t *shape, fr_t *siblings,
                             cuzk_error *err)
{
    static const json_field_t fields[] = {{"data", read_data, JSON_REQUIRED}};

    *path = (c1_path_t){.shape = shape, .siblings = siblings};
    return json_read_object(j, fields, N_FIELDS(fields), path, err);
}

/* ---- the parts of a challenge ---- */

/* A challenge under way, with what the file repeats. */
typedef struct {
    c1_reader_t *reader;
    porep_challenge_t *challenge;
    uint64_t data_index, replica_index; /* by their paths */
} c1_state_t;

/* *elements = room for n of them. */
static cuzk_status take(fr_t **elements, const c1_state_t *state, size_t n, cuzk_error *err)
{
    *elements = arena_alloc(state->reader->arena, n, sizeof **elements);
    if (*elements != NULL) return CUZK_OK;
    return error_set(err, CUZK_ERR_MEMORY, "vanilla proofs of a PoRep: no memory");
}

static cuzk_status read_comm_d_proof(json_t *j, void *out, cuzk_error *err)
{
    c1_state_t *state = out;
    const porep_proof_t *proof = state->reader->proof;
    fr_t *siblings;
    c1_path_t path;

    if (take(&siblings, state, proof->shape.tree_d.n_siblings, err) != CUZK_OK ||
        read_path(j, &path, &proof->shape.tree_d, siblings, err) != CUZK_OK)
        return err->status;
    if (!fr_equal(&path.root, &proof->comm_d)) return json_error(j, err, "root is not comm_d");
    state->challenge->data_leaf = path.leaf;
    state->challenge->data_path = siblings;
    state->data_index = path.index;
    return CUZK_OK;
}

static cuzk_status read_replica_proof(json_t *j, void *out, cuzk_error *err)
{
    c1_state_t *state = out;
    porep_proof_t *proof = state->reader->proof;
    fr_t *siblings;
    c1_path_t path;

    if (take(&siblings, state, proof->shape.tree_r.n_siblings, err) != CUZK_OK ||
        read_path(j, &path, &proof->shape.tree_r, siblings, err) != CUZK_OK)
        return err->status;
    if (!state->reader->has_comm_r_last) proof->comm_r_last = path.root;
    state->reader->has_comm_r_last = true;
    if (!fr_equal(&path.root, &proof->comm_r_last)) {
        return json_error(j, err, "root differs from the first challenge's comm_r_last");
    }
    state->challenge->replica_leaf = path.leaf;
    state->challenge->replica_path = siblings;
    state->replica_index = path.index;
    return CUZK_OK;
}

typedef struct {
    c1_state_t *state;
    uint64_t node;
    fr_t *labels;
    c1_path_t path;
} c1_column_state_t;

static cuzk_status read_column_index(json_t *j, void *out, cuzk_error *err)
{
    return json_read_u64(j, &((c1_column_state_t *)out)->node, UINT32_MAX, err);
}

static cuzk_status read_column_rows(json_t *j, void *out, cuzk_error *err)
{
    c1_column_state_t *c = out;
    const uint32_t n_layers = c->state->reader->proof->shape.n_layers;

    if (take(&c->labels, c->state, n_layers, err) != CUZK_OK) return err->status;
    return c1_read_exactly(j, read_fr_item, c->labels, n_layers, "labels", err);
}

static cuzk_status read_column(json_t *j, void *out, cuzk_error *err)
{
    static const json_field_t fields[] = {{"index", read_column_index, JSON_REQUIRED},
                                          {"rows", read_column_rows, JSON_REQUIRED}};
    return json_read_object(j, fields, N_FIELDS(fields), out, err);
}

static cuzk_status read_column_path(json_t *j, void *out, cuzk_error *err)
{
    c1_column_state_t *c = out;
    const tree_shape_t *shape = &c->state->reader->proof->shape.tree_r;

    fr_t *siblings;

    if (take(&siblings, c->state, shape->n_siblings, err) != CUZK_OK) return err->status;
    return read_path(j, &c->path, shape, siblings, err);
}

static cuzk_status read_column_proof(json_t *j, c1_state_t *state, porep_column_t *column,
                                     cuzk_error *err)
{
    static const json_field_t fields[] = {{"column", read_column, JSON_REQUIRED},
                                          {"inclusion_proof", read_column_path, JSON_REQUIRED}};
    porep_proof_t *proof = state->reader->proof;
    c1_column_state_t c = {.state = state};

    if (json_read_object(j, fields, N_FIELDS(fields), &c, err) != CUZK_OK) return err->status;
    if (c.node != c.path.index) {
        return json_error(j, err, "column of node %llu, path of node %llu",
                          (unsigned long long)c.node, (unsigned long long)c.path.index);
    }
    if (!state->reader->has_comm_c) proof->comm_c = c.path.root;
    state->reader->has_comm_c = true;
    if (!fr_equal(&c.path.root, &proof->comm_c)) {
        return json_error(j, err, "root differs from the first challenge's comm_c");
    }
    *column = (porep_column_t){(uint32_t)c.node, c.path.leaf, c.labels, c.path.siblings};
    return CUZK_OK;
}

static cuzk_status read_own_column(json_t *j, void *out, cuzk_error *err)
{
    c1_state_t *state = out;

    return read_column_proof(j, state, &state->challenge->column, err);
}

static cuzk_status read_drg_parent(json_t *j, size_t index, void *out, cuzk_error *err)
{
    c1_state_t *state = out;

    return read_column_proof(j, state, &state->challenge->parents[index], err);
}

static cuzk_status read_exp_parent(json_t *j, size_t index, void *out, cuzk_error *err)
{
    return read_drg_parent(j, POREP_DRG_DEGREE + index, out, err);
}

static cuzk_status read_drg_parents(json_t *j, void *out, cuzk_error *err)
{
    return c1_read_exactly(j, read_drg_parent, out, POREP_DRG_DEGREE, "parents", err);
}

static cuzk_status read_exp_parents(json_t *j, void *out, cuzk_error *err)
{
    return c1_read_exactly(j, read_exp_parent, out, POREP_EXP_DEGREE, "parents", err);
}

static cuzk_status read_column_proofs(json_t *j, void *out, cuzk_error *err)
{
    static const json_field_t fields[] = {{"c_x", read_own_column, JSON_REQUIRED},
                                          {"drg_parents", read_drg_parents, JSON_REQUIRED},
                                          {"exp_parents", read_exp_parents, JSON_REQUIRED}};
    return json_read_object(j, fields, N_FIELDS(fields), out, err);
}

static cuzk_status read_label_parents(json_t *j, void *out, cuzk_error *err)
{
    return c1_read_exactly(j, read_fr_item, ((c1_label_t *)out)->parents, POREP_LABEL_PARENTS,
                           "parents", err);
}

static cuzk_status read_label_layer(json_t *j, void *out, cuzk_error *err)
{
    return json_read_u64(j, &((c1_label_t *)out)->layer, UINT32_MAX, err);
}

static cuzk_status read_label_node(json_t *j, void *out, cuzk_error *err)
{
    return json_read_u64(j, &((c1_label_t *)out)->node, UINT64_MAX, err);
}

static cuzk_status read_label(json_t *j, c1_label_t *label, cuzk_error *err)
{
    static const json_field_t fields[] = {{"parents", read_label_parents, JSON_REQUIRED},
                                          {"layer_index", read_label_layer, JSON_REQUIRED},
                                          {"node", read_label_node, JSON_REQUIRED}};
    return json_read_object(j, fields, N_FIELDS(fields), label, err);
}

static cuzk_status read_labeling_item(json_t *j, size_t index, void *out, cuzk_error *err)
{
    return read_label(j, &((c1_state_t *)out)->reader->labels[index], err);
}

static cuzk_status read_labeling(json_t *j, void *out, cuzk_error *err)
{
    const c1_state_t *state = out;

    return c1_read_exactly(j, read_labeling_item, out, state->reader->proof->shape.n_layers,
                           "layers", err);
}

static cuzk_status read_encoding(json_t *j, void *out, cuzk_error *err)
{
    return read_label(j, &((c1_state_t *)out)->reader->encoding, err);
}

/* ---- what is said twice ---- */

static cuzk_status check_label(const json_t *j, const porep_challenge_t *challenge,
                               const c1_label_t *label, uint32_t layer, cuzk_error *err)
{
    if (label->layer != layer || label->node != challenge->node) {
        return json_error(j, err, "label of layer %llu, node %llu; expected layer %u, node %u",
                          (unsigned long long)label->layer, (unsigned long long)label->node, layer,
                          challenge->node);
    }
    for (uint32_t i = 0; i < POREP_LABEL_PARENTS; i++) {
        const uint32_t p = i % porep_label_parents(layer);
        const uint32_t row = porep_label_parent_layer(layer, p) - 1;

        if (!fr_equal(&label->parents[i], &challenge->parents[p].labels[row])) {
            return json_error(j, err, "label of layer %u: parent %u is not in its column", layer,
                              i);
        }
    }
    return CUZK_OK;
}

static cuzk_status check_repeats(const json_t *j, const c1_state_t *state, cuzk_error *err)
{
    const porep_challenge_t *challenge = state->challenge;
    const uint32_t n_layers = state->reader->proof->shape.n_layers;

    if (state->data_index != challenge->node || state->replica_index != challenge->node) {
        return json_error(j, err,
                          "column of node %u, comm_d_proofs of %llu, comm_r_last_proof of "
                          "%llu",
                          challenge->node, (unsigned long long)state->data_index,
                          (unsigned long long)state->replica_index);
    }
    for (uint32_t layer = 1; layer <= n_layers; layer++) {
        const c1_label_t *label = &state->reader->labels[layer - 1];
        if (check_label(j, challenge, label, layer, err) != CUZK_OK) return err->status;
    }
    return check_label(j, challenge, &state->reader->encoding, n_layers, err);
}

cuzk_status c1_read_challenge(json_t *j, c1_reader_t *reader, porep_challenge_t *challenge,
                              cuzk_error *err)
{
    static const json_field_t fields[] = {
        {"comm_d_proofs", read_comm_d_proof, JSON_REQUIRED},
        {"comm_r_last_proof", read_replica_proof, JSON_REQUIRED},
        {"replica_column_proofs", read_column_proofs, JSON_REQUIRED},
        {"labeling_proofs", read_labeling, JSON_REQUIRED},
        {"encoding_proof", read_encoding, JSON_REQUIRED},
    };
    c1_state_t state = {.reader = reader, .challenge = challenge};

    if (json_read_object(j, fields, N_FIELDS(fields), &state, err) != CUZK_OK) return err->status;
    challenge->node = challenge->column.node;
    return check_repeats(j, &state, err);
}
