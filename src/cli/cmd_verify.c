/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/output.h"

typedef struct {
    selection_t selection;
    const char *miner_id;
    option_u64_t sector_number;
    option_bytes32_t randomness;
    option_texts_t sectors;
    const char *comm_r;
    const char *comm_d;
    option_bytes32_t ticket;
    option_bytes32_t seed;
    const char *comm_r_old;
    const char *comm_r_new;
    const char *comm_d_new;
    const char *proof;
    const char *params;
    option_u32_t threads;
    bool hex;
    bool json;
} verify_options_t;

static const option_row_t rows[] = {
    SELECTION_ROWS(verify_options_t, selection),
    MINER_ROW(verify_options_t, miner_id),
    SECTOR_NUMBER_ROW(verify_options_t, sector_number),
    RANDOMNESS_ROW(verify_options_t, randomness),
    {"--sector", "NUMBER:COMM_R", "PoSt: a sector; once for each, in any order",
     offsetof(verify_options_t, sectors), 0, 0, OPTION_TEXTS},
    COMMITMENT_ROW("--comm-r", "porep: of the replica", verify_options_t, comm_r),
    COMMITMENT_ROW("--comm-d", "porep: of the data", verify_options_t, comm_d),
    {"--ticket", "HEX", "porep: 32 bytes", offsetof(verify_options_t, ticket), 0, 0,
     OPTION_BYTES32},
    {"--seed", "HEX", "porep: 32 bytes (not for the non-interactive kind)",
     offsetof(verify_options_t, seed), 0, 0, OPTION_BYTES32},
    COMMITMENT_ROW("--comm-r-old", "update: of the sector before", verify_options_t, comm_r_old),
    COMMITMENT_ROW("--comm-r-new", "update: of the sector after", verify_options_t, comm_r_new),
    COMMITMENT_ROW("--comm-d-new", "update: of the new data", verify_options_t, comm_d_new),
    {"--proof", "FILE", "the proof, - for stdin", offsetof(verify_options_t, proof), 0, 0,
     OPTION_TEXT},
    {"--hex", NULL, "the proof is hex text", offsetof(verify_options_t, hex), 0, 0, OPTION_FLAG},
    PARAMS_ROW(verify_options_t, params),
    {"--json", NULL, "print {\"valid\":true} or false", offsetof(verify_options_t, json), 0, 0,
     OPTION_FLAG},
    THREADS_ROW(verify_options_t, threads),
};

static int run(int argc, char **argv);

const options_command_t command_verify = {
    .name = "verify",
    .summary = "verify a proof; exit code 1 when it is not valid",
    .arguments = "KIND",
    .n_arguments = 1,
    .rows = rows,
    .n_rows = sizeof rows / sizeof rows[0],
    .notes = "  verify porep   --registered-proof N|NAME --comm-r C --comm-d C --miner-id N\n"
             "                 --sector-number N --ticket HEX --seed HEX --proof FILE\n"
             "  verify update  --sector-size SIZE --comm-r-old C --comm-r-new C --comm-d-new C\n"
             "                 --proof FILE\n"
             "  verify winning --sector-size SIZE --miner-id N --randomness HEX\n"
             "                 --sector NUMBER:COMM_R --proof FILE\n"
             "  verify window  (as winning, --sector once for each)\n\n"
             "Reads the circuit's .vk file only.",
    .run = run,
};

/* Which options each kind wants; a bit a kind. */
enum { P = 1 << KIND_POREP, U = 1 << KIND_UPDATE, T = 1 << KIND_WINNING | 1 << KIND_WINDOW };

static cuzk_status check_options(const verify_options_t *o, const registered_proof_t *proof,
                                 bool needs_seed, cuzk_error *err)
{
    const struct {
        const char *name;
        bool given;
        unsigned kinds;
    } all[] = {
        {"--miner-id", o->miner_id != NULL, P | T}, {"--sector-number", o->sector_number.given, P},
        {"--randomness", o->randomness.given, T},   {"--sector", o->sectors.n > 0, T},
        {"--comm-r", o->comm_r != NULL, P},         {"--comm-d", o->comm_d != NULL, P},
        {"--ticket", o->ticket.given, P},           {"--seed", o->seed.given, needs_seed ? P : 0},
        {"--comm-r-old", o->comm_r_old != NULL, U}, {"--comm-r-new", o->comm_r_new != NULL, U},
        {"--comm-d-new", o->comm_d_new != NULL, U}, {"--proof", o->proof != NULL, P | U | T},
    };
    const circuit_kind kind = proof->row->kind;

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        const bool optional = !needs_seed && strcmp(all[i].name, "--seed") == 0;
        cuzk_status st = CUZK_OK;

        if (all[i].kinds >> kind & 1)
            st = require_option(all[i].given, all[i].name, err);
        else if (!optional || kind != KIND_POREP)
            st = refuse_option(all[i].given, all[i].name, kind, err);
        if (st != CUZK_OK) return st;
    }
    return CUZK_OK;
}

