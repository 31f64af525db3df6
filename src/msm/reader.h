/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_MSM_READER_H
#define CUZK_MSM_READER_H

/* A thread that reads points while others compute, one request at a time. */

#include <pthread.h>

#include "base/executor.h"
#include "curve/points.h"

typedef struct {
    const points_t *points; /* NULL: it was not opened */
    pthread_t thread;
    pthread_mutex_t mutex; /* guards what follows */
    pthread_cond_t changed;
    bool is_stopping;
    bool is_wanted; /* the request has not been fulfilled */
    void *to;
    size_t first;
    size_t n;
    cuzk_error error; /* status: what came of the last request */
    uint64_t bytes_read;
    uint64_t wait_ns;
} msm_reader_t;

/** Starts the thread. CUZK_ERR_MEMORY when it can't be started. points is borrowed. */
cuzk_status msm_reader_open(msm_reader_t *reader, const points_t *points, cuzk_error *err);

/** Ends the thread; a request under way ends early. Harmless for a zeroed reader. */
void msm_reader_close(msm_reader_t *reader);

/** Asks for n points from `first` on; no other request is under way. */
void msm_reader_ask(msm_reader_t *reader, void *to, size_t first, size_t n);

/** Waits for what was asked for, without the strand's permit. Returns what points->read() said, or
 *  why the strand is to stop: then the request may still be under way. */
cuzk_status msm_reader_wait(msm_reader_t *reader, strand_t *strand, cuzk_error *err);

#endif
