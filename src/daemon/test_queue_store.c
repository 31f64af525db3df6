/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* The queue and a store that is slow, fails or has jobs from before. */
#include "daemon/test_bench.h"

#include <stdio.h>
#include <string.h>

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

static void await(caller_t *c, const char *id)
{
    cuzk_error err;

    caller_init(c);
    const queue_waiter_t waiter = caller_waiter(c, false, 0);
    if (queue_await(bench.queue, id, &waiter, &err) != CUZK_OK) fail_msg("%s", err.text);
}

static void expect_gone(const char *id)
{
    cuzk_error err;
    caller_t c;

    caller_init(&c);
    const queue_waiter_t waiter = caller_waiter(&c, false, 0);
    assert_int_equal(queue_await(bench.queue, id, &waiter, &err), CUZK_ERR_MISSING);
    assert_int_equal(bench_pending(&bench) + bench_in_progress(&bench), 0);
}

static store_state stored_state(const char *id)
{
    store_job_t job;

    if (!test_store_find(&job, &store, id)) fail_msg("the store has no job %s", id);
    return job.state;
}

/* Somebody who asks on a thread of his own. */
typedef struct {
    pthread_t thread;
    const cuzk_request *request;
    bool is_submit;
    caller_t caller;
    queue_ticket_t ticket;
    cuzk_status st;
    cuzk_error err;
    atomic_bool has_returned;
} asker_t;

static void *ask(void *arg)
{
    asker_t *a = arg;
    const queue_submission_t submission = {.request_id = "job", .request = *a->request};
    const queue_waiter_t waiter = caller_waiter(&a->caller, true, 0);

    a->st =
        queue_submit(&a->ticket, bench.queue, &submission, a->is_submit ? NULL : &waiter, &a->err);
    atomic_store(&a->has_returned, true);
    return NULL;
}

static void start_asker(asker_t *a, const cuzk_request *request, bool is_submit)
{
    *a = (asker_t){.request = request, .is_submit = is_submit};
    caller_init(&a->caller);
    assert_int_equal(pthread_create(&a->thread, NULL, ask, a), 0);
}

static void join_asker(asker_t *a, cuzk_status st)
{
    (void)pthread_join(a->thread, NULL);
    assert_int_equal(a->st, st);
    if (st == CUZK_OK) return;
    assert_string_equal(a->err.text, "the test's store fails");
    assert_int_equal(a->caller.n, 0);
}

/* ---- adding ------------------------------------------------------------------------------------
 */

static void a_submitted_job_is_stored_when_that_returns(void **unused)
{
    asker_t first, second;
    caller_t prover;

    (void)unused;
    open_bench(&(bench_options_t){.params = no_params});
    bench_freeze(&bench);
    test_store_hold(&store, OP_ADD);
    start_asker(&first, &requests.window, true);
    test_store_await_held(&store, OP_ADD, 1);
    start_asker(&second, &requests.window, true);
    (void)bench_prove(&bench, &prover, "job", &requests.window);
    bench_thaw(&bench);
    caller_expect(&prover, OUTCOME_FAILED); /* it is begun before it is stored */
    bench_pause_ms(50);
    assert_false(atomic_load(&first.has_returned) || atomic_load(&second.has_returned));
    assert_int_equal(test_store_count(&store, OP_START) + test_store_count(&store, OP_END), 0);
    test_store_let_go(&store, OP_ADD);
    join_asker(&first, CUZK_OK);
    join_asker(&second, CUZK_OK);
    bench_await_counts(&bench, 0, 0);
    bench_close(&bench);
    assert_int_equal(stored_state(first.ticket.id), STORE_FAILED);
    test_store_close(&store);
}

static void a_job_that_waits_is_begun_when_it_is_stored(void **unused)
{
    const cuzk_request bulk = at_priority(&requests.window, CUZK_PRIORITY_NORMAL);
    asker_t a;

    (void)unused;
    open_bench(&(bench_options_t){.params = no_params});
    bench_freeze(&bench);
    bench_fill(&bench, BENCH_SLOTS, &bulk);
    test_store_hold(&store, OP_ADD);
    start_asker(&a, &bulk, false);
    test_store_await_held(&store, OP_ADD, 1);
    bench_thaw(&bench);
    bench_await_counts(&bench, 1, 0);
    bench_pause_ms(50);
    assert_int_equal(test_store_count(&store, OP_REQUEST), 0);
    assert_false(caller_is_told(&a.caller));
    test_store_let_go(&store, OP_ADD);
    join_asker(&a, CUZK_OK);
    caller_expect(&a.caller, OUTCOME_FAILED);
    close_bench();
}

