/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "daemon/service.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "daemon/submission.h"
#include "rpc/message.h"
#include "status/http.h"

/* A message of more takes its memory from the engine's budget: once as it came, once unpacked. */
#define LARGE_MESSAGE_BYTES ((size_t)1 << 20)

struct service {
    service_options_t options;
};

const char service_name[] = "cuzk.v1.ProvingEngine";

cuzk_status service_open(service_t **out, const service_options_t *options, cuzk_error *err)
{
    service_t *service = mem_alloc(1, sizeof *service, "service", err);

    *out = service;
    if (service == NULL) return err->status;
    service->options = *options;
    return CUZK_OK;
}

void service_close(service_t *service)
{
    free(service);
}

/* ---- answers -----------------------------------------------------------------------------------
 */

static grpc_status_code code_of(cuzk_status st)
{
    switch (st) {
    case CUZK_ERR_ARG:
    case CUZK_ERR_FORMAT:
        return GRPC_STATUS_INVALID_ARGUMENT;
    case CUZK_ERR_MISSING:
        return GRPC_STATUS_NOT_FOUND;
    case CUZK_ERR_BUDGET:
    case CUZK_ERR_BUSY:
    case CUZK_ERR_MEMORY:
        return GRPC_STATUS_RESOURCE_EXHAUSTED;
    case CUZK_CANCELLED:
        return GRPC_STATUS_UNAVAILABLE;
    case CUZK_ERR_DEADLINE:
        return GRPC_STATUS_DEADLINE_EXCEEDED;
    default:
        return GRPC_STATUS_INTERNAL;
    }
}

static void fail(rpc_call_t *call, const cuzk_error *err)
{
    rpc_call_fail(call, code_of(err->status), err->text);
}

static void reply(rpc_call_t *call, const ProtobufCMessage *message)
{
    uint8_t *bytes;
    size_t length;
    cuzk_error err;

    if (message_pack(&bytes, &length, message, &err) != CUZK_OK) {
        fail(call, &err);
        return;
    }
    rpc_call_reply(call, bytes, length);
    free(bytes);
}

/* ---- requests ----------------------------------------------------------------------------------
 */

/* A message under way; what it takes of the engine's budget. */
typedef struct {
    service_t *service;
    ProtobufCMessage *message;
    uint64_t taken_bytes;
} incoming_t;

static cuzk_status take_memory(incoming_t *in, size_t length, cuzk_error *err)
{
    if (length < LARGE_MESSAGE_BYTES) return CUZK_OK;
    const cuzk_status st = cuzk_memory_take(in->service->options.engine, 2 * (uint64_t)length, err);
    if (st == CUZK_OK) in->taken_bytes = 2 * (uint64_t)length;
    return st == CUZK_OK ? st : error_within(err, "message of %zu bytes", length);
}

/* Unpacks a message, whose bytes are freed; on errors the call is failed. */
static bool open_message(incoming_t *in, service_t *service, rpc_call_t *call,
                         const ProtobufCMessageDescriptor *type, uint8_t *bytes, size_t length)
{
    cuzk_error err;

    *in = (incoming_t){.service = service};
    if (take_memory(in, length, &err) != CUZK_OK) {
        free(bytes);
        fail(call, &err);
        return false;
    }
    const cuzk_status st = message_unpack(&in->message, type, bytes, length, &err);
    free(bytes);
    if (st == CUZK_OK) return true;
    cuzk_memory_give(service->options.engine, in->taken_bytes);
    fail(call, &err);
    return false;
}

static void close_message(incoming_t *in)
{
    protobuf_c_message_free_unpacked(in->message, NULL);
    cuzk_memory_give(in->service->options.engine, in->taken_bytes);
}

/* ---- calls that wait ---------------------------------------------------------------------------
 */

/* A call that waits for a job: shared by the method that began it and by the one who ends it. */
typedef struct {
    pthread_mutex_t mutex;
    rpc_call_t *call;
    bool is_prove, is_done;
    unsigned n_refs;
} waiting_call_t;

static waiting_call_t *waiting_open(rpc_call_t *call, bool is_prove)
{
    waiting_call_t *w = calloc(1, sizeof *w);

    if (w == NULL) {
        rpc_call_fail(call, GRPC_STATUS_RESOURCE_EXHAUSTED, "no memory");
        return NULL;
    }
    (void)pthread_mutex_init(&w->mutex, NULL);
    w->call = call;
    w->is_prove = is_prove;
    w->n_refs = 2;
    return w;
}

