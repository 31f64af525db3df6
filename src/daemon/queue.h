/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_DAEMON_QUEUE_H
#define CUZK_DAEMON_QUEUE_H

/* The daemon's jobs: accepted, stored, handed to the engine in the order of their work, ended, and
 * kept for whoever asks later. A job is told apart by its request id and its content together: the
 * same again is the same job, and a job that failed or was cancelled is begun again when it is
 * asked for again: at once, or as soon as it has stopped. Thread-safe.
 *
 * Order: by priority; within one by acceptance; a low job that has waited half an hour counts as
 * normal. Urgent jobs (high and critical) go to the engine at once, others a few at a time. */

#include "cuzk/watch.h"
#include "status/snapshot.h"
#include "store/store.h"

typedef struct queue queue_t;

typedef struct {
    cuzk_engine *engine; /* opened with queue_engine_finished(), arg: queue_link_t */
    store_t *store;
    bool is_durable;    /* the store outlives the process */
    uint32_t max_jobs;  /* that have not ended */
    uint32_t lookahead; /* jobs that are not urgent in the engine, beyond those it can work on */
    uint32_t max_batch_size; /* jobs of one circuit that are begun together; 1: no batches */
    uint64_t max_batch_wait_ms;
    bool sort_by_type;       /* within a batch's wait: the circuit begun last goes first */
    uint64_t job_timeout_ms; /* of each job, from its acceptance, or from the restart that took it
                                up again; 0: none */
    uint64_t keep_ms;        /* results of ended jobs */
    bool cancels_posts;      /* when the last caller of Prove leaves: a PoSt ends at once */
    bool cancels_begun;      /* ... and any other job that has begun */
    bool drops_waiting;      /* ... and any other job that has not begun */
} queue_options_t;

/** Where the engine's news go; its queue is set once there is one. */
typedef struct {
    queue_t *queue;
} queue_link_t;

/** For cuzk_engine_options.finished; arg is a queue_link_t, which outlives the engine. */
void queue_engine_finished(void *arg, cuzk_job job);

/** Takes up the jobs that the store has from before. link is the engine's. CUZK_ERR_MEMORY, and the
 *  store's errors. */
cuzk_status queue_open(queue_t **queue, const queue_options_t *options, queue_link_t *link,
                       cuzk_error *err);

/** Nothing more is accepted: CUZK_CANCELLED. What the engine has goes on, what waits stays in the
 *  store. */
void queue_drain(queue_t *queue);

/** Jobs that the engine has. */
size_t queue_in_engine(queue_t *queue);

/** Everybody who still waits is told that the daemon stops (OUTCOME_STOPPING). Then the engine is
 *  closed, and queue_free() called. Jobs that have not ended stay in the store. */
void queue_stop(queue_t *queue);
void queue_free(queue_t *queue);

/* ---- jobs ------------------------------------------------------------------------------------ */

typedef enum {
    OUTCOME_COMPLETED,
    OUTCOME_FAILED,
    OUTCOME_REFUSED, /* failed because its input is bad */
    OUTCOME_CANCELLED,
    OUTCOME_TIMED_OUT,     /* the job's own time has passed */
    OUTCOME_STILL_RUNNING, /* the time of waiting has passed; the job goes on */
    OUTCOME_STOPPING       /* the daemon ends; a durable job goes on after its restart */
} queue_outcome;

/** What became of a job, borrowed for the call that gets it. */
typedef struct {
    const char *id;
    queue_outcome outcome;
    const uint8_t *proof;
    size_t proof_length;
    const char *error; /* "" or one line */
    store_times_t times_ms;
} queue_result_t;

/** Gets the result once; called without the queue's lock, by any thread. */
typedef void (*queue_done)(void *arg, const queue_result_t *result);

/** Whoever waits for a job. */
typedef struct {
    uint64_t call; /* a number of the caller's own, by which queue_leave() knows it */
    queue_done done;
    void *arg;
    uint64_t timeout_ms; /* 0: none */
    bool owns;           /* its leaving ends the job by the rules of queue_options_t */
} queue_waiter_t;

typedef struct {
    const char *request_id; /* UTF-8, 256 bytes at most */
    cuzk_request request;   /* borrowed for the call */
} queue_submission_t;

typedef struct {
    char id[STORE_ID_BYTES];
    uint32_t position; /* jobs that are taken before it */
    bool is_known;     /* it was there already */
} queue_ticket_t;

/** Accepts a job: when it returns CUZK_OK the job is in the store. waiter may be NULL; otherwise
 *  done() may be called before this returns, and the job may be begun before it is stored.
 *  CUZK_ERR_ARG, CUZK_ERR_FORMAT: the request; CUZK_ERR_BUDGET: it can never fit; CUZK_ERR_BUSY:
 * too much is waiting; CUZK_CANCELLED: the daemon stops; CUZK_ERR_MEMORY; CUZK_ERR_IO: it could not
 * be stored. On errors done() is not called. */
cuzk_status queue_submit(queue_ticket_t *ticket, queue_t *queue,
                         const queue_submission_t *submission, const queue_waiter_t *waiter,
                         cuzk_error *err);

/** Waits for a job, ended or not; id is its own, or a request id: then the last such job is meant.
 * CUZK_ERR_MISSING: there is none of that id; CUZK_CANCELLED: the daemon stops; done() is then not
 * called. */
cuzk_status queue_await(queue_t *queue, const char *id, const queue_waiter_t *waiter,
                        cuzk_error *err);

/** A caller has gone. Its done() is still called, once. Harmless for a call that waits no more. */
void queue_leave(queue_t *queue, uint64_t call);

/** id as queue_await()'s. *was_running: it had not ended. CUZK_ERR_MISSING: there is none of that
 *  id; CUZK_CANCELLED: the daemon stops. */
cuzk_status queue_cancel(bool *was_running, queue_t *queue, const char *id, cuzk_error *err);

/** Fills in what is known of jobs, kinds, parameters, workers and memory. CUZK_ERR_MEMORY. */
cuzk_status queue_snapshot(snapshot_t *snapshot, queue_t *queue, cuzk_error *err);

/** Which job the engine's number stands for; false: none that is known. */
bool queue_name(queue_t *queue, cuzk_job number, char id[STORE_ID_BYTES],
                char request_id[STORE_REQUEST_ID_BYTES], cuzk_kind *kind);

/** Jobs of each kind (at kind - 1) that wait, and that have begun. */
typedef struct {
    uint32_t pending[SNAPSHOT_KINDS], in_progress[SNAPSHOT_KINDS];
    uint64_t completed, failed; /* failed: refused inputs and timeouts are among them */
    uint64_t uptime_s;
} queue_counts_t;

queue_counts_t queue_counts(queue_t *queue);

#endif
