/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"

enum { LINE_BYTES = 160, USUAL_COLUMNS = 80, LEAST_COLUMNS = 2 };

#define REDRAW_NS ((uint64_t)100000000)

void progress_init(progress_t *progress, bool wanted)
{
    *progress = (progress_t){.is_on = wanted && isatty(STDERR_FILENO) == 1};
}

/* One column stays free, or the terminal would begin a new line. */
static uint32_t usable_columns(void)
{
    struct winsize size;

    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return USUAL_COLUMNS - 1;
    return size.ws_col < LEAST_COLUMNS ? 1 : size.ws_col - 1u;
}

/* Text over what the line has, with blanks over the rest of it. */
static void draw(progress_t *progress, const char *text, uint32_t length)
{
    const uint32_t columns = usable_columns();
    const uint32_t shown = length < columns ? length : columns;
    const uint32_t old = progress->drawn < columns ? progress->drawn : columns;
    const uint32_t blanks = old > shown ? old - shown : 0;

    (void)fprintf(stderr, "\r%.*s%*s", (int)shown, text, (int)blanks, "");
    if (length == 0) (void)fputc('\r', stderr);
    progress->drawn = shown;
}

void progress_say(progress_t *progress, const char *format, ...)
{
    const uint64_t now_ns = progress->is_on ? clock_monotonic_ns() : 0;
    char text[LINE_BYTES];
    va_list args;

    if (!progress->is_on) return;
    if (progress->drawn > 0 && now_ns - progress->drawn_ns < REDRAW_NS) return;
    va_start(args, format);
    const int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (length <= 0) return;
    progress->drawn_ns = now_ns;
    draw(progress, text, length < LINE_BYTES ? (uint32_t)length : LINE_BYTES - 1);
}

void progress_end(progress_t *progress)
{
    if (progress->drawn > 0) draw(progress, "", 0);
}

/* ", 3 min left", or nothing when that is not known. */
static const char *time_left(char text[48], double seconds)
{
    const unsigned long long s = (unsigned long long)(seconds > 0 ? seconds + 0.5 : 0);

    if (s == 0)
        text[0] = '\0';
    else if (s < 100)
        (void)snprintf(text, 48, ", %llu s left", s);
    else if (s < 6000)
        (void)snprintf(text, 48, ", %llu min left", (s + 30) / 60);
    else
        (void)snprintf(text, 48, ", %llu h %02llu min left", s / 3600, s / 60 % 60);
    return text;
}

/* Whole percents, of a share that may lie a rounding error below one. */
static unsigned percent(double share)
{
    return (unsigned)(100 * share + 1e-6);
}

void progress_count(progress_t *progress, const char *what, uint64_t done, uint64_t total)
{
    const double fraction = total > 0 ? (double)done / (double)total : 0;
    char left[48];

    if (!progress->is_on) return;
    if (progress->part != what) {
        progress->part = what;
        progress->part_ns = clock_monotonic_ns();
    }
    const double taken_s = clock_seconds_between(progress->part_ns, clock_monotonic_ns());
    progress_say(progress, "%s: %u%%%s", what, percent(fraction),
                 time_left(left, fraction > 0 ? taken_s * (1 - fraction) / fraction : 0));
}

/* ---- jobs -------------------------------------------------------------------------------------
 */

/* Where in the work of a partition each stage begins: about as on processors with vector kernels.
 */
static const double begins[CUZK_STAGES] = {[CUZK_STAGE_H] = 0.06,
                                           [CUZK_STAGE_MSM] = 0.18,
                                           [CUZK_STAGE_VERIFY] = 0.995,
                                           [CUZK_STAGE_DONE] = 1};

/* The share of a job that is done by now, as its clock says: between what surely is done and what
 * surely is not. *left_s: 0 when there is nothing to tell it from. */
static double share_done(double *left_s, const job_progress_t *job, double now_s)
{
    *left_s = 0;
    if (job->fraction <= 0) return 0;
    const double total_s = (job->at_s - job->since_s) / job->fraction;
    const double share = (now_s - job->since_s) / total_s;

    if (share >= job->end) return job->end; /* it takes longer than the stages before let think */
    *left_s = total_s * (1 - share);
    return share;
}

void progress_job(job_progress_t *job, const cuzk_progress *now, uint32_t first_partition)
{
    const bool has_begun = now->n_partitions > 0 && now->stage >= CUZK_STAGE_SYNTHESIS;
    const double n = now->n_partitions;
    char left[48];
    double left_s;

    if (now->stage >= CUZK_STAGE_DONE) return;
    if (!has_begun && now->partitions_done == 0) {
        progress_say(job->line, "%s", cuzk_stage_name(now->stage));
        return;
    }
    if (job->since_s <= 0) job->since_s = job->at_s = now->seconds;
    const double fraction = (now->partitions_done + begins[now->stage]) / n;
    job->end = has_begun ? (now->partitions_done + begins[now->stage + 1]) / n : fraction;
    if (fraction > job->fraction) {
        job->fraction = fraction;
        job->at_s = now->seconds;
    }
    const double share = share_done(&left_s, job, now->seconds);
    progress_say(job->line, "%s, partition %u of %u, %u%%%s", cuzk_stage_name(now->stage),
                 now->partition - first_partition + 1, now->n_partitions, percent(share),
                 time_left(left, left_s));
}
