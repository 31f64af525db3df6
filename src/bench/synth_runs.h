/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_SYNTH_RUNS_H
#define CUZK_BENCH_SYNTH_RUNS_H

/* The runs behind synth-only, and their report. */

#include "bench/alloc_count.h"
#include "bench/child.h"
#include "bench/synth.h"

typedef enum { COUNT_PERF, COUNT_NONE, COUNT_CACHEGRIND } count_mode;

/** What is run. */
typedef struct {
    synth_variant_t variant;
    synth_work work; /* of the clocked iterations */
    count_mode count;
    uint32_t warm_up;    /* runs before the clocked ones */
    uint32_t iterations; /* also of each work that phases are told apart by */
    bool phases;
    bool digests;
    child_args_t child; /* COUNT_CACHEGRIND: the command to simulate, without a work */
} synth_plan_t;

/** What the runs gave. */
typedef struct {
    measure_t m;             /* without its counters */
    counters_t counters;     /* a run's, unless COUNT_NONE */
    alloc_count_t allocated; /* by a run; none without a warm-up, where it is counted */
    uint64_t peak_rss;       /* of the process, to the end of the clocked iterations */
    circuit_counts_t counts; /* 0 when nothing has told them */
    bool has_bits;           /* a witness was made */
    uint64_t bits;           /* auxiliary variables that are bits */
    synth_digests_t digests; /* of the last run, when wanted */
    counters_t simulated;    /* COUNT_CACHEGRIND */
    phases_t phases;         /* when wanted */
} synth_result_t;

/** The warm-up, the clocked iterations, the runs that phases need, the simulation. */
cuzk_status synth_measure(synth_result_t *result, const synth_t *synth, const synth_plan_t *plan,
                          cuzk_error *err);

/** The result as the line of JSON or as text, to standard output. */
void synth_report_json(const synth_result_t *result, const synth_t *synth,
                       const synth_plan_t *plan);
void synth_report_text(const synth_result_t *result, const synth_t *synth,
                       const synth_plan_t *plan);

/** "generic", "stamped", "pce". */
extern const char *const synth_path_names[3];

#endif
