/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "porep/test_support.h"
#include "porep/test_text.h"

#define SIZE_2KIB "2048"

/* The golden case all these tests begin with, and its inner text. */
typedef struct {
    porep_case_t golden;
    char *inner;
    porep_c1_t c1;
    arena_t arena;
} base_t;

static base_t base;

static cuzk_status read_c1(porep_c1_t *c1, const char *text, arena_t *arena, cuzk_error *err)
{
    return porep_c1_read(c1, "c1.json", (cuzk_bytes){(const uint8_t *)text, strlen(text)}, NULL,
                         arena, err);
}

static int set_up(void **state)
{
    size_t length;
    cuzk_error err;

    (void)state;
    porep_case_load(&base.golden, "porep-2KiB-0");
    base.inner = porep_case_inner(&base.golden, &length, 0);
    (void)arena_open(&base.arena, (size_t)1 << 30, "test", &(cuzk_error){0});
    return read_c1(&base.c1, base.inner, &base.arena, &err) == CUZK_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    porep_case_clear(&base.golden);
    free(base.inner);
    arena_close(&base.arena);
    return 0;
}

static void expect_same_column(const porep_proof_t *proof, const porep_column_t *a,
                               const porep_column_t *b)
{
    assert_int_equal(a->node, b->node);
    assert_true(fr_equal(&a->leaf, &b->leaf));
    assert_memory_equal(a->labels, b->labels, proof->shape.n_layers * sizeof(fr_t));
    assert_memory_equal(a->path, b->path, proof->shape.tree_r.n_siblings * sizeof(fr_t));
}

static void expect_same_challenge(const porep_proof_t *proof, const porep_challenge_t *a,
                                  const porep_challenge_t *b)
{
    assert_int_equal(a->node, b->node);
    assert_true(fr_equal(&a->data_leaf, &b->data_leaf));
    assert_true(fr_equal(&a->replica_leaf, &b->replica_leaf));
    assert_memory_equal(a->data_path, b->data_path, proof->shape.tree_d.n_siblings * sizeof(fr_t));
    assert_memory_equal(a->replica_path, b->replica_path,
                        proof->shape.tree_r.n_siblings * sizeof(fr_t));
    expect_same_column(proof, &a->column, &b->column);
    for (size_t i = 0; i < POREP_DEGREE; i++) {
        expect_same_column(proof, &a->parents[i], &b->parents[i]);
    }
}

static void expect_same_proof(const porep_proof_t *a, const porep_proof_t *b)
{
    assert_ptr_equal(a->config, b->config);
    assert_true(fr_equal(&a->replica_id, &b->replica_id));
    assert_true(fr_equal(&a->comm_d, &b->comm_d));
    assert_true(fr_equal(&a->comm_r, &b->comm_r));
    assert_true(fr_equal(&a->comm_c, &b->comm_c));
    assert_true(fr_equal(&a->comm_r_last, &b->comm_r_last));
    assert_memory_equal(a->seed, b->seed, 32);
    assert_memory_equal(a->ticket, b->ticket, 32);
    for (size_t i = 0; i < (size_t)a->config->n_partitions * a->config->n_challenges; i++) {
        expect_same_challenge(a, &a->challenges[i], &b->challenges[i]);
    }
}

/* text reads as the golden case does; it is released */
static void expect_good(char *text)
{
    porep_c1_t c1;
    arena_t arena;
    cuzk_error err;

    (void)arena_open(&arena, (size_t)1 << 30, "test", &(cuzk_error){0});
    if (read_c1(&c1, text, &arena, &err) != CUZK_OK) fail_msg("%s", err.text);
    expect_same_proof(&c1.proof, &base.c1.proof);
    arena_close(&arena);
    free(text);
}

