/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/bytes.h"
#include "base/file.h"
#include "registry/registry.h"

static const char *const sizes[SECTOR_SIZES] = {"2KiB", "8MiB", "512MiB", "32GiB", "64GiB"};

static void ids_and_digests_are_those_of_the_reference_shapes(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < CIRCUIT_KINDS; kind++)
        for (int i = 0; i < SECTOR_SIZES; i++) {
            const circuit_row_t *row = circuit_row_by_name((circuit_kind)kind, sizes[i]);
            char path[PATH_MAX], id[PARAMETER_ID_BYTES], line[PARAMETER_ID_BYTES + 32];
            char hex[2 * SHA256_BYTES + 1];
            uint8_t digest[SHA256_BYTES];
            cuzk_error err;
            uint8_t *text;
            size_t n;

            assert_non_null(row);
            assert_ptr_equal(row, circuit_row_by_bytes((circuit_kind)kind, row->sector_bytes));
            (void)snprintf(path, sizeof path, "%s/tests/golden/shapes/%s-%s.json", CUZK_SOURCE_DIR,
                           circuit_kind_name((circuit_kind)kind), sizes[i]);
            assert_int_equal(file_read(&text, &n, path, 1 << 20, &err), CUZK_OK);
            circuit_parameter_id(id, row);
            (void)snprintf(line, sizeof line, "\"parameter_id\": \"%s\"", id);
            assert_non_null(strstr((const char *)text, line));
            circuit_r1cs_digest(digest, row);
            bytes_to_hex(hex, digest, sizeof digest);
            (void)snprintf(line, sizeof line, "\"r1cs_sha256\": \"%s\"", hex);
            assert_non_null(strstr((const char *)text, line));
            free(text);
        }
}

static void kinds_and_sizes_parse_exactly(void **unused)
{
    circuit_kind kind;

    (void)unused;
    assert_true(circuit_kind_parse(&kind, "window"));
    assert_int_equal(kind, KIND_WINDOW);
    assert_false(circuit_kind_parse(&kind, "Window"));
    assert_false(circuit_kind_parse(&kind, "windows"));
    assert_false(circuit_kind_parse(&kind, ""));
    assert_null(circuit_row_by_name(KIND_POREP, "2kib"));
    assert_null(circuit_row_by_name(KIND_POREP, "1GiB"));
    assert_null(circuit_row_by_bytes(KIND_POREP, 1 << 30));
}

static void registered_proofs_parse_and_print_back(void **unused)
{
    static const unsigned counts[CIRCUIT_KINDS] = {20, 5, 5, 10};

    (void)unused;
    for (int kind = 0; kind < CIRCUIT_KINDS; kind++) {
        unsigned n = 0;

        for (uint64_t number = 0; number < 300; number++) {
            registered_proof_t proof, by_name, by_text;
            char decimal[24];

            if (!registered_proof_by_number(&proof, (circuit_kind)kind, number)) continue;
            n++;
            (void)snprintf(decimal, sizeof decimal, "%u", proof.number);
            assert_true(registered_proof_parse(&by_name, (circuit_kind)kind, proof.name));
            assert_true(registered_proof_parse(&by_text, (circuit_kind)kind, decimal));
            assert_int_equal(by_name.number, number);
            assert_int_equal(by_text.number, number);
            assert_non_null(strstr(proof.name, proof.row->size_name));
            assert_string_equal(proof.row->size_name, sizes[number % SECTOR_SIZES]);
        }
        assert_int_equal(n, counts[kind]);
    }
}

static void names_are_spelled_as_the_reference_spells_them(void **unused)
{
    registered_proof_t p;

    (void)unused;
    assert_true(registered_proof_parse(&p, KIND_WINDOW, "StackedDrgWindow32GiBV1_2"));
    assert_int_equal(p.number, 13);
    assert_true(registered_proof_parse(&p, KIND_WINDOW, "StackedDrgWindow2KiBV1"));
    assert_int_equal(p.number, 5);
    assert_true(registered_proof_parse(&p, KIND_WINNING, "StackedDrgWinning64GiBV1"));
    assert_int_equal(p.number, 4);
    assert_true(registered_proof_parse(&p, KIND_UPDATE, "StackedDrg512MiBV1"));
    assert_int_equal(p.number, 2);
    assert_true(registered_proof_parse(&p, KIND_POREP, "StackedDrg8MiBV1_1"));
    assert_int_equal(p.number, 6);
    assert_true(
        registered_proof_parse(&p, KIND_POREP, "StackedDrg2KiBV1_2_Feat_NonInteractivePoRep"));
    assert_int_equal(p.number, 15);
    assert_false(registered_proof_parse(&p, KIND_WINDOW, "StackedDrgWindow32GiBV1_1"));
    assert_false(registered_proof_parse(&p, KIND_WINNING, "StackedDrgWindow2KiBV1"));
    assert_false(registered_proof_parse(&p, KIND_WINDOW, ""));
    assert_false(registered_proof_parse(&p, KIND_WINDOW, "05"));
    assert_false(registered_proof_parse(&p, KIND_WINDOW, "18446744073709551626"));
}

static void the_newest_rules_are_the_default(void **unused)
{
    registered_proof_t p;

    (void)unused;
    registered_proof_newest(&p, circuit_row_by_name(KIND_WINDOW, "2KiB"));
    assert_int_equal(p.number, 10);
    registered_proof_newest(&p, circuit_row_by_name(KIND_WINNING, "64GiB"));
    assert_int_equal(p.number, 4);
    registered_proof_newest(&p, circuit_row_by_name(KIND_POREP, "32GiB"));
    assert_int_equal(p.number, 8);
    registered_proof_newest(&p, circuit_row_by_name(KIND_UPDATE, "32GiB"));
    assert_int_equal(p.number, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_and_digests_are_those_of_the_reference_shapes),
        cmocka_unit_test(kinds_and_sizes_parse_exactly),
        cmocka_unit_test(registered_proofs_parse_and_print_back),
        cmocka_unit_test(names_are_spelled_as_the_reference_spells_them),
        cmocka_unit_test(the_newest_rules_are_the_default),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