static void waiting_release(waiting_call_t *w)
{
    (void)pthread_mutex_lock(&w->mutex);
    const bool is_last = --w->n_refs == 0;
    (void)pthread_mutex_unlock(&w->mutex);
    if (!is_last) return;
    (void)pthread_mutex_destroy(&w->mutex);
    free(w);
}

static void reply_result(const waiting_call_t *w, const queue_result_t *result)
{
    Cuzk__V1__AwaitProofResponse message;
    Cuzk__V1__ProveResponse outer;

    submission_result(&message, result);
    cuzk__v1__prove_response__init(&outer);
    outer.result = &message;
    reply(w->call, w->is_prove ? &outer.base : &message.base);
}

static void end_waiting(void *arg, const queue_result_t *result)
{
    waiting_call_t *w = arg;

    (void)pthread_mutex_lock(&w->mutex);
    w->is_done = true;
    if (result->outcome == OUTCOME_STOPPING)
        rpc_call_fail(w->call, GRPC_STATUS_UNAVAILABLE, result->error);
    else if (result->outcome == OUTCOME_REFUSED && w->is_prove)
        rpc_call_fail(w->call, GRPC_STATUS_INVALID_ARGUMENT, result->error);
    else
        reply_result(w, result);
    (void)pthread_mutex_unlock(&w->mutex);
    waiting_release(w);
}

/* The method has done its part. A caller that left before there was anything to leave is found
 * here. */
static void let_wait(service_t *service, waiting_call_t *w)
{
    (void)pthread_mutex_lock(&w->mutex);
    const bool has_left = !w->is_done && rpc_call_has_left(w->call);
    const uint64_t id = has_left ? rpc_call_id(w->call) : 0;
    (void)pthread_mutex_unlock(&w->mutex);
    if (has_left) queue_leave(service->options.queue, id);
    waiting_release(w);
}

/* Nobody will call end_waiting(). */
static void fail_waiting(waiting_call_t *w, const cuzk_error *err)
{
    fail(w->call, err);
    waiting_release(w);
    waiting_release(w);
}

void service_left(void *arg, uint64_t call_id)
{
    service_t *service = arg;

    queue_leave(service->options.queue, call_id);
}

/* ---- SubmitProof, Prove, AwaitProof ------------------------------------------------------------
 */

/* Hands a message's job to the queue; waiter may be NULL. */
static cuzk_status submit(queue_ticket_t *ticket, service_t *service,
                          const Cuzk__V1__SubmitProofRequest *message, const queue_waiter_t *waiter,
                          cuzk_error *err)
{
    queue_submission_t submission = {.request_id = message->request_id};
    cuzk_bytes *list;

    cuzk_status st = submission_request(&submission.request, &list, message, err);
    if (st == CUZK_OK) st = queue_submit(ticket, service->options.queue, &submission, waiter, err);
    free(list);
    return st;
}

static void serve_submit(void *arg, rpc_call_t *call, uint8_t *bytes, size_t length)
{
    service_t *service = arg;
    queue_ticket_t ticket;
    incoming_t in;
    cuzk_error err;

    if (!open_message(&in, service, call, &cuzk__v1__submit_proof_request__descriptor, bytes,
                      length))
        return;
    const cuzk_status st =
        submit(&ticket, service, (Cuzk__V1__SubmitProofRequest *)in.message, NULL, &err);
    close_message(&in);
    if (st != CUZK_OK) {
        fail(call, &err);
        return;
    }
    Cuzk__V1__SubmitProofResponse response = CUZK__V1__SUBMIT_PROOF_RESPONSE__INIT;
    response.job_id = ticket.id;
    response.queue_position = ticket.position;
    reply(call, &response.base);
}

static void prove(service_t *service, rpc_call_t *call, const Cuzk__V1__SubmitProofRequest *message)
{
    waiting_call_t *w = waiting_open(call, true);
    queue_ticket_t ticket;
    cuzk_error err;

    if (w == NULL) return;
    const queue_waiter_t waiter = {
        .call = rpc_call_id(call), .done = end_waiting, .arg = w, .owns = true};
    if (submit(&ticket, service, message, &waiter, &err) == CUZK_OK)
        let_wait(service, w);
    else
        fail_waiting(w, &err);
}