/* text is refused with an error that begins with its name and has `part`; it is released */
static void expect_refused(char *text, const char *part)
{
    porep_c1_t c1;
    arena_t arena;
    cuzk_error err = {.text = ""};

    (void)arena_open(&arena, (size_t)1 << 30, "test", &(cuzk_error){0});
    assert_int_equal(read_c1(&c1, text, &arena, &err), CUZK_ERR_FORMAT);
    if (strncmp(err.text, "c1.json: ", 9) != 0) fail_msg("\"%s\" lacks the file", err.text);
    if (strstr(err.text, part) == NULL) fail_msg("\"%s\" lacks \"%s\"", err.text, part);
    arena_close(&arena);
    free(text);
}

static char *copy_of(const char *text)
{
    return text_copy(text, strlen(text));
}

/* the inner text with one change, bare and wrapped */
static void expect_bad_change(const char *from, size_t n, const char *to, const char *part)
{
    char *inner = text_replace(base.inner, from, n, to);

    expect_refused(text_wrap(inner, "100", SIZE_2KIB), part);
    expect_refused(inner, part);
}

/* ---- R01: wrapper and bare, base64, cut text, keys ---- */

static void test_wrapper(void **state)
{
    char *wrapped = text_wrap(base.inner, "100", SIZE_2KIB);
    porep_c1_t c1;
    arena_t arena;
    cuzk_error err;

    (void)state;
    (void)arena_open(&arena, (size_t)1 << 30, "test", &(cuzk_error){0});
    assert_int_equal(read_c1(&c1, wrapped, &arena, &err), CUZK_OK);
    assert_true(c1.is_wrapped && c1.sector_number == 100);
    assert_int_equal(read_c1(&c1, base.inner, &arena, &err), CUZK_OK);
    assert_false(c1.is_wrapped);
    arena_close(&arena);
    expect_good(wrapped);

    expect_refused(text_wrap(base.inner, NULL, SIZE_2KIB), "SectorNum is missing");
    expect_refused(text_wrap(base.inner, "100", NULL), "SectorSize is missing");
    expect_refused(copy_of("{\"SectorNum\":1,\"SectorSize\":2048}"), "neither Phase1Out nor");
    expect_refused(copy_of("{}"), "neither Phase1Out nor");
    expect_refused(copy_of("{\"SectorNum\":1,\"SectorSize\":2048,\"Phase1Out\":\"e30=\","
                           "\"vanilla_proofs\":{}}"),
                   "both Phase1Out and vanilla_proofs");
    expect_refused(copy_of("[]"), "expected an object");
    expect_refused(copy_of(""), "");
    expect_refused(copy_of("{"), "");
}

static void test_base64(void **state)
{
    static const struct {
        const char *value, *part;
    } bad[] = {{"", "Phase1Out"},         {"not base64!!", "Phase1Out"},
               {"e30", "Phase1Out"},      {"_-8=", "Phase1Out"},
               {"e\\n30=", "Phase1Out"},  {"e30=\\n", "Phase1Out"},
               {"e30=e30=", "Phase1Out"}, {"e30=", "registered_proof is missing"},
               {"bnVsbA==", "Phase1Out"}, {"e3s=", "Phase1Out"}};
    char text[128];

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const int n =
            snprintf(text, sizeof text,
                     "{\"SectorNum\":1,\"Phase1Out\":\"%s\",\"SectorSize\":2048}", bad[i].value);
        expect_refused(text_copy(text, (size_t)n), bad[i].part);
    }
    expect_refused(copy_of("{\"SectorNum\":1,\"Phase1Out\":7,\"SectorSize\":2048}"),
                   "Phase1Out: found a number");
    /* members' names of the other case are other members */
    expect_refused(copy_of("{\"SectorNum\":1,\"phase1out\":\"e30=\",\"SectorSize\":2048}"),
                   "neither Phase1Out");
}

static void test_cut(void **state)
{
    const size_t n = strlen(base.inner);

    (void)state;
    for (size_t cut = 1; cut < n; cut += n / 23) {
        char *inner = text_copy(base.inner, cut);

        expect_refused(text_wrap(inner, "1", SIZE_2KIB), "Phase1Out: ");
        expect_refused(inner, "");
    }
}

