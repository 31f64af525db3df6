/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "bench/phases.h"
#include "bench/process_usage.h"

/* A usage whose metrics are x, 10 x, 100 x, ... and that counts two events. */
static phase_usage_t make_usage(double x)
{
    phase_usage_t u = {
        .counters = {.n_values = 2, .values = {{"one", 3 * x, 1}, {"two", 5 * x, 1}}}};

    for (int m = 0; m < METRICS; m++, x *= 10) u.metrics[m] = x;
    return u;
}

static void medians_are_taken_each_by_itself(void **state)
{
    static work_runs_t runs;
    phase_usage_t run, r;

    (void)state;
    runs = (work_runs_t){0};
    run = make_usage(7);
    run.metrics[METRIC_CPU_S] = 1;
    run.counters.values[1].share = 0.5;
    work_runs_add(&runs, &run);
    run = make_usage(1);
    run.metrics[METRIC_CPU_S] = 2;
    work_runs_add(&runs, &run);
    run = make_usage(5);
    run.metrics[METRIC_CPU_S] = 4;
    run.counters.values[1].share = 0.25;
    work_runs_add(&runs, &run);
    work_runs_median(&r, &runs);
    assert_true(r.metrics[METRIC_WALL_S] == 5 && r.metrics[METRIC_CPU_S] == 2);
    assert_true(r.metrics[METRIC_BYTES_ALLOCATED] == 500);
    assert_int_equal(r.counters.n_values, 2);
    assert_true(counters_value(&r.counters, "one") == 15);
    assert_true(counters_value(&r.counters, "two") == 25);
    assert_true(counters_find(&r.counters, "one")->share == 1);
    assert_true(counters_find(&r.counters, "two")->share == 0.25);
}

static void what_one_run_lacks_is_unknown(void **state)
{
    static work_runs_t runs;
    phase_usage_t run, r;

    (void)state;
    for (int lacking = 0; lacking < 3; lacking++) {
        runs = (work_runs_t){0};
        for (int i = 0; i < 3; i++) {
            run = make_usage(i + 1);
            if (i == lacking) run.metrics[METRIC_PEAK_RSS_BYTES] = (double)NAN;
            if (i == lacking && i > 0) {
                run.counters.n_values = 1;
                run.counters.values[0] = run.counters.values[1];
            }
            work_runs_add(&runs, &run);
        }
        work_runs_median(&r, &runs);
        assert_true(isnan(r.metrics[METRIC_PEAK_RSS_BYTES]));
        assert_true(r.metrics[METRIC_WALL_S] == 2);
        assert_true(counters_value(&r.counters, "two") == 10);
        assert_int_equal(r.counters.n_values, lacking > 0 ? 1 : 2);
        assert_int_equal(r.counters.n_missing, lacking > 0 ? 1 : 0);
        if (lacking > 0) assert_string_equal(r.counters.missing[0].name, "one");
    }
}

static void set_usage(phases_t *phases, bool densities_alone)
{
    const phase_usage_t works[WORKS] = {make_usage(2), make_usage(30), make_usage(100),
                                        make_usage(99), make_usage(4)};

    *phases = (phases_t){0};
    phases_set_usage(phases, works, densities_alone);
}

static void phases_are_differences(void **state)
{
    static const double x[PHASES] = {2, 30, 70, -1};
    static const double peak[PHASES] = {2, 30, 100, 99};
    static phases_t phases;

    (void)state;
    set_usage(&phases, false);
    assert_true(phases.measured && !phases.simulated);
    for (int p = 0; p < PHASES; p++) {
        const phase_usage_t *u = &phases.usage[p];

        assert_true(u->metrics[METRIC_WALL_S] == x[p]);
        assert_true(u->metrics[METRIC_CPU_S] == 10 * x[p]);
        assert_true(u->metrics[METRIC_BYTES_ALLOCATED] == 100 * x[p]);
        assert_true(u->metrics[METRIC_ALLOCATIONS] == 1000 * x[p]);
        assert_true(u->metrics[METRIC_PAGE_FAULTS] == 10000 * x[p]);
        assert_true(u->metrics[METRIC_PEAK_RSS_BYTES] == 100000 * peak[p]);
        assert_true(counters_value(&u->counters, "one") == 3 * x[p]);
        assert_true(counters_value(&u->counters, "two") == 5 * x[p]);
    }
    set_usage(&phases, true);
    assert_true(phases.usage[PHASE_ABC].metrics[METRIC_WALL_S] == 70);
    assert_true(phases.usage[PHASE_DENSITIES].metrics[METRIC_WALL_S] == 4);
    assert_true(counters_value(&phases.usage[PHASE_DENSITIES].counters, "one") == 12);
}

