/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_COUNTER_EVENTS_H
#define CUZK_BENCH_COUNTER_EVENTS_H

/* Which events perf_event_open() is asked for: named as perf names them, encoded by libpfm4. */

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>

/** The processors with events of their own; on others only the generic events are counted. */
typedef enum { PROCESSOR_ANY, PROCESSOR_INTEL, PROCESSOR_ZEN4 } processor_family;

/** Events of one group are counted together or not at all, so each group has no more than the
 *  four counters that every processor has. */
typedef struct {
    const char *name; /* perf's */
    const char *pfm;  /* libpfm4's */
    processor_family family;
    unsigned group;
} counter_event_t;

enum { COUNTER_GROUPS = 5 };

/** All rows, groups together and rising. */
extern const counter_event_t counter_events[];
extern const size_t n_counter_events;

/** Whether libpfm4 was built in and works. *why says why not. Call it first. */
bool counter_events_open(const char **why);
void counter_events_close(void);

/** What libpfm4 takes this machine for. */
processor_family counter_events_family(void);

/** Fills type, config and size; NULL, or why the event can't be encoded here. */
const char *counter_events_encode(struct perf_event_attr *attr, const counter_event_t *event);

#endif
