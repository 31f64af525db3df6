/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "update/vanilla.h"

#include "codec/merkle_proof.h"

/* Bytes of the smallest thing there can be a count of. */
enum { MIN_CHALLENGE_BYTES = 3 * (4 + 2 * FR_BYTES) };

/* The state of reading one update. */
typedef struct {
    update_proof_t *proof;
    arena_t *arena;
    bool has_first; /* comm_c and the roots are those of the first partition and challenge */
} update_reader_t;

static cuzk_status refuse_memory(cuzk_error *err)
{
    return error_set(err, CUZK_ERR_MEMORY, "vanilla proofs of an update: no memory");
}

static cuzk_status to_fr(fr_t *value, const uint8_t *bytes, const char *field, cuzk_error *err)
{
    if (fr_from_bytes(value, bytes)) return CUZK_OK;
    return error_set(err, CUZK_ERR_FORMAT, "%s: not below the field's modulus", field);
}

/* A path in the arena, with its root and leaf. */
typedef struct {
    fr_t root, leaf;
    const fr_t *siblings;
    uint64_t index;
} update_path_t;

static cuzk_status convert_path(update_path_t *path, const merkle_proof_t *raw,
                                const tree_shape_t *shape, arena_t *arena, cuzk_error *err)
{
    fr_t *siblings = arena_alloc(arena, shape->n_siblings, sizeof *siblings);
    size_t at = 0;

    if (siblings == NULL) return refuse_memory(err);
    path->siblings = siblings;
    path->index = raw->index;
    if (to_fr(&path->root, raw->root, "root", err) != CUZK_OK ||
        to_fr(&path->leaf, raw->leaf, "leaf", err) != CUZK_OK) {
        return err->status;
    }
    for (uint32_t level = 0; level < shape->n_levels; level++) {
        const size_t n = ((size_t)1 << shape->lg_arity[level]) - 1;

        for (size_t i = 0; i < n; i++, at++) {
            const uint8_t *bytes = raw->siblings[level] + i * FR_BYTES;
            if (to_fr(&siblings[at], bytes, "sibling", err) != CUZK_OK) return err->status;
        }
    }
    return CUZK_OK;
}

static merkle_levels_t levels_of(const tree_shape_t *shape)
{
    return (merkle_levels_t){shape->lg_arity, shape->n_base, shape->n_sub, shape->n_top};
}

static cuzk_status read_path(update_path_t *path, bincode_t *b, const tree_shape_t *shape,
                             arena_t *arena, const char *field, cuzk_error *err)
{
    const merkle_levels_t levels = levels_of(shape);
    merkle_proof_t raw;

    if (merkle_proof_read(&raw, b, &levels, err) == CUZK_OK &&
        convert_path(path, &raw, shape, arena, err) == CUZK_OK) {
        return CUZK_OK;
    }
    return error_within(err, "%s", field);
}

static cuzk_status check_repeats(update_reader_t *r, const update_path_t *r_old,
                                 const update_path_t *d_new, const update_path_t *r_new,
                                 cuzk_error *err)
{
    update_proof_t *proof = r->proof;

    if (!r->has_first) {
        proof->root_r_old = r_old->root;
        proof->root_r_new = r_new->root;
        r->has_first = true;
    }
    if (!fr_equal(&r_old->root, &proof->root_r_old)) {
        return error_set(err, CUZK_ERR_FORMAT, "proof_r_old: root differs from the first one");
    }
    if (!fr_equal(&r_new->root, &proof->root_r_new)) {
        return error_set(err, CUZK_ERR_FORMAT, "proof_r_new: root differs from the first one");
    }
    if (!fr_equal(&d_new->root, &proof->comm_d_new)) {
        return error_set(err, CUZK_ERR_FORMAT, "proof_d_new: root is not comm_d_new");
    }
    if (r_old->index != d_new->index || r_old->index != r_new->index) {
        return error_set(err, CUZK_ERR_FORMAT, "paths of nodes %llu, %llu and %llu",
                         (unsigned long long)r_old->index, (unsigned long long)d_new->index,
                         (unsigned long long)r_new->index);
    }
    return CUZK_OK;
}

static cuzk_status read_challenge(update_reader_t *r, bincode_t *b, update_challenge_t *challenge,
                                  cuzk_error *err)
{
    const update_proof_t *proof = r->proof;
    update_path_t r_old, d_new, r_new;

    if (read_path(&r_old, b, &proof->tree_r, r->arena, "proof_r_old", err) != CUZK_OK ||
        read_path(&d_new, b, &proof->tree_d, r->arena, "proof_d_new", err) != CUZK_OK ||
        read_path(&r_new, b, &proof->tree_r, r->arena, "proof_r_new", err) != CUZK_OK ||
        check_repeats(r, &r_old, &d_new, &r_new, err) != CUZK_OK) {
        return err->status;
    }
    *challenge = (update_challenge_t){.node = (uint32_t)r_old.index,
                                      .leaf_r_old = r_old.leaf,
                                      .leaf_d_new = d_new.leaf,
                                      .leaf_r_new = r_new.leaf,
                                      .path_r_old = r_old.siblings,
                                      .path_d_new = d_new.siblings,
                                      .path_r_new = r_new.siblings};
    return CUZK_OK;
}

