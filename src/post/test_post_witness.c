/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "post/post_input.h"
#include "post/test_case.h"
#include "synthesis/test_golden.h"

/* The whole way from the vanilla proofs to the witness, against the reference's. */
static void witnesses_are_those_of_the_reference(void **unused)
{
    (void)unused;
    for (size_t c = 0; c < CASES; c++) {
        static test_case_t golden;
        cuzk_error err;
        post_input_t post;

        test_case_open(&golden, test_case_names[c]);
        if (post_input_open(&post, &golden.statement, golden.vanilla.items, golden.vanilla.n,
                            &err) != CUZK_OK)
            fail_msg("%s: %s", golden.name, err.text);
        for (uint32_t k = 0; k < post.statement.n_partitions; k++) {
            const post_circuit_t circuit = post_input_circuit(&post, k);

            golden_check_witness(golden.name, k, post_circuit, &circuit);
        }
        post_input_close(&post);
        test_case_close(&golden);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(witnesses_are_those_of_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
