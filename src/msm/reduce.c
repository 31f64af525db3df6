/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* Weighted sums of the buckets: sum i B[i] over a window, in levels. */

#include <string.h>

#include "msm/run.h"

/* One level: terms of all windows in a row, every `stride` slots from `first`, in segments of
 * 2^segment_lg. A segment's last slot receives its plain sum, slot sum + its number its weighted
 * sum: weights 0, 1, ... within the segment, or 1, 2, ... on the lowest level. */
typedef struct {
    uint32_t first;
    uint32_t stride;
    uint32_t segment_lg;
    uint32_t sum;
    uint32_t n_segments; /* of a window */
    bool is_lowest;
} level_t;

typedef struct {
    const msm_run_t *run;
    level_t level[MSM_MAX_LEVELS + 1]; /* what follows the last describes the remainder */
    size_t n_parts;                    /* tasks of the lowest level */
    uint32_t n_groups;                 /* of windows: the tasks above the lowest level */
} reduction_t;

static void list_levels(reduction_t *reduction, const msm_plan_t *plan)
{
    level_t level = {.first = plan->bucket_slot,
                     .stride = 1,
                     .sum = plan->segment_slot,
                     .n_segments = plan->n_buckets,
                     .is_lowest = true};

    for (uint32_t i = 0; i < plan->n_levels; i++) {
        level.segment_lg = plan->level_lg[i];
        level.n_segments >>= level.segment_lg;
        reduction->level[i] = level;
        level.first += ((1U << level.segment_lg) - 1) * level.stride;
        level.stride <<= level.segment_lg;
        level.sum += level.n_segments * plan->n_windows;
        level.is_lowest = false;
    }
    reduction->level[plan->n_levels] = level;
}

/* The buckets first ... end - 1 of all windows in a row: those without a sum become infinity. */
static void clear_unused(const msm_run_t *run, size_t first, size_t end)
{
    const uint8_t *is_used = msm_is_used(run);
    const size_t bytes = run->group->slot_bytes;
    uint8_t *buckets = run->memory + run->plan.bucket_slot * bytes;

    for (size_t i = first; i < end; i++)
        if (is_used[i] == 0) memset(buckets + i * bytes, 0, bytes);
}

/* Running sums from the last term of each segment down: after term r,
 *   running = sum of term[r ...], weighted = sum of the runnings so far. */
static void sum_segments(const msm_run_t *run, const level_t *level, size_t begin, size_t end,
                         msm_adder_t *adder)
{
    const uint32_t length = 1U << level->segment_lg;

    for (uint32_t r = length; r-- > 0;) {
        for (size_t q = begin; q < end; q++) {
            const uint32_t start =
                level->first + ((uint32_t)q << level->segment_lg) * level->stride;
            const uint32_t running = start + (length - 1) * level->stride;

            if (r == length - 1)
                run->group->copy(run->memory, level->sum + (uint32_t)q, running << 1);
            else /* running += term[r] */
                msm_adder_pair(adder, running << 1, (start + r * level->stride) << 1, running);
        }
        msm_adder_flush(adder);
        if (r == length - 1 || (r == 0 && !level->is_lowest)) continue;
        for (size_t q = begin; q < end; q++) { /* weighted += running */
            const uint32_t start =
                level->first + ((uint32_t)q << level->segment_lg) * level->stride;
            const uint32_t running = start + (length - 1) * level->stride;
            const uint32_t sum = level->sum + (uint32_t)q;

            msm_adder_pair(adder, sum << 1, running << 1, sum);
        }
        msm_adder_flush(adder);
    }
}

static void sum_lowest(void *arg, size_t index, uint32_t worker)
{
    const reduction_t *reduction = arg;
    const level_t *level = &reduction->level[0];
    const size_t n = (size_t)level->n_segments * reduction->run->plan.n_windows;
    const size_t first = index * n / reduction->n_parts;
    const size_t end = (index + 1) * n / reduction->n_parts;
    msm_adder_t adder;

    msm_run_adder(reduction->run, &adder, worker);
    clear_unused(reduction->run, first << level->segment_lg, end << level->segment_lg);
    sum_segments(reduction->run, level, first, end, &adder);
}

