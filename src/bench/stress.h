/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_STRESS_H
#define CUZK_BENCH_STRESS_H

/* A daemon under many clients: all kinds mixed, some jobs cancelled, some callers leaving, some
 * requests bad. Every job is followed to its end, every proof verified. */

#include "bench/client_options.h"
#include "bench/stress_plan.h"
#include "bench/stress_tally.h"
#include "cli/remote_watch.h"

enum { STRESS_MAX_JOBS = 100000, STRESS_MAX_CLIENTS = 1024, STRESS_MAX_CONNECTIONS = 48 };

typedef struct {
    stress_plan_t plan;
    uint32_t n_jobs;
    uint32_t n_clients;    /* threads; of more than STRESS_MAX_CONNECTIONS some share one */
    uint64_t duration_ms;  /* no more jobs are begun after it; 0: none */
    uint64_t reconnect_ms; /* for how long a daemon that isn't there is called again; 0: not */
    uint64_t timeout_ms;   /* of a call that waits for a proof: then it is lost */
    bool asks_again;       /* at the end, for each proof: the daemon still has it */
    const client_options_t *daemon;
    cuzk_engine *engine; /* verifies; NULL: proofs are compared with each other alone */
} stress_options_t;

/** Runs it; tally has been initialized. CUZK_OK whatever became of the jobs; CUZK_CANCELLED: a
 *  signal; else a connection that cannot be opened, or memory. */
cuzk_status stress_run(stress_tally_t *tally, const stress_options_t *o, cuzk_error *err);

/* ---- what its parts share -------------------------------------------------------------------- */

/** A proof that is asked for again at the end. */
typedef struct {
    char job_id[REMOTE_ID_BYTES]; /* "": none */
    uint8_t *proof;
    size_t length;
} stress_proof_t;

/** One client: a thread. */
typedef struct {
    const stress_options_t *o;
    stress_tally_t *tally;
    rpc_client_t *client;
    const cancel_t *cancel;
    uint64_t start_ns;   /* of the run */
    uint64_t missing_ns; /* since when the daemon has not been there; 0: it is */
    bool was_missing;    /* during this job */
} stress_client_t;

/** A call of this client, with that time. */
remote_t stress_remote(const stress_client_t *c, uint64_t timeout_ms);

/** Whether a call that failed is to be made again: the daemon is busy, or away and awaited. Waits
 *  a while before. */
bool stress_repeats(stress_client_t *c, const remote_t *remote);

/** Sleeps, unless the run is cancelled. */
void stress_sleep(const stress_client_t *c, uint64_t ms);

/** Does a job and counts its end. *proof: what was proved; released with free(). */
void stress_do(stress_proof_t *proof, stress_client_t *c, const stress_job_t *job, uint64_t number);

/** Does what has to be refused. */
void stress_do_bad(stress_client_t *c, const stress_job_t *job, const char *request_id);

/** Counts a completed job, or one whose proof is not valid. *proof takes the answer's. */
void stress_judge(stress_proof_t *proof, stress_client_t *c, const proof_case_t *of,
                  remote_answer_t *answer);

#endif
