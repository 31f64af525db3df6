/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/executor.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/strand_trace.h"
#include "base/verify.h"

enum {
    WOKEN_AT_ONCE = 2,
    STACK_BYTES = 1 << 20,
    LOOK_NS = 5000000 /* between looks at a token while waiting */
};

/* One loop; lives on the stack of its strand's thread. */
typedef struct group {
    struct group *next; /* in the list of open groups */
    strand_t *strand;
    strand_task task;
    void *arg;
    size_t n_tasks;
    atomic_size_t claimed; /* tasks given out; may run past n_tasks */
    uint32_t n_inside;     /* threads that claim or run; guarded */
    uint32_t *task_ns;     /* for a trace, or NULL */
} group_t;

/* A thread of the executor's own. */
typedef struct worker {
    executor_t *executor;
    pthread_t thread;
    pthread_cond_t wake;
    struct worker *next_idle;
    uint32_t permit; /* STRAND_NO_PERMIT while it is idle; guarded */
} executor_worker_t;

struct executor {
    pthread_mutex_t mutex; /* guards all that is not constant or atomic */
    uint32_t n_threads;
    executor_worker_t *workers;
    uint32_t n_started;
    bool is_stopping;
    executor_worker_t *idle;
    uint32_t n_promised; /* workers that were woken with a permit and have not come yet */
    uint32_t *permits;   /* n_free of them are free */
    uint32_t n_free;
    group_t *groups;   /* open, by rank; those of a rank in their order */
    strand_t *waiters; /* for a permit, by rank */
    atomic_uint epoch; /* moves when groups or waiters gain one */
    uint64_t next_age;
    trace_t *trace;
};

bool work_rank_before(const work_rank_t *a, const work_rank_t *b)
{
    if (a->priority != b->priority) return a->priority > b->priority;
    if (a->deadline_ns != b->deadline_ns) return a->deadline_ns < b->deadline_ns;
    return a->age < b->age;
}

static bool is_before(const strand_t *a, const strand_t *b)
{
    return work_rank_before(&a->rank, &b->rank);
}

/* ---- groups and permits; the mutex is held ----------------------------------------------------
 */

static bool is_open(const group_t *group)
{
    return atomic_load_explicit(&group->claimed, memory_order_relaxed) < group->n_tasks &&
           !cancel_is_set(group->strand->cancel);
}

static void link_group(executor_t *ex, group_t *group)
{
    group_t **at = &ex->groups;

    while (*at != NULL && !is_before(group->strand, (*at)->strand)) at = &(*at)->next;
    group->next = *at;
    *at = group;
    atomic_fetch_add(&ex->epoch, 1);
}

/* Harmless when it is not linked any more. */
static void unlink_group(executor_t *ex, const group_t *group)
{
    for (group_t **at = &ex->groups; *at != NULL; at = &(*at)->next) {
        if (*at != group) continue;
        *at = group->next;
        return;
    }
}

/* The first group that has tasks to give; those that have none are unlinked. */
static group_t *first_open(executor_t *ex)
{
    while (ex->groups != NULL && !is_open(ex->groups)) ex->groups = ex->groups->next;
    return ex->groups;
}

static size_t count_unclaimed(const executor_t *ex, size_t limit)
{
    size_t n = 0;

    for (const group_t *group = ex->groups; group != NULL && n < limit; group = group->next)
        if (is_open(group)) n += group->n_tasks - atomic_load(&group->claimed);
    return n;
}

static void link_waiter(executor_t *ex, strand_t *strand)
{
    strand_t **at = &ex->waiters;

    while (*at != NULL && !is_before(strand, *at)) at = &(*at)->next_waiter;
    strand->next_waiter = *at;
    *at = strand;
    atomic_fetch_add(&ex->epoch, 1);
}

static void unlink_waiter(executor_t *ex, const strand_t *strand)
{
    strand_t **at = &ex->waiters;

    while (*at != strand) at = &(*at)->next_waiter;
    *at = strand->next_waiter;
}

static void wake_worker(executor_t *ex)
{
    executor_worker_t *worker = ex->idle;

    ex->idle = worker->next_idle;
    ex->n_promised++;
    worker->permit = ex->permits[--ex->n_free];
    (void)pthread_cond_signal(&worker->wake);
}

