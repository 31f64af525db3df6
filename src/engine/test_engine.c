/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* An engine with real parameters: those of WinningPoSt and WindowPoSt of 2 KiB, in the folder that
 * CUZK_TEST_PARAMS names (tests/e2e/setup_post.py makes them); skipped without it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "codec/vanilla_list.h"
#include "engine/engine.h"
#include "engine/request.h"
#include "engine/test_case.h"

enum { SKIPPED = 77, STOP_MS = 100 };

static const char *params;
static test_case_t winning, window;

static cuzk_engine *open_engine(uint64_t budget, uint32_t max_jobs)
{
    const cuzk_engine_options o = {.struct_size = sizeof o,
                                   .params_folder = params,
                                   .threads = 2,
                                   .memory_budget = budget,
                                   .max_jobs = max_jobs};
    cuzk_engine *engine;
    cuzk_error err;

    assert_int_equal(engine_open(&engine, &o, &err), CUZK_OK);
    return engine;
}

static cuzk_job submit(cuzk_engine *engine, const cuzk_request *request)
{
    cuzk_error err = {0};
    cuzk_job job;

    if (engine_submit(&job, engine, request, &err) != CUZK_OK) fail_msg("%s", err.text);
    return job;
}

static cuzk_status wait_for(cuzk_result *result, cuzk_engine *engine, cuzk_job job)
{
    cuzk_error err;

    *result = (cuzk_result){.struct_size = sizeof *result};
    return engine_wait(result, engine, job, CUZK_NO_TIMEOUT, &err);
}

static void check_winning(cuzk_engine *engine, const cuzk_result *result)
{
    cuzk_statement statement = {.struct_size = sizeof statement, .kind = CUZK_WINNING_POST};
    cuzk_error err;

    test_case_statement(&statement.of.post, &winning);
    assert_int_equal(result->length, CUZK_PROOF_BYTES);
    assert_int_equal(engine_verify(engine, &statement, result->proofs, result->length, &err),
                     CUZK_OK);
    assert_int_equal(
        engine_verify_request(engine, &winning.request, result->proofs, result->length, &err),
        CUZK_OK);
    result->proofs[100] ^= 1;
    assert_int_equal(engine_verify(engine, &statement, result->proofs, result->length, &err),
                     CUZK_INVALID_PROOF);
    assert_int_equal(
        engine_verify_request(engine, &winning.request, result->proofs, result->length, &err),
        CUZK_INVALID_PROOF);
}

static void jobs_give_proofs_that_verify(void **unused)
{
    cuzk_engine *engine = open_engine(0, 0);
    cuzk_result results[2];
    cuzk_stats stats;
    cuzk_job jobs[2];

    (void)unused;
    jobs[0] = submit(engine, &window.request);
    jobs[1] = submit(engine, &winning.request); /* comes later and goes first */
    assert_int_equal(wait_for(&results[0], engine, jobs[1]), CUZK_OK);
    assert_int_equal(wait_for(&results[1], engine, jobs[0]), CUZK_OK);
    check_winning(engine, &results[0]);
    assert_int_equal(results[1].length, 2 * CUZK_PROOF_BYTES);
    engine_stats(&stats, engine);
    assert_int_equal(stats.jobs_done, 2);
    assert_int_equal(stats.proofs_done, 3);
    assert_int_equal(stats.job_bytes, 0);
    assert_true(stats.params_bytes > 0);
    for (int i = 0; i < 2; i++) free(results[i].proofs);
    engine_close(engine);
}

/* A partition of its own is the whole's, and a request goes through bytes. */
static void a_unit_of_work_goes_through_bytes(void **unused)
{
    cuzk_engine *engine = open_engine(0, 0);
    cuzk_request unit = window.request, read;
    cuzk_result result;
    cuzk_error err;
    uint8_t *bytes;
    size_t length;

    (void)unused;
    unit.partition = 1;
    assert_int_equal(request_to_bytes(&bytes, &length, &unit, &err), CUZK_OK);
    assert_int_equal(request_from_bytes(&read, bytes, length, &err), CUZK_OK);
    assert_int_equal(wait_for(&result, engine, submit(engine, &read)), CUZK_OK);
    assert_int_equal(result.length, CUZK_PROOF_BYTES);
    free(result.proofs);
    unit.partition = 2;
    assert_int_equal(engine_wait(&result, engine, submit(engine, &unit), CUZK_NO_TIMEOUT, &err),
                     CUZK_ERR_ARG);
    assert_string_equal(err.text, "partition: 2, but the input has 2 (from 0 on)");
    for (size_t i = 0; i < length; i += 97) {
        bytes[i] ^= 0x10;
        assert_int_equal(request_from_bytes(&read, bytes, length, &err), CUZK_ERR_FORMAT);
        bytes[i] ^= 0x10;
    }
    for (size_t n = 0; n < length; n += 991)
        assert_int_equal(request_from_bytes(&read, bytes, n, &err), CUZK_ERR_FORMAT);
    free((void *)(uintptr_t)read.inputs);
    free(bytes);
    engine_close(engine);
}

