/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* Draining and stopping the queue; and many threads that do at random what can be done, for some
 * seconds: whoever is accepted is answered exactly once, whatever fails. */
#include "daemon/test_bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

static test_store_t store;
static bench_t bench;

static void open_bench(const bench_options_t *options)
{
    test_store_open(&store);
    bench_open(&bench, &store, options);
}

static void close_bench(void)
{
    bench_close(&bench);
    test_store_close(&store);
}

/* ---- draining and stopping ---------------------------------------------------------------------
 */

static void a_queue_that_drains_finishes_what_has_begun(void **unused)
{
    const cuzk_request bulk = at_priority(&requests.window, CUZK_PRIORITY_NORMAL);
    caller_t running, waiting, joined, after;
    bool was_running;
    cuzk_error err;

    (void)unused;
    open_bench(&(bench_options_t){0});
    bench_freeze(&bench);
    (void)bench_prove(&bench, &running, "running", &requests.window);
    bench_fill(&bench, BENCH_SLOTS, &bulk);
    const queue_ticket_t ticket = bench_prove(&bench, &waiting, "waiting", &bulk);
    queue_drain(bench.queue);
    assert_int_equal(queue_in_engine(bench.queue), BENCH_SLOTS + 1);
    assert_int_equal(bench_try(&bench, &after, "new", &requests.window, &err), CUZK_CANCELLED);
    assert_string_equal(err.text, "the daemon is stopping");
    assert_true(bench_prove(&bench, &joined, "running", &requests.window).is_known);
    for (unsigned i = 0; i < BENCH_SLOTS; i++) {
        char name[16];

        (void)snprintf(name, sizeof name, "fill-%u", i);
        assert_int_equal(queue_cancel(&was_running, bench.queue, name, &err), CUZK_OK);
    }
    bench_thaw(&bench);
    caller_expect(&running, OUTCOME_COMPLETED);
    caller_expect(&joined, OUTCOME_COMPLETED);
    bench_await_counts(&bench, 1, 0);
    assert_int_equal(queue_in_engine(bench.queue), 0);
    bench_pause_ms(30);
    assert_false(caller_is_told(&waiting));
    bench_close(&bench);
    caller_expect(&waiting, OUTCOME_STOPPING);
    assert_string_equal(waiting.error, "the daemon is stopping");
    store_job_t record;
    assert_true(test_store_find(&record, &store, ticket.id));
    assert_int_equal(record.state, STORE_ACCEPTED);
    test_store_close(&store);
}

static void after_the_stop_all_is_refused(void **unused)
{
    caller_t running, awaits, c;
    bool was_running;
    cuzk_error err;

    (void)unused;
    open_bench(&(bench_options_t){0});
    bench_freeze(&bench);
    const queue_ticket_t ticket = bench_prove(&bench, &running, "running", &requests.window);
    caller_init(&awaits);
    const queue_waiter_t waiter = caller_waiter(&awaits, false, 0);
    assert_int_equal(queue_await(bench.queue, ticket.id, &waiter, &err), CUZK_OK);
    queue_stop(bench.queue);
    caller_expect(&running, OUTCOME_STOPPING);
    caller_expect(&awaits, OUTCOME_STOPPING);
    caller_init(&c);
    const queue_waiter_t late = caller_waiter(&c, false, 0);
    assert_int_equal(queue_await(bench.queue, ticket.id, &late, &err), CUZK_CANCELLED);
    assert_int_equal(queue_cancel(&was_running, bench.queue, ticket.id, &err), CUZK_CANCELLED);
    assert_int_equal(bench_try(&bench, &c, "running", &requests.window, &err), CUZK_CANCELLED);
    queue_leave(bench.queue, running.call);
    assert_int_equal(running.n + awaits.n, 2);
    assert_int_equal(c.n, 0);
    close_bench();
}

