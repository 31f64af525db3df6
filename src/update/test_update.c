/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "base/file.h"
#include "codec/json.h"
#include "update/vanilla.h"

enum { MAX_FILE = 1 << 24 };

/* A case of tests/golden in memory; tests may change it. */
typedef struct {
    cuzk_update_statement stated;
    update_statement_t statement;
    vanilla_list_t list;
    arena_t arena;
    update_proof_t proof;
    fr_t inputs[UPDATE_MAX_PARTITIONS][1 + UPDATE_PUBLIC_INPUTS]; /* the reference's */
} loaded_t;

static void read_golden(uint8_t **bytes, size_t *length, const char *name, const char *file)
{
    char path[PATH_MAX];
    cuzk_error err;

    (void)snprintf(path, sizeof path, "%s/tests/golden/%s/%s", CUZK_SOURCE_DIR, name, file);
    if (file_read(bytes, length, path, MAX_FILE, &err) != CUZK_OK) fail_msg("%s", err.text);
}

static cuzk_status read_name(json_t *j, void *out, cuzk_error *err)
{
    cuzk_update_statement *stated = &((loaded_t *)out)->stated;
    char name[64];

    if (json_copy_string(j, name, sizeof name, err) != CUZK_OK) return err->status;
    while (strcmp(update_config_by_number(stated->registered_proof)->name, name) != 0)
        stated->registered_proof++;
    return CUZK_OK;
}

static cuzk_status read_comm_r_old(json_t *j, void *out, cuzk_error *err)
{
    return json_read_hex(j, ((loaded_t *)out)->stated.comm_r_old, 32, err);
}

static cuzk_status read_comm_d_new(json_t *j, void *out, cuzk_error *err)
{
    return json_read_hex(j, ((loaded_t *)out)->stated.comm_d_new, 32, err);
}

static cuzk_status read_comm_r_new(json_t *j, void *out, cuzk_error *err)
{
    return json_read_hex(j, ((loaded_t *)out)->stated.comm_r_new, 32, err);
}

static cuzk_status read_case(json_t *j, void *out, cuzk_error *err)
{
    static const json_field_t fields[] = {{"registered_update_proof", read_name, JSON_REQUIRED},
                                          {"comm_r_old", read_comm_r_old, JSON_REQUIRED},
                                          {"comm_d_new", read_comm_d_new, JSON_REQUIRED},
                                          {"comm_r_new", read_comm_r_new, JSON_REQUIRED}};
    return json_read_object(j, fields, 4, out, err);
}

/* where one value of witness.json goes */
typedef struct {
    loaded_t *l;
    size_t partition;
} row_t;

static cuzk_status read_input(json_t *j, size_t index, void *out, cuzk_error *err)
{
    const row_t *row = out;
    uint8_t bytes[32];

    if (json_read_hex(j, bytes, 32, err) != CUZK_OK) return err->status;
    return fr_from_bytes(&row->l->inputs[row->partition][index], bytes)
               ? CUZK_OK
               : json_error(j, err, "too large");
}

static cuzk_status read_inputs(json_t *j, void *out, cuzk_error *err)
{
    return json_read_array(j, read_input, out, 5, 5, NULL, err);
}

static cuzk_status read_witness(json_t *j, size_t index, void *out, cuzk_error *err)
{
    static const json_field_t fields[] = {{"input_values", read_inputs, JSON_REQUIRED}};
    row_t row = {out, index};

    return json_read_object(j, fields, 1, &row, err);
}

static cuzk_status read_witnesses(json_t *j, void *out, cuzk_error *err)
{
    const size_t n =
        update_partition_count(update_config_by_number(((loaded_t *)out)->stated.registered_proof));

    return json_read_array(j, read_witness, out, n, n, NULL, err);
}

static void read_json(const char *name, const char *file, json_reader read, loaded_t *l)
{
    uint8_t *text;
    size_t length;
    cuzk_error err;

    read_golden(&text, &length, name, file);
    if (json_read(file, text, length, read, l, &err) != CUZK_OK) fail_msg("%s", err.text);
    free(text);
}

