/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* Summing the references of a half into the buckets. */

#include <string.h>

#include "base/verify.h"
#include "msm/run.h"

/* A unit's weight counts references and the buckets they go to: what the batch adder holds. Long
 * units fill its blocks, short ones let all threads end together. */
enum {
    LONG_UNIT_ENDO = 8 * MSM_ADDER_BLOCK, /* divided by n_endo: G2's additions take twice as long */
    SHORT_UNIT = MSM_ADDER_BLOCK / 2,
    SAMPLED_ROWS = 32
};

static uint32_t range_window(const msm_plan_t *plan, uint32_t range)
{
    return (uint32_t)msm_min(range >> plan->ranges_lg, plan->n_windows - 1);
}

static uint32_t range_lg(const msm_plan_t *plan, uint32_t range)
{
    return range_window(plan, range) < plan->n_windows - 1 ? plan->range_lg : plan->top_range_lg;
}

static uint32_t range_key(const msm_plan_t *plan, uint32_t range)
{
    const uint32_t w = range_window(plan, range);

    return w * plan->n_buckets + ((range - (w << plan->ranges_lg)) << range_lg(plan, range));
}

/* ---- units ---------------------------------------------------------------------------------- */

/* From a sample of the rows: only the balance of the units depends on it. */
static void count_refs(const msm_run_t *run)
{
    const uint32_t n_ranges = run->plan.n_ranges;
    const uint32_t step = (run->n_summed + SAMPLED_ROWS - 1) / SAMPLED_ROWS;
    uint32_t *refs = msm_range_refs(run);

    memset(refs, 0, n_ranges * sizeof *refs);
    for (uint32_t row = 0; row < run->n_summed; row += step) {
        const uint32_t *offsets = msm_row_offsets(run, run->summed_half, row);

        for (uint32_t r = 0; r < n_ranges; r++) refs[r] += step * (offsets[r + 1] - offsets[r]);
    }
}

static size_t range_weight(const msm_run_t *run, uint32_t range)
{
    const size_t n = msm_range_refs(run)[range];

    return n + msm_min(n, (size_t)1 << range_lg(&run->plan, range));
}

/* The next unit's weight when so much is left: half of each thread's share. */
static size_t unit_weight(const msm_run_t *run, size_t left)
{
    const size_t longest = LONG_UNIT_ENDO / run->group->n_endo;

    return msm_max(SHORT_UNIT, msm_min(longest, left / (2 * (size_t)run->plan.threads)));
}

void msm_plan_units(msm_run_t *run)
{
    const uint32_t n_ranges = run->plan.n_ranges;
    msm_unit_t *units = msm_units(run);
    size_t left = 0;
    size_t weight = 0;
    uint32_t first = 0;

    count_refs(run);
    for (uint32_t r = 0; r < n_ranges; r++) left += range_weight(run, r);
    size_t wanted = unit_weight(run, left);
    run->n_units = 0;
    for (uint32_t r = 0; r < n_ranges; r++) {
        weight += range_weight(run, r);
        const size_t next = r + 1 < n_ranges ? range_weight(run, r + 1) : SIZE_MAX / 2;

        if (weight + next / 2 < wanted) continue;
        units[run->n_units++] = (msm_unit_t){first, r + 1};
        first = r + 1;
        left -= weight;
        weight = 0;
        wanted = unit_weight(run, left);
    }
}

/* ---- sums ----------------------------------------------------------------------------------- */

/* References of one range, sorted by key; the scratch of a worker. */
typedef struct {
    uint32_t *count; /* by key: first a number, then where its next reference goes */
    msm_ref_t *order;
} msm_sorted_t;

static const uint32_t *segment(const msm_run_t *run, uint32_t row, uint32_t range, uint32_t *n)
{
    const uint32_t *offsets = msm_row_offsets(run, run->summed_half, row);

    *n = offsets[range + 1] - offsets[range];
    return msm_row_entries(run, run->summed_half, row) + offsets[range];
}

/* Sorts the references of rows from `row` on while there is room; returns the first row that is
 * left out. */
static uint32_t sort_rows(msm_sorted_t *s, const msm_run_t *run, uint32_t range, uint32_t row)
{
    const uint32_t n_keys = 1U << range_lg(&run->plan, range);
    const uint32_t slot_mask = (1U << MSM_ENTRY_SHIFT) - 1;
    uint32_t end = row;
    uint32_t total = 0;
    uint32_t n;

    memset(s->count, 0, n_keys * sizeof *s->count);
    for (; end < run->n_summed; end++) {
        const uint32_t *entries = segment(run, end, range, &n);

        if (total + n > MSM_ORDER) break;
        total += n;
        for (uint32_t i = 0; i < n; i++) s->count[entries[i] >> MSM_ENTRY_SHIFT]++;
    }
    total = 0;
    for (uint32_t k = 0; k < n_keys; k++) {
        n = s->count[k];
        s->count[k] = total;
        total += n;
    }
    for (; row < end; row++) {
        const uint32_t *entries = segment(run, row, range, &n);
        const msm_ref_t first = msm_row_slot(&run->plan, run->summed_half, row) << 1;

        for (uint32_t i = 0; i < n; i++)
            s->order[s->count[entries[i] >> MSM_ENTRY_SHIFT]++] = first + (entries[i] & slot_mask);
    }
    return end;
}

/* Now count[k] is the end of key k's references. */
static void add_sorted(const msm_run_t *run, const msm_sorted_t *s, uint32_t range,
                       msm_adder_t *adder)
{
    const uint32_t n_keys = 1U << range_lg(&run->plan, range);
    const uint32_t key = range_key(&run->plan, range);
    uint8_t *is_used = msm_is_used(run) + key;
    uint32_t start = 0;

    for (uint32_t k = 0; k < n_keys; k++) {
        const uint32_t end = s->count[k];

        if (end == start) continue;
        msm_adder_add(adder, run->plan.bucket_slot + key + k, is_used[k] == 0, s->order + start,
                      end - start);
        is_used[k] = 1;
        start = end;
    }
}

void msm_sum_unit(const msm_run_t *run, uint32_t unit, uint32_t worker)
{
    const msm_unit_t u = msm_units(run)[unit];
    const uint32_t n_counts = 1U << msm_max(run->plan.range_lg, run->plan.top_range_lg);
    uint8_t *scratch = msm_run_scratch(run, worker);
    msm_sorted_t sorted = {
        .count = (uint32_t *)(void *)scratch,
        .order = (msm_ref_t *)(void *)(scratch + msm_padded(n_counts * sizeof(uint32_t)))};
    msm_adder_t adder;

    VERIFY(MSM_ORDER >= MSM_ROW_SLOTS);
    msm_run_adder(run, &adder, worker);
    for (uint32_t range = u.first; range < u.end; range++) {
        for (uint32_t row = 0; row < run->n_summed;) {
            row = sort_rows(&sorted, run, range, row);
            add_sorted(run, &sorted, range, &adder);
            if (row < run->n_summed) msm_adder_finish(&adder);
        }
    }
    msm_adder_finish(&adder);
}
