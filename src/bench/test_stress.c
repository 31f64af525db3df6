/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "bench/remote_subject.h"
#include "bench/stress_plan.h"
#include "bench/stress_tally.h"

/* ---- the plan ----------------------------------------------------------------------------------
 */

static proof_case_t some_cases[] = {
    {.name = "porep", .request = {.kind = CUZK_POREP}},
    {.name = "update", .request = {.kind = CUZK_UPDATE}},
    {.name = "window.0", .request = {.kind = CUZK_WINDOW_POST}},
    {.name = "window.1", .request = {.kind = CUZK_WINDOW_POST}},
    {.name = "winning", .request = {.kind = CUZK_WINNING_POST}},
};
static const case_list_t cases = {.items = some_cases, .n = 5};

static void shares_are_exact_in_each_hundred(void **unused)
{
    const stress_plan_t plan = {
        .seed = 12345, .cancels = 10, .disconnects = 7, .bad = 3, .cases = &cases};

    (void)unused;
    for (uint64_t first = 0; first < 1000; first += 130) {
        uint32_t n[ACT_BAD + 1] = {0};

        for (uint64_t i = first; i < first + 100; i++) n[stress_plan_job(&plan, i).act]++;
        assert_int_equal(n[ACT_CANCEL], 5);
        assert_int_equal(n[ACT_DROP], 5);
        assert_int_equal(n[ACT_DISCONNECT], 7);
        assert_int_equal(n[ACT_BAD], 3);
        assert_int_equal(n[ACT_PROVE] + n[ACT_SUBMIT], 80);
        assert_in_range(n[ACT_PROVE], 20, 60);
    }
}

static void a_plan_follows_from_its_seed(void **unused)
{
    stress_plan_t plan = {.seed = 1, .cancels = 20, .cases = &cases};
    const stress_plan_t other = {.seed = 2, .cancels = 20, .cases = &cases};
    uint32_t n_same = 0;

    (void)unused;
    for (uint64_t i = 0; i < 200; i++) {
        const stress_job_t a = stress_plan_job(&plan, i), b = stress_plan_job(&plan, i);

        assert_int_equal(a.act, b.act);
        assert_ptr_equal(a.of, b.of);
        assert_true(a.random == b.random);
        n_same += a.of == stress_plan_job(&other, i).of;
    }
    assert_in_range(n_same, 10, 100);
}

/* How often each kind comes in 4000 jobs. */
static void count_kinds(uint32_t n[STRESS_KINDS], const stress_plan_t *plan)
{
    memset(n, 0, STRESS_KINDS * sizeof *n);
    for (uint64_t i = 0; i < 4000; i++) n[stress_plan_job(plan, i).of->request.kind - 1]++;
}

static void kinds_come_as_they_are_mixed(void **unused)
{
    stress_plan_t plan = {.seed = 99, .cases = &cases};
    uint32_t n[STRESS_KINDS];
    cuzk_error err;

    (void)unused;
    assert_int_equal(stress_plan_check(&plan, &err), CUZK_OK);
    count_kinds(n, &plan);
    assert_int_equal(n[CUZK_POREP - 1], 0);
    assert_in_range(n[CUZK_UPDATE - 1], 850, 1150);
    assert_in_range(n[CUZK_WINDOW_POST - 1], 1850, 2150);
    assert_in_range(n[CUZK_WINNING_POST - 1], 850, 1150);
    assert_int_equal(stress_mix_parse(&plan.mix, "porep=1,window=3", &err), CUZK_OK);
    count_kinds(n, &plan);
    assert_in_range(n[CUZK_POREP - 1], 850, 1150);
    assert_in_range(n[CUZK_WINDOW_POST - 1], 2850, 3150);
    assert_int_equal(n[CUZK_UPDATE - 1] + n[CUZK_WINNING_POST - 1], 0);
}

static void bad_mixes_and_plans_are_refused(void **unused)
{
    static const char *const bad[] = {"",
                                      "window",
                                      "window=",
                                      "window=-1",
                                      "seal=1",
                                      "window=1001",
                                      "window=0",
                                      "window=1,,update=1",
                                      "winning=1,winning=2",
                                      "windowwindowwindow=1"};
    const case_list_t poreps = {.items = some_cases, .n = 1};
    stress_plan_t plan = {.cancels = 50, .disconnects = 30, .bad = 21, .cases = &cases};
    stress_mix_t mix;
    cuzk_error err;

    (void)unused;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(stress_mix_parse(&mix, bad[i], &err), CUZK_ERR_ARG);
        assert_non_null(strstr(err.text, "--mix"));
    }
    assert_int_equal(stress_plan_check(&plan, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "101 percent"));
    plan = (stress_plan_t){.cases = &poreps};
    assert_int_equal(stress_plan_check(&plan, &err), CUZK_ERR_ARG);
    plan.mix.weights[CUZK_UPDATE - 1] = 1;
    assert_int_equal(stress_plan_check(&plan, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "update"));
}

/* ---- the tally ---------------------------------------------------------------------------------
 */

static void add_span(stress_tally_t *tally, double accepted_s, double wait_s, double end_s,
                     bool is_judged)
{
    const winning_span_t span = {
        .accepted_s = accepted_s, .wait_s = wait_s, .end_s = end_s, .is_judged = is_judged};

    stress_tally_winning(tally, &span);
}

static void assert_ms(double seconds, int ms)
{
    assert_int_equal((int)(seconds * 1e3 + 0.5), ms);
}

