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
#include "registry/kind.h"
#include "registry/public_files.h"
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
    assert_false(registered_proof_parse(&p, KIND_WINNING, "StackedDrgWindow2KiBV1"));
    assert_false(registered_proof_parse(&p, KIND_WINDOW, ""));
    assert_false(registered_proof_parse(&p, KIND_WINDOW, "05"));
    assert_false(registered_proof_parse(&p, KIND_WINDOW, "18446744073709551626"));
}

/* go-state-types, abi/sector.go: every constant with its number. */
static void the_chain_s_names_are_taken_too(void **unused)
{
    static const struct {
        circuit_kind kind;
        const char *type, *before, *after;
        uint32_t first;
    } groups[] = {
        {KIND_POREP, "RegisteredSealProof_", "StackedDrg", "V1", 0},
        {KIND_POREP, "RegisteredSealProof_", "StackedDrg", "V1_1", 5},
        {KIND_POREP, "RegisteredSealProof_", "StackedDrg", "V1_1_Feat_SyntheticPoRep", 10},
        {KIND_POREP, "RegisteredSealProof_", "StackedDrg", "V1_2_Feat_NiPoRep", 15},
        {KIND_UPDATE, "RegisteredUpdateProof_", "StackedDrg", "V1", 0},
        {KIND_WINNING, "RegisteredPoStProof_", "StackedDrgWinning", "V1", 0},
        {KIND_WINDOW, "RegisteredPoStProof_", "StackedDrgWindow", "V1", 5},
        {KIND_WINDOW, "RegisteredPoStProof_", "StackedDrgWindow", "V1_1", 10},
    };

    (void)unused;
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
        for (uint32_t i = 0; i < SECTOR_SIZES; i++) {
            char name[REGISTERED_NAME_BYTES], constant[2 * REGISTERED_NAME_BYTES];
            registered_proof_t p;

            (void)snprintf(name, sizeof name, "%s%s%s", groups[g].before, sizes[i],
                           groups[g].after);
            (void)snprintf(constant, sizeof constant, "%s%s", groups[g].type, name);
            assert_true(registered_proof_parse(&p, groups[g].kind, name));
            assert_int_equal(p.number, groups[g].first + i);
            assert_string_equal(p.chain_name, name);
            assert_true(registered_proof_parse(&p, groups[g].kind, constant));
            assert_int_equal(p.number, groups[g].first + i);
        }
}

static void names_of_no_proof_are_refused(void **unused)
{
    static const struct {
        circuit_kind kind;
        const char *text;
    } rows[] = {
        {KIND_POREP, "StackedDrg2KiBV1_2_Feat_NiPorep"},
        {KIND_POREP, "StackedDrg2KiBV1_1_Feat_NiPoRep"},
        {KIND_POREP, "RegisteredPoStProof_StackedDrg2KiBV1"},
        {KIND_POREP, "RegisteredSealProof_"},
        {KIND_POREP, "RegisteredSealProof_5"},
        {KIND_UPDATE, "RegisteredSealProof_StackedDrg2KiBV1"},
        {KIND_UPDATE, "StackedDrg2KiBV1_1"},
        {KIND_WINNING, "StackedDrgWinning2KiBV1_1"},
        {KIND_WINDOW, "RegisteredPoStProof_StackedDrgWindow2KiBV1_2"}, /* the reference's */
        {KIND_WINDOW, "RegisteredPoStProof_StackedDrgWinning2KiBV1"},
        {KIND_WINDOW, "RegisteredPoStProofStackedDrgWindow2KiBV1"},
        {KIND_WINDOW, "StackedDrgWindow2KiBV1_3"},
    };
    registered_proof_t p;

    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_false(registered_proof_parse(&p, rows[i].kind, rows[i].text));
}

