/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "hash/poseidon.h"
#include "post/circuit.h"
#include "synthesis/test_golden.h"

typedef struct {
    const char *name;
    post_kind kind;
    unsigned lg_bytes;
} case_t;

static void check_cases(const case_t *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const post_circuit_t circuit =
            post_circuit_shape(cases[i].kind, (uint64_t)1 << cases[i].lg_bytes);

        golden_check_shape(cases[i].name, post_circuit, &circuit);
    }
}

static void constraints_are_those_of_the_reference(void **unused)
{
    static const case_t cases[] = {
        {"winning-2KiB", POST_WINNING, 11},   {"winning-8MiB", POST_WINNING, 23},
        {"winning-512MiB", POST_WINNING, 29}, {"winning-32GiB", POST_WINNING, 35},
        {"winning-64GiB", POST_WINNING, 36},  {"window-2KiB", POST_WINDOW, 11},
        {"window-8MiB", POST_WINDOW, 23},     {"window-512MiB", POST_WINDOW, 29},
    };

    (void)unused;
    check_cases(cases, sizeof cases / sizeof *cases);
}

static void constraints_of_production_windows_are_those_of_the_reference(void **unused)
{
    static const case_t cases[] = {
        {"window-32GiB", POST_WINDOW, 35},
        {"window-64GiB", POST_WINDOW, 36},
    };

    (void)unused;
    check_cases(cases, sizeof cases / sizeof *cases);
}

/* A tree of 2 KiB: 64 leaves, 8 nodes, the root. */
enum { LEAVES = 64, NODES = 8, ARITY = 8, SIBLINGS = 14, SECTORS = 2, CHALLENGES = 10 };

typedef struct {
    fr_t leaves[LEAVES], nodes[NODES], root;
} tree_t;

static void make_tree(tree_t *tree, uint64_t seed)
{
    for (unsigned i = 0; i < LEAVES; i++) fr_pow_u64(&tree->leaves[i], &fr_generator, seed + i);
    for (unsigned i = 0; i < NODES; i++)
        poseidon_hash(&tree->nodes[i], POSEIDON_8, &tree->leaves[ARITY * i]);
    poseidon_hash(&tree->root, POSEIDON_8, tree->nodes);
}

/* The seven others of eight. */
static void copy_siblings(fr_t *siblings, const fr_t *group, unsigned at)
{
    memcpy(siblings, group, at * sizeof *group);
    memcpy(siblings + at, group + at + 1, (ARITY - 1 - at) * sizeof *group);
}

/* A window of two sectors of 2 KiB. */
typedef struct {
    post_circuit_t circuit;
    post_sector_t sectors[SECTORS];
    post_challenge_t challenges[SECTORS][CHALLENGES];
    fr_t siblings[SECTORS][CHALLENGES][SIBLINGS];
} window_t;

static void make_window(window_t *w)
{
    static tree_t tree;

    w->circuit = post_circuit_shape(POST_WINDOW, 2048);
    assert_int_equal(w->circuit.n_sectors, SECTORS);
    assert_int_equal(w->circuit.n_challenges, CHALLENGES);
    w->circuit.sectors = w->sectors;
    for (unsigned s = 0; s < SECTORS; s++) {
        make_tree(&tree, 1000 * s + 1000);
        fr_pow_u64(&w->sectors[s].comm_c, &fr_generator, 77 + s);
        w->sectors[s].comm_r_last = tree.root;
        const fr_t preimage[2] = {w->sectors[s].comm_c, tree.root};
        poseidon_hash(&w->sectors[s].comm_r, POSEIDON_2, preimage);
        w->sectors[s].challenges = w->challenges[s];
        for (unsigned i = 0; i < CHALLENGES; i++) {
            const unsigned at = (37 * i + 5 * s) % LEAVES;
            fr_t *siblings = w->siblings[s][i];

            copy_siblings(siblings, &tree.leaves[at / ARITY * ARITY], at % ARITY);
            copy_siblings(siblings + ARITY - 1, tree.nodes, at / ARITY);
            w->challenges[s][i] =
                (post_challenge_t){.leaf = tree.leaves[at], .path = {at, siblings}};
        }
    }
}

static void true_statements_satisfy_it(void **unused)
{
    static window_t w;
    shape_t shape;

    (void)unused;
    make_window(&w);
    assert_int_equal(synthesis_shape(&shape, post_circuit, &w.circuit,
                                     &(shape_options_t){.level = SHAPE_VALUES}, &(cuzk_error){0}),
                     CUZK_OK);
    assert_int_equal(shape.violated, 0);
    for (unsigned s = 0; s < SECTORS; s++) {
        const fr_t *inputs = &shape.inputs[1 + s * (1 + CHALLENGES)];

        assert_true(fr_equal(&inputs[0], &w.sectors[s].comm_r));
        for (unsigned i = 0; i < CHALLENGES; i++) {
            fr_t index;

            fr_from_u64(&index, w.challenges[s][i].path.index);
            assert_true(fr_equal(&inputs[1 + i], &index));
        }
    }
    shape_clear(&shape);
}

static uint64_t violated(const window_t *w)
{
    shape_t shape;

    assert_int_equal(synthesis_shape(&shape, post_circuit, &w->circuit,
                                     &(shape_options_t){.level = SHAPE_VALUES}, &(cuzk_error){0}),
                     CUZK_OK);
    const uint64_t n = shape.violated;
    shape_clear(&shape);
    return n;
}

static void false_statements_violate_it(void **unused)
{
    static window_t w;
    fr_t *const wrong[] = {&w.sectors[1].comm_r, &w.sectors[1].comm_c, &w.challenges[0][3].leaf,
                           &w.siblings[1][9][0], &w.siblings[1][9][13]};

    (void)unused;
    make_window(&w);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const fr_t kept = *wrong[i];

        fr_add(wrong[i], wrong[i], &fr_one);
        assert_int_equal(violated(&w), 1);
        *wrong[i] = kept;
    }
    fr_add(&w.sectors[0].comm_r_last, &w.sectors[0].comm_r_last, &fr_one);
    assert_int_equal(violated(&w), 1 + CHALLENGES);
    make_window(&w);
    w.challenges[1][4].path.index ^= 1;
    assert_int_equal(violated(&w), 1);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constraints_are_those_of_the_reference),
        cmocka_unit_test(true_statements_satisfy_it),
        cmocka_unit_test(false_statements_violate_it),
    };
    const struct CMUnitTest slow_tests[] = {
        cmocka_unit_test(constraints_of_production_windows_are_those_of_the_reference),
    };

    if (argc == 2 && strcmp(argv[1], "slow") == 0)
        return cmocka_run_group_tests(slow_tests, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
