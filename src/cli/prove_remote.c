/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli/prove_remote.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/remote_watch.h"
#include "codec/json_write.h"
#include "cuzk/describe.h"
#include "cuzk/setup.h"
#include "cuzk/text.h"

/* One name for all: the daemon tells jobs apart by their content too, so that whoever asks for the
 * same again gets the proof of before. */
static const char REQUEST_ID[] = "cuzk-prove";

enum { LAST_V1_WINDOW = 9 };

/* What a daemon is asked: a job, or for a window of several partitions one for each. */
typedef struct {
    const prove_remote_t *o;
    const cuzk_request *request; /* its registered proof is a number */
    char circuit[32];
    uint32_t n_jobs;
    uint32_t job_inputs; /* of a job but the last, which may have fewer */
    rpc_client_t *client;
    remote_answer_t *answers; /* n_jobs */
    uint8_t *proofs;          /* of all */
    size_t length;
} asked_t;

static double s_of(uint64_t ms)
{
    return (double)ms * 1e-3;
}

static void write_job(json_writer_t *w, const remote_answer_t *answer)
{
    json_write_object(w, NULL);
    json_write_string(w, "job_id", answer->job_id);
    json_write_double(w, "queue_s", s_of(answer->queue_wait_ms));
    json_write_double(w, "load_s", s_of(answer->srs_load_ms));
    json_write_double(w, "synthesis_s", s_of(answer->synthesis_ms));
    json_write_double(w, "proving_s", s_of(answer->proving_ms));
    json_write_double(w, "total_s", s_of(answer->total_ms));
    json_write_end(w);
}

static void print_answers(FILE *out, const asked_t *a, bool is_verified)
{
    json_writer_t w;

    json_writer_init(&w, JSON_ONE_LINE);
    json_write_object(&w, NULL);
    json_write_bool(&w, "verified_here", is_verified);
    json_write_array(&w, "jobs");
    for (uint32_t i = 0; i < a->n_jobs; i++) write_job(&w, &a->answers[i]);
    json_write_end(&w);
    json_write_end(&w);
    (void)fprintf(out, "%s\n", json_writer_text(&w));
    json_writer_clear(&w);
}

/* Waits for the daemon's answer. Who leaves because of a signal has the job cancelled. */
static cuzk_status ask(remote_answer_t *answer, const asked_t *a, const cuzk_request *request,
                       cuzk_error *err)
{
    remote_t remote = {.client = a->client, .cancel = interrupt_token()};
    remote_message_t message;

    cuzk_status st = remote_message_init(&message, request, REQUEST_ID, err);
    if (st == CUZK_OK) st = remote_prove(answer, &remote, &message, err);
    if (st != CUZK_OK && cancel_is_set(interrupt_token())) {
        remote_abandon(a->client, &message);
        st = cancel_status(interrupt_token(), err);
    }
    remote_message_clear(&message);
    return st == CUZK_OK ? remote_outcome(answer, err) : st;
}

static cuzk_status gather(asked_t *a, cuzk_error *err)
{
    size_t length = 0;

    for (uint32_t i = 0; i < a->n_jobs; i++) length += a->answers[i].length;
    a->proofs = mem_alloc(length, 1, "proofs", err);
    if (a->proofs == NULL) return err->status;
    for (uint32_t i = 0; i < a->n_jobs; i++) {
        memcpy(a->proofs + a->length, a->answers[i].proof, a->answers[i].length);
        a->length += a->answers[i].length;
    }
    return CUZK_OK;
}

static cuzk_status ask_all(asked_t *a, cuzk_error *err)
{
    const cuzk_request *whole = a->request;
    remote_watch_t watch;
    cuzk_status st = CUZK_OK;

    remote_watch_begin(&watch, a->client, !a->o->quiet && !a->o->json);
    for (uint32_t i = 0; i < a->n_jobs && st == CUZK_OK; i++) {
        const size_t first = (size_t)i * a->job_inputs;
        const size_t left = whole->n_inputs - first;
        cuzk_request part = *whole;

        part.inputs += first;
        part.n_inputs = left < a->job_inputs ? left : a->job_inputs;
        st = ask(&a->answers[i], a, &part, err);
    }
    remote_watch_end(&watch);
    return st == CUZK_OK ? gather(a, err) : st;
}