/* "NUMBER:COMM_R" */
static cuzk_status parse_sector(cuzk_sector *sector, const char *text, cuzk_error *err)
{
    const char *colon = strchr(text, ':');
    char number[24] = "";

    if (colon == NULL)
        return error_set(err, CUZK_ERR_ARG, "--sector: \"%s\" is not NUMBER:COMM_R", text);
    if ((size_t)(colon - text) < sizeof number) memcpy(number, text, (size_t)(colon - text));
    if (!option_parse_u64(&sector->number, number, UINT64_MAX))
        return error_set(err, CUZK_ERR_ARG,
                         "--sector: \"%s\": the number is not a whole number below 2^64", text);
    const cuzk_status st = parse_commitment(sector->comm_r, true, colon + 1, "comm_r", err);
    return st == CUZK_OK ? st : error_within(err, "--sector %s", number);
}

static cuzk_status verify_post(cuzk_context *context, const registered_proof_t *proof,
                               const verify_options_t *o, cuzk_bytes bytes, cuzk_error *err)
{
    cuzk_post_statement statement = {.registered_proof = proof->number, .n_sectors = o->sectors.n};
    cuzk_sector *sectors = small_alloc(o->sectors.n, sizeof *sectors);

    memcpy(statement.randomness, o->randomness.bytes, sizeof statement.randomness);
    statement.sectors = sectors;
    cuzk_status st = parse_miner(&statement.miner_id, o->miner_id, err);
    for (uint32_t i = 0; i < o->sectors.n && st == CUZK_OK; i++)
        st = parse_sector(&sectors[i], o->sectors.items[i], err);
    if (st == CUZK_OK) st = cuzk_verify_post(context, &statement, bytes.bytes, bytes.length, err);
    free(sectors);
    return st;
}

static cuzk_status verify_porep(cuzk_context *context, const registered_proof_t *proof,
                                const verify_options_t *o, cuzk_bytes bytes, cuzk_error *err)
{
    cuzk_porep_statement statement = {.registered_proof = proof->number,
                                      .sector_number = o->sector_number.value};

    memcpy(statement.ticket, o->ticket.bytes, sizeof statement.ticket);
    memcpy(statement.seed, o->seed.bytes, sizeof statement.seed);
    cuzk_status st = parse_miner(&statement.miner_id, o->miner_id, err);
    if (st == CUZK_OK) st = parse_commitment(statement.comm_r, true, o->comm_r, "--comm-r", err);
    if (st == CUZK_OK) st = parse_commitment(statement.comm_d, false, o->comm_d, "--comm-d", err);
    if (st == CUZK_OK) st = cuzk_verify_porep(context, &statement, bytes.bytes, bytes.length, err);
    return st;
}

static cuzk_status verify_update(cuzk_context *context, const registered_proof_t *proof,
                                 const verify_options_t *o, cuzk_bytes bytes, cuzk_error *err)
{
    cuzk_update_statement statement;

    const cuzk_status st =
        parse_update(&statement, proof->number, o->comm_r_old, o->comm_r_new, o->comm_d_new, err);
    return st == CUZK_OK ? cuzk_verify_update(context, &statement, bytes.bytes, bytes.length, err)
                         : st;
}

static cuzk_status verify_with(cuzk_context *context, const registered_proof_t *proof,
                               const verify_options_t *o, cuzk_error *err)
{
    cuzk_bytes bytes;
    uint8_t *read;

    cuzk_status st = input_proof(&read, &bytes.length, o->proof, o->hex, err);
    if (st != CUZK_OK) return st;
    bytes.bytes = read;
    if (proof->row->kind == KIND_POREP)
        st = verify_porep(context, proof, o, bytes, err);
    else if (proof->row->kind == KIND_UPDATE)
        st = verify_update(context, proof, o, bytes, err);
    else
        st = verify_post(context, proof, o, bytes, err);
    free(read);
    return st;
}

static cuzk_status verify(const verify_options_t *o, const char *word, cuzk_error *err)
{
    const cuzk_options options = {
        .params_folder = o->params, .params_source = "--params", .threads = o->threads.value};
    cuzk_context *context = NULL;
    registered_proof_t proof;
    circuit_kind kind;

    cuzk_status st = select_kind(&kind, "KIND", word, P | U | T, err);
    if (st == CUZK_OK) st = select_proof(&proof, &o->selection, kind, err);
    if (st == CUZK_OK)
        st = check_options(o, &proof, strstr(proof.name, "NonInteractive") == NULL, err);
    if (st == CUZK_OK) st = cuzk_open(&context, &options, err);
    if (st == CUZK_OK) st = verify_with(context, &proof, o, err);
    cuzk_close(context);
    return st;
}

static int run(int argc, char **argv)
{
    verify_options_t o = {0};
    const char *word;
    cuzk_error err;
    bool help;

    cuzk_status st = options_parse(&command_verify, &o, &word, &help, argc, argv, &err);
    if (help) {
        options_print_help("cuzk", &command_verify);
        return 0;
    }
    if (st == CUZK_OK) st = verify(&o, word, &err);
    options_clear(&command_verify, &o);
    if (o.json && (st == CUZK_OK || st == CUZK_INVALID_PROOF))
        (void)printf("{\"valid\":%s}\n", st == CUZK_OK ? "true" : "false");
    else if (st == CUZK_OK)
        (void)puts("valid");
    return finish("verify", st, &err);
}