static cuzk_status read_proof(loaded_t *l, cuzk_error *err)
{
    return update_vanilla_read(&l->proof, &l->statement, l->list.items, l->list.n, &l->arena, err);
}

static void load(loaded_t *l, const char *name)
{
    uint8_t *text;
    size_t length;
    cuzk_error err;

    memset(l, 0, sizeof *l);
    (void)arena_open(&l->arena, (size_t)1 << 30, "test", &(cuzk_error){0});
    read_json(name, "case.json", read_case, l);
    read_json(name, "witness.json", read_witnesses, l);
    read_golden(&text, &length, name, "vanilla.json");
    if (vanilla_list_read(&l->list, "vanilla.json", text, length, UPDATE_MAX_PARTITIONS, &err) !=
        CUZK_OK) {
        fail_msg("%s", err.text);
    }
    free(text);
    if (update_statement_init(&l->statement, &l->stated, &err) != CUZK_OK) fail_msg("%s", err.text);
    if (read_proof(l, &err) != CUZK_OK) fail_msg("%s", err.text);
}

static void clear(loaded_t *l)
{
    arena_close(&l->arena);
    vanilla_list_clear(&l->list);
}

/* the golden cases pass all checks and give the reference's public inputs */
static void test_golden(void **state)
{
    static const char *const cases[] = {"update-2KiB", "update-8MiB"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        loaded_t l;
        cuzk_error err;

        load(&l, cases[i]);
        if (update_check(&l.proof, NULL, &err) != CUZK_OK) fail_msg("%s", err.text);
        for (uint32_t k = 0; k < update_partition_count(l.proof.config); k++) {
            fr_t inputs[UPDATE_PUBLIC_INPUTS];

            update_public_inputs(inputs, &l.statement, k);
            assert_true(fr_is_one(&l.inputs[k][0]));
            assert_memory_equal(inputs, &l.inputs[k][1], sizeof inputs);
            assert_int_equal(l.list.items[k].length, update_vanilla_bytes(l.proof.config));
        }
        clear(&l);
    }
}

/* The reference's own vectors (storage-proofs-update challenges.rs), the first five challenges of
 * a partition for the comm_r_new its test draws from a fixed seed. */
static void test_challenge_vectors(void **state)
{
    static const struct {
        uint32_t number, partition, nodes[5];
    } rows[] = {
        {0, 0, {53, 51, 56, 3, 0}},
        {1, 0, {36085, 32783, 44060, 10950, 3731}},
        {1, 1, {78878, 130797, 112892, 93994, 78379}},
        {2, 0, {1019125, 116736, 706220, 59698, 799498}},
        {2, 15, {16388544, 15794686, 16637142, 16319148, 16328348}},
        {3, 0, {1019125, 27985696, 15282860, 11586600, 44651330}},
        {3, 1, {109168525, 127316247, 80331041, 97065716, 72310052}},
        {3, 14, {990420169, 955146989, 968005601, 976863263, 944650706}},
        {4, 14, {1997053129, 1920414070, 2003609080, 1900492803, 1963254685}},
        {4, 15, {2045262457, 2036941247, 2136653521, 2091356007, 2147167623}},
    };
    uint8_t bytes[32];
    fr_t comm_r_new;

    (void)state;
    assert_true(bytes_from_hex(
        bytes, 32, "101cbe4b9c42604f04c703c396f788c6cb2d6d7d58f45430b12eb2edd640076c", 64));
    assert_true(fr_from_bytes(&comm_r_new, bytes));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t nodes[UPDATE_MAX_CHALLENGES];

        update_challenges(nodes, update_config_by_number(rows[i].number), &comm_r_new,
                          rows[i].partition);
        assert_memory_equal(nodes, rows[i].nodes, sizeof rows[i].nodes);
    }
}

static void expect_refused(const loaded_t *l, const char *part)
{
    cuzk_error err = {.text = ""};

    assert_int_equal(update_check(&l->proof, NULL, &err), CUZK_ERR_FORMAT);
    if (strstr(err.text, part) == NULL) fail_msg("\"%s\" lacks \"%s\"", err.text, part);
}