static void wake_strand(executor_t *ex)
{
    strand_t *strand = ex->waiters;

    ex->waiters = strand->next_waiter;
    strand->permit = ex->permits[--ex->n_free];
    (void)pthread_cond_signal(&strand->wake);
}

/* Gives free permits to whom they are due. A strand goes before tasks of its rank: it is what they
 * wait for. Few workers are woken at once: each wakes the next ones when it comes, so that the work
 * of waking is spread, and none is woken for tasks that are gone by then. */
static void dispatch(executor_t *ex)
{
    uint32_t n_woken = 0;

    while (ex->n_free > 0) {
        const group_t *group = first_open(ex);
        const bool needs_worker = group != NULL && ex->idle != NULL &&
                                  count_unclaimed(ex, ex->n_promised + 1) > ex->n_promised;

        if (needs_worker && (ex->waiters == NULL || is_before(group->strand, ex->waiters))) {
            if (n_woken++ == WOKEN_AT_ONCE) return;
            wake_worker(ex);
        } else if (ex->waiters != NULL)
            wake_strand(ex);
        else
            return;
    }
}

static void put_permit(executor_t *ex, uint32_t permit)
{
    ex->permits[ex->n_free++] = permit;
    dispatch(ex);
}

static void time_task(const group_t *group, size_t index, uint32_t permit)
{
    const uint64_t since = clock_thread_cpu_ns();

    group->task(group->arg, index, permit);
    group->task_ns[index] = (uint32_t)(clock_thread_cpu_ns() - since);
}

/* Takes tasks of a group until there are none, or something new has come. */
static void work_on(executor_t *ex, group_t *group, uint32_t permit)
{
    const unsigned epoch = atomic_load(&ex->epoch);

    group->n_inside++;
    (void)pthread_mutex_unlock(&ex->mutex);
    while (!cancel_is_set(group->strand->cancel)) {
        const size_t index = atomic_fetch_add(&group->claimed, 1);

        if (index >= group->n_tasks) break;
        if (group->task_ns == NULL)
            group->task(group->arg, index, permit);
        else
            time_task(group, index, permit);
        if (atomic_load_explicit(&ex->epoch, memory_order_relaxed) != epoch) break;
    }
    if (group->strand->is_secret) mem_wipe_stack();
    (void)pthread_mutex_lock(&ex->mutex);
    if (--group->n_inside == 0 && !is_open(group)) (void)pthread_cond_signal(&group->strand->wake);
}

/* ---- workers -------------------------------------------------------------------------------- */

static void work(executor_t *ex, uint32_t permit)
{
    for (group_t *group; (group = first_open(ex)) != NULL;) {
        if (ex->waiters != NULL && !is_before(group->strand, ex->waiters)) return;
        work_on(ex, group, permit);
    }
}

static void *worker_main(void *arg)
{
    executor_worker_t *self = arg;
    executor_t *ex = self->executor;

    (void)pthread_mutex_lock(&ex->mutex);
    while (!ex->is_stopping) {
        self->permit = STRAND_NO_PERMIT;
        self->next_idle = ex->idle;
        ex->idle = self;
        dispatch(ex);
        while (self->permit == STRAND_NO_PERMIT && !ex->is_stopping)
            (void)pthread_cond_wait(&self->wake, &ex->mutex);
        if (self->permit == STRAND_NO_PERMIT) break;
        ex->n_promised--;
        dispatch(ex);
        work(ex, self->permit);
        ex->permits[ex->n_free++] = self->permit;
    }
    (void)pthread_mutex_unlock(&ex->mutex);
    return NULL;
}

