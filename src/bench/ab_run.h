/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_AB_RUN_H
#define CUZK_BENCH_AB_RUN_H

/* Both sides of an A/B measurement, run and run again by turns. Each run is a process of its own,
 * so that it begins with fresh memory. */

#include "bench/ab_config.h"
#include "bench/ab_program.h"
#include "bench/counters.h"
#include "bench/stats.h"

enum { AB_MAX_RUNS = 100, AB_RESULT_BYTES = 512, AB_NAME_BYTES = 48, AB_DIGEST_BYTES = 72 };

typedef struct {
    char name[AB_NAME_BYTES];
    double value;
} ab_counter_t;

typedef struct {
    ab_counter_t rows[COUNTERS_MAX];
    uint32_t n;
} ab_counters_t;

/** Events that were not counted. */
typedef struct {
    char names[COUNTERS_MAX][AB_NAME_BYTES];
    char whys[COUNTERS_MAX][COUNTERS_WHY_BYTES];
    uint32_t n;
} ab_missing_t;

/** What one run of a command told in its last line. */
typedef struct {
    double wall_s, cpu_s;
    uint64_t threads;
    char version[AB_VERSION_BYTES];     /* program and kernels */
    char commit[AB_COMMIT_BYTES];       /* empty: not told */
    char result[AB_RESULT_BYTES];       /* empty: not told */
    char input_sha256[AB_DIGEST_BYTES]; /* empty: the command makes its input */
    ab_counters_t counters; /* with allocations and bytes-allocated where the command counts them */
    ab_counters_t simulated;
    ab_missing_t missing;
} ab_sample_t;

typedef struct {
    const char *letter; /* "A", "B" */
    ab_config_t config;
    ab_program_t program;
    ab_sample_t *samples; /* one for each run */
    ab_counters_t simulated;
} ab_side_t;

typedef struct {
    child_args_t command; /* the measured command's words */
    ab_subject subject;
    uint32_t runs, warm_up;
    bool simulate; /* one more run a side under cachegrind (synth-only) */
    ab_side_t a, b;
} ab_t;

/** Reads the last line of a command's output; text[length] may be written to, and 64 zero bytes
 *  follow it. is_other: the line is of another build, which may not tell threads, version and
 *  result. CUZK_ERR_FORMAT. */
cuzk_status ab_sample_read(ab_sample_t *sample, uint8_t *text, size_t length, bool is_other,
                           cuzk_error *err);

/** Runs everything; ab_clear() releases the samples, also after an error. A side that computes
 *  something else than the other is CUZK_ERR_INTERNAL, a command that doesn't tell what it computed
 *  CUZK_ERR_ARG, unless it is another build's. CUZK_ERR_ARG, too, when a side's program becomes one
 *  of another commit meanwhile. Progress goes to standard error. */
cuzk_status ab_run(ab_t *ab, cuzk_error *err);
void ab_clear(ab_t *ab);

/** Whether both sides tell what they computed; they then computed the same. */
bool ab_results_compared(const ab_t *ab);

/** The median over a side's runs of a counter, NaN when one of them has it not. */
double ab_counter_median(const ab_side_t *side, uint32_t runs, const char *name);

/** The value of a row, or NaN. */
double ab_counters_value(const ab_counters_t *counters, const char *name);

#endif