/* The one who asked first is refused; those who joined him hear why; nothing stays. */
static void a_running_job_that_cannot_be_stored_is_withdrawn(void **unused)
{
    asker_t first, submitter, again;
    caller_t other, awaits;

    (void)unused;
    open_bench(&(bench_options_t){0});
    bench_freeze(&bench);
    test_store_hold(&store, OP_ADD);
    test_store_fail(&store, OP_ADD, 1);
    start_asker(&first, &requests.window, false);
    test_store_await_held(&store, OP_ADD, 1);
    bench_await_counts(&bench, 0, 1);
    (void)bench_prove(&bench, &other, "job", &requests.window);
    await(&awaits, "job");
    start_asker(&submitter, &requests.window, true);
    bench_pause_ms(20);
    test_store_let_go(&store, OP_ADD);
    join_asker(&first, CUZK_ERR_IO);
    join_asker(&submitter, CUZK_ERR_IO);
    start_asker(&again, &requests.window, false); /* waits until the first has stopped */
    bench_pause_ms(20);
    bench_thaw(&bench);
    caller_expect(&other, OUTCOME_FAILED);
    caller_expect(&awaits, OUTCOME_FAILED);
    assert_string_equal(other.error, "the test's store fails");
    join_asker(&again, CUZK_OK);
    assert_false(again.ticket.is_known);
    caller_expect(&again.caller, OUTCOME_COMPLETED);
    assert_false(caller_is_told(&first.caller));
    test_store_await(&store, OP_END, 1); /* of the second run alone */
    bench_close(&bench);
    assert_int_equal(test_store_count(&store, OP_END), 1);
    assert_int_equal(stored_state(again.ticket.id), STORE_COMPLETED);
    test_store_close(&store);
}

static void a_waiting_job_that_cannot_be_stored_is_withdrawn(void **unused)
{
    const cuzk_request bulk = at_priority(&requests.window, CUZK_PRIORITY_NORMAL);
    asker_t first;
    caller_t other;

    (void)unused;
    open_bench(&(bench_options_t){.params = no_params});
    bench_freeze(&bench);
    bench_fill(&bench, BENCH_SLOTS, &bulk);
    test_store_hold(&store, OP_ADD);
    test_store_fail(&store, OP_ADD, 1);
    start_asker(&first, &bulk, false);
    test_store_await_held(&store, OP_ADD, 1);
    (void)bench_prove(&bench, &other, "job", &bulk);
    test_store_let_go(&store, OP_ADD);
    join_asker(&first, CUZK_ERR_IO);
    caller_expect(&other, OUTCOME_FAILED);
    assert_int_equal(bench_pending(&bench), 0);
    bench_thaw(&bench);
    bench_await_counts(&bench, 0, 0);
    expect_gone("job");
    close_bench();
}

/* Whoever has the proof is not told that it could not be stored. */
static void a_job_may_end_before_it_cannot_be_stored(void **unused)
{
    asker_t a;

    (void)unused;
    for (int is_submit = 0; is_submit < 2; is_submit++) {
        open_bench(&(bench_options_t){.params = no_params});
        test_store_hold(&store, OP_ADD);
        test_store_fail(&store, OP_ADD, 1);
        start_asker(&a, &requests.window, is_submit);
        test_store_await_held(&store, OP_ADD, 1);
        bench_await_counts(&bench, 0, 0);
        test_store_let_go(&store, OP_ADD);
        join_asker(&a, is_submit ? CUZK_ERR_IO : CUZK_OK);
        if (!is_submit) caller_expect(&a.caller, OUTCOME_FAILED);
        expect_gone("job");
        bench_close(&bench);
        assert_int_equal(test_store_count(&store, OP_END), 0);
        test_store_close(&store);
    }
}

