/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* Jobs of the queue: accepted, told apart, waited for, cancelled, left, refused. */
#include "daemon/test_bench.h"

#include <stdio.h>
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

static void await(caller_t *c, const char *id, uint64_t timeout_ms)
{
    cuzk_error err;

    caller_init(c);
    const queue_waiter_t waiter = caller_waiter(c, false, timeout_ms);
    if (queue_await(bench.queue, id, &waiter, &err) != CUZK_OK) fail_msg("%s", err.text);
}

static void cancel(const char *id, bool was_running)
{
    bool is_running;
    cuzk_error err;

    assert_int_equal(queue_cancel(&is_running, bench.queue, id, &err), CUZK_OK);
    assert_int_equal(is_running, was_running);
}

/* ---- proofs ------------------------------------------------------------------------------------
 */

static void check_window_proof(const caller_t *c)
{
    test_case_t window;
    cuzk_error err;
    cuzk_statement statement = {.struct_size = sizeof statement, .kind = CUZK_WINDOW_POST};

    test_case_open(&window, "window-2KiB");
    test_case_statement(&statement.of.post, &window);
    statement.of.post.n_sectors = 2;
    assert_int_equal(cuzk_verify(bench.engine, &statement, c->proof, c->proof_length, &err),
                     CUZK_OK);
    test_case_clear(&window);
}

static void a_job_is_proved_told_and_stored(void **unused)
{
    store_job_t record;
    caller_t c;

    (void)unused;
    open_bench(&(bench_options_t){0});
    const queue_ticket_t ticket = bench_prove(&bench, &c, "wdpost-1000-0", &requests.window);
    assert_false(ticket.is_known);
    assert_int_equal(ticket.position, 0);
    caller_expect(&c, OUTCOME_COMPLETED);
    assert_string_equal(c.id, ticket.id);
    assert_true(c.times_ms.total > 0 && c.times_ms.synthesis > 0 && c.times_ms.proving > 0);
    /* each of them is rounded */
    assert_true(c.times_ms.total + 2 >= c.times_ms.synthesis + c.times_ms.proving);
    check_window_proof(&c);
    test_store_await(&store, OP_END, 1);
    assert_int_equal(test_store_count(&store, OP_ADD), 1);
    assert_int_equal(test_store_count(&store, OP_START), 1);
    assert_int_equal(bench_kinds(&bench).completed, 1);
    bench_close(&bench);
    assert_true(test_store_find(&record, &store, ticket.id));
    assert_int_equal(record.state, STORE_COMPLETED);
    assert_int_equal(record.n_starts, 1);
    assert_int_equal(record.proof_length, CUZK_PROOF_BYTES);
    assert_string_equal(record.request_id, "wdpost-1000-0");
    assert_true(record.ended_ms >= record.accepted_ms);
    assert_memory_equal(&record.times_ms, &c.times_ms, sizeof c.times_ms);
    test_store_close(&store);
}

static void the_same_again_is_the_same_proof(void **unused)
{
    caller_t first, again, by_submit;

    (void)unused;
    open_bench(&(bench_options_t){0});
    const queue_ticket_t ticket = bench_prove(&bench, &first, "wdpost", &requests.window);
    caller_expect(&first, OUTCOME_COMPLETED);
    const queue_ticket_t same = bench_prove(&bench, &again, "wdpost", &requests.window);
    assert_true(caller_is_told(&again)); /* at once */
    caller_expect(&again, OUTCOME_COMPLETED);
    assert_true(same.is_known);
    assert_string_equal(same.id, ticket.id);
    assert_memory_equal(again.proof, first.proof, sizeof first.proof);
    assert_true(bench_submit(&bench, "wdpost", &requests.window).is_known);
    await(&by_submit, ticket.id, 0);
    caller_expect(&by_submit, OUTCOME_COMPLETED);
    assert_int_equal(atomic_load(&bench.n_finished), 1);
    assert_int_equal(test_store_count(&store, OP_ADD), 1);
    close_bench();
}

typedef struct {
    pthread_t thread;
    caller_t caller;
    cuzk_error err;
    cuzk_status st;
    queue_ticket_t ticket;
} asker_t;

