/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* What the callers of a stress run do, but for bad requests. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "bench/stress.h"
#include "cuzk/text.h"

enum {
    SLEEP_SLICE_MS = 20,
    AWAY_MS = 200,     /* between two calls to a daemon that is not there */
    BUSY_MS = 100,     /* and to one that is busy, up to so much more */
    LONGEST_MS = 3000, /* before a cancel, a caller's leaving, or in a call that waits a while */
    MAX_LEAVES = 3,    /* of one caller */
    SHORT_WAITS = 3,   /* calls that wait a while, before one that waits for the end */
    STOPPED_AFTER_MS = 100 /* a job that was left or cancelled works no longer than that */
};

/* A call that lasted longer reached a daemon, which went away meanwhile. */
#define REFUSED_S 1.0

/* One job of one client. */
typedef struct {
    stress_client_t *c;
    const proof_case_t *of;
    stress_proof_t *proof; /* what it gives */
    uint64_t random;
    remote_message_t message;
} caller_t;

/* ---- calls -------------------------------------------------------------------------------------
 */

void stress_sleep(const stress_client_t *c, uint64_t ms)
{
    const uint64_t until_ns = clock_monotonic_ns() + ms * 1000000;

    for (uint64_t now = clock_monotonic_ns(); now < until_ns && !cancel_is_set(c->cancel);
         now = clock_monotonic_ns()) {
        const uint64_t left_ns = until_ns - now;
        const uint64_t slice_ns = SLEEP_SLICE_MS * (uint64_t)1000000;
        const struct timespec slice = {.tv_nsec = (long)(left_ns < slice_ns ? left_ns : slice_ns)};

        (void)nanosleep(&slice, NULL);
    }
}

remote_t stress_remote(const stress_client_t *c, uint64_t timeout_ms)
{
    return (remote_t){.client = c->client,
                      .timeout_ms = timeout_ms,
                      .cancel = c->cancel,
                      .is_told = client_options_calls(c->o->daemon)};
}

bool stress_repeats(stress_client_t *c, const remote_t *remote)
{
    const uint64_t now = clock_monotonic_ns();

    if (cancel_is_set(c->cancel)) return false;
    if (remote->code == GRPC_STATUS_RESOURCE_EXHAUSTED) {
        stress_tally_repeat(c->tally, true);
        stress_sleep(c, BUSY_MS + now % BUSY_MS);
        return true;
    }
    if (remote->code != GRPC_STATUS_UNAVAILABLE || c->o->reconnect_ms == 0) return false;
    if (c->missing_ns == 0 || remote->call_s > REFUSED_S) c->missing_ns = now;
    if (now - c->missing_ns > c->o->reconnect_ms * 1000000) return false;
    c->was_missing = true;
    stress_tally_repeat(c->tally, false);
    stress_sleep(c, AWAY_MS);
    return true;
}

/* A call got through. */
static void note_answer(stress_client_t *c)
{
    c->missing_ns = 0;
}

/* Up to LONGEST_MS, short times as often as long ones. */
static uint64_t random_ms(caller_t *k)
{
    return stress_random(&k->random, LONGEST_MS >> stress_random(&k->random, 8)) + 1;
}

/* ---- ends --------------------------------------------------------------------------------------
 */

static void end_badly(const caller_t *k, stress_end end, const char *what, cuzk_error *err)
{
    if (cancel_is_set(k->c->cancel)) return; /* the run was interrupted: nothing is told from it */
    (void)error_within(err, "%s: %s", k->of->name, what);
    stress_tally_end(k->c->tally, end, err->text);
}

/* After a call that failed and is not made again. */
static void end_by_error(const caller_t *k, const remote_t *remote, bool is_accepted,
                         cuzk_error *err)
{
    const bool is_refusal = remote->code == GRPC_STATUS_INVALID_ARGUMENT;

    if (is_accepted || !is_refusal)
        end_badly(k, END_LOST, is_accepted ? "accepted, then" : "no answer", err);
    else
        end_badly(k, END_WRONG, "a good request was refused", err);
}

/* Without keys a proof is known by its length alone. */
static cuzk_status verify(const stress_client_t *c, const proof_case_t *of,
                          const remote_answer_t *answer, cuzk_error *err)
{
    if (c->o->engine != NULL)
        return cuzk_verify(c->o->engine, &of->statement, answer->proof, answer->length, err);
    if (answer->length > 0 && answer->length % CUZK_PROOF_BYTES == 0) return CUZK_OK;
    return error_set(err, CUZK_INVALID_PROOF, "%zu bytes, expected a number of proofs of %d",
                     answer->length, CUZK_PROOF_BYTES);
}

