/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* What a store does, whatever its kind: all tests run over both. */
#include <pthread.h>

#include "store/test_store_cases.h"

static bool is_on_disk; /* the kind under test */
static temporary_t folder;
static store_t *store;

static void open_store(uint64_t limit)
{
    cuzk_error err;
    const cuzk_status st = is_on_disk ? store_sqlite_open(&store, folder.path, limit, &err)
                                      : store_memory_open(&store, limit, &err);

    if (st != CUZK_OK) print_error("%s\n", err.text);
    assert_int_equal(st, CUZK_OK);
}

/* As a daemon that is started anew, where the kind outlives it. */
static void open_again(void)
{
    if (!is_on_disk) return;
    store->ops->close(store);
    open_store(0);
}

static void open_with_limit(uint64_t limit)
{
    store->ops->close(store);
    open_store(limit);
}

static int set_up(void **unused)
{
    (void)unused;
    if (is_on_disk && temporary_make(&folder, "/tmp/cuzk-store.", true) != 0) return 1;
    open_store(0);
    return 0;
}

static int tear_down(void **unused)
{
    (void)unused;
    store->ops->close(store);
    temporary_remove(&folder);
    return 0;
}

static void expect_same(const store_job_t *is, const store_job_t *wanted)
{
    assert_non_null(is);
    assert_string_equal(is->id, wanted->id);
    assert_string_equal(is->request_id, wanted->request_id);
    assert_int_equal(is->kind, wanted->kind);
    assert_int_equal(is->priority, wanted->priority);
    assert_int_equal(is->registered_proof, wanted->registered_proof);
    assert_true(is->miner_id == wanted->miner_id);
    assert_true(is->sector_number == wanted->sector_number);
    assert_true(is->accepted_ms == wanted->accepted_ms);
    assert_true(is->ended_ms == wanted->ended_ms);
    assert_int_equal(is->n_starts, wanted->n_starts);
    assert_int_equal(is->state, wanted->state);
    assert_memory_equal(&is->times_ms, &wanted->times_ms, sizeof is->times_ms);
}

static void jobs_come_back_as_they_were(void **unused)
{
    store_job_t jobs[4];
    cuzk_error err;

    (void)unused;
    for (unsigned i = 0; i < 4; i++) {
        jobs[i] = test_job(i);
        jobs[i].accepted_ms -= 10 * i; /* the last added is the oldest */
    }
    jobs[1].miner_id = UINT64_MAX;
    jobs[1].sector_number = (uint64_t)1 << 63;
    jobs[1].registered_proof = UINT32_MAX;
    jobs[2].request_id[0] = '\0';
    for (size_t i = 0; i < STORE_REQUEST_ID_BYTES - 1; i += 2)
        (void)strcpy(jobs[3].request_id + i, "\xc3\xa9");
    jobs[3].priority = CUZK_PRIORITY_DEFAULT;
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(test_add_job(store, &jobs[i], i, 32 + 1000 * i, &err), CUZK_OK);
    assert_int_equal(store->ops->bytes(store), 4 * 32 + 6000);
    for (int round = 0; round < 2; round++) {
        test_list_t *list = test_list(store);

        assert_int_equal(list->n, 4);
        for (unsigned i = 0; i < 4; i++) {
            expect_same(&list->jobs[i], &jobs[3 - i]);
            assert_null(list->jobs[i].proof);
            assert_null(list->jobs[i].error);
            test_expect_request(store, i, 32 + 1000 * i);
        }
        free(list);
        open_again();
        assert_int_equal(store->ops->bytes(store), 4 * 32 + 6000);
    }
}

/* Short ones stand in rows, long ones in files. */
static void requests_of_all_lengths_come_back(void **unused)
{
    static const size_t lengths[] = {STORE_SEAL_BYTES, STORE_IN_ROW_MAX_BYTES,
                                     STORE_IN_ROW_MAX_BYTES + 1, 5000000};
    uint64_t sum = 0;
    cuzk_error err;

    (void)unused;
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(test_add(store, i, lengths[i], &err), CUZK_OK);
        sum += lengths[i];
    }
    for (int round = 0; round < 2; round++) {
        for (unsigned i = 0; i < 4; i++) test_expect_request(store, i, lengths[i]);
        assert_int_equal(store->ops->bytes(store), sum);
        if (!is_on_disk) continue;
        for (unsigned i = 0; i < 4; i++)
            assert_int_equal(access(test_request_path(folder.path, i), F_OK), i < 2 ? -1 : 0);
        open_again();
    }
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(test_end(store, i, STORE_CANCELLED, NULL, &err), CUZK_OK);
    assert_int_equal(store->ops->bytes(store), 0);
    if (!is_on_disk) return;
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(access(test_request_path(folder.path, i), F_OK), -1);
}

