/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdatomic.h>
#include <time.h>
#include <cmocka.h>

#include <stdio.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/executor.h"
#include "base/strand_trace.h"

enum { TASKS = 1000 };

typedef struct {
    strand_t *strand;
    atomic_uint count[TASKS];
    atomic_uint busy[64];
    atomic_uint clashes;
} state_t;

static void count_task(void *arg, size_t index, uint32_t worker)
{
    state_t *s = arg;

    if (atomic_fetch_add(&s->busy[worker], 1) != 0) atomic_fetch_add(&s->clashes, 1);
    atomic_fetch_add(&s->count[index], 1);
    atomic_fetch_sub(&s->busy[worker], 1);
}

static void each_task_runs_once_and_workers_do_not_clash(void **unused)
{
    cuzk_error err;

    (void)unused;
    for (uint32_t threads = 1; threads <= 8; threads++) {
        static state_t s;

        s = (state_t){0};
        assert_int_equal(strand_open(&s.strand, threads, &err), CUZK_OK);
        assert_int_equal(strand_size(s.strand), threads);
        assert_int_equal(strand_run(s.strand, TASKS, count_task, &s, &err), CUZK_OK);
        for (size_t i = 0; i < TASKS; i++) assert_int_equal(s.count[i], 1);
        assert_int_equal(s.clashes, 0);
        assert_int_equal(strand_run(s.strand, 0, count_task, &s, &err), CUZK_OK);
        strand_close(s.strand);
    }
}

enum { FAILS_FROM = 400 };

static cuzk_status failing_task(void *arg, size_t index, uint32_t worker, cuzk_error *err)
{
    count_task(arg, index, worker);
    if (index < FAILS_FROM) return CUZK_OK;
    return error_set(err, CUZK_ERR_IO, "task %zu", index);
}

/* With one thread all tasks before the failure have run. With more, one of them that was claimed
 * but not begun may be left out, and a thread each may fail. */
static void a_failing_task_ends_its_loop(void **unused)
{
    cuzk_error err;

    (void)unused;
    for (uint32_t threads = 1; threads <= 8; threads++) {
        static state_t s;
        size_t failed, n_run = 0;

        s = (state_t){0};
        assert_int_equal(strand_open(&s.strand, threads, &err), CUZK_OK);
        assert_int_equal(strand_try(s.strand, FAILS_FROM, failing_task, &s, &err), CUZK_OK);
        assert_int_equal(strand_try(s.strand, TASKS, failing_task, &s, &err), CUZK_ERR_IO);
        assert_int_equal(sscanf(err.text, "task %zu", &failed), 1);
        for (size_t i = 0; i < FAILS_FROM; i++)
            assert_in_range(s.count[i], threads == 1 ? 2 : 1, 2);
        for (size_t i = FAILS_FROM; i < TASKS; i++) n_run += s.count[i];
        assert_in_range(n_run, 1, threads);
        assert_in_range(failed, FAILS_FROM, TASKS - 1);
        assert_int_equal(s.count[failed], 1);
        strand_close(s.strand);
    }
}

static void count_range(void *arg, size_t first, size_t end, uint32_t worker)
{
    state_t *s = arg;

    (void)worker;
    for (size_t i = first; i < end; i++) atomic_fetch_add(&s->count[i], 1);
}

static void ranges_cover_each_element_once(void **unused)
{
    static const size_t sizes[] = {0, 1, 2, 7, 8, 9, 63, 64, 65, 999, 1000};
    cuzk_error err;

    (void)unused;
    for (uint32_t threads = 1; threads <= 3; threads++)
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
            for (size_t grain = 1; grain <= 17; grain += 8) {
                static state_t s;

                s = (state_t){0};
                assert_int_equal(strand_open(&s.strand, threads, &err), CUZK_OK);
                assert_int_equal(strand_for(s.strand, sizes[k], (strand_cut_t){grain, 3 * grain},
                                            count_range, &s, &err),
                                 CUZK_OK);
                for (size_t i = 0; i < TASKS; i++)
                    assert_int_equal(s.count[i], i < sizes[k] ? 1 : 0);
                strand_close(s.strand);
            }
}

static void measure_range(void *arg, size_t first, size_t end, uint32_t worker)
{
    (void)worker;
    if (end - first > 48) atomic_fetch_add((atomic_uint *)arg, 1);
}

static void no_range_is_longer_than_told(void **unused)
{
    atomic_uint too_long = 0;
    cuzk_error err;

    (void)unused;
    assert_int_equal(
        strand_for(NULL, 100000, (strand_cut_t){16, 48}, measure_range, &too_long, &err), CUZK_OK);
    assert_int_equal(too_long, 0);
}

static bool is_past(void *arg, size_t index)
{
    return index >= *(const size_t *)arg && index % 3 == 0;
}

