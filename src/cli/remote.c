/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli/remote.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"

/* Protobuf-c's messages have pointers to bytes that may be written to; packing only reads. */
#define BORROWED(pointer) ((void *)(uintptr_t)(pointer))

cuzk_status remote_open(rpc_client_t **client, const remote_options_t *options, const char *name,
                        cuzk_error *err)
{
    const rpc_client_options_t of = {.address = options->address,
                                     .token_file = options->token_file,
                                     .tls_ca = options->ca,
                                     .tls_certificate = options->certificate,
                                     .tls_key = options->key};

    const cuzk_status st = rpc_client_open(client, &of, err);
    return st == CUZK_OK ? st : error_within(err, "%s", name);
}

/* ---- messages ----------------------------------------------------------------------------------
 */

static Cuzk__V1__ProofKind kind_of(cuzk_kind kind)
{
    switch (kind) {
    case CUZK_POREP:
        return CUZK__V1__PROOF_KIND__POREP_SEAL_COMMIT;
    case CUZK_UPDATE:
        return CUZK__V1__PROOF_KIND__SNAP_DEALS_UPDATE;
    case CUZK_WINDOW_POST:
        return CUZK__V1__PROOF_KIND__WINDOW_POST_PARTITION;
    case CUZK_WINNING_POST:
        break;
    }
    return CUZK__V1__PROOF_KIND__WINNING_POST;
}

static ProtobufCBinaryData bytes32(const uint8_t bytes[32])
{
    return (ProtobufCBinaryData){.len = 32, .data = BORROWED(bytes)};
}

static cuzk_status set_list(remote_message_t *m, const cuzk_request *request, cuzk_error *err)
{
    m->list = mem_alloc(request->n_inputs, sizeof *m->list, "vanilla proofs", err);
    if (m->list == NULL) return err->status;
    for (size_t i = 0; i < request->n_inputs; i++)
        m->list[i] = (ProtobufCBinaryData){.len = request->inputs[i].length,
                                           .data = BORROWED(request->inputs[i].bytes)};
    m->message.vanilla_proofs = m->list;
    m->message.n_vanilla_proofs = request->n_inputs;
    return CUZK_OK;
}

static void set_commitments(Cuzk__V1__SubmitProofRequest *message, const cuzk_request *request)
{
    message->comm_r_old = bytes32(request->comm_r_old);
    message->comm_r_new = bytes32(request->comm_r_new);
    message->comm_d_new = bytes32(request->comm_d_new);
}

cuzk_status remote_message_init(remote_message_t *m, const cuzk_request *request,
                                const char *request_id, cuzk_error *err)
{
    Cuzk__V1__SubmitProofRequest *message = &m->message;

    m->list = NULL;
    cuzk__v1__submit_proof_request__init(message);
    message->request_id = BORROWED(request_id);
    message->proof_kind = kind_of(request->kind);
    message->registered_proof = request->registered_proof;
    message->priority = (Cuzk__V1__Priority)request->priority;
    message->miner_id = request->miner_id;
    if (request->kind == CUZK_POREP) {
        message->sector_number = request->sector_number;
        message->vanilla_proof = (ProtobufCBinaryData){.len = request->inputs[0].length,
                                                       .data = BORROWED(request->inputs[0].bytes)};
        return CUZK_OK;
    }
    if (request->kind == CUZK_UPDATE)
        set_commitments(message, request);
    else
        message->randomness = bytes32(request->randomness);
    return set_list(m, request, err);
}

void remote_message_clear(remote_message_t *m)
{
    free(m->list);
    *m = (remote_message_t){.list = NULL};
}

/* ---- calls -------------------------------------------------------------------------------------
 */

static cuzk_status call(ProtobufCMessage **reply, remote_t *remote, const char *method,
                        const ProtobufCMessage *request, const ProtobufCMessageDescriptor *type,
                        cuzk_error *err)
{
    const rpc_request_t of = {.method = method,
                              .request = request,
                              .reply = type,
                              .timeout_ms = remote->timeout_ms,
                              .cancel = remote->cancel};
    uint64_t since = clock_monotonic_ns();

    const cuzk_status st = rpc_client_call(reply, &remote->code, remote->client, &of, err);
    remote->call_s = clock_lap_s(&since);
    if (remote->is_told)
        (void)fprintf(stderr, "%s: %.3f s, %s\n", method, remote->call_s,
                      st == CUZK_OK ? "ok" : err->text);
    return st;
}

