/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "codec/json.h"
#include "post/test_case.h"

enum { MAX_FILE_BYTES = 1 << 20 };

const char *const test_case_names[CASES] = {"winning-2KiB", "winning-8MiB", "window-2KiB",
                                            "window-8MiB", "window-v1-2KiB"};

static const uint32_t test_case_numbers[CASES] = {0, 1, 10, 11, 5};

static size_t test_case_index(const char *name)
{
    size_t i = 0;

    while (strcmp(test_case_names[i], name) != 0) i++;
    return i;
}

static cuzk_status read_randomness(json_t *j, void *out, cuzk_error *err)
{
    return json_read_hex(j, ((test_case_t *)out)->statement.randomness, 32, err);
}

static cuzk_status read_comm_r(json_t *j, void *out, cuzk_error *err)
{
    return json_read_hex(j, ((cuzk_sector *)out)->comm_r, 32, err);
}

static cuzk_status read_number(json_t *j, void *out, cuzk_error *err)
{
    return json_read_u64(j, &((cuzk_sector *)out)->number, UINT64_MAX, err);
}

static cuzk_status read_sector(json_t *j, size_t index, void *out, cuzk_error *err)
{
    static const json_field_t fields[] = {{"comm_r", read_comm_r, JSON_REQUIRED},
                                          {"sector_number", read_number, JSON_REQUIRED}};

    return json_read_object(j, fields, 2, &((test_case_t *)out)->sectors[index], err);
}

static cuzk_status read_sectors(json_t *j, void *out, cuzk_error *err)
{
    test_case_t *golden = out;

    return json_read_array(j, read_sector, golden, 1, CASE_SECTORS, &golden->statement.n_sectors,
                           err);
}

static cuzk_status read_leaf(json_t *j, size_t index, void *out, cuzk_error *err)
{
    return json_read_u64(j, (uint64_t *)out + index, UINT64_MAX, err);
}

typedef struct {
    uint64_t *leaves;
    size_t n;
} leaves_t;

static cuzk_status read_leaves(json_t *j, void *out, cuzk_error *err)
{
    leaves_t *leaves = out;

    return json_read_array(j, read_leaf, leaves->leaves, 1, CASE_CHALLENGES, &leaves->n, err);
}

static cuzk_status read_sector_challenges(json_t *j, size_t index, void *out, cuzk_error *err)
{
    static const json_field_t fields[] = {{"challenges", read_leaves, JSON_REQUIRED}};
    test_case_t *golden = out;
    leaves_t leaves = {.leaves = golden->challenges[index]};
    const cuzk_status status = json_read_object(j, fields, 1, &leaves, err);

    golden->n_challenges = leaves.n;
    return status;
}

static cuzk_status read_challenges(json_t *j, void *out, cuzk_error *err)
{
    return json_read_array(j, read_sector_challenges, out, 1, CASE_SECTORS, NULL, err);
}

static cuzk_status read_case(json_t *j, void *out, cuzk_error *err)
{
    static const json_field_t fields[] = {{"randomness", read_randomness, JSON_REQUIRED},
                                          {"sectors", read_sectors, JSON_REQUIRED},
                                          {"challenges", read_challenges, JSON_REQUIRED}};

    return json_read_object(j, fields, 3, out, err);
}

static uint8_t *read_text(size_t *length, const char *name, const char *file)
{
    char path[PATH_MAX];
    cuzk_error err;
    uint8_t *text;

    (void)snprintf(path, sizeof path, "%s/tests/golden/%s/%s", CUZK_SOURCE_DIR, name, file);
    if (file_read(&text, length, path, MAX_FILE_BYTES, &err) != CUZK_OK) fail_msg("%s", err.text);
    return text;
}

static void read_json(const char *name, const char *file, json_reader read, test_case_t *golden)
{
    size_t length;
    uint8_t *text = read_text(&length, name, file);
    cuzk_error err;

    if (json_read(file, text, length, read, golden, &err) != CUZK_OK) fail_msg("%s", err.text);
    free(text);
}

void test_case_open(test_case_t *golden, const char *name)
{
    cuzk_error err;
    size_t length;
    uint8_t *text = read_text(&length, name, "vanilla.json");

    memset(golden, 0, sizeof *golden);
    golden->name = name;
    golden->statement.sectors = golden->sectors;
    golden->statement.registered_proof = test_case_numbers[test_case_index(name)];
    assert_true(post_config_by_number(&golden->config, golden->statement.registered_proof));
    read_json(name, "case.json", read_case, golden);
    if (vanilla_list_read(&golden->vanilla, "vanilla.json", text, length, CASE_SECTORS, &err) !=
        CUZK_OK)
        fail_msg("%s", err.text);
    free(text);
}

void test_case_close(test_case_t *golden)
{
    vanilla_list_clear(&golden->vanilla);
}
