/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "status/snapshot.h"

#include <stdlib.h>
#include <string.h>

/* From a WinningPoSt's milliseconds to a PoRep's minutes. */
const double snapshot_bounds_s[SNAPSHOT_BUCKETS - 1] = {0.01, 0.05, 0.1, 0.25, 0.5, 1,   2.5, 5,
                                                        15,   30,   60,  120,  300, 900, 3600};

static const struct {
    const char *label, *name;
} kinds[SNAPSHOT_KINDS] = {
    {"porep_c2", "porep-c2"},
    {"snap_update", "snap-update"},
    {"window_post", "window-post"},
    {"winning_post", "winning-post"},
};

const char *snapshot_kind_label(cuzk_kind kind)
{
    return kind >= CUZK_POREP && kind <= CUZK_WINNING_POST ? kinds[kind - 1].label : "unknown";
}

const char *snapshot_kind_name(cuzk_kind kind)
{
    return kind >= CUZK_POREP && kind <= CUZK_WINNING_POST ? kinds[kind - 1].name : "unknown";
}

const char *snapshot_priority_name(cuzk_priority priority)
{
    switch (priority) {
    case CUZK_PRIORITY_LOW:
        return "low";
    case CUZK_PRIORITY_NORMAL:
        return "normal";
    case CUZK_PRIORITY_HIGH:
        return "high";
    case CUZK_PRIORITY_CRITICAL:
        return "critical";
    case CUZK_PRIORITY_DEFAULT:
        break;
    }
    return "default";
}

const char *snapshot_job_state_name(job_state state)
{
    switch (state) {
    case JOB_PENDING:
        return "pending";
    case JOB_RUNNING:
        return "running";
    case JOB_COMPLETED:
        return "completed";
    case JOB_FAILED:
        return "failed";
    case JOB_CANCELLED:
        return "cancelled";
    case JOB_TIMED_OUT:
        return "timeout";
    }
    return "unknown";
}

const char *snapshot_partition_state_name(partition_state state)
{
    switch (state) {
    case PARTITION_PENDING:
        return "pending";
    case PARTITION_SYNTHESIZING:
        return "synthesizing";
    case PARTITION_SYNTH_DONE:
        return "synth_done";
    case PARTITION_GPU:
        return "gpu";
    case PARTITION_DONE:
        return "done";
    case PARTITION_FAILED:
        return "failed";
    }
    return "unknown";
}

bool snapshot_job_has_ended(const snapshot_job_t *job)
{
    return job->state != JOB_PENDING && job->state != JOB_RUNNING;
}

bool snapshot_job_is_waiting(const snapshot_job_t *job)
{
    return !snapshot_job_has_ended(job) && job->begin_s < 0;
}

double snapshot_oldest_wait_s(const snapshot_t *snapshot, cuzk_kind kind)
{
    double oldest = -1;

    for (size_t i = 0; i < snapshot->n_jobs; i++) {
        const snapshot_job_t *job = &snapshot->jobs[i];

        if (job->kind == kind && snapshot_job_is_waiting(job) && job->accepted_ago_s > oldest)
            oldest = job->accepted_ago_s;
    }
    return oldest;
}

snapshot_totals_t snapshot_totals(const snapshot_t *snapshot)
{
    snapshot_totals_t totals = {0};

    for (int i = 0; i < SNAPSHOT_KINDS; i++) {
        const snapshot_kind_t *kind = &snapshot->kinds[i];

        totals.pending += kind->pending;
        totals.in_progress += kind->in_progress;
        totals.completed += kind->completed;
        totals.failed += kind->failed;
    }
    return totals;
}

void snapshot_histogram_add(snapshot_histogram_t *histogram, double seconds)
{
    size_t i = 0;

    while (i < SNAPSHOT_BUCKETS - 1 && seconds > snapshot_bounds_s[i]) i++;
    histogram->counts[i]++;
    histogram->count++;
    histogram->sum += seconds;
}

void snapshot_clear(snapshot_t *snapshot)
{
    free(snapshot->jobs);
    free(snapshot->partitions);
    free(snapshot->params);
    free(snapshot->workers);
    memset(snapshot, 0, sizeof *snapshot);
}
