/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_STATUS_SNAPSHOT_H
#define CUZK_STATUS_SNAPSHOT_H

/* Everything that is seen of a daemon at one moment: what /status, /metrics, GetStatus and the
 * status page show. Plain values, of one allocation each list; nothing in it is shared. */

#include <stdbool.h>

#include "cuzk/cuzk.h"

enum { SNAPSHOT_KINDS = 4, SNAPSHOT_BUCKETS = 16, SNAPSHOT_REASON_BYTES = 256 };

typedef enum {
    PARTITION_PENDING,
    PARTITION_SYNTHESIZING,
    PARTITION_SYNTH_DONE, /* waiting for a device */
    PARTITION_GPU,        /* transforms, multiplications, check */
    PARTITION_DONE,
    PARTITION_FAILED
} partition_state;

typedef enum {
    JOB_PENDING, /* accepted, no partition begun */
    JOB_RUNNING,
    JOB_COMPLETED,
    JOB_FAILED,
    JOB_CANCELLED,
    JOB_TIMED_OUT
} job_state;

/** Times are seconds from the job's acceptance on; negative: not yet. */
typedef struct {
    uint32_t index;
    partition_state state;
    double synth_begin_s, synth_end_s, gpu_begin_s, gpu_end_s;
} snapshot_partition_t;

typedef struct {
    char id[33];
    char request_id[257];
    cuzk_kind kind;
    cuzk_priority priority;
    job_state state;
    uint64_t miner_id, sector_number;
    double accepted_ago_s;
    double begin_s; /* when its first partition began, from its acceptance on; negative: not yet */
    double ended_ago_s;
    uint64_t bytes;     /* reserved for it now */
    uint32_t n_retries; /* partitions that were tried again */
    char retry_reason[SNAPSHOT_REASON_BYTES];
    char error[SNAPSHOT_REASON_BYTES];
    snapshot_partition_t *partitions; /* a part of snapshot_t.partitions */
    uint32_t n_partitions, partitions_done;
} snapshot_job_t;

/** Open parameters of a circuit. */
typedef struct {
    char circuit[32];
    uint64_t srs_bytes, plan_bytes;
    uint32_t users; /* jobs */
    double last_used_ago_s;
} snapshot_params_t;

/** A seat of a device: what it proves now. */
typedef struct {
    uint32_t id, device;
    bool is_busy;
    char job[33];
    cuzk_kind kind;
    uint32_t partition;
    double busy_s;
} snapshot_worker_t;

/** Values that came, by buckets: counts[i] of those at most bounds[i], not cumulated; the last
 *  bound is infinite. */
typedef struct {
    uint64_t counts[SNAPSHOT_BUCKETS];
    uint64_t count;
    double sum;
} snapshot_histogram_t;

/** Upper bounds of the buckets, in seconds; SNAPSHOT_BUCKETS - 1 of them. */
extern const double snapshot_bounds_s[SNAPSHOT_BUCKETS - 1];

/** Of one kind, at kind - 1 in lists. */
typedef struct {
    uint32_t pending, in_progress;
    uint64_t completed, failed, cancelled, timed_out, refused, retried;
    snapshot_histogram_t duration_s; /* from acceptance to the proof */
    snapshot_histogram_t wait_s;     /* from acceptance to the first partition */
} snapshot_kind_t;

typedef struct {
    double uptime_s;
    const char *version;
    char address[256]; /* of the gRPC server */
    bool is_draining;

    uint64_t budget_bytes, reserved_bytes, peak_bytes; /* of the engine's ledger */
    uint64_t job_bytes, params_bytes, idle_bytes;      /* its parts */
    uint64_t resident_bytes;                           /* of the process, by the kernel */
    uint64_t system_available_bytes;
    uint32_t threads;
    uint32_t synthesis_max, synthesis_active;

    uint64_t connections, calls, store_bytes;
    snapshot_kind_t kinds[SNAPSHOT_KINDS];
    snapshot_job_t *jobs; /* not ended ones in the order of work, then the last that ended */
    size_t n_jobs;
    snapshot_partition_t *partitions; /* of all jobs */
    snapshot_params_t *params;
    size_t n_params;
    snapshot_worker_t *workers;
    size_t n_workers;
} snapshot_t;

/** The public names of a kind: "porep_c2", "snap_update", "window_post", "winning_post" as a label
 * of metrics; with hyphens, "porep-c2" ..., in /status. "unknown" for any other number. */
const char *snapshot_kind_label(cuzk_kind kind);
const char *snapshot_kind_name(cuzk_kind kind);

/** "low", "normal", "high", "critical"; "default" for any other number. */
const char *snapshot_priority_name(cuzk_priority priority);

/** "pending", "running", "completed", "failed", "cancelled", "timeout". */
const char *snapshot_job_state_name(job_state state);

/** "pending", "synthesizing", "synth_done", "gpu", "done", "failed". */
const char *snapshot_partition_state_name(partition_state state);

/** Whether a job is done with, however it ended. */
bool snapshot_job_has_ended(const snapshot_job_t *job);

/** Whether it was accepted and no partition of it has begun. */
bool snapshot_job_is_waiting(const snapshot_job_t *job);

/** How long the oldest waiting job of a kind has waited, in seconds; negative: none waits. */
double snapshot_oldest_wait_s(const snapshot_t *snapshot, cuzk_kind kind);

/** Sums over all kinds. */
typedef struct {
    uint64_t pending, in_progress, completed, failed;
} snapshot_totals_t;

snapshot_totals_t snapshot_totals(const snapshot_t *snapshot);

void snapshot_histogram_add(snapshot_histogram_t *histogram, double seconds);

/** Releases the lists; harmless on a zeroed object. */
void snapshot_clear(snapshot_t *snapshot);

#endif