static void *ask(void *arg)
{
    asker_t *a = arg;
    const queue_submission_t submission = {.request_id = "wdpost", .request = requests.window};

    caller_init(&a->caller);
    const queue_waiter_t waiter = caller_waiter(&a->caller, true, 0);
    a->st = queue_submit(&a->ticket, bench.queue, &submission, &waiter, &a->err);
    return NULL;
}

static void start_asker(asker_t *a)
{
    assert_int_equal(pthread_create(&a->thread, NULL, ask, a), 0);
}

static void join_asker(asker_t *a, queue_outcome outcome)
{
    (void)pthread_join(a->thread, NULL);
    if (a->st != CUZK_OK) fail_msg("%s", a->err.text);
    caller_expect(&a->caller, outcome);
}

static void twenty_at_once_get_one_proof(void **unused)
{
    enum { ASKERS = 20 };
    static asker_t askers[ASKERS];
    unsigned n_new = 0;

    (void)unused;
    open_bench(&(bench_options_t){.cancels_posts = true});
    for (int i = 0; i < ASKERS; i++) start_asker(&askers[i]);
    for (int i = 0; i < ASKERS; i++) {
        join_asker(&askers[i], OUTCOME_COMPLETED);
        n_new += !askers[i].ticket.is_known;
        assert_memory_equal(askers[i].caller.proof, askers[0].caller.proof, CUZK_PROOF_BYTES);
    }
    assert_int_equal(n_new, 1);
    assert_int_equal(atomic_load(&bench.n_finished), 1);
    assert_int_equal(test_store_count(&store, OP_ADD), 1);
    close_bench();
}

static void other_bytes_are_another_job(void **unused)
{
    caller_t one, other, last;

    (void)unused;
    open_bench(&(bench_options_t){0});
    const queue_ticket_t a = bench_prove(&bench, &one, "wdpost-1000-0", &requests.window);
    const queue_ticket_t b = bench_prove(&bench, &other, "wdpost-1000-0", &requests.other_window);
    assert_true(strcmp(a.id, b.id) != 0);
    assert_false(b.is_known);
    await(&last, "wdpost-1000-0", 0); /* the request id stands for the last one */
    caller_expect(&one, OUTCOME_COMPLETED);
    caller_expect(&other, OUTCOME_COMPLETED);
    caller_expect(&last, OUTCOME_COMPLETED);
    assert_string_equal(last.id, b.id);
    assert_memory_equal(last.proof, other.proof, CUZK_PROOF_BYTES);
    assert_memory_not_equal(one.proof, other.proof, CUZK_PROOF_BYTES);
    const queue_ticket_t c = bench_submit(&bench, "wdpost-1000-1", &requests.window);
    assert_true(strcmp(a.id, c.id) != 0); /* nor is another id the same job */
    close_bench();
}

/* ---- waiting -----------------------------------------------------------------------------------
 */

static void jobs_can_be_awaited_at_any_time(void **unused)
{
    caller_t waiting, running, late, by_name, after;

    (void)unused;
    open_bench(&(bench_options_t){0});
    bench_freeze(&bench);
    const cuzk_request bulk = at_priority(&requests.window, CUZK_PRIORITY_NORMAL);
    bench_fill(&bench, BENCH_SLOTS, &bulk);
    const queue_ticket_t ticket = bench_submit(&bench, "waits", &bulk);
    await(&waiting, ticket.id, 0);
    await(&running, "fill-0", 0);
    await(&by_name, "waits", 0);
    const uint64_t start_ns = clock_monotonic_ns();
    await(&late, ticket.id, 60);
    caller_expect(&late, OUTCOME_STILL_RUNNING);
    assert_string_equal(late.error, "the job goes on");
    assert_true(clock_seconds_between(start_ns, clock_monotonic_ns()) >= 0.06);
    assert_false(caller_is_told(&waiting));
    bench_thaw(&bench);
    caller_expect(&running, OUTCOME_COMPLETED);
    caller_expect(&waiting, OUTCOME_COMPLETED);
    caller_expect(&by_name, OUTCOME_COMPLETED);
    await(&after, ticket.id, 1);
    assert_true(caller_is_told(&after));
    caller_expect(&after, OUTCOME_COMPLETED);
    assert_memory_equal(after.proof, waiting.proof, CUZK_PROOF_BYTES);
    close_bench();
}