static void wait_until(cuzk_engine *engine, cuzk_job job, cuzk_stage stage)
{
    cuzk_progress progress;
    cuzk_error err;

    do {
        assert_int_equal(engine_poll(&progress, engine, job, &err), CUZK_OK);
        (void)nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    } while (progress.stage < stage);
}

static void a_cancelled_job_leaves_nothing(void **unused)
{
    cuzk_engine *engine = open_engine(0, 0);
    cuzk_result result;
    cuzk_stats stats;
    cuzk_error err;

    (void)unused;
    for (cuzk_stage stage = CUZK_STAGE_QUEUED; stage <= CUZK_STAGE_MSM; stage++) {
        const cuzk_job job = submit(engine, &winning.request);

        wait_until(engine, job, stage);
        assert_int_equal(engine_cancel(engine, job, &err), CUZK_OK);
        assert_int_equal(wait_for(&result, engine, job), CUZK_CANCELLED);
        engine_stats(&stats, engine);
        assert_int_equal(stats.job_bytes, 0);
    }
    assert_int_equal(engine_cancel(engine, 12345, &err), CUZK_ERR_ARG);
    assert_string_equal(err.text, "job: there is none of number 12345");
    engine_close(engine);
}

static void deadlines_and_limits_hold(void **unused)
{
    cuzk_engine *engine = open_engine(0, 1);
    cuzk_request request = winning.request;
    cuzk_result result = {.struct_size = sizeof result};
    cuzk_error err;
    cuzk_job other;

    (void)unused;
    request.timeout_ms = 30;
    const cuzk_job job = submit(engine, &request);
    assert_int_equal(engine_submit(&other, engine, &request, &err), CUZK_ERR_BUSY);
    assert_string_equal(err.text, "jobs: 1 are waiting or running, the limit");
    assert_int_equal(engine_wait(&result, engine, job, 1, &err), CUZK_ERR_BUSY);
    assert_int_equal(wait_for(&result, engine, job), CUZK_ERR_DEADLINE);
    engine_close(engine);
}

static void what_never_fits_is_refused_at_submit(void **unused)
{
    cuzk_engine *engine = open_engine(1 << 20, 0);
    cuzk_estimate estimate;
    cuzk_error err;
    cuzk_job job;

    (void)unused;
    assert_int_equal(engine_submit(&job, engine, &winning.request, &err), CUZK_ERR_BUDGET);
    assert_non_null(strstr(err.text, "memory budget: 1MiB (1048576 bytes)"));
    assert_int_equal(engine_estimate(&estimate, engine, &winning.request, &err), CUZK_OK);
    assert_string_equal(estimate.circuit, "winning-2k");
    assert_int_equal(estimate.n_partitions, 1);
    assert_true(estimate.peak_bytes > 1 << 20);
    assert_true(estimate.n_constraints > 90000);
    engine_close(engine);
}

static void parameters_are_loaded_and_evicted(void **unused)
{
    cuzk_engine *engine = open_engine(0, 0);
    const circuit_row_t *row = circuit_row_by_name(KIND_WINNING, "2KiB");
    uint64_t freed;
    cuzk_error err;
    bool loaded;

    (void)unused;
    assert_int_equal(engine_preload(&loaded, engine, row, &err), CUZK_OK);
    assert_false(loaded);
    assert_int_equal(engine_preload(&loaded, engine, row, &err), CUZK_OK);
    assert_true(loaded);
    const cuzk_job job = submit(engine, &winning.request);
    wait_until(engine, job, CUZK_STAGE_H);
    assert_int_equal(engine_evict(&freed, engine, row, &err), CUZK_ERR_BUSY);
    assert_int_equal(engine_cancel(engine, job, &err), CUZK_OK);
    assert_int_equal(engine_wait(&(cuzk_result){.struct_size = sizeof(cuzk_result)}, engine, job,
                                 CUZK_NO_TIMEOUT, &err),
                     CUZK_CANCELLED);
    assert_int_equal(engine_evict(&freed, engine, row, &err), CUZK_OK);
    assert_true(freed > 0);
    assert_int_equal(engine_evict(&freed, engine, row, &err), CUZK_OK);
    assert_int_equal(freed, 0);
    engine_close(engine);
}

