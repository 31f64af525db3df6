/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_REQUEST_H
#define CUZK_REQUEST_H

/* What is asked of an engine, and what it says of a job: requests, results, progress, estimates.
 * The conventions are those of cuzk.h. */

#include <stdbool.h>

#include "cuzk/statement.h"
#include "cuzk/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cuzk_kind {
    CUZK_POREP = 1,
    CUZK_UPDATE = 2,
    CUZK_WINDOW_POST = 3,
    CUZK_WINNING_POST = 4
} cuzk_kind;

/** What is taken first; within a priority the earlier deadline, then the earlier job. Work of a
 *  higher priority that arrives takes over threads within milliseconds. */
typedef enum cuzk_priority {
    CUZK_PRIORITY_DEFAULT = 0, /* winning: critical; window: high; else normal */
    CUZK_PRIORITY_LOW = 1,
    CUZK_PRIORITY_NORMAL = 2,
    CUZK_PRIORITY_HIGH = 3,
    CUZK_PRIORITY_CRITICAL = 4
} cuzk_priority;

enum { CUZK_INPUT_SPARE = 64 };

#define CUZK_ANY_PROOF      UINT32_MAX
#define CUZK_ALL_PARTITIONS UINT32_MAX

/** Proofs that are asked for: with one partition named, a unit of work that gives 192 bytes and
 *  needs no more than this, in whichever process (cuzk_request_write()). */
typedef struct cuzk_request {
    size_t struct_size;
    cuzk_kind kind;
    uint32_t registered_proof; /* as on chain. porep: 0..19, or CUZK_ANY_PROOF to take the one of
                                  the input; update: 0..4; winning: 0..4; window: 5..14 */
    uint64_t miner_id;         /* porep, winning, window */
    uint64_t sector_number;    /* porep */
    uint8_t randomness[32];    /* winning, window: little-endian, its two top bits clear (byte 31 &
                                  0xc0), as the chain has it */
    uint8_t comm_r_old[CUZK_COMMITMENT_BYTES]; /* update */
    uint8_t comm_r_new[CUZK_COMMITMENT_BYTES]; /* update */
    uint8_t comm_d_new[CUZK_COMMITMENT_BYTES]; /* update */
    const cuzk_bytes *inputs; /* porep: one, the commit-phase-1 output as JSON, bare or in the
                                 wrapper of Lotus and Curio; update: a partition's vanilla proof
                                 each; winning, window: a sector's each, numbers rising */
    size_t n_inputs;
    uint32_t partition;     /* from 0 on, or CUZK_ALL_PARTITIONS */
    cuzk_priority priority; /* CUZK_PRIORITY_DEFAULT: by its kind */
    uint64_t timeout_ms;    /* from the submit on; then it stops with CUZK_ERR_DEADLINE; 0: none */
    bool skip_bad; /* window: leave out the sectors whose vanilla proofs are bad, name them in
                      the result, and prove the rest, when there is one */
    const char *input_name; /* what errors call the inputs, such as the file they came from; NULL:
                               "c1" for a PoRep, nothing for the others. No part of its bytes */
    void (*release)(void *arg); /* NULL: cuzk_submit() takes a copy of the inputs. Else they are
                                   read where they are, and each has CUZK_INPUT_SPARE readable
                                   bytes after it, the first of a PoRep's zero. Once a job that
                                   was taken needs them no more, this is called, by any thread */
    void *release_arg;
} cuzk_request;

/** Wall-clock seconds of a job, summed over its partitions. */
typedef struct cuzk_timings {
    double queue_s;     /* waiting for its turn or for memory, the longest of a partition */
    double parse_s;     /* reading the input */
    double check_s;     /* challenges, commitments, paths */
    double plan_s;      /* finding the circuit's plan, or making it: once for an engine */
    double load_s;      /* opening parameters: nothing when they are open */
    double synthesis_s; /* witness, a and b */
    double h_s;         /* transforms */
    double msm_s;       /* multi-scalar multiplications and assembly */
    double io_wait_s;   /* of that: waiting for points from the disk */
    double verify_s;    /* the check before a proof is handed out */
    double total_s;     /* from the submit to the last proof */
} cuzk_timings;

