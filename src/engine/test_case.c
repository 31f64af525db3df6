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
#include "engine/test_case.h"

enum { MAX_FILE_BYTES = 1 << 20, MAX_ITEMS = 16 };

static cuzk_status read_comm_r(json_t *j, void *out, cuzk_error *err)
{
    return json_read_hex(j, ((cuzk_sector *)out)->comm_r, CUZK_COMMITMENT_BYTES, err);
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
    test_case_t *c = out;

    return json_read_array(j, read_sector, c, 1, TEST_CASE_SECTORS, &c->n_sectors, err);
}

static cuzk_status read_kind(json_t *j, void *out, cuzk_error *err)
{
    static const char *const names[] = {"porep", "update", "window", "winning"};
    test_case_t *c = out;
    char name[16];

    const cuzk_status st = json_copy_string(j, name, sizeof name, err);
    for (int i = 0; i < 4; i++)
        if (st == CUZK_OK && strcmp(name, names[i]) == 0) c->request.kind = (cuzk_kind)(i + 1);
    return st;
}

#define NUMBER(function, type, field, most)                                                        \
    static cuzk_status function(json_t *j, void *out, cuzk_error *err)                             \
    {                                                                                              \
        uint64_t value = 0;                                                                        \
        const cuzk_status st = json_read_u64(j, &value, most, err);                                \
                                                                                                   \
        ((test_case_t *)out)->request.field = (type)value;                                         \
        return st;                                                                                 \
    }
NUMBER(read_proof, uint32_t, registered_proof, UINT32_MAX)
NUMBER(read_miner, uint64_t, miner_id, UINT64_MAX)
NUMBER(read_sector_number, uint64_t, sector_number, UINT64_MAX)

#define BYTES32(function, field)                                                                   \
    static cuzk_status function(json_t *j, void *out, cuzk_error *err)                             \
    {                                                                                              \
        return json_read_hex(j, ((test_case_t *)out)->request.field, 32, err);                     \
    }
BYTES32(read_randomness, randomness)
BYTES32(read_comm_r_old, comm_r_old)
BYTES32(read_comm_r_new, comm_r_new)
BYTES32(read_comm_d_new, comm_d_new)

static cuzk_status read_case(json_t *j, void *out, cuzk_error *err)
{
    static const json_field_t fields[] = {
        {"kind", read_kind, JSON_REQUIRED},
        {"miner_id", read_miner, JSON_REQUIRED},
        {"registered_proof", read_proof, JSON_OPTIONAL},
        {"sector_number", read_sector_number, JSON_OPTIONAL},
        {"sectors", read_sectors, JSON_OPTIONAL},
        {"randomness", read_randomness, JSON_OPTIONAL},
        {"comm_r_old", read_comm_r_old, JSON_OPTIONAL},
        {"comm_r_new", read_comm_r_new, JSON_OPTIONAL},
        {"comm_d_new", read_comm_d_new, JSON_OPTIONAL},
    };

    return json_read_object(j, fields, sizeof fields / sizeof fields[0], out, err);
}

static uint8_t *read_golden(size_t *length, const char *name, const char *file)
{
    char path[PATH_MAX];
    uint8_t *text;
    cuzk_error err;

    (void)snprintf(path, sizeof path, "%s/tests/golden/%s/%s", CUZK_SOURCE_DIR, name, file);
    if (file_read(&text, length, path, MAX_FILE_BYTES, &err) != CUZK_OK) fail_msg("%s", err.text);
    return text;
}

void test_case_open(test_case_t *c, const char *name)
{
    const bool is_porep = strncmp(name, "porep", 5) == 0;
    cuzk_error err;
    size_t length;

    *c = (test_case_t){.request = {.struct_size = sizeof c->request,
                                   .registered_proof = is_porep ? CUZK_ANY_PROOF : 0,
                                   .partition = CUZK_ALL_PARTITIONS}};
    c->text = read_golden(&length, name, "case.json");
    if (json_read("case.json", c->text, length, read_case, c, &err) != CUZK_OK)
        fail_msg("%s", err.text);
    free(c->text);
    c->text = read_golden(&length, name, is_porep ? "c1.json" : "vanilla.json");
    c->c1 = (cuzk_bytes){c->text, length};
    c->request.inputs = &c->c1;
    c->request.n_inputs = 1;
    if (is_porep) return;
    if (vanilla_list_read(&c->vanilla, "vanilla", c->text, length, MAX_ITEMS, &err) != CUZK_OK)
        fail_msg("%s", err.text);
    c->request.inputs = c->vanilla.items;
    c->request.n_inputs = c->vanilla.n;
}

void test_case_clear(test_case_t *c)
{
    vanilla_list_clear(&c->vanilla);
    free(c->text);
}

void test_case_statement(cuzk_post_statement *statement, const test_case_t *c)
{
    *statement = (cuzk_post_statement){.registered_proof = c->request.registered_proof,
                                       .miner_id = c->request.miner_id,
                                       .sectors = c->sectors,
                                       .n_sectors = c->n_sectors};
    memcpy(statement->randomness, c->request.randomness, sizeof statement->randomness);
}