/* ---- reading -----------------------------------------------------------------------------------
 */

static void a_request_that_cannot_be_read_fails_its_job(void **unused)
{
    const cuzk_request bulk = at_priority(&requests.window, CUZK_PRIORITY_NORMAL);
    caller_t unread, damaged;

    (void)unused;
    open_bench(&(bench_options_t){.params = no_params});
    bench_freeze(&bench);
    bench_fill(&bench, BENCH_SLOTS, &bulk);
    test_store_fail(&store, OP_REQUEST, 1);
    store.damages = true;
    (void)bench_prove(&bench, &unread, "unread", &bulk);
    (void)bench_prove(&bench, &damaged, "damaged", &bulk);
    bench_thaw(&bench);
    caller_expect(&unread, OUTCOME_FAILED);
    assert_string_equal(unread.error, "the test's store fails");
    caller_expect(&damaged, OUTCOME_FAILED);
    assert_non_null(strstr(damaged.error, "request"));
    bench_await_counts(&bench, 0, 0);
    test_store_await(&store, OP_END, BENCH_SLOTS + 2);
    assert_int_equal(bench_kinds(&bench).failed, BENCH_SLOTS + 2);
    close_bench();
}

/* ---- ending ------------------------------------------------------------------------------------
 */

static void an_end_that_cannot_be_stored_is_tried_again(void **unused)
{
    caller_t c, again;

    (void)unused;
    open_bench(&(bench_options_t){0});
    test_store_fail(&store, OP_END, 1);
    const queue_ticket_t ticket = bench_prove(&bench, &c, "job", &requests.window);
    caller_expect(&c, OUTCOME_COMPLETED);
    test_store_await(&store, OP_END, 1);
    assert_int_equal(stored_state(ticket.id), STORE_ACCEPTED);
    assert_true(bench_prove(&bench, &again, "job", &requests.window).is_known);
    caller_expect(&again, OUTCOME_COMPLETED);
    test_store_await(&store, OP_END, 2);
    bench_close(&bench);
    assert_int_equal(stored_state(ticket.id), STORE_COMPLETED);
    test_store_close(&store);
}

static void an_end_is_tried_once_more_at_the_stop(void **unused)
{
    caller_t c;

    (void)unused;
    for (unsigned failures = 1; failures <= 2; failures++) {
        open_bench(&(bench_options_t){.params = no_params});
        test_store_fail(&store, OP_END, failures);
        const queue_ticket_t ticket = bench_prove(&bench, &c, "job", &requests.window);
        caller_expect(&c, OUTCOME_FAILED);
        test_store_await(&store, OP_END, 1);
        bench_close(&bench);
        assert_int_equal(test_store_count(&store, OP_END), 2);
        assert_int_equal(stored_state(ticket.id), failures == 1 ? STORE_FAILED : STORE_ACCEPTED);
        test_store_close(&store);
    }
}

/* Its end is stored first, in a second attempt that does not wait for its time. */
static void a_failed_job_whose_end_is_not_stored_is_begun_again(void **unused)
{
    caller_t c, again;
    cuzk_error err;

    (void)unused;
    open_bench(&(bench_options_t){.params = no_params});
    test_store_fail(&store, OP_END, 3);
    const queue_ticket_t ticket = bench_prove(&bench, &c, "job", &requests.window);
    caller_expect(&c, OUTCOME_FAILED);
    test_store_await(&store, OP_END, 1);
    assert_int_equal(bench_try(&bench, &again, "job", &requests.window, &err), CUZK_ERR_IO);
    assert_non_null(strstr(err.text, "the end of its last run could not be stored"));
    assert_false(caller_is_told(&again));
    test_store_fail(&store, OP_END, 0);
    assert_false(bench_prove(&bench, &again, "job", &requests.window).is_known);
    caller_expect(&again, OUTCOME_FAILED);
    assert_int_equal(test_store_count(&store, OP_ADD), 2);
    assert_int_equal(atomic_load(&bench.n_finished), 2);
    bench_close(&bench);
    assert_int_equal(stored_state(ticket.id), STORE_FAILED);
    test_store_close(&store);
}

/* ---- jobs from before --------------------------------------------------------------------------
 */

