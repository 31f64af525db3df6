/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_ENGINE_JOB_H
#define CUZK_ENGINE_JOB_H

/* A job of an engine: its thread reads and checks the input, then its lanes (that thread, and
 * others where partitions may overlap) take one partition after the other through the stages. */

#include "device/device.h"
#include "engine/circuits.h"
#include "engine/gate.h"
#include "engine/request.h"

/** Stages that admit a number of partitions or jobs at once. */
typedef struct {
    gate_t jobs;      /* jobs that have been begun */
    gate_t synthesis; /* partitions in synthesis */
    gate_t proving;   /* partitions in the transforms and multiplications */
} stage_gates_t;

typedef struct engine_job {
    struct engine_job *next;
    cuzk_engine *engine;
    cuzk_job id;
    const proof_kind_t *kind;
    request_copy_t copy;
    reservation_t input_held;
    work_rank_t rank;
    cancel_t cancel;
    uint64_t submitted_ns;

    /* set by the job's thread before its lanes begin */
    void *input;
    input_facts_t facts;
    circuit_use_t *circuit;
    const circuit_plan_t *plan;
    const srs_t *srs;
    cuzk_bad_sector *bad; /* sectors that are bad, or were left out */
    size_t n_bad;
    uint32_t prepared; /* in a trace: the strand that did all this */

    /* guarded by the engine's mutex */
    cuzk_stage early; /* before there are partitions */
    uint32_t n_partitions, first_partition;
    cuzk_partition *partitions; /* n_partitions */
    uint8_t *proofs;            /* n_partitions * CUZK_PROOF_BYTES */
    uint32_t next_partition, n_done;
    uint64_t bytes; /* reserved for partitions under way */
    cuzk_timings timings;
    uint32_t failed; /* the lowest partition that failed */
    cuzk_stage failed_stage;
    cuzk_error error; /* of that; status CUZK_OK: none */
    uint32_t n_retries;
    char retry_reason[CUZK_REASON_BYTES];
    bool is_finished;
} engine_job_t;

struct cuzk_engine {
    executor_t *executor;
    device_t *device;
    ledger_t *ledger;
    reservation_t idle_held; /* buffers the device keeps */
    circuits_t *circuits;
    stage_gates_t gates;
    uint32_t max_jobs, n_lanes, retries;
    uint32_t max_synthesis, max_proving;
    uint64_t params_min_idle_ns;
    cuzk_finished finished;
    void *finished_arg;
    cuzk_log log;
    void *log_arg;
    pthread_mutex_t log_mutex;
    cancel_t stop; /* set: everything under way ends */

    pthread_mutex_t mutex; /* guards all below, and what jobs say */
    pthread_cond_t changed;
    engine_job_t *jobs; /* newest first */
    uint32_t n_unfinished, n_threads;
    uint32_t n_admitted;        /* partitions that hold memory */
    reservation_t callers_held; /* memory of the caller's own */
    cuzk_job last_id;
    uint64_t n_jobs_done, n_jobs_failed, n_proofs_done;
};

/** CUZK_ERR_ARG: there is none of that number. The engine's mutex is held. */
cuzk_status engine_find_job(engine_job_t **job, cuzk_engine *engine, cuzk_job id, cuzk_error *err);

/** The thread of a job: runs it to its end. arg is the engine_job_t. */
void *engine_job_main(void *arg);

/** Releases a finished job, which is in no list any more. */
void engine_job_free(engine_job_t *job);

/** Reads and checks the input: job->input and job->facts. When sectors of a PoSt are bad it finds
 *  all of them, and leaves them out where the request wants that; otherwise CUZK_ERR_FORMAT names
 *  them. */
cuzk_status engine_read_input(engine_job_t *job, strand_t *strand, cuzk_error *err);

/** Where a job stands before it has partitions. */
void engine_job_early(engine_job_t *job, cuzk_stage stage);

/** A line for the log; job NULL: about none. */
void engine_log(cuzk_engine *engine, const engine_job_t *job, cuzk_log_level level,
                const char *format, ...) __attribute__((format(printf, 4, 5)));

/** Where a partition of a job (counted from its first) stands now. */
void engine_job_stage(engine_job_t *job, uint32_t partition, cuzk_stage stage);

/** Its synthesis is done. */
void engine_job_synthesized(engine_job_t *job, uint32_t partition);

/** Charges the idle buffers of the device to the ledger, and gives them back when they make it
 *  overrun. */
void engine_settle_idle(cuzk_engine *engine);

/** Takes a partition through its stages; adds to *timings. The thread is not a strand.
 *  CUZK_INVALID_PROOF when the proof failed its own check. */
cuzk_status engine_prove_partition(uint8_t proof[CUZK_PROOF_BYTES], cuzk_timings *timings,
                                   engine_job_t *job, uint32_t partition, cuzk_error *err);

/** Why a proof failed its own check, found out by a check of all points of the parameters; for the
 *  job's thread, when its lanes have ended. CUZK_ERR_FORMAT: the parameters are damaged;
 *  CUZK_ERR_INTERNAL: they are not, or there was no memory for the check; CUZK_ERR_IO;
 * CUZK_CANCELLED and CUZK_ERR_DEADLINE. partition is the number of the one that failed. */
cuzk_status engine_find_damage(engine_job_t *job, uint32_t partition, cuzk_error *err);

/** Bytes of one partition at each of its stages. */
typedef struct {
    uint64_t synthesis, h, msm, peak;
} partition_bytes_t;

partition_bytes_t engine_partition_bytes(const cuzk_engine *engine, const circuit_plan_t *plan);

#endif