static void jobs_of_one_moment_keep_their_order(void **unused)
{
    cuzk_error err;

    (void)unused;
    for (unsigned i = 0; i < 8; i++) {
        store_job_t job = test_job(i * 5 % 8);

        job.accepted_ms = 7;
        assert_int_equal(test_add_job(store, &job, i, 100, &err), CUZK_OK);
    }
    open_again();
    test_list_t *list = test_list(store);
    for (unsigned i = 0; i < 8; i++) assert_ptr_equal(test_find(list, i * 5 % 8), &list->jobs[i]);
    free(list);
}

static void a_job_ends_once_and_keeps_its_result(void **unused)
{
    static const store_state states[] = {STORE_COMPLETED, STORE_FAILED, STORE_CANCELLED,
                                         STORE_TIMED_OUT};
    cuzk_error err;

    (void)unused;
    for (unsigned i = 0; i < 4; i++) assert_int_equal(test_add(store, i, 500, &err), CUZK_OK);
    for (unsigned i = 0; i < 4; i++) {
        const store_job_t job = test_job(i);

        for (unsigned k = 0; k <= i; k++)
            assert_int_equal(store->ops->start(store, job.id, &err), CUZK_OK);
        assert_int_equal(test_end(store, i, states[i], i < 3 ? "vanilla: \n\xff" : NULL, &err),
                         CUZK_OK);
        assert_int_equal(store->ops->bytes(store), 500 * (3 - i));
        test_expect_no_request(store, i);
        assert_int_equal(test_end(store, i, STORE_FAILED, "late", &err), CUZK_ERR_MISSING);
        assert_int_equal(store->ops->start(store, job.id, &err), CUZK_ERR_MISSING);
        assert_non_null(strstr(err.text, job.id));
    }
    open_again();
    test_list_t *list = test_list(store);
    for (unsigned i = 0; i < 4; i++) {
        store_job_t wanted = test_job(i);

        wanted.state = states[i];
        wanted.ended_ms = wanted.accepted_ms + 1000;
        wanted.n_starts = i + 1;
        wanted.times_ms = (store_times_t){i + 1, i + 2, i + 3, i + 4, i + 5};
        expect_same(&list->jobs[i], &wanted);
        test_expect_no_request(store, i);
    }
    assert_int_equal(list->jobs[0].proof_length, 192);
    assert_int_equal(list->jobs[0].proof[191], 0);
    assert_null(list->jobs[0].error);
    assert_string_equal(list->jobs[1].error, "vanilla: \\u000a\\xff");
    assert_string_equal(list->jobs[2].error, "vanilla: \\u000a\\xff");
    for (unsigned i = 1; i < 4; i++) assert_null(list->jobs[i].proof);
    assert_null(list->jobs[3].error);
    free(list);
}

static void a_long_error_is_cut_between_characters(void **unused)
{
    char text[3001] = "x";
    cuzk_error err;

    (void)unused;
    for (size_t i = 1; i + 2 < sizeof text; i += 2) (void)strcpy(text + i, "\xc3\xa9");
    assert_int_equal(test_add(store, 1, 100, &err), CUZK_OK);
    assert_int_equal(test_end(store, 1, STORE_FAILED, text, &err), CUZK_OK);
    test_list_t *list = test_list(store);
    assert_int_equal(strlen(list->jobs[0].error), STORE_ERROR_BYTES - 1);
    assert_memory_equal(list->jobs[0].error, text, STORE_ERROR_BYTES - 1);
    free(list);
}

static void an_id_is_free_again_when_its_job_has_ended(void **unused)
{
    cuzk_error err;

    (void)unused;
    assert_int_equal(test_add(store, 1, 500, &err), CUZK_OK);
    assert_int_equal(test_add(store, 1, 500, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, test_job(1).id));
    test_expect_request(store, 1, 500);
    assert_int_equal(store->ops->bytes(store), 500);
    assert_int_equal(store->ops->start(store, test_job(1).id, &err), CUZK_OK);
    assert_int_equal(test_end(store, 1, STORE_COMPLETED, NULL, &err), CUZK_OK);
    assert_int_equal(test_add(store, 1, 600, &err), CUZK_OK);
    open_again();
    const store_job_t wanted = test_job(1);
    test_list_t *list = test_list(store);
    assert_int_equal(list->n, 1);
    expect_same(&list->jobs[0], &wanted);
    assert_null(list->jobs[0].proof);
    free(list);
    test_expect_request(store, 1, 600);
    assert_int_equal(store->ops->bytes(store), 600);
}