void stress_judge(stress_proof_t *proof, stress_client_t *c, const proof_case_t *of,
                  remote_answer_t *answer)
{
    cuzk_error err;

    if (verify(c, of, answer, &err) != CUZK_OK) {
        (void)error_within(&err, "%s: job %s", of->name, answer->job_id);
        stress_tally_end(c->tally, END_WRONG, err.text);
        return;
    }
    stress_tally_end(c->tally, END_COMPLETED, NULL);
    (void)snprintf(proof->job_id, sizeof proof->job_id, "%s", answer->job_id);
    proof->proof = answer->proof;
    proof->length = answer->length;
    answer->proof = NULL;
}

/* Counts the answer of a job; may_be_cancelled: somebody asked for that. */
static void end_by_answer(const caller_t *k, remote_answer_t *answer, bool may_be_cancelled)
{
    cuzk_error err;
    const cuzk_status st = remote_outcome(answer, &err);

    if (st == CUZK_OK)
        stress_judge(k->proof, k->c, k->of, answer);
    else if (st == CUZK_CANCELLED && may_be_cancelled)
        stress_tally_end(k->c->tally, END_CANCELLED, NULL);
    else if (answer->status == CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__COMPLETED)
        end_badly(k, END_WRONG, "the answer", &err);
    else
        end_badly(k, END_FAILED, "the answer", &err);
    remote_answer_clear(answer);
}

/* ---- WinningPoSts ------------------------------------------------------------------------------
 */

static double run_s(const caller_t *k)
{
    return clock_seconds_between(k->c->start_ns, clock_monotonic_ns());
}

/* A call since since_s that was answered by the end of a job of its own; others by work alone. */
static void note_winning(const caller_t *k, const remote_answer_t *answer, double since_s)
{
    const double now_s = run_s(k);
    winning_span_t span = {.accepted_s = since_s, .end_s = now_s + STOPPED_AFTER_MS * 1e-3};

    if (k->of->request.kind != CUZK_WINNING_POST) return;
    if (answer != NULL && answer->length > 0) {
        span.end_s = now_s;
        span.accepted_s = now_s - (double)answer->total_ms * 1e-3;
        span.wait_s = (double)answer->queue_wait_ms * 1e-3;
        span.is_judged = span.accepted_s > since_s - 0.002 && !k->c->was_missing;
    }
    stress_tally_winning(k->c->tally, &span);
}

/* ---- acts --------------------------------------------------------------------------------------
 */

/* Waits in a call until the job's end. */
static void prove(caller_t *k)
{
    remote_t remote = stress_remote(k->c, k->c->o->timeout_ms);
    remote_answer_t answer;
    double since_s;
    cuzk_status st;
    cuzk_error err;

    do {
        since_s = run_s(k);
        st = remote_prove(&answer, &remote, &k->message, &err);
    } while (st != CUZK_OK && stress_repeats(k->c, &remote));
    if (st != CUZK_OK) {
        end_by_error(k, &remote, false, &err);
        return;
    }
    note_answer(k->c);
    note_winning(k, &answer, since_s);
    end_by_answer(k, &answer, false);
}

/* Hands the job over; false: that failed, and is counted. */
static bool submit(char job_id[REMOTE_ID_BYTES], caller_t *k)
{
    remote_t remote = stress_remote(k->c, k->c->o->timeout_ms);
    cuzk_status st;
    cuzk_error err;

    do st = remote_submit(job_id, &remote, &k->message, &err);
    while (st != CUZK_OK && stress_repeats(k->c, &remote));
    if (st == CUZK_OK)
        note_answer(k->c);
    else
        end_by_error(k, &remote, false, &err);
    return st == CUZK_OK;
}

/* Waits for a job that was accepted; false: it is lost, which is counted. The answer may be that
 *  it goes on, when wait_ms is not 0. */
static bool await(remote_answer_t *answer, caller_t *k, const char *job_id, uint64_t wait_ms)
{
    remote_t remote = stress_remote(k->c, k->c->o->timeout_ms);
    cuzk_status st;
    cuzk_error err;

    do st = remote_await(answer, &remote, job_id, wait_ms, &err);
    while (st != CUZK_OK && stress_repeats(k->c, &remote));
    if (st == CUZK_OK)
        note_answer(k->c);
    else
        end_by_error(k, &remote, true, &err);
    return st == CUZK_OK;
}

