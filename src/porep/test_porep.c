/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "codec/prover_id.h"
#include "porep/test_support.h"

static const char *const cases[] = {"porep-2KiB-0",  "porep-2KiB-1",     "porep-2KiB-2",
                                    "porep-v1-2KiB", "porep-synth-2KiB", "porep-ni-2KiB",
                                    "porep-8MiB-0"};
enum { N_CASES = sizeof cases / sizeof *cases };

/* A case whose commit-phase-1 output is in memory; tests may change it. */
typedef struct {
    porep_case_t golden;
    porep_c1_t c1;
    arena_t arena;
} loaded_t;

static void load(loaded_t *l, const char *name)
{
    cuzk_error err;

    porep_case_load(&l->golden, name);
    (void)arena_open(&l->arena, (size_t)1 << 30, "test", &(cuzk_error){0});
    if (porep_c1_read(&l->c1, "c1.json", (cuzk_bytes){l->golden.c1, l->golden.c1_length}, NULL,
                      &l->arena, &err) != CUZK_OK) {
        fail_msg("%s", err.text);
    }
}

static void clear(loaded_t *l)
{
    porep_case_clear(&l->golden);
    arena_close(&l->arena);
}

static cuzk_status check_on(const loaded_t *l, strand_t *strand, cuzk_error *err)
{
    const cuzk_porep_statement *stated = &l->golden.statement;
    uint8_t prover_id[PROVER_ID_BYTES];

    prover_id_from_miner(prover_id, stated->miner_id);
    return porep_check(&l->c1.proof, prover_id, stated->sector_number, strand, err);
}

static cuzk_status check(const loaded_t *l, cuzk_error *err)
{
    return check_on(l, NULL, err);
}

static void expect_inputs(const porep_case_t *golden, const porep_statement_t *statement)
{
    fr_t inputs[39];

    assert_int_equal(golden->n_partitions, statement->config->n_partitions);
    assert_int_equal(golden->n_inputs, porep_public_input_count(statement));
    for (uint32_t k = 0; k < golden->n_partitions; k++) {
        porep_public_inputs(inputs, statement, k);
        assert_memory_equal(inputs, golden->inputs + 39 * k, sizeof inputs);
    }
}

/* every golden case passes all checks; both ways to its statement give the reference's inputs */
static void test_golden(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_CASES; i++) {
        loaded_t l;
        porep_statement_t statement;
        cuzk_error err;

        load(&l, cases[i]);
        assert_int_equal(l.c1.proof.config->number, l.golden.statement.registered_proof);
        assert_true(l.c1.is_wrapped);
        assert_true(l.c1.sector_number == l.golden.statement.sector_number);
        if (check(&l, &err) != CUZK_OK) fail_msg("%s: %s", cases[i], err.text);
        porep_statement_of(&statement, &l.c1.proof);
        expect_inputs(&l.golden, &statement);
        assert_int_equal(porep_statement_init(&statement, &l.golden.statement, &err), CUZK_OK);
        assert_true(fr_equal(&statement.replica_id, &l.golden.replica_id));
        expect_inputs(&l.golden, &statement);
        clear(&l);
    }
}

static void expect_refused(const loaded_t *l, const char *part)
{
    cuzk_error err = {.text = ""};

    assert_int_equal(check(l, &err), CUZK_ERR_FORMAT);
    if (strstr(err.text, part) == NULL) fail_msg("\"%s\" lacks \"%s\"", err.text, part);
}

static void add_one(const fr_t *value) /* arrays of a parsed proof are read-only to all but us */
{
    fr_t *place = (fr_t *)(uintptr_t)value;

    fr_add(place, place, &fr_one);
}

static void sub_one(const fr_t *value)
{
    fr_t *place = (fr_t *)(uintptr_t)value;

    fr_sub(place, place, &fr_one);
}

static void expect_bad(const loaded_t *l, const fr_t *value, const char *part)
{
    add_one(value);
    expect_refused(l, part);
    sub_one(value);
}