static void waits_behind_earlier_winnings_are_left_out(void **unused)
{
    stress_tally_t tally;

    (void)unused;
    stress_tally_init(&tally);
    assert_ms(stress_tally_wait_p99_s(&tally, true), 0);
    add_span(&tally, 0, 0, 10, false); /* at work, itself not judged */
    add_span(&tally, 1, 12, 15, true); /* 9 s behind it, then 3 s behind something else */
    assert_ms(stress_tally_wait_p99_s(&tally, true), 3000);
    assert_ms(stress_tally_wait_p99_s(&tally, false), 12000);
    add_span(&tally, 0.5, 10, 12.5, false); /* and another, at work from 10.5 to 12.5 */
    assert_ms(stress_tally_wait_p99_s(&tally, true), 1000);
    add_span(&tally, 5, 0, 14, false); /* a later one has nothing to do with it */
    assert_ms(stress_tally_wait_p99_s(&tally, true), 1000);
    stress_tally_clear(&tally);
}

static void the_99th_percentile_is_a_value_that_came(void **unused)
{
    stress_tally_t tally;

    (void)unused;
    stress_tally_init(&tally);
    for (int i = 0; i < 1000; i++) /* one after the other, 10 s apart */
        add_span(&tally, 10.0 * i, 0.001 * (i + 1), 10.0 * i + 2, true);
    assert_ms(stress_tally_wait_p99_s(&tally, true), 990);
    stress_tally_clear(&tally);
}

static void memory_is_read_from_metrics(void **unused)
{
    stress_tally_t tally;

    (void)unused;
    stress_tally_init(&tally);
    stress_tally_metrics(&tally, "# HELP cuzk_memory_peak_bytes x\ncuzk_memory_peak_bytes 700\n"
                                 "cuzk_memory_budget_bytes 1.5e3\n");
    stress_tally_metrics(&tally, "cuzk_memory_peak_bytes_of 900\ncuzk_memory_peak_bytes 300");
    stress_tally_metrics(&tally, "");
    assert_int_equal(tally.peak_bytes, 700);
    assert_int_equal(tally.budget_bytes, 1500);
    stress_tally_clear(&tally);
}

static void ends_are_counted_and_judged(void **unused)
{
    stress_tally_t tally;
    json_writer_t w;
    cuzk_error err;

    (void)unused;
    stress_tally_init(&tally);
    for (int i = 0; i < 4; i++) stress_tally_begin(&tally);
    stress_tally_end(&tally, END_COMPLETED, NULL);
    stress_tally_end(&tally, END_COMPLETED, NULL);
    stress_tally_end(&tally, END_REFUSED, NULL);
    stress_tally_end(&tally, END_CANCELLED, NULL);
    assert_int_equal(stress_tally_verdict(&tally, &err), CUZK_OK);
    stress_tally_change(&tally, END_LOST, "gone");
    assert_int_equal(stress_tally_verdict(&tally, &err), CUZK_ERR_INTERNAL);
    assert_non_null(strstr(err.text, "1 lost"));
    assert_non_null(strstr(err.text, "gone"));
    json_writer_init(&w, JSON_ONE_LINE);
    json_write_object(&w, NULL);
    stress_tally_write(&w, &tally);
    json_write_end(&w);
    assert_non_null(strstr(json_writer_text(&w), "\"submitted\":4,\"accepted\":3,\"completed\":1,"
                                                 "\"failed\":0,\"cancelled\":1,\"lost\":1,"
                                                 "\"wrong\":0,\"refused\":1"));
    json_writer_clear(&w);
    stress_tally_end(&tally, END_WRONG, "odd");
    assert_int_equal(stress_tally_verdict(&tally, &err), CUZK_INVALID_PROOF);
    stress_tally_clear(&tally);
}

/* ---- single's types ----------------------------------------------------------------------------
 */

static void types_have_many_spellings(void **unused)
{
    static const struct {
        const char *text;
        cuzk_kind kind;
    } rows[] = {{"porep", CUZK_POREP},
                {"porep-c2", CUZK_POREP},
                {"seal-commit", CUZK_POREP},
                {"snap", CUZK_UPDATE},
                {"snap-deals", CUZK_UPDATE},
                {"update", CUZK_UPDATE},
                {"wpost", CUZK_WINDOW_POST},
                {"window-post", CUZK_WINDOW_POST},
                {"windowpost", CUZK_WINDOW_POST},
                {"winning", CUZK_WINNING_POST},
                {"winning-post", CUZK_WINNING_POST},
                {"winningpost", CUZK_WINNING_POST}};
    cuzk_kind kind;
    cuzk_error err;

    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(remote_type_from_text(&kind, rows[i].text, &err), CUZK_OK);
        assert_int_equal(kind, rows[i].kind);
    }
    assert_int_equal(remote_type_from_text(&kind, "post", &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "--type: \"post\""));
    assert_non_null(strstr(err.text, "winning-post"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_are_exact_in_each_hundred),
        cmocka_unit_test(a_plan_follows_from_its_seed),
        cmocka_unit_test(kinds_come_as_they_are_mixed),
        cmocka_unit_test(bad_mixes_and_plans_are_refused),
        cmocka_unit_test(waits_behind_earlier_winnings_are_left_out),
        cmocka_unit_test(the_99th_percentile_is_a_value_that_came),
        cmocka_unit_test(memory_is_read_from_metrics),
        cmocka_unit_test(ends_are_counted_and_judged),
        cmocka_unit_test(types_have_many_spellings),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