static void an_earlier_time_of_waiting_is_kept(void **unused)
{
    caller_t slow, quick;

    (void)unused;
    open_bench(&(bench_options_t){.params = no_params});
    bench_freeze(&bench);
    const queue_ticket_t ticket = bench_submit(&bench, "wdpost", &requests.window);
    await(&slow, ticket.id, 3600000);
    bench_pause_ms(20); /* whoever looks at times is asleep until then */
    await(&quick, ticket.id, 30);
    caller_expect(&quick, OUTCOME_STILL_RUNNING);
    assert_false(caller_is_told(&slow));
    bench_thaw(&bench);
    caller_expect(&slow, OUTCOME_FAILED);
    close_bench();
}

static void unknown_ids_are_named(void **unused)
{
    const char *const ids[] = {"", "0123456789abcdef0123456789abcdef", "porep-1000-7"};
    bool was_running;
    cuzk_error err;
    caller_t c;

    (void)unused;
    open_bench(&(bench_options_t){.params = no_params});
    (void)bench_submit(&bench, "", &requests.window); /* an empty id stands for no job */
    for (int i = 0; i < 3; i++) {
        char text[80];

        (void)snprintf(text, sizeof text, "job_id: there is no job %s", ids[i]);
        caller_init(&c);
        const queue_waiter_t waiter = caller_waiter(&c, false, 0);
        assert_int_equal(queue_await(bench.queue, ids[i], &waiter, &err), CUZK_ERR_MISSING);
        assert_string_equal(err.text, text);
        assert_int_equal(queue_cancel(&was_running, bench.queue, ids[i], &err), CUZK_ERR_MISSING);
        assert_string_equal(err.text, text);
        assert_false(caller_is_told(&c));
    }
    close_bench();
}

/* ---- cancelling --------------------------------------------------------------------------------
 */

static store_state stored_state(const char *id)
{
    store_job_t job;

    if (!test_store_find(&job, &store, id)) fail_msg("the store has no job %s", id);
    return job.state;
}

static void a_waiting_job_is_cancelled_at_once(void **unused)
{
    caller_t c, other;

    (void)unused;
    open_bench(&(bench_options_t){.params = no_params});
    bench_freeze(&bench);
    const cuzk_request bulk = at_priority(&requests.window, CUZK_PRIORITY_NORMAL);
    bench_fill(&bench, BENCH_SLOTS, &bulk);
    const queue_ticket_t ticket = bench_prove(&bench, &c, "waits", &bulk);
    await(&other, ticket.id, 0);
    cancel(ticket.id, true);
    assert_true(caller_is_told(&c) && caller_is_told(&other));
    caller_expect(&c, OUTCOME_CANCELLED);
    caller_expect(&other, OUTCOME_CANCELLED);
    assert_string_equal(c.error, "cancelled");
    cancel(ticket.id, false);
    test_store_await(&store, OP_END, 1);
    bench_thaw(&bench);
    bench_await_counts(&bench, 0, 0);
    assert_int_equal(atomic_load(&bench.n_finished), BENCH_SLOTS); /* it was never begun */
    assert_int_equal(test_store_count(&store, OP_REQUEST), 0);
    assert_int_equal(stored_state(ticket.id), STORE_CANCELLED);
    close_bench();
}

static void a_job_is_cancelled_while_it_is_handed_over(void **unused)
{
    caller_t c;

    (void)unused;
    open_bench(&(bench_options_t){.params = no_params});
    bench_freeze(&bench);
    const cuzk_request bulk = at_priority(&requests.window, CUZK_PRIORITY_NORMAL);
    bench_fill(&bench, BENCH_SLOTS, &bulk);
    test_store_hold(&store, OP_REQUEST);
    const queue_ticket_t ticket = bench_prove(&bench, &c, "waits", &bulk);
    bench_thaw(&bench);
    test_store_await_held(&store, OP_REQUEST, 1);
    assert_int_equal(bench_pending(&bench), 0);
    cancel("waits", true);
    cancel(ticket.id, true);
    assert_false(caller_is_told(&c));
    test_store_let_go(&store, OP_REQUEST);
    caller_expect(&c, OUTCOME_CANCELLED);
    bench_await_counts(&bench, 0, 0);
    assert_int_equal(bench_kinds(&bench).cancelled, 1);
    close_bench();
}

