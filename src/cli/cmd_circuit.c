/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdio.h>

#include "base/bytes.h"
#include "cli/commands.h"
#include "cli/select.h"
#include "cuzk/describe.h"

typedef struct {
    selection_t selection;
    option_u32_t block;
    option_u32_t threads;
    bool json;
} circuit_options_t;

static const option_row_t rows[] = {
    SELECTION_ROWS(circuit_options_t, selection),
    {"--block", "N", "constraints a block digest covers (default 4096)",
     offsetof(circuit_options_t, block), 1, UINT32_MAX, OPTION_U32},
    {"--json", NULL, "one JSON object, block digests included", offsetof(circuit_options_t, json),
     0, 0, OPTION_FLAG},
    THREADS_ROW(circuit_options_t, threads),
};

static int run(int argc, char **argv);

const options_command_t command_circuit = {
    .name = "circuit",
    .summary = "count and digest the constraints of a circuit",
    .arguments = "KIND",
    .n_arguments = 1,
    .words = KIND_WORDS,
    .rows = rows,
    .n_rows = sizeof rows / sizeof rows[0],
    .notes =
        "KIND: porep, update, winning or window. The digests are those of docs/formats.md.\n"
        "Circuits of 32GiB and 64GiB have some 130 million constraints: minutes, little memory.",
    .run = run,
};

static void print_text(const cuzk_circuit_info *c, const cuzk_proof_info *proof)
{
    char digest[2 * sizeof c->r1cs_sha256 + 1];

    bytes_to_hex(digest, c->r1cs_sha256, sizeof c->r1cs_sha256);
    (void)printf("circuit       %s %s\n", cuzk_kind_name(proof->kind), proof->sector_size);
    (void)printf("constraints   %llu (domain 2^%u)\n", (unsigned long long)c->n_constraints,
                 c->lg_domain);
    (void)printf("variables     %u inputs, %u auxiliary\n", c->n_inputs, c->n_aux);
    (void)printf("non-zeros     A %llu, B %llu, C %llu\n", (unsigned long long)c->nonzero_a,
                 (unsigned long long)c->nonzero_b, (unsigned long long)c->nonzero_c);
    (void)printf("densities     A %llu aux; B %llu inputs, %llu aux\n",
                 (unsigned long long)c->a_aux, (unsigned long long)c->b_input,
                 (unsigned long long)c->b_aux);
    (void)printf("parameter id  %s\n", proof->parameter_id);
    (void)printf("r1cs sha256   %s\n", digest);
}

#define LONG_SECTOR_BYTES ((uint64_t)1 << 35) /* from here on it takes a minute */

static cuzk_status describe(const circuit_options_t *o, const cuzk_proof_info *proof,
                            cuzk_engine *engine, cuzk_error *err)
{
    cuzk_circuit_info info = {.struct_size = sizeof info};
    char *json = NULL;

    if (proof->sector_bytes >= LONG_SECTOR_BYTES && proof->kind != CUZK_WINNING_POST)
        (void)fprintf(stderr, "cuzk circuit: digesting %s, a minute or so\n", proof->circuit);
    const cuzk_status st = cuzk_describe_circuit(engine, proof->circuit, o->block.value, &info,
                                                 o->json ? &json : NULL, err);
    if (st != CUZK_OK) return st;
    if (o->json)
        (void)puts(json);
    else
        print_text(&info, proof);
    cuzk_bytes_free(json);
    return CUZK_OK;
}

static int run(int argc, char **argv)
{
    circuit_options_t o = {0};
    cuzk_engine *engine = NULL;
    cuzk_proof_info proof;
    cuzk_kind kind;
    const char *word;
    cuzk_error err;
    bool help;

    cuzk_status st = options_parse(&command_circuit, &o, &word, &help, argc, argv, &err);
    if (help) {
        options_print_help("cuzk", &command_circuit);
        return 0;
    }
    if (st == CUZK_OK) st = cuzk_kind_from_text(word, "KIND", &kind, &err);
    if (st == CUZK_OK) st = select_proof(&proof, &o.selection, kind, &err);
    const cuzk_engine_options options = {.struct_size = sizeof options, .threads = o.threads.value};
    if (st == CUZK_OK) st = cuzk_engine_open(&engine, &options, &err);
    if (st == CUZK_OK) st = describe(&o, &proof, engine, &err);
    cuzk_engine_close(engine);
    return finish("circuit", st, &err);
}
