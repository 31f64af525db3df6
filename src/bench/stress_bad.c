/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* Requests that a daemon has to refuse, and how. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/stress.h"

enum { LONG_ID_BYTES = 300 };

#define UNKNOWN_JOB "00000000000000000000000000000000"

/* A request made bad: the message points into it. */
typedef struct {
    const proof_case_t *of;
    uint64_t *random;
    remote_message_t m;
    ProtobufCBinaryData *input; /* the one that is touched */
    uint8_t *bytes;             /* a copy of its bytes, or of a field's; released with free() */
    char id[LONG_ID_BYTES + 1];
    bool may_be_right; /* the daemon may find that nothing is proved by what was changed */
} bad_t;

/* ---- what is bad about it ----------------------------------------------------------------------
 */

static bool is_post(const bad_t *b)
{
    return b->of->request.kind == CUZK_WINDOW_POST || b->of->request.kind == CUZK_WINNING_POST;
}

/* A copy of some bytes in their place; false without memory: nothing is changed. */
static bool own(bad_t *b, ProtobufCBinaryData *data)
{
    uint8_t *copy = malloc(data->len + 1);

    if (copy == NULL) return false;
    memcpy(copy, data->data, data->len);
    b->bytes = data->data = copy;
    return true;
}

static void spoil_byte(bad_t *b)
{
    if (!own(b, b->input)) return;
    b->bytes[stress_random(b->random, b->input->len)] ^=
        (uint8_t)(1u << stress_random(b->random, 8));
    b->may_be_right = true;
}

static void cut_input(bad_t *b)
{
    b->input->len = stress_random(b->random, b->input->len - 1) + 1;
}

static void leave_out_input(bad_t *b)
{
    b->m.message.vanilla_proof = (ProtobufCBinaryData){0};
    b->m.message.n_vanilla_proofs = 0;
}

static void set_proof(bad_t *b)
{
    b->m.message.registered_proof = 20 + stress_random(b->random, UINT64_MAX - 20);
}

static void set_sector_size(bad_t *b)
{
    b->m.message.sector_size = b->of->sector_bytes * 2 + 1;
}

static void set_kind(bad_t *b)
{
    b->m.message.proof_kind =
        (Cuzk__V1__ProofKind)(stress_random(b->random, 2) == 0 ? 0 : 5); /* 1 to 4 there are */
}

static void set_priority(bad_t *b)
{
    b->m.message.priority = (Cuzk__V1__Priority)5;
}

/* A field of 32 bytes that the case's kind has; a PoRep's input for want of one. */
static ProtobufCBinaryData *some_field(bad_t *b)
{
    if (is_post(b)) return &b->m.message.randomness;
    return b->of->request.kind == CUZK_UPDATE ? &b->m.message.comm_r_new : b->input;
}

static void cut_field(bad_t *b)
{
    some_field(b)->len--;
    b->may_be_right = b->of->request.kind == CUZK_POREP; /* a newline may be what was cut */
}

/* Of the right form, but not what the input is about. */
static void change_field(bad_t *b)
{
    if (own(b, some_field(b))) b->bytes[0] ^= 1;
}

static void lengthen_id(bad_t *b)
{
    memset(b->id, 'x', LONG_ID_BYTES);
    b->id[LONG_ID_BYTES] = '\0';
    b->m.message.request_id = b->id;
}

static void (*const spoilers[])(bad_t *b) = {
    spoil_byte, cut_input,    leave_out_input, set_proof,    set_sector_size,
    set_kind,   set_priority, cut_field,       change_field, lengthen_id,
};

enum { SPOILERS = sizeof spoilers / sizeof *spoilers };

/* ---- how it is refused -------------------------------------------------------------------------
 */

/* Counts an answer: rightly refused, or not. *err is that of the call. */
static void end_refused(stress_client_t *c, const char *what, const remote_t *remote,
                        grpc_status_code expected, cuzk_error *err)
{
    if (cancel_is_set(c->cancel)) return;
    if (remote->code == expected) {
        stress_tally_end(c->tally, END_REFUSED, NULL);
        return;
    }
    if (remote->code == GRPC_STATUS_OK) (void)error_set(err, CUZK_ERR_INTERNAL, "it was taken");
    (void)error_within(err, "%s: code %d, expected %d", what, (int)remote->code, (int)expected);
    stress_tally_end(c->tally, END_WRONG, err->text);
}

/* A proof may be what comes of a byte that means nothing; then it has to be right. */
static void end_taken(stress_client_t *c, const bad_t *b, remote_answer_t *answer,
                      const remote_t *remote, const char *what)
{
    stress_proof_t proof = {.proof = NULL};
    cuzk_error err = {0};

    if (b->may_be_right && remote_outcome(answer, &err) == CUZK_OK)
        stress_judge(&proof, c, b->of, answer);
    else
        end_refused(c, what, remote, GRPC_STATUS_INVALID_ARGUMENT, &err);
    free(proof.proof);
    remote_answer_clear(answer);
}