static void a_running_job_is_cancelled(void **unused)
{
    caller_t c;

    (void)unused;
    open_bench(&(bench_options_t){0});
    bench_freeze(&bench);
    const queue_ticket_t ticket = bench_prove(&bench, &c, "wdpost", &requests.window);
    cancel(ticket.id, true);
    bench_thaw(&bench);
    caller_expect(&c, OUTCOME_CANCELLED);
    cancel(ticket.id, false);
    test_store_await(&store, OP_END, 1);
    const snapshot_kind_t kinds = bench_kinds(&bench);
    assert_int_equal(kinds.cancelled, 1);
    assert_int_equal(kinds.completed + kinds.failed + kinds.in_progress + kinds.pending, 0);
    close_bench();
}

/* ---- begun again -------------------------------------------------------------------------------
 */

static void a_cancelled_job_is_begun_again(void **unused)
{
    asker_t again;
    caller_t c;

    (void)unused;
    open_bench(&(bench_options_t){0});
    bench_freeze(&bench);
    const queue_ticket_t ticket = bench_prove(&bench, &c, "wdpost", &requests.window);
    cancel(ticket.id, true);
    start_asker(&again); /* before the first one has stopped */
    bench_pause_ms(20);
    assert_false(caller_is_told(&c));
    bench_thaw(&bench);
    caller_expect(&c, OUTCOME_CANCELLED);
    join_asker(&again, OUTCOME_COMPLETED);
    assert_false(again.ticket.is_known);
    assert_string_equal(again.ticket.id, ticket.id);
    assert_int_equal(test_store_count(&store, OP_ADD), 2);
    test_store_await(&store, OP_END, 2);
    close_bench();
}

/* Whoever asks again the moment he is told gets a new run each time, not the old end. */
static void a_failed_job_is_begun_again_at_once(void **unused)
{
    enum { TIMES = 5 };
    caller_t c;

    (void)unused;
    open_bench(&(bench_options_t){.params = no_params});
    for (unsigned i = 0; i < TIMES; i++) {
        assert_false(bench_prove(&bench, &c, "wdpost", &requests.window).is_known);
        caller_expect(&c, OUTCOME_FAILED);
        assert_non_null(strstr(c.error, "parameters: "));
    }
    assert_int_equal(atomic_load(&bench.n_finished), TIMES);
    assert_int_equal(test_store_count(&store, OP_ADD), TIMES);
    assert_int_equal(test_store_count(&store, OP_DROP), 0);
    assert_int_equal(bench_kinds(&bench).failed, TIMES);
    close_bench();
}

/* ---- leaving -----------------------------------------------------------------------------------
 */

/* A job that others hold back: it waits for a slot, or for its turn in the engine. */
static void hold_back(caller_t *c, const cuzk_request *request, bool has_begun)
{
    bench_freeze(&bench);
    if (has_begun) {
        (void)bench_submit(&bench, "first", &requests.window);
        (void)bench_submit(&bench, "second", &requests.window);
        bench_await_running(&bench, 2);
    } else {
        bench_fill(&bench, BENCH_SLOTS, &requests.update);
    }
    (void)bench_prove(&bench, c, "left", request);
    assert_int_equal(bench_pending(&bench), has_begun ? 0 : 1);
}

/* How a job ends whose only caller leaves. */
static void leave(const bench_options_t *rules, const cuzk_request *request, bool has_begun,
                  queue_outcome outcome)
{
    caller_t c, other;

    open_bench(rules);
    hold_back(&c, request, has_begun);
    await(&other, "left", 0); /* it only looks on */
    queue_leave(bench.queue, c.call);
    caller_expect(&c, OUTCOME_CANCELLED);
    assert_string_equal(c.error, "the caller left");
    queue_leave(bench.queue, c.call); /* it waits no more */
    queue_leave(bench.queue, 1 << 30);
    if (has_begun) {
        cancel("first", true);
        cancel("second", true);
    }
    bench_thaw(&bench);
    caller_expect(&other, outcome);
    caller_expect(&c, OUTCOME_CANCELLED);
    close_bench();
}

