/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/strand_trace.h"

#include "base/clock.h"

/* Adds an event that comes after what the thread has done since the last one. */
static uint32_t *add(const strand_t *strand, trace_t *trace, trace_event_t event)
{
    event.strand = strand->id;
    event.serial_ns = clock_thread_cpu_ns() - strand->lap_ns;
    return trace_add(trace, &event);
}

void strand_trace_begin(strand_t *strand, trace_t *trace)
{
    if (trace == NULL) return;
    strand->id = trace_new_strand(trace);
    strand->lap_ns = clock_thread_cpu_ns();
}

void strand_trace_end(const strand_t *strand, trace_t *trace)
{
    if (trace != NULL) (void)add(strand, trace, (trace_event_t){.kind = TRACE_END});
}

uint32_t *strand_trace_loop(const strand_t *strand, trace_t *trace, size_t n_tasks)
{
    if (trace == NULL) return NULL;
    return add(strand, trace, (trace_event_t){.kind = TRACE_LOOP, .n_tasks = n_tasks});
}

void strand_trace_fork(strand_t *parent, const strand_t *child, trace_t *trace)
{
    if (trace == NULL) return;
    (void)add(parent, trace, (trace_event_t){.kind = TRACE_FORK, .other = child->id});
    parent->lap_ns = clock_thread_cpu_ns();
}

void strand_trace_join(strand_t *parent, uint32_t child, trace_t *trace)
{
    if (trace == NULL) return;
    (void)add(parent, trace, (trace_event_t){.kind = TRACE_JOIN, .other = child});
    parent->lap_ns = clock_thread_cpu_ns();
}
