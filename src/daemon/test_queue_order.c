/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* In which order the queue hands its jobs to the engine, what it holds back for batches, and what
 * time does to jobs. Most of these jobs fail, for want of parameters: when they are begun matters
 * here, not how they end. */
#include "daemon/test_bench.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"

static test_store_t store;
static bench_t bench;

static void open_bench(const bench_options_t *options)
{
    bench_options_t o = *options;

    if (o.params == NULL) o.params = no_params;
    test_store_open(&store);
    bench_open(&bench, &store, &o);
}

static void close_bench(void)
{
    bench_close(&bench);
    test_store_close(&store);
}

/* ---- order -------------------------------------------------------------------------------------
 */

enum { MOST_JOBS = 8 };

typedef struct {
    const cuzk_request *request;
    cuzk_priority priority;
    uint32_t position; /* when it is accepted */
} wanted_t;

/* Lets jobs wait behind those that fill all slots, and checks in which order they are begun: by
 * their numbers. */
static void check_order(const bench_options_t *options, const wanted_t *jobs, unsigned n,
                        const unsigned *order)
{
    char ids[MOST_JOBS][STORE_ID_BYTES];

    open_bench(options);
    bench_freeze(&bench);
    const cuzk_request filling = at_priority(&requests.winning, CUZK_PRIORITY_NORMAL);
    bench_fill(&bench, BENCH_SLOTS, &filling);
    test_store_await(&store, OP_START, BENCH_SLOTS);
    for (unsigned i = 0; i < n; i++) {
        const cuzk_request request = at_priority(jobs[i].request, jobs[i].priority);
        char name[16];

        (void)snprintf(name, sizeof name, "job-%u", i);
        const queue_ticket_t ticket = bench_submit(&bench, name, &request);
        assert_int_equal(ticket.position, jobs[i].position);
        (void)snprintf(ids[i], sizeof ids[i], "%s", ticket.id);
    }
    bench_await_counts(&bench, n, BENCH_SLOTS);
    bench_thaw(&bench);
    bench_await_counts(&bench, 0, 0);
    assert_int_equal(store.n_starts, BENCH_SLOTS + n);
    for (unsigned i = 0; i < n; i++)
        if (strcmp(store.starts[BENCH_SLOTS + i], ids[order[i]]) != 0)
            fail_msg("job %u is not the one that is begun as number %u", order[i], i);
    close_bench();
}

static void jobs_go_by_priority_then_by_age(void **unused)
{
    const cuzk_request *winning = &requests.winning, *window = &requests.window;
    const wanted_t jobs[] = {{winning, CUZK_PRIORITY_LOW, 0},    {window, CUZK_PRIORITY_NORMAL, 0},
                             {winning, CUZK_PRIORITY_NORMAL, 1}, {window, CUZK_PRIORITY_LOW, 3},
                             {window, CUZK_PRIORITY_NORMAL, 2},  {winning, CUZK_PRIORITY_LOW, 5}};

    (void)unused;
    check_order(&(bench_options_t){.max_batch_wait_ms = 60000}, jobs, 6,
                (const unsigned[]){1, 2, 4, 0, 3, 5});
}

/* The slots are filled with WinningPoSts. */
static void jobs_of_the_circuit_at_work_go_first(void **unused)
{
    const cuzk_request *winning = &requests.winning, *window = &requests.window;
    const wanted_t jobs[] = {{window, CUZK_PRIORITY_NORMAL, 0},
                             {winning, CUZK_PRIORITY_NORMAL, 1},
                             {window, CUZK_PRIORITY_NORMAL, 2},
                             {winning, CUZK_PRIORITY_LOW, 3},
                             {winning, CUZK_PRIORITY_NORMAL, 3}};

    (void)unused;
    check_order(&(bench_options_t){.max_batch_wait_ms = 60000, .sort_by_type = true}, jobs, 5,
                (const unsigned[]){1, 4, 0, 2, 3});
    /* those that came later than a batch waits pass nobody */
    check_order(&(bench_options_t){.max_batch_wait_ms = 0, .sort_by_type = true}, jobs, 5,
                (const unsigned[]){0, 1, 2, 4, 3});
}

static void urgent_work_passes_all_that_waits(void **unused)
{
    const cuzk_request bulk = at_priority(&requests.window, CUZK_PRIORITY_NORMAL);
    const cuzk_request high = at_priority(&requests.update, CUZK_PRIORITY_HIGH);

    (void)unused;
    open_bench(&(bench_options_t){.max_batch_size = 10, .max_batch_wait_ms = 60000});
    bench_freeze(&bench);
    bench_fill(&bench, BENCH_SLOTS + 2, &bulk);
    bench_await_counts(&bench, 2, BENCH_SLOTS);
    assert_int_equal(bench_submit(&bench, "winpost", &requests.winning).position, 0);
    bench_await_counts(&bench, 2, BENCH_SLOTS + 1);
    (void)bench_submit(&bench, "urgent", &high); /* nor is it gathered */
    bench_await_counts(&bench, 2, BENCH_SLOTS + 2);
    bench_thaw(&bench);
    bench_await_counts(&bench, 0, 0);
    close_bench();
}

