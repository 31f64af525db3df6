/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/engine_cases.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "codec/json.h"

#define EMBEDDED(name) extern const uint8_t name[], name##_end[]
EMBEDDED(engine_case_porep);
EMBEDDED(engine_case_update);
EMBEDDED(engine_case_winning);
EMBEDDED(engine_case_window);

enum { MAX_ITEMS = 16, MINER = 1000 };

/* The fields of tests/golden/NAME-2KiB/case.json. */
static const struct {
    const char *name;
    cuzk_kind kind;
    uint32_t registered_proof;
    uint64_t sector_number;
    const char *randomness, *comm_r_old, *comm_r_new, *comm_d_new; /* hex, or NULL */
    const uint8_t *text, *end;
} rows[ENGINE_CASES] = {
    {.name = "porep",
     .kind = CUZK_POREP,
     .registered_proof = 5,
     .sector_number = 100,
     .text = engine_case_porep,
     .end = engine_case_porep_end},
    {.name = "update",
     .kind = CUZK_UPDATE,
     .comm_r_old = "7d57e697ed05b901143eae8815a53b3fb6f12523ff2067093fa9c235d6cdb06e",
     .comm_r_new = "34ffd2cd0dd6886b194918ae0b9296edeb80c773583b85ce5a25e53379bf5971",
     .comm_d_new = "8668c50d9f7b3a47f203d6cc7c797767e3580bfa34d8073bc6637f6a89821b26",
     .text = engine_case_update,
     .end = engine_case_update_end},
    {.name = "winning",
     .kind = CUZK_WINNING_POST,
     .randomness = "d9d80c75cbc8d7b23c7bd2cffe1b69811ad1b09217c22d9e75417ac22f04050b",
     .text = engine_case_winning,
     .end = engine_case_winning_end},
    {.name = "window",
     .kind = CUZK_WINDOW_POST,
     .registered_proof = 10,
     .randomness = "543c291fdc78e4efbcfd85ff1fba82dc47f61f8a405df1463f204996ab22d21f",
     .text = engine_case_window,
     .end = engine_case_window_end},
};

static void set_bytes(uint8_t bytes[32], const char *hex)
{
    if (hex != NULL) (void)bytes_from_hex(bytes, 32, hex, 64);
}

static cuzk_status read_list(engine_case_t *c, size_t length, cuzk_error *err)
{
    const cuzk_status st = vanilla_list_read(&c->vanilla, c->name, c->text, length, MAX_ITEMS, err);

    if (st != CUZK_OK) return st;
    c->request.inputs = c->vanilla.items;
    c->request.n_inputs = c->vanilla.n;
    return CUZK_OK;
}

cuzk_status engine_case_open(engine_case_t *c, int i, cuzk_error *err)
{
    const size_t length = (size_t)(rows[i].end - rows[i].text);
    cuzk_status st = CUZK_OK;

    *c = (engine_case_t){.name = rows[i].name};
    c->text = mem_alloc(length + JSON_PADDING, 1, c->name, err);
    if (c->text == NULL) return err->status;
    memcpy(c->text, rows[i].text, length);
    c->request = (cuzk_request){.struct_size = sizeof c->request,
                                .kind = rows[i].kind,
                                .registered_proof = rows[i].registered_proof,
                                .miner_id = MINER,
                                .sector_number = rows[i].sector_number,
                                .inputs = &c->c1,
                                .n_inputs = 1,
                                .partition = CUZK_ALL_PARTITIONS};
    set_bytes(c->request.randomness, rows[i].randomness);
    set_bytes(c->request.comm_r_old, rows[i].comm_r_old);
    set_bytes(c->request.comm_r_new, rows[i].comm_r_new);
    set_bytes(c->request.comm_d_new, rows[i].comm_d_new);
    c->c1 = (cuzk_bytes){c->text, length};
    if (rows[i].kind != CUZK_POREP) st = read_list(c, length, err);
    if (st != CUZK_OK) engine_case_clear(c);
    return st;
}

void engine_case_clear(engine_case_t *c)
{
    vanilla_list_clear(&c->vanilla);
    free(c->text);
    *c = (engine_case_t){0};
}
