/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "porep/test_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "codec/base64.h"
#include "codec/json.h"

enum { MAX_FILE = 1 << 24 };

static cuzk_status read_name(json_t *j, void *out, cuzk_error *err)
{
    porep_case_t *c = out;
    char name[64];

    if (json_copy_string(j, name, sizeof name, err) != CUZK_OK) return err->status;
    const porep_config_t *config = porep_config_by_name(name, strlen(name));
    if (config == NULL) return json_error(j, err, "unknown");
    c->statement.registered_proof = config->number;
    return CUZK_OK;
}

static cuzk_status read_miner(json_t *j, void *out, cuzk_error *err)
{
    return json_read_u64(j, &((porep_case_t *)out)->statement.miner_id, UINT64_MAX, err);
}

static cuzk_status read_sector(json_t *j, void *out, cuzk_error *err)
{
    return json_read_u64(j, &((porep_case_t *)out)->statement.sector_number, UINT64_MAX, err);
}

static cuzk_status read_ticket(json_t *j, void *out, cuzk_error *err)
{
    return json_read_hex(j, ((porep_case_t *)out)->statement.ticket, 32, err);
}

static cuzk_status read_comm_d(json_t *j, void *out, cuzk_error *err)
{
    return json_read_hex(j, ((porep_case_t *)out)->statement.comm_d, 32, err);
}

static cuzk_status read_comm_r(json_t *j, void *out, cuzk_error *err)
{
    return json_read_hex(j, ((porep_case_t *)out)->statement.comm_r, 32, err);
}

static cuzk_status read_seed(json_t *j, void *out, cuzk_error *err)
{
    return json_read_hex(j, ((porep_case_t *)out)->statement.seed, 32, err);
}

static cuzk_status read_fr(json_t *j, fr_t *value, cuzk_error *err)
{
    uint8_t bytes[FR_BYTES];

    if (json_read_hex(j, bytes, sizeof bytes, err) != CUZK_OK) return err->status;
    return fr_from_bytes(value, bytes) ? CUZK_OK : json_error(j, err, "too large");
}

static cuzk_status read_replica_id(json_t *j, void *out, cuzk_error *err)
{
    return read_fr(j, &((porep_case_t *)out)->replica_id, err);
}

static cuzk_status read_input(json_t *j, size_t index, void *out, cuzk_error *err)
{
    porep_case_t *c = out;

    c->n_inputs = (uint32_t)index + 1;
    return read_fr(j, &c->inputs[(c->n_partitions - 1) * 39 + index], err);
}

static cuzk_status read_row(json_t *j, size_t index, void *out, cuzk_error *err)
{
    ((porep_case_t *)out)->n_partitions = (uint32_t)index + 1;
    return json_read_array(j, read_input, out, 39, 39, NULL, err); /* of two challenges */
}

static cuzk_status read_rows(json_t *j, void *out, cuzk_error *err)
{
    return json_read_array(j, read_row, out, 1, 13, NULL, err);
}

static cuzk_status read_case(json_t *j, void *out, cuzk_error *err)
{
    static const json_field_t fields[] = {
        {"registered_seal_proof", read_name, JSON_REQUIRED},
        {"miner_id", read_miner, JSON_REQUIRED},
        {"sector_number", read_sector, JSON_REQUIRED},
        {"ticket", read_ticket, JSON_REQUIRED},
        {"comm_d", read_comm_d, JSON_REQUIRED},
        {"comm_r", read_comm_r, JSON_REQUIRED},
        {"seed", read_seed, JSON_REQUIRED},
        {"replica_id", read_replica_id, JSON_REQUIRED},
        {"public_inputs", read_rows, JSON_REQUIRED},
    };
    return json_read_object(j, fields, sizeof fields / sizeof *fields, out, err);
}

static void load(uint8_t **bytes, size_t *length, const char *name, const char *file)
{
    char path[PATH_MAX];
    cuzk_error err;

    (void)snprintf(path, sizeof path, "%s/tests/golden/%s/%s", CUZK_SOURCE_DIR, name, file);
    if (file_read(bytes, length, path, MAX_FILE, &err) != CUZK_OK) fail_msg("%s", err.text);
}

void porep_case_load(porep_case_t *c, const char *name)
{
    uint8_t *text;
    size_t length;
    cuzk_error err;

    *c = (porep_case_t){.inputs = calloc(13 * 39, sizeof(fr_t))};
    assert_non_null(c->inputs);
    load(&text, &length, name, "case.json");
    if (json_read(name, text, length, read_case, c, &err) != CUZK_OK) fail_msg("%s", err.text);
    free(text);
    load(&c->c1, &c->c1_length, name, "c1.json");
}

void porep_case_clear(porep_case_t *c)
{
    free(c->inputs);
    free(c->c1);
}

void porep_case_read(porep_c1_t *c1, const char *name, arena_t *arena)
{
    porep_case_t c;
    cuzk_error err;

    porep_case_load(&c, name);
    if (porep_c1_read(c1, name, (cuzk_bytes){c.c1, c.c1_length}, NULL, arena, &err) != CUZK_OK)
        fail_msg("%s", err.text);
    porep_case_clear(&c);
}

typedef struct {
    char *bytes;
    size_t n, spare;
} inner_t;

static cuzk_status read_inner(json_t *j, void *out, cuzk_error *err)
{
    inner_t *inner = out;
    const char *text;
    size_t n;

    if (json_read_string(j, &text, &n, err) != CUZK_OK) return err->status;
    inner->bytes = calloc(1, base64_room(n) + JSON_PADDING + inner->spare);
    assert_non_null(inner->bytes);
    return base64_read((uint8_t *)inner->bytes, &inner->n, text, n, "Phase1Out", err);
}

static cuzk_status read_wrapper(json_t *j, void *out, cuzk_error *err)
{
    static const json_field_t fields[] = {{"Phase1Out", read_inner, JSON_REQUIRED}};

    return json_read_object(j, fields, 1, out, err);
}

char *porep_case_inner(const porep_case_t *c, size_t *length, size_t spare)
{
    inner_t inner = {.spare = spare};
    cuzk_error err;

    if (json_read("c1.json", c->c1, c->c1_length, read_wrapper, &inner, &err) != CUZK_OK) {
        fail_msg("%s", err.text);
    }
    *length = inner.n;
    return inner.bytes;
}
