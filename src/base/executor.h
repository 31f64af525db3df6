/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BASE_EXECUTOR_H
#define CUZK_BASE_EXECUTOR_H

/* Threads that run loops of numbered tasks for any number of jobs at once, the most urgent first.
 *
 * An executor of n threads has n permits, and whoever computes holds one: so at most n threads run,
 * however many jobs there are. A job's own thread computes as a strand: it holds a permit for its
 * serial work, and in a loop it takes tasks beside the executor's threads. Between two tasks a
 * thread looks whether more urgent work has come, and goes to that; a strand that meets it at the
 * start of a loop gives up its permit and waits. Tasks are meant to take a few milliseconds at
 * most: this bounds how long urgent work waits, and how long a cancelled job goes on. */

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/error.h"

enum { EXECUTOR_MAX_THREADS = 1024 };

typedef struct executor executor_t;

/** Starts n_threads threads (0: as many as CPUs this process may use). CUZK_ERR_ARG over
 *  EXECUTOR_MAX_THREADS; CUZK_ERR_MEMORY when a thread can't be started. */
cuzk_status executor_open(executor_t **executor, uint32_t n_threads, cuzk_error *err);

/** Ends the threads; there are no strands any more. NULL is allowed. */
void executor_close(executor_t *executor);

/** Its number of permits. */
uint32_t executor_size(const executor_t *executor);

/** What is taken first: the higher priority, then the earlier deadline, then the lower age. */
typedef struct {
    int32_t priority;
    uint64_t deadline_ns; /* as cancel_t has it; UINT64_MAX: none */
    uint64_t age;         /* a job's number in the order of their arrival */
} work_rank_t;

/** True when a is taken before b. */
bool work_rank_before(const work_rank_t *a, const work_rank_t *b);

/** A thread's part in an executor. Its own thread uses it; the fields are the executor's. */
typedef struct strand {
    executor_t *executor;
    work_rank_t rank;
    const cancel_t *cancel; /* may be NULL */
    pthread_t thread;       /* its own */
    bool is_looping;
    bool owns_executor;
    bool is_secret;  /* its own thread sets it: whoever runs its tasks wipes the stack they used */
    uint32_t permit; /* below executor_size(), or STRAND_NO_PERMIT; guarded by the executor */
    struct strand *next_waiter;
    pthread_cond_t wake;
    uint64_t lap_ns; /* for a trace: CPU time of the thread at the end of the last loop */
    uint32_t id;     /* in a trace */
} strand_t;

enum { STRAND_NO_PERMIT = UINT32_MAX };

/** Makes the calling thread a strand: waits for a permit. rank NULL: priority 0, no deadline.
 * cancel is borrowed and may be NULL. A strand whose token is set goes on without a permit, so that
 * it can clean up at once. */
void strand_begin(strand_t *strand, executor_t *executor, const work_rank_t *rank,
                  const cancel_t *cancel);
void strand_end(strand_t *strand);

/** From now on this token stops the strand; borrowed, may be NULL. Not within a loop. */
void strand_watch(strand_t *strand, const cancel_t *cancel);

/** Gives up the permit before the thread waits for anything else than a loop; takes one again. */
void strand_leave(strand_t *strand);
void strand_enter(strand_t *strand);

/** A strand with an executor of its own, for programs and tests that do one thing at a time. Errors
 *  as executor_open(). Close it with strand_close(); NULL is allowed there. */
cuzk_status strand_open(strand_t **strand, uint32_t n_threads, cuzk_error *err);
void strand_close(strand_t *strand);

/** Tasks that can run at once; 1 for NULL. */
uint32_t strand_size(const strand_t *strand);

/** CUZK_OK, or why the strand's work is to stop. NULL never is. */
cuzk_status strand_status(const strand_t *strand, cuzk_error *err);

/** One task: index is 0 .. n_tasks-1; worker is 0 .. strand_size()-1 and no two tasks of the same
 *  loop run at once with the same worker, so it may select scratch memory. A task runs no loops. */
typedef void (*strand_task)(void *arg, size_t index, uint32_t worker);

/** Runs task(arg, i, worker) for all i < n_tasks, claimed in rising order, and returns when all are
 *  done. strand may be NULL: all here, one by one. CUZK_CANCELLED or CUZK_ERR_DEADLINE when the
 *  strand's token was set: then not all have run, and none is running. */
cuzk_status strand_run(strand_t *strand, size_t n_tasks, strand_task task, void *arg,
                       cuzk_error *err);

/** A task that can fail. */
typedef cuzk_status (*strand_try_task)(void *arg, size_t index, uint32_t worker, cuzk_error *err);

/** As strand_run(), of tasks that can fail: none is begun after one has, and that one's error is
 * the loop's. */
cuzk_status strand_try(strand_t *strand, size_t n_tasks, strand_try_task task, void *arg,
                       cuzk_error *err);

/** Work on [first, end) of an array. */
typedef void (*strand_range)(void *arg, size_t first, size_t end, uint32_t worker);

/** How an array is cut: ranges have a multiple of `grain` elements (but the last), and `most` or
 *  less; most is about what takes a millisecond, grain what is not worth cutting. */
typedef struct {
    size_t grain;
    size_t most;
} strand_cut_t;

/** Cuts [0, n) into ranges and runs them all, as strand_run() does. */
cuzk_status strand_for(strand_t *strand, size_t n, strand_cut_t cut, strand_range body, void *arg,
                       cuzk_error *err);

/** Whether something holds at an index. */
typedef bool (*strand_test)(void *arg, size_t index);

/** *found = the lowest index < n at which test holds, n when there is none. It is always called for
 *  that index and those below it, not for all above it. Returns as strand_run(). */
cuzk_status strand_find(size_t *found, strand_t *strand, size_t n, strand_test test, void *arg,
                        cuzk_error *err);

#endif