/* There are no parameters for updates and PoReps: one that goes on fails. */
static void leaving_ends_a_job_by_the_rules(void **unused)
{
    const bench_options_t none = {0}, posts = {.cancels_posts = true},
                          begun = {.cancels_begun = true}, waiting = {.drops_waiting = true};
    const cuzk_request post = at_priority(&requests.window, CUZK_PRIORITY_NORMAL);

    (void)unused;
    leave(&posts, &requests.winning, true, OUTCOME_CANCELLED);
    leave(&posts, &requests.window, true, OUTCOME_CANCELLED);
    leave(&posts, &post, false, OUTCOME_CANCELLED);
    leave(&posts, &requests.update, true, OUTCOME_FAILED);
    leave(&posts, &requests.update, false, OUTCOME_FAILED);
    leave(&begun, &requests.update, true, OUTCOME_CANCELLED);
    leave(&begun, &requests.porep, true, OUTCOME_CANCELLED);
    leave(&begun, &requests.update, false, OUTCOME_FAILED);
    leave(&begun, &requests.window, true, OUTCOME_COMPLETED);
    leave(&waiting, &requests.update, false, OUTCOME_CANCELLED);
    leave(&waiting, &requests.update, true, OUTCOME_FAILED);
    leave(&waiting, &post, false, OUTCOME_COMPLETED);
    leave(&none, &requests.window, true, OUTCOME_COMPLETED);
    leave(&none, &requests.update, false, OUTCOME_FAILED);
}

static const bench_options_t all_rules = {
    .cancels_posts = true, .cancels_begun = true, .drops_waiting = true};

static void a_job_goes_on_while_others_wait(void **unused)
{
    caller_t first, second, third;

    (void)unused;
    open_bench(&all_rules);
    bench_freeze(&bench);
    (void)bench_prove(&bench, &first, "wdpost", &requests.window);
    (void)bench_prove(&bench, &second, "wdpost", &requests.window);
    queue_leave(bench.queue, first.call);
    caller_expect(&first, OUTCOME_CANCELLED);
    (void)bench_prove(&bench, &third, "wdpost", &requests.window);
    queue_leave(bench.queue, second.call);
    bench_thaw(&bench);
    caller_expect(&third, OUTCOME_COMPLETED);
    caller_expect(&second, OUTCOME_CANCELLED);
    queue_leave(bench.queue, third.call);
    caller_expect(&third, OUTCOME_COMPLETED);
    assert_int_equal(atomic_load(&bench.n_finished), 1);
    close_bench();
}

static void a_submitted_job_outlives_its_callers(void **unused)
{
    caller_t c, after;

    (void)unused;
    for (int submit_first = 0; submit_first < 2; submit_first++) {
        open_bench(&all_rules);
        bench_freeze(&bench);
        if (submit_first) (void)bench_submit(&bench, "wdpost", &requests.window);
        (void)bench_prove(&bench, &c, "wdpost", &requests.window);
        if (!submit_first) (void)bench_submit(&bench, "wdpost", &requests.window);
        queue_leave(bench.queue, c.call);
        await(&after, "wdpost", 0);
        bench_thaw(&bench);
        caller_expect(&after, OUTCOME_COMPLETED);
        close_bench();
    }
}

static void whoever_only_awaits_ends_nothing(void **unused)
{
    caller_t owner, awaits;

    (void)unused;
    open_bench(&all_rules);
    bench_freeze(&bench);
    (void)bench_prove(&bench, &owner, "wdpost", &requests.window);
    await(&awaits, "wdpost", 0);
    queue_leave(bench.queue, awaits.call);
    caller_expect(&awaits, OUTCOME_CANCELLED);
    bench_thaw(&bench);
    caller_expect(&owner, OUTCOME_COMPLETED);
    close_bench();
}

static void a_job_left_and_asked_for_again_is_proved(void **unused)
{
    asker_t again;
    caller_t c;

    (void)unused;
    open_bench(&all_rules);
    bench_freeze(&bench);
    (void)bench_prove(&bench, &c, "wdpost", &requests.window);
    queue_leave(bench.queue, c.call);
    start_asker(&again);
    bench_pause_ms(20);
    bench_thaw(&bench);
    join_asker(&again, OUTCOME_COMPLETED);
    close_bench();
}

