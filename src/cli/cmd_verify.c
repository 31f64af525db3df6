/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/output.h"
#include "cli/shown.h"
#include "codec/json_write.h"
#include "cuzk/network.h"
#include "cuzk/setup.h"

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
    bool require_public;
    bool json;
} verify_options_t;

static const option_row_t rows[] = {
    SELECTION_ROWS(verify_options_t, selection),
    MINER_ROW(verify_options_t, miner_id),
    SECTOR_NUMBER_ROW(verify_options_t, sector_number),
    RANDOMNESS_ROW(verify_options_t, randomness),
    {"--sector", "NUMBER:COMM_R", "PoSt: a sector; once for each, in any order (again counts once)",
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
    {"--require-public", NULL, "refuse a key that is not the public network's",
     offsetof(verify_options_t, require_public), 0, 0, OPTION_FLAG},
    {"--json", NULL, "print {\"valid\":true} or false, and the key",
     offsetof(verify_options_t, json), 0, 0, OPTION_FLAG},
    THREADS_ROW(verify_options_t, threads),
};

static int run(int argc, char **argv);

const options_command_t command_verify = {
    .name = "verify",
    .summary = "verify a proof; exit code 1 when it is not valid",
    .arguments = "KIND",
    .n_arguments = 1,
    .words = KIND_WORDS,
    .rows = rows,
    .n_rows = sizeof rows / sizeof rows[0],
    .notes =
        "  verify porep   --registered-proof N|NAME --comm-r C --comm-d C --miner-id N\n"
        "                 --sector-number N --ticket HEX --seed HEX --proof FILE\n"
        "  verify update  --sector-size SIZE --comm-r-old C --comm-r-new C --comm-d-new C\n"
        "                 --proof FILE\n"
        "  verify winning --sector-size SIZE --miner-id N --randomness HEX\n"
        "                 --sector NUMBER:COMM_R --proof FILE\n"
        "  verify window  (as winning, --sector once for each)\n\n"
        "Reads the circuit's .vk file only, and says which it was and whether it is the public\n"
        "network's: by its published digest.",
    .run = run,
};

/* Which options each kind wants; a bit a kind. */
enum {
    P = 1 << CUZK_POREP,
    U = 1 << CUZK_UPDATE,
    T = 1 << CUZK_WINNING_POST | 1 << CUZK_WINDOW_POST
};

static cuzk_status check_options(const verify_options_t *o, const cuzk_proof_info *proof,
                                 cuzk_error *err)
{
    const bool needs_seed = proof->has_seed || proof->kind != CUZK_POREP;
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
    const cuzk_kind kind = proof->kind;

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        const bool optional = !needs_seed && strcmp(all[i].name, "--seed") == 0;
        cuzk_status st = CUZK_OK;

        if (all[i].kinds >> kind & 1)
            st = require_option(all[i].given, all[i].name, err);
        else if (!optional || kind != CUZK_POREP)
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
    const cuzk_status st = parse_commitment(sector->comm_r, CUZK_COMM_R, colon + 1, "comm_r", err);
    return st == CUZK_OK ? st : error_within(err, "--sector %s", number);
}

/* *sectors is released with free(), also after an error. */
static cuzk_status state_post(cuzk_post_statement *of, cuzk_sector **sectors,
                              const verify_options_t *o, cuzk_error *err)
{
    *sectors = mem_alloc(o->sectors.n, sizeof **sectors, "sectors", err);
    if (*sectors == NULL) return err->status;
    of->sectors = *sectors;
    of->n_sectors = o->sectors.n;
    cuzk_status st = parse_randomness(of->randomness, &o->randomness, err);
    if (st == CUZK_OK) st = parse_miner(&of->miner_id, o->miner_id, err);
    for (uint32_t i = 0; i < o->sectors.n && st == CUZK_OK; i++)
        st = parse_sector(&(*sectors)[i], o->sectors.items[i], err);
    return st;
}

static cuzk_status state_porep(cuzk_porep_statement *of, const verify_options_t *o, cuzk_error *err)
{
    of->sector_number = o->sector_number.value;
    memcpy(of->ticket, o->ticket.bytes, sizeof of->ticket);
    memcpy(of->seed, o->seed.bytes, sizeof of->seed);
    cuzk_status st = parse_miner(&of->miner_id, o->miner_id, err);
    if (st == CUZK_OK) st = parse_commitment(of->comm_r, CUZK_COMM_R, o->comm_r, "--comm-r", err);
    if (st == CUZK_OK) st = parse_commitment(of->comm_d, CUZK_COMM_D, o->comm_d, "--comm-d", err);
    return st;
}

static cuzk_status state_update(cuzk_update_statement *of, const verify_options_t *o,
                                cuzk_error *err)
{
    cuzk_status st =
        parse_commitment(of->comm_r_old, CUZK_COMM_R, o->comm_r_old, "--comm-r-old", err);
    if (st == CUZK_OK)
        st = parse_commitment(of->comm_r_new, CUZK_COMM_R, o->comm_r_new, "--comm-r-new", err);
    if (st == CUZK_OK)
        st = parse_commitment(of->comm_d_new, CUZK_COMM_D, o->comm_d_new, "--comm-d-new", err);
    return st;
}

static cuzk_status state(cuzk_statement *statement, cuzk_sector **sectors,
                         const cuzk_proof_info *proof, const verify_options_t *o, cuzk_error *err)
{
    *statement = (cuzk_statement){.struct_size = sizeof *statement, .kind = proof->kind};
    if (proof->kind == CUZK_POREP) {
        statement->of.porep.registered_proof = proof->registered_proof;
        return state_porep(&statement->of.porep, o, err);
    }
    if (proof->kind == CUZK_UPDATE) {
        statement->of.update.registered_proof = proof->registered_proof;
        return state_update(&statement->of.update, o, err);
    }
    statement->of.post.registered_proof = proof->registered_proof;
    return state_post(&statement->of.post, sectors, o, err);
}

/* The key that a proof is verified under. */
typedef struct {
    char *path; /* released with cuzk_bytes_free() */
    bool is_public;
} used_key_t;

static cuzk_status find_key(used_key_t *key, const cuzk_proof_info *proof,
                            const verify_options_t *o, cuzk_error *err)
{
    cuzk_status st = cuzk_params_path(o->params, proof->circuit, "vk", &key->path, err);

    if (st == CUZK_OK)
        st = cuzk_public_file_match(key->path, &key->is_public, NULL, NULL, NULL, err);
    if (st == CUZK_ERR_MISSING)
        return CUZK_OK; /* the engine says so, and where the folder is from */
    if (st != CUZK_OK || key->is_public || !o->require_public) return st;
    return error_set(err, CUZK_ERR_ARG, "--require-public: %s: not the public network's key",
                     key->path);
}

static void print_outcome(bool is_valid, const used_key_t *key, bool json)
{
    json_writer_t w;

    if (!json) {
        (void)puts("valid");
        (void)fprintf(stderr, "cuzk verify: by %s, %sthe public network's key\n", shown(key->path),
                      key->is_public ? "" : "not ");
        return;
    }
    json_writer_init(&w, JSON_ONE_LINE);
    json_write_object(&w, NULL);
    json_write_bool(&w, "valid", is_valid);
    json_write_string(&w, "key", key->path);
    json_write_bool(&w, "key_is_public", key->is_public);
    json_write_end(&w);
    (void)puts(json_writer_text(&w));
    json_writer_clear(&w);
}

/* What is said of the proof is said of its file. */
static cuzk_status name_file(const char *path, cuzk_error *err)
{
    if (strncmp(err->text, "proof", strlen("proof")) != 0) return err->status;
    return error_within(err, "%s", strcmp(path, "-") == 0 ? "standard input" : path);
}

static cuzk_status verify_with(cuzk_engine *engine, const cuzk_proof_info *proof,
                               const verify_options_t *o, cuzk_error *err)
{
    cuzk_sector *sectors = NULL;
    cuzk_statement statement;
    uint8_t *bytes = NULL;
    size_t length = 0;

    cuzk_status st = state(&statement, &sectors, proof, o, err);
    if (st == CUZK_OK) st = input_proof(&bytes, &length, o->proof, o->hex, err);
    if (st == CUZK_OK && cuzk_verify(engine, &statement, bytes, length, err) != CUZK_OK)
        st = name_file(o->proof, err);
    free(sectors);
    free(bytes);
    return st;
}

static cuzk_status verify(const verify_options_t *o, const char *word, cuzk_error *err)
{
    const cuzk_engine_options options = {.struct_size = sizeof options,
                                         .params_folder = o->params,
                                         .params_source = "--params",
                                         .log = print_warning,
                                         .threads = o->threads.value};
    cuzk_engine *engine = NULL;
    cuzk_proof_info proof;
    used_key_t key = {0};
    cuzk_kind kind;

    cuzk_status st = cuzk_kind_from_text(word, "KIND", &kind, err);
    if (st == CUZK_OK) st = select_proof(&proof, &o->selection, kind, err);
    if (st == CUZK_OK) st = check_options(o, &proof, err);
    if (st == CUZK_OK) st = find_key(&key, &proof, o, err);
    if (st == CUZK_OK) st = cuzk_engine_open(&engine, &options, err);
    if (st == CUZK_OK) st = verify_with(engine, &proof, o, err);
    cuzk_engine_close(engine);
    if (st == CUZK_OK || (o->json && st == CUZK_INVALID_PROOF))
        print_outcome(st == CUZK_OK, &key, o->json);
    cuzk_bytes_free(key.path);
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
    return finish("verify", st, &err);
}