static void expect_bad(const loaded_t *l, const fr_t *value, const char *part)
{
    fr_t *place = (fr_t *)(uintptr_t)value; /* arrays of a proof are read-only to all but us */

    fr_add(place, place, &fr_one);
    expect_refused(l, part);
    fr_sub(place, place, &fr_one);
}

/* each part of a proof on its own is wrong, and found, with partition and challenge named */
static void test_bad_parts(void **state)
{
    loaded_t l;
    update_challenge_t *bad;
    cuzk_error err;

    (void)state;
    load(&l, "update-8MiB");
    bad = &l.proof.partitions[2].challenges[6];
    expect_bad(&l, &l.proof.comm_r_old, "comm_r_old");
    expect_bad(&l, &l.proof.comm_r_new, "comm_r_new");
    expect_bad(&l, &l.proof.root_r_old, "comm_r_old");
    expect_bad(&l, &l.proof.root_r_new, "comm_r_new");
    expect_bad(&l, &l.proof.comm_c, "comm_r_old");
    expect_bad(&l, &l.proof.comm_d_new, "partition 0: apex_leafs");
    expect_bad(&l, &l.proof.partitions[3].apex_leaves[127], "partition 3: apex_leafs");
    expect_bad(&l, &bad->leaf_r_old, "partition 2, challenge 6: new leaf");
    expect_bad(&l, &bad->leaf_d_new, "partition 2, challenge 6: new leaf");
    expect_bad(&l, &bad->leaf_r_new, "partition 2, challenge 6: new leaf");
    expect_bad(&l, &bad->path_d_new[0], "partition 2, challenge 6: proof_d_new misses");
    expect_bad(&l, &bad->path_d_new[8], "partition 2, challenge 6: proof_d_new misses");
    expect_bad(&l, &bad->path_d_new[9], "partition 2, challenge 6: proof_d_new does not lead");
    expect_bad(&l, &bad->path_d_new[17], "partition 2, challenge 6: proof_d_new does not lead");
    expect_bad(&l, &bad->path_r_old[41], "partition 2, challenge 6: proof_r_old");
    expect_bad(&l, &bad->path_r_new[0], "partition 2, challenge 6: proof_r_new");
    bad->node ^= 1;
    expect_refused(&l, "partition 2, challenge 6: node");
    bad->node ^= 1;
    if (update_check(&l.proof, NULL, &err) != CUZK_OK) fail_msg("%s", err.text);
    clear(&l);
}

/* R12: old and new exchanged, or another sector's data, is refused */
static void test_wrong_commitments(void **state)
{
    loaded_t l, other;
    uint8_t old[32];
    cuzk_error err;

    (void)state;
    load(&l, "update-2KiB");
    load(&other, "update-8MiB");
    memcpy(old, l.stated.comm_r_old, 32);
    memcpy(l.stated.comm_r_old, l.stated.comm_r_new, 32);
    memcpy(l.stated.comm_r_new, old, 32);
    assert_int_equal(update_statement_init(&l.statement, &l.stated, &err), CUZK_OK);
    assert_int_equal(read_proof(&l, &err), CUZK_OK);
    expect_refused(&l, "comm_r_old");

    memcpy(l.stated.comm_r_new, l.stated.comm_r_old, 32);
    memcpy(l.stated.comm_r_old, old, 32);
    memcpy(l.stated.comm_d_new, other.stated.comm_d_new, 32);
    assert_int_equal(update_statement_init(&l.statement, &l.stated, &err), CUZK_OK);
    assert_int_equal(read_proof(&l, &err), CUZK_ERR_FORMAT);
    assert_string_equal(err.text, "vanilla proofs: partition 0: challenge 0: proof_d_new: root is "
                                  "not comm_d_new");
    memset(l.stated.comm_r_old, 0xff, 32);
    assert_int_equal(update_statement_init(&l.statement, &l.stated, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "comm_r_old"));
    memset(l.stated.comm_r_old, 0, 32);
    assert_int_equal(update_statement_init(&l.statement, &l.stated, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "comm_r_old"));
    l.stated.registered_proof = UPDATE_PROOFS;
    assert_int_equal(update_statement_init(&l.statement, &l.stated, &err), CUZK_ERR_ARG);
    assert_string_equal(err.text, "registered_proof: 5 is not a sector update (0..4)");
    clear(&l);
    clear(&other);
}

