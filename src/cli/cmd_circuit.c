/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdio.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "cli/commands.h"
#include "cli/select.h"
#include "cli/shape_json.h"

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
    .rows = rows,
    .n_rows = sizeof rows / sizeof rows[0],
    .notes =
        "KIND: porep, update, winning or window. The digests are those of docs/formats.md.\n"
        "Circuits of 32GiB and 64GiB have some 130 million constraints: minutes, little memory.",
    .run = run,
};

static void print_text(const shape_t *shape, const circuit_row_t *row)
{
    const circuit_counts_t *c = &shape->counts;
    char id[PARAMETER_ID_BYTES];
    char digest[2 * SHA256_BYTES + 1];

    circuit_parameter_id(id, row);
    hex_encode(digest, shape->r1cs.all, SHA256_BYTES);
    (void)printf("circuit       %s %s\n", circuit_kind_name(row->kind), row->size_name);
    (void)printf("constraints   %llu (domain 2^%u)\n", (unsigned long long)c->n_constraints,
                 circuit_lg_domain(c));
    (void)printf("variables     %u inputs, %u auxiliary\n", c->n_inputs, c->n_aux);
    (void)printf("non-zeros     A %llu, B %llu, C %llu\n", (unsigned long long)shape->nonzero_a,
                 (unsigned long long)shape->nonzero_b, (unsigned long long)shape->nonzero_c);
    (void)printf("densities     A %llu aux; B %llu inputs, %llu aux\n",
                 (unsigned long long)c->a_aux, (unsigned long long)c->b_input,
                 (unsigned long long)c->b_aux);
    (void)printf("parameter id  %s\n", id);
    (void)printf("r1cs sha256   %s\n", digest);
}

#define LONG_SECTOR_BYTES ((uint64_t)1 << 35) /* from here on it takes a minute */

static void digest_circuit(const circuit_options_t *o, const circuit_row_t *row, strand_t *strand)
{
    shape_t shape;
    void *blank;
    const circuit_fn circuit = circuit_blank(&blank, row);

    if (row->sector_bytes >= LONG_SECTOR_BYTES && row->kind != KIND_WINNING)
        (void)fprintf(stderr, "cuzk circuit: digesting %s, a minute or so\n", row->label);
    synthesis_shape(&shape, circuit, blank, SHAPE_DIGESTS,
                    o->block.given ? o->block.value : SHAPE_DEFAULT_BLOCK, strand);
    free(blank);
    if (o->json) {
        json_writer_t w;

        json_writer_init(&w, JSON_PRETTY);
        shape_write_circuit(&w, &shape, row);
        (void)puts(json_writer_text(&w));
        json_writer_clear(&w);
    } else {
        print_text(&shape, row);
    }
    shape_clear(&shape);
}

static int run(int argc, char **argv)
{
    circuit_options_t o = {0};
    registered_proof_t proof;
    strand_t *strand = NULL;
    circuit_kind kind;
    const char *word;
    cuzk_error err;
    bool help;

    cuzk_status st = options_parse(&command_circuit, &o, &word, &help, argc, argv, &err);
    if (help) {
        options_print_help("cuzk", &command_circuit);
        return 0;
    }
    if (st == CUZK_OK) st = select_kind(&kind, "KIND", word, (1u << CIRCUIT_KINDS) - 1, &err);
    if (st == CUZK_OK) st = select_proof(&proof, &o.selection, kind, &err);
    if (st == CUZK_OK) st = strand_open(&strand, o.threads.value, &err);
    if (st == CUZK_OK) digest_circuit(&o, proof.row, strand);
    strand_close(strand);
    return finish("circuit", st, &err);
}
