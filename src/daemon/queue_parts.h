/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_DAEMON_QUEUE_PARTS_H
#define CUZK_DAEMON_QUEUE_PARTS_H

/* What the files queue*.c share. Three threads: the feeder hands jobs that are not urgent to the
 * engine; the ender takes results from it and tells those who wait; the keeper writes ends to the
 * store and forgets what is old. */

#include <pthread.h>

#include "daemon/queue.h"

enum { QUEUE_THREADS = 3 };

/* For record_again_ns: a time that has passed. */
enum { QUEUE_RECORD_NOW = 1 };

typedef enum {
    PHASE_PENDING,
    PHASE_FEEDING, /* a thread is handing it to the engine, without the lock */
    PHASE_IN_ENGINE,
    PHASE_ENDED
} job_phase;

typedef struct queue_wait {
    struct queue_wait *next;
    queue_waiter_t waiter;
    uint64_t until_ns; /* UINT64_MAX: no end */
} queue_wait_t;

/** A job. Guarded by the queue's mutex, but for what does not change after its acceptance. */
typedef struct queue_job {
    struct queue_job *next; /* by acceptance */
    char id[STORE_ID_BYTES];
    char request_id[STORE_REQUEST_ID_BYTES];
    cuzk_kind kind;
    cuzk_priority priority; /* never CUZK_PRIORITY_DEFAULT */
    uint32_t registered_proof;
    uint64_t miner_id, sector_number;
    uint64_t
        request_bytes; /* in the store; 0: not known yet. Whoever feeds it alone changes this */
    uint64_t accepted_ns;
    int64_t accepted_ms;  /* since 1970 */
    uint64_t deadline_ns; /* UINT64_MAX: none */

    job_phase phase;
    uint32_t n_refs;       /* threads that use it without the lock */
    bool is_gone;          /* in no list any more; freed with its last reference */
    bool is_storing;       /* store.add() has not returned */
    cuzk_status withdrawn; /* CUZK_OK; else why it could not be accepted: its end is not stored */
    bool is_recording;     /* store.end() has not returned */
    bool is_recorded;      /* its end is in the store */
    uint64_t record_again_ns; /* when to try once more; 0: it has not failed */
    bool is_released;         /* not held back for a batch */
    bool is_submitted;        /* somebody asked for it without waiting: nobody's leaving ends it */
    bool is_cancelled;        /* asked for */
    uint32_t n_starts;
    bool is_suspect;      /* begun so often without an end that it goes behind all others */
    bool is_start_stored; /* the store knows of the last of them */
    cuzk_job engine_job;  /* PHASE_IN_ENGINE */
    uint64_t fed_ns;      /* when the engine got it */
    queue_wait_t *waits;

    /* of its end */
    queue_outcome outcome;
    uint64_t ended_ns;
    int64_t ended_ms;
    uint8_t *proof;
    size_t proof_length;
    char error[CUZK_ERROR_TEXT_BYTES];
    store_times_t times_ms;
    uint32_t n_retries;
    char retry_reason[CUZK_REASON_BYTES];
    cuzk_partition *partitions; /* as they were at the end */
    size_t n_partitions;
} queue_job_t;

typedef struct {
    cuzk_job *ids;
    size_t n, room;
} engine_ends_t;

struct queue {
    queue_options_t options;
    queue_link_t *link;
    uint32_t n_slots; /* jobs that are not urgent in the engine at once */
    uint64_t opened_ns;
    pthread_t threads[QUEUE_THREADS]; /* keeper, ender, feeder */
    unsigned n_threads;               /* that run, the first ones */

    pthread_mutex_t mutex;
    pthread_cond_t feed, ended, keep, stored;
    queue_job_t *jobs, **last;
    uint32_t n_unfinished;
    uint32_t n_bulk; /* jobs that are not urgent in the engine, or on their way */
    engine_ends_t ends;
    uint32_t last_circuit; /* queue_circuit() of the job begun last */
    bool is_draining, is_stopping;
    bool keeps_no_more;                    /* all ends have been written that can be */
    snapshot_kind_t kinds[SNAPSHOT_KINDS]; /* pending and in_progress are counted when asked for */
};

static inline bool job_is_urgent(const queue_job_t *job)
{
    return job->priority >= CUZK_PRIORITY_HIGH && !job->is_suspect;
}

/* ---- the mutex is held for all of these -------------------------------------------------------
 */

queue_job_t *queue_find(const queue_t *queue, const char *id);

/** The job of an id, else the last one accepted with such a request id. */
queue_job_t *queue_find_named(const queue_t *queue, const char *name);

/** Links a job as the last one. */
void queue_link_job(queue_t *queue, queue_job_t *job);

/** Takes it out of the list; frees it unless somebody uses it. */
void queue_unlink_job(queue_t *queue, queue_job_t *job);

void queue_hold_job(queue_job_t *job);
void queue_release_job(queue_job_t *job);

/** When a job that was accepted, or taken up again, at accepted_ns is to have ended. */
uint64_t queue_deadline_ns(const queue_t *queue, const queue_job_t *job);

/** A number for the circuit of a job. */
uint32_t queue_circuit(const queue_job_t *job);

/** Whether a comes before b. */
bool queue_is_before(const queue_job_t *a, const queue_job_t *b, uint64_t now_ns);

/** The job that is to be handed to the engine next by the feeder; NULL: none now. *wake_ns is when
 *  to look again, at the latest. */
queue_job_t *queue_next(queue_t *queue, uint64_t now_ns, uint64_t *wake_ns);

/** Counts a start of a job in the store, once for each time it is begun. The mutex is given back
 *  meanwhile; the job is held, or kept from ending by its phase. */
void queue_record_start(queue_t *queue, queue_job_t *job);

/** Ends a job that is not in the engine, and returns those who wait for it. */
queue_wait_t *queue_end_here(queue_t *queue, queue_job_t *job, queue_outcome outcome,
                             const char *error);

/* ---- without the mutex ------------------------------------------------------------------------
 */

/** Hands a job in PHASE_FEEDING to the engine; request is its. On CUZK_ERR_BUSY it is
 *  PHASE_PENDING again, or has been cancelled meanwhile; other errors are the caller's to deal
 *  with, it is PHASE_FEEDING still. The job is held. */
cuzk_status queue_feed(queue_t *queue, queue_job_t *job, const cuzk_request *request,
                       cuzk_error *err);

/** Calls done() of a list, and frees it. */
void queue_tell(queue_wait_t *waits, const queue_result_t *result);

/** Tells those who waited what became of a job that has ended, and is held. */
void queue_tell_end(queue_wait_t *waits, const queue_job_t *job);

void *queue_feeder_main(void *arg);
void *queue_ender_main(void *arg);
void *queue_keeper_main(void *arg);

/** Waits for a condition until that time of clock_monotonic_ns(), or until it is signalled. */
void queue_cond_init(pthread_cond_t *cond);
void queue_wait_until(pthread_cond_t *cond, pthread_mutex_t *mutex, uint64_t until_ns);

/** Milliseconds since 1970. */
int64_t queue_unix_ms(void);

/** What the store gets of a job that is accepted. */
void queue_describe_new(store_job_t *record, const queue_job_t *job);

#endif