/* Under the key of the folder, where it has one. */
static cuzk_status verify(bool *is_verified, const asked_t *a, cuzk_engine *engine, cuzk_error *err)
{
    char *path;

    *is_verified = false;
    cuzk_status st = cuzk_params_path(a->o->params, a->circuit, "vk", &path, err);
    if (st != CUZK_OK) return st;
    if (access(path, F_OK) != 0) {
        if (!a->o->quiet)
            (void)fprintf(stderr, "cuzk prove: not verified here: there is no %s\n", path);
    } else {
        st = cuzk_verify_request(engine, a->request, a->proofs, a->length, err);
        if (st != CUZK_OK) (void)error_within(err, "the daemon's proof, by %s", path);
        *is_verified = st == CUZK_OK;
    }
    cuzk_bytes_free(path);
    return st;
}

static cuzk_status prove_and_write(asked_t *a, cuzk_engine *engine, cuzk_error *err)
{
    const bool is_stream = file_is_stream(a->o->out);
    bool is_verified;

    interrupt_begin(NULL, NULL);
    cuzk_status st = output_check(a->o->out, err);
    if (st == CUZK_OK) st = ask_all(a, err);
    if (st == CUZK_OK) st = verify(&is_verified, a, engine, err);
    if (st == CUZK_OK) st = cancel_status(interrupt_token(), err);
    if (is_stream) interrupt_end(); /* who reads it may keep us waiting, or be gone */
    if (st == CUZK_OK) st = output_write(a->o->out, a->o->hex, a->proofs, a->length, err);
    interrupt_end();
    if (st == CUZK_OK && a->o->json) print_answers(is_stream ? stderr : stdout, a, is_verified);
    return st;
}

static cuzk_status prove_jobs(asked_t *a, cuzk_engine *engine, cuzk_error *err)
{
    a->answers = mem_alloc(a->n_jobs, sizeof *a->answers, "answers", err);
    if (a->answers == NULL) return err->status;
    cuzk_status st = remote_open(&a->client, a->o->daemon, "--daemon", err);
    if (st == CUZK_OK) {
        st = prove_and_write(a, engine, err);
        rpc_client_close(a->client);
    }
    for (uint32_t i = 0; i < a->n_jobs; i++) remote_answer_clear(&a->answers[i]);
    free(a->answers);
    free(a->proofs);
    return st;
}

/* By the older rules the challenges of a partition depend on its place: such windows are not cut,
 * and a daemon refuses those of several partitions. */
static cuzk_status cut_into_jobs(asked_t *a, uint32_t n_partitions, cuzk_error *err)
{
    const cuzk_request *r = a->request;
    cuzk_proof_info info = {.struct_size = sizeof info};

    a->n_jobs = 1;
    a->job_inputs = (uint32_t)r->n_inputs;
    if (r->kind != CUZK_WINDOW_POST || r->registered_proof <= LAST_V1_WINDOW) return CUZK_OK;
    const cuzk_status st = cuzk_proof_by_number(r->kind, r->registered_proof, &info, err);
    if (st != CUZK_OK) return st;
    a->n_jobs = n_partitions;
    a->job_inputs = info.partition_sectors;
    return CUZK_OK;
}

cuzk_status prove_remote(const prove_remote_t *o, const cuzk_request *request, cuzk_engine *engine,
                         cuzk_error *err)
{
    cuzk_request_info info = {.struct_size = sizeof info};
    cuzk_request numbered = *request;
    asked_t a = {.o = o, .request = &numbered};

    cuzk_status st = cuzk_describe_request(engine, request, &info, err);
    if (st != CUZK_OK) return st;
    numbered.registered_proof = info.registered_proof;
    memcpy(a.circuit, info.circuit, sizeof a.circuit);
    st = cut_into_jobs(&a, info.n_partitions, err);
    return st == CUZK_OK ? prove_jobs(&a, engine, err) : st;
}