/* A proof that was handed out just before the stop is in the store after it. */
static void ends_are_stored_before_the_stop_is_over(void **unused)
{
    enum { JOBS = 10 };
    caller_t c[JOBS];
    queue_ticket_t tickets[JOBS];
    store_job_t record;

    (void)unused;
    open_bench(&(bench_options_t){.params = no_params});
    test_store_hold(&store, OP_END);
    for (unsigned i = 0; i < JOBS; i++) {
        char name[16];

        (void)snprintf(name, sizeof name, "job-%u", i);
        tickets[i] = bench_prove(&bench, &c[i], name, &requests.window);
    }
    for (unsigned i = 0; i < JOBS; i++) caller_expect(&c[i], OUTCOME_FAILED);
    test_store_await_held(&store, OP_END, 1);
    test_store_let_go(&store, OP_END);
    bench_close(&bench);
    for (unsigned i = 0; i < JOBS; i++) {
        assert_true(test_store_find(&record, &store, tickets[i].id));
        assert_int_equal(record.state, STORE_FAILED);
    }
    test_store_close(&store);
}

enum { SUBMITTERS = 4, CALLS_EACH = 2000 };

typedef struct {
    pthread_t thread;
    unsigned number, n;
    caller_t *callers;
    bool accepted[CALLS_EACH];
} submitter_t;

/* Asks until it is told that the daemon stops. */
static void *submit_on(void *arg)
{
    submitter_t *s = arg;
    char name[32];
    cuzk_error err;

    for (; s->n < CALLS_EACH; s->n++) {
        (void)snprintf(name, sizeof name, "job-%u-%u", s->number, s->n);
        const cuzk_status st = bench_try(&bench, &s->callers[s->n], name,
                                         s->n % 3 ? &requests.window : &requests.update, &err);
        s->accepted[s->n] = st == CUZK_OK;
        if (st == CUZK_CANCELLED) return NULL;
    }
    return NULL;
}

static void a_stop_answers_all_once_while_others_ask(void **unused)
{
    static submitter_t submitters[SUBMITTERS];
    unsigned n_answers = 0, n_accepted = 0;

    (void)unused;
    for (unsigned round = 0; round < 6; round++) {
        open_bench(&(bench_options_t){.params = no_params, .max_jobs = 50});
        for (unsigned i = 0; i < SUBMITTERS; i++) {
            submitters[i] =
                (submitter_t){.number = i, .callers = calloc(CALLS_EACH + 1, sizeof(caller_t))};
            assert_non_null(submitters[i].callers);
            assert_int_equal(pthread_create(&submitters[i].thread, NULL, submit_on, &submitters[i]),
                             0);
        }
        test_store_await(&store, OP_ADD, 1);
        bench_pause_ms(13 * round);
        if (round % 2 == 1) queue_drain(bench.queue);
        queue_stop(bench.queue);
        for (unsigned i = 0; i < SUBMITTERS; i++) (void)pthread_join(submitters[i].thread, NULL);
        close_bench();
        for (unsigned i = 0; i < SUBMITTERS; i++) {
            for (unsigned k = 0; k <= submitters[i].n && k < CALLS_EACH; k++) {
                assert_int_equal(submitters[i].callers[k].n, submitters[i].accepted[k]);
                n_accepted += submitters[i].accepted[k];
                n_answers += submitters[i].callers[k].n;
            }
            free(submitters[i].callers);
        }
    }
    assert_int_equal(n_answers, n_accepted);
    assert_true(n_accepted > 0);
}

/* ---- anything at any time ----------------------------------------------------------------------
 */

enum { WORKERS = 8, MOST_CALLS = 20000, NAMES = 6, SOAK_S = 4 };

typedef struct {
    caller_t caller;
    bool is_accepted, is_awaiting;
} soak_call_t;

typedef struct {
    pthread_t thread;
    uint64_t random;
    uint64_t until_ns;
    soak_call_t *calls;
    unsigned n;
    bool has_failed; /* a call said what it may not say */
    const char *call;
    cuzk_error err;
} worker_t;

static uint64_t next_random(worker_t *w)
{
    w->random = w->random * 6364136223846793005U + 1442695040888963407U;
    return w->random >> 33;
}

static void complain(worker_t *w, const char *call, const cuzk_error *err)
{
    w->has_failed = true;
    w->call = call;
    w->err = *err;
}

static void pick_name(char name[16], worker_t *w)
{
    (void)snprintf(name, 16, "job-%u", (unsigned)(next_random(w) % NAMES));
}

