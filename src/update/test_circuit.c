/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "synthesis/test_golden.h"
#include "update/circuit.h"
#include "update/test_support.h"

static void check_shape(const char *name, uint64_t sector_size)
{
    const update_circuit_t circuit = update_circuit_shape(sector_size);

    assert_non_null(circuit.config);
    golden_check_shape(name, update_circuit, &circuit);
}

static void constraints_are_those_of_the_reference(void **unused)
{
    (void)unused;
    check_shape("update-2KiB", (uint64_t)1 << 11);
    check_shape("update-8MiB", (uint64_t)1 << 23);
}

static void constraints_of_large_sectors_are_those_of_the_reference(void **unused)
{
    (void)unused;
    check_shape("update-512MiB", (uint64_t)1 << 29);
    check_shape("update-32GiB", (uint64_t)1 << 35);
    check_shape("update-64GiB", (uint64_t)1 << 36);
}

static void check_witnesses(const char *name, uint64_t sector_size)
{
    update_proof_t proof;
    arena_t arena;

    (void)arena_open(&arena, (size_t)1 << 30, "test", &(cuzk_error){0});
    update_case_read(&proof, name, sector_size, &arena);
    for (uint32_t i = 0; i < update_partition_count(proof.config); i++) {
        const update_circuit_t circuit = {.config = proof.config, .proof = &proof, .partition = i};

        golden_check_witness(name, i, update_circuit, &circuit);
    }
    arena_close(&arena);
}

static void witnesses_are_those_of_the_reference(void **unused)
{
    (void)unused;
    check_witnesses("update-2KiB", (uint64_t)1 << 11);
}

static void witnesses_of_partitions_are_those_of_the_reference(void **unused)
{
    (void)unused;
    check_witnesses("update-8MiB", (uint64_t)1 << 23);
}

/* A statement of one challenge that is made false in one place. */
typedef struct {
    update_config_t config;
    update_proof_t proof;
    update_partition_t partition;
    update_challenge_t challenge;
    arena_t arena;
} statement_t;

static void change(fr_t *value)
{
    fr_add(value, value, &fr_one);
}

/* In a copy, which takes the place of the array. */
static void change_in(statement_t *s, const fr_t **values, uint32_t n, uint32_t i)
{
    fr_t *copy = arena_alloc(&s->arena, n, sizeof *copy);

    memcpy(copy, *values, n * sizeof *copy);
    change(&copy[i]);
    *values = copy;
}

static void change_nothing(statement_t *s)
{
    (void)s;
}
static void change_comm_r_old(statement_t *s)
{
    change(&s->proof.comm_r_old);
}
static void change_comm_d_new(statement_t *s)
{
    change(&s->proof.comm_d_new);
}
static void change_comm_r_new(statement_t *s)
{
    change(&s->proof.comm_r_new);
}
static void change_comm_c(statement_t *s)
{
    change(&s->proof.comm_c);
}
static void change_root_r_old(statement_t *s)
{
    change(&s->proof.root_r_old);
}
static void change_root_r_new(statement_t *s)
{
    change(&s->proof.root_r_new);
}
static void change_leaf_r_old(statement_t *s)
{
    change(&s->challenge.leaf_r_old);
}
static void change_leaf_d_new(statement_t *s)
{
    change(&s->challenge.leaf_d_new);
}
static void change_path_r_old(statement_t *s)
{
    change_in(s, &s->challenge.path_r_old, s->proof.tree_r.n_siblings, 3);
}
static void change_path_r_new(statement_t *s)
{
    change_in(s, &s->challenge.path_r_new, s->proof.tree_r.n_siblings, 10);
}
static void change_path_d_new(statement_t *s)
{
    change_in(s, &s->challenge.path_d_new, s->proof.tree_d.n_siblings, 2);
}

/* The apex leaf above the challenge is the one its high bits name. */
static uint32_t own_apex_leaf(const statement_t *s)
{
    const uint32_t below_apex =
        s->config.lg_nodes - s->config.lg_partitions - s->config.lg_apex_leaves;

    return s->challenge.node >> below_apex & (update_apex_leaf_count(&s->config) - 1);
}
static void change_own_apex_leaf(statement_t *s)
{
    change_in(s, &s->partition.apex_leaves, update_apex_leaf_count(&s->config), own_apex_leaf(s));
}
static void change_other_apex_leaf(statement_t *s)
{
    change_in(s, &s->partition.apex_leaves, update_apex_leaf_count(&s->config),
              own_apex_leaf(s) ^ 1);
}

