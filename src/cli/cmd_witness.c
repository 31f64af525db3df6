/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdio.h>

#include "cli/commands.h"
#include "cli/inputs.h"
#include "cuzk/describe.h"

typedef struct {
    input_options_t input;
    option_u32_t block;
    option_u32_t threads;
    bool json;
} witness_options_t;

static const option_row_t rows[] = {
    INPUT_ROWS(witness_options_t, input),
    {"--block", "N", "constraints and values a block digest covers (default 4096)",
     offsetof(witness_options_t, block), 1, UINT32_MAX, OPTION_U32},
    {"--json", NULL, "a JSON list, one object a partition", offsetof(witness_options_t, json), 0, 0,
     OPTION_FLAG},
    THREADS_ROW(witness_options_t, threads),
};

static int run(int argc, char **argv);

const options_command_t command_witness = {
    .name = "witness",
    .summary = "make the witness of an input, digest it and count violated constraints",
    .arguments = "KIND",
    .n_arguments = 1,
    .words = KIND_WORDS,
    .rows = rows,
    .n_rows = sizeof rows / sizeof rows[0],
    .notes =
        "Takes what prove takes, but no parameters. Only the form of the input is checked (sizes,\n"
        "counts, ranges): one that is wrong gives exit code 0 and violated constraints.",
    .run = run,
};

/* A cuzk_witness_fn. */
static void print_partition(void *unused, const cuzk_witness_info *w)
{
    (void)unused;
    (void)printf("partition %u: %u inputs, %u auxiliary values (%llu of them 0 or 1), %llu "
                 "constraints, %llu violated\n",
                 w->partition, w->n_inputs, w->n_aux, (unsigned long long)w->aux_in_0_1,
                 (unsigned long long)w->n_constraints, (unsigned long long)w->n_violated);
}

static cuzk_status describe(cuzk_engine *engine, const input_request_t *in,
                            const witness_options_t *o, cuzk_error *err)
{
    char *json = NULL;

    cuzk_status st = inputs_check_file(in, engine, err);
    if (st == CUZK_OK)
        st = cuzk_describe_witness(engine, &in->request, o->block.value,
                                   o->json ? NULL : print_partition, NULL, o->json ? &json : NULL,
                                   err);
    if (st == CUZK_OK && o->json) (void)puts(json);
    cuzk_bytes_free(json);
    return st;
}

static cuzk_status witness(const witness_options_t *o, const char *word, cuzk_error *err)
{
    const cuzk_engine_options options = {.struct_size = sizeof options,
                                         .threads = o->threads.value};
    cuzk_engine *engine = NULL;
    input_request_t in = {0};
    cuzk_kind kind;

    cuzk_status st = cuzk_kind_from_text(word, "KIND", &kind, err);
    if (st == CUZK_OK) st = inputs_read(&in, kind, &o->input, INPUTS_FORM, err);
    if (st == CUZK_OK) st = cuzk_engine_open(&engine, &options, err);
    if (st == CUZK_OK) st = describe(engine, &in, o, err);
    cuzk_engine_close(engine);
    inputs_clear(&in);
    return st;
}

static int run(int argc, char **argv)
{
    witness_options_t o = {0};
    const char *word;
    cuzk_error err;
    bool help;

    cuzk_status st = options_parse(&command_witness, &o, &word, &help, argc, argv, &err);
    if (help) {
        options_print_help("cuzk", &command_witness);
        return 0;
    }
    if (st == CUZK_OK) st = witness(&o, word, &err);
    return finish("witness", st, &err);
}
