/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BASE_POOL_H
#define CUZK_BASE_POOL_H

/* A fixed set of threads that run numbered tasks. The caller of pool_run() works too, so a call
 * from inside a task is fine and a pool of one thread is plain serial code. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct pool pool_t;

/** One task: index is 0 .. n_tasks-1; worker is 0 .. pool_size()-1 and no two tasks of the same
 *  pool_run() call run at once with the same worker, so it may select scratch memory. */
typedef void (*pool_task)(void *arg, size_t index, uint32_t worker);

/** Starts n_threads - 1 threads (0: as many as CPUs this process may use). 1024 at most. */
cuzk_status pool_open(pool_t **pool, uint32_t n_threads, cuzk_error *err);

/** Ends the threads; no pool_run() may be under way. NULL is allowed. */
void pool_close(pool_t *pool);

/** Threads that can run tasks, the caller's included; 1 for NULL. */
uint32_t pool_size(const pool_t *pool);

/** Runs task(arg, i, worker) for all i < n_tasks, claimed in rising order, and returns when all
 *  are done. pool may be NULL: serial. Threads: concurrent calls share the workers. */
void pool_run(pool_t *pool, size_t n_tasks, pool_task task, void *arg);

/** Work on [first, end) of an array. */
typedef void (*pool_range)(void *arg, size_t first, size_t end, uint32_t worker);

/** Cuts [0, n) into ranges of at least `grain` elements (a multiple of it, but the last), a few a
 *  thread, and runs them all. */
void pool_for(pool_t *pool, size_t n, size_t grain, pool_range body, void *arg);

/** Whether something holds at an index. */
typedef bool (*pool_test)(void *arg, size_t index);

/** The lowest index < n at which test holds, n when there is none. It is always called for that
 *  index and those below it, not for all above it. */
size_t pool_find(pool_t *pool, size_t n, pool_test test, void *arg);

#endif
