/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/stats.h"

#include <stdlib.h>
#include <string.h>

enum { RESAMPLES = 10000 };

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;

    return (x > y) - (x < y);
}

static double middle_of_sorted(const double *sorted, uint32_t n)
{
    return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

void sort_values(double *values, uint32_t n)
{
    qsort(values, n, sizeof *values, compare);
}

/* Reorders values. */
static double take_median(double *values, uint32_t n)
{
    sort_values(values, n);
    return middle_of_sorted(values, n);
}

double median(const double *values, uint32_t n)
{
    double copy[STATS_MAX_RUNS];

    memcpy(copy, values, n * sizeof *copy);
    return take_median(copy, n);
}

double minimum(const double *values, uint32_t n)
{
    double least = values[0];

    for (uint32_t i = 1; i < n; i++)
        if (values[i] < least) least = values[i];
    return least;
}

/* SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static uint32_t random_below(uint64_t *state, uint32_t n)
{
    return (uint32_t)((next_random(state) >> 32) * n >> 32);
}

ratio_t bootstrap_ratio(const double *a, const double *b, uint32_t n, uint64_t seed)
{
    double ratios[RESAMPLES], drawn_a[STATS_MAX_RUNS], drawn_b[STATS_MAX_RUNS];
    ratio_t r = {.ratio = median(b, n) / median(a, n)};

    for (int k = 0; k < RESAMPLES; k++) {
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t at = random_below(&seed, n);

            drawn_a[i] = a[at];
            drawn_b[i] = b[at];
        }
        ratios[k] = take_median(drawn_b, n) / take_median(drawn_a, n);
    }
    qsort(ratios, RESAMPLES, sizeof *ratios, compare);
    r.low = ratios[RESAMPLES / 40];
    r.high = ratios[RESAMPLES - 1 - RESAMPLES / 40];
    return r;
}

verdict verdict_of(const ratio_t *ratio)
{
    if (ratio->high < 1) return VERDICT_FASTER;
    if (ratio->low > 1) return VERDICT_SLOWER;
    return VERDICT_NO_DIFFERENCE;
}

const char *verdict_name(verdict v)
{
    static const char *const names[] = {"faster", "slower", "no difference shown"};

    return names[v];
}
