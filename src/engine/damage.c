/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* Whose fault it is that a proof failed its own check: points of the parameters are not looked at
 * when they are read, for that costs more than the proof; now they are. */

#include <string.h>

#include "engine/engine.h"
#include "engine/job.h"

/* All points, as a strand of the job that holds no other memory. */
static cuzk_status check_points(engine_job_t *job, cuzk_error *err)
{
    cuzk_engine *engine = job->engine;
    const srs_check_t how = {.subgroup = true};
    const ledger_wish_t wish = {.bytes = srs_check_bytes(job->srs, executor_size(engine->executor)),
                                .rank = job->rank,
                                .cancel = &job->cancel,
                                .what = "a check of the parameters"};
    reservation_t held = {0};
    strand_t strand;

    cuzk_status st = ledger_reserve(&held, engine->ledger, &wish, err);
    if (st != CUZK_OK) return st;
    strand_begin(&strand, engine->executor, &job->rank, &job->cancel);
    st = srs_check_points(job->srs, &how, &strand, err);
    strand_end(&strand);
    ledger_release(&held);
    return st;
}

/* What the check says behind the name of the file. */
static const char *finding(const cuzk_error *found, const char *path)
{
    const size_t n = strlen(path);

    return strncmp(found->text, path, n) == 0 && strncmp(found->text + n, ": ", 2) == 0
               ? found->text + n + 2
               : found->text;
}

cuzk_status engine_find_damage(engine_job_t *job, uint32_t partition, cuzk_error *err)
{
    const char *path = job->srs->path;
    cuzk_error found;

    engine_log(job->engine, job, CUZK_LOG_WARNING,
               "partition %u: the proof failed its own check; now every point of %s is checked",
               partition, path);
    const cuzk_status st = check_points(job, &found);
    if (st == CUZK_ERR_FORMAT)
        return error_set(err, st,
                         "parameters are damaged: run cuzk params check %s (%s; the proof of "
                         "partition %u failed its own check)",
                         path, finding(&found, path), partition);
    if (st == CUZK_OK)
        return error_set(err, CUZK_ERR_INTERNAL,
                         "partition %u: the proof failed its own check, though each point of the "
                         "parameters is a good one (a fault of this machine, or points of another "
                         "setup): %s",
                         partition, path);
    if (st == CUZK_ERR_MEMORY || st == CUZK_ERR_BUDGET)
        return error_set(err, CUZK_ERR_INTERNAL,
                         "partition %u: the proof failed its own check (a fault of this machine, "
                         "or damaged parameters: run cuzk params check %s)",
                         partition, path);
    *err = found;
    return st;
}
