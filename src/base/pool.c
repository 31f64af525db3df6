/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/cpu.h"
#include "base/memory.h"

enum { MAX_THREADS = 1024, STACK_BYTES = 1 << 20, RANGES_A_THREAD = 4 };

/* One pool_run() call; lives on its caller's stack. All fields but the constant ones are guarded
 * by the pool's mutex. */
typedef struct job {
    struct job *next;
    pool_task task;
    void *arg;
    size_t n_tasks;
    size_t claimed; /* tasks given out */
    size_t done;
    pthread_cond_t finished;
} job_t;

struct pool {
    pthread_mutex_t mutex;
    pthread_cond_t work; /* a job with unclaimed tasks, or stopping */
    job_t *jobs;         /* jobs that have unclaimed tasks, newest first */
    bool stopping;
    uint32_t n_threads;
    uint32_t n_started;
    pthread_t *threads;
};

/* Whose task this thread runs, and as which worker: 0 for every caller from outside the pool. */
static _Thread_local const pool_t *pool_of_thread;
static _Thread_local uint32_t worker_of_thread;

static void unlink_job(pool_t *pool, const job_t *job)
{
    job_t **at = &pool->jobs;

    while (*at != job) at = &(*at)->next;
    *at = job->next;
}

/* Claims and runs one task of job; the mutex is held on entry and return, not during the task. */
static void run_one(pool_t *pool, job_t *job)
{
    const size_t index = job->claimed++;

    if (job->claimed == job->n_tasks) unlink_job(pool, job);
    (void)pthread_mutex_unlock(&pool->mutex);
    job->task(job->arg, index, worker_of_thread);
    (void)pthread_mutex_lock(&pool->mutex);
    if (++job->done == job->n_tasks) (void)pthread_cond_signal(&job->finished);
}

typedef struct {
    pool_t *pool;
    uint32_t worker;
} thread_start_t;