static void release(void *message)
{
    protobuf_c_message_free_unpacked(message, NULL);
}

static cuzk_status take_answer(remote_answer_t *answer, const Cuzk__V1__AwaitProofResponse *r,
                               cuzk_error *err)
{
    if (r == NULL) return error_set(err, CUZK_ERR_FORMAT, "result: missing in the daemon's reply");
    (void)snprintf(answer->job_id, sizeof answer->job_id, "%.*s", REMOTE_ID_BYTES - 1, r->job_id);
    (void)snprintf(answer->error, sizeof answer->error, "%.*s", CUZK_ERROR_TEXT_BYTES - 1,
                   r->error_message);
    answer->status = r->status;
    answer->queue_wait_ms = r->queue_wait_ms;
    answer->srs_load_ms = r->srs_load_ms;
    answer->synthesis_ms = r->synthesis_ms;
    answer->proving_ms = r->gpu_compute_ms;
    answer->total_ms = r->total_ms;
    if (r->proof.len == 0) return CUZK_OK;
    answer->proof = mem_alloc(r->proof.len, 1, "proof", err);
    if (answer->proof == NULL) return err->status;
    memcpy(answer->proof, r->proof.data, r->proof.len);
    answer->length = r->proof.len;
    return CUZK_OK;
}

void remote_answer_clear(remote_answer_t *answer)
{
    free(answer->proof);
    *answer = (remote_answer_t){.proof = NULL};
}

cuzk_status remote_prove(remote_answer_t *answer, remote_t *remote, const remote_message_t *m,
                         cuzk_error *err)
{
    Cuzk__V1__ProveRequest request = CUZK__V1__PROVE_REQUEST__INIT;
    ProtobufCMessage *reply;

    *answer = (remote_answer_t){.proof = NULL};
    request.submit = BORROWED(&m->message);
    cuzk_status st =
        call(&reply, remote, "Prove", &request.base, &cuzk__v1__prove_response__descriptor, err);
    if (st != CUZK_OK) return st;
    st = take_answer(answer, ((Cuzk__V1__ProveResponse *)reply)->result, err);
    release(reply);
    return st;
}

cuzk_status remote_submit(char job_id[REMOTE_ID_BYTES], remote_t *remote, const remote_message_t *m,
                          cuzk_error *err)
{
    ProtobufCMessage *reply;

    const cuzk_status st = call(&reply, remote, "SubmitProof", &m->message.base,
                                &cuzk__v1__submit_proof_response__descriptor, err);
    if (st != CUZK_OK) return st;
    (void)snprintf(job_id, REMOTE_ID_BYTES, "%.*s", REMOTE_ID_BYTES - 1,
                   ((Cuzk__V1__SubmitProofResponse *)reply)->job_id);
    release(reply);
    return CUZK_OK;
}

cuzk_status remote_await(remote_answer_t *answer, remote_t *remote, const char *job_id,
                         uint64_t wait_ms, cuzk_error *err)
{
    Cuzk__V1__AwaitProofRequest request = CUZK__V1__AWAIT_PROOF_REQUEST__INIT;
    ProtobufCMessage *reply;

    *answer = (remote_answer_t){.proof = NULL};
    request.job_id = BORROWED(job_id);
    request.timeout_ms = wait_ms;
    cuzk_status st = call(&reply, remote, "AwaitProof", &request.base,
                          &cuzk__v1__await_proof_response__descriptor, err);
    if (st != CUZK_OK) return st;
    st = take_answer(answer, (Cuzk__V1__AwaitProofResponse *)reply, err);
    release(reply);
    return st;
}

