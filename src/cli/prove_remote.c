/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli/prove_remote.h"

#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
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

static double s_of(uint64_t ms)
{
    return (double)ms * 1e-3;
}

static void print_answer(FILE *out, const remote_answer_t *answer, bool is_verified)
{
    json_writer_t w;

    json_writer_init(&w, JSON_ONE_LINE);
    json_write_object(&w, NULL);
    json_write_string(&w, "job_id", answer->job_id);
    json_write_double(&w, "queue_s", s_of(answer->queue_wait_ms));
    json_write_double(&w, "load_s", s_of(answer->srs_load_ms));
    json_write_double(&w, "synthesis_s", s_of(answer->synthesis_ms));
    json_write_double(&w, "proving_s", s_of(answer->proving_ms));
    json_write_double(&w, "total_s", s_of(answer->total_ms));
    json_write_bool(&w, "verified_here", is_verified);
    json_write_end(&w);
    (void)fprintf(out, "%s\n", json_writer_text(&w));
    json_writer_clear(&w);
}

/* Waits for the daemon's answer. Who leaves because of a signal has the job cancelled. */
static cuzk_status ask(remote_answer_t *answer, rpc_client_t *client, const cuzk_request *request,
                       bool is_quiet, cuzk_error *err)
{
    remote_t remote = {.client = client, .cancel = interrupt_token()};
    remote_message_t message;
    remote_watch_t watch;

    cuzk_status st = remote_message_init(&message, request, REQUEST_ID, err);
    if (st == CUZK_OK) {
        remote_watch_begin(&watch, client, !is_quiet);
        st = remote_prove(answer, &remote, &message, err);
        remote_watch_end(&watch);
    }
    if (st != CUZK_OK && cancel_status(interrupt_token(), err) != CUZK_OK) {
        remote_abandon(client, &message);
        st = err->status;
    }
    remote_message_clear(&message);
    return st == CUZK_OK ? remote_outcome(answer, err) : st;
}

/* Under the key of the folder, where it has one. */
static cuzk_status verify(bool *is_verified, const prove_remote_t *o, const cuzk_request *request,
                          const char *circuit, const remote_answer_t *answer, cuzk_engine *engine,
                          cuzk_error *err)
{
    char *path;

    *is_verified = false;
    cuzk_status st = cuzk_params_path(o->params, circuit, "vk", &path, err);
    if (st != CUZK_OK) return st;
    if (access(path, F_OK) != 0) {
        if (!o->quiet)
            (void)fprintf(stderr, "cuzk prove: not verified here: there is no %s\n", path);
    } else {
        st = cuzk_verify_request(engine, request, answer->proof, answer->length, err);
        if (st != CUZK_OK) (void)error_within(err, "the daemon's proof, by %s", path);
        *is_verified = st == CUZK_OK;
    }
    cuzk_bytes_free(path);
    return st;
}

static cuzk_status prove_and_write(remote_answer_t *answer, const prove_remote_t *o,
                                   rpc_client_t *client, const cuzk_request *request,
                                   const char *circuit, cuzk_engine *engine, cuzk_error *err)
{
    const bool is_stream = file_is_stream(o->out);
    bool is_verified;

    interrupt_begin(NULL, NULL);
    cuzk_status st = output_check(o->out, err);
    if (st == CUZK_OK) st = ask(answer, client, request, o->quiet || o->json, err);
    if (st == CUZK_OK) st = verify(&is_verified, o, request, circuit, answer, engine, err);
    if (st == CUZK_OK) st = cancel_status(interrupt_token(), err);
    if (is_stream) interrupt_end(); /* who reads it may keep us waiting, or be gone */
    if (st == CUZK_OK) st = output_write(o->out, o->hex, answer->proof, answer->length, err);
    interrupt_end();
    if (st == CUZK_OK && o->json) print_answer(is_stream ? stderr : stdout, answer, is_verified);
    return st;
}

cuzk_status prove_remote(const prove_remote_t *o, const cuzk_request *request, cuzk_engine *engine,
                         cuzk_error *err)
{
    cuzk_request_info info = {.struct_size = sizeof info};
    cuzk_request numbered = *request;
    remote_answer_t answer = {.proof = NULL};
    rpc_client_t *client;

    cuzk_status st = cuzk_describe_request(engine, request, &info, err);
    if (st != CUZK_OK) return st;
    numbered.registered_proof = info.registered_proof;
    st = remote_open(&client, o->daemon, "--daemon", err);
    if (st != CUZK_OK) return st;
    st = prove_and_write(&answer, o, client, &numbered, info.circuit, engine, err);
    remote_answer_clear(&answer);
    rpc_client_close(client);
    return st;
}