static void submit_and_await(caller_t *k)
{
    const double since_s = run_s(k);
    char job_id[REMOTE_ID_BYTES];
    remote_answer_t answer;

    if (!submit(job_id, k)) return;
    for (int i = 0; i <= SHORT_WAITS; i++) {
        if (!await(&answer, k, job_id, i < SHORT_WAITS ? random_ms(k) : 0)) return;
        if (answer.status != CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__TIMEOUT) break;
    }
    note_winning(k, &answer, since_s);
    end_by_answer(k, &answer, false);
}

/* Cancels a job and waits for its end, which may have been before. */
static void cancel(caller_t *k, const char *job_id, double since_s)
{
    remote_t remote = stress_remote(k->c, REMOTE_SHORT_MS);
    remote_answer_t answer;
    cuzk_status st;
    cuzk_error err;

    do st = remote_cancel(NULL, &remote, job_id, &err);
    while (st != CUZK_OK && stress_repeats(k->c, &remote));
    if (st != CUZK_OK) {
        end_by_error(k, &remote, true, &err);
        return;
    }
    if (!await(&answer, k, job_id, 0)) return;
    note_winning(k, &answer, since_s);
    end_by_answer(k, &answer, true);
}

static void submit_and_cancel(caller_t *k)
{
    const double since_s = run_s(k);
    char job_id[REMOTE_ID_BYTES];

    if (!submit(job_id, k)) return;
    stress_sleep(k->c, random_ms(k));
    cancel(k, job_id, since_s);
}

/* A call that is left after a random time, by its deadline or by being dropped; true: it was
 * answered before, and is counted. */
static bool prove_and_leave(caller_t *k)
{
    const uint64_t most_ms = random_ms(k);
    const double since_s = run_s(k);
    const bool drops = stress_random(&k->random, 2) == 0;
    remote_t remote = stress_remote(k->c, drops ? k->c->o->timeout_ms : most_ms);
    remote_answer_t answer;
    cancel_t leave;
    cuzk_error err;

    cancel_init(&leave, drops ? clock_monotonic_ns() + most_ms * 1000000 : UINT64_MAX);
    leave.parent = k->c->cancel;
    remote.cancel = &leave;
    const cuzk_status st = remote_prove(&answer, &remote, &k->message, &err);
    if (st == CUZK_OK) {
        note_answer(k->c);
        note_winning(k, &answer, since_s);
        end_by_answer(k, &answer, false);
        return true;
    }
    note_winning(k, NULL, since_s);
    if (remote.code != GRPC_STATUS_INVALID_ARGUMENT) return false;
    end_by_error(k, &remote, false, &err);
    return true;
}

/* What became of a job whose caller left is learned by handing it over again. */
static void drop_and_cancel(caller_t *k)
{
    const double since_s = run_s(k);
    char job_id[REMOTE_ID_BYTES];

    if (prove_and_leave(k)) return;
    if (submit(job_id, k)) cancel(k, job_id, since_s);
}

/* As a node does that is restarted: the same id and bytes again, later. */
static void leave_and_prove(caller_t *k)
{
    const uint64_t n = 1 + stress_random(&k->random, MAX_LEAVES);

    for (uint64_t i = 0; i < n; i++) {
        if (prove_and_leave(k)) return;
        if (stress_random(&k->random, 2) == 0) stress_sleep(k->c, random_ms(k));
    }
    prove(k);
}

void stress_do(stress_proof_t *proof, stress_client_t *c, const stress_job_t *job, uint64_t number)
{
    static void (*const acts[])(caller_t * k) = {[ACT_PROVE] = prove,
                                                 [ACT_SUBMIT] = submit_and_await,
                                                 [ACT_CANCEL] = submit_and_cancel,
                                                 [ACT_DROP] = drop_and_cancel,
                                                 [ACT_DISCONNECT] = leave_and_prove};
    caller_t k = {.c = c, .of = job->of, .proof = proof, .random = job->random};
    char request_id[80];
    cuzk_error err;

    c->was_missing = false;
    (void)snprintf(request_id, sizeof request_id, "stress-%s-%016" PRIx64 "-%" PRIu64,
                   cuzk_kind_name(job->of->request.kind), c->o->plan.seed, number);
    stress_tally_begin(c->tally);
    if (job->act == ACT_BAD)
        stress_do_bad(c, job, request_id);
    else if (remote_message_init(&k.message, &job->of->request, request_id, &err) == CUZK_OK)
        acts[job->act](&k);
    else
        end_badly(&k, END_LOST, "not sent", &err);
    remote_message_clear(&k.message);
}
