/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/strand_trace.h"
#include "bench/schedule.h"

enum { MAX_EVENTS = 256, MAX_TASKS = 12, ENOUGH_CORES = 4096 };

/* A trace made by hand. */
typedef struct {
    trace_event_t events[MAX_EVENTS];
    uint32_t tasks[MAX_EVENTS][MAX_TASKS];
    size_t n;
} script_t;

static script_t script;

static void begin(void)
{
    memset(&script, 0, sizeof script);
}

static trace_event_t *add(trace_kind kind, uint32_t strand, uint64_t serial_ns)
{
    trace_event_t *event = &script.events[script.n];

    assert_true(script.n < MAX_EVENTS);
    *event = (trace_event_t){
        .kind = kind, .strand = strand, .serial_ns = serial_ns, .task_ns = script.tasks[script.n]};
    script.n++;
    return event;
}

static void loop(uint32_t strand, uint64_t serial_ns, size_t n, const uint32_t *task_ns)
{
    trace_event_t *event = add(TRACE_LOOP, strand, serial_ns);

    assert_true(n <= MAX_TASKS);
    event->n_tasks = n;
    memcpy(event->task_ns, task_ns, n * sizeof *task_ns);
}

#define LOOP(strand, serial_ns, ...)                                                               \
    loop(strand, serial_ns, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t),                  \
         (uint32_t[]){__VA_ARGS__})

static void fork_strand(uint32_t strand, uint64_t serial_ns, uint32_t other)
{
    add(TRACE_FORK, strand, serial_ns)->other = other;
}

static void join_strand(uint32_t strand, uint64_t serial_ns, uint32_t other)
{
    add(TRACE_JOIN, strand, serial_ns)->other = other;
}

static void end(uint32_t strand, uint64_t serial_ns)
{
    (void)add(TRACE_END, strand, serial_ns);
}

static schedule_t simulate(uint32_t cores)
{
    cuzk_error err;
    schedule_t s;

    if (schedule_simulate(&s, script.events, script.n, cores, &err) != CUZK_OK)
        fail_msg("%s", err.text);
    return s;
}

static void check_makespan(uint32_t cores, uint64_t want)
{
    const schedule_t s = simulate(cores);

    if (s.makespan_ns != want)
        fail_msg("%u cores: %llu, expected %llu", cores, (unsigned long long)s.makespan_ns,
                 (unsigned long long)want);
    assert_true(s.busy == (double)s.work_ns / (cores * (double)want));
}

static void nothing_takes_no_time(void **state)
{
    (void)state;
    begin();
    assert_true(simulate(4).makespan_ns == 0 && simulate(4).busy == 0);
    end(0, 0);
    assert_true(simulate(1).makespan_ns == 0 && simulate(1).busy == 0);
}

static void loops_spread_over_cores(void **state)
{
    (void)state;
    begin();
    LOOP(0, 5, 10, 10, 10, 10);
    end(0, 3);
    assert_int_equal(simulate(1).work_ns, 48);
    check_makespan(1, 48);
    check_makespan(2, 28);
    check_makespan(3, 28);
    check_makespan(4, 18);
    check_makespan(64, 18);
    assert_true(simulate(4).busy == 48.0 / 72);
}

static void tasks_are_claimed_in_order(void **state)
{
    (void)state;
    begin();
    LOOP(0, 0, 1, 1, 10);
    check_makespan(2, 11);
    begin();
    LOOP(0, 0, 10, 1, 1);
    check_makespan(2, 10);
    begin();
    LOOP(0, 0, 4, 3, 2, 1); /* 0-4, 0-3, 3-5, 4-5 */
    LOOP(0, 1, 2, 0, 2);    /* 6-8, 6-6, 6-8 */
    check_makespan(2, 8);
}

static void strands_run_beside_each_other(void **state)
{
    (void)state;
    begin();
    end(0, 10);
    end(1, 7);
    end(2, 2);
    check_makespan(1, 19);
    check_makespan(2, 10);
    check_makespan(3, 10);
}

static void forked_work_comes_after_the_fork(void **state)
{
    (void)state;
    begin();
    end(1, 7);
    fork_strand(0, 5, 1);
    end(0, 10);
    check_makespan(1, 22);
    check_makespan(2, 15);
    begin();
    fork_strand(0, 5, 1);
    end(0, 0);
    fork_strand(1, 6, 2);
    end(1, 1);
    LOOP(2, 7, 2, 2);
    check_makespan(8, 20);
}

static void joins_wait_for_all_of_the_other(void **state)
{
    (void)state;
    begin();
    fork_strand(0, 0, 1);
    join_strand(0, 3, 1);
    end(0, 4);
    end(1, 10);
    check_makespan(2, 14);
    check_makespan(1, 17);
    begin(); /* the other has ended already; two wait for one */
    end(0, 2);
    join_strand(1, 5, 0);
    end(1, 1);
    join_strand(2, 0, 1);
    end(2, 1);
    join_strand(3, 0, 1);
    end(3, 2);
    check_makespan(4, 8);
}

static void earlier_strands_are_preferred(void **state)
{
    (void)state;
    begin();
    LOOP(1, 0, 3, 3, 3, 3); /* 0-3, 3-6, 14-17, 16-19 */
    LOOP(0, 4, 10, 10);     /* 0-4; 4-14, 6-16 */
    check_makespan(2, 19);
    begin(); /* what ends at the same time is all ended before a core chooses */
    LOOP(1, 0, 5, 5, 100);
    LOOP(0, 5, 5, 5);
    check_makespan(2, 110);
}