cuzk_status remote_cancel(bool *was_running, remote_t *remote, const char *job_id, cuzk_error *err)
{
    Cuzk__V1__CancelProofRequest request = CUZK__V1__CANCEL_PROOF_REQUEST__INIT;
    ProtobufCMessage *reply;

    request.job_id = BORROWED(job_id);
    const cuzk_status st = call(&reply, remote, "CancelProof", &request.base,
                                &cuzk__v1__cancel_proof_response__descriptor, err);
    if (st != CUZK_OK) return st;
    if (was_running != NULL) *was_running = ((Cuzk__V1__CancelProofResponse *)reply)->was_running;
    release(reply);
    return CUZK_OK;
}

cuzk_status remote_outcome(const remote_answer_t *answer, cuzk_error *err)
{
    const char *why = answer->error[0] != '\0' ? answer->error : "the daemon gives no reason";

    switch (answer->status) {
    case CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__COMPLETED:
        if (answer->length > 0) return CUZK_OK;
        return error_set(err, CUZK_ERR_INTERNAL, "job %s: completed, but its proof is empty",
                         answer->job_id);
    case CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__CANCELLED:
        return error_set(err, CUZK_CANCELLED, "job %s: cancelled: %s", answer->job_id, why);
    case CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__TIMEOUT:
        return error_set(err, CUZK_ERR_DEADLINE, "job %s: not done in time: %s", answer->job_id,
                         why);
    case CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__FAILED:
        return error_set(err, CUZK_ERR_INTERNAL, "job %s: failed: %s", answer->job_id, why);
    default:
        return error_set(err, CUZK_ERR_INTERNAL, "job %s: status %d: %s", answer->job_id,
                         (int)answer->status, why);
    }
}

void remote_abandon(rpc_client_t *client, const remote_message_t *m)
{
    remote_t remote = {.client = client, .timeout_ms = REMOTE_SHORT_MS};
    char job_id[REMOTE_ID_BYTES];
    cuzk_error err;

    if (remote_submit(job_id, &remote, m, &err) == CUZK_OK)
        (void)remote_cancel(NULL, &remote, job_id, &err);
}

/* ---- what is seen of a daemon ------------------------------------------------------------------
 */

cuzk_status remote_status(Cuzk__V1__GetStatusResponse **response, remote_t *remote, cuzk_error *err)
{
    const Cuzk__V1__GetStatusRequest request = CUZK__V1__GET_STATUS_REQUEST__INIT;
    ProtobufCMessage *reply;

    const cuzk_status st = call(&reply, remote, "GetStatus", &request.base,
                                &cuzk__v1__get_status_response__descriptor, err);
    *response = (Cuzk__V1__GetStatusResponse *)reply;
    return st;
}

cuzk_status remote_metrics(char **text, remote_t *remote, cuzk_error *err)
{
    const Cuzk__V1__GetMetricsRequest request = CUZK__V1__GET_METRICS_REQUEST__INIT;
    ProtobufCMessage *reply;

    const cuzk_status st = call(&reply, remote, "GetMetrics", &request.base,
                                &cuzk__v1__get_metrics_response__descriptor, err);
    if (st != CUZK_OK) return st;
    *text = mem_copy_text(((Cuzk__V1__GetMetricsResponse *)reply)->prometheus_text, "metrics", err);
    release(reply);
    return *text != NULL ? CUZK_OK : err->status;
}

cuzk_status remote_preload(remote_preload_t *preload, remote_t *remote, const char *circuit,
                           cuzk_error *err)
{
    Cuzk__V1__PreloadSrsRequest request = CUZK__V1__PRELOAD_SRS_REQUEST__INIT;
    ProtobufCMessage *reply;

    request.circuit_id = BORROWED(circuit);
    const cuzk_status st = call(&reply, remote, "PreloadSRS", &request.base,
                                &cuzk__v1__preload_srs_response__descriptor, err);
    if (st != CUZK_OK) return st;
    *preload = (remote_preload_t){.already_loaded =
                                      ((Cuzk__V1__PreloadSrsResponse *)reply)->already_loaded,
                                  .load_ms = ((Cuzk__V1__PreloadSrsResponse *)reply)->load_time_ms};
    release(reply);
    return CUZK_OK;
}
