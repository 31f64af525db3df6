/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/stress_tally.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void stress_tally_init(stress_tally_t *tally)
{
    *tally = (stress_tally_t){.begun = 0};
    (void)pthread_mutex_init(&tally->mutex, NULL);
}

void stress_tally_clear(stress_tally_t *tally)
{
    (void)pthread_mutex_destroy(&tally->mutex);
    free(tally->spans);
}

/* ---- counting ----------------------------------------------------------------------------------
 */

void stress_tally_begin(stress_tally_t *tally)
{
    (void)pthread_mutex_lock(&tally->mutex);
    tally->begun++;
    (void)pthread_mutex_unlock(&tally->mutex);
}

static void note(stress_tally_t *tally, const char *why)
{
    if (why == NULL || tally->n_texts == STRESS_TEXTS) return;
    (void)snprintf(tally->texts[tally->n_texts++], CUZK_ERROR_TEXT_BYTES, "%s", why);
}

void stress_tally_end(stress_tally_t *tally, stress_end end, const char *why)
{
    (void)pthread_mutex_lock(&tally->mutex);
    tally->ends[end]++;
    note(tally, why);
    (void)pthread_mutex_unlock(&tally->mutex);
}

void stress_tally_change(stress_tally_t *tally, stress_end end, const char *why)
{
    (void)pthread_mutex_lock(&tally->mutex);
    tally->ends[END_COMPLETED]--;
    tally->ends[end]++;
    note(tally, why);
    (void)pthread_mutex_unlock(&tally->mutex);
}

void stress_tally_repeat(stress_tally_t *tally, bool is_busy)
{
    (void)pthread_mutex_lock(&tally->mutex);
    tally->busy += is_busy;
    tally->reconnects += !is_busy;
    (void)pthread_mutex_unlock(&tally->mutex);
}

void stress_tally_winning(stress_tally_t *tally, const winning_span_t *span)
{
    (void)pthread_mutex_lock(&tally->mutex);
    if (tally->n_spans == tally->room) {
        const size_t room = tally->room == 0 ? 256 : 2 * tally->room;
        winning_span_t *spans = realloc(tally->spans, room * sizeof *spans);

        if (spans != NULL) {
            tally->spans = spans;
            tally->room = room;
        }
    }
    if (tally->n_spans < tally->room) tally->spans[tally->n_spans++] = *span;
    (void)pthread_mutex_unlock(&tally->mutex);
}

/* The value of a metric without labels, 0 when it is not there. */
static uint64_t metric(const char *text, const char *name)
{
    const size_t length = strlen(name);

    for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, length) != 0 || line[length] != ' ') continue;
        const double value = strtod(line + length + 1, NULL);
        return value > 0 && value < 1e19 ? (uint64_t)value : 0;
    }
    return 0;
}

static void raise_to(uint64_t *most, uint64_t value)
{
    if (value > *most) *most = value;
}

void stress_tally_metrics(stress_tally_t *tally, const char *prometheus_text)
{
    (void)pthread_mutex_lock(&tally->mutex);
    raise_to(&tally->budget_bytes, metric(prometheus_text, "cuzk_memory_budget_bytes"));
    raise_to(&tally->peak_bytes, metric(prometheus_text, "cuzk_memory_peak_bytes"));
    raise_to(&tally->peak_resident_bytes, metric(prometheus_text, "cuzk_memory_resident_bytes"));
    (void)pthread_mutex_unlock(&tally->mutex);
}

/* ---- waits of WinningPoSts ---------------------------------------------------------------------
 */

/* Moments are told from the answers' arrival, which a busy machine delays: of two that were
 * accepted that close to each other either may have been first. */
#define SAME_MOMENT_S 0.05