/* Each name in the list is one, and none is missing or twice. */
static void the_list_of_names_has_all(void **unused)
{
    static const unsigned counts[CIRCUIT_KINDS] = {25, 5, 5, 15};

    (void)unused;
    for (int kind = 0; kind < CIRCUIT_KINDS; kind++) {
        char names[REGISTERED_NAMES_BYTES], again[REGISTERED_NAMES_BYTES];
        char *rest = NULL;
        unsigned n = 0;

        registered_proof_names(names, (circuit_kind)kind);
        assert_true(strlen(names) < REGISTERED_NAMES_BYTES - 1);
        memcpy(again, names, sizeof again);
        for (char *name = strtok_r(again, ", ", &rest); name != NULL;
             name = strtok_r(NULL, ", ", &rest)) {
            registered_proof_t p;

            assert_true(registered_proof_parse(&p, (circuit_kind)kind, name));
            n++;
        }
        assert_int_equal(n, counts[kind]);
    }
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

/* The longest inputs follow the circuits: what they must hold is what the reference writes. */
static void limits_are_those_of_the_largest_inputs(void **unused)
{
    static const struct {
        circuit_kind kind;
        uint64_t bytes, text;
    } exact[] = {
        {KIND_WINNING, 167760, 223680 + 3 + (1 << 20)},
        {KIND_WINDOW, (uint64_t)25000 * 25520, (uint64_t)25000 * (34028 + 3) + (1 << 20)},
        {KIND_UPDATE, (uint64_t)16 * 575528, (uint64_t)16 * (767372 + 3) + (1 << 20)},
    };

    (void)unused;
    for (size_t i = 0; i < sizeof exact / sizeof exact[0]; i++) {
        const input_limits_t limits = proof_kind_limits(proof_kind(exact[i].kind));

        assert_int_equal(limits.bytes, exact[i].bytes);
        assert_int_equal(limits.text, exact[i].text);
    }
    /* 126 partitions of 64 GiB; ten of 32 GiB are some 51 MB */
    const input_limits_t porep = proof_kind_limits(proof_kind(KIND_POREP));
    assert_in_range(porep.text, 51000000 * 12.6, 51000000 * 12.6 * 1.3);
    assert_int_equal(porep.bytes, porep.text);
    assert_in_range(proof_kind(KIND_POREP)->limits((uint64_t)1 << 35).text, 642000000, 820000000);
    assert_in_range(proof_kind(KIND_POREP)->limits(2048).text, 1 << 20, 5 << 20);
}

/* a label's own row, and no two files alike */
static void each_circuit_has_its_public_files(void **unused)
{
    const public_file_t *all[PUBLIC_CIRCUITS * PUBLIC_FILES];
    int n = 0;

    (void)unused;
    for (int i = 0; i < PUBLIC_CIRCUITS; i++)
        for (int part = 0; part < PUBLIC_FILES; part++) {
            const circuit_row_t *row;
            cuzk_error err;

            assert_int_equal(circuit_row_find(&row, public_circuits[i].label, &err), CUZK_OK);
            all[n] = public_file(row, (public_part)part);
            assert_ptr_equal(all[n], &public_circuits[i].files[part]);
            assert_int_equal(strlen(all[n]->cid), 46);
            for (int k = 0; k < n; k++) {
                assert_string_not_equal(all[k]->cid, all[n]->cid);
                assert_memory_not_equal(all[k]->blake2b, all[n]->blake2b, PUBLIC_DIGEST_BYTES);
            }
            n++;
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_and_digests_are_those_of_the_reference_shapes),
        cmocka_unit_test(kinds_and_sizes_parse_exactly),
        cmocka_unit_test(registered_proofs_parse_and_print_back),
        cmocka_unit_test(names_are_spelled_as_the_reference_spells_them),
        cmocka_unit_test(the_chain_s_names_are_taken_too),
        cmocka_unit_test(names_of_no_proof_are_refused),
        cmocka_unit_test(the_list_of_names_has_all),
        cmocka_unit_test(the_newest_rules_are_the_default),
        cmocka_unit_test(limits_are_those_of_the_largest_inputs),
        cmocka_unit_test(each_circuit_has_its_public_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
