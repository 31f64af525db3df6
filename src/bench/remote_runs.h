/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_REMOTE_RUNS_H
#define CUZK_BENCH_REMOTE_RUNS_H

/* A request proved by a daemon a number of times, each as a job of its own. */

#include "bench/remote_subject.h"
#include "cli/remote_watch.h"

enum { REMOTE_MAX_RUNS = 100000, REMOTE_MAX_CLIENTS = 1024 };

typedef struct {
    remote_answer_t answer;
    double round_trip_s; /* from the call to its answer */
} remote_run_t;

typedef struct {
    rpc_client_t *client;
    const remote_subject_t *subject;
    const char *request_id;     /* of all runs; NULL: each gets one that was not there before */
    uint64_t timeout_ms;        /* of each call; 0: none */
    uint32_t n_runs, n_clients; /* n_clients threads call at once */
    bool shows_progress, tells_calls;
} remote_runs_t;

/** runs[0 .. n_runs-1] are filled in; release them with remote_runs_clear(), also after an error.
 *  The first error ends it: as remote_prove() and remote_outcome(). A signal cancels what is under
 *  way. *wall_s: seconds of all. */
cuzk_status remote_runs(remote_run_t *runs, double *wall_s, const remote_runs_t *o,
                        cuzk_error *err);
void remote_runs_clear(remote_run_t *runs, uint32_t n);

#endif