static void requests_stay_below_the_limit(void **unused)
{
    cuzk_error err;

    (void)unused;
    open_with_limit(1000);
    assert_int_equal(test_add(store, 1, 1001, &err), CUZK_ERR_BUDGET);
    assert_non_null(strstr(err.text, "1001 bytes"));
    assert_non_null(strstr(err.text, "1000 bytes"));
    assert_int_equal(test_add(store, 1, 600, &err), CUZK_OK);
    assert_int_equal(test_add(store, 2, 401, &err), CUZK_ERR_BUDGET);
    assert_non_null(strstr(err.text, "401 bytes beside 600 bytes"));
    assert_int_equal(test_add(store, 2, 400, &err), CUZK_OK);
    assert_int_equal(test_add(store, 3, 32, &err), CUZK_ERR_BUDGET);
    assert_int_equal(store->ops->bytes(store), 1000);
    assert_int_equal(test_end(store, 1, STORE_CANCELLED, NULL, &err), CUZK_OK);
    assert_int_equal(test_add(store, 3, 600, &err), CUZK_OK);
    assert_int_equal(store->ops->drop(store, test_job(2).id, &err), CUZK_OK);
    assert_int_equal(test_add(store, 4, 400, &err), CUZK_OK);
    assert_int_equal(store->ops->bytes(store), 1000);
}

static void dropped_and_expired_jobs_are_forgotten(void **unused)
{
    cuzk_error err;

    (void)unused;
    for (unsigned i = 0; i < 6; i++) assert_int_equal(test_add(store, i, 100, &err), CUZK_OK);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(test_end(store, i, i < 2 ? STORE_COMPLETED : STORE_FAILED, "x", &err),
                         CUZK_OK);
    const int64_t first_end = test_job(0).accepted_ms + 1000;
    assert_int_equal(store->ops->expire(store, first_end, &err), CUZK_OK);
    assert_int_equal(store->ops->drop(store, test_job(1).id, &err), CUZK_OK);
    assert_int_equal(store->ops->drop(store, test_job(1).id, &err), CUZK_OK);
    assert_int_equal(store->ops->drop(store, test_job(4).id, &err), CUZK_OK);
    assert_int_equal(store->ops->drop(store, "no id", &err), CUZK_OK);
    test_expect_no_request(store, 4);
    test_list_t *list = test_list(store);
    assert_int_equal(list->n, 4); /* 0, 2, 3, 5 */
    free(list);
    assert_int_equal(store->ops->expire(store, first_end + 1, &err), CUZK_OK);
    assert_int_equal(store->ops->expire(store, first_end + 3, &err), CUZK_OK);
    for (int round = 0; round < 2; round++) {
        list = test_list(store);
        assert_int_equal(list->n, 2);
        assert_non_null(test_find(list, 3));
        assert_non_null(test_find(list, 5));
        free(list);
        assert_int_equal(store->ops->bytes(store), 100);
        open_again();
    }
    assert_int_equal(store->ops->expire(store, INT64_MAX, &err), CUZK_OK);
    list = test_list(store);
    assert_int_equal(list->n, 1); /* one that waits never expires */
    free(list);
}

static void expect_refused(const store_job_t *job, const char *field)
{
    cuzk_error err;

    assert_int_equal(test_add_job(store, job, 1, 100, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, field));
}

static void values_out_of_range_are_refused(void **unused)
{
    static const char *const ids[] = {"", "0", "../../../../../../../etc/passwd0",
                                      "ABCDEF00000000000000000000000000",
                                      "0000000000000000000000000000000g"};
    uint8_t few[STORE_SEAL_BYTES - 1] = {0};
    cuzk_error err;

    (void)unused;
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        store_job_t job = test_job(1);

        (void)strcpy(job.id, ids[i]);
        expect_refused(&job, "32 lower-case hex digits");
        job.state = STORE_FAILED;
        assert_int_equal(store->ops->end(store, &job, &err), CUZK_ERR_ARG);
        assert_int_equal(store->ops->start(store, ids[i], &err), CUZK_ERR_MISSING);
    }
    store_job_t job = test_job(1);
    (void)strcpy(job.request_id, "\xc3");
    expect_refused(&job, "request_id");
    memset(job.request_id, 'x', sizeof job.request_id);
    expect_refused(&job, "request_id: not UTF-8 of 256 bytes");
    job = test_job(1);
    job.kind = 5;
    expect_refused(&job, "kind: 5, 1 .. 4");
    job.kind = 0;
    expect_refused(&job, "kind: 0");
    job = test_job(1);
    job.priority = 5;
    expect_refused(&job, "priority: 5, 0 .. 4");
    job = test_job(1);
    job.state = STORE_COMPLETED;
    expect_refused(&job, "state: 1");
    job = test_job(1);
    assert_int_equal(store->ops->add(store, &job, few, sizeof few, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "request: 31 bytes"));
    test_list_t *list = test_list(store);
    assert_int_equal(list->n, 0);
    free(list);
}