static void serve_prove(void *arg, rpc_call_t *call, uint8_t *bytes, size_t length)
{
    service_t *service = arg;
    incoming_t in;

    if (!open_message(&in, service, call, &cuzk__v1__prove_request__descriptor, bytes, length))
        return;
    const Cuzk__V1__ProveRequest *message = (Cuzk__V1__ProveRequest *)in.message;
    if (message->submit == NULL)
        rpc_call_fail(call, GRPC_STATUS_INVALID_ARGUMENT, "submit: missing");
    else
        prove(service, call, message->submit);
    close_message(&in);
}

static void serve_await(void *arg, rpc_call_t *call, uint8_t *bytes, size_t length)
{
    service_t *service = arg;
    incoming_t in;
    cuzk_error err;

    if (!open_message(&in, service, call, &cuzk__v1__await_proof_request__descriptor, bytes,
                      length))
        return;
    const Cuzk__V1__AwaitProofRequest *message = (Cuzk__V1__AwaitProofRequest *)in.message;
    waiting_call_t *w = waiting_open(call, false);
    if (w != NULL) {
        const queue_waiter_t waiter = {.call = rpc_call_id(call),
                                       .done = end_waiting,
                                       .arg = w,
                                       .timeout_ms = message->timeout_ms};
        if (queue_await(service->options.queue, message->job_id, &waiter, &err) == CUZK_OK)
            let_wait(service, w);
        else
            fail_waiting(w, &err);
    }
    close_message(&in);
}

static void serve_cancel(void *arg, rpc_call_t *call, uint8_t *bytes, size_t length)
{
    service_t *service = arg;
    bool was_running;
    incoming_t in;
    cuzk_error err;

    if (!open_message(&in, service, call, &cuzk__v1__cancel_proof_request__descriptor, bytes,
                      length))
        return;
    const Cuzk__V1__CancelProofRequest *message = (Cuzk__V1__CancelProofRequest *)in.message;
    const cuzk_status st =
        queue_cancel(&was_running, service->options.queue, message->job_id, &err);
    close_message(&in);
    if (st != CUZK_OK) {
        fail(call, &err);
        return;
    }
    Cuzk__V1__CancelProofResponse response = CUZK__V1__CANCEL_PROOF_RESPONSE__INIT;
    response.was_running = was_running;
    reply(call, &response.base);
}

/* ---- parameters --------------------------------------------------------------------------------
 */

static void serve_preload(void *arg, rpc_call_t *call, uint8_t *bytes, size_t length)
{
    service_t *service = arg;
    const uint64_t start_ns = clock_monotonic_ns();
    bool already_loaded;
    incoming_t in;
    cuzk_error err;

    if (!open_message(&in, service, call, &cuzk__v1__preload_srs_request__descriptor, bytes,
                      length))
        return;
    const Cuzk__V1__PreloadSrsRequest *message = (Cuzk__V1__PreloadSrsRequest *)in.message;
    const cuzk_status st =
        cuzk_params_preload(service->options.engine, message->circuit_id, &already_loaded, &err);
    close_message(&in);
    if (st != CUZK_OK) {
        fail(call, &err);
        return;
    }
    Cuzk__V1__PreloadSrsResponse response = CUZK__V1__PRELOAD_SRS_RESPONSE__INIT;
    response.already_loaded = already_loaded;
    response.load_time_ms = (clock_monotonic_ns() - start_ns) / 1000000;
    reply(call, &response.base);
}

static void serve_evict(void *arg, rpc_call_t *call, uint8_t *bytes, size_t length)
{
    service_t *service = arg;
    uint64_t freed;
    incoming_t in;
    cuzk_error err;

    if (!open_message(&in, service, call, &cuzk__v1__evict_srs_request__descriptor, bytes, length))
        return;
    const Cuzk__V1__EvictSrsRequest *message = (Cuzk__V1__EvictSrsRequest *)in.message;
    const cuzk_status st =
        cuzk_params_evict(service->options.engine, message->circuit_id, &freed, &err);
    close_message(&in);
    if (st == CUZK_ERR_BUSY) {
        rpc_call_fail(call, GRPC_STATUS_FAILED_PRECONDITION, err.text);
        return;
    }
    if (st != CUZK_OK) {
        fail(call, &err);
        return;
    }
    Cuzk__V1__EvictSrsResponse response = CUZK__V1__EVICT_SRS_RESPONSE__INIT;
    response.was_loaded = freed > 0;
    response.freed_bytes = freed;
    reply(call, &response.base);
}

