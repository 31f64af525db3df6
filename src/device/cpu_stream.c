/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdlib.h>

#include "base/memory.h"
#include "base/strand_trace.h"
#include "device/cpu_device.h"

/* What a stream is told by whom: its own thread takes operations from the queue and counts them as
 * done; the strand's thread gives them, closes, and reads the outcome; threads of other streams
 * wait for a number of operations to be done. All that is guarded. */
typedef struct {
    stream_t base;
    strand_t *parent; /* whose thread gives the operations; may be NULL */
    bool on_parent;   /* operations run while they are given */
    pthread_t thread;
    strand_t own;         /* the thread's */
    executor_t *executor; /* the thread's */
    work_rank_t rank;     /* the thread's */
    bool has_rank;
    const cancel_t *cancel;

    pthread_mutex_t mutex;
    pthread_cond_t given;   /* to the thread: an operation, or the end */
    pthread_cond_t moved;   /* to the others: an operation is done, or the thread has begun */
    cpu_op_t *first, **end; /* the queue */
    uint64_t n_given, n_done;
    bool has_begun;
    bool is_closing;
    cuzk_status status; /* of the first failure */
    cuzk_error err;
} cpu_stream_t;

static cpu_stream_t *cpu_stream(stream_t *stream)
{
    return (cpu_stream_t *)stream;
}

/* Keeps the first failure. */
static void fail(cpu_stream_t *s, cuzk_status status, const cuzk_error *err)
{
    (void)pthread_mutex_lock(&s->mutex);
    if (s->status == CUZK_OK) {
        s->status = status;
        s->err = *err;
    }
    (void)pthread_mutex_unlock(&s->mutex);
}

static cuzk_status read_status(cpu_stream_t *s, cuzk_error *err)
{
    (void)pthread_mutex_lock(&s->mutex);
    const cuzk_status st = s->status;
    if (st != CUZK_OK) *err = s->err;
    (void)pthread_mutex_unlock(&s->mutex);
    return st;
}

static void run_op(cpu_stream_t *s, const cpu_op_t *op, strand_t *strand)
{
    cuzk_error err;
    cuzk_status st = read_status(s, &err);

    if (st == CUZK_OK) st = strand_status(strand, &err);
    if (st == CUZK_OK || op->always) {
        cuzk_error op_err;
        const cuzk_status op_st = op->run(op, strand, &op_err);

        if (st == CUZK_OK) {
            st = op_st;
            err = op_err;
        }
    }
    if (st != CUZK_OK) fail(s, st, &err);
}

/* --- the thread ------------------------------------------------------------------------------- */

static void enter(cpu_stream_t *s)
{
    if (s->has_begun) {
        strand_enter(&s->own);
        return;
    }
    strand_begin(&s->own, s->executor, s->has_rank ? &s->rank : NULL, s->cancel);
    (void)pthread_mutex_lock(&s->mutex);
    s->has_begun = true;
    (void)pthread_cond_broadcast(&s->moved);
    (void)pthread_mutex_unlock(&s->mutex);
}

/* The next operation, or NULL at the end; *has_permit tells whether the strand has one, and it is
 * given up before the thread waits. */
static cpu_op_t *next_op(cpu_stream_t *s, bool *has_permit)
{
    (void)pthread_mutex_lock(&s->mutex);
    while (s->first == NULL && !s->is_closing) {
        if (*has_permit) {
            (void)pthread_mutex_unlock(&s->mutex);
            strand_leave(&s->own);
            *has_permit = false;
            (void)pthread_mutex_lock(&s->mutex);
        } else {
            (void)pthread_cond_wait(&s->given, &s->mutex);
        }
    }
    cpu_op_t *op = s->first;
    if (op != NULL) {
        s->first = op->next;
        if (s->first == NULL) s->end = &s->first;
    }
    (void)pthread_mutex_unlock(&s->mutex);
    return op;
}

static void *stream_main(void *arg)
{
    cpu_stream_t *s = arg;
    const bool is_traced = executor_trace(s->executor) != NULL;
    bool has_permit = false;

    if (is_traced) { /* the one that opens the stream waits for the strand's number */
        enter(s);
        has_permit = true;
    }
    for (cpu_op_t *op; (op = next_op(s, &has_permit)) != NULL;) {
        if (!has_permit) enter(s);
        has_permit = true;
        run_op(s, op, &s->own);
        free(op);
        (void)pthread_mutex_lock(&s->mutex);
        s->n_done++;
        (void)pthread_cond_broadcast(&s->moved);
        (void)pthread_mutex_unlock(&s->mutex);
    }
    if (s->has_begun) strand_end(&s->own);
    return NULL;
}

/* --- opening and closing ---------------------------------------------------------------------- */

static void leave_parent(const cpu_stream_t *s)
{
    if (s->parent != NULL) strand_leave(s->parent);
}

static void enter_parent(const cpu_stream_t *s)
{
    if (s->parent != NULL) strand_enter(s->parent);
}

/* In a trace the stream's work comes after what its strand has done so far. */
static void trace_fork(cpu_stream_t *s)
{
    trace_t *trace = executor_trace(s->executor);

    if (trace == NULL) return;
    leave_parent(s);
    (void)pthread_mutex_lock(&s->mutex);
    while (!s->has_begun) (void)pthread_cond_wait(&s->moved, &s->mutex);
    (void)pthread_mutex_unlock(&s->mutex);
    enter_parent(s);
    if (s->parent != NULL) strand_trace_fork(s->parent, &s->own, trace);
}

