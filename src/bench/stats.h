/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_STATS_H
#define CUZK_BENCH_STATS_H

/* Medians, and how sure a ratio of two medians is. */

#include <stdint.h>

enum { STATS_MAX_RUNS = 1000 };

/** The middle of n values, or the mean of the two in the middle; 1 <= n <= STATS_MAX_RUNS. */
double median(const double *values, uint32_t n);

double minimum(const double *values, uint32_t n);

/** Into rising order. */
void sort_values(double *values, uint32_t n);

/** median(b) / median(a), and a percentile bootstrap's 95% interval of it. */
typedef struct {
    double ratio, low, high;
} ratio_t;

/** Runs i of both sides are neighbours in time, so they are drawn together: what disturbs both
 *  leaves the ratio alone. Values are above 0. The same seed gives the same interval. */
ratio_t bootstrap_ratio(const double *a, const double *b, uint32_t n, uint64_t seed);

typedef enum { VERDICT_FASTER, VERDICT_SLOWER, VERDICT_NO_DIFFERENCE } verdict;

/** What the interval says of side b's times against side a's: below 1, above 1, or 1 in it. */
verdict verdict_of(const ratio_t *ratio);

/** "faster", "slower", "no difference shown". */
const char *verdict_name(verdict v);

#endif