/** Where a job stands. */
typedef enum cuzk_stage {
    CUZK_STAGE_QUEUED = 0, /* waiting for its turn or for memory */
    CUZK_STAGE_PARSE,
    CUZK_STAGE_CHECK,
    CUZK_STAGE_PLAN,
    CUZK_STAGE_SYNTHESIS,
    CUZK_STAGE_H,
    CUZK_STAGE_MSM,
    CUZK_STAGE_VERIFY,
    CUZK_STAGE_DONE,
    CUZK_STAGES
} cuzk_stage;

/** "queued", "parse", "check", "plan", "synthesis", "h", "msm", "verify", "done". */
CUZK_API const char *cuzk_stage_name(cuzk_stage stage);

enum { CUZK_REASON_BYTES = 240 };

/** A sector of a PoSt whose vanilla proof is bad. */
typedef struct cuzk_bad_sector {
    size_t input;                   /* its position in cuzk_request.inputs */
    uint64_t number;                /* as its vanilla proof has it */
    char reason[CUZK_REASON_BYTES]; /* "challenge 3: its path does not lead to comm_r_last" */
} cuzk_bad_sector;

/** Proofs of CUZK_PROOF_BYTES each, one for each partition asked for, in order, without a gap. */
typedef struct cuzk_result {
    size_t struct_size;
    uint8_t *proofs;
    size_t length;
    cuzk_timings timings;
    cuzk_bad_sector *bad_sectors; /* by their position: with skip_bad those left out; after a
                                     failure, too, when these are its reason, every one of them */
    size_t n_bad_sectors;
    cuzk_stage failed_stage; /* after a failure: where; up to CUZK_STAGE_CHECK the fault is the
                                input's */
} cuzk_result;

/** Releases what a call filled in; harmless on a zeroed object. */
CUZK_API void cuzk_result_clear(cuzk_result *result);

/** A job's number, from 1 on, never used twice in an engine. */
typedef uint64_t cuzk_job;

typedef struct cuzk_progress {
    size_t struct_size;
    cuzk_stage stage;      /* of the partition that is furthest and not done */
    cuzk_status status;    /* when stage is CUZK_STAGE_DONE: what cuzk_wait() will return */
    uint32_t n_partitions; /* asked for; 0 until the input is read */
    uint32_t partitions_done;
    uint32_t partition;                   /* the one `stage` is of */
    double seconds;                       /* since the submit */
    uint64_t bytes;                       /* reserved for it now */
    uint32_t n_retries;                   /* partitions that failed and were tried again */
    char retry_reason[CUZK_REASON_BYTES]; /* of the last of them; "" */
} cuzk_progress;

/** What one partition of a request takes, known before it starts. */
typedef struct cuzk_estimate {
    size_t struct_size;
    char circuit[32];       /* its label, "porep-32g" */
    char params_file[4096]; /* the parameter file's path */
    uint32_t n_partitions;  /* of the whole request; 0 when only the input tells */
    uint64_t n_constraints;
    uint64_t synthesis_bytes; /* held during synthesis */
    uint64_t h_bytes;         /* during the transforms */
    uint64_t msm_bytes;       /* during the multiplications, the largest */
    uint64_t peak_bytes;      /* the largest of all: what has to fit the budget */
    uint64_t point_additions; /* about how much work: additions in G1, one in G2 as three */
} cuzk_estimate;

/** A request as bytes for another process or machine, with a checksum; release them with
 *  cuzk_bytes_free(). Priority, timeout and skip_bad are not among them. */
CUZK_API cuzk_status cuzk_request_write(const cuzk_request *request, uint8_t **bytes,
                                        size_t *length, cuzk_error *error);

/** The request of such bytes, which stay borrowed for as long as it is used. Release what it holds
 *  with cuzk_request_clear(). CUZK_ERR_FORMAT. */
CUZK_API cuzk_status cuzk_request_read(cuzk_request *request, const uint8_t *bytes, size_t length,
                                       cuzk_error *error);
CUZK_API void cuzk_request_clear(cuzk_request *request);
CUZK_API void cuzk_bytes_free(void *bytes);

#ifdef __cplusplus
}
#endif
#endif