/* What is changed and how many constraints that violates: each wrong root is one. */
static const struct {
    void (*make_false)(statement_t *s);
    uint64_t violated;
} lies[] = {
    {change_nothing, 0},         {change_comm_r_old, 2}, /* itself; the random factor, so the new
                                                            replica */
    {change_comm_d_new, 2}, /* the apex; the random factor, so the new replica */
    {change_comm_r_new, 4}, /* itself; the challenge, so all three trees */
    {change_comm_c, 2},     /* comm_r_old and comm_r_new */
    {change_root_r_old, 2}, /* comm_r_old and the old replica */
    {change_root_r_new, 2}, /* comm_r_new and the new replica */
    {change_leaf_r_old, 2}, /* old and new replica */
    {change_leaf_d_new, 2}, /* new replica and data */
    {change_path_r_old, 1},      {change_path_r_new, 1}, {change_path_d_new, 1},
    {change_own_apex_leaf, 2}, /* the apex and the data */
    {change_other_apex_leaf, 1},
};

static uint64_t count_violated(const update_circuit_t *circuit)
{
    shape_t shape;

    assert_int_equal(synthesis_shape(&shape, update_circuit, circuit,
                                     &(shape_options_t){.level = SHAPE_VALUES}, &(cuzk_error){0}),
                     CUZK_OK);
    const uint64_t n = shape.violated;
    shape_clear(&shape);
    return n;
}

static void false_statements_violate_it(void **unused)
{
    update_proof_t proof;
    statement_t s;

    (void)unused;
    (void)arena_open(&s.arena, (size_t)1 << 30, "test", &(cuzk_error){0});
    update_case_read(&proof, "update-2KiB", (uint64_t)1 << 11, &s.arena);
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        s.config = *proof.config;
        s.config.n_challenges = 1;
        s.proof = proof;
        s.partition = proof.partitions[0];
        s.challenge = s.partition.challenges[0];
        s.proof.config = &s.config;
        s.proof.partitions = &s.partition;
        s.partition.challenges = &s.challenge;
        lies[i].make_false(&s);
        const update_circuit_t circuit = {.config = &s.config, .proof = &s.proof};
        assert_int_equal(count_violated(&circuit), lies[i].violated);
    }
    arena_close(&s.arena);
}

/* A partition's values under another's number: the apex's path, and all trees of a challenge. */
static void partitions_cannot_stand_for_each_other(void **unused)
{
    update_partition_t partitions[2];
    update_proof_t proof;
    arena_t arena;

    (void)unused;
    (void)arena_open(&arena, (size_t)1 << 30, "test", &(cuzk_error){0});
    update_case_read(&proof, "update-8MiB", (uint64_t)1 << 23, &arena);
    update_config_t config = *proof.config;
    config.n_challenges = 1;
    proof.config = &config;
    partitions[0] = proof.partitions[1];
    partitions[1] = proof.partitions[1];
    proof.partitions = partitions;
    for (uint32_t i = 0; i < 2; i++) {
        const update_circuit_t circuit = {.config = &config, .proof = &proof, .partition = i};

        assert_int_equal(count_violated(&circuit), i == 0 ? 4 : 0);
    }
    arena_close(&arena);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constraints_are_those_of_the_reference),
        cmocka_unit_test(witnesses_are_those_of_the_reference),
        cmocka_unit_test(false_statements_violate_it),
    };
    const struct CMUnitTest slow_tests[] = {
        cmocka_unit_test(constraints_of_large_sectors_are_those_of_the_reference),
        cmocka_unit_test(witnesses_of_partitions_are_those_of_the_reference),
        cmocka_unit_test(partitions_cannot_stand_for_each_other),
    };

    if (argc == 2 && strcmp(argv[1], "slow") == 0)
        return cmocka_run_group_tests(slow_tests, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