static void test_keys(void **state)
{
    char *wrapped = text_wrap(base.inner, "1", SIZE_2KIB);

    (void)state;
    expect_bad_change("\"comm_r\":", 0, "\"comm_d\":[1],\"comm_r\":", "comm_d");
    expect_bad_change("\"seed\":", 0, "\"ticket\":[1],\"seed\":", "ticket");
    expect_bad_change("\"leaf\":", 2, "\"root\":[0],\"leaf\":", "root: ");
    expect_bad_change("\"node\":", 0, "\"node\":0,\"node\":", "node: given twice");
    expect_bad_change("\"StackedDrg2KiBV1\":", 0,
                      "\"StackedDrg2KiBV1\":[],\"StackedDrg2KiBV1\":", "a second set");
    expect_bad_change("\"StackedDrg2KiBV1\":", 0, "\"\":[],\"StackedDrg2KiBV1\":", "a second set");
    expect_bad_change("\"StackedDrg2KiBV1\":", 0,
                      "\"StackedDrg2KiBV1\\u0000x\":", "V1\\u0000x: a zero byte in a name");
    expect_bad_change("\"StackedDrg2KiBV1\":", 0,
                      "\"\\u0000\":[],\"StackedDrg2KiBV1\":", "a zero byte in a name");
    expect_bad_change("\"StackedDrg2KiBV1\":", 0,
                      "\"StackedDrg8MiBV1\":[],\"StackedDrg2KiBV1\":", "a second set");
    expect_bad_change("\"comm_r\":", 0,
                      "\"vanilla_proofs\":{},\"comm_r\":", "vanilla_proofs: given twice");
    expect_bad_change("\"comm_r\":", 0,
                      "\"comm_r\\u0000\":[],\"comm_r\":", "comm_r\\u0000: a zero byte in a name");
    expect_bad_change("\"StackedDrg2KiBV1\":", 0,
                      "\"an extraordinarily long name, which the shape of no sector size in the "
                      "world ever had\":",
                      "not the name of a shape");
    expect_bad_change("{\"registered", 0,
                      "{\"registered_proof\":\"StackedDrg2KiBV1_1\",\"registered",
                      "registered_proof: given twice");
    expect_refused(text_replace(wrapped, "{", 0, "{\"SectorNum\":1,"), "SectorNum: given twice");
    free(wrapped);

    /* what nobody asked for is left alone, at any depth */
    expect_good(
        text_replace(base.inner, "\"comm_r\":", 0, "\"extra\":{\"comm_r\":[]},\"comm_r\":"));
    expect_good(text_replace(base.inner, "\"rows\":", 3, "\"more\":[1,[2]],\"rows\":"));
    expect_good(text_replace(base.inner, "\"_h\":null", 0, "\"_h\":17"));
    expect_good(text_replace(base.inner, ",\"_h\":null", 0, ""));
}

static void test_missing(void **state)
{
    static const char *const members[] = {"registered_proof",
                                          "vanilla_proofs",
                                          "comm_r",
                                          "comm_d",
                                          "replica_id",
                                          "seed",
                                          "ticket",
                                          "comm_d_proofs",
                                          "data",
                                          "leaf",
                                          "root",
                                          "path",
                                          "hashes",
                                          "index",
                                          "column",
                                          "rows",
                                          "c_x",
                                          "drg_parents",
                                          "exp_parents",
                                          "parents",
                                          "node",
                                          "layer_index",
                                          "labeling_proofs",
                                          "encoding_proof"};
    char from[32], to[32];

    (void)state;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        (void)snprintf(from, sizeof from, "\"%s\":", members[i]);
        (void)snprintf(to, sizeof to, "\"not_%s\":", members[i]);
        /* without vanilla_proofs it is neither form */
        expect_refused(text_replace(base.inner, from, 0, to),
                       strcmp(members[i], "vanilla_proofs") == 0 ? "neither" : members[i]);
    }
}