/* A job that comes when a slot is free does not pass those that wait. */
static void nobody_passes_a_job_that_is_being_read(void **unused)
{
    const cuzk_request bulk = at_priority(&requests.window, CUZK_PRIORITY_NORMAL);

    (void)unused;
    open_bench(&(bench_options_t){0});
    bench_freeze(&bench);
    bench_fill(&bench, BENCH_SLOTS, &bulk);
    test_store_await(&store, OP_START, BENCH_SLOTS);
    const queue_ticket_t first = bench_submit(&bench, "first", &bulk);
    const queue_ticket_t second = bench_submit(&bench, "second", &bulk);
    test_store_hold(&store, OP_REQUEST);
    bench_thaw(&bench);
    test_store_await_held(&store, OP_REQUEST, 1);
    bench_await_counts(&bench, 1, 1); /* the first one is read; two slots are free */
    const queue_ticket_t third = bench_submit(&bench, "third", &bulk);
    assert_int_equal(third.position, 1);
    test_store_let_go(&store, OP_REQUEST);
    bench_await_counts(&bench, 0, 0);
    assert_string_equal(store.starts[BENCH_SLOTS], first.id);
    assert_string_equal(store.starts[BENCH_SLOTS + 1], second.id);
    assert_string_equal(store.starts[BENCH_SLOTS + 2], third.id);
    close_bench();
}

/* ---- batches -----------------------------------------------------------------------------------
 */

static void a_full_batch_goes_and_the_rest_waits(void **unused)
{
    enum { WAIT_MS = 1500 };

    (void)unused;
    open_bench(&(bench_options_t){.max_batch_size = 2, .max_batch_wait_ms = WAIT_MS});
    (void)bench_submit(&bench, "one", &requests.update);
    (void)bench_submit(&bench, "two", &requests.update);
    const uint64_t third_ns = clock_monotonic_ns();
    const queue_ticket_t third = bench_submit(&bench, "three", &requests.update);
    bench_await_counts(&bench, 1, 0);
    assert_int_equal(test_store_count(&store, OP_START), 2);
    assert_true(clock_seconds_between(third_ns, clock_monotonic_ns()) < WAIT_MS * 1e-3);
    test_store_await(&store, OP_START, 3);
    assert_true(clock_seconds_between(third_ns, clock_monotonic_ns()) >= WAIT_MS * 1e-3);
    bench_await_counts(&bench, 0, 0);
    assert_string_equal(store.starts[2], third.id);
    close_bench();
}

static void nothing_is_begun_before_a_batch_is_full(void **unused)
{
    (void)unused;
    open_bench(&(bench_options_t){.max_batch_size = 3, .max_batch_wait_ms = 3600000});
    (void)bench_submit(&bench, "one", &requests.update);
    (void)bench_submit(&bench, "two", &requests.update);
    bench_pause_ms(50);
    bench_await_counts(&bench, 2, 0);
    (void)bench_submit(&bench, "three", &requests.update);
    bench_await_counts(&bench, 0, 0);
    close_bench();
}

static void a_winning_post_flushes_and_is_not_batched(void **unused)
{
    caller_t c;

    (void)unused;
    open_bench(&(bench_options_t){.max_batch_size = 10, .max_batch_wait_ms = 3600000});
    (void)bench_submit(&bench, "update", &requests.update);
    bench_pause_ms(20);
    bench_await_counts(&bench, 1, 0);
    (void)bench_prove(&bench, &c, "winpost", &requests.winning);
    caller_expect(&c, OUTCOME_FAILED);
    bench_await_counts(&bench, 0, 0); /* the update, too */
    assert_int_equal(test_store_count(&store, OP_START), 2);
    close_bench();
}

static void another_circuit_flushes_and_is_gathered_itself(void **unused)
{
    (void)unused;
    open_bench(&(bench_options_t){.max_batch_size = 10, .max_batch_wait_ms = 3600000});
    const queue_ticket_t update = bench_submit(&bench, "update", &requests.update);
    const queue_ticket_t porep = bench_submit(&bench, "porep", &requests.porep);
    bench_await_counts(&bench, 1, 0);
    bench_pause_ms(50);
    bench_await_counts(&bench, 1, 0);
    assert_int_equal(test_store_count(&store, OP_START), 1);
    assert_string_equal(store.starts[0], update.id);
    (void)bench_submit(&bench, "update", &requests.update); /* known, and begun again */
    bench_await_counts(&bench, 1, 0);
    assert_string_equal(store.starts[1], porep.id);
    close_bench();
}