/* each part of a proof on its own is wrong, and found, with partition and challenge named */
static void test_bad_parts(void **state)
{
    loaded_t l;
    porep_challenge_t *bad;
    cuzk_error err;

    (void)state;
    load(&l, "porep-ni-2KiB");
    bad = &l.c1.proof.challenges[2 * 7 + 1];

    expect_bad(&l, &bad->data_leaf, "partition 7, challenge 1: the replica's node is not data");
    expect_bad(&l, &bad->replica_leaf, "partition 7, challenge 1: the replica's node is not data");
    expect_bad(&l, &bad->data_path[3], "partition 7, challenge 1: the data's path");
    expect_bad(&l, &bad->replica_path[9], "partition 7, challenge 1: the replica's path");
    expect_bad(&l, &bad->column.leaf, "partition 7, challenge 1: the labels do not hash");
    expect_bad(&l, &bad->column.labels[0], "challenge 1: the label of layer 1");
    expect_bad(&l, &bad->column.labels[1], "challenge 1: the label of layer 2");
    expect_bad(&l, &bad->column.path[13], "partition 7, challenge 1: the path does not lead");
    for (uint32_t i = 0; i < POREP_DEGREE; i++) {
        porep_column_t *parent = &bad->parents[i];
        char text[64];

        (void)snprintf(text, sizeof text, "partition 7, challenge 1, parent %u: ", i);
        expect_bad(&l, &parent->leaf, text);
        expect_bad(&l, &parent->path[i], text);
        parent->node ^= 1;
        (void)snprintf(text, sizeof text, "partition 7, challenge 1: parent %u is node", i);
        expect_refused(&l, text);
        parent->node ^= 1;
        expect_bad(&l, &parent->labels[0], "challenge 1: the label of layer ");
    }
    bad->node ^= 1;
    expect_refused(&l, "partition 7, challenge 1: node");
    bad->node ^= 1;
    if (check(&l, &err) != CUZK_OK) fail_msg("%s", err.text);
    clear(&l);
}

/* of two faults the first in order is named, whatever the threads do */
static void test_first_fault(void **state)
{
    loaded_t l;
    strand_t *strand;
    cuzk_error err;

    (void)state;
    load(&l, "porep-ni-2KiB");
    assert_int_equal(strand_open(&strand, 3, &err), CUZK_OK);
    add_one(&l.c1.proof.challenges[9].replica_path[0]);
    add_one(&l.c1.proof.challenges[25].data_leaf);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(check_on(&l, strand, &err), CUZK_ERR_FORMAT);
        assert_string_equal(err.text, "partition 4, challenge 1: the replica's path does not lead "
                                      "to comm_r_last");
    }
    strand_close(strand);
    clear(&l);
}

static void test_bad_statement(void **state)
{
    loaded_t l;
    cuzk_porep_statement *stated = &l.golden.statement;
    porep_proof_t *proof = &l.c1.proof;

    (void)state;
    load(&l, "porep-2KiB-0");
    stated->miner_id ^= 1;
    expect_refused(&l, "replica_id");
    stated->miner_id ^= 1;
    stated->sector_number++;
    expect_refused(&l, "replica_id");
    stated->sector_number--;
    proof->ticket[31] ^= 1;
    expect_refused(&l, "replica_id");
    proof->ticket[31] ^= 1;
    expect_bad(&l, &proof->replica_id, "replica_id");
    expect_bad(&l, &proof->comm_d, "replica_id");
    expect_bad(&l, &proof->comm_r, "comm_r");
    expect_bad(&l, &proof->comm_c, "comm_r");
    expect_bad(&l, &proof->comm_r_last, "comm_r");
    proof->seed[5] ^= 1;
    expect_refused(&l, "partition 0, challenge ");
    proof->seed[5] ^= 1;
    /* another registered proof has another porep id */
    proof->config = porep_config_by_number(10);
    expect_refused(&l, "replica_id");
    proof->config = porep_config_by_number(5);
    clear(&l);
}

static void set(uint8_t bytes[32], uint8_t value)
{
    memset(bytes, value, 32);
}

