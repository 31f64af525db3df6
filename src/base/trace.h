/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BASE_TRACE_H
#define CUZK_BASE_TRACE_H

/* What an executor ran, so that the same work can be scheduled again on another number of cores
 * (src/bench/schedule.h): for each strand its serial stretches and its loops of tasks, in order,
 * and which strands wait for which. Times are of CPU, so that a busy machine does not show in them.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef enum {
    TRACE_LOOP, /* n_tasks tasks, after serial_ns of serial work; the strand waits for all */
    TRACE_FORK, /* after serial_ns; what `other` does comes after it */
    TRACE_JOIN, /* after serial_ns; what this strand does next comes after all of `other` */
    TRACE_END   /* after serial_ns */
} trace_kind;

typedef struct {
    trace_kind kind;
    uint32_t strand;
    uint32_t other;
    uint64_t serial_ns;
    size_t n_tasks;
    uint32_t *task_ns; /* n_tasks, by index */
} trace_event_t;

typedef struct trace trace_t;

cuzk_status trace_open(trace_t **trace, cuzk_error *err);

/** NULL is allowed. */
void trace_close(trace_t *trace);

/** The events so far, those of a strand in their order; not while strands run. CUZK_ERR_MEMORY when
 *  some could not be kept. */
cuzk_status trace_events(const trace_event_t **events, size_t *n, const trace_t *trace,
                         cuzk_error *err);

/** A strand's number, from 0 on. */
uint32_t trace_new_strand(trace_t *trace);

/** Adds an event; returns its task_ns, zeros for the tasks to fill in, or NULL when it could not be
 *  kept. Thread-safe. */
uint32_t *trace_add(trace_t *trace, const trace_event_t *event);

#endif
