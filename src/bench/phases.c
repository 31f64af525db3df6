/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/phases.h"

#include <math.h>
#include <stdio.h>

const char *const work_names[WORKS] = {"parse", "witness", "abc", "all", "densities"};

static const char *const phase_names[PHASES] = {"parse", "witness", "abc", "densities"};

static const char *const metric_names[METRICS] = {"wall_s",      "cpu_s",       "bytes_allocated",
                                                  "allocations", "page_faults", "peak_rss_bytes"};

void work_runs_add(work_runs_t *runs, const phase_usage_t *run)
{
    const uint32_t k = runs->n++;
    counters_t *known = &runs->counters;

    if (k == 0) *known = run->counters;
    for (int m = 0; m < METRICS; m++) runs->metrics[m][k] = run->metrics[m];
    for (uint32_t i = 0; i < known->n_values; i++) {
        const counter_value_t *v = counters_find(&run->counters, known->values[i].name);

        runs->counts[i][k] = v != NULL ? v->value : (double)NAN;
        if (v != NULL && v->share < known->values[i].share) known->values[i].share = v->share;
    }
}

/* The median, or NaN when one of the values is. */
static double median_if_all(const double *values, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (isnan(values[i])) return (double)NAN;
    return median(values, n);
}

void work_runs_median(phase_usage_t *r, const work_runs_t *runs)
{
    r->counters = runs->counters;
    for (int m = 0; m < METRICS; m++) r->metrics[m] = median_if_all(runs->metrics[m], runs->n);
    for (uint32_t i = 0; i < r->counters.n_values; i++)
        r->counters.values[i].value = median_if_all(runs->counts[i], runs->n);
    counters_drop_unknown(&r->counters);
}

/* The work that has a phase, and the one that lacks it; WORKS: there is nothing to take off. */
typedef struct {
    synth_work with, without;
} phase_works_t;

static phase_works_t works_of(int phase, bool densities_alone)
{
    static const phase_works_t rows[PHASES] = {
        {WORK_PARSE, WORKS}, {WORK_WITNESS, WORKS}, {WORK_ABC, WORK_WITNESS}, {WORK_ALL, WORK_ABC}};

    if (phase == PHASE_DENSITIES && densities_alone) return (phase_works_t){WORK_DENSITIES, WORKS};
    return rows[phase];
}

void phases_set_usage(phases_t *phases, const phase_usage_t works[WORKS], bool densities_alone)
{
    for (int p = 0; p < PHASES; p++) {
        const phase_works_t of = works_of(p, densities_alone);
        phase_usage_t *r = &phases->usage[p];

        *r = works[of.with];
        if (of.without == WORKS) continue;
        for (int m = 0; m < METRIC_PEAK_RSS_BYTES; m++)
            r->metrics[m] -= works[of.without].metrics[m];
        counters_subtract(&r->counters, &works[of.without].counters);
    }
    phases->measured = true;
}

void phases_set_simulations(phases_t *phases, const counters_t works[WORKS], bool densities_alone)
{
    for (int p = 0; p < PHASES; p++) {
        const phase_works_t of = works_of(p, densities_alone);

        phases->simulations[p] = works[of.with];
        if (of.without != WORKS) counters_subtract(&phases->simulations[p], &works[of.without]);
    }
    phases->simulated = true;
}

/* NaN when the phase took no time that could be seen. */
static double rate(const phase_usage_t *usage, uint64_t n_constraints)
{
    const double wall = usage->metrics[METRIC_WALL_S];

    return wall > 0 && n_constraints > 0 ? (double)n_constraints / wall : (double)NAN;
}

/* Counts are whole numbers, unless they are means of two medians or below zero. */
static void write_metric(json_writer_t *w, int m, double value)
{
    const bool whole = m > METRIC_CPU_S && value >= 0 && value < 0x1p53 && value == floor(value);

    if (whole)
        json_write_u64(w, metric_names[m], (uint64_t)value);
    else
        json_write_double(w, metric_names[m], value);
}

static void write_usage(json_writer_t *w, const phase_usage_t *usage, uint64_t n_constraints)
{
    for (int m = 0; m < METRICS; m++) {
        write_metric(w, m, usage->metrics[m]);
        if (m == METRIC_CPU_S)
            json_write_double(w, "constraints_per_s", rate(usage, n_constraints));
    }
    if (usage->counters.n_values + usage->counters.n_missing > 0)
        counters_write(w, "counters", &usage->counters, n_constraints);
}

void phases_write(json_writer_t *w, const phases_t *phases, uint64_t n_constraints)
{
    if (!phases->measured && !phases->simulated) return;
    for (int p = 0; p < PHASES; p++) {
        json_write_object(w, phase_names[p]);
        if (phases->measured) write_usage(w, &phases->usage[p], n_constraints);
        if (phases->simulated)
            counters_write(w, "simulated", &phases->simulations[p], n_constraints);
        json_write_end(w);
    }
}

static void print_number(int width, int digits, double value)
{
    if (isnan(value))
        (void)printf(" %*s", width, "-");
    else
        (void)printf(" %*.*f", width, digits, value);
}

static void print_usage(const phases_t *phases, uint64_t n_constraints)
{
    (void)printf("  %-10s %10s %10s %10s %14s %8s %8s %10s\n", "phase", "wall, s", "CPU, s", "M/s",
                 "bytes", "allocs", "faults", "peak, MiB");
    for (int p = 0; p < PHASES; p++) {
        const phase_usage_t *u = &phases->usage[p];

        (void)printf("  %-10s", phase_names[p]);
        print_number(10, 5, u->metrics[METRIC_WALL_S]);
        print_number(10, 5, u->metrics[METRIC_CPU_S]);
        print_number(10, 2, rate(u, n_constraints) * 1e-6);
        print_number(14, 0, u->metrics[METRIC_BYTES_ALLOCATED]);
        print_number(8, 0, u->metrics[METRIC_ALLOCATIONS]);
        print_number(8, 0, u->metrics[METRIC_PAGE_FAULTS]);
        print_number(10, 1, u->metrics[METRIC_PEAK_RSS_BYTES] / (1 << 20));
        (void)printf("\n");
    }
}

/* A row for each event, a column for each phase. */
static void print_counters(const counters_t *const columns[PHASES], uint64_t n_constraints)
{
    const counters_t *rows = columns[PHASE_PARSE];

    (void)printf("  %-36s", n_constraints > 0 ? "a constraint" : "in all");
    for (int p = 0; p < PHASES; p++) (void)printf(" %12s", phase_names[p]);
    (void)printf("\n");
    for (uint32_t i = 0; i < rows->n_values; i++) {
        (void)printf("  %-36s", rows->values[i].name);
        for (int p = 0; p < PHASES; p++) {
            const double value = counters_value(columns[p], rows->values[i].name);

            print_number(12, 4, n_constraints > 0 ? value / (double)n_constraints : value);
        }
        (void)printf("\n");
    }
}

void phases_print(const phases_t *phases, uint64_t n_constraints)
{
    const counters_t *columns[PHASES];

    if (phases->measured) {
        (void)printf("phases:\n");
        print_usage(phases, n_constraints);
        for (int p = 0; p < PHASES; p++) columns[p] = &phases->usage[p].counters;
        if (columns[0]->n_values > 0) print_counters(columns, n_constraints);
    }
    if (!phases->simulated) return;
    (void)printf("phases, simulated:\n");
    for (int p = 0; p < PHASES; p++) columns[p] = &phases->simulations[p];
    print_counters(columns, n_constraints);
}
