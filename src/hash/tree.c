/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "hash/tree.h"

#include "base/verify.h"
#include "hash/poseidon.h"
#include "hash/sha256.h"

enum { LG_BASE = 3 };

static void add_levels(tree_shape_t *shape, uint32_t n, uint32_t lg_arity)
{
    for (uint32_t i = 0; i < n; i++) {
        shape->lg_arity[shape->n_levels++] = (uint8_t)lg_arity;
        shape->n_siblings += ((uint32_t)1 << lg_arity) - 1;
        shape->n_leaves <<= lg_arity;
    }
}

void tree_shape_binary(tree_shape_t *shape, uint32_t lg_nodes)
{
    VERIFY(lg_nodes <= TREE_MAX_LEVELS);
    *shape = (tree_shape_t){.hash = TREE_SHA256, .n_leaves = 1, .n_base = lg_nodes};
    add_levels(shape, lg_nodes, 1);
}

void tree_shape_sector(tree_shape_t *shape, uint32_t lg_nodes)
{
    const bool has_top = lg_nodes == 31;
    const bool has_sub = lg_nodes == 30 || has_top;
    const uint32_t lg_base_nodes = lg_nodes - (has_sub ? 3 : 0) - (has_top ? 1 : 0);

    VERIFY(lg_base_nodes % LG_BASE == 0);
    *shape = (tree_shape_t){.hash = TREE_POSEIDON,
                            .n_leaves = 1,
                            .n_base = lg_base_nodes / LG_BASE,
                            .n_sub = has_sub,
                            .n_top = has_top};
    add_levels(shape, shape->n_base, LG_BASE);
    add_levels(shape, shape->n_sub, 3);
    add_levels(shape, shape->n_top, 1);
}

void tree_hash_sha256(fr_t *r, const fr_t *left, const fr_t *right)
{
    uint8_t bytes[2 * FR_BYTES], digest[SHA256_BYTES];

    fr_to_bytes(bytes, left);
    fr_to_bytes(bytes + FR_BYTES, right);
    sha256(digest, bytes, sizeof bytes);
    digest[SHA256_BYTES - 1] &= 0x3f;
    (void)fr_from_bytes(r, digest); /* below 2^254, so below the modulus */
}

/* *r = the parent of *node at place `place` among its siblings */
static void hash_level(fr_t *r, const tree_shape_t *shape, uint32_t level, const fr_t *node,
                       uint32_t place, const fr_t *siblings)
{
    fr_t children[TREE_MAX_ARITY];
    const uint32_t arity = tree_arity(shape, level);

    memcpy(children, siblings, place * sizeof *children);
    children[place] = *node;
    memcpy(children + place + 1, siblings + place, (arity - 1 - place) * sizeof *children);
    if (shape->hash == TREE_SHA256) {
        tree_hash_sha256(r, &children[0], &children[1]);
    } else {
        poseidon_hash(r, poseidon_with_arity(arity), children);
    }
}

void tree_climb(fr_t *r, const tree_shape_t *shape, const fr_t *node, uint64_t index,
                const fr_t *siblings, uint32_t from, uint32_t to)
{
    VERIFY(from <= to && to <= shape->n_levels && index < shape->n_leaves);
    *r = *node;
    for (uint32_t level = 0; level < to; level++) {
        const uint32_t arity = tree_arity(shape, level);

        if (level >= from) {
            hash_level(r, shape, level, r, (uint32_t)(index & (arity - 1)), siblings);
        }
        index >>= shape->lg_arity[level];
        siblings += arity - 1;
    }
}

void tree_root(fr_t *root, const tree_shape_t *shape, const fr_t *leaf, uint64_t index,
               const fr_t *siblings)
{
    tree_climb(root, shape, leaf, index, siblings, 0, shape->n_levels);
}
