/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/subject.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "cli/interrupt.h"

static cuzk_status find_kind(cuzk_kind *kind, const subject_options_t *o, cuzk_error *err)
{
    if (o->kind != NULL) return cuzk_kind_from_text(o->kind, "--kind", kind, err);
    *kind = CUZK_POREP;
    if (o->input.c1 != NULL) return CUZK_OK;
    return error_set(err, CUZK_ERR_ARG, "--c1, or --kind and --vanilla are needed");
}

static cuzk_status digest_file(uint8_t digest[SHA256_BYTES], const char *path, cuzk_kind kind,
                               cuzk_error *err)
{
    uint8_t *bytes;
    size_t length;

    const cuzk_status st = file_read(&bytes, &length, path, cuzk_input_max_bytes(kind), err);
    if (st != CUZK_OK) return st;
    sha256(digest, bytes, length);
    free(bytes);
    return CUZK_OK;
}

static cuzk_status make_values(subject_input_t *input, uint32_t partition, cuzk_error *err)
{
    if (partition >= input->facts.n_partitions)
        return error_set(err, CUZK_ERR_ARG, "--partition: %u, but the input has %u (from 0 on)",
                         partition, input->facts.n_partitions);
    input->values = mem_alloc(1, input->kind->values_bytes, "circuit", err);
    if (input->values == NULL) return err->status;
    input->kind->values(input->values, input->data, partition);
    return CUZK_OK;
}

/* input->data is there; it is released on errors. */
static cuzk_status look_into(subject_input_t *input, const input_request_t *in, const subject_t *s,
                             cuzk_error *err)
{
    cuzk_status st = CUZK_OK;

    input->facts = input->kind->facts(input->data);
    if (s->depth == INPUTS_CONTENT)
        st = input->kind->check(input->data, &in->request, s->strand, err);
    if (st == CUZK_OK) st = inputs_check_size(in, input->facts.row->size_name, err);
    if (st == CUZK_OK) st = make_values(input, s->partition, err);
    if (st != CUZK_OK) input->kind->close(input->data);
    return st;
}

cuzk_status subject_parse(subject_input_t *input, const subject_t *s, cuzk_error *err)
{
    input_request_t in;

    *input = (subject_input_t){0};
    cuzk_status st = inputs_read(&in, s->kind, &s->options->input, s->depth, err);
    if (st == CUZK_OK) st = proof_kind_find(&input->kind, s->kind, err);
    if (st == CUZK_OK) st = input->kind->open(&input->data, &in.request, s->strand, err);
    if (st == CUZK_OK) st = look_into(input, &in, s, err);
    inputs_clear(&in);
    return st;
}

void subject_input_clear(subject_input_t *input)
{
    free(input->values);
    input->kind->close(input->data);
}

static cuzk_status read_input(subject_t *s, cuzk_error *err)
{
    const input_options_t *input = &s->options->input;
    const char *path = s->kind == CUZK_POREP ? input->c1 : input->vanilla;
    const uint64_t start = clock_monotonic_ns();

    if (path != NULL && strcmp(path, "-") == 0)
        return error_set(err, CUZK_ERR_ARG, "%s -: here it has to be a file, which is read again",
                         s->kind == CUZK_POREP ? "--c1" : "--vanilla");
    cuzk_status st = subject_parse(&s->input, s, err);
    if (st != CUZK_OK) return st;
    s->parse_s = clock_seconds_between(start, clock_monotonic_ns());
    st = digest_file(s->input_sha256, path, s->kind, err);
    if (st != CUZK_OK) subject_input_clear(&s->input);
    return st;
}

cuzk_status subject_open(subject_t *subject, const subject_options_t *o, inputs_depth depth,
                         cuzk_error *err)
{
    *subject = (subject_t){.options = o, .depth = depth, .partition = o->partition.value};
    cuzk_status st = find_kind(&subject->kind, o, err);
    if (st == CUZK_OK) st = strand_open(&subject->strand, o->threads.value, err);
    if (st != CUZK_OK) return st;
    strand_watch(subject->strand, interrupt_token());
    st = read_input(subject, err);
    if (st != CUZK_OK) strand_close(subject->strand);
    return st;
}

void subject_close(subject_t *subject)
{
    subject_input_clear(&subject->input);
    strand_close(subject->strand);
}

void subject_write(json_writer_t *w, const subject_t *subject)
{
    json_write_string(w, "circuit", subject->input.facts.row->label);
    json_write_u64(w, "partition", subject->partition);
    json_write_hex(w, "input_sha256", subject->input_sha256, SHA256_BYTES);
}
