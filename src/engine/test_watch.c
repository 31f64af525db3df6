/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* What is seen of an engine at work, and memory of others under its budget; with the parameters of
 * test_engine.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/clock.h"
#include "engine/engine.h"
#include "engine/test_case.h"

enum { SKIPPED = 77, MOST_JOBS = 64, PATIENCE_S = 120 };

static const char *params;
static test_case_t winning, window;

static void pause_ms(long ms)
{
    (void)nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

/* ---- an engine that is listened to, and can be held up -----------------------------------------
 */

static struct {
    atomic_uint n_finished[MOST_JOBS];
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    const char *held_at; /* whoever logs a line with this waits; NULL: nobody */
} ears = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void hear(void *arg, cuzk_log_level level, uint64_t job, const char *text)
{
    (void)arg;
    (void)level;
    (void)job;
    (void)pthread_mutex_lock(&ears.mutex);
    while (ears.held_at != NULL && strstr(text, ears.held_at) != NULL)
        (void)pthread_cond_wait(&ears.changed, &ears.mutex);
    (void)pthread_mutex_unlock(&ears.mutex);
}

static void hold_at(const char *text)
{
    (void)pthread_mutex_lock(&ears.mutex);
    ears.held_at = text;
    (void)pthread_cond_broadcast(&ears.changed);
    (void)pthread_mutex_unlock(&ears.mutex);
}

static void finished(void *arg, cuzk_job job)
{
    (void)arg;
    if (job < MOST_JOBS) atomic_fetch_add(&ears.n_finished[job], 1);
}

static cuzk_engine *open_engine(const cuzk_engine_options *options)
{
    cuzk_engine_options o = *options;
    cuzk_engine *engine;
    cuzk_error err;

    for (unsigned i = 0; i < MOST_JOBS; i++) atomic_store(&ears.n_finished[i], 0);
    o.struct_size = sizeof o;
    o.params_folder = params;
    o.log = hear;
    o.finished = finished;
    if (o.threads == 0) o.threads = 2;
    if (engine_open(&engine, &o, &err) != CUZK_OK) fail_msg("%s", err.text);
    return engine;
}

static cuzk_job submit(cuzk_engine *engine, const cuzk_request *request, cuzk_priority priority)
{
    cuzk_request r = *request;
    cuzk_error err;
    cuzk_job job;

    r.priority = priority;
    if (engine_submit(&job, engine, &r, &err) != CUZK_OK) fail_msg("%s", err.text);
    return job;
}

static void expect_end(cuzk_engine *engine, cuzk_job job, cuzk_status st)
{
    cuzk_result result = {.struct_size = sizeof result};
    cuzk_error err;

    assert_int_equal(engine_wait(&result, engine, job, CUZK_NO_TIMEOUT, &err), st);
    free(result.proofs);
    free(result.bad_sectors);
}

static void await_stage(cuzk_engine *engine, cuzk_job job, cuzk_stage stage)
{
    const uint64_t start_ns = clock_monotonic_ns();
    cuzk_progress progress;
    cuzk_error err;

    for (;;) {
        assert_int_equal(engine_poll(&progress, engine, job, &err), CUZK_OK);
        if (progress.stage >= stage) return;
        assert_true(clock_seconds_between(start_ns, clock_monotonic_ns()) < PATIENCE_S);
        pause_ms(1);
    }
}

/* ---- ends --------------------------------------------------------------------------------------
 */

static void each_end_is_heard_once(void **unused)
{
    cuzk_engine *engine = open_engine(&(cuzk_engine_options){0});
    cuzk_request bad = window.request;
    cuzk_error err;
    cuzk_job jobs[3];

    (void)unused;
    bad.partition = 9;
    jobs[0] = submit(engine, &window.request, 0);
    jobs[1] = submit(engine, &bad, 0);
    jobs[2] = submit(engine, &winning.request, 0);
    assert_int_equal(engine_cancel(engine, jobs[2], &err), CUZK_OK);
    expect_end(engine, jobs[0], CUZK_OK);
    expect_end(engine, jobs[1], CUZK_ERR_ARG);
    expect_end(engine, jobs[2], CUZK_CANCELLED);
    engine_close(engine);
    for (unsigned i = 1; i <= 3; i++) assert_int_equal(atomic_load(&ears.n_finished[i]), 1);
    assert_int_equal(atomic_load(&ears.n_finished[4]), 0);
}

static void a_job_whose_end_is_heard_needs_no_waiting(void **unused)
{
    cuzk_engine *engine = open_engine(&(cuzk_engine_options){0});
    cuzk_result result = {.struct_size = sizeof result};
    cuzk_error err;

    (void)unused;
    const cuzk_job job = submit(engine, &window.request, 0);
    while (atomic_load(&ears.n_finished[job]) == 0) pause_ms(1);
    assert_int_equal(engine_wait(&result, engine, job, 0, &err), CUZK_OK);
    free(result.proofs);
    engine_close(engine);
}

static void all_ends_are_heard_before_the_engine_is_closed(void **unused)
{
    enum { JOBS = 8 };
    cuzk_engine *engine = open_engine(&(cuzk_engine_options){0});

    (void)unused;
    for (unsigned i = 0; i < JOBS; i++) (void)submit(engine, &winning.request, 0);
    await_stage(engine, 1, CUZK_STAGE_SYNTHESIS);
    engine_close(engine);
    for (unsigned i = 1; i <= JOBS; i++) assert_int_equal(atomic_load(&ears.n_finished[i]), 1);
}

/* ---- partitions --------------------------------------------------------------------------------
 */

static void check_times(const cuzk_partition *p)
{
    double last = 0;

    assert_int_equal(p->stage, CUZK_STAGE_DONE);
    for (int stage = CUZK_STAGE_SYNTHESIS; stage < CUZK_STAGES; stage++) {
        assert_true(p->began_s[stage] >= last);
        last = p->began_s[stage];
    }
    assert_true(last > p->began_s[CUZK_STAGE_SYNTHESIS]);
    assert_true(p->synthesized_s >= p->began_s[CUZK_STAGE_SYNTHESIS]);
    assert_true(p->synthesized_s <= p->began_s[CUZK_STAGE_H]);
}

static void partitions_have_rising_times(void **unused)
{
    cuzk_engine *engine = open_engine(&(cuzk_engine_options){0});
    cuzk_partition list[2];
    cuzk_error err;
    size_t n;

    (void)unused;
    hold_at("partition 0: h");
    const cuzk_job job = submit(engine, &window.request, 0);
    await_stage(engine, job, CUZK_STAGE_H);
    assert_int_equal(engine_poll_partitions(list, 2, &n, engine, job, &err), CUZK_OK);
    assert_int_equal(n, 2);
    assert_int_equal(list[0].number, 0);
    assert_int_equal(list[1].number, 1);
    assert_int_equal(list[0].stage, CUZK_STAGE_H);
    assert_true(list[0].began_s[CUZK_STAGE_H] >= list[0].began_s[CUZK_STAGE_SYNTHESIS]);
    for (int stage = CUZK_STAGE_MSM; stage < CUZK_STAGES; stage++)
        assert_true(list[0].began_s[stage] < 0);
    hold_at(NULL);
    await_stage(engine, job, CUZK_STAGE_DONE);
    list[1].number = 77;
    assert_int_equal(engine_poll_partitions(list, 1, &n, engine, job, &err), CUZK_OK);
    assert_int_equal(n, 2); /* how many there are; room for one is left as it was */
    assert_int_equal(list[1].number, 77);
    assert_int_equal(engine_poll_partitions(list, 2, &n, engine, job, &err), CUZK_OK);
    check_times(&list[0]);
    check_times(&list[1]);
    expect_end(engine, job, CUZK_OK);
    assert_int_equal(engine_poll_partitions(list, 2, &n, engine, job, &err), CUZK_ERR_ARG);
    assert_int_equal(n, 0);
    engine_close(engine);
}

/* ---- parameters --------------------------------------------------------------------------------
 */

static bool find_params(cuzk_open_params *found, cuzk_engine *engine, const char *circuit)
{
    cuzk_open_params list[8];
    const size_t n = engine_params_list(list, 8, engine);

    assert_true(n <= 8);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(list[i].circuit, circuit) != 0) continue;
        *found = list[i];
        return true;
    }
    return false;
}