/* ---- R02: the same values, written otherwise; numbers that are no bytes ---- */

static void test_disguise(void **state)
{
    char *inner = text_disguise(base.inner);
    char *wrapped = text_wrap(inner, "100", SIZE_2KIB);

    (void)state;
    expect_good(text_disguise(wrapped));
    expect_good(wrapped);
    expect_good(inner);
}

static void test_numbers(void **state)
{
    static const char *const bad[] = {"255.0", "256", "-1",  "1e2", "\"1\"", "null", "[1]",
                                      "01",    "+1",  "0x1", "",    "1 1",   "true", "4294967296"};
    static const char *const places[] = {"\"root\":[",   "\"hashes\":[[", "\"rows\":[[",
                                         "\"comm_r\":[", "\"seed\":[",    "\"parents\":[["};
    char to[64];

    (void)state;
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            char *shorter = text_replace(base.inner, places[p], 0, "@");
            const char *at = strchr(shorter, '@');
            char number[8];

            /* the number that stands there goes */
            (void)snprintf(number, sizeof number, "@%.*s", (int)strspn(at + 1, "0123456789"),
                           at + 1);
            (void)snprintf(to, sizeof to, "%s%s", places[p], bad[i]);
            expect_refused(text_replace(shorter, number, 0, to), "");
            free(shorter);
        }
    }
}

/* ---- R04: commitments and randomness out of range ---- */

static void expect_bad_value(const char *member, const char *value, const char *part)
{
    char start[32];
    char *at, *end, *text;

    (void)snprintf(start, sizeof start, "\"%s\":[", member);
    text = copy_of(base.inner);
    at = strstr(text, start) + strlen(start) - 1;
    end = strchr(at, ']');
    *at = '\0';
    at = calloc(1, strlen(base.inner) + strlen(value) + 128);
    assert_non_null(at);
    (void)sprintf(at, "%s%s%s", text, value, end + 1);
    free(text);
    expect_refused(at, part);
}

static void test_ranges(void **state)
{
    static const char zero[] = "[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]";
    static const char modulus[] = "[1,0,0,0,255,255,255,255,254,91,254,255,2,164,189,83,5,216,161,"
                                  "9,8,216,57,51,72,125,157,41,83,167,237,115]";
    static const char *const elements[] = {"comm_r", "comm_d", "replica_id"};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        expect_bad_value(elements[i], modulus, elements[i]);
        expect_bad_value(elements[i], "[1,2,3]", "3 numbers, expected 32");
        expect_bad_value(elements[i], "[]", elements[i]);
    }
    expect_bad_value("comm_r", zero, "comm_r: all zero");
    expect_bad_value("comm_d", zero, "comm_d: all zero");
    expect_bad_value("seed", zero, "seed: all zero");
    expect_bad_value("root", modulus, "[0][0].comm_d_proofs.data.Single.root: not below");
    expect_bad_value("leaf", modulus, "[0][0].comm_d_proofs.data.Single.leaf: not below");
    expect_bad_value("root", zero, "comm_d_proofs: root is not comm_d");
}

/* ---- R10: counts ---- */