static void prove_bad(stress_client_t *c, bad_t *b, uint64_t which)
{
    remote_t remote = stress_remote(c, c->o->timeout_ms);
    remote_answer_t answer;
    cuzk_status st;
    cuzk_error err;
    char what[120];

    (void)snprintf(what, sizeof what, "%s, spoiled in way %u", b->of->name, (unsigned)which);
    do st = remote_prove(&answer, &remote, &b->m, &err);
    while (st != CUZK_OK && stress_repeats(c, &remote));
    if (st == CUZK_OK)
        end_taken(c, b, &answer, &remote, what);
    else
        end_refused(c, what, &remote, GRPC_STATUS_INVALID_ARGUMENT, &err);
}

static void do_spoiled(stress_client_t *c, const stress_job_t *job, uint64_t *random,
                       const char *request_id)
{
    const uint64_t which = stress_random(random, SPOILERS);
    bad_t b = {.of = job->of, .random = random};
    cuzk_error err;

    if (remote_message_init(&b.m, &job->of->request, request_id, &err) != CUZK_OK) {
        stress_tally_end(c->tally, END_LOST, err.text);
        return;
    }
    b.input = b.m.list != NULL ? &b.m.list[stress_random(random, b.m.message.n_vanilla_proofs)]
                               : &b.m.message.vanilla_proof;
    spoilers[which](&b);
    prove_bad(c, &b, which);
    free(b.bytes);
    remote_message_clear(&b.m);
}

/* ---- calls that are bad themselves -------------------------------------------------------------
 */

static cuzk_status await_unknown(remote_t *remote, cuzk_error *err)
{
    remote_answer_t answer;
    const cuzk_status st = remote_await(&answer, remote, UNKNOWN_JOB, 0, err);

    remote_answer_clear(&answer);
    return st;
}

static cuzk_status cancel_unknown(remote_t *remote, cuzk_error *err)
{
    return remote_cancel(NULL, remote, UNKNOWN_JOB, err);
}

static cuzk_status preload_unknown(remote_t *remote, cuzk_error *err)
{
    remote_preload_t preload;

    return remote_preload(&preload, remote, "porep-3k", err);
}

static cuzk_status call_unknown(remote_t *remote, cuzk_error *err)
{
    const Cuzk__V1__GetStatusRequest request = CUZK__V1__GET_STATUS_REQUEST__INIT;
    const rpc_request_t call = {.method = "ProveAll",
                                .request = &request.base,
                                .reply = &cuzk__v1__get_status_response__descriptor,
                                .timeout_ms = remote->timeout_ms,
                                .cancel = remote->cancel};
    ProtobufCMessage *reply;

    const cuzk_status st = rpc_client_call(&reply, &remote->code, remote->client, &call, err);
    if (st == CUZK_OK) protobuf_c_message_free_unpacked(reply, NULL);
    return st;
}

static cuzk_status prove_nothing(remote_t *remote, cuzk_error *err)
{
    const Cuzk__V1__ProveRequest request = CUZK__V1__PROVE_REQUEST__INIT;
    const rpc_request_t call = {.method = "Prove",
                                .request = &request.base,
                                .reply = &cuzk__v1__prove_response__descriptor,
                                .timeout_ms = remote->timeout_ms,
                                .cancel = remote->cancel};
    ProtobufCMessage *reply;

    const cuzk_status st = rpc_client_call(&reply, &remote->code, remote->client, &call, err);
    if (st == CUZK_OK) protobuf_c_message_free_unpacked(reply, NULL);
    return st;
}

static void do_bad_call(stress_client_t *c, uint64_t *random)
{
    static const struct {
        const char *what;
        cuzk_status (*call)(remote_t *remote, cuzk_error *err);
        grpc_status_code expected;
    } calls[] = {{"AwaitProof of an unknown job", await_unknown, GRPC_STATUS_NOT_FOUND},
                 {"CancelProof of an unknown job", cancel_unknown, GRPC_STATUS_NOT_FOUND},
                 {"PreloadSRS of no circuit", preload_unknown, GRPC_STATUS_INVALID_ARGUMENT},
                 {"an unknown method", call_unknown, GRPC_STATUS_UNIMPLEMENTED},
                 {"Prove without a request", prove_nothing, GRPC_STATUS_INVALID_ARGUMENT}};
    const uint64_t which = stress_random(random, sizeof calls / sizeof *calls);
    remote_t remote = stress_remote(c, REMOTE_SHORT_MS);
    cuzk_status st;
    cuzk_error err = {0};

    do st = calls[which].call(&remote, &err);
    while (st != CUZK_OK && stress_repeats(c, &remote));
    end_refused(c, calls[which].what, &remote, calls[which].expected, &err);
}

void stress_do_bad(stress_client_t *c, const stress_job_t *job, const char *request_id)
{
    uint64_t random = job->random;

    if (stress_random(&random, 3) == 0)
        do_bad_call(c, &random);
    else
        do_spoiled(c, job, &random, request_id);
    c->missing_ns = 0;
}
