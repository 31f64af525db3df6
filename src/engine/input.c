/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* A job's input: read, checked, and without its bad sectors where that is wanted. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/text.h"
#include "engine/job.h"

static cuzk_status read_and_check(engine_job_t *job, strand_t *strand, cuzk_error *err)
{
    uint64_t since = clock_monotonic_ns();

    engine_job_early(job, CUZK_STAGE_PARSE);
    cuzk_status st = job->kind->open(&job->input, &job->copy.request, strand, err);
    job->timings.parse_s += clock_lap_s(&since);
    if (st != CUZK_OK) return st;
    job->facts = job->kind->facts(job->input);
    engine_job_early(job, CUZK_STAGE_CHECK);
    st = job->kind->check(job->input, &job->copy.request, strand, err);
    job->timings.check_s += clock_lap_s(&since);
    return st;
}

/* "vanilla: 2 of 3 sectors are bad: sector 100: REASON; sector 102: REASON", with as many as there
 * is room for. */
static cuzk_status refuse_bad(const engine_job_t *job, cuzk_error *err)
{
    enum {
        TAIL_BYTES = 40, /* "; and N more" */
        NAME_SHOWN = 200
    };
    const char *given = job->copy.request.input_name;
    char text[sizeof err->text], name[NAME_SHOWN];

    (void)text_shorten(name, sizeof name, given != NULL ? given : "vanilla");
    size_t used = (size_t)snprintf(text, sizeof text, "%s: %zu of %zu sectors are bad", name,
                                   job->n_bad, job->copy.request.n_inputs);

    for (size_t i = 0; i < job->n_bad; i++) {
        const size_t room = sizeof text - used - TAIL_BYTES;
        const int n = snprintf(text + used, room, "%s sector %" PRIu64 ": %s", i == 0 ? ":" : ";",
                               job->bad[i].number, job->bad[i].reason);

        if ((size_t)n >= room) {
            (void)snprintf(text + used, sizeof text - used, "; and %zu more", job->n_bad - i);
            break;
        }
        used += (size_t)n;
    }
    return error_set(err, CUZK_ERR_FORMAT, "%s", text);
}

/* After a refusal, *err: finds all bad sectors. Returns a failure always. */
static cuzk_status find_bad(engine_job_t *job, strand_t *strand, cuzk_error *err)
{
    cuzk_error own;

    if (job->kind->find_bad == NULL) return err->status;
    const cuzk_status st =
        job->kind->find_bad(&job->bad, &job->n_bad, &job->copy.request, strand, &own);
    if (st != CUZK_OK) {
        *err = own;
        return st;
    }
    return job->n_bad > 1 ? refuse_bad(job, err) : err->status;
}

cuzk_status engine_read_input(engine_job_t *job, strand_t *strand, cuzk_error *err)
{
    request_copy_t *copy = &job->copy;
    cuzk_status st = read_and_check(job, strand, err);

    if (st != CUZK_ERR_FORMAT && st != CUZK_ERR_ARG) return st;
    st = find_bad(job, strand, err);
    if (!copy->request.skip_bad || job->n_bad == 0 || job->n_bad == copy->request.n_inputs)
        return st;
    if (job->input != NULL) job->kind->close(job->input);
    job->input = NULL;
    request_leave_out(copy, job->bad, job->n_bad);
    st = read_and_check(job, strand, err);
    return st == CUZK_OK ? st : error_within(err, "without the bad sectors (%zu)", job->n_bad);
}