/* By the moment at which work began. */
static int by_begin(const void *a, const void *b)
{
    const winning_span_t *x = a, *y = b;
    const double begin_x = x->accepted_s + x->wait_s, begin_y = y->accepted_s + y->wait_s;

    return (begin_x > begin_y) - (begin_x < begin_y);
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* How much of a span's wait no earlier WinningPoSt was at work in; spans are sorted by_begin. */
static double wait_for_others_s(const winning_span_t *span, const winning_span_t *spans, size_t n)
{
    const double end_s = span->accepted_s + span->wait_s;
    double at_s = span->accepted_s; /* up to here it is accounted for */
    double left_s = 0;

    for (size_t i = 0; i < n && at_s < end_s; i++) {
        const double begin_s = spans[i].accepted_s + spans[i].wait_s;

        if (&spans[i] == span || spans[i].accepted_s > span->accepted_s + SAME_MOMENT_S) continue;
        if (spans[i].end_s <= at_s) continue;
        if (begin_s >= end_s) break;
        if (begin_s > at_s) left_s += begin_s - at_s;
        at_s = spans[i].end_s;
    }
    return at_s < end_s ? left_s + (end_s - at_s) : left_s;
}

double stress_tally_wait_p99_s(const stress_tally_t *tally, bool others_only)
{
    const size_t n = tally->n_spans;
    double *values = malloc((n + 1) * sizeof *values);
    winning_span_t *spans = malloc((n + 1) * sizeof *spans);
    double p99_s = 0;
    size_t judged = 0;

    if (values != NULL && spans != NULL && n > 0) {
        memcpy(spans, tally->spans, n * sizeof *spans);
        qsort(spans, n, sizeof *spans, by_begin);
        for (size_t i = 0; i < n; i++)
            if (spans[i].is_judged)
                values[judged++] =
                    others_only ? wait_for_others_s(&spans[i], spans, n) : spans[i].wait_s;
    }
    if (judged > 0) {
        qsort(values, judged, sizeof *values, by_value);
        p99_s = values[(size_t)ceil(0.99 * (double)judged) - 1];
    }
    free(values);
    free(spans);
    return p99_s;
}

/* ---- the report --------------------------------------------------------------------------------
 */

cuzk_status stress_tally_verdict(const stress_tally_t *tally, cuzk_error *err)
{
    const uint64_t *n = tally->ends;

    if (n[END_WRONG] + n[END_LOST] + n[END_FAILED] == 0) return CUZK_OK;
    return error_set(err, n[END_WRONG] > 0 ? CUZK_INVALID_PROOF : CUZK_ERR_INTERNAL,
                     "%llu failed, %llu lost, %llu wrong; the first: %s",
                     (unsigned long long)n[END_FAILED], (unsigned long long)n[END_LOST],
                     (unsigned long long)n[END_WRONG], tally->n_texts > 0 ? tally->texts[0] : "");
}

static uint64_t count_judged(const stress_tally_t *tally)
{
    uint64_t n = 0;

    for (size_t i = 0; i < tally->n_spans; i++) n += tally->spans[i].is_judged;
    return n;
}

/* In steps of a microsecond. */
static double wait_p99_ms(const stress_tally_t *tally, bool others_only)
{
    return round(1e6 * stress_tally_wait_p99_s(tally, others_only)) / 1e3;
}

void stress_tally_write(json_writer_t *w, const stress_tally_t *tally)
{
    const uint64_t *n = tally->ends;

    json_write_u64(w, "submitted", tally->begun);
    json_write_u64(w, "accepted",
                   n[END_COMPLETED] + n[END_FAILED] + n[END_CANCELLED] + n[END_LOST] +
                       n[END_WRONG]);
    json_write_u64(w, "completed", n[END_COMPLETED]);
    json_write_u64(w, "failed", n[END_FAILED]);
    json_write_u64(w, "cancelled", n[END_CANCELLED]);
    json_write_u64(w, "lost", n[END_LOST]);
    json_write_u64(w, "wrong", n[END_WRONG]);
    json_write_u64(w, "refused", n[END_REFUSED]);
    json_write_u64(w, "busy_repeats", tally->busy);
    json_write_u64(w, "reconnects", tally->reconnects);
    json_write_u64(w, "winnings", count_judged(tally));
    json_write_double(w, "winning_wait_p99_ms", wait_p99_ms(tally, true));
    json_write_double(w, "winning_queue_wait_p99_ms", wait_p99_ms(tally, false));
    json_write_u64(w, "peak_bytes", tally->peak_bytes);
    json_write_u64(w, "budget_bytes", tally->budget_bytes);
    json_write_u64(w, "peak_resident_bytes", tally->peak_resident_bytes);
    json_write_array(w, "why");
    for (uint32_t i = 0; i < tally->n_texts; i++) json_write_string(w, NULL, tally->texts[i]);
    json_write_end(w);
}