/* A few jobs that are proved, many that are not. */
static cuzk_request pick_request(worker_t *w)
{
    const cuzk_request *const all[] = {&requests.window,  &requests.window, &requests.other_window,
                                       &requests.update,  &requests.update, &requests.porep,
                                       &requests.winning, &requests.winning};
    cuzk_request r = *all[next_random(w) % 8];

    if (r.kind == CUZK_WINNING_POST) r.randomness[0] ^= 1; /* refused by the engine */
    if (next_random(w) % 3 == 0) r.priority = (cuzk_priority)(1 + next_random(w) % 4);
    return r;
}

static void do_prove(worker_t *w)
{
    const cuzk_request r = pick_request(w);
    soak_call_t *call = &w->calls[w->n++];
    char name[16];
    cuzk_error err;

    pick_name(name, w);
    const cuzk_status st = bench_try(&bench, &call->caller, name, &r, &err);
    call->is_accepted = st == CUZK_OK;
    if (st != CUZK_OK && st != CUZK_ERR_BUSY && st != CUZK_ERR_IO && st != CUZK_CANCELLED)
        complain(w, "prove", &err);
}

static void do_submit(worker_t *w)
{
    const cuzk_request r = pick_request(w);
    char name[16];
    cuzk_error err;

    pick_name(name, w);
    const cuzk_status st = bench_try(&bench, NULL, name, &r, &err);
    if (st != CUZK_OK && st != CUZK_ERR_BUSY && st != CUZK_ERR_IO && st != CUZK_CANCELLED)
        complain(w, "submit", &err);
}

static void do_await(worker_t *w)
{
    soak_call_t *call = &w->calls[w->n++];
    char name[16];
    cuzk_error err;

    caller_init(&call->caller);
    call->is_awaiting = true;
    pick_name(name, w);
    const queue_waiter_t waiter = caller_waiter(&call->caller, false, next_random(w) % 300);
    const cuzk_status st = queue_await(bench.queue, name, &waiter, &err);
    call->is_accepted = st == CUZK_OK;
    if (st != CUZK_OK && st != CUZK_ERR_MISSING && st != CUZK_CANCELLED) complain(w, "await", &err);
}

static void do_cancel(worker_t *w)
{
    bool was_running;
    char name[16];
    cuzk_error err;

    pick_name(name, w);
    const cuzk_status st = queue_cancel(&was_running, bench.queue, name, &err);
    if (st != CUZK_OK && st != CUZK_ERR_MISSING && st != CUZK_CANCELLED)
        complain(w, "cancel", &err);
}

static void do_look(worker_t *w)
{
    snapshot_t snapshot;
    cuzk_error err;

    if (queue_snapshot(&snapshot, bench.queue, &err) != CUZK_OK)
        complain(w, "snapshot", &err);
    else
        snapshot_clear(&snapshot);
}

/* Takes all memory for a moment: inputs are refused, and jobs go back to the queue. */
static void do_squeeze(worker_t *w)
{
    uint64_t taken = 0;
    cuzk_error err;

    for (uint64_t piece = (uint64_t)1 << 34; piece >= 1024; piece /= 2)
        while (cuzk_memory_take(bench.engine, piece, &err) == CUZK_OK) taken += piece;
    bench_pause_ms((unsigned)(next_random(w) % 20));
    cuzk_memory_give(bench.engine, taken);
}

static void *work(void *arg)
{
    worker_t *w = arg;

    while (clock_monotonic_ns() < w->until_ns && w->n < MOST_CALLS) {
        const unsigned choice = (unsigned)(next_random(w) % 100);

        if (choice < 40)
            do_prove(w);
        else if (choice < 50)
            do_submit(w);
        else if (choice < 65)
            do_await(w);
        else if (choice < 80 && w->n > 0)
            queue_leave(bench.queue, w->calls[next_random(w) % w->n].caller.call);
        else if (choice < 90)
            do_cancel(w);
        else if (choice < 97)
            do_look(w);
        else
            do_squeeze(w);
        if (next_random(w) % 4 == 0) bench_pause_ms((unsigned)(next_random(w) % 12));
    }
    return NULL;
}