static void the_lowest_index_is_found(void **unused)
{
    cuzk_error err;

    (void)unused;
    for (uint32_t threads = 1; threads <= 3; threads++) {
        strand_t *strand;

        assert_int_equal(strand_open(&strand, threads, &err), CUZK_OK);
        for (size_t from = 0; from <= 50; from++) {
            const size_t want = (from + 2) / 3 * 3;
            size_t arg = from, found;
            assert_int_equal(strand_find(&found, strand, 50, is_past, &arg, &err), CUZK_OK);
            assert_int_equal(found, want < 50 ? want : 50);
        }
        strand_close(strand);
    }
}

static void too_many_threads_are_refused(void **unused)
{
    strand_t *strand;
    cuzk_error err;

    (void)unused;
    assert_int_equal(strand_open(&strand, 1025, &err), CUZK_ERR_ARG);
    assert_string_equal(err.text, "threads: 1025 is over the limit of 1024");
    assert_null(strand);
    assert_int_equal(strand_size(NULL), 1);
    assert_int_equal(strand_status(NULL, &err), CUZK_OK);
}

/* ---- several jobs --------------------------------------------------------------------------- */

static void spin(uint64_t ns)
{
    const uint64_t end = clock_monotonic_ns() + ns;

    while (clock_monotonic_ns() < end) continue;
}

/* A job of loops; how many threads of all jobs compute at once is counted. */
typedef struct {
    executor_t *executor;
    work_rank_t rank;
    cancel_t cancel;
    unsigned n_loops;
    size_t n_tasks;
    uint64_t task_ns;
    atomic_uint *running;
    atomic_uint *most;
    atomic_size_t ran;
    uint64_t end_ns;
    cuzk_status status;
} job_t;

static void note_running(job_t *job)
{
    const unsigned n = atomic_fetch_add(job->running, 1) + 1;
    unsigned most = atomic_load(job->most);

    while (n > most && !atomic_compare_exchange_weak(job->most, &most, n)) continue;
    spin(job->task_ns);
    atomic_fetch_sub(job->running, 1);
}

static void job_task(void *arg, size_t index, uint32_t worker)
{
    job_t *job = arg;

    (void)index;
    (void)worker;
    note_running(job);
    atomic_fetch_add(&job->ran, 1);
}

static void *run_job(void *arg)
{
    job_t *job = arg;
    strand_t strand;
    cuzk_error err;

    strand_begin(&strand, job->executor, &job->rank, &job->cancel);
    job->status = strand_status(&strand, &err);
    for (unsigned i = 0; i < job->n_loops && job->status == CUZK_OK; i++) {
        note_running(job); /* serial work holds a permit, too */
        job->status = strand_run(&strand, job->n_tasks, job_task, job, &err);
    }
    job->end_ns = clock_monotonic_ns();
    strand_end(&strand);
    return NULL;
}

static void init_job(job_t *job, executor_t *executor, int32_t priority, uint64_t age,
                     atomic_uint *counters)
{
    *job = (job_t){.executor = executor,
                   .rank = {.priority = priority, .deadline_ns = UINT64_MAX, .age = age},
                   .n_loops = 20,
                   .n_tasks = 10,
                   .task_ns = 100000,
                   .running = &counters[0],
                   .most = &counters[1]};
    cancel_init(&job->cancel, UINT64_MAX);
}

static void no_more_threads_compute_than_there_are(void **unused)
{
    enum { JOBS = 7 };
    cuzk_error err;

    (void)unused;
    for (uint32_t threads = 1; threads <= 3; threads++) {
        atomic_uint counters[2] = {0};
        executor_t *executor;
        job_t jobs[JOBS];
        pthread_t ids[JOBS];

        assert_int_equal(executor_open(&executor, threads, &err), CUZK_OK);
        for (unsigned i = 0; i < JOBS; i++) {
            init_job(&jobs[i], executor, 0, i, counters);
            assert_int_equal(pthread_create(&ids[i], NULL, run_job, &jobs[i]), 0);
        }
        for (unsigned i = 0; i < JOBS; i++) {
            (void)pthread_join(ids[i], NULL);
            assert_int_equal(jobs[i].status, CUZK_OK);
            assert_int_equal(jobs[i].ran, jobs[i].n_loops * jobs[i].n_tasks);
        }
        assert_true(counters[1] <= threads);
        executor_close(executor);
    }
}

static void ranks_go_by_priority_deadline_and_age(void **unused)
{
    const work_rank_t a = {.priority = 1, .deadline_ns = UINT64_MAX, .age = 9};
    const work_rank_t b = {.priority = 0, .deadline_ns = 5, .age = 8};
    const work_rank_t c = {.priority = 0, .deadline_ns = UINT64_MAX, .age = 1};
    const work_rank_t d = {.priority = 0, .deadline_ns = UINT64_MAX, .age = 2};
    const work_rank_t *const order[] = {&a, &b, &c, &d};

    (void)unused;
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++)
            assert_int_equal(work_rank_before(order[i], order[j]), i < j);
}