static void test_stated_values(void **state)
{
    /* the field's modulus, little-endian */
    static const uint8_t modulus[32] = {0x01, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff,
                                        0xfe, 0x5b, 0xfe, 0xff, 0x02, 0xa4, 0xbd, 0x53,
                                        0x05, 0xd8, 0xa1, 0x09, 0x08, 0xd8, 0x39, 0x33,
                                        0x48, 0x7d, 0x9d, 0x29, 0x53, 0xa7, 0xed, 0x73};
    cuzk_porep_statement stated = {.registered_proof = 8};
    porep_statement_t statement;
    cuzk_error err;
    uint8_t *const commitments[] = {stated.comm_r, stated.comm_d};
    const char *const names[] = {"comm_r", "comm_d"};

    (void)state;
    set(stated.comm_r, 1);
    set(stated.comm_d, 2);
    set(stated.seed, 0xff);
    assert_int_equal(porep_statement_init(&statement, &stated, &err), CUZK_OK);
    for (size_t i = 0; i < 2; i++) {
        set(commitments[i], 0xff);
        assert_int_equal(porep_statement_init(&statement, &stated, &err), CUZK_ERR_ARG);
        assert_non_null(strstr(err.text, names[i]));
        set(commitments[i], 0);
        assert_int_equal(porep_statement_init(&statement, &stated, &err), CUZK_ERR_ARG);
        assert_non_null(strstr(err.text, names[i]));
        memcpy(commitments[i], modulus, 32);
        assert_int_equal(porep_statement_init(&statement, &stated, &err), CUZK_ERR_ARG);
        commitments[i][0] = 0;
        assert_int_equal(porep_statement_init(&statement, &stated, &err), CUZK_OK);
    }
    set(stated.seed, 0);
    assert_int_equal(porep_statement_init(&statement, &stated, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "seed"));
    stated.registered_proof = 18;
    assert_int_equal(porep_statement_init(&statement, &stated, &err), CUZK_OK);
    assert_int_equal(porep_check_proofs_length(&statement, 126 * 192, &err), CUZK_OK);
    assert_int_equal(porep_check_proofs_length(&statement, 192, &err), CUZK_ERR_ARG);
    assert_non_null(
        strstr(err.text, "192 bytes, expected 24192 (126 proofs of 192 bytes); an agg"));
    stated.registered_proof = 20;
    assert_int_equal(porep_statement_init(&statement, &stated, &err), CUZK_ERR_ARG);
    assert_string_equal(err.text, "registered_proof: 20 is not a PoRep (0..19)");
}

static void test_configs(void **state)
{
    static const uint64_t sizes[5] = {1 << 11, 1 << 23, 1 << 29, (uint64_t)1 << 35,
                                      (uint64_t)1 << 36};
    porep_shape_t shape;
    uint8_t id[32], want[32] = {0};

    (void)state;
    for (uint32_t i = 0; i < POREP_PROOFS; i++) {
        const porep_config_t *config = porep_config_by_number(i);
        const bool is_large = i % 5 >= 3;

        assert_int_equal(config->number, i);
        assert_ptr_equal(porep_config_by_name(config->name, strlen(config->name)), config);
        assert_ptr_equal(porep_config_by_name(config->chain_name, strlen(config->chain_name)),
                         config);
        assert_int_equal(strcmp(config->chain_name, config->name) == 0,
                         config->feature != POREP_NON_INTERACTIVE);
        assert_true(config->sector_size == sizes[i % 5]);
        assert_string_equal(config->shape_name, porep_config_by_number(i % 5)->name);
        assert_int_equal(config->feature, i < 10   ? POREP_INTERACTIVE
                                          : i < 15 ? POREP_SYNTHETIC
                                                   : POREP_NON_INTERACTIVE);
        assert_int_equal(config->version, i < 5 ? POREP_V1 : i < 10 ? POREP_V1_1 : POREP_V1_2);
        assert_int_equal(config->n_layers, is_large ? 11 : 2);
        assert_int_equal(config->n_challenges, is_large ? 18 : 2);
        assert_int_equal(config->n_partitions, i < 15 ? (is_large ? 10 : 1) : is_large ? 126 : 13);
        assert_true(porep_shape_init(&shape, config->sector_size));
        assert_true(shape.tree_d.n_leaves * 32 == config->sector_size);
        assert_true(shape.tree_r.n_leaves * 32 == config->sector_size);
        porep_id(id, config);
        want[0] = (uint8_t)i;
        assert_memory_equal(id, want, 32);
    }
    assert_null(porep_config_by_number(20));
    assert_null(porep_config_by_number(UINT64_MAX));
    assert_null(porep_config_by_name("StackedDrg2KiBV2", 16));
    assert_null(porep_config_by_name("stackeddrg2kibv1", 16));
    assert_null(porep_config_by_name("", 0));
    assert_false(porep_shape_init(&shape, 4096));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),        cmocka_unit_test(test_bad_parts),
        cmocka_unit_test(test_first_fault),   cmocka_unit_test(test_bad_statement),
        cmocka_unit_test(test_stated_values), cmocka_unit_test(test_configs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