static void results_out_of_range_are_refused(void **unused)
{
    uint8_t *proof = calloc(STORE_PROOF_MAX_BYTES + 1, 1);
    store_job_t job = test_job(1);
    cuzk_error err;

    (void)unused;
    assert_non_null(proof);
    assert_int_equal(test_add(store, 1, 100, &err), CUZK_OK);
    assert_int_equal(store->ops->end(store, &job, &err), CUZK_ERR_ARG);
    job.state = STORE_TIMED_OUT + 1;
    assert_int_equal(store->ops->end(store, &job, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "state: 5"));
    job.state = STORE_COMPLETED;
    assert_int_equal(store->ops->end(store, &job, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "proof: 0 bytes"));
    job.proof = proof;
    job.proof_length = STORE_PROOF_MAX_BYTES + 1;
    assert_int_equal(store->ops->end(store, &job, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "proof: 65537 bytes, 1 .. 65536"));
    test_expect_request(store, 1, 100);
    job.proof_length = STORE_PROOF_MAX_BYTES;
    assert_int_equal(store->ops->end(store, &job, &err), CUZK_OK);
    free(proof);
}

/* ---- threads ----------------------------------------------------------------------------------
 */

enum { THREADS = 4, JOBS_EACH = 12 };

static void *work(void *arg)
{
    const unsigned first = *(const unsigned *)arg;
    cuzk_error err;

    for (unsigned i = first; i < first + JOBS_EACH; i++) {
        assert_int_equal(test_add(store, i, 2000, &err), CUZK_OK);
        assert_int_equal(store->ops->start(store, test_job(i).id, &err), CUZK_OK);
        test_expect_request(store, i, 2000);
        free(test_list(store));
        if (i % 3 == 0) assert_int_equal(test_end(store, i, STORE_FAILED, "x", &err), CUZK_OK);
        if (i % 3 == 1) assert_int_equal(store->ops->drop(store, test_job(i).id, &err), CUZK_OK);
        assert_int_equal(store->ops->expire(store, 1, &err), CUZK_OK);
        assert_true(store->ops->bytes(store) <= THREADS * JOBS_EACH * 2000);
    }
    return NULL;
}

static void threads_share_a_store(void **unused)
{
    unsigned firsts[THREADS];
    pthread_t threads[THREADS];

    (void)unused;
    for (unsigned i = 0; i < THREADS; i++) {
        firsts[i] = i * JOBS_EACH;
        assert_int_equal(pthread_create(&threads[i], NULL, work, &firsts[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    open_again();
    test_list_t *list = test_list(store);
    assert_int_equal(list->n, THREADS * JOBS_EACH * 2 / 3);
    assert_int_equal(store->ops->bytes(store), THREADS * JOBS_EACH / 3 * 2000);
    for (unsigned i = 0; i < THREADS * JOBS_EACH; i++) {
        const store_job_t *job = test_find(list, i);

        assert_int_equal(job == NULL, i % 3 == 1);
        if (i % 3 == 0) assert_int_equal(job->state, STORE_FAILED);
        if (i % 3 == 2) test_expect_request(store, i, 2000);
    }
    free(list);
}

static void *add_the_same(void *arg)
{
    cuzk_error err;

    *(cuzk_status *)arg = test_add(store, 1, 20000, &err);
    return NULL;
}

static void of_adds_of_one_id_one_is_taken(void **unused)
{
    cuzk_status results[THREADS];
    pthread_t threads[THREADS];
    unsigned n_taken = 0;

    (void)unused;
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, add_the_same, &results[i]), 0);
    for (unsigned i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        n_taken += results[i] == CUZK_OK;
        if (results[i] != CUZK_OK) assert_int_equal(results[i], CUZK_ERR_ARG);
    }
    assert_int_equal(n_taken, 1);
    assert_int_equal(store->ops->bytes(store), 20000);
    test_expect_request(store, 1, 20000);
}

#define EACH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        EACH(jobs_come_back_as_they_were),
        EACH(requests_of_all_lengths_come_back),
        EACH(jobs_of_one_moment_keep_their_order),
        EACH(a_job_ends_once_and_keeps_its_result),
        EACH(a_long_error_is_cut_between_characters),
        EACH(an_id_is_free_again_when_its_job_has_ended),
        EACH(requests_stay_below_the_limit),
        EACH(dropped_and_expired_jobs_are_forgotten),
        EACH(values_out_of_range_are_refused),
        EACH(results_out_of_range_are_refused),
        EACH(threads_share_a_store),
        EACH(of_adds_of_one_id_one_is_taken),
    };
    const int in_memory = cmocka_run_group_tests_name("memory", tests, NULL, NULL);

    is_on_disk = true;
    return in_memory + cmocka_run_group_tests_name("disk", tests, NULL, NULL);
}
