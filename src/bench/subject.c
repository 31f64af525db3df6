/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/subject.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mapped_file.h"

static cuzk_status find_kind(circuit_kind *kind, const subject_options_t *o, cuzk_error *err)
{
    if (o->kind != NULL) {
        const cuzk_status st = select_kind(kind, o->kind, (1u << CIRCUIT_KINDS) - 1, err);

        return st == CUZK_OK ? st : error_within(err, "--kind");
    }
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

static cuzk_status open_job(subject_t *s, circuit_kind kind, const subject_options_t *o,
                            cuzk_error *err)
{
    const uint64_t start = clock_monotonic_ns();
    const char *path = kind == KIND_POREP ? o->input.c1 : o->input.vanilla;

    if (path != NULL && strcmp(path, "-") == 0)
        return error_set(err, CUZK_ERR_ARG, "-: input has to be a file, which is read twice");
    cuzk_status st = inputs_open(&s->job, kind, &o->input, JOB_CHECK_FORM, s->pool, err);
    if (st != CUZK_OK) return st;
    s->parse_s = seconds_between(start, clock_monotonic_ns());
    st = digest_file(s->input_sha256, path, err);
    if (st == CUZK_OK && s->partition >= s->job.n_partitions)
        st = error_set(err, CUZK_ERR_ARG, "--partition: %u, but the input has 0..%u", s->partition,
                       s->job.n_partitions - 1);
    if (st != CUZK_OK) {
        job_close(&s->job);
        return st;
    }
    s->values = s->job.ops->values(&s->job, s->partition);
    return CUZK_OK;
}

cuzk_status subject_open(subject_t *subject, const subject_options_t *o, cuzk_error *err)
{
    circuit_kind kind;

    *subject = (subject_t){.partition = o->partition.value};
    cuzk_status st = find_kind(&kind, o, err);
    if (st == CUZK_OK) st = pool_open(&subject->pool, o->threads.value, err);
    if (st != CUZK_OK) return st;
    st = open_job(subject, kind, o, err);
    if (st != CUZK_OK) pool_close(subject->pool);
    return st;
}

void subject_close(subject_t *subject)
{
    free(subject->values);
    job_close(&subject->job);
    pool_close(subject->pool);
}

void subject_write(json_writer_t *w, const subject_t *subject)
{
    json_write_string(w, "circuit", subject->job.row->label);
    json_write_u64(w, "partition", subject->partition);
    json_write_hex(w, "input_sha256", subject->input_sha256, SHA256_BYTES);
}