static void test_counts(void **state)
{
    (void)state;
    expect_bad_change("\"StackedDrg2KiBV1\":[[", 0, "\"StackedDrg2KiBV1\":[[],[",
                      "[0]: 0 challenges, expected 2");
    expect_bad_change("]},\"comm_r\"", 0, ",[]]},\"comm_r\"", "2 partitions, expected 1");
    expect_bad_change("]]},\"comm_r\"", 0, ",{}]]},\"comm_r\"", "[0]: 3 challenges, expected 2");
    expect_bad_change("},{\"comm_d_proofs\"", 0, "}],[{\"comm_d_proofs\"",
                      "[0]: 1 challenges, expected 2");
    expect_bad_change("\"hashes\":[[", 0, "\"hashes\":[[0],[", "1 numbers, expected 32");
    expect_bad_change("\"hashes\":[[", 8, "\"hashes\":[],\"not\":[[", "0 hashes, expected 7");
    expect_bad_change("\"rows\":[[", 1, "\"rows\":[],\"not\":[[",
                      "[0][0].replica_column_proofs.drg_parents[0].column.rows: 0 labels, "
                      "expected 2");
    expect_bad_change("\"path\":[{", 0, "\"path\":[],\"not\":[{", "0 levels, expected 6");
    expect_bad_change("\"drg_parents\":[{", 1, "\"drg_parents\":[],\"not\":[{",
                      "[0][1].replica_column_proofs.drg_parents: 0 parents, expected 6");
    expect_bad_change("\"labeling_proofs\":[{", 0, "\"labeling_proofs\":[],\"not\":[{",
                      "0 layers, expected 2");
    expect_bad_change("\"parents\":[[", 0, "\"parents\":[],\"not\":[[", "0 parents, expected 37");
    expect_refused(
        text_replace(base.inner, "\"StackedDrg2KiBV1\":[[", 0, "\"StackedDrg2KiBV1\":[],\"x\":[["),
        "a second set of vanilla proofs");
    expect_refused(text_replace(base.inner, "{\"StackedDrg2KiBV1\":[[", 0, "{},\"x\":{\"y\":[["),
                   "vanilla_proofs: no vanilla proofs");
}

static void test_no_partitions(void **state)
{
    char *start = copy_of(base.inner);
    char *end = strstr(start, "},\"comm_r\"");
    char *text = calloc(1, strlen(start) + 64);

    (void)state;
    assert_non_null(text);
    *strstr(start, ":[[{\"comm_d_proofs\"") = '\0';
    (void)sprintf(text, "%s:[]%s", start, end);
    free(start);
    expect_refused(text, "vanilla_proofs.StackedDrg2KiBV1: 0 partitions, expected 1");
}

/* ---- R11: the registered proof, the shape and the size agree ---- */

static void test_triples(void **state)
{
    static const uint64_t sizes[] = {1 << 11, 1 << 23, 1 << 29, (uint64_t)1 << 35,
                                     (uint64_t)1 << 36};
    size_t n_agree = 0;

    (void)state;
    for (uint32_t number = 0; number < POREP_PROOFS; number++) {
        const porep_config_t *config = porep_config_by_number(number);

        for (uint32_t variant = 0; variant < 25; variant++) {
            const porep_config_t *shape = porep_config_by_number(variant / 5);
            char text[1024], size[32];
            char *inner;
            const bool agree = shape->sector_size == config->sector_size &&
                               sizes[variant % 5] == config->sector_size;

            (void)snprintf(text, sizeof text,
                           "{\"registered_proof\":\"%s\",\"vanilla_proofs\":{\"%s\":[]},%s",
                           config->name, shape->shape_name, strstr(base.inner, "\"comm_r\""));
            (void)snprintf(size, sizeof size, "%llu", (unsigned long long)sizes[variant % 5]);
            inner = copy_of(text);
            expect_refused(text_wrap(inner, "1", size), agree ? "0 partitions" : "do not agree");
            free(inner);
            n_agree += agree;
        }
    }
    assert_int_equal(n_agree, POREP_PROOFS);
    expect_refused(text_wrap(base.inner, "1", "8388608"),
                   "registered_proof StackedDrg2KiBV1_1, vanilla_proofs StackedDrg2KiBV1, "
                   "SectorSize 8MiB (8388608 bytes) do not agree");
    expect_bad_change("StackedDrg2KiBV1_1", 0, "StackedDrg2KiBV1_2",
                      "StackedDrg2KiBV1_2 is not a registered seal proof (StackedDrg2KiBV1, ");
    expect_bad_change("StackedDrg2KiBV1_1", 0, "", ", StackedDrg64GiBV1_2_Feat_NiPoRep)");
    /* the chain's spelling of another proof is known as that */
    expect_bad_change("StackedDrg2KiBV1_1", 0, "StackedDrg8MiBV1_2_Feat_NiPoRep",
                      "registered_proof StackedDrg8MiBV1_2_Feat_NonInteractivePoRep, ");
}

