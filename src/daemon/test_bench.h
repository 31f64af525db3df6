/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_DAEMON_TEST_BENCH_H
#define CUZK_DAEMON_TEST_BENCH_H

/* What the tests of the queue share: a queue with a real engine whose work can be held up, a store
 * that counts, waits and fails as it is told, and callers that keep their answers. A failure ends
 * the test. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>

#include "daemon/queue.h"
#include "engine/test_case.h"

/* ---- the store ------------------------------------------------------------------------------- */

typedef enum { OP_ADD, OP_REQUEST, OP_START, OP_END, OP_DROP, OP_EXPIRE, OPS } test_op;

enum { TEST_STARTS = 4096 };

typedef struct {
    store_t head;
    store_t *real; /* in memory */
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    unsigned counts[OPS];   /* calls that were made */
    unsigned waiting[OPS];  /* calls that are held up */
    bool is_held[OPS];      /* calls wait */
    unsigned failures[OPS]; /* so many calls from now on fail */
    unsigned one_in[OPS];   /* one of so many fails, by the number of the call; 0: none */
    bool damages;           /* a byte of each request */
    char starts[TEST_STARTS][STORE_ID_BYTES]; /* in their order */
    unsigned n_starts;
} test_store_t;

void test_store_open(test_store_t *s);
void test_store_close(test_store_t *s);

unsigned test_store_count(test_store_t *s, test_op op);
void test_store_fail(test_store_t *s, test_op op, unsigned n);

/** Calls of an operation wait until they are let go. */
void test_store_hold(test_store_t *s, test_op op);
void test_store_let_go(test_store_t *s, test_op op);

/** Waits until n calls are held up. */
void test_store_await_held(test_store_t *s, test_op op, unsigned n);

/** Waits until n calls have been made. */
void test_store_await(test_store_t *s, test_op op, unsigned n);

/** What the store has of a job; proof and error are not filled in. false: nothing. */
bool test_store_find(store_job_t *job, test_store_t *s, const char *id);

/* ---- callers --------------------------------------------------------------------------------- */

/** Somebody who waits, and what he was told. */
typedef struct {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    uint64_t call;
    unsigned n; /* how often done() was called */
    char id[STORE_ID_BYTES];
    queue_outcome outcome;
    uint8_t proof[CUZK_PROOF_BYTES];
    size_t proof_length;
    char error[CUZK_ERROR_TEXT_BYTES];
    store_times_t times_ms;
} caller_t;

void caller_init(caller_t *c);
bool caller_is_told(caller_t *c);

/** Waits for the answer, which is the only one. */
void caller_expect(caller_t *c, queue_outcome outcome);

/** The waiter of a caller. */
queue_waiter_t caller_waiter(caller_t *c, bool owns, uint64_t timeout_ms);

/* ---- the queue with all it stands on --------------------------------------------------------- */

typedef struct {
    const char *params; /* NULL: post_params */
    uint64_t budget;    /* 0: the engine's default */
    uint32_t max_jobs;  /* 0: 100 */
    uint32_t max_batch_size;
    uint64_t max_batch_wait_ms, job_timeout_ms, keep_ms;
    bool sort_by_type, cancels_posts, cancels_begun, drops_waiting, is_durable;
} bench_options_t;

/** How many jobs that are not urgent the engine of a bench gets at once. */
enum { BENCH_SLOTS = 3 };

typedef struct {
    test_store_t *store;
    cuzk_engine *engine;
    queue_link_t link;
    queue_t *queue;
    atomic_uint n_finished; /* jobs that the engine has ended */
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool is_frozen; /* jobs of the engine go no further than to their next line of log */
} bench_t;

/** The store is the caller's, and stays. */
void bench_open(bench_t *b, test_store_t *store, const bench_options_t *options);

/** As the daemon does it. The engine has nothing left then. */
void bench_close(bench_t *b);

void bench_freeze(bench_t *b);
void bench_thaw(bench_t *b);

/** Asks as Prove does, and is accepted. */
queue_ticket_t bench_prove(bench_t *b, caller_t *c, const char *request_id,
                           const cuzk_request *request);

/** Asks as SubmitProof does, and is accepted. */
queue_ticket_t bench_submit(bench_t *b, const char *request_id, const cuzk_request *request);

/** Asks as Prove, or with c NULL as SubmitProof does. */
cuzk_status bench_try(bench_t *b, caller_t *c, const char *request_id, const cuzk_request *request,
                      cuzk_error *err);

/** Begins n jobs that are not urgent, of request ids "fill-0" and so on. */
void bench_fill(bench_t *b, unsigned n, const cuzk_request *request);

/** Waits until so many jobs wait, and so many have begun. */
void bench_await_counts(bench_t *b, uint32_t pending, uint32_t in_progress);

/** Waits until the engine works on so many jobs: two at once, at most. */
void bench_await_running(bench_t *b, uint32_t n);

uint32_t bench_pending(bench_t *b);
uint32_t bench_in_progress(bench_t *b);

/** Sums over all kinds of what a snapshot has. */
snapshot_kind_t bench_kinds(bench_t *b);

/** A pause between two looks. */
void bench_pause_ms(unsigned ms);

/* ---- cases ----------------------------------------------------------------------------------- */

/** The golden cases, opened by test_main(). winning: a WinningPoSt; window: of two sectors, one
 *  partition; other_window: of another sector; update, porep: there are no parameters for them. */
typedef struct {
    cuzk_request winning, window, other_window, update, porep;
} test_requests_t;

extern test_requests_t requests;

/** A request at another priority. */
cuzk_request at_priority(const cuzk_request *request, cuzk_priority priority);

/** A folder without parameters, and one with those of PoSts alone. */
extern const char *no_params, *post_params;

/** Runs tests where there are parameters, else they are skipped; returns main()'s result. */
int test_main(const char *name, const struct CMUnitTest *tests, size_t n);

#endif
