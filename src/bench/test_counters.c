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

#include "bench/cachegrind.h"
#include "bench/counter_events.h"
#include "bench/counter_group.h"

/* A reading recorded on Linux 6.18: page-faults, context-switches, cpu-migrations and task-clock of
 * a program that touched 16 MiB. */
static const uint8_t recorded[] = {
    0x04, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* events */
    0x76, 0x84, 0x5d, 0x00, 0x00, 0x00, 0x00, 0x00, /* enabled: 6128758 ns */
    0x76, 0x84, 0x5d, 0x00, 0x00, 0x00, 0x00, 0x00, /* running */
    0x01, 0x10, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* 4097 */
    0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* 1 */
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* 0 */
    0x76, 0x84, 0x5d, 0x00, 0x00, 0x00, 0x00, 0x00, /* 6128758 */
};

static void a_recorded_reading_is_read(void **state)
{
    counter_reading_t r;

    (void)state;
    assert_true(counter_reading_parse(&r, recorded, sizeof recorded, 4));
    assert_int_equal(r.enabled, 6128758);
    assert_int_equal(r.running, 6128758);
    assert_int_equal(r.counts[0], 4097);
    assert_int_equal(r.counts[1], 1);
    assert_int_equal(r.counts[2], 0);
    assert_int_equal(r.counts[3], 6128758);
}

/* The reading of two events, as the kernel lays it out. */
static counter_reading_t make_reading(uint64_t enabled, uint64_t running, uint64_t x, uint64_t y)
{
    const uint64_t words[5] = {2, enabled, running, x, y};
    counter_reading_t r = {0};

    assert_true(counter_reading_parse(&r, words, sizeof words, 2));
    return r;
}

static void multiplexed_counts_are_scaled(void **state)
{
    const counter_reading_t from = make_reading(500, 400, 90, 3);
    const counter_reading_t to = make_reading(1500, 650, 100, 10);
    counter_group_t group = {0};

    (void)state;
    counter_group_add(&group, &from, &to);
    assert_true(counter_group_share(&group) == 0.25);
    assert_true(group.counts[0] == 40 && group.counts[1] == 28);
}

static void parts_are_scaled_each_by_itself(void **state)
{
    const counter_reading_t from = make_reading(0, 0, 0, 0);
    const counter_reading_t whole = make_reading(1000, 1000, 10, 7);
    const counter_reading_t half = make_reading(1000, 500, 10, 7);
    counter_group_t group = {0};

    (void)state;
    counter_group_add(&group, &from, &whole);
    counter_group_add(&group, &from, &half);
    assert_true(counter_group_share(&group) == 0.75);
    assert_true(group.counts[0] == 30 && group.counts[1] == 21);
}

static void a_group_that_never_ran_has_no_share(void **state)
{
    const counter_reading_t from = make_reading(1000, 10, 5, 5);
    const counter_reading_t to = make_reading(2000, 10, 5, 5);
    counter_group_t group = {0};

    (void)state;
    counter_group_add(&group, &from, &to);
    assert_true(group.running == 0 && group.enabled == 1000 && group.counts[0] == 0);
    assert_true(counter_group_share(&group) == 0);
}

static void a_thread_that_slept_changes_nothing(void **state)
{
    const counter_reading_t same = make_reading(1000, 1000, 5, 5);
    counter_group_t group = {0};

    (void)state;
    counter_group_add(&group, &same, &same);
    assert_true(counter_group_share(&group) == 1 && group.counts[0] == 0);
}

static void other_forms_are_refused(void **state)
{
    const uint64_t three[5] = {3, 1000, 500, 10, 7};
    const uint64_t more_running[5] = {2, 500, 1000, 10, 7};
    counter_reading_t r;

    (void)state;
    assert_false(counter_reading_parse(&r, recorded, sizeof recorded - 8, 4));
    assert_false(counter_reading_parse(&r, recorded, 0, 4));
    assert_false(counter_reading_parse(&r, recorded, sizeof recorded, 3));
    assert_false(counter_reading_parse(&r, recorded, sizeof recorded, 5));
    assert_false(counter_reading_parse(&r, three, sizeof three, 2));
    assert_false(counter_reading_parse(&r, more_running, sizeof more_running, 2));
}

