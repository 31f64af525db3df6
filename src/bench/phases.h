/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_PHASES_H
#define CUZK_BENCH_PHASES_H

/* The phases of synthesis. They run into each other, so they are told apart by runs that do less
 * of it: a phase is what the run that has it takes more than the one that lacks it. */

#include "bench/counters.h"
#include "bench/stats.h"

/** What a run does. */
typedef enum {
    WORK_PARSE,     /* reads and checks the input again */
    WORK_WITNESS,   /* from the parsed input: the witness alone */
    WORK_ABC,       /* the witness, and a, b, c */
    WORK_ALL,       /* those, and the densities */
    WORK_DENSITIES, /* the densities alone, from the compiled circuit */
    WORKS
} synth_work;

/** "parse", "witness", "abc", "all", "densities". */
extern const char *const work_names[WORKS];

/** Parse and witness are whole works, abc is what WORK_ABC makes more than WORK_WITNESS, and
 *  densities WORK_DENSITIES where there is that, else what WORK_ALL makes more than WORK_ABC. */
typedef enum { PHASE_PARSE, PHASE_WITNESS, PHASE_ABC, PHASE_DENSITIES, PHASES } synth_phase;

/** What is measured besides counters. */
typedef enum {
    METRIC_WALL_S,
    METRIC_CPU_S, /* of all threads */
    METRIC_BYTES_ALLOCATED,
    METRIC_ALLOCATIONS,
    METRIC_PAGE_FAULTS,
    METRIC_PEAK_RSS_BYTES, /* NaN: not known */
    METRICS
} phase_metric;

/** Of a run, of the median run of a work, or of a phase. */
typedef struct {
    double metrics[METRICS];
    counters_t counters; /* without values or missing ones: none were wanted */
} phase_usage_t;

/** All runs of one kind of work. Zeroed is empty. */
typedef struct {
    uint32_t n;
    double metrics[METRICS][STATS_MAX_RUNS];
    double counts[COUNTERS_MAX][STATS_MAX_RUNS];
    counters_t counters; /* names, and the least shares */
} work_runs_t;

/** At most STATS_MAX_RUNS; all with the same set of counters or all without. */
void work_runs_add(work_runs_t *runs, const phase_usage_t *run);

/** Medians, each by itself; runs->n >= 1. A counter that a run lacks is among the missing. */
void work_runs_median(phase_usage_t *median, const work_runs_t *runs);

typedef struct {
    bool measured, simulated; /* which of the arrays there are */
    phase_usage_t usage[PHASES];
    counters_t simulations[PHASES];
} phases_t;

/** Fills phases->usage and sets measured. densities_alone: there is WORK_DENSITIES, else it is not
 *  looked at. Peaks are those of the works, which can't be taken apart. */
void phases_set_usage(phases_t *phases, const phase_usage_t works[WORKS], bool densities_alone);

/** Likewise of simulated counters. */
void phases_set_simulations(phases_t *phases, const counters_t works[WORKS], bool densities_alone);

/** A member for each phase there is. */
void phases_write(json_writer_t *w, const phases_t *phases, uint64_t n_constraints);

/** As tables, to standard output. */
void phases_print(const phases_t *phases, uint64_t n_constraints);

#endif