static bool has_params(cuzk_engine *engine, const char *circuit)
{
    cuzk_open_params found;

    return find_params(&found, engine, circuit) && found.has_params;
}

static void preload_winning(cuzk_engine *engine)
{
    bool was_loaded;
    cuzk_error err;

    assert_int_equal(
        engine_preload(&was_loaded, engine, circuit_row_by_name(KIND_WINNING, "2KiB"), &err),
        CUZK_OK);
}

static void open_parameters_are_listed(void **unused)
{
    cuzk_engine *engine = open_engine(&(cuzk_engine_options){0});
    cuzk_open_params before, found;
    cuzk_stats stats;
    cuzk_error err;
    uint64_t freed;

    (void)unused;
    assert_int_equal(engine_params_list(NULL, 0, engine), 0);
    preload_winning(engine);
    assert_true(find_params(&before, engine, "winning-2k"));
    assert_true(before.has_params && before.params_bytes > 0 && before.plan_bytes > 0);
    assert_int_equal(before.n_users, 0);
    engine_stats(&stats, engine);
    assert_int_equal(stats.params_bytes, before.params_bytes + before.plan_bytes);
    pause_ms(20);
    assert_true(find_params(&found, engine, "winning-2k"));
    assert_true(found.idle_s >= before.idle_s + 0.02);
    hold_at("partition 0: synthesis");
    const cuzk_job job = submit(engine, &window.request, 0);
    await_stage(engine, job, CUZK_STAGE_SYNTHESIS);
    assert_true(find_params(&found, engine, "wpost-2k"));
    assert_int_equal(found.n_users, 1);
    assert_true(found.idle_s == 0);
    assert_int_equal(engine_params_list(&found, 1, engine), 2);
    hold_at(NULL);
    expect_end(engine, job, CUZK_OK);
    assert_int_equal(engine_evict(&freed, engine, circuit_row_by_name(KIND_WINNING, "2KiB"), &err),
                     CUZK_OK);
    assert_int_equal(freed, before.params_bytes + before.plan_bytes);
    assert_false(find_params(&found, engine, "winning-2k"));
    engine_close(engine);
}