/* ---- refusals ----------------------------------------------------------------------------------
 */

static void expect_refused(const cuzk_request *request, cuzk_status st, const char *text)
{
    cuzk_error err;
    caller_t c;

    for (int is_submit = 0; is_submit < 2; is_submit++) {
        assert_int_equal(bench_try(&bench, is_submit ? NULL : &c, "bad", request, &err), st);
        if (strstr(err.text, text) == NULL) fail_msg("\"%s\" is not in \"%s\"", text, err.text);
    }
    assert_false(caller_is_told(&c));
    assert_int_equal(bench_pending(&bench) + bench_in_progress(&bench), 0);
    assert_int_equal(test_store_count(&store, OP_ADD), 0);
}

static void bad_requests_take_no_place(void **unused)
{
    cuzk_request r = requests.window;
    cuzk_bytes cut = requests.winning.inputs[0];

    (void)unused;
    open_bench(&(bench_options_t){0});
    r.n_inputs = 3;
    expect_refused(&r, CUZK_ERR_ARG,
                   "vanilla_proofs: 3 sectors, which are 2 partitions: a job proves one");
    r = requests.winning;
    r.randomness[31] = 0xc0;
    expect_refused(&r, CUZK_ERR_ARG, "randomness: ");
    r = requests.winning;
    r.registered_proof = 5;
    expect_refused(&r, CUZK_ERR_ARG, "registered_proof: 5");
    cut.length--;
    r = requests.winning;
    r.inputs = &cut;
    expect_refused(&r, CUZK_ERR_FORMAT, "");
    close_bench();
    open_bench(&(bench_options_t){.budget = 1 << 20});
    expect_refused(&requests.winning, CUZK_ERR_BUDGET, "memory budget: 1MiB (1048576 bytes)");
    close_bench();
}

/* What only the engine's check finds comes as an answer. */
static void a_bad_proof_of_a_sector_is_an_answer(void **unused)
{
    cuzk_request r = requests.winning;
    caller_t c;

    (void)unused;
    open_bench(&(bench_options_t){0});
    r.randomness[0] ^= 1;
    (void)bench_prove(&bench, &c, "winpost", &r);
    caller_expect(&c, OUTCOME_REFUSED);
    assert_non_null(strstr(c.error, "challenge"));
    const snapshot_kind_t kinds = bench_kinds(&bench);
    assert_int_equal(kinds.refused, 1);
    assert_int_equal(kinds.failed, 0);
    assert_int_equal(queue_counts(bench.queue).failed, 1);
    close_bench();
}

static void a_full_queue_says_so(void **unused)
{
    caller_t c, same;
    cuzk_error err;

    (void)unused;
    open_bench(&(bench_options_t){.params = no_params, .max_jobs = 2});
    bench_freeze(&bench);
    (void)bench_prove(&bench, &c, "winpost-0", &requests.winning);
    (void)bench_submit(&bench, "winpost-1", &requests.winning);
    assert_int_equal(bench_try(&bench, NULL, "winpost-2", &requests.winning, &err), CUZK_ERR_BUSY);
    assert_string_equal(err.text,
                        "queue: 2 jobs wait or run, which is scheduler.max_queue: try again later");
    assert_true(bench_prove(&bench, &same, "winpost-0", &requests.winning).is_known);
    bench_thaw(&bench);
    caller_expect(&c, OUTCOME_FAILED);
    caller_expect(&same, OUTCOME_FAILED);
    (void)bench_submit(&bench, "winpost-2", &requests.winning);
    bench_await_counts(&bench, 0, 0);
    assert_int_equal(bench_kinds(&bench).failed, 3);
    close_bench();
}

/* ---- memory ------------------------------------------------------------------------------------
 */

/* Takes what there is of the engine's budget; returns the bytes. */
static uint64_t take_all_memory(void)
{
    uint64_t taken = 0;
    cuzk_error err;

    for (uint64_t piece = (uint64_t)1 << 40; piece >= 64; piece /= 2)
        while (cuzk_memory_take(bench.engine, piece, &err) == CUZK_OK) taken += piece;
    return taken;
}

