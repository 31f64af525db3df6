/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "codec/prover_id.h"
#include "porep/c1_generate.h"
#include "porep/circuit.h"
#include "porep/porep.h"
#include "synthesis/shape.h"

enum { MAX_INPUTS = 3 + POREP_MAX_CHALLENGES * (4 + POREP_DEGREE) };

/* A made proof satisfies the circuit of its size, with the inputs a verifier computes. */
static void check_witness(uint32_t number, uint32_t partition)
{
    porep_proof_t proof;
    porep_statement_t statement;
    shape_t shape;
    arena_t arena;
    fr_t inputs[MAX_INPUTS];
    uint8_t prover_id[32];

    (void)arena_open(&arena, (size_t)1 << 30, "test", &(cuzk_error){0});
    prover_id_from_miner(prover_id, 1000);
    porep_generate_proof(&proof, porep_config_by_number(number), prover_id, 1, 1, &arena);
    const porep_circuit_t circuit = {.shape = proof.shape, .proof = &proof, .partition = partition};

    assert_int_equal(synthesis_shape(&shape, porep_circuit, &circuit,
                                     &(shape_options_t){.level = SHAPE_VALUES}, &(cuzk_error){0}),
                     CUZK_OK);
    assert_true(shape.violated == 0);
    porep_statement_of(&statement, &proof);
    const uint32_t n = porep_public_input_count(&statement);
    assert_int_equal(shape.counts.n_inputs, 1 + n);
    porep_public_inputs(inputs, &statement, partition);
    assert_memory_equal(inputs, shape.inputs + 1, n * sizeof *inputs);
    shape_clear(&shape);
    arena_close(&arena);
}

static void test_small(void **state)
{
    (void)state;
    check_witness(7, 0);
}

static void test_large(void **state)
{
    (void)state;
    check_witness(8, 9);
    check_witness(4, 3);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest small[] = {cmocka_unit_test(test_small)};
    const struct CMUnitTest large[] = {cmocka_unit_test(test_large)};

    if (argc > 1 && strcmp(argv[1], "large") == 0) {
        return cmocka_run_group_tests(large, NULL, NULL);
    }
    return cmocka_run_group_tests(small, NULL, NULL);
}