/* ---- memory ------------------------------------------------------------------------------------
 */

#define BUDGET ((uint64_t)1 << 30)

static void memory_of_others_counts(void **unused)
{
    cuzk_engine *engine = open_engine(&(cuzk_engine_options){.memory_budget = BUDGET});
    cuzk_stats stats;
    cuzk_error err;

    (void)unused;
    assert_int_equal(engine_memory_take(engine, BUDGET / 2, &err), CUZK_OK);
    assert_int_equal(engine_memory_take(engine, BUDGET / 4, &err), CUZK_OK);
    engine_stats(&stats, engine);
    assert_int_equal(stats.job_bytes, BUDGET / 4 * 3);
    assert_int_equal(stats.reserved_bytes, BUDGET / 4 * 3);
    assert_int_equal(engine_memory_take(engine, BUDGET / 4 + 1, &err), CUZK_ERR_BUSY);
    assert_string_equal(err.text, "memory budget: no room now for 268435457 bytes");
    assert_int_equal(engine_memory_take(engine, BUDGET + 1, &err), CUZK_ERR_BUDGET);
    assert_non_null(strstr(err.text, "(1073741825 bytes)"));
    engine_memory_give(engine, BUDGET / 2);
    assert_int_equal(engine_memory_take(engine, BUDGET / 4 + 1, &err), CUZK_OK);
    engine_memory_give(engine, BUDGET / 2 + 1);
    engine_stats(&stats, engine);
    assert_int_equal(stats.reserved_bytes, 0);
    assert_int_equal(engine_memory_take(engine, 1, &err), CUZK_OK); /* forgotten at the end */
    engine_close(engine);
}

/* Takes memory until a partition of a window lacks one byte; returns the bytes. */
static uint64_t squeeze(cuzk_engine *engine)
{
    cuzk_estimate estimate;
    cuzk_stats stats;
    cuzk_error err;

    assert_int_equal(engine_estimate(&estimate, engine, &window.request, &err), CUZK_OK);
    engine_stats(&stats, engine);
    assert_int_equal(stats.idle_bytes, 0);
    const uint64_t bytes = BUDGET - stats.reserved_bytes - (estimate.peak_bytes - 1);
    assert_int_equal(engine_memory_take(engine, bytes, &err), CUZK_OK);
    return bytes;
}

/* A partition is under way; another needs the memory of parameters that were in use a moment ago.
 */
static void fresh_parameters_are_closed_for_urgent_work_alone(void **unused)
{
    const cuzk_engine_options options = {.memory_budget = BUDGET, .params_min_idle_ms = 3600000};
    cuzk_engine *engine = open_engine(&options);
    cuzk_request unit = window.request;

    (void)unused;
    unit.partition = 0;
    preload_winning(engine);
    hold_at("partition 0: h");
    const cuzk_job first = submit(engine, &unit, CUZK_PRIORITY_NORMAL);
    await_stage(engine, first, CUZK_STAGE_H);
    const uint64_t taken = squeeze(engine);
    const cuzk_job bulk = submit(engine, &unit, CUZK_PRIORITY_NORMAL);
    await_stage(engine, bulk, CUZK_STAGE_PLAN);
    pause_ms(150);
    assert_true(has_params(engine, "winning-2k"));
    const cuzk_job urgent = submit(engine, &unit, CUZK_PRIORITY_HIGH);
    const uint64_t start_ns = clock_monotonic_ns();
    while (has_params(engine, "winning-2k")) {
        assert_true(clock_seconds_between(start_ns, clock_monotonic_ns()) < PATIENCE_S);
        pause_ms(1);
    }
    hold_at(NULL);
    expect_end(engine, first, CUZK_OK);
    expect_end(engine, urgent, CUZK_OK);
    expect_end(engine, bulk, CUZK_OK);
    engine_memory_give(engine, taken);
    engine_close(engine);
}