static void closing_stops_what_runs(void **unused)
{
    cuzk_engine *engine = open_engine(0, 0);

    (void)unused;
    for (int i = 0; i < 5; i++) (void)submit(engine, &winning.request);
    wait_until(engine, 1, CUZK_STAGE_SYNTHESIS);
    engine_close(engine);
}

/* ---- bad sectors ----------------------------------------------------------------------------- */

enum { WINDOW_BYTES = 5680 };

/* The window with a changed path in each sector of a set, by bits. */
typedef struct {
    cuzk_request request;
    uint8_t bytes[3][WINDOW_BYTES];
    cuzk_bytes inputs[3];
} damaged_t;

static void damage(damaged_t *d, unsigned set, bool skip_bad)
{
    d->request = window.request;
    d->request.inputs = d->inputs;
    d->request.skip_bad = skip_bad;
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(window.request.inputs[i].length, WINDOW_BYTES);
        memcpy(d->bytes[i], window.request.inputs[i].bytes, WINDOW_BYTES);
        if (set >> i & 1) d->bytes[i][WINDOW_BYTES - 100] ^= 1;
        d->inputs[i] = (cuzk_bytes){d->bytes[i], WINDOW_BYTES};
    }
}

static void check_named(const cuzk_result *result, unsigned set)
{
    size_t k = 0;

    assert_int_equal(result->n_bad_sectors, __builtin_popcount(set));
    for (unsigned i = 0; i < 3; i++) {
        if (!(set >> i & 1)) continue;
        assert_int_equal(result->bad_sectors[k].input, i);
        assert_int_equal(result->bad_sectors[k].number, 100 + i);
        assert_string_equal(result->bad_sectors[k].reason,
                            "challenge 9: its path does not lead to comm_r_last");
        k++;
    }
}

static void all_bad_sectors_are_named_in_one_refusal(void **unused)
{
    cuzk_engine *engine = open_engine(0, 0);
    static damaged_t d;

    (void)unused;
    for (unsigned set = 1; set < 8; set++) {
        cuzk_result result = {.struct_size = sizeof result};
        cuzk_error err;

        damage(&d, set, set == 7); /* to skip all would leave none */
        assert_int_equal(
            engine_wait(&result, engine, submit(engine, &d.request), CUZK_NO_TIMEOUT, &err),
            CUZK_ERR_FORMAT);
        check_named(&result, set);
        assert_null(result.proofs);
        for (unsigned i = 0; i < 3; i++) {
            char name[] = "sector 100: challenge 9: ";

            name[9] = (char)('0' + i);
            assert_int_equal(strstr(err.text, name) != NULL, set >> i & 1);
        }
        free(result.bad_sectors);
    }
    engine_close(engine);
}

/* The result has all; the text as many as there is room for, and how many more. */
static void a_long_list_of_bad_sectors_is_cut_in_the_text(void **unused)
{
    enum { MANY = 200 };
    static uint8_t bytes[MANY][WINDOW_BYTES];
    cuzk_engine *engine = open_engine(0, 0);
    cuzk_result result = {.struct_size = sizeof result};
    cuzk_request r = window.request;
    cuzk_bytes inputs[MANY];
    unsigned more = 0, listed = 0;
    cuzk_error err;

    (void)unused;
    for (unsigned i = 0; i < MANY; i++) {
        memcpy(bytes[i], window.request.inputs[0].bytes, WINDOW_BYTES);
        store_le64(bytes[i], 1000 + i); /* another sector has other challenges */
        inputs[i] = (cuzk_bytes){bytes[i], WINDOW_BYTES};
    }
    r.inputs = inputs;
    r.n_inputs = MANY;
    assert_int_equal(engine_wait(&result, engine, submit(engine, &r), CUZK_NO_TIMEOUT, &err),
                     CUZK_ERR_FORMAT);
    assert_int_equal(result.n_bad_sectors, MANY);
    for (unsigned i = 0; i < MANY; i++) assert_int_equal(result.bad_sectors[i].number, 1000 + i);
    assert_ptr_equal(strstr(err.text, "vanilla: 200 of 200 sectors are bad: sector 1000: "),
                     err.text);
    for (const char *at = err.text; (at = strstr(at, " sector 1")) != NULL; at++) listed++;
    assert_int_equal(sscanf(strrchr(err.text, ';'), "; and %u more", &more), 1);
    assert_int_equal(listed + more, MANY);
    assert_true(listed > 5);
    free(result.bad_sectors);
    engine_close(engine);
}

