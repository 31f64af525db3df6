/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdio.h>
#include <stdlib.h>

#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/shape_json.h"

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
    .rows = rows,
    .n_rows = sizeof rows / sizeof rows[0],
    .notes =
        "Takes what prove takes, but no parameters. Only the form of the input is checked (sizes,\n"
        "counts, ranges): one that is wrong gives exit code 0 and violated constraints.",
    .run = run,
};

static void digest_partition(json_writer_t *w, const job_t *job, uint32_t k,
                             const witness_options_t *o, strand_t *strand)
{
    void *values = job->ops->values(job, k);
    shape_t shape;

    synthesis_shape(&shape, job->ops->circuit, values, SHAPE_VALUES,
                    o->block.given ? o->block.value : SHAPE_DEFAULT_BLOCK, strand);
    free(values);
    if (o->json)
        shape_write_witness(w, &shape);
    else
        (void)printf(
            "partition %u: %u inputs, %u auxiliary values (%llu of them 0 or 1), %llu "
            "constraints, %llu violated\n",
            k, shape.counts.n_inputs, shape.counts.n_aux, (unsigned long long)shape.aux_in_0_1,
            (unsigned long long)shape.counts.n_constraints, (unsigned long long)shape.violated);
    shape_clear(&shape);
}

static cuzk_status digest_job(circuit_kind kind, const witness_options_t *o, cuzk_error *err)
{
    json_writer_t w;
    strand_t *strand;
    job_t job;

    cuzk_status st = strand_open(&strand, o->threads.value, err);
    if (st != CUZK_OK) return st;
    st = inputs_open(&job, kind, &o->input, JOB_CHECK_FORM, strand, err);
    if (st != CUZK_OK) {
        strand_close(strand);
        return st;
    }
    json_writer_init(&w, JSON_PRETTY);
    json_write_array(&w, NULL);
    for (uint32_t k = 0; k < job.n_partitions; k++) digest_partition(&w, &job, k, o, strand);
    json_write_end(&w);
    if (o->json) (void)puts(json_writer_text(&w));
    json_writer_clear(&w);
    job_close(&job);
    strand_close(strand);
    return CUZK_OK;
}

static int run(int argc, char **argv)
{
    witness_options_t o = {0};
    circuit_kind kind;
    const char *word;
    cuzk_error err;
    bool help;

    cuzk_status st = options_parse(&command_witness, &o, &word, &help, argc, argv, &err);
    if (help) {
        options_print_help("cuzk", &command_witness);
        return 0;
    }
    if (st == CUZK_OK) st = select_kind(&kind, "KIND", word, (1u << CIRCUIT_KINDS) - 1, &err);
    if (st == CUZK_OK) st = digest_job(kind, &o, &err);
    return finish("witness", st, &err);
}