/* ---- time --------------------------------------------------------------------------------------
 */

static void a_job_that_waits_too_long_times_out(void **unused)
{
    caller_t c;

    (void)unused;
    open_bench(&(bench_options_t){
        .job_timeout_ms = 150, .max_batch_size = 10, .max_batch_wait_ms = 3600000});
    bench_pause_ms(20); /* whoever looks at times is asleep, with nothing to wait for */
    const uint64_t start_ns = clock_monotonic_ns();
    (void)bench_prove(&bench, &c, "update", &requests.update);
    caller_expect(&c, OUTCOME_TIMED_OUT);
    assert_string_equal(c.error, "not begun within scheduler.job_timeout");
    assert_true(clock_seconds_between(start_ns, clock_monotonic_ns()) >= 0.15);
    assert_int_equal(bench_kinds(&bench).timed_out, 1);
    assert_int_equal(queue_counts(bench.queue).failed, 1);
    test_store_await(&store, OP_END, 1);
    assert_int_equal(test_store_count(&store, OP_START), 0);
    close_bench();
}

static void a_job_that_runs_too_long_times_out(void **unused)
{
    caller_t c;

    (void)unused;
    open_bench(&(bench_options_t){.params = post_params, .job_timeout_ms = 150});
    bench_freeze(&bench);
    (void)bench_prove(&bench, &c, "winpost", &requests.winning);
    bench_await_counts(&bench, 0, 1);
    bench_pause_ms(200);
    assert_false(caller_is_told(&c));
    bench_thaw(&bench);
    caller_expect(&c, OUTCOME_TIMED_OUT);
    assert_int_equal(bench_kinds(&bench).timed_out, 1);
    close_bench();
}

static void results_are_forgotten_in_time(void **unused)
{
    store_job_t record;
    cuzk_error err;
    caller_t c;

    (void)unused;
    open_bench(&(bench_options_t){.keep_ms = 300});
    const queue_ticket_t ticket = bench_prove(&bench, &c, "winpost", &requests.winning);
    caller_expect(&c, OUTCOME_FAILED);
    const uint64_t ended_ns = clock_monotonic_ns();
    const queue_waiter_t waiter = caller_waiter(&c, false, 0);
    while (queue_await(bench.queue, ticket.id, &waiter, &err) == CUZK_OK) {
        assert_true(clock_seconds_between(ended_ns, clock_monotonic_ns()) < 60);
        bench_pause_ms(10);
    }
    assert_int_equal(err.status, CUZK_ERR_MISSING);
    assert_true(clock_seconds_between(ended_ns, clock_monotonic_ns()) > 0.25);
    while (test_store_find(&record, &store, ticket.id)) {
        assert_true(clock_seconds_between(ended_ns, clock_monotonic_ns()) < 60);
        bench_pause_ms(10);
    }
    close_bench();
}

/* What waits or runs is not forgotten, however old. */
static void jobs_that_have_not_ended_are_kept(void **unused)
{
    caller_t c;

    (void)unused;
    open_bench(&(bench_options_t){.keep_ms = 1});
    bench_freeze(&bench);
    (void)bench_prove(&bench, &c, "winpost", &requests.winning);
    test_store_await(&store, OP_EXPIRE, 2);
    bench_await_counts(&bench, 0, 1);
    assert_false(caller_is_told(&c));
    bench_thaw(&bench);
    caller_expect(&c, OUTCOME_FAILED);
    close_bench();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_go_by_priority_then_by_age),
        cmocka_unit_test(jobs_of_the_circuit_at_work_go_first),
        cmocka_unit_test(urgent_work_passes_all_that_waits),
        cmocka_unit_test(nobody_passes_a_job_that_is_being_read),
        cmocka_unit_test(a_full_batch_goes_and_the_rest_waits),
        cmocka_unit_test(nothing_is_begun_before_a_batch_is_full),
        cmocka_unit_test(a_winning_post_flushes_and_is_not_batched),
        cmocka_unit_test(another_circuit_flushes_and_is_gathered_itself),
        cmocka_unit_test(a_job_that_waits_too_long_times_out),
        cmocka_unit_test(a_job_that_runs_too_long_times_out),
        cmocka_unit_test(results_are_forgotten_in_time),
        cmocka_unit_test(jobs_that_have_not_ended_are_kept),
    };

    return test_main("queue_order", tests, sizeof tests / sizeof *tests);
}