/* Bulk jobs that come first do not hold up a job of a higher priority; they all end. */
static void urgent_work_goes_first(void **unused)
{
    enum { BULK = 3 };
    atomic_uint counters[2] = {0};
    executor_t *executor;
    job_t jobs[BULK + 1];
    pthread_t ids[BULK + 1];
    cuzk_error err;

    (void)unused;
    assert_int_equal(executor_open(&executor, 2, &err), CUZK_OK);
    for (unsigned i = 0; i <= BULK; i++) {
        init_job(&jobs[i], executor, i == BULK ? 3 : 0, i, counters);
        if (i < BULK) jobs[i].n_loops = 100;
    }
    for (unsigned i = 0; i <= BULK; i++) {
        assert_int_equal(pthread_create(&ids[i], NULL, run_job, &jobs[i]), 0);
        if (i == BULK - 1) spin(20000000);
    }
    for (unsigned i = 0; i <= BULK; i++) (void)pthread_join(ids[i], NULL);
    for (unsigned i = 0; i < BULK; i++) {
        assert_int_equal(jobs[i].status, CUZK_OK);
        assert_int_equal(jobs[i].ran, jobs[i].n_loops * jobs[i].n_tasks);
        if (i > 0) assert_true(jobs[BULK].end_ns < jobs[i].end_ns);
    }
    executor_close(executor);
}

static void a_cancelled_loop_stops(void **unused)
{
    atomic_uint counters[2] = {0};
    executor_t *executor;
    job_t jobs[2];
    pthread_t ids[2];
    cuzk_error err;

    (void)unused;
    assert_int_equal(executor_open(&executor, 2, &err), CUZK_OK);
    init_job(&jobs[0], executor, 1, 0, counters);
    init_job(&jobs[1], executor, 0, 1, counters); /* waits behind the other */
    for (unsigned i = 0; i < 2; i++) {
        jobs[i].n_tasks = 1000000000;
        assert_int_equal(pthread_create(&ids[i], NULL, run_job, &jobs[i]), 0);
    }
    spin(10000000);
    for (unsigned i = 2; i-- > 0;) {
        cancel_request(&jobs[i].cancel);
        (void)pthread_join(ids[i], NULL);
        assert_int_equal(jobs[i].status, CUZK_CANCELLED);
    }
    executor_close(executor);
}

static void a_deadline_stops_a_loop(void **unused)
{
    atomic_uint counters[2] = {0};
    executor_t *executor;
    job_t job;
    cuzk_error err;

    (void)unused;
    assert_int_equal(executor_open(&executor, 2, &err), CUZK_OK);
    init_job(&job, executor, 0, 0, counters);
    cancel_init(&job.cancel, clock_monotonic_ns() + 20000000);
    job.n_tasks = 1000000000;
    (void)run_job(&job);
    assert_int_equal(job.status, CUZK_ERR_DEADLINE);
    executor_close(executor);
}

/* ---- traces --------------------------------------------------------------------------------- */

static void a_trace_has_loops_forks_and_ends(void **unused)
{
    const trace_event_t *events;
    executor_t *executor;
    strand_t a, b;
    trace_t *trace;
    static state_t s;
    cuzk_error err;
    size_t n;

    (void)unused;
    s = (state_t){0};
    assert_int_equal(trace_open(&trace, &err), CUZK_OK);
    assert_int_equal(executor_open(&executor, 2, &err), CUZK_OK);
    executor_set_trace(executor, trace);
    strand_begin(&a, executor, NULL, NULL);
    strand_begin(&b, executor, NULL, NULL);
    strand_trace_fork(&a, &b, trace);
    assert_int_equal(strand_run(&b, 3, count_task, &s, &err), CUZK_OK);
    strand_end(&b);
    strand_trace_join(&a, b.id, trace);
    strand_end(&a);
    assert_int_equal(trace_events(&events, &n, trace, &err), CUZK_OK);
    assert_int_equal(n, 5);
    assert_int_equal(events[0].kind, TRACE_FORK);
    assert_int_equal(events[0].other, 1);
    assert_int_equal(events[1].kind, TRACE_LOOP);
    assert_int_equal(events[1].strand, 1);
    assert_int_equal(events[1].n_tasks, 3);
    for (size_t i = 0; i < 3; i++) assert_true(events[1].task_ns[i] > 0);
    assert_int_equal(events[2].kind, TRACE_END);
    assert_int_equal(events[3].kind, TRACE_JOIN);
    assert_int_equal(events[4].strand, 0);
    executor_close(executor);
    trace_close(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_task_runs_once_and_workers_do_not_clash),
        cmocka_unit_test(a_failing_task_ends_its_loop),
        cmocka_unit_test(ranges_cover_each_element_once),
        cmocka_unit_test(no_range_is_longer_than_told),
        cmocka_unit_test(the_lowest_index_is_found),
        cmocka_unit_test(too_many_threads_are_refused),
        cmocka_unit_test(no_more_threads_compute_than_there_are),
        cmocka_unit_test(ranks_go_by_priority_deadline_and_age),
        cmocka_unit_test(urgent_work_goes_first),
        cmocka_unit_test(a_cancelled_loop_stops),
        cmocka_unit_test(a_deadline_stops_a_loop),
        cmocka_unit_test(a_trace_has_loops_forks_and_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
