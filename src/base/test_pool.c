/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdatomic.h>
#include <cmocka.h>

#include "base/pool.h"

enum { TASKS = 1000 };

typedef struct {
    pool_t *pool;
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
        assert_int_equal(pool_open(&s.pool, threads, &err), CUZK_OK);
        assert_int_equal(pool_size(s.pool), threads);
        pool_run(s.pool, TASKS, count_task, &s);
        for (size_t i = 0; i < TASKS; i++) assert_int_equal(s.count[i], 1);
        assert_int_equal(s.clashes, 0);
        pool_run(s.pool, 0, count_task, &s);
        pool_close(s.pool);
    }
}

static void nest_task(void *arg, size_t index, uint32_t worker)
{
    state_t *s = arg;
    static state_t inner[16];

    (void)worker;
    inner[index] = (state_t){0};
    pool_run(s->pool, TASKS, count_task, &inner[index]);
    for (size_t i = 0; i < TASKS; i++) atomic_fetch_add(&s->count[i], inner[index].count[i]);
}

static void tasks_may_run_tasks(void **unused)
{
    static state_t s;
    cuzk_error err;

    (void)unused;
    s = (state_t){0};
    assert_int_equal(pool_open(&s.pool, 4, &err), CUZK_OK);
    pool_run(s.pool, 16, nest_task, &s);
    for (size_t i = 0; i < TASKS; i++) assert_int_equal(s.count[i], 16);
    pool_close(s.pool);
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
            for (size_t grain = 0; grain <= 16; grain += 8) {
                static state_t s;

                s = (state_t){0};
                assert_int_equal(pool_open(&s.pool, threads, &err), CUZK_OK);
                pool_for(s.pool, sizes[k], grain, count_range, &s);
                for (size_t i = 0; i < TASKS; i++)
                    assert_int_equal(s.count[i], i < sizes[k] ? 1 : 0);
                pool_close(s.pool);
            }
}

static void check_worker_of_none(void *arg, size_t index, uint32_t worker)
{
    (void)index;
    if (worker != 0) atomic_fetch_add(&((state_t *)arg)->clashes, 1);
}

static void nest_without_pool(void *arg, size_t index, uint32_t worker)
{
    (void)index;
    (void)worker;
    pool_run(NULL, 2, check_worker_of_none, arg);
    pool_for(NULL, 1, 1, count_range, arg);
}

static void a_pool_s_workers_are_its_own(void **unused)
{
    static state_t s;
    cuzk_error err;

    (void)unused;
    s = (state_t){0};
    assert_int_equal(pool_open(&s.pool, 4, &err), CUZK_OK);
    pool_run(s.pool, TASKS, nest_without_pool, &s);
    assert_int_equal(s.clashes, 0);
    assert_int_equal(s.count[0], TASKS);
    pool_close(s.pool);
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
        pool_t *pool;

        assert_int_equal(pool_open(&pool, threads, &err), CUZK_OK);
        for (size_t from = 0; from <= 50; from++) {
            const size_t want = (from + 2) / 3 * 3;
            size_t arg = from;
            assert_int_equal(pool_find(pool, 50, is_past, &arg), want < 50 ? want : 50);
        }
        pool_close(pool);
    }
}

static void too_many_threads_are_refused(void **unused)
{
    pool_t *pool;
    cuzk_error err;

    (void)unused;
    assert_int_equal(pool_open(&pool, 1025, &err), CUZK_ERR_ARG);
    assert_string_equal(err.text, "threads: 1025 is over the limit of 1024");
    assert_null(pool);
    assert_int_equal(pool_size(NULL), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_task_runs_once_and_workers_do_not_clash),
        cmocka_unit_test(tasks_may_run_tasks),
        cmocka_unit_test(a_pool_s_workers_are_its_own),
        cmocka_unit_test(ranges_cover_each_element_once),
        cmocka_unit_test(the_lowest_index_is_found),
        cmocka_unit_test(too_many_threads_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
