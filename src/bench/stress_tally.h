/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_STRESS_TALLY_H
#define CUZK_BENCH_STRESS_TALLY_H

/* What became of the jobs of a stress run. Thread-safe. */

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "codec/json_write.h"

/** How a job ended. Every job but the first two was accepted. */
typedef enum {
    END_OPEN,    /* not begun, or the run was interrupted */
    END_REFUSED, /* rightly */
    END_COMPLETED,
    END_FAILED,    /* the daemon says so */
    END_CANCELLED, /* as was asked for */
    END_LOST,      /* its end cannot be learned */
    END_WRONG      /* a proof that is not valid, a good request refused, a bad one taken ... */
} stress_end;

enum { STRESS_ENDS = END_WRONG + 1, STRESS_TEXTS = 8 };

/** A WinningPoSt in seconds of the run. */
typedef struct {
    double accepted_s;
    double wait_s; /* until work on it began: queue_wait_ms of the answer */
    double end_s;
    bool is_judged; /* else it only was at work, and others may have waited for it */
} winning_span_t;

typedef struct {
    pthread_mutex_t mutex;
    uint64_t begun;
    uint64_t ends[STRESS_ENDS];
    uint64_t busy, reconnects; /* calls made again: too much was waiting; no daemon was there */
    uint64_t budget_bytes, peak_bytes, peak_resident_bytes; /* by its metrics */
    winning_span_t *spans;
    size_t n_spans, room;
    char texts[STRESS_TEXTS][CUZK_ERROR_TEXT_BYTES]; /* why, of the first that failed, were lost or
                                                    wrong */
    uint32_t n_texts;
} stress_tally_t;

void stress_tally_init(stress_tally_t *tally);
void stress_tally_clear(stress_tally_t *tally);

void stress_tally_begin(stress_tally_t *tally);

/** why: NULL, or what is told of an end that should not be. */
void stress_tally_end(stress_tally_t *tally, stress_end end, const char *why);

/** A job that was counted as completed turned out otherwise. */
void stress_tally_change(stress_tally_t *tally, stress_end end, const char *why);

void stress_tally_repeat(stress_tally_t *tally, bool is_busy);

/** Without memory the span is not kept. */
void stress_tally_winning(stress_tally_t *tally, const winning_span_t *span);

/** The largest of what several looks at the metrics say. */
void stress_tally_metrics(stress_tally_t *tally, const char *prometheus_text);

/** The 99th percentile (the smallest value that 99% do not exceed) in seconds, 0 without spans:
 *  of the wait, or (others_only) of what is left of it without the time in which a WinningPoSt that
 *  was accepted earlier was at work. */
double stress_tally_wait_p99_s(const stress_tally_t *tally, bool others_only);

/** CUZK_OK when nothing failed, was lost or wrong; else CUZK_INVALID_PROOF when something was
 *  wrong, or CUZK_ERR_INTERNAL. */
cuzk_status stress_tally_verdict(const stress_tally_t *tally, cuzk_error *err);

/** Members: counts, waits, memory, texts. */
void stress_tally_write(json_writer_t *w, const stress_tally_t *tally);

#endif
