/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/case_files.h"
#include "codec/json.h"

#define GOLDEN CUZK_SOURCE_DIR "/tests/golden"

static proof_case_t opened(const char *name)
{
    char folder[1024];
    proof_case_t c;
    cuzk_error err;

    (void)snprintf(folder, sizeof folder, "%s/%s", GOLDEN, name);
    if (case_open(&c, folder, &err) != CUZK_OK) fail_msg("%s", err.text);
    return c; /* only its values are looked at */
}

static void cases_of_all_kinds_are_read(void **unused)
{
    (void)unused;
    proof_case_t c = opened("porep-ni-2KiB");
    assert_int_equal(c.request.kind, CUZK_POREP);
    assert_int_equal(c.request.registered_proof, 15);
    assert_int_equal(c.statement.of.porep.registered_proof, 15);
    assert_int_equal(c.statement.of.porep.sector_number, c.request.sector_number);
    assert_string_equal(c.sector_size, "2KiB");
    assert_int_equal(case_partitions(&c), 1);
    case_close(&c);
    c = opened("update-8MiB");
    assert_int_equal(c.request.kind, CUZK_UPDATE);
    assert_string_equal(c.name, "update-8MiB");
    assert_string_equal(c.sector_size, "8MiB");
    assert_int_equal(c.request.n_inputs, 4);
    assert_memory_equal(c.statement.of.update.comm_d_new, c.request.comm_d_new, 32);
    case_close(&c);
    c = opened("winning-2KiB");
    assert_int_equal(c.request.kind, CUZK_WINNING_POST);
    assert_int_equal(c.request.miner_id, 1000);
    assert_int_equal(c.statement.of.post.n_sectors, 1);
    assert_int_equal(c.statement.of.post.sectors[0].number, 100);
    case_close(&c);
}

static void windows_are_cut_into_partitions(void **unused)
{
    proof_case_t c;
    cuzk_error err;

    (void)unused;
    assert_int_equal(case_open(&c, GOLDEN "/window-2KiB", &err), CUZK_OK);
    assert_int_equal(c.request.n_inputs, 3);
    assert_int_equal(case_partitions(&c), 2);
    const cuzk_bytes last = c.request.inputs[2];
    const uint64_t number = c.sectors[2].number;
    case_keep_partition(&c, 1);
    assert_string_equal(c.name, "window-2KiB.1");
    assert_int_equal(c.request.n_inputs, 1);
    assert_ptr_equal(c.request.inputs[0].bytes, last.bytes);
    assert_int_equal(c.statement.of.post.n_sectors, 1);
    assert_int_equal(c.statement.of.post.sectors[0].number, number);
    case_close(&c);
    assert_int_equal(case_open(&c, GOLDEN "/window-v1-2KiB", &err), CUZK_OK);
    assert_int_equal(case_partitions(&c), 1);
    case_keep_partition(&c, 0);
    assert_int_equal(c.request.n_inputs, 2);
    assert_int_equal(c.statement.of.post.n_sectors, 2);
    case_close(&c);
    assert_int_equal(case_open(&c, GOLDEN "/winning-2KiB", &err), CUZK_OK);
    case_keep_partition(&c, 0);
    assert_string_equal(c.name, "winning-2KiB");
    case_close(&c);
}

static void a_folder_gives_the_cases_of_a_size(void **unused)
{
    case_list_t list;
    cuzk_error err;
    size_t n_window = 0;

    (void)unused;
    assert_int_equal(case_list_open(&list, GOLDEN, "2KiB", &err), CUZK_OK);
    for (size_t i = 0; i < list.n; i++) {
        assert_string_equal(list.items[i].sector_size, "2KiB");
        n_window += list.items[i].request.kind == CUZK_WINDOW_POST;
        if (i > 0) assert_true(strcmp(list.items[i - 1].name, list.items[i].name) < 0);
    }
    assert_int_equal(n_window, 3); /* two partitions, and the first by the older rules */
    case_list_close(&list);
    assert_int_equal(case_list_open(&list, GOLDEN, "64GiB", &err), CUZK_ERR_MISSING);
    assert_non_null(strstr(err.text, "64GiB"));
    case_list_close(&list);
    assert_int_equal(case_list_open(&list, GOLDEN "/none", "2KiB", &err), CUZK_ERR_MISSING);
    case_list_close(&list);
}

/* Reads a case of these two texts; returns its status. */
static cuzk_status read_texts(const char *values, const char *input, cuzk_error *err)
{
    uint8_t *padded = calloc(strlen(values) + JSON_PADDING, 1);
    proof_case_t c;

    assert_non_null(padded);
    memcpy(padded, values, strlen(values));
    const cuzk_status st = case_read(&c, "made-up", (case_text_t){padded, strlen(values)},
                                     (case_text_t){(const uint8_t *)input, strlen(input)}, err);
    if (st == CUZK_OK) case_close(&c);
    free(padded);
    return st;
}

static void bad_cases_are_refused_by_name(void **unused)
{
    static const struct {
        const char *values, *input, *word;
    } rows[] = {
        {"{\"miner_id\":1}", "[\"AA==\"]", "kind"},
        {"{\"kind\":\"seal\",\"miner_id\":1}", "[\"AA==\"]", "\"seal\" is none of"},
        {"{\"kind\":\"update\",\"miner_id\":1,\"registered_proof\":9}", "[\"AA==\"]", "9"},
        {"{\"kind\":\"update\",\"miner_id\":-1}", "[\"AA==\"]", "miner_id"},
        {"{\"kind\":\"update\",\"miner_id\":1,\"comm_r_new\":\"00\"}", "[\"AA==\"]", "comm_r_new"},
        {"{\"kind\":\"porep\",\"miner_id\":1,\"registered_seal_proof\":\"Drg\"}", "{}", "Drg"},
        {"{\"kind\":\"update\",\"miner_id\":1,\"registered_proof\":0}", "[]", "vanilla.json"},
        {"{\"kind\":\"winning\",\"miner_id\":1,\"registered_proof\":0}", "[\"AA==\"]",
         "sectors: 0, vanilla.json has: 1"},
    };
    cuzk_error err;

    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_not_equal(read_texts(rows[i].values, rows[i].input, &err), CUZK_OK);
        if (strstr(err.text, rows[i].word) == NULL) fail_msg("%s: %s", rows[i].word, err.text);
        assert_non_null(strstr(err.text, "made-up"));
    }
    assert_int_equal(read_texts("{\"kind\":\"update\",\"miner_id\":1,\"registered_proof\":0}",
                                "[\"AA==\"]", &err),
                     CUZK_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_of_all_kinds_are_read),
        cmocka_unit_test(windows_are_cut_into_partitions),
        cmocka_unit_test(a_folder_gives_the_cases_of_a_size),
        cmocka_unit_test(bad_cases_are_refused_by_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