static bool start_worker(executor_t *ex, executor_worker_t *worker)
{
    pthread_attr_t attributes;

    worker->executor = ex;
    if (pthread_cond_init(&worker->wake, NULL) != 0) return false;
    (void)pthread_attr_init(&attributes);
    (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
    const int rc = pthread_create(&worker->thread, &attributes, worker_main, worker);
    (void)pthread_attr_destroy(&attributes);
    if (rc != 0) (void)pthread_cond_destroy(&worker->wake);
    return rc == 0;
}

static cuzk_status start_workers(executor_t *ex, cuzk_error *err)
{
    for (uint32_t i = 0; i < ex->n_threads; i++) ex->permits[i] = ex->n_threads - 1 - i;
    ex->n_free = ex->n_threads;
    for (; ex->n_started < ex->n_threads; ex->n_started++)
        if (!start_worker(ex, &ex->workers[ex->n_started]))
            return error_set(err, CUZK_ERR_MEMORY, "threads: only %u of %u could be started",
                             ex->n_started, ex->n_threads);
    return CUZK_OK;
}

cuzk_status executor_open(executor_t **out, uint32_t n_threads, cuzk_error *err)
{
    *out = NULL;
    if (n_threads == 0) n_threads = cpu_count_allowed();
    if (n_threads > EXECUTOR_MAX_THREADS)
        return error_set(err, CUZK_ERR_ARG, "threads: %u is over the limit of %d", n_threads,
                         EXECUTOR_MAX_THREADS);
    executor_t *ex = mem_alloc(1, sizeof *ex, "executor", err);
    if (ex == NULL) return err->status;
    (void)pthread_mutex_init(&ex->mutex, NULL);
    ex->n_threads = n_threads;
    ex->workers = mem_alloc(n_threads, sizeof *ex->workers, "executor", err);
    ex->permits =
        ex->workers == NULL ? NULL : mem_alloc(n_threads, sizeof *ex->permits, "executor", err);
    const cuzk_status st = ex->permits == NULL ? err->status : start_workers(ex, err);
    if (st != CUZK_OK)
        executor_close(ex);
    else
        *out = ex;
    return st;
}

void executor_close(executor_t *ex)
{
    if (ex == NULL) return;
    (void)pthread_mutex_lock(&ex->mutex);
    VERIFY(ex->groups == NULL && ex->waiters == NULL);
    ex->is_stopping = true;
    for (uint32_t i = 0; i < ex->n_started; i++) (void)pthread_cond_signal(&ex->workers[i].wake);
    (void)pthread_mutex_unlock(&ex->mutex);
    for (uint32_t i = 0; i < ex->n_started; i++) {
        (void)pthread_join(ex->workers[i].thread, NULL);
        (void)pthread_cond_destroy(&ex->workers[i].wake);
    }
    (void)pthread_mutex_destroy(&ex->mutex);
    free(ex->workers);
    free(ex->permits);
    free(ex);
}

uint32_t executor_size(const executor_t *ex)
{
    return ex->n_threads;
}

void executor_set_trace(executor_t *ex, trace_t *trace)
{
    ex->trace = trace;
}

trace_t *executor_trace(const executor_t *ex)
{
    return ex->trace;
}

/* ---- strands -------------------------------------------------------------------------------- */

/* Waits on the strand's condition, for a while at most where a token may be set meanwhile. */
static void wait_strand(executor_t *ex, strand_t *strand)
{
    struct timespec until;

    if (strand->cancel == NULL) {
        (void)pthread_cond_wait(&strand->wake, &ex->mutex);
        return;
    }
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += LOOK_NS;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    (void)pthread_cond_timedwait(&strand->wake, &ex->mutex, &until);
}

/* Takes a permit, in rank order; a strand that is to stop goes on without one. */
static void get_permit(executor_t *ex, strand_t *strand)
{
    link_waiter(ex, strand);
    dispatch(ex);
    while (strand->permit == STRAND_NO_PERMIT && !cancel_is_set(strand->cancel))
        wait_strand(ex, strand);
    if (strand->permit == STRAND_NO_PERMIT) unlink_waiter(ex, strand);
}

static void drop_permit(executor_t *ex, strand_t *strand)
{
    const uint32_t permit = strand->permit;

    strand->permit = STRAND_NO_PERMIT;
    if (permit != STRAND_NO_PERMIT) put_permit(ex, permit);
}

/* Whether work waits that goes before the strand's. */
static bool is_outranked(executor_t *ex, const strand_t *strand)
{
    const group_t *group = first_open(ex);

    return (group != NULL && is_before(group->strand, strand)) ||
           (ex->waiters != NULL && is_before(ex->waiters, strand));
}

void strand_begin(strand_t *strand, executor_t *ex, const work_rank_t *rank, const cancel_t *cancel)
{
    pthread_condattr_t attributes;

    *strand = (strand_t){
        .executor = ex, .cancel = cancel, .thread = pthread_self(), .permit = STRAND_NO_PERMIT};
    strand->rank = rank != NULL ? *rank : (work_rank_t){.deadline_ns = UINT64_MAX};
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&strand->wake, &attributes);
    (void)pthread_condattr_destroy(&attributes);
    (void)pthread_mutex_lock(&ex->mutex);
    if (rank == NULL) strand->rank.age = ex->next_age++;
    get_permit(ex, strand);
    (void)pthread_mutex_unlock(&ex->mutex);
    strand_trace_begin(strand, ex->trace);
}