static void *thread_main(void *arg)
{
    const thread_start_t start = *(thread_start_t *)arg;
    pool_t *pool = start.pool;

    free(arg);
    pool_of_thread = pool;
    worker_of_thread = start.worker;
    (void)pthread_mutex_lock(&pool->mutex);
    for (;;) {
        if (pool->jobs != NULL)
            run_one(pool, pool->jobs);
        else if (pool->stopping)
            break;
        else
            (void)pthread_cond_wait(&pool->work, &pool->mutex);
    }
    (void)pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

static bool start_thread(pool_t *pool, uint32_t worker)
{
    thread_start_t *start = small_alloc(1, sizeof *start);
    pthread_attr_t attributes;

    *start = (thread_start_t){.pool = pool, .worker = worker};
    (void)pthread_attr_init(&attributes);
    (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
    const int rc = pthread_create(&pool->threads[worker], &attributes, thread_main, start);
    (void)pthread_attr_destroy(&attributes);
    if (rc != 0) free(start);
    return rc == 0;
}

cuzk_status pool_open(pool_t **out, uint32_t n_threads, cuzk_error *err)
{
    *out = NULL;
    if (n_threads == 0) n_threads = cpu_count_allowed();
    if (n_threads > MAX_THREADS)
        return error_set(err, CUZK_ERR_ARG, "threads: %u is over the limit of %d", n_threads,
                         MAX_THREADS);
    pool_t *pool = small_alloc(1, sizeof *pool);
    pool->n_threads = n_threads;
    pool->threads = small_alloc(n_threads, sizeof *pool->threads);
    (void)pthread_mutex_init(&pool->mutex, NULL);
    (void)pthread_cond_init(&pool->work, NULL);
    for (pool->n_started = 1; pool->n_started < n_threads; pool->n_started++) {
        if (!start_thread(pool, pool->n_started)) {
            const uint32_t n = pool->n_started;

            pool_close(pool);
            return error_set(err, CUZK_ERR_MEMORY, "threads: only %u of %u could be started", n,
                             n_threads);
        }
    }
    *out = pool;
    return CUZK_OK;
}

void pool_close(pool_t *pool)
{
    if (pool == NULL) return;
    (void)pthread_mutex_lock(&pool->mutex);
    pool->stopping = true;
    (void)pthread_cond_broadcast(&pool->work);
    (void)pthread_mutex_unlock(&pool->mutex);
    for (uint32_t i = 1; i < pool->n_started; i++) (void)pthread_join(pool->threads[i], NULL);
    (void)pthread_cond_destroy(&pool->work);
    (void)pthread_mutex_destroy(&pool->mutex);
    free(pool->threads);
    free(pool);
}

uint32_t pool_size(const pool_t *pool)
{
    return pool == NULL ? 1 : pool->n_threads;
}

static void run_serially(size_t n_tasks, pool_task task, void *arg)
{
    for (size_t i = 0; i < n_tasks; i++) task(arg, i, worker_of_thread);
}

static void run_shared(pool_t *pool, size_t n_tasks, pool_task task, void *arg)
{
    job_t job = {.task = task, .arg = arg, .n_tasks = n_tasks};

    (void)pthread_cond_init(&job.finished, NULL);
    (void)pthread_mutex_lock(&pool->mutex);
    job.next = pool->jobs;
    pool->jobs = &job;
    (void)pthread_cond_broadcast(&pool->work);
    while (job.claimed < n_tasks) run_one(pool, &job);
    while (job.done < n_tasks) (void)pthread_cond_wait(&job.finished, &pool->mutex);
    (void)pthread_mutex_unlock(&pool->mutex);
    (void)pthread_cond_destroy(&job.finished);
}

void pool_run(pool_t *pool, size_t n_tasks, pool_task task, void *arg)
{
    const pool_t *outer = pool_of_thread;
    const uint32_t outer_worker = worker_of_thread;

    if (pool != outer) {
        pool_of_thread = pool;
        worker_of_thread = 0;
    }
    if (pool == NULL || pool->n_threads == 1 || n_tasks <= 1)
        run_serially(n_tasks, task, arg);
    else
        run_shared(pool, n_tasks, task, arg);
    pool_of_thread = outer;
    worker_of_thread = outer_worker;
}

typedef struct {
    pool_range body;
    void *arg;
    size_t n, step;
} ranges_t;

static void run_range(void *arg, size_t index, uint32_t worker)
{
    const ranges_t *r = arg;
    const size_t first = index * r->step;
    const size_t end = r->n - first < r->step ? r->n : first + r->step;

    r->body(r->arg, first, end, worker);
}

void pool_for(pool_t *pool, size_t n, size_t grain, pool_range body, void *arg)
{
    const size_t most = (size_t)pool_size(pool) * (pool_size(pool) > 1 ? RANGES_A_THREAD : 1);
    size_t step = (n + most - 1) / most;

    if (n == 0) return;
    if (grain == 0) grain = 1;
    step = (step + grain - 1) / grain * grain;
    ranges_t ranges = {.body = body, .arg = arg, .n = n, .step = step};
    pool_run(pool, (n + step - 1) / step, run_range, &ranges);
}

typedef struct {
    pool_test test;
    void *arg;
    atomic_size_t lowest;
} search_t;

static void search_one(void *arg, size_t index, uint32_t worker)
{
    search_t *search = arg;
    size_t lowest = atomic_load(&search->lowest);

    (void)worker;
    if (index > lowest || !search->test(search->arg, index)) return;
    while (index < lowest && !atomic_compare_exchange_weak(&search->lowest, &lowest, index)) {}
}

size_t pool_find(pool_t *pool, size_t n, pool_test test, void *arg)
{
    search_t search = {.test = test, .arg = arg, .lowest = n};

    pool_run(pool, n, search_one, &search);
    return atomic_load(&search.lowest);
}
