/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CLI_PROGRESS_H
#define CUZK_CLI_PROGRESS_H

/* One line on standard error that says how far long work has come: on a terminal alone, redrawn ten
 * times a second at most, as wide as the terminal at most, and erased at the end. No escape codes
 * are used. */

#include <stdbool.h>
#include <stdint.h>

#include "cuzk/cuzk.h"

typedef struct {
    bool is_on;
    uint32_t drawn;    /* characters on the line */
    uint64_t drawn_ns; /* when they were drawn */
    const char *part;  /* what progress_count() was last called with, and since when */
    uint64_t part_ns;
} progress_t;

/** wanted: whether the user wants one at all. */
void progress_init(progress_t *progress, bool wanted);

void progress_say(progress_t *progress, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** "WHAT: 45%, 20 s left", from the time that this part (the same pointer) has taken so far. */
void progress_count(progress_t *progress, const char *what, uint64_t done, uint64_t total);

/** Erases the line, before other output or for good. */
void progress_end(progress_t *progress);

/** How far a job has come, estimated from its stages. */
typedef struct {
    progress_t *line;
    double since_s;  /* when its first partition began, in seconds of the job; 0: not yet */
    double fraction; /* of the partitions' work that has surely been done */
    double end;      /* what `fraction` becomes next, at most */
    double at_s;     /* when `fraction` was reached */
} job_progress_t;

/** Says where the job stands: stage, partition, percent, time left. first_partition: of the
 *  request. */
void progress_job(job_progress_t *job, const cuzk_progress *now, uint32_t first_partition);

#endif
