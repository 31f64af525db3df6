/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* Loops made of strand_run(). */

#include <stdatomic.h>

#include "base/executor.h"

enum { RANGES_A_THREAD = 4 };

typedef struct {
    strand_range body;
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

cuzk_status strand_for(strand_t *strand, size_t n, strand_cut_t cut, strand_range body, void *arg,
                       cuzk_error *err)
{
    const size_t wanted = (size_t)strand_size(strand) * RANGES_A_THREAD;
    size_t step = (n + wanted - 1) / wanted;

    if (step > cut.most) step = cut.most;
    step = (step + cut.grain - 1) / cut.grain * cut.grain;
    ranges_t ranges = {.body = body, .arg = arg, .n = n, .step = step};
    return strand_run(strand, n == 0 ? 0 : (n + step - 1) / step, run_range, &ranges, err);
}

typedef struct {
    strand_try_task task;
    void *arg;
    atomic_int status; /* of the first task that failed */
    cuzk_error err;
} trial_t;

static void try_one(void *arg, size_t index, uint32_t worker)
{
    trial_t *trial = arg;
    int ok = CUZK_OK;
    cuzk_error err;

    if (atomic_load(&trial->status) != CUZK_OK) return;
    const cuzk_status st = trial->task(trial->arg, index, worker, &err);
    if (st != CUZK_OK && atomic_compare_exchange_strong(&trial->status, &ok, (int)st))
        trial->err = err;
}

cuzk_status strand_try(strand_t *strand, size_t n_tasks, strand_try_task task, void *arg,
                       cuzk_error *err)
{
    trial_t trial = {.task = task, .arg = arg};

    const cuzk_status st = strand_run(strand, n_tasks, try_one, &trial, err);
    if (st != CUZK_OK || atomic_load(&trial.status) == CUZK_OK) return st;
    *err = trial.err;
    return err->status;
}

typedef struct {
    strand_test test;
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

cuzk_status strand_find(size_t *found, strand_t *strand, size_t n, strand_test test, void *arg,
                        cuzk_error *err)
{
    search_t search = {.test = test, .arg = arg, .lowest = n};

    const cuzk_status st = strand_run(strand, n, search_one, &search, err);
    *found = atomic_load(&search.lowest);
    return st;
}