static void a_counter_that_one_side_lacks_is_missing(void **state)
{
    counters_t a = {.n_values = 3, .values = {{"x", 9, 1}, {"y", 8, 0.5}, {"z", 7, 1}}};
    const counters_t b = {.n_values = 2, .values = {{"z", 2, 0.75}, {"y", 3, 1}}};

    (void)state;
    counters_subtract(&a, &b);
    assert_int_equal(a.n_values, 2);
    assert_true(counters_value(&a, "y") == 5 && counters_find(&a, "y")->share == 0.5);
    assert_true(counters_value(&a, "z") == 5 && counters_find(&a, "z")->share == 0.75);
    assert_null(counters_find(&a, "x"));
    assert_int_equal(a.n_missing, 1);
    assert_string_equal(a.missing[0].name, "x");
    assert_true(strlen(a.missing[0].why) > 10);
}

static void expect_text(const phases_t *phases, const char *const *words)
{
    json_writer_t w;

    json_writer_init(&w, JSON_ONE_LINE);
    json_write_object(&w, NULL);
    phases_write(&w, phases, 60);
    json_write_end(&w);
    for (; *words != NULL; words++)
        if (strstr(json_writer_text(&w), *words) == NULL)
            fail_msg("%s lacks %s", json_writer_text(&w), *words);
    json_writer_clear(&w);
}

static void phases_are_written(void **state)
{
    static const char *const measured[] = {
        "{\"parse\":{\"wall_s\":2.0,\"cpu_s\":2e+01,\"constraints_per_s\":3e+01,"
        "\"bytes_allocated\":200,\"allocations\":2000,\"page_faults\":20000,"
        "\"peak_rss_bytes\":200000,\"counters\":{\"user_only\":false,\"values\":[{\"name\":\"one\","
        "\"value\":6.0,\"counted_share\":1.0,\"per_constraint\":0.1}",
        "\"witness\":{\"wall_s\":3e+01,", "\"abc\":{\"wall_s\":7e+01,",
        "\"densities\":{\"wall_s\":-1.0,\"cpu_s\":-1e+01,\"constraints_per_s\":null,"
        "\"bytes_allocated\":-1e+02,",
        NULL};
    static const char *const simulated[] = {
        "{\"parse\":{\"simulated\":{\"user_only\":false,\"values\":[{\"name\":\"one\",\"value\":1."
        "0,",
        "\"abc\":{\"simulated\":{\"user_only\":false,\"values\":[{\"name\":\"one\",\"value\":4.0,",
        "\"densities\":{\"simulated\":{\"user_only\":false,\"values\":[{\"name\":\"one\",\"value\":"
        "6.0,",
        NULL};
    static const char *const nothing[] = {"{}", NULL};
    counters_t works[WORKS];
    static phases_t phases;

    (void)state;
    set_usage(&phases, false);
    expect_text(&phases, measured);
    phases = (phases_t){0};
    expect_text(&phases, nothing);
    for (int w = 0; w < WORKS; w++)
        works[w] = (counters_t){.n_values = 1, .values = {{"one", 1 + w + w * w, 1}}};
    phases_set_simulations(&phases, works, false);
    assert_true(phases.simulated && !phases.measured);
    expect_text(&phases, simulated);
    phases_set_simulations(&phases, works, true);
    assert_true(counters_value(&phases.simulations[PHASE_DENSITIES], "one") == 21);
}

/* Memory that was there before a restart and is gone does not count; new memory does. */
static void peaks_begin_anew(void **state)
{
    enum { LARGE = 1 << 26, SMALL = 1 << 24 };
    const size_t sizes[] = {LARGE, SMALL};
    double peaks[2];

    (void)state;
    for (int i = 0; i < 2; i++) {
        if (!peak_memory_restart()) skip();
        char *p = mmap(NULL, sizes[i], PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        assert_true(p != MAP_FAILED);
        for (size_t at = 0; at < sizes[i]; at += 512) ((volatile char *)p)[at] = 1;
        assert_int_equal(munmap(p, sizes[i]), 0);
        peaks[i] = (double)process_peak_rss_bytes();
    }
    assert_true(peaks[0] >= (double)LARGE && peaks[1] >= (double)SMALL);
    assert_true(peaks[1] < peaks[0] - (double)(LARGE - SMALL) / 2);
}

static void page_faults_rise(void **state)
{
    enum { BYTES = 1 << 24 };
    const uint64_t before = process_usage_now().page_faults;

    (void)state;
    char *p = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(p != MAP_FAILED);
    for (size_t at = 0; at < BYTES; at += 512) ((volatile char *)p)[at] = 1;
    assert_int_equal(munmap(p, BYTES), 0);
    assert_true(process_usage_now().page_faults > before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(medians_are_taken_each_by_itself),
        cmocka_unit_test(what_one_run_lacks_is_unknown),
        cmocka_unit_test(phases_are_differences),
        cmocka_unit_test(a_counter_that_one_side_lacks_is_missing),
        cmocka_unit_test(phases_are_written),
        cmocka_unit_test(peaks_begin_anew),
        cmocka_unit_test(page_faults_rise),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
