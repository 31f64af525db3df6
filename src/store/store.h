/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_STORE_STORE_H
#define CUZK_STORE_STORE_H

/* Where accepted jobs and finished proofs outlive the daemon. What has returned CUZK_OK is on the
 * disk, and all of it or nothing. Another kind of store fills in the same table of operations.
 * Thread-safe. Calls wait for the disk; a long request that is being added holds up no other call.
 */

#include "base/error.h"
#include "cuzk/cuzk.h"

enum {
    STORE_ID_BYTES = 33,
    STORE_REQUEST_ID_BYTES = 257,
    STORE_PROOF_MAX_BYTES = 1 << 16,
    STORE_ERROR_BYTES = CUZK_ERROR_TEXT_BYTES /* of an error's text with its zero */
};

typedef enum {
    STORE_ACCEPTED = 0, /* not ended: waiting or running */
    STORE_COMPLETED,
    STORE_FAILED,
    STORE_CANCELLED,
    STORE_TIMED_OUT
} store_state;

/** Milliseconds of a job's parts, as AwaitProofResponse has them. */
typedef struct {
    uint64_t queue, load, synthesis, proving, total;
} store_times_t;

/** A job without its request. */
typedef struct {
    char id[STORE_ID_BYTES];                 /* 32 lower-case hex digits */
    char request_id[STORE_REQUEST_ID_BYTES]; /* the caller's; UTF-8 */
    cuzk_kind kind;
    cuzk_priority priority;
    uint32_t registered_proof;
    uint64_t miner_id, sector_number;
    int64_t accepted_ms, ended_ms; /* since 1970; ended_ms 0: it has not */
    uint32_t n_starts;             /* how often a daemon has taken it up */
    store_state state;
    const uint8_t *proof; /* STORE_COMPLETED; 1 .. STORE_PROOF_MAX_BYTES bytes */
    size_t proof_length;
    const char *error; /* ended otherwise; NULL or one line, cut to STORE_ERROR_BYTES */
    store_times_t times_ms;
} store_job_t;

typedef struct store store_t;

typedef struct {
    /** Adds a job that is STORE_ACCEPTED with its request: cuzk_request_write()'s bytes, whose last
     *  32 are the SHA-256 of those before. One of the same id that has ended is replaced.
     *  CUZK_ERR_BUDGET: the disk is full, or the limit of the store, with need and limit;
     *  CUZK_ERR_ARG: one of that id has not ended, or a field; CUZK_ERR_IO, CUZK_ERR_MEMORY. */
    cuzk_status (*add)(store_t *store, const store_job_t *job, const uint8_t *request,
                       size_t length, cuzk_error *err);
    /** The request of a job that has not ended; released with free(). CUZK_ERR_MISSING: none of
     *  that id; CUZK_ERR_FORMAT: it is damaged; CUZK_ERR_IO, CUZK_ERR_MEMORY. */
    cuzk_status (*request)(uint8_t **bytes, size_t *length, store_t *store, const char *id,
                           cuzk_error *err);
    /** Counts one more start of a job; it may be lost with a fault of the machine.
     * CUZK_ERR_MISSING: none of that id that has not ended; CUZK_ERR_BUDGET: the disk is full;
     * CUZK_ERR_IO. */
    cuzk_status (*start)(store_t *store, const char *id, cuzk_error *err);
    /** Records the end of a job (id, state, proof, error, times, ended_ms; no other field is looked
     *  at) and forgets its request. Failures as of start(), and CUZK_ERR_ARG: a field; the job is
     *  then as it was. */
    cuzk_status (*end)(store_t *store, const store_job_t *job, cuzk_error *err);
    /** Forgets a job. Harmless when there is none. */
    cuzk_status (*drop)(store_t *store, const char *id, cuzk_error *err);
    /** Hands out all jobs, by accepted_ms, then as they were added; what they point to is borrowed
     *  for the call of visit, which may not call the store. */
    cuzk_status (*list)(store_t *store, void (*visit)(void *arg, const store_job_t *job), void *arg,
                        cuzk_error *err);
    /** Forgets the jobs that ended before that time. */
    cuzk_status (*expire)(store_t *store, int64_t ended_before_ms, cuzk_error *err);
    /** Bytes of the requests that are held, or being added. */
    uint64_t (*bytes)(store_t *store);
    /** Not while another call is under way. */
    void (*close)(store_t *store);
} store_ops_t;

/** The head of every store. */
struct store {
    const store_ops_t *ops;
};

/** A store in a folder, which is made when it is missing (mode 0700; not those above it): an SQLite
 *  database for jobs and a file for each long request (0600). limit_bytes: of all requests
 * together; 0: none. What a killed process has left half written is removed; a job whose request is
 * gone or cut has then STORE_FAILED, and its error says so. CUZK_ERR_BUSY: another process has it,
 * or another store of this one. CUZK_ERR_FORMAT: the database is damaged, of a later version, or
 * another program's; the text says which file and what to do. CUZK_ERR_ARG: not a folder, or one in
 * which anybody may write; CUZK_ERR_MISSING: no permission, or the folder above is not there;
 *  CUZK_ERR_BUDGET: the disk is full; CUZK_ERR_IO, CUZK_ERR_MEMORY. */
cuzk_status store_sqlite_open(store_t **store, const char *folder, uint64_t limit_bytes,
                              cuzk_error *err);

/** A store in memory, for a daemon that is to keep nothing. CUZK_ERR_MEMORY. */
cuzk_status store_memory_open(store_t **store, uint64_t limit_bytes, cuzk_error *err);

#endif
