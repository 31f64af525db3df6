/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BASE_STRAND_TRACE_H
#define CUZK_BASE_STRAND_TRACE_H

/* What strands tell a trace (base/trace.h); nothing where it is NULL. */

#include "base/executor.h"
#include "base/trace.h"

/** The trace that strands begun from now on are recorded in; NULL: none. Not while there are
 *  strands. */
void executor_set_trace(executor_t *executor, trace_t *trace);

/** That trace, or NULL. */
trace_t *executor_trace(const executor_t *executor);

void strand_trace_begin(strand_t *strand, trace_t *trace);
void strand_trace_end(const strand_t *strand, trace_t *trace);

/** Where a loop's tasks write their times; NULL: nowhere. */
uint32_t *strand_trace_loop(const strand_t *strand, trace_t *trace, size_t n_tasks);

/** The work of `child`, which has not begun any, comes after what `parent` has done so far. */
void strand_trace_fork(strand_t *parent, const strand_t *child, trace_t *trace);

/** What `parent` does from now on comes after all of the strand of that number in the trace. */
void strand_trace_join(strand_t *parent, uint32_t child, trace_t *trace);

#endif