/* With nothing under way there is no other memory to wait for; and idle enough is idle enough. */
static void parameters_are_closed_for_bulk_work_when_they_must(void **unused)
{
    cuzk_request unit = window.request;

    (void)unused;
    unit.partition = 0;
    for (int is_under_way = 0; is_under_way < 2; is_under_way++) {
        const cuzk_engine_options options = {.memory_budget = BUDGET,
                                             .params_min_idle_ms = is_under_way ? 100 : 3600000};
        cuzk_engine *engine = open_engine(&options);
        cuzk_job first = 0;

        preload_winning(engine);
        if (is_under_way) {
            hold_at("partition 0: h");
            first = submit(engine, &unit, CUZK_PRIORITY_NORMAL);
            await_stage(engine, first, CUZK_STAGE_H);
        }
        const uint64_t taken = squeeze(engine);
        const cuzk_job bulk = submit(engine, &unit, CUZK_PRIORITY_NORMAL);
        const uint64_t start_ns = clock_monotonic_ns();
        while (has_params(engine, "winning-2k")) {
            assert_true(clock_seconds_between(start_ns, clock_monotonic_ns()) < PATIENCE_S);
            pause_ms(1);
        }
        hold_at(NULL);
        if (is_under_way) expect_end(engine, first, CUZK_OK);
        expect_end(engine, bulk, CUZK_OK);
        engine_memory_give(engine, taken);
        engine_close(engine);
    }
}

/* ---- checks and options ------------------------------------------------------------------------
 */

static void requests_are_checked_without_parameters(void **unused)
{
    cuzk_engine *engine = open_engine(&(cuzk_engine_options){0});
    cuzk_engine *small = open_engine(&(cuzk_engine_options){.memory_budget = 1 << 20});
    cuzk_request r = winning.request;
    cuzk_bytes cut = r.inputs[0];
    uint32_t n = 99;
    cuzk_error err;

    (void)unused;
    assert_int_equal(engine_check(&n, engine, &winning.request, &err), CUZK_OK);
    assert_int_equal(n, 1);
    assert_int_equal(engine_check(&n, engine, &window.request, &err), CUZK_OK);
    assert_int_equal(n, 2);
    r.registered_proof = 5;
    assert_int_equal(engine_check(&n, engine, &r, &err), CUZK_ERR_ARG);
    assert_string_equal(err.text, "registered_proof: 5 is not one of the winning proofs (0..4)");
    r = winning.request;
    cut.length--;
    r.inputs = &cut;
    assert_int_equal(engine_check(&n, engine, &r, &err), CUZK_ERR_FORMAT);
    assert_int_equal(engine_check(&n, small, &winning.request, &err), CUZK_ERR_BUDGET);
    assert_non_null(strstr(err.text, "memory budget: 1MiB (1048576 bytes)"));
    assert_false(has_params(engine, "winning-2k") || has_params(engine, "wpost-2k"));
    engine_close(small);
    engine_close(engine);
}

static void options_bound_synthesis_and_retries(void **unused)
{
    static const struct {
        uint32_t wanted, given;
    } rows[] = {{0, 3}, {1, 1}, {2, 2}, {100, 3}};
    cuzk_engine_options o = {.struct_size = sizeof o, .retries = 9};
    cuzk_engine *engine;
    cuzk_stats stats;
    cuzk_error err;

    (void)unused;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        engine =
            open_engine(&(cuzk_engine_options){.threads = 64, .max_synthesis = rows[i].wanted});
        engine_stats(&stats, engine);
        assert_int_equal(stats.max_synthesis, rows[i].given);
        assert_int_equal(stats.max_proving, 3);
        engine_close(engine);
    }
    assert_int_equal(engine_open(&engine, &o, &err), CUZK_ERR_ARG);
    assert_string_equal(err.text, "retries: 9, at most 8");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_end_is_heard_once),
        cmocka_unit_test(a_job_whose_end_is_heard_needs_no_waiting),
        cmocka_unit_test(all_ends_are_heard_before_the_engine_is_closed),
        cmocka_unit_test(partitions_have_rising_times),
        cmocka_unit_test(open_parameters_are_listed),
        cmocka_unit_test(memory_of_others_counts),
        cmocka_unit_test(fresh_parameters_are_closed_for_urgent_work_alone),
        cmocka_unit_test(parameters_are_closed_for_bulk_work_when_they_must),
        cmocka_unit_test(requests_are_checked_without_parameters),
        cmocka_unit_test(options_bound_synthesis_and_retries),
    };

    params = getenv("CUZK_TEST_PARAMS");
    if (params == NULL || access(params, R_OK) != 0) return SKIPPED;
    test_case_open(&winning, "winning-2KiB");
    test_case_open(&window, "window-2KiB");
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    test_case_clear(&winning);
    test_case_clear(&window);
    return failed;
}