static void bad_sectors_can_be_left_out(void **unused)
{
    cuzk_engine *engine = open_engine(0, 0);
    static damaged_t d;

    (void)unused;
    for (unsigned set = 0; set < 7; set += 3) { /* none, two, two others */
        cuzk_statement statement = {.struct_size = sizeof statement, .kind = CUZK_WINDOW_POST};
        cuzk_sector sectors[3];
        cuzk_result result;
        cuzk_error err;

        damage(&d, set, true);
        assert_int_equal(wait_for(&result, engine, submit(engine, &d.request)), CUZK_OK);
        check_named(&result, set);
        test_case_statement(&statement.of.post, &window);
        statement.of.post.sectors = sectors;
        statement.of.post.n_sectors = 0;
        for (unsigned i = 0; i < 3; i++)
            if (!(set >> i & 1)) sectors[statement.of.post.n_sectors++] = window.sectors[i];
        assert_int_equal(engine_verify(engine, &statement, result.proofs, result.length, &err),
                         CUZK_OK);
        free(result.bad_sectors);
        free(result.proofs);
    }
    engine_close(engine);
}

/* A result as an earlier version had it is not written past its end. */
static void an_earlier_result_has_no_bad_sectors(void **unused)
{
    cuzk_engine *engine = open_engine(0, 0);
    cuzk_result result = {.struct_size = offsetof(cuzk_result, bad_sectors),
                          .bad_sectors = (cuzk_bad_sector *)&result,
                          .n_bad_sectors = 77};
    static damaged_t d;
    cuzk_error err;

    (void)unused;
    damage(&d, 5, false);
    assert_int_equal(
        engine_wait(&result, engine, submit(engine, &d.request), CUZK_NO_TIMEOUT, &err),
        CUZK_ERR_FORMAT);
    assert_ptr_equal(result.bad_sectors, &result);
    assert_int_equal(result.n_bad_sectors, 77);
    engine_close(engine);
}

static void bad_requests_name_the_field(void **unused)
{
    cuzk_engine *engine = open_engine(0, 0);
    cuzk_request r = winning.request;
    cuzk_error err;
    cuzk_job job;

    (void)unused;
    r.kind = 9;
    assert_int_equal(engine_submit(&job, engine, &r, &err), CUZK_ERR_ARG);
    assert_string_equal(err.text, "kind: 9, expected 1 (porep) to 4 (winning)");
    r = winning.request;
    r.registered_proof = 5;
    assert_int_equal(engine_submit(&job, engine, &r, &err), CUZK_ERR_ARG);
    assert_string_equal(err.text, "registered_proof: 5 is not one of the winning proofs (0..4)");
    r = winning.request;
    r.n_inputs = (size_t)1 << 60;
    assert_int_equal(engine_submit(&job, engine, &r, &err), CUZK_ERR_ARG);
    assert_string_equal(err.text, "inputs: 1152921504606846976, at most 25000");
    r = winning.request;
    r.priority = 5;
    assert_int_equal(engine_submit(&job, engine, &r, &err), CUZK_ERR_ARG);
    assert_string_equal(err.text, "priority: 5, expected 0 to 4");
    r = winning.request;
    r.randomness[31] = 0xff;
    assert_int_equal(engine_submit(&job, engine, &r, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "randomness: "));
    r = winning.request;
    r.skip_bad = true;
    assert_int_equal(engine_submit(&job, engine, &r, &err), CUZK_ERR_ARG);
    assert_string_equal(err.text, "skip_bad: is for window alone, not for winning");
    engine_close(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_give_proofs_that_verify),
        cmocka_unit_test(a_unit_of_work_goes_through_bytes),
        cmocka_unit_test(a_cancelled_job_leaves_nothing),
        cmocka_unit_test(deadlines_and_limits_hold),
        cmocka_unit_test(what_never_fits_is_refused_at_submit),
        cmocka_unit_test(parameters_are_loaded_and_evicted),
        cmocka_unit_test(closing_stops_what_runs),
        cmocka_unit_test(all_bad_sectors_are_named_in_one_refusal),
        cmocka_unit_test(a_long_list_of_bad_sectors_is_cut_in_the_text),
        cmocka_unit_test(bad_sectors_can_be_left_out),
        cmocka_unit_test(an_earlier_result_has_no_bad_sectors),
        cmocka_unit_test(bad_requests_name_the_field),
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