/* Tasks of the lowest level: the same number for each thread, not too short for long batches. */
static size_t choose_n_parts(const msm_plan_t *plan, size_t n_segments)
{
    enum { FEW = 64, MANY = 512 /* divided by n_endo: a few milliseconds */ };
    const size_t threads = plan->threads;
    const size_t most = MANY / plan->group->n_endo;
    const size_t n = msm_min((n_segments + FEW - 1) / FEW, threads);

    if (n < threads) return n;
    return (n_segments + threads * most - 1) / (threads * most) * threads;
}

static void store_window(const reduction_t *reduction, uint32_t window)
{
    const msm_run_t *run = reduction->run;
    const msm_plan_t *plan = &run->plan;
    const level_t *left = &reduction->level[plan->n_levels];
    const size_t bytes = run->group->affine_bytes;
    uint8_t *levels =
        run->memory + plan->at.parts + (plan->has_selected ? plan->threads : 0) * bytes;
    uint8_t *terms =
        levels +
        ((size_t)plan->n_levels * plan->n_windows + (size_t)window * plan->n_remainder) * bytes;

    for (uint32_t i = 0; i < plan->n_levels; i++) {
        const size_t part = (size_t)i * plan->n_windows + window;

        run->group->store(levels + part * bytes, run->memory, plan->level_slot + part, 1);
    }
    for (uint32_t i = 0; i < plan->n_remainder; i++) {
        const uint32_t term = window * plan->n_remainder + i;

        run->group->store(terms + i * bytes, run->memory, left->first + term * left->stride, 1);
    }
}

/* The levels above the lowest, for some windows together so that batches are long. */
static void sum_windows(void *arg, size_t index, uint32_t worker)
{
    const reduction_t *reduction = arg;
    const msm_run_t *run = reduction->run;
    const msm_plan_t *plan = &run->plan;
    const uint32_t first = (uint32_t)(index * plan->n_windows / reduction->n_groups);
    const uint32_t end = (uint32_t)((index + 1) * plan->n_windows / reduction->n_groups);
    msm_adder_t adder;

    msm_run_adder(run, &adder, worker);
    for (uint32_t i = 0; i < plan->n_levels; i++) {
        const level_t *level = &reduction->level[i];
        const uint32_t n = level->n_segments;

        if (i > 0) sum_segments(run, level, (size_t)first * n, (size_t)end * n, &adder);
        for (uint32_t w = first; w < end; w++)
            msm_adder_add_slots(&adder, plan->level_slot + i * plan->n_windows + w, true,
                                level->sum + w * n, n);
    }
    msm_adder_finish(&adder);
    for (uint32_t w = first; w < end; w++) store_window(reduction, w);
}

cuzk_status msm_reduce_buckets(msm_run_t *run, cuzk_error *err)
{
    enum { LARGE_WINDOW = 4096 };
    const msm_plan_t *plan = &run->plan;
    reduction_t reduction = {.run = run};
    cuzk_status st = CUZK_OK;

    list_levels(&reduction, plan);
    reduction.n_parts =
        choose_n_parts(plan, (size_t)reduction.level[0].n_segments * plan->n_windows);
    reduction.n_groups = (uint32_t)msm_min(
        plan->n_windows, plan->n_buckets > LARGE_WINDOW ? plan->n_windows : plan->threads);
    if (plan->n_levels == 0)
        clear_unused(run, 0, (size_t)plan->n_buckets * plan->n_windows);
    else
        st = strand_run(run->strand, reduction.n_parts, sum_lowest, &reduction, err);
    return st == CUZK_OK ? strand_run(run->strand, reduction.n_groups, sum_windows, &reduction, err)
                         : st;
}
