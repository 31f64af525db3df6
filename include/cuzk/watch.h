/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_WATCH_H
#define CUZK_WATCH_H

/* What is seen of an engine at work, for programs that serve others; and memory of theirs under its
 * budget. The conventions are those of cuzk.h. */

#include "cuzk/cuzk.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cuzk_stats {
    size_t struct_size;
    uint64_t budget_bytes;
    uint64_t reserved_bytes;      /* by all owners */
    uint64_t peak_reserved_bytes; /* since the engine was opened */
    uint64_t job_bytes;           /* of those: jobs' inputs and proofs under way */
    uint64_t params_bytes;        /* open parameters and plans */
    uint64_t idle_bytes;          /* buffers kept for the next proof */
    uint32_t threads;
    uint32_t jobs_queued; /* no partition begun */
    uint32_t jobs_running;
    uint64_t jobs_done;
    uint64_t jobs_failed; /* cancelled ones included */
    uint64_t proofs_done;
    uint32_t max_synthesis, max_proving; /* partitions at once in synthesis, and after it */
} cuzk_stats;

CUZK_API cuzk_status cuzk_engine_stats(cuzk_engine *engine, cuzk_stats *stats, cuzk_error *error);

/** One partition of a job. This structure does not grow. */
typedef struct cuzk_partition {
    uint32_t number;
    cuzk_stage stage;
    double began_s[CUZK_STAGES]; /* when it came to each stage, in seconds since the submit;
                                    negative: it has not */
    double synthesized_s;        /* when its synthesis was done: from then to the next stage it
                                    waits for the device; negative: it is not */
} cuzk_partition;

/** The partitions of a job, room of them at most; *n is how many it has: 0 until its input is read.
 *  CUZK_ERR_ARG: no job of that number. */
CUZK_API cuzk_status cuzk_poll_partitions(cuzk_engine *engine, cuzk_job job,
                                          cuzk_partition *partitions, size_t room, size_t *n,
                                          cuzk_error *error);

/** A circuit whose parameters or plan an engine holds. This structure does not grow. */
typedef struct cuzk_open_params {
    char circuit[32];
    bool has_params;       /* open; else the plan is all there is */
    uint64_t params_bytes; /* in memory, the key among them */
    uint64_t plan_bytes;
    uint32_t n_users; /* jobs and calls */
    double idle_s;    /* since its last use; 0 while it is in use */
} cuzk_open_params;

/** The circuits that are held, room of them at most; *n is how many there are. */
CUZK_API cuzk_status cuzk_params_list(cuzk_engine *engine, cuzk_open_params *list, size_t room,
                                      size_t *n, cuzk_error *error);

/** Puts memory of the caller's own under the engine's budget, as job_bytes. CUZK_ERR_BUSY: there is
 *  no room now; CUZK_ERR_BUDGET: it can never fit. */
CUZK_API cuzk_status cuzk_memory_take(cuzk_engine *engine, uint64_t bytes, cuzk_error *error);

/** Gives back what was taken so; no more than that. */
CUZK_API void cuzk_memory_give(cuzk_engine *engine, uint64_t bytes);

#ifdef __cplusplus
}
#endif
#endif