static void jobs_are_taken_up_again(void **unused)
{
    const cuzk_request bulk = at_priority(&requests.window, CUZK_PRIORITY_NORMAL);
    const bench_options_t options = {.is_durable = true};
    caller_t done, running, waiting, after;
    store_job_t record;

    (void)unused;
    open_bench(&options);
    const queue_ticket_t first = bench_prove(&bench, &done, "done", &requests.other_window);
    caller_expect(&done, OUTCOME_COMPLETED);
    bench_freeze(&bench);
    const queue_ticket_t second = bench_prove(&bench, &running, "running", &requests.window);
    bench_fill(&bench, BENCH_SLOTS, &bulk);
    const queue_ticket_t third = bench_prove(&bench, &waiting, "waiting", &bulk);
    test_store_await(&store, OP_START, BENCH_SLOTS + 2);
    assert_int_equal(bench_pending(&bench), 1);
    bench_close(&bench);
    caller_expect(&running, OUTCOME_STOPPING);
    caller_expect(&waiting, OUTCOME_STOPPING);
    assert_string_equal(waiting.error, "the daemon is stopping: the job goes on after its restart");

    bench_open(&bench, &store, &options);
    const queue_ticket_t same = bench_prove(&bench, &after, "done", &requests.other_window);
    assert_true(same.is_known && caller_is_told(&after));
    assert_string_equal(same.id, first.id);
    caller_expect(&after, OUTCOME_COMPLETED);
    assert_memory_equal(after.proof, done.proof, CUZK_PROOF_BYTES);
    assert_true(bench_prove(&bench, &after, "running", &requests.window).is_known);
    queue_leave(bench.queue, after.call); /* that ends nothing that was accepted before */
    await(&running, second.id);
    await(&waiting, "waiting");
    caller_expect(&running, OUTCOME_COMPLETED);
    caller_expect(&waiting, OUTCOME_COMPLETED);
    bench_await_counts(&bench, 0, 0);
    bench_close(&bench);
    assert_true(test_store_find(&record, &store, third.id));
    assert_int_equal(record.state, STORE_COMPLETED);
    assert_int_equal(record.n_starts, 1);
    assert_true(test_store_find(&record, &store, second.id));
    assert_int_equal(record.n_starts, 2);
    test_store_close(&store);
}

/* With urgent ones among them, more than the queue may have now. */
static void more_jobs_than_the_queue_takes_are_taken_up(void **unused)
{
    enum { JOBS = 20 };
    char name[16];
    cuzk_error err;

    (void)unused;
    open_bench(&(bench_options_t){.params = no_params});
    bench_freeze(&bench);
    for (unsigned i = 0; i < JOBS; i++) {
        (void)snprintf(name, sizeof name, "job-%u", i);
        (void)bench_submit(&bench, name, i % 2 ? &requests.update : &requests.window);
    }
    bench_close(&bench);
    bench_open(&bench, &store, &(bench_options_t){.params = no_params, .max_jobs = 2});
    bench_await_counts(&bench, 0, 0);
    assert_int_equal(bench_kinds(&bench).failed, JOBS);
    assert_int_equal(bench_try(&bench, NULL, "new", &requests.window, &err), CUZK_OK);
    close_bench();
}

static void start_often(const char *id, int n)
{
    cuzk_error err;

    for (int i = 0; i < n; i++)
        assert_int_equal(store.real->ops->start(store.real, id, &err), CUZK_OK);
}

/* One that might be what ends the daemon goes behind all others, urgent or not. */
static void a_job_that_was_begun_often_goes_last(void **unused)
{
    caller_t c;

    (void)unused;
    open_bench(&(bench_options_t){.params = no_params});
    bench_freeze(&bench);
    const queue_ticket_t suspect = bench_submit(&bench, "suspect", &requests.winning);
    const queue_ticket_t bulk = bench_submit(&bench, "bulk", &requests.update);
    test_store_await(&store, OP_START, 2);
    bench_close(&bench);
    start_often(suspect.id, 3);
    bench_open(&bench, &store, &(bench_options_t){.params = no_params});
    await(&c, bulk.id);
    caller_expect(&c, OUTCOME_FAILED);
    await(&c, suspect.id);
    caller_expect(&c, OUTCOME_FAILED);
    assert_string_equal(store.starts[store.n_starts - 2], bulk.id);
    assert_string_equal(store.starts[store.n_starts - 1], suspect.id);
    close_bench();
}