static void test_requested(void **state)
{
    porep_c1_t c1;
    arena_t arena;
    cuzk_error err;

    (void)state;
    for (uint32_t number = 0; number < POREP_PROOFS; number++) {
        const porep_config_t *config = porep_config_by_number(number);
        cuzk_status status;

        (void)arena_open(&arena, (size_t)1 << 30, "test", &(cuzk_error){0});
        status = porep_c1_read(&c1, "c1.json", (cuzk_bytes){base.golden.c1, base.golden.c1_length},
                               config, &arena, &err);
        assert_int_equal(status, number == 5 ? CUZK_OK : CUZK_ERR_FORMAT);
        if (status != CUZK_OK) {
            assert_non_null(strstr(err.text, config->name));
            assert_non_null(strstr(err.text, "registered_proof StackedDrg2KiBV1_1"));
            assert_non_null(strstr(err.text, "SectorSize 2KiB (2048 bytes)"));
        }
        arena_close(&arena);
    }
}

/* ---- R13: sector numbers ---- */

static void test_sector_numbers(void **state)
{
    static const struct {
        const char *text;
        uint64_t value;
    } good[] = {{"0", 0},
                {"9007199254740993", 9007199254740993},
                {"9223372036854775808", (uint64_t)1 << 63},
                {"18446744073709551615", UINT64_MAX}};
    static const char *const bad[] = {"\"7\"", "-1", "1.5", "18446744073709551616", "1e3", "null",
                                      "-0",    "00", "7.0"};

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        char *text = text_wrap(base.inner, good[i].text, SIZE_2KIB);
        porep_c1_t c1;
        arena_t arena;
        cuzk_error err;

        (void)arena_open(&arena, (size_t)1 << 30, "test", &(cuzk_error){0});
        if (read_c1(&c1, text, &arena, &err) != CUZK_OK) fail_msg("%s", err.text);
        assert_true(c1.sector_number == good[i].value);
        arena_close(&arena);
        free(text);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        expect_refused(text_wrap(base.inner, bad[i], SIZE_2KIB), "SectorNum");
    }
    expect_refused(text_wrap(base.inner, "7", "\"2048\""), "SectorSize");
    expect_refused(text_wrap(base.inner, "7", "-2048"), "SectorSize");
}

/* ---- what the file says twice ---- */

static void test_repeats(void **state)
{
    (void)state;
    /* R05: a root of tree C that differs from the others, a bit changed in its first byte */
    expect_bad_change("\"inclusion_proof\":{\"data\":{\"Single\":{\"root\":[", 3,
                      "\"inclusion_proof\":{\"data\":{\"Single\":{\"root\":[1",
                      "[0][0].replica_column_proofs.drg_parents[2]");
    expect_bad_change("\"column\":{\"index\":", 0, "\"column\":{\"index\":1",
                      "[0][0].replica_column_proofs.c_x: column of node");
    expect_bad_change("\"index\":", 0, "\"index\":2,\"old\":", "index: 2 is not an integer 0 .. 1");
    expect_bad_change("\"layer_index\":1", 0, "\"layer_index\":2",
                      "[0][0]: label of layer 2, node");
    expect_bad_change("\"layer_index\":1", 1, "\"layer_index\":0",
                      "[0][1]: label of layer 0, node");
    expect_bad_change("\"node\":", 0, "\"node\":1", "label of layer 1, node 1");
    expect_bad_change("\"Single\"", 0, "\"Sub\"", "comm_d_proofs.data: Single is missing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrapper),
        cmocka_unit_test(test_base64),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_disguise),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_no_partitions),
        cmocka_unit_test(test_triples),
        cmocka_unit_test(test_requested),
        cmocka_unit_test(test_sector_numbers),
        cmocka_unit_test(test_repeats),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