/* Each answer is the only one; proofs of one job are the same, as long as it is not forgotten. */
static void check_worker(const worker_t *w, bool forgets, const caller_t **proofs,
                         unsigned *n_proofs)
{
    if (w->has_failed) fail_msg("%s: %s", w->call, w->err.text);
    for (unsigned i = 0; i < w->n; i++) {
        const caller_t *c = &w->calls[i].caller;
        unsigned k = 0;

        assert_int_equal(c->n, w->calls[i].is_accepted);
        if (c->n == 0 || c->outcome != OUTCOME_COMPLETED) continue;
        assert_int_equal(c->proof_length, CUZK_PROOF_BYTES);
        if (forgets) continue;
        while (k < *n_proofs && strcmp(proofs[k]->id, c->id) != 0) k++;
        if (k == *n_proofs) proofs[(*n_proofs)++] = c;
        assert_memory_equal(c->proof, proofs[k]->proof, CUZK_PROOF_BYTES);
    }
}

static void check_kinds(void)
{
    const snapshot_kind_t kinds = bench_kinds(&bench);

    print_message("soak: %u proved, %u failed, %u refused, %u cancelled\n",
                  (unsigned)kinds.completed, (unsigned)kinds.failed, (unsigned)kinds.refused,
                  (unsigned)kinds.cancelled);
    assert_int_equal(kinds.pending + kinds.in_progress, 0);
    assert_true(kinds.cancelled > 0 && kinds.refused > 0 && kinds.failed > 0);
}

static void soak(bool stops_in_the_middle, unsigned one_in, uint64_t seed)
{
    static worker_t workers[WORKERS];
    const caller_t *proofs[64];
    unsigned n_proofs = 0;

    open_bench(&(bench_options_t){.budget = (uint64_t)1 << 30,
                                  .max_jobs = 24,
                                  .max_batch_size = 1 + seed % 2,
                                  .max_batch_wait_ms = 30,
                                  .sort_by_type = true,
                                  .keep_ms = one_in == 0 ? 3600000 : 500,
                                  .cancels_posts = true,
                                  .cancels_begun = seed % 2 == 0,
                                  .drops_waiting = true});
    for (test_op op = OP_ADD; op < OPS; op++) store.one_in[op] = one_in == 0 ? 0 : one_in + op;
    for (unsigned i = 0; i < WORKERS; i++) {
        workers[i] = (worker_t){.random = seed * 1000 + i,
                                .until_ns = clock_monotonic_ns() + (uint64_t)SOAK_S * 1000000000,
                                .calls = calloc(MOST_CALLS, sizeof(soak_call_t))};
        assert_non_null(workers[i].calls);
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    if (stops_in_the_middle) {
        bench_pause_ms(SOAK_S * 500);
        queue_stop(bench.queue);
    }
    for (unsigned i = 0; i < WORKERS; i++) (void)pthread_join(workers[i].thread, NULL);
    if (!stops_in_the_middle) {
        bench_await_counts(&bench, 0, 0);
        check_kinds();
    }
    close_bench();
    for (unsigned i = 0; i < WORKERS; i++)
        check_worker(&workers[i], one_in != 0, proofs, &n_proofs);
    for (unsigned i = 0; i < WORKERS; i++) free(workers[i].calls);
}

static void everybody_is_answered_once(void **unused)
{
    (void)unused;
    soak(false, 0, 1);
}

static void everybody_is_answered_once_though_the_store_fails(void **unused)
{
    (void)unused;
    soak(false, 7, 2);
}

static void everybody_is_answered_once_when_it_stops(void **unused)
{
    (void)unused;
    soak(true, 11, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_queue_that_drains_finishes_what_has_begun),
        cmocka_unit_test(after_the_stop_all_is_refused),
        cmocka_unit_test(ends_are_stored_before_the_stop_is_over),
        cmocka_unit_test(a_stop_answers_all_once_while_others_ask),
        cmocka_unit_test(everybody_is_answered_once),
        cmocka_unit_test(everybody_is_answered_once_though_the_store_fails),
        cmocka_unit_test(everybody_is_answered_once_when_it_stops),
    };

    return test_main("queue_stop", tests, sizeof tests / sizeof *tests);
}