/* ---- status and metrics ------------------------------------------------------------------------
 */

enum { SRS_SHOWN = 32 };

static void reply_status(service_t *service, rpc_call_t *call)
{
    const queue_counts_t counts = queue_counts(service->options.queue);
    Cuzk__V1__GetStatusResponse response = CUZK__V1__GET_STATUS_RESPONSE__INIT;
    Cuzk__V1__QueueStatus queues[SNAPSHOT_KINDS], *queue_list[SNAPSHOT_KINDS];
    Cuzk__V1__SRSStatus srs[SRS_SHOWN], *srs_list[SRS_SHOWN];
    cuzk_open_params open[SRS_SHOWN];
    size_t n;

    for (int i = 0; i < SNAPSHOT_KINDS; i++) {
        cuzk__v1__queue_status__init(queue_list[i] = &queues[i]);
        queues[i].proof_kind = (char *)(uintptr_t)snapshot_kind_name((cuzk_kind)(i + 1));
        queues[i].pending = counts.pending[i];
        queues[i].in_progress = counts.in_progress[i];
    }
    (void)cuzk_params_list(service->options.engine, open, SRS_SHOWN, &n, NULL);
    for (size_t i = 0; i < n && i < SRS_SHOWN; i++) {
        if (!open[i].has_params) continue;
        Cuzk__V1__SRSStatus *one = srs_list[response.n_loaded_srs] = &srs[response.n_loaded_srs];

        response.n_loaded_srs++;
        cuzk__v1__srsstatus__init(one);
        one->circuit_id = open[i].circuit;
        one->tier = CUZK__V1__SRSSTATUS__TIER__HOT;
        one->size_bytes = open[i].params_bytes;
        one->ref_count = open[i].n_users;
    }
    response.loaded_srs = srs_list;
    response.n_queues = SNAPSHOT_KINDS;
    response.queues = queue_list;
    response.total_proofs_completed = counts.completed;
    response.total_proofs_failed = counts.failed;
    response.uptime_seconds = counts.uptime_s;
    reply(call, &response.base);
}

static void serve_status(void *arg, rpc_call_t *call, uint8_t *bytes, size_t length)
{
    service_t *service = arg;
    incoming_t in;

    if (!open_message(&in, service, call, &cuzk__v1__get_status_request__descriptor, bytes, length))
        return;
    close_message(&in);
    reply_status(service, call);
}

static void serve_metrics(void *arg, rpc_call_t *call, uint8_t *bytes, size_t length)
{
    service_t *service = arg;
    snapshot_t snapshot;
    incoming_t in;
    cuzk_error err;

    if (!open_message(&in, service, call, &cuzk__v1__get_metrics_request__descriptor, bytes,
                      length))
        return;
    close_message(&in);
    if (service->options.take(service->options.arg, &snapshot, &err) != CUZK_OK) {
        fail(call, &err);
        return;
    }
    Cuzk__V1__GetMetricsResponse response = CUZK__V1__GET_METRICS_RESPONSE__INIT;
    char *text = http_metrics_text(&snapshot);
    snapshot_clear(&snapshot);
    if (text == NULL) {
        rpc_call_fail(call, GRPC_STATUS_RESOURCE_EXHAUSTED, "no memory for the metrics");
        return;
    }
    response.prometheus_text = text;
    reply(call, &response.base);
    free(text);
}

/* ---- the table ---------------------------------------------------------------------------------
 */

const rpc_method_t service_methods[] = {
    {"SubmitProof", serve_submit}, {"AwaitProof", serve_await}, {"Prove", serve_prove},
    {"CancelProof", serve_cancel}, {"GetStatus", serve_status}, {"GetMetrics", serve_metrics},
    {"PreloadSRS", serve_preload}, {"EvictSRS", serve_evict},
};
const size_t service_n_methods = sizeof service_methods / sizeof *service_methods;