static void expect_unreadable(loaded_t *l, const char *part)
{
    cuzk_error err = {.text = ""};

    assert_int_equal(read_proof(l, &err), CUZK_ERR_FORMAT);
    if (strstr(err.text, part) == NULL) fail_msg("\"%s\" lacks \"%s\"", err.text, part);
}

/* R10 for updates, and what bytes can be wrong in form */
static void test_bad_form(void **state)
{
    loaded_t l;
    cuzk_bytes *items;
    uint8_t *bytes;

    (void)state;
    load(&l, "update-8MiB");
    items = l.list.items;
    l.list.n = 3;
    expect_unreadable(&l, "3 partitions, expected 4");
    l.list.n = 4;
    for (size_t cut = 0; cut < items[1].length; cut += 1 + cut / 7) {
        const cuzk_bytes whole = items[1];

        items[1].length = cut;
        expect_unreadable(&l, "partition 1: ");
        items[1] = whole;
    }
    items[3].length--;
    expect_unreadable(&l, "partition 3: challenge 9: ");
    items[3].length++;

    /* comm_c, count of apex leaves, first apex leaf, count of challenges, first root */
    bytes = (uint8_t *)(uintptr_t)items[2].bytes;
    bytes[0] ^= 1;
    expect_unreadable(&l, "partition 2: comm_c: differs");
    bytes[0] ^= 1;
    memset(bytes + 31, 0xff, 1);
    expect_unreadable(&l, "partition 2: comm_c: not below");
    memcpy(bytes, items[0].bytes, 32);
    bytes[32] ^= 1;
    expect_unreadable(&l, "partition 2: apex_leafs");
    bytes[32] ^= 1;
    bytes[40 + 31] |= 0x80;
    expect_unreadable(&l, "partition 2: apex_leafs: not below");
    bytes[40 + 31] &= 0x7f;
    bytes[40 + 128 * 32] ^= 1;
    expect_unreadable(&l, "partition 2: challenge_proofs");
    bytes[40 + 128 * 32] ^= 1;
    bytes[48 + 128 * 32] = 1;
    expect_unreadable(&l, "partition 2: challenge 0: proof_r_old");
    bytes[48 + 128 * 32] = 0;
    bytes[52 + 128 * 32] ^= 1;
    expect_unreadable(&l, "partition 2: challenge 0: proof_r_old: root differs");
    bytes[52 + 128 * 32] ^= 1;
    items[2].length++; /* what follows in the list's memory */
    expect_unreadable(&l, "partition 2: ");
    items[2].length--;
    clear(&l);
}

static void test_configs(void **state)
{
    static const uint32_t select[UPDATE_PROOFS] = {1, 8, 8, 8, 8}, h[] = {1, 10, 10, 10, 10},
                          partitions[] = {1, 4, 16, 16, 16}, apex[] = {8, 128, 128, 128, 128};

    (void)state;
    for (uint32_t i = 0; i < UPDATE_PROOFS; i++) {
        const update_config_t *config = update_config_by_number(i);

        assert_int_equal(config->number, i);
        assert_ptr_equal(update_config_by_size(config->sector_size), config);
        assert_true(config->sector_size == (uint64_t)32 << config->lg_nodes);
        assert_int_equal(update_h(config), h[i]);
        assert_int_equal(update_h_select(config), select[i]);
        assert_int_equal(update_partition_count(config), partitions[i]);
        assert_int_equal(update_apex_leaf_count(config), apex[i]);
        assert_int_equal(config->n_challenges, i < 2 ? 10 : 86);
    }
    assert_null(update_config_by_number(UPDATE_PROOFS));
    assert_null(update_config_by_size(4096));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),    cmocka_unit_test(test_challenge_vectors),
        cmocka_unit_test(test_bad_parts), cmocka_unit_test(test_wrong_commitments),
        cmocka_unit_test(test_bad_form),  cmocka_unit_test(test_configs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
