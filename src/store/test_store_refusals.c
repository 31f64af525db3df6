/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* A store that is refused memory: each allocation of ours once, and one in eleven of SQLite's. The
 * call fails and says so, and does its work when it is made again. */
#include "store/test_store_cases.h"

#include <unistd.h>

typedef enum { OURS, OF_SQLITE } owner;

static long left[2]; /* the allocation that makes this 0 is refused */

static bool is_refused(owner whose)
{
    return left[whose] > 0 && --left[whose] == 0;
}

void *__real_malloc(size_t n);
void *__wrap_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);

void *__wrap_malloc(size_t n)
{
    return is_refused(OURS) ? NULL : __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return is_refused(OURS) ? NULL : __real_calloc(n, size);
}

static sqlite3_mem_methods of_sqlite;

static void *sqlite_malloc(int n)
{
    return is_refused(OF_SQLITE) ? NULL : of_sqlite.xMalloc(n);
}

static void *sqlite_realloc(void *p, int n)
{
    return is_refused(OF_SQLITE) ? NULL : of_sqlite.xRealloc(p, n);
}

/* ---- the work ---------------------------------------------------------------------------------
 */

enum { LONG = STORE_IN_ROW_MAX_BYTES + 1, SHORT = 1000 };

static bool is_on_disk;
static char folder[256];
static store_t *store;
static uint8_t *requests[2];
static size_t n_failures;

typedef cuzk_status (*call)(cuzk_error *err);

static cuzk_status open_store(cuzk_error *err)
{
    return is_on_disk ? store_sqlite_open(&store, folder, 0, err)
                      : store_memory_open(&store, 0, err);
}

static cuzk_status add_short(cuzk_error *err)
{
    const store_job_t job = test_job(0);

    return store->ops->add(store, &job, requests[0], SHORT, err);
}

static cuzk_status add_long(cuzk_error *err)
{
    const store_job_t job = test_job(1);

    return store->ops->add(store, &job, requests[1], LONG, err);
}

static cuzk_status start(cuzk_error *err)
{
    return store->ops->start(store, test_job(0).id, err);
}

static cuzk_status read_request(unsigned n, size_t length, cuzk_error *err)
{
    uint8_t *bytes;
    size_t got;

    const cuzk_status st = store->ops->request(&bytes, &got, store, test_job(n).id, err);
    if (st == CUZK_OK) assert_memory_equal(bytes, requests[n], length);
    free(bytes);
    return st;
}

static cuzk_status read_short(cuzk_error *err)
{
    return read_request(0, SHORT, err);
}

static cuzk_status read_long(cuzk_error *err)
{
    return read_request(1, LONG, err);
}

static cuzk_status end_short(cuzk_error *err)
{
    return test_end(store, 0, STORE_COMPLETED, NULL, err);
}

static cuzk_status end_long(cuzk_error *err)
{
    return test_end(store, 1, STORE_FAILED, "vanilla", err);
}

static void count(void *arg, const store_job_t *job)
{
    *(size_t *)arg += job->state == STORE_COMPLETED ? job->proof_length : strlen(job->error);
}

static cuzk_status list(cuzk_error *err)
{
    size_t n = 0;

    const cuzk_status st = store->ops->list(store, count, &n, err);
    if (st == CUZK_OK) assert_int_equal(n, 192 + strlen("vanilla"));
    return st;
}

static cuzk_status expire(cuzk_error *err)
{
    return store->ops->expire(store, test_job(0).accepted_ms + 1001, err);
}

static cuzk_status drop(cuzk_error *err)
{
    return store->ops->drop(store, test_job(1).id, err);
}

static cuzk_status close_store(cuzk_error *err)
{
    (void)err;
    store->ops->close(store);
    return CUZK_OK;
}

static void run_all(void)
{
    static const call calls[] = {open_store, add_short, add_long, start, read_short,
                                 read_long,  end_short, end_long, list,  close_store,
                                 open_store, list,      expire,   drop,  close_store};
    cuzk_error err;

    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (!is_on_disk && i > 8) break;
        if (calls[i](&err) == CUZK_OK) continue;
        n_failures++;
        assert_int_equal(left[OURS] + left[OF_SQLITE], 0);
        if (err.status != CUZK_ERR_MEMORY) fail_msg("call %zu: %s", i, err.text);
        if (calls[i](&err) != CUZK_OK) fail_msg("call %zu again: %s", i, err.text);
    }
    if (!is_on_disk) store->ops->close(store);
}

/* Refuses the first allocation, then one that is `step` later, until there are no more. */
static void refuse_each(owner whose, long step)
{
    bool is_met = true;

    n_failures = 0;
    for (long k = 1; is_met; k += step) {
        temporary_t outer;

        assert_int_equal(test_make_folder(&outer), 0);
        (void)snprintf(folder, sizeof folder, "%s/store", outer.path);
        left[whose] = k;
        run_all();
        is_met = left[whose] == 0;
        left[whose] = 0;
        temporary_remove(&outer);
    }
}

static void refusals_are_survived(void **unused)
{
    (void)unused;
    refuse_each(OURS, 1);
    assert_in_range(n_failures, 5, 1000);
    if (!is_on_disk) return;
    refuse_each(OF_SQLITE, 11);
    assert_in_range(n_failures, 100, 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(refusals_are_survived)};
    sqlite3_mem_methods methods;

    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &of_sqlite) != SQLITE_OK) return 1;
    methods = of_sqlite;
    methods.xMalloc = sqlite_malloc;
    methods.xRealloc = sqlite_realloc;
    if (sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) != SQLITE_OK) return 1;
    requests[0] = test_request(0, SHORT);
    requests[1] = test_request(1, LONG);
    const int in_memory = cmocka_run_group_tests_name("memory", tests, NULL, NULL);
    is_on_disk = true;
    const int on_disk = cmocka_run_group_tests_name("disk", tests, NULL, NULL);
    free(requests[0]);
    free(requests[1]);
    return in_memory + on_disk;
}