static void groups_fit_the_counters_and_names_are_few_enough(void **state)
{
    unsigned in_group[COUNTER_GROUPS][3] = {0};

    (void)state;
    assert_true(n_counter_events <= COUNTERS_MAX);
    for (size_t i = 0; i < n_counter_events; i++) {
        const counter_event_t *e = &counter_events[i];

        assert_true(e->group < COUNTER_GROUPS);
        assert_true(i == 0 || e->group >= counter_events[i - 1].group);
        in_group[e->group][e->family]++;
        for (size_t k = 0; k < i; k++) assert_string_not_equal(e->name, counter_events[k].name);
    }
    for (int g = 0; g < COUNTER_GROUPS; g++)
        for (int f = PROCESSOR_INTEL; f <= PROCESSOR_ZEN4; f++)
            assert_true(in_group[g][PROCESSOR_ANY] + in_group[g][f] <= COUNTER_GROUP_MAX);
}

#ifdef CUZK_PERF
/* libpfm4 encodes for a processor that is not this one when this variable names it. */
static void check_encoding(const char *name, uint64_t config)
{
    struct perf_event_attr attr;

    for (size_t i = 0; i < n_counter_events; i++) {
        if (strcmp(counter_events[i].name, name) != 0) continue;
        assert_null(counter_events_encode(&attr, &counter_events[i]));
        assert_int_equal(attr.config & 0xffff, config);
        return;
    }
    fail_msg("no event %s", name);
}

static void events_encode_as_the_manuals_have_them(void **state)
{
    const char *why;

    (void)state;
    assert_int_equal(setenv("LIBPFM_FORCE_PMU", "amd64_fam19h_zen4", 1), 0);
    assert_true(counter_events_open(&why));
    assert_int_equal(counter_events_family(), PROCESSOR_ZEN4);
    check_encoding("l2_cache_req_stat.dc_access_in_l2", 0xf864);
    check_encoding("l2_cache_req_stat.dc_hit_in_l2", 0xf064);
    check_encoding("ls_dmnd_fills_from_sys.local_l2", 0x0143);
    check_encoding("ls_dmnd_fills_from_sys.local_ccx", 0x0243);
    check_encoding("ls_any_fills_from_sys.dram_io_all", 0x4844);
    counter_events_close();

    assert_int_equal(setenv("LIBPFM_FORCE_PMU", "spr", 1), 0);
    assert_true(counter_events_open(&why));
    assert_int_equal(counter_events_family(), PROCESSOR_INTEL);
    check_encoding("l2_rqsts.all_demand_data_rd", 0xe124);
    check_encoding("mem_load_retired.l2_hit", 0x02d1);
    check_encoding("mem_load_retired.l3_miss", 0x20d1);
    counter_events_close();

    assert_int_equal(unsetenv("LIBPFM_FORCE_PMU"), 0);
    assert_true(counter_events_open(&why));
    check_encoding("instructions", 1); /* PERF_COUNT_HW_INSTRUCTIONS */
    check_encoding("branch-misses", 5);
    check_encoding("cpu-migrations", 4);
    counter_events_close();
}
#endif

/* Whatever the machine has: the software events are there, every hardware event is either counted
 * or missing with a reason, and touching memory faults pages. */
