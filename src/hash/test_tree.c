/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "hash/poseidon.h"
#include "hash/tree.h"

static void test_shapes(void **state)
{
    static const struct {
        uint32_t lg_nodes, n_levels, n_base, n_sub, n_top, n_siblings;
    } rows[] = {{6, 2, 2, 0, 0, 14},
                {18, 6, 6, 0, 0, 42},
                {24, 8, 8, 0, 0, 56},
                {30, 10, 9, 1, 0, 70},
                {31, 11, 9, 1, 1, 71}};
    tree_shape_t shape;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tree_shape_sector(&shape, rows[i].lg_nodes);
        assert_int_equal(shape.n_levels, rows[i].n_levels);
        assert_int_equal(shape.n_base, rows[i].n_base);
        assert_int_equal(shape.n_sub, rows[i].n_sub);
        assert_int_equal(shape.n_top, rows[i].n_top);
        assert_int_equal(shape.n_siblings, rows[i].n_siblings);
        assert_true(shape.n_leaves == (uint64_t)1 << rows[i].lg_nodes);
        assert_int_equal(tree_index_bits(&shape), rows[i].lg_nodes);
        tree_shape_binary(&shape, rows[i].lg_nodes);
        assert_int_equal(shape.n_siblings, rows[i].lg_nodes);
        assert_true(shape.n_leaves == (uint64_t)1 << rows[i].lg_nodes);
    }
}

/* Rows of a whole tree, leaves first; parents are hashed from their children in order. */
static fr_t *grow_tree(const tree_shape_t *shape)
{
    fr_t *rows = calloc(2 * shape->n_leaves, sizeof *rows);
    fr_t *row = rows;
    uint64_t n = shape->n_leaves;

    assert_non_null(rows);
    for (uint64_t i = 0; i < n; i++) fr_from_u64(&row[i], 1000 + i);
    for (uint32_t level = 0; level < shape->n_levels; level++) {
        const uint64_t arity = (uint64_t)1 << shape->lg_arity[level];
        fr_t *above = row + n;

        for (uint64_t i = 0; i < n / arity; i++) {
            if (shape->hash == TREE_SHA256) {
                tree_hash_sha256(&above[i], &row[2 * i], &row[2 * i + 1]);
            } else {
                poseidon_hash(&above[i], arity == 8 ? POSEIDON_8 : POSEIDON_2, &row[arity * i]);
            }
        }
        row = above;
        n /= arity;
    }
    return rows;
}

static void take_path(fr_t *siblings, const tree_shape_t *shape, const fr_t *rows, uint64_t index)
{
    uint64_t n = shape->n_leaves;

    for (uint32_t level = 0; level < shape->n_levels; level++) {
        const uint64_t arity = (uint64_t)1 << shape->lg_arity[level];

        for (uint64_t i = 0; i < arity; i++) {
            const uint64_t node = index / arity * arity + i;
            if (node != index) *siblings++ = rows[node];
        }
        rows += n;
        n /= arity;
        index /= arity;
    }
}

/* every leaf's path leads to the root; no other leaf, place or sibling does */
static void check_tree(const tree_shape_t *shape)
{
    fr_t *rows = grow_tree(shape);
    const fr_t *root = rows;
    fr_t path[64], found;
    uint64_t n = shape->n_leaves;

    for (uint32_t level = 0; level < shape->n_levels; level++) {
        root += n;
        n >>= shape->lg_arity[level];
    }
    for (uint64_t i = 0; i < shape->n_leaves; i++) {
        take_path(path, shape, rows, i);
        tree_root(&found, shape, &rows[i], i, path);
        assert_true(fr_equal(&found, root));
        tree_root(&found, shape, &rows[i], i ^ 1, path);
        assert_false(fr_equal(&found, root));
        tree_root(&found, shape, &rows[i ^ 1], i, path);
        assert_false(fr_equal(&found, root));
        fr_add(&path[i % shape->n_siblings], &path[i % shape->n_siblings], &fr_one);
        tree_root(&found, shape, &rows[i], i, path);
        assert_false(fr_equal(&found, root));
    }
    free(rows);
}

static void test_paths(void **state)
{
    /* the sector shapes' kinds of level, in a small tree */
    const tree_shape_t mixed = {.hash = TREE_POSEIDON,
                                .n_levels = 3,
                                .n_base = 1,
                                .n_sub = 1,
                                .n_top = 1,
                                .n_siblings = 7 + 7 + 1,
                                .lg_arity = {3, 3, 1},
                                .n_leaves = 128};
    tree_shape_t shape;

    (void)state;
    check_tree(&mixed);
    tree_shape_sector(&shape, 6);
    check_tree(&shape);
    tree_shape_binary(&shape, 5);
    check_tree(&shape);
}

/* climbing in two steps is climbing at once */
static void test_climb(void **state)
{
    tree_shape_t shape;
    fr_t path[16], leaf, root, half;

    (void)state;
    tree_shape_binary(&shape, 16);
    for (uint64_t i = 0; i < 16; i++) fr_from_u64(&path[i], 7 * i + 1);
    fr_from_u64(&leaf, 5);
    tree_root(&root, &shape, &leaf, 0xbeef, path);
    for (uint32_t cut = 0; cut <= 16; cut++) {
        tree_climb(&half, &shape, &leaf, 0xbeef, path, 0, cut);
        tree_climb(&half, &shape, &half, 0xbeef, path, cut, 16);
        assert_true(fr_equal(&half, &root));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_climb),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