static void trace_join(strand_t *strand, const cpu_stream_t *other)
{
    trace_t *trace = strand == NULL ? NULL : executor_trace(strand->executor);

    if (trace != NULL && !other->on_parent) strand_trace_join(strand, other->own.id, trace);
}

static void destroy(cpu_stream_t *s)
{
    (void)pthread_cond_destroy(&s->given);
    (void)pthread_cond_destroy(&s->moved);
    (void)pthread_mutex_destroy(&s->mutex);
    free(s);
}

static cuzk_status start_thread(cpu_stream_t *s, cuzk_error *err)
{
    if (s->executor == NULL)
        return error_set(err, CUZK_ERR_ARG, "stream: neither a strand nor an executor");
    if (pthread_create(&s->thread, NULL, stream_main, s) != 0)
        return error_set(err, CUZK_ERR_MEMORY, "stream: a thread could not be started");
    trace_fork(s);
    return CUZK_OK;
}

cuzk_status cpu_stream_open(stream_t **stream, device_t *device, strand_t *strand, bool on_strand,
                            cuzk_error *err)
{
    cpu_stream_t *s = mem_alloc(1, sizeof *s, "stream", err);

    if (s == NULL) return err->status;
    s->base.device = device;
    s->parent = strand;
    s->on_parent = on_strand;
    s->executor = strand != NULL ? strand->executor : cpu_device(device)->options.executor;
    if (strand != NULL) {
        s->rank = strand->rank;
        s->has_rank = true;
        s->cancel = strand->cancel;
    }
    (void)pthread_mutex_init(&s->mutex, NULL);
    (void)pthread_cond_init(&s->given, NULL);
    (void)pthread_cond_init(&s->moved, NULL);
    s->end = &s->first;
    const cuzk_status st = on_strand ? CUZK_OK : start_thread(s, err);
    if (st != CUZK_OK)
        destroy(s);
    else
        *stream = &s->base;
    return st;
}

void cpu_drop(stream_t *stream)
{
    cuzk_error err;

    fail(cpu_stream(stream), error_set(&err, CUZK_CANCELLED, "stream: dropped"), &err);
}

void cpu_stream_close(stream_t *stream)
{
    cpu_stream_t *s = cpu_stream(stream);

    if (!s->on_parent) {
        cpu_drop(stream);
        (void)pthread_mutex_lock(&s->mutex);
        s->is_closing = true;
        (void)pthread_cond_signal(&s->given);
        (void)pthread_mutex_unlock(&s->mutex);
        leave_parent(s);
        (void)pthread_join(s->thread, NULL);
        enter_parent(s);
    }
    destroy(s);
}

/* --- giving and waiting ----------------------------------------------------------------------- */

cuzk_status cpu_stream_give(stream_t *stream, const cpu_op_t *op, cuzk_error *err)
{
    cpu_stream_t *s = cpu_stream(stream);

    if (s->on_parent) {
        run_op(s, op, s->parent);
        (void)pthread_mutex_lock(&s->mutex);
        s->n_given = ++s->n_done;
        (void)pthread_mutex_unlock(&s->mutex);
        return CUZK_OK;
    }
    cpu_op_t *copy = mem_alloc(1, sizeof *copy, "operation", err);
    if (copy == NULL) return err->status;
    *copy = *op;
    copy->next = NULL;
    (void)pthread_mutex_lock(&s->mutex);
    *s->end = copy;
    s->end = &copy->next;
    s->n_given++;
    (void)pthread_cond_signal(&s->given);
    (void)pthread_mutex_unlock(&s->mutex);
    return CUZK_OK;
}

/* Until the stream has done so many operations; strand, which may be NULL, gives up its permit. */
static void wait_for(cpu_stream_t *s, uint64_t ticket, strand_t *strand)
{
    (void)pthread_mutex_lock(&s->mutex);
    const bool is_done = s->n_done >= ticket;
    (void)pthread_mutex_unlock(&s->mutex);
    if (is_done) return;
    if (strand != NULL) strand_leave(strand);
    (void)pthread_mutex_lock(&s->mutex);
    while (s->n_done < ticket) (void)pthread_cond_wait(&s->moved, &s->mutex);
    (void)pthread_mutex_unlock(&s->mutex);
    if (strand != NULL) strand_enter(strand);
}

static cuzk_status run_wait(const cpu_op_t *op, strand_t *strand, cuzk_error *err)
{
    cpu_stream_t *other = cpu_stream(op->other);

    wait_for(other, op->ticket, strand);
    trace_join(strand, other);
    return read_status(other, err);
}

/* Always done: what follows may be a release of what the other stream uses. */
cuzk_status cpu_wait(stream_t *stream, stream_t *other, cuzk_error *err)
{
    const cpu_op_t op = {
        .run = run_wait, .always = true, .other = other, .ticket = cpu_stream(other)->n_given};

    return cpu_stream_give(stream, &op, err);
}

cuzk_status cpu_synchronise(stream_t *stream, cuzk_error *err)
{
    cpu_stream_t *s = cpu_stream(stream);

    if (!s->on_parent) {
        wait_for(s, s->n_given, s->parent);
        trace_join(s->parent, s);
    }
    return read_status(s, err);
}
