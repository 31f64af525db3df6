/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "porep/circuit.h"
#include "porep/test_support.h"
#include "synthesis/test_golden.h"

static void check_shape(const char *name, uint64_t sector_size)
{
    const porep_circuit_t circuit = porep_circuit_shape(sector_size);

    golden_check_shape(name, porep_circuit, &circuit);
}

static void constraints_are_those_of_the_reference(void **unused)
{
    (void)unused;
    check_shape("porep-2KiB", (uint64_t)1 << 11);
    check_shape("porep-8MiB", (uint64_t)1 << 23);
}

static void constraints_of_large_sectors_are_those_of_the_reference(void **unused)
{
    (void)unused;
    check_shape("porep-512MiB", (uint64_t)1 << 29);
    check_shape("porep-32GiB", (uint64_t)1 << 35);
    check_shape("porep-64GiB", (uint64_t)1 << 36);
}

static void check_witnesses(const char *name)
{
    porep_c1_t c1;
    arena_t arena;

    (void)arena_open(&arena, (size_t)1 << 30, "test", &(cuzk_error){0});
    porep_case_read(&c1, name, &arena);
    for (uint32_t i = 0; i < c1.proof.config->n_partitions; i++) {
        const porep_circuit_t circuit = {
            .shape = c1.proof.shape, .proof = &c1.proof, .partition = i};

        golden_check_witness(name, i, porep_circuit, &circuit);
    }
    arena_close(&arena);
}

static void witnesses_are_those_of_the_reference(void **unused)
{
    (void)unused;
    check_witnesses("porep-2KiB-0");
    check_witnesses("porep-v1-2KiB");
}

static void more_witnesses_are_those_of_the_reference(void **unused)
{
    (void)unused;
    check_witnesses("porep-2KiB-1");
    check_witnesses("porep-2KiB-2");
    check_witnesses("porep-8MiB-0");
    check_witnesses("porep-synth-2KiB");
    check_witnesses("porep-ni-2KiB");
}

/* A statement that is made false in one place. */
typedef struct {
    porep_proof_t *proof;
    porep_challenge_t *challenge; /* its only one */
    arena_t *arena;
} statement_t;

/* Adds 1 to an element, or to one in an array that is replaced by a copy. */
static void change(fr_t *value)
{
    fr_add(value, value, &fr_one);
}

static void change_in(statement_t *s, const fr_t **values, uint32_t n, uint32_t i)
{
    fr_t *copy = arena_alloc(s->arena, n, sizeof *copy);

    memcpy(copy, *values, n * sizeof *copy);
    change(&copy[i]);
    *values = copy;
}

static void change_replica_id(statement_t *s)
{
    change(&s->proof->replica_id);
}
static void change_comm_r(statement_t *s)
{
    change(&s->proof->comm_r);
}
static void change_comm_c(statement_t *s)
{
    change(&s->proof->comm_c);
}
static void change_data(statement_t *s)
{
    change(&s->challenge->data_leaf);
}
static void change_data_path(statement_t *s)
{
    change_in(s, &s->challenge->data_path, s->proof->shape.tree_d.n_siblings, 5);
}
static void change_replica_path(statement_t *s)
{
    change_in(s, &s->challenge->replica_path, s->proof->shape.tree_r.n_siblings, 13);
}
static void change_parent_path(statement_t *s)
{
    change_in(s, &s->challenge->parents[13].path, s->proof->shape.tree_r.n_siblings, 0);
}
static void change_drg_label(statement_t *s)
{
    change_in(s, &s->challenge->parents[5].labels, s->proof->shape.n_layers, 1);
}
static void change_expander_label(statement_t *s)
{
    change_in(s, &s->challenge->parents[6].labels, s->proof->shape.n_layers, 1);
}
static void change_node(statement_t *s)
{
    s->challenge->node ^= 1;
}
static void change_parent_node(statement_t *s)
{
    s->challenge->parents[0].node ^= 1;
}

/* What is changed and how many constraints that violates: each wrong root is one. */
typedef struct {
    void (*make_false)(statement_t *s);
    uint64_t violated;
} lie_t;

static const lie_t lies[] = {
    {change_drg_label, 3},                              /* its column; the own replica and column */
    {change_node, 3},                                   /* in all three trees */
    {change_data_path, 1},      {change_replica_id, 2}, /* the own replica and column */
    {change_comm_r, 1},         {change_comm_c, 1 + POREP_DEGREE + 1},
    {change_data, 2}, /* data and replica */
    {change_replica_path, 1},   {change_parent_path, 1},
    {change_expander_label, 1}, /* its last label is no parent of ours */
    {change_parent_node, 1},
};

enum { N_LIES = sizeof lies / sizeof *lies, N_QUICK_LIES = 3 };

/* With one challenge, to be quick. */
static void check_lies(const lie_t *first, size_t n)
{
    porep_c1_t c1;
    arena_t arena;

    (void)arena_open(&arena, (size_t)1 << 30, "test", &(cuzk_error){0});
    porep_case_read(&c1, "porep-2KiB-0", &arena);
    c1.proof.shape.n_challenges = 1;
    for (size_t i = 0; i < n; i++) {
        porep_proof_t proof = c1.proof;
        porep_challenge_t challenge = proof.challenges[0];
        const porep_circuit_t circuit = {.shape = proof.shape, .proof = &proof};
        statement_t statement = {&proof, &challenge, &arena};
        shape_t shape;

        proof.challenges = &challenge;
        first[i].make_false(&statement);
        assert_int_equal(synthesis_shape(&shape, porep_circuit, &circuit,
                                         &(shape_options_t){.level = SHAPE_VALUES},
                                         &(cuzk_error){0}),
                         CUZK_OK);
        assert_int_equal(shape.violated, first[i].violated);
        shape_clear(&shape);
    }
    arena_close(&arena);
}

static void false_statements_violate_it(void **unused)
{
    (void)unused;
    check_lies(lies, N_QUICK_LIES);
}

static void more_false_statements_violate_it(void **unused)
{
    (void)unused;
    check_lies(lies + N_QUICK_LIES, N_LIES - N_QUICK_LIES);
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
        cmocka_unit_test(more_witnesses_are_those_of_the_reference),
        cmocka_unit_test(more_false_statements_violate_it),
    };

    if (argc == 2 && strcmp(argv[1], "slow") == 0)
        return cmocka_run_group_tests(slow_tests, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
