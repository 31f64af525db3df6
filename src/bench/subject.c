/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/subject.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mapped_file.h"

static cuzk_status find_kind(circuit_kind *kind, const subject_options_t *o, cuzk_error *err)
{
    if (o->kind != NULL)
        return select_kind(kind, "--kind", o->kind, (1u << CIRCUIT_KINDS) - 1, err);
    *kind = KIND_POREP;
    if (o->input.c1 != NULL) return CUZK_OK;
    return error_set(err, CUZK_ERR_ARG, "--c1, or --kind and --vanilla are needed");
}

static cuzk_status digest_file(uint8_t digest[SHA256_BYTES], const char *path, cuzk_error *err)
{
    uint8_t *bytes;
    size_t length;

    const cuzk_status st = read_file(&bytes, &length, path, INPUT_MAX_BYTES, err);
    if (st != CUZK_OK) return st;
    sha256(digest, bytes, length);
    free(bytes);
    return CUZK_OK;
}

cuzk_status subject_parse(job_t *job, void **values, const subject_t *s, cuzk_error *err)
{
    const cuzk_status st = inputs_open(job, s->kind, &s->options->input, s->check, s->strand, err);

    if (st != CUZK_OK) return st;
    if (s->partition < job->n_partitions) {
        *values = job->ops->values(job, s->partition);
        return CUZK_OK;
    }
    (void)error_set(err, CUZK_ERR_ARG, "--partition: %u, but the input has %u (from 0 on)",
                    s->partition, job->n_partitions);
    job_close(job);
    return CUZK_ERR_ARG;
}

static cuzk_status read_input(subject_t *s, cuzk_error *err)
{
    const input_options_t *input = &s->options->input;
    const char *path = s->kind == KIND_POREP ? input->c1 : input->vanilla;
    const uint64_t start = clock_monotonic_ns();

    if (path != NULL && strcmp(path, "-") == 0)
        return error_set(err, CUZK_ERR_ARG, "%s -: here it has to be a file, which is read again",
                         s->kind == KIND_POREP ? "--c1" : "--vanilla");
    cuzk_status st = subject_parse(&s->job, &s->values, s, err);
    if (st != CUZK_OK) return st;
    s->parse_s = seconds_between(start, clock_monotonic_ns());
    st = digest_file(s->input_sha256, path, err);
    if (st == CUZK_OK) return CUZK_OK;
    free(s->values);
    job_close(&s->job);
    return st;
}

cuzk_status subject_open(subject_t *subject, const subject_options_t *o, job_check check,
                         cuzk_error *err)
{
    *subject = (subject_t){.options = o, .check = check, .partition = o->partition.value};
    cuzk_status st = find_kind(&subject->kind, o, err);
    if (st == CUZK_OK) st = strand_open(&subject->strand, o->threads.value, err);
    if (st != CUZK_OK) return st;
    st = read_input(subject, err);
    if (st != CUZK_OK) strand_close(subject->strand);
    return st;
}

void subject_close(subject_t *subject)
{
    free(subject->values);
    job_close(&subject->job);
    strand_close(subject->strand);
}

void subject_write(json_writer_t *w, const subject_t *subject)
{
    json_write_string(w, "circuit", subject->job.row->label);
    json_write_u64(w, "partition", subject->partition);
    json_write_hex(w, "input_sha256", subject->input_sha256, SHA256_BYTES);
}