static cuzk_status read_head(update_reader_t *r, bincode_t *b, bool is_first,
                             const fr_t **apex_leaves, cuzk_error *err)
{
    update_proof_t *proof = r->proof;
    const size_t n = update_apex_leaf_count(proof->config);
    fr_t *leaves = arena_alloc(r->arena, n, sizeof *leaves);
    const uint8_t *bytes;
    fr_t comm_c;
    size_t found;

    if (leaves == NULL) return refuse_memory(err);
    if (bincode_read_bytes(b, &bytes, FR_BYTES, "comm_c", err) != CUZK_OK ||
        to_fr(&comm_c, bytes, "comm_c", err) != CUZK_OK) {
        return err->status;
    }
    if (is_first) proof->comm_c = comm_c;
    if (!fr_equal(&comm_c, &proof->comm_c)) {
        return error_set(err, CUZK_ERR_FORMAT, "comm_c: differs from the first partition's");
    }
    if (bincode_read_count(b, &found, n, n, FR_BYTES, "apex_leafs", err) != CUZK_OK ||
        bincode_read_bytes(b, &bytes, n * FR_BYTES, "apex_leafs", err) != CUZK_OK) {
        return err->status;
    }
    for (size_t i = 0; i < n; i++) {
        if (to_fr(&leaves[i], bytes + i * FR_BYTES, "apex_leafs", err) != CUZK_OK) {
            return err->status;
        }
    }
    *apex_leaves = leaves;
    return CUZK_OK;
}

static cuzk_status read_partition(update_reader_t *r, const cuzk_bytes *span, bool is_first,
                                  update_partition_t *partition, cuzk_error *err)
{
    const size_t n = r->proof->config->n_challenges;
    bincode_t b = bincode_open(span->bytes, span->length);
    size_t found;

    if (read_head(r, &b, is_first, &partition->apex_leaves, err) != CUZK_OK ||
        bincode_read_count(&b, &found, n, n, MIN_CHALLENGE_BYTES, "challenge_proofs", err) !=
            CUZK_OK) {
        return err->status;
    }
    partition->challenges = arena_alloc(r->arena, n, sizeof *partition->challenges);
    if (partition->challenges == NULL) return refuse_memory(err);
    for (size_t i = 0; i < n; i++) {
        if (read_challenge(r, &b, &partition->challenges[i], err) != CUZK_OK) {
            return error_within(err, "challenge %zu", i);
        }
    }
    return bincode_end(&b, "partition proof", err);
}

size_t update_vanilla_bytes(const update_config_t *config)
{
    enum { COUNT_BYTES = 8 };
    tree_shape_t tree_d, tree_r;

    tree_shape_binary(&tree_d, config->lg_nodes);
    tree_shape_sector(&tree_r, config->lg_nodes);
    const merkle_levels_t d = levels_of(&tree_d), r = levels_of(&tree_r);
    return FR_BYTES + 2 * COUNT_BYTES + (size_t)update_apex_leaf_count(config) * FR_BYTES +
           config->n_challenges * (merkle_proof_bytes(&d) + 2 * merkle_proof_bytes(&r));
}

cuzk_status update_vanilla_read(update_proof_t *proof, const update_statement_t *statement,
                                const cuzk_bytes *partitions, size_t n, arena_t *arena,
                                cuzk_error *err)
{
    const update_config_t *config = statement->config;
    const size_t n_partitions = update_partition_count(config);
    update_reader_t r = {.proof = proof, .arena = arena};

    if (n != n_partitions) {
        return error_set(err, CUZK_ERR_FORMAT, "vanilla proofs: %zu partitions, expected %zu", n,
                         n_partitions);
    }
    *proof = (update_proof_t){.config = config,
                              .comm_r_old = statement->comm_r_old,
                              .comm_d_new = statement->comm_d_new,
                              .comm_r_new = statement->comm_r_new};
    tree_shape_binary(&proof->tree_d, config->lg_nodes);
    tree_shape_sector(&proof->tree_r, config->lg_nodes);
    proof->partitions = arena_alloc(arena, n, sizeof *proof->partitions);
    if (proof->partitions == NULL) return refuse_memory(err);
    for (size_t k = 0; k < n; k++) {
        if (read_partition(&r, &partitions[k], k == 0, &proof->partitions[k], err) != CUZK_OK) {
            return error_within(err, "vanilla proofs: partition %zu", k);
        }
    }
    return CUZK_OK;
}
