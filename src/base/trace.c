/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/trace.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { FIRST_CAPACITY = 1 << 10 };

struct trace {
    pthread_mutex_t mutex; /* guards all below */
    trace_event_t *events;
    size_t n, capacity;
    uint32_t n_strands;
    bool is_short; /* an event could not be kept */
};

cuzk_status trace_open(trace_t **trace, cuzk_error *err)
{
    *trace = mem_alloc(1, sizeof **trace, "trace", err);
    if (*trace == NULL) return err->status;
    (void)pthread_mutex_init(&(*trace)->mutex, NULL);
    return CUZK_OK;
}

void trace_close(trace_t *trace)
{
    if (trace == NULL) return;
    for (size_t i = 0; i < trace->n; i++) free(trace->events[i].task_ns);
    free(trace->events);
    (void)pthread_mutex_destroy(&trace->mutex);
    free(trace);
}

cuzk_status trace_events(const trace_event_t **events, size_t *n, const trace_t *trace,
                         cuzk_error *err)
{
    *events = trace->events;
    *n = trace->n;
    if (trace->is_short) return error_set(err, CUZK_ERR_MEMORY, "trace: no memory for its events");
    return CUZK_OK;
}

uint32_t trace_new_strand(trace_t *trace)
{
    (void)pthread_mutex_lock(&trace->mutex);
    const uint32_t id = trace->n_strands++;
    (void)pthread_mutex_unlock(&trace->mutex);
    return id;
}

static bool make_room(trace_t *trace)
{
    const size_t capacity = trace->capacity == 0 ? FIRST_CAPACITY : 2 * trace->capacity;

    if (trace->n < trace->capacity) return true;
    trace_event_t *events = realloc(trace->events, capacity * sizeof *events);
    if (events == NULL) return false;
    trace->events = events;
    trace->capacity = capacity;
    return true;
}

uint32_t *trace_add(trace_t *trace, const trace_event_t *event)
{
    uint32_t *task_ns = calloc(event->n_tasks + 1, sizeof *task_ns);

    (void)pthread_mutex_lock(&trace->mutex);
    if (task_ns != NULL && make_room(trace)) {
        trace->events[trace->n] = *event;
        trace->events[trace->n++].task_ns = task_ns;
    } else {
        trace->is_short = true;
        free(task_ns);
        task_ns = NULL;
    }
    (void)pthread_mutex_unlock(&trace->mutex);
    return task_ns;
}
