/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "codec/prover_id.h"
#include "porep/c1.h"
#include "porep/c1_generate.h"
#include "porep/porep.h"
#include "porep/test_text.h"

enum { MINER = 1234, SECTOR = 77 };

typedef struct {
    porep_proof_t proof;
    char *text; /* wrapped */
    size_t length;
    porep_c1_t c1; /* read back */
    uint8_t prover_id[32];
    arena_t arena;
} made_t;

static void make(made_t *made, uint32_t number, uint64_t random_seed)
{
    cuzk_error err;

    (void)arena_open(&made->arena, (size_t)1 << 30, "test", &(cuzk_error){0});
    prover_id_from_miner(made->prover_id, MINER);
    porep_generate_proof(&made->proof, porep_config_by_number(number), made->prover_id, SECTOR,
                         random_seed, &made->arena);
    made->text = porep_write_c1(&made->proof, SECTOR, &made->length);
    assert_non_null(made->text);
    assert_in_range(made->length, 0, porep_c1_max_bytes(made->proof.config));
    assert_in_range(porep_c1_max_bytes(made->proof.config), 0, made->length / 4 * 5 + (1 << 15));
    if (porep_c1_read(&made->c1, "made", (cuzk_bytes){(const uint8_t *)made->text, made->length},
                      NULL, &made->arena, &err) != CUZK_OK) {
        fail_msg("%s", err.text);
    }
}

static void unmake(made_t *made)
{
    arena_close(&made->arena);
    free(made->text);
}

static void expect_checked(const porep_proof_t *proof, const made_t *made, strand_t *strand)
{
    cuzk_error err;

    if (porep_check(proof, made->prover_id, SECTOR, strand, &err) != CUZK_OK) {
        fail_msg("%s: %s", proof->config->name, err.text);
    }
}

/* made proofs pass all checks, as made and as written and read */
static void check_made(uint32_t number, uint64_t random_seed, strand_t *strand)
{
    made_t made;

    make(&made, number, random_seed);
    expect_checked(&made.proof, &made, strand);
    expect_checked(&made.c1.proof, &made, strand);
    assert_true(made.c1.is_wrapped && made.c1.sector_number == SECTOR);
    assert_true(fr_equal(&made.c1.proof.comm_r, &made.proof.comm_r));
    unmake(&made);
}

static void test_small(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        check_made(0, seed, NULL);
        check_made(5, seed, NULL);
    }
    check_made(1, 1, NULL);
    check_made(6, 2, NULL);
    check_made(2, 3, NULL);
    check_made(7, 4, NULL);
}

/* R09: in a sector so small challenges repeat; that is no fault */
static void test_repeated_challenge(void **state)
{
    uint8_t prover_id[32];

    (void)state;
    prover_id_from_miner(prover_id, MINER);
    for (uint64_t seed = 0; seed < 1000; seed++) {
        porep_proof_t proof;
        arena_t arena;
        cuzk_error err;
        bool repeats;

        (void)arena_open(&arena, (size_t)1 << 30, "test", &(cuzk_error){0});
        porep_generate_proof(&proof, porep_config_by_number(5), prover_id, SECTOR, seed, &arena);
        repeats = proof.challenges[0].node == proof.challenges[1].node;
        if (repeats && porep_check(&proof, prover_id, SECTOR, NULL, &err) != CUZK_OK) {
            fail_msg("%s", err.text);
        }
        arena_close(&arena);
        if (repeats) return;
    }
    fail_msg("no challenge repeats");
}

static void test_large(void **state)
{
    strand_t *strand;
    cuzk_error err;

    (void)state;
    assert_int_equal(strand_open(&strand, 0, &err), CUZK_OK);
    check_made(3, 1, strand);
    check_made(4, 2, strand);
    check_made(8, 3, strand);
    check_made(9, 4, strand);
    strand_close(strand);
}

/* one of a whole proof's 18,000 columns' labels, and one sibling, found among all */
static void test_large_faults(void **state)
{
    made_t made;
    strand_t *strand;
    fr_t *place;
    cuzk_error err;

    (void)state;
    assert_int_equal(strand_open(&strand, 0, &err), CUZK_OK);
    make(&made, 8, 5);
    place = (fr_t *)(uintptr_t)&made.c1.proof.challenges[18 * 9 + 17].parents[13].path[69];
    fr_add(place, place, &fr_one);
    assert_int_equal(porep_check(&made.c1.proof, made.prover_id, SECTOR, strand, &err),
                     CUZK_ERR_FORMAT);
    assert_string_equal(err.text, "partition 9, challenge 17, parent 13: the path does not lead "
                                  "to comm_c");
    place = (fr_t *)(uintptr_t)&made.c1.proof.challenges[18 * 3 + 2].parents[0].labels[10];
    fr_add(place, place, &fr_one);
    assert_int_equal(porep_check(&made.c1.proof, made.prover_id, SECTOR, strand, &err),
                     CUZK_ERR_FORMAT);
    assert_string_equal(err.text, "partition 3, challenge 2: the label of layer 11 is not the hash "
                                  "of its parents");
    strand_close(strand);
    unmake(&made);
}

static void expect_refused(char *text, const char *part)
{
    porep_c1_t c1;
    arena_t arena;
    cuzk_error err = {.text = ""};

    (void)arena_open(&arena, (size_t)1 << 30, "test", &(cuzk_error){0});
    assert_int_equal(porep_c1_read(&c1, "made", (cuzk_bytes){(const uint8_t *)text, strlen(text)},
                                   NULL, &arena, &err),
                     CUZK_ERR_FORMAT);
    if (strstr(err.text, part) == NULL) fail_msg("\"%s\" lacks \"%s\"", err.text, part);
    arena_close(&arena);
    free(text);
}

/* R10 at the size where there are ten partitions of eighteen challenges */
static void test_large_counts(void **state)
{
    made_t made;
    char *output;
    size_t length;

    (void)state;
    make(&made, 8, 6);
    output = porep_write_output(&made.proof, &length);
    assert_non_null(output);
    expect_refused(text_replace(output, "]]},\"comm_r\"", 0, "],[]]},\"comm_r\""),
                   "11 partitions, expected 10");
    expect_refused(text_replace(output, "]]},\"comm_r\"", 0, ",{}]]},\"comm_r\""),
                   "[9]: 19 challenges, expected 18");
    expect_refused(text_replace(output, "}],[{\"comm_d", 3, "},{\"comm_d"),
                   "[3]: 36 challenges, expected 18");
    expect_refused(text_replace(output, "},{\"comm_d", 20, "}],[{\"comm_d"),
                   "[1]: 4 challenges, expected 18");
    expect_refused(text_replace(output, "\"Sub\"", 0, "\"Top\""), "Sub is missing");
    expect_refused(text_replace(output, "\"sub_proof\":{\"path\":[", 7,
                                "\"sub_proof\":{\"path\":[],\"not\":["),
                   "sub_proof.path: 0 levels, expected 1");
    free(output);
    unmake(&made);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest small[] = {cmocka_unit_test(test_small),
                                       cmocka_unit_test(test_repeated_challenge)};
    const struct CMUnitTest large[] = {cmocka_unit_test(test_large),
                                       cmocka_unit_test(test_large_faults),
                                       cmocka_unit_test(test_large_counts)};

    if (argc > 1 && strcmp(argv[1], "large") == 0) {
        return cmocka_run_group_tests(large, NULL, NULL);
    }
    return cmocka_run_group_tests(small, NULL, NULL);
}