void strand_end(strand_t *strand)
{
    strand_trace_end(strand, strand->executor->trace);
    strand_leave(strand);
    (void)pthread_cond_destroy(&strand->wake);
}

void strand_watch(strand_t *strand, const cancel_t *cancel)
{
    strand->cancel = cancel;
}

void strand_leave(strand_t *strand)
{
    executor_t *ex = strand->executor;

    (void)pthread_mutex_lock(&ex->mutex);
    drop_permit(ex, strand);
    (void)pthread_mutex_unlock(&ex->mutex);
}

void strand_enter(strand_t *strand)
{
    executor_t *ex = strand->executor;

    (void)pthread_mutex_lock(&ex->mutex);
    get_permit(ex, strand);
    (void)pthread_mutex_unlock(&ex->mutex);
}

cuzk_status strand_open(strand_t **out, uint32_t n_threads, cuzk_error *err)
{
    executor_t *ex;

    *out = NULL;
    strand_t *strand = mem_alloc(1, sizeof *strand, "executor", err);
    if (strand == NULL) return err->status;
    const cuzk_status st = executor_open(&ex, n_threads, err);
    if (st != CUZK_OK) {
        free(strand);
        return st;
    }
    strand_begin(strand, ex, NULL, NULL);
    strand->owns_executor = true;
    *out = strand;
    return CUZK_OK;
}

void strand_close(strand_t *strand)
{
    if (strand == NULL) return;
    VERIFY(strand->owns_executor);
    strand_end(strand);
    executor_close(strand->executor);
    free(strand);
}

uint32_t strand_size(const strand_t *strand)
{
    return strand == NULL ? 1 : strand->executor->n_threads;
}

cuzk_status strand_status(const strand_t *strand, cuzk_error *err)
{
    return strand == NULL ? CUZK_OK : cancel_status(strand->cancel, err);
}

/* The mutex is held. The strand computes beside the workers while nothing goes before its work;
 * then it waits for those that are inside. */
static void run_group(executor_t *ex, strand_t *strand, group_t *group)
{
    link_group(ex, group);
    dispatch(ex);
    while (is_open(group) && strand->permit != STRAND_NO_PERMIT) {
        if (is_outranked(ex, strand)) break;
        work_on(ex, group, strand->permit);
    }
    if (is_open(group) || group->n_inside > 0) {
        drop_permit(ex, strand);
        while (is_open(group) || group->n_inside > 0) wait_strand(ex, strand);
    }
    unlink_group(ex, group);
    if (strand->permit == STRAND_NO_PERMIT) get_permit(ex, strand);
}

static void run_serially(size_t n_tasks, strand_task task, void *arg)
{
    for (size_t i = 0; i < n_tasks; i++) task(arg, i, 0);
}

cuzk_status strand_run(strand_t *strand, size_t n_tasks, strand_task task, void *arg,
                       cuzk_error *err)
{
    group_t group = {.strand = strand, .task = task, .arg = arg, .n_tasks = n_tasks};

    if (strand == NULL) {
        run_serially(n_tasks, task, arg);
        return CUZK_OK;
    }
    VERIFY(pthread_equal(strand->thread, pthread_self()) && !strand->is_looping);
    const cuzk_status st = cancel_status(strand->cancel, err);
    if (st != CUZK_OK || n_tasks == 0) return st;
    executor_t *ex = strand->executor;
    group.task_ns = strand_trace_loop(strand, ex->trace, n_tasks);
    strand->is_looping = true;
    (void)pthread_mutex_lock(&ex->mutex);
    run_group(ex, strand, &group);
    (void)pthread_mutex_unlock(&ex->mutex);
    strand->is_looping = false;
    if (ex->trace != NULL) strand->lap_ns = clock_thread_cpu_ns();
    return atomic_load(&group.claimed) >= n_tasks ? CUZK_OK : cancel_status(strand->cancel, err);
}