static void without_memory_for_an_input_a_job_waits(void **unused)
{
    const cuzk_request bulk = at_priority(&requests.window, CUZK_PRIORITY_NORMAL);
    caller_t urgent, other, dropped;

    (void)unused;
    open_bench(&(bench_options_t){.budget = (uint64_t)1 << 30});
    const uint64_t taken = take_all_memory();
    assert_true(taken > 0);
    (void)bench_prove(&bench, &urgent, "wdpost", &requests.window);
    (void)bench_prove(&bench, &other, "bulk", &bulk);
    (void)bench_prove(&bench, &dropped, "dropped", &bulk);
    bench_pause_ms(200);
    assert_int_equal(atomic_load(&bench.n_finished), 0);
    assert_int_equal(test_store_count(&store, OP_REQUEST), 0); /* nothing is read in vain */
    assert_int_equal(test_store_count(&store, OP_START), 0);
    assert_int_equal(bench_pending(&bench) + bench_in_progress(&bench), 3);
    cancel("dropped", true);
    caller_expect(&dropped, OUTCOME_CANCELLED);
    cuzk_memory_give(bench.engine, taken);
    caller_expect(&urgent, OUTCOME_COMPLETED);
    caller_expect(&other, OUTCOME_COMPLETED);
    assert_string_equal(store.starts[0], urgent.id);
    assert_int_equal(bench_kinds(&bench).cancelled, 1);
    close_bench();
}

/* Cancelled again and again just when it goes from the queue to the engine and back. */
static void a_job_that_comes_back_is_cancelled_once(void **unused)
{
    enum { ROUNDS = 40 };
    caller_t c;

    (void)unused;
    open_bench(&(bench_options_t){.budget = (uint64_t)1 << 30});
    const uint64_t taken = take_all_memory();
    for (unsigned i = 0; i < ROUNDS; i++) {
        bool was_running;
        cuzk_error err;

        (void)bench_prove(&bench, &c, "wdpost", &requests.window);
        bench_pause_ms(i % 4 * 17);
        for (int k = 0; k < 5; k++)
            assert_int_equal(queue_cancel(&was_running, bench.queue, "wdpost", &err), CUZK_OK);
        caller_expect(&c, OUTCOME_CANCELLED);
        assert_int_equal(bench_pending(&bench) + bench_in_progress(&bench), 0);
    }
    assert_int_equal(bench_kinds(&bench).cancelled, ROUNDS);
    cuzk_memory_give(bench.engine, taken);
    close_bench();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_is_proved_told_and_stored),
        cmocka_unit_test(the_same_again_is_the_same_proof),
        cmocka_unit_test(twenty_at_once_get_one_proof),
        cmocka_unit_test(other_bytes_are_another_job),
        cmocka_unit_test(jobs_can_be_awaited_at_any_time),
        cmocka_unit_test(an_earlier_time_of_waiting_is_kept),
        cmocka_unit_test(unknown_ids_are_named),
        cmocka_unit_test(a_waiting_job_is_cancelled_at_once),
        cmocka_unit_test(a_job_is_cancelled_while_it_is_handed_over),
        cmocka_unit_test(a_running_job_is_cancelled),
        cmocka_unit_test(a_cancelled_job_is_begun_again),
        cmocka_unit_test(a_failed_job_is_begun_again_at_once),
        cmocka_unit_test(leaving_ends_a_job_by_the_rules),
        cmocka_unit_test(a_job_goes_on_while_others_wait),
        cmocka_unit_test(a_submitted_job_outlives_its_callers),
        cmocka_unit_test(whoever_only_awaits_ends_nothing),
        cmocka_unit_test(a_job_left_and_asked_for_again_is_proved),
        cmocka_unit_test(bad_requests_take_no_place),
        cmocka_unit_test(a_bad_proof_of_a_sector_is_an_answer),
        cmocka_unit_test(a_full_queue_says_so),
        cmocka_unit_test(without_memory_for_an_input_a_job_waits),
        cmocka_unit_test(a_job_that_comes_back_is_cancelled_once),
    };

    return test_main("queue", tests, sizeof tests / sizeof *tests);
}