static void a_job_that_never_ends_is_given_up(void **unused)
{
    caller_t c, other;

    (void)unused;
    open_bench(&(bench_options_t){.params = no_params});
    bench_freeze(&bench);
    const queue_ticket_t often = bench_submit(&bench, "often", &requests.window);
    const queue_ticket_t seldom = bench_submit(&bench, "seldom", &requests.window);
    test_store_await(&store, OP_START, 2);
    bench_close(&bench);
    start_often(often.id, 63);
    start_often(seldom.id, 62);
    bench_open(&bench, &store, &(bench_options_t){.params = no_params});
    await(&c, often.id);
    caller_expect(&c, OUTCOME_FAILED);
    assert_string_equal(c.error,
                        "it was begun 64 times and the daemon ended each time before it did");
    await(&other, seldom.id);
    caller_expect(&other, OUTCOME_FAILED);
    assert_non_null(strstr(other.error, "parameters: "));
    assert_int_equal(atomic_load(&bench.n_finished), 1);
    bench_close(&bench);
    assert_int_equal(stored_state(often.id), STORE_FAILED);
    test_store_close(&store);
}

/* Were it to end the daemon, that would be known after the next start. */
static void a_start_is_stored_before_a_job_is_begun_again(void **unused)
{
    (void)unused;
    open_bench(&(bench_options_t){.params = no_params});
    bench_freeze(&bench);
    const queue_ticket_t ticket = bench_submit(&bench, "job", &requests.window);
    bench_close(&bench);
    test_store_hold(&store, OP_START);
    bench_open(&bench, &store, &(bench_options_t){.params = no_params});
    test_store_await_held(&store, OP_START, 1);
    bench_pause_ms(50);
    assert_int_equal(atomic_load(&bench.n_finished), 0);
    test_store_let_go(&store, OP_START);
    bench_await_counts(&bench, 0, 0);
    bench_close(&bench);
    assert_int_equal(stored_state(ticket.id), STORE_FAILED);
    test_store_close(&store);
}

static void jobs_from_before_have_deadlines_too(void **unused)
{
    caller_t c;

    (void)unused;
    open_bench(
        &(bench_options_t){.params = no_params, .max_batch_size = 9, .max_batch_wait_ms = 3600000});
    (void)bench_submit(&bench, "job", &requests.update);
    bench_close(&bench);
    bench_open(&bench, &store,
               &(bench_options_t){.params = no_params,
                                  .max_batch_size = 9,
                                  .max_batch_wait_ms = 3600000,
                                  .job_timeout_ms = 400});
    await(&c, "job");
    assert_false(caller_is_told(&c));
    caller_expect(&c, OUTCOME_TIMED_OUT);
    close_bench();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_submitted_job_is_stored_when_that_returns),
        cmocka_unit_test(a_job_that_waits_is_begun_when_it_is_stored),
        cmocka_unit_test(a_running_job_that_cannot_be_stored_is_withdrawn),
        cmocka_unit_test(a_waiting_job_that_cannot_be_stored_is_withdrawn),
        cmocka_unit_test(a_job_may_end_before_it_cannot_be_stored),
        cmocka_unit_test(a_request_that_cannot_be_read_fails_its_job),
        cmocka_unit_test(an_end_that_cannot_be_stored_is_tried_again),
        cmocka_unit_test(an_end_is_tried_once_more_at_the_stop),
        cmocka_unit_test(a_failed_job_whose_end_is_not_stored_is_begun_again),
        cmocka_unit_test(jobs_are_taken_up_again),
        cmocka_unit_test(more_jobs_than_the_queue_takes_are_taken_up),
        cmocka_unit_test(a_job_that_was_begun_often_goes_last),
        cmocka_unit_test(a_job_that_never_ends_is_given_up),
        cmocka_unit_test(a_start_is_stored_before_a_job_is_begun_again),
        cmocka_unit_test(jobs_from_before_have_deadlines_too),
    };

    return test_main("queue_store", tests, sizeof tests / sizeof *tests);
}
