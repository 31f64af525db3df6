/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "msm/plan.h"

#include "msm/adder.h"

/* Buckets of wider windows than 16 bits leave the caches: 19 bits do as many additions as 16 at
 * n = 2^21 and take a quarter more time. */
enum { WIDEST_CHOSEN = 16 };

/* A chunk has so many slots, or more for many threads: then each thread has at least its share. */
enum { CHUNK_SLOTS = 1 << 16, CHUNK_SLOTS_MAX = 1 << 19, THREAD_SLOTS = 4096 };

enum { RANGE_REFS = 2048, MAX_RANGES_LG = 8, MIN_ROW_TERMS = 64 };

/* Cost of a window width in additions: one for each digit that is not 0, and for each bucket two
 * additions of its weighted sum, its sorting and clearing. */
static double window_cost(const msm_group_t *group, size_t n_terms, uint32_t bits)
{
    const double bucket_additions = 3.0;
    const uint32_t n_windows = (group->scalar_bits + bits - 1) / bits;
    const double digits = (double)n_terms * group->n_endo;

    return n_windows * (digits + bucket_additions * (double)(1U << (bits - 1)));
}

uint32_t msm_plan_window(const msm_group_t *group, size_t n_terms)
{
    uint32_t best = MSM_MIN_WINDOW;

    for (uint32_t bits = MSM_MIN_WINDOW + 1; bits <= WIDEST_CHOSEN; bits++)
        if (window_cost(group, n_terms, bits) < window_cost(group, n_terms, best)) best = bits;
    return best;
}

static void plan_window(msm_plan_t *plan, uint32_t bits)
{
    enum { REMAINDER = 8, MIN_REMAINDER_LG = 3, MAX_SEGMENT_LG = 5 };
    uint32_t left_lg = bits - 1;

    plan->window_bits = bits;
    plan->n_windows = (plan->group->scalar_bits + bits - 1) / bits;
    plan->n_buckets = 1U << (bits - 1);
    plan->n_levels = 0;
    while (1U << left_lg > REMAINDER) {
        const uint32_t lg = (uint32_t)msm_min(left_lg - MIN_REMAINDER_LG, MAX_SEGMENT_LG);

        plan->level_lg[plan->n_levels++] = lg;
        left_lg -= lg;
    }
    plan->n_remainder = 1U << left_lg;
}

/* Few threads: rows of MSM_ROW_SLOTS slots. Few terms and many threads: so that all have rows. */
static void plan_rows(msm_plan_t *plan, const msm_size_t *size)
{
    const uint32_t n_endo = plan->group->n_endo;
    const size_t wanted = size->n_terms / (2 * (size_t)plan->threads);
    const size_t slots =
        msm_min(msm_max(CHUNK_SLOTS, (size_t)THREAD_SLOTS * plan->threads), CHUNK_SLOTS_MAX);
    const size_t n_chunks = (size->n_terms + slots / n_endo - 1) / (slots / n_endo);

    plan->row_terms = (uint32_t)msm_min(
        msm_max(wanted / MIN_ROW_TERMS * MIN_ROW_TERMS, msm_min(MIN_ROW_TERMS, size->n_terms)),
        MSM_ROW_SLOTS / n_endo);
    const size_t terms = (size->n_terms + n_chunks - 1) / n_chunks;
    plan->n_rows = (uint32_t)((terms + plan->row_terms - 1) / plan->row_terms);
}

/* The last window's digits are shorter: magnitudes are below 2^(scalar_bits - 1). Ranges of either
 * kind get about as many references. */
static void plan_ranges(msm_plan_t *plan)
{
    const size_t n_slots = (size_t)plan->n_rows * plan->row_terms * plan->group->n_endo;
    const uint32_t top_lg =
        plan->group->scalar_bits - 1 - (plan->n_windows - 1) * plan->window_bits;
    uint32_t lg = 0;

    while (lg < MAX_RANGES_LG && lg < plan->window_bits - 1 && n_slots >> (lg + 1) >= RANGE_REFS)
        lg++;
    plan->ranges_lg = lg;
    plan->range_lg = plan->window_bits - 1 - lg;
    plan->top_range_lg = top_lg > lg ? top_lg - lg : 0;
    plan->n_ranges = ((plan->n_windows - 1) << lg) + (1U << (top_lg - plan->top_range_lg));
}

static uint32_t count_segments(const msm_plan_t *plan)
{
    uint32_t left = plan->n_buckets;
    uint32_t n = 0;

    for (uint32_t level = 0; level < plan->n_levels; level++) {
        left >>= plan->level_lg[level];
        n += left * plan->n_windows;
    }
    return n;
}

static void place_slots(msm_plan_t *plan)
{
    uint32_t next = plan->n_halves * plan->n_rows * plan->row_terms * plan->group->n_endo;

    plan->bucket_slot = next;
    next += plan->n_buckets * plan->n_windows;
    plan->segment_slot = next;
    next += count_segments(plan);
    plan->level_slot = next;
    next += plan->n_levels * plan->n_windows;
    plan->ones_slot = next;
    next += plan->has_selected ? plan->threads : 0;
    plan->own_slot = next;
    next += plan->threads * (MSM_ADDER_BLOCK / 2);
    plan->selected_slot = next;
    if (plan->has_selected) next += plan->threads * (MSM_SELECTED_BLOCK / 4 * 5);
    plan->n_slots = next;
}