static void check_refused(uint32_t cores, const char *words)
{
    cuzk_error err;
    schedule_t s;

    assert_int_equal(schedule_simulate(&s, script.events, script.n, cores, &err), CUZK_ERR_ARG);
    if (strstr(err.text, words) == NULL) fail_msg("\"%s\" lacks \"%s\"", err.text, words);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    begin();
    end(0, 1);
    check_refused(0, "cores: 0");
    check_refused(SCHEDULE_MAX_CORES + 1, "cores");
    join_strand(0, 0, 0);
    check_refused(1, "strand 0 never ends");
    begin();
    join_strand(0, 1, 1);
    join_strand(1, 1, 0);
    check_refused(2, "never ends");
    begin();
    fork_strand(0, 1, 0);
    check_refused(2, "never ends");
    begin();
    fork_strand(0, 1, 1);
    fork_strand(0, 1, 1);
    check_refused(2, "forked twice");
    begin();
    end(SCHEDULE_MAX_STRANDS, 1);
    check_refused(1, "at most");
    begin();
    end(0, UINT64_MAX);
    end(1, 1);
    check_refused(1, "2^64");
}

static uint32_t random_state;

static uint32_t next_random(uint32_t below)
{
    random_state = random_state * 1664525 + 1013904223;
    return (random_state >> 8) % below;
}

/* A strand that forks and joins up to two others. */
static void make_strand(uint32_t strand, uint32_t *n_strands, int depth)
{
    const uint32_t n_loops = next_random(4);
    uint32_t tasks[MAX_TASKS];
    uint32_t other = 0;

    for (uint32_t i = 0; i < n_loops; i++) {
        const uint32_t n = next_random(MAX_TASKS + 1);

        if (depth > 0 && next_random(2) == 0) {
            other = (*n_strands)++;
            fork_strand(strand, next_random(20), other);
            make_strand(other, n_strands, depth - 1);
        }
        for (uint32_t k = 0; k < n; k++) tasks[k] = next_random(30);
        loop(strand, next_random(10), n, tasks);
        if (other != 0) join_strand(strand, next_random(5), other);
        other = 0;
    }
    end(strand, next_random(10));
}

/* Graham's bounds: no schedule is shorter than the longest chain or the work a core, and none that
 * leaves no core idle while there is work is longer than both together. */
static void makespans_keep_within_bounds(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 300; seed++) {
        uint32_t n_strands = 2;

        random_state = seed;
        begin();
        make_strand(0, &n_strands, 2);
        make_strand(1, &n_strands, 1);
        const uint64_t chain = simulate(ENOUGH_CORES).makespan_ns;
        const uint64_t work = simulate(1).work_ns;
        assert_true(simulate(1).makespan_ns == work);
        for (uint32_t cores = 2; cores < 40; cores += 3) {
            const schedule_t s = simulate(cores);

            assert_true(s.makespan_ns >= chain && s.makespan_ns * cores >= work);
            assert_true(s.makespan_ns * cores <= work + (cores - 1) * chain);
            assert_true(s.busy <= 1);
        }
    }
}

static void spend(void *arg, size_t index, uint32_t worker)
{
    volatile uint64_t *sums = arg;

    for (uint64_t i = 0; i < 20000; i++) sums[worker] += i * index;
}

static void a_recorded_trace_is_scheduled(void **state)
{
    uint64_t sums[2] = {0};
    const trace_event_t *events;
    executor_t *executor;
    schedule_t one, many;
    strand_t strand;
    trace_t *trace;
    cuzk_error err;
    size_t n;

    (void)state;
    assert_int_equal(executor_open(&executor, 2, &err), CUZK_OK);
    assert_int_equal(trace_open(&trace, &err), CUZK_OK);
    executor_set_trace(executor, trace);
    strand_begin(&strand, executor, NULL, NULL);
    assert_int_equal(strand_run(&strand, 40, spend, sums, &err), CUZK_OK);
    assert_int_equal(strand_run(&strand, 40, spend, sums, &err), CUZK_OK);
    strand_end(&strand);
    assert_int_equal(trace_events(&events, &n, trace, &err), CUZK_OK);
    assert_int_equal(n, 3);
    assert_int_equal(schedule_simulate(&one, events, n, 1, &err), CUZK_OK);
    assert_int_equal(schedule_simulate(&many, events, n, 16, &err), CUZK_OK);
    assert_true(one.work_ns > 0 && one.makespan_ns == one.work_ns && one.busy == 1);
    assert_true(many.work_ns == one.work_ns && many.makespan_ns < one.makespan_ns);
    assert_true(many.makespan_ns >= one.work_ns / 16 && many.busy > 0 && many.busy <= 1);
    executor_close(executor);
    trace_close(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_takes_no_time),
        cmocka_unit_test(loops_spread_over_cores),
        cmocka_unit_test(tasks_are_claimed_in_order),
        cmocka_unit_test(strands_run_beside_each_other),
        cmocka_unit_test(forked_work_comes_after_the_fork),
        cmocka_unit_test(joins_wait_for_all_of_the_other),
        cmocka_unit_test(earlier_strands_are_preferred),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(makespans_keep_within_bounds),
        cmocka_unit_test(a_recorded_trace_is_scheduled),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