static void this_machine_counts_or_says_why(void **state)
{
    enum { BYTES = 1 << 22 };
    counter_set_t *set = counters_open();
    counters_t c, nothing;

    (void)state;
    for (int part = 0; part < 2; part++) {
        counters_start(set);
        char *pages = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        assert_true(pages != MAP_FAILED);
        for (size_t i = 0; i < BYTES; i += 512) ((volatile char *)pages)[i] = 1;
        counters_stop(set);
        assert_int_equal(munmap(pages, BYTES), 0);
    }
    counters_read(&c, set, 2);
    counters_restart(set);
    counters_read(&nothing, set, 1);
    counters_close(set);
    assert_true(counters_value(&nothing, "page-faults") == 0);
    assert_true(counters_value(&nothing, "task-clock") == 0);
    assert_int_equal(nothing.n_values + nothing.n_missing, c.n_values + c.n_missing);
    assert_true(counters_value(&c, "page-faults") > 1); /* huge pages: two a part */
    assert_true(counters_value(&c, "context-switches") >= 0);
    assert_true(counters_value(&c, "task-clock") > 0);
    assert_true(isnan(counters_value(&c, "no-such-event")));
    assert_true(c.n_values + c.n_missing >= 11);
    for (uint32_t i = 0; i < c.n_missing; i++) {
        assert_true(isnan(counters_value(&c, c.missing[i].name)));
        assert_true(strlen(c.missing[i].why) > 10);
    }
    for (uint32_t i = 0; i < c.n_values; i++)
        assert_true(c.values[i].share > 0 && c.values[i].share <= 1);
}

static const char counts[] = "desc: I1 cache:         32768 B, 64 B, 8-way associative\n"
                             "cmd: cuzk-bench synth-only\n"
                             "events: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw Bc Bcm Bi Bim\n"
                             "fl=x\nfn=main\n3 1000 1 1 300 30 3 100 10 1 50 5 7 2\n"
                             "summary: 1000 4 2 300 30 3 100 10 1 50 5 7 2\n";

static void a_cachegrind_file_is_read(void **state)
{
    counters_t c, before;
    cuzk_error err;

    (void)state;
    assert_int_equal(cachegrind_parse(&c, counts, &err), CUZK_OK);
    assert_int_equal(c.n_values, 6);
    assert_true(counters_value(&c, "instructions") == 1000);
    assert_true(counters_value(&c, "branches") == 57);
    assert_true(counters_value(&c, "branch-misses") == 7);
    assert_true(counters_value(&c, "data-references") == 400);
    assert_true(counters_value(&c, "D1-misses") == 40);
    assert_true(counters_value(&c, "LL-misses") == 6);
    before = c;
    before.values[0].value = 600;
    counters_subtract(&c, &before);
    assert_true(counters_value(&c, "instructions") == 400);
    assert_true(counters_value(&c, "LL-misses") == 0);
}

static void other_cachegrind_files_are_refused(void **state)
{
    static const char *const bad[] = {
        "",
        "events: Ir I1mr\n",
        "summary: 1 2\n",
        "events: Ir I1mr\nsummary: 1\n",
        "events: Ir I1mr\nsummary: 1 x\n",
        "events: Ir I1mr\nsummary: 1 -2\n",
        "events: Ir\nsummary: 5\n",
        "events: Ir AVeryLongEventNameIndeed\nsummary: 1 2\n",
    };
    counters_t c;
    cuzk_error err;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(cachegrind_parse(&c, bad[i], &err), CUZK_ERR_FORMAT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_recorded_reading_is_read),
        cmocka_unit_test(multiplexed_counts_are_scaled),
        cmocka_unit_test(parts_are_scaled_each_by_itself),
        cmocka_unit_test(a_group_that_never_ran_has_no_share),
        cmocka_unit_test(a_thread_that_slept_changes_nothing),
        cmocka_unit_test(other_forms_are_refused),
        cmocka_unit_test(groups_fit_the_counters_and_names_are_few_enough),
#ifdef CUZK_PERF
        cmocka_unit_test(events_encode_as_the_manuals_have_them),
#endif
        cmocka_unit_test(this_machine_counts_or_says_why),
        cmocka_unit_test(a_cachegrind_file_is_read),
        cmocka_unit_test(other_cachegrind_files_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