/* Beside its batch adder a worker needs what loading takes or what sorting takes. */
static size_t worker_bytes(const msm_plan_t *plan)
{
    const size_t row_slots = (size_t)plan->row_terms * plan->group->n_endo;
    const size_t load = 2 * msm_padded(plan->row_terms * sizeof(uint32_t)) +
                        msm_padded(row_slots * plan->n_windows * sizeof(uint32_t)) +
                        msm_padded(row_slots * plan->n_windows * sizeof(uint16_t));
    const size_t sort =
        msm_padded((sizeof(uint32_t) << msm_max(plan->range_lg, plan->top_range_lg))) +
        msm_padded(MSM_ORDER * sizeof(msm_ref_t));
    const size_t selected = plan->has_selected ? MSM_SELECTED_BLOCK * sizeof(uint32_t) : 0;
    const size_t terms = plan->n_windows == 0 ? 0 : msm_max(load, sort);

    return 64 + msm_adder_bytes(plan->group) + msm_max(terms, selected);
}

/* The next array of n elements of `size` bytes. */
static size_t place(msm_plan_t *plan, size_t n, size_t size)
{
    const size_t at = plan->at.total;

    plan->at.total += msm_padded(n * size);
    return at;
}

static void place_arrays(msm_plan_t *plan, const msm_size_t *size)
{
    const size_t rows = (size_t)plan->n_halves * plan->n_rows;
    const size_t row_slots = (size_t)plan->row_terms * plan->group->n_endo;
    const size_t affine_bytes = plan->group->affine_bytes;
    const size_t n_parts = (plan->has_selected ? plan->threads : 0) +
                           (size_t)(plan->n_levels + plan->n_remainder) * plan->n_windows;
    msm_layout_t *at = &plan->at;

    at->total = 0;
    (void)place(plan, plan->n_slots, plan->group->slot_bytes);
    at->is_used = place(plan, (size_t)plan->n_buckets * plan->n_windows, 1);
    at->entries = place(plan, rows * row_slots * plan->n_windows, sizeof(uint32_t));
    at->offsets = place(plan, rows * (plan->n_ranges + 1), sizeof(uint32_t));
    at->row_terms = place(plan, plan->n_rows, sizeof(msm_terms_t));
    at->range_refs = place(plan, plan->n_ranges, sizeof(uint32_t));
    at->units = place(plan, plan->n_ranges, sizeof(msm_unit_t));
    at->nonzero = place(plan, plan->n_windows == 0 ? 0 : size->n_terms / plan->row_terms + 1,
                        sizeof(uint16_t));
    plan->worker_bytes = worker_bytes(plan);
    at->workers = place(plan, plan->threads, plan->worker_bytes);
    at->buffers = place(plan, size->is_read ? 2 * plan->buffer_points : 0, affine_bytes);
    at->parts = place(plan, n_parts, affine_bytes);
    at->windows = place(plan, plan->n_windows, affine_bytes / 2 * 3);
}

static void place_all(msm_plan_t *plan, const msm_size_t *size)
{
    plan->n_halves = (size_t)plan->n_rows * plan->row_terms >= size->n_terms ? 1 : 2;
    if (plan->n_windows > 0) plan_ranges(plan);
    place_slots(plan);
    place_arrays(plan, size);
}

/* All but the window. */
static void plan_start(msm_plan_t *plan, const msm_group_t *group, const msm_size_t *size)
{
    const size_t n_points = (size->n_points + 63) / 64 * 64;
    const size_t slots =
        msm_min(msm_max(CHUNK_SLOTS, (size_t)THREAD_SLOTS * size->threads), CHUNK_SLOTS_MAX);

    *plan =
        (msm_plan_t){.group = group, .threads = size->threads, .has_selected = size->has_selected};
    plan->buffer_points = msm_min(n_points, slots / group->n_endo);
    if (size->n_terms > 0) plan_rows(plan, size);
}

static void plan_fully(msm_plan_t *plan, const msm_group_t *group, const msm_size_t *size)
{
    uint32_t bits = size->window_bits;

    plan_start(plan, group, size);
    if (size->n_terms > 0) {
        if (bits == 0) bits = msm_plan_window(group, size->n_terms);
        plan_window(plan, (uint32_t)msm_min(msm_max(bits, MSM_MIN_WINDOW), MSM_MAX_WINDOW));
    }
    place_all(plan, size);
}

/* A window's plan in so many bytes, with fewer rows if need be; false if it cannot be. */
static bool plan_within(msm_plan_t *plan, const msm_size_t *size, uint32_t bits, size_t bytes)
{
    plan_window(plan, bits);
    for (;; plan->n_rows /= 2) {
        if (plan->n_rows == 0) return false;
        place_all(plan, size);
        if (plan->at.total <= bytes) return true;
    }
}

void msm_plan_make(msm_plan_t *plan, const msm_group_t *group, const msm_size_t *size,
                   size_t n_estimated)
{
    msm_plan_t full;

    plan_fully(&full, group, size);
    *plan = full;
    if (size->n_terms == 0 || size->window_bits != 0) return;
    for (uint32_t bits = MSM_MIN_WINDOW; bits < full.window_bits; bits++) {
        msm_plan_t other;

        if (window_cost(group, n_estimated, bits) >=
            window_cost(group, n_estimated, plan->window_bits))
            continue;
        plan_start(&other, group, size);
        if (plan_within(&other, size, bits, full.at.total)) *plan = other;
    }
}

size_t msm_plan_bytes(const msm_group_t *group, const msm_size_t *size)
{
    msm_plan_t plan;

    plan_fully(&plan, group, size);
    return plan.at.total;
}
