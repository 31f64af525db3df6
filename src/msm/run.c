/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "msm/run.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/verify.h"
#include "msm/summer.h"

/* Points are taken in chunks of so many terms and selected points. */
enum { CHUNK_SLOTS = 1 << 16, CHUNK_SELECTED = 1 << 15, SMALL_UNIT = 1 << 14 };

/* One multiplication under way. Slots stand in this order: the chunk's terms with their images,
 * its selected points, buckets, ones, segment sums by level, level sums, each worker's own. */
typedef struct {
    const msm_group_t *group;
    const msm_source_t *source;
    const msm_scalars_t *scalars;
    strand_t *strand;
    msm_plan_t plan;
    uint32_t workers;
    size_t max_terms;    /* of a chunk */
    size_t max_selected; /* of a chunk */
    uint32_t n_units;    /* tasks that share the buckets */

    uint8_t *slots;
    size_t n_slots;
    uint32_t selected_slot, bucket_slot, ones_slot, segment_slot, level_slot, own_slot;
    uint8_t *used;   /* a bucket or ones slot that holds a sum; by slot - bucket_slot */
    int32_t *digits; /* [window][term slot] */
    uint8_t *memory; /* worker_bytes a worker */
    size_t worker_bytes;
    size_t n_counts, n_order; /* elements of a worker's arrays */

    /* The chunk: source points of its terms, which scalars they have, its selected points. */
    uint32_t *term_point;
    uint32_t *term_scalar;
    uint32_t *selected_point;
    size_t n_terms, n_selected;
    size_t next_term, next_word; /* where the next chunk begins */
} run_t;

static size_t padded(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* --- scratch ----------------------------------------------------------------------------- */

static uint32_t segment_slots(const msm_plan_t *plan)
{
    uint32_t left = plan->n_buckets;
    uint32_t n = 0;

    for (uint32_t level = 0; level < plan->n_levels; level++) {
        left >>= plan->segment_lg[level];
        n += left * plan->n_windows;
    }
    return n;
}

static void lay_out_slots(run_t *run)
{
    const msm_plan_t *plan = &run->plan;
    size_t next = run->max_terms * run->group->images;

    run->selected_slot = (uint32_t)next;
    next += run->max_selected;
    run->bucket_slot = (uint32_t)next;
    next += (size_t)plan->n_buckets * plan->n_windows;
    run->ones_slot = (uint32_t)next;
    next += plan->n_ones;
    run->segment_slot = (uint32_t)next;
    next += segment_slots(plan);
    run->level_slot = (uint32_t)next;
    next += (size_t)plan->n_levels * plan->n_windows;
    run->own_slot = (uint32_t)next;
    next += (size_t)run->workers * (SUMMER_BLOCK / 2);
    run->n_slots = next;
}

/* As many tasks as windows, or more for many threads; few for small sums, so that their batches
 * are as long as can be. */
static void choose_units(run_t *run)
{
    const msm_plan_t *plan = &run->plan;
    const size_t digits = run->max_terms * run->group->images;
    const uint32_t windows = plan->n_windows;

    run->n_units = 0;
    if (windows == 0) return;
    if (digits * windows <= (size_t)SMALL_UNIT * run->workers) {
        run->n_units = run->workers;
        run->n_order = digits * windows;
    } else {
        const uint32_t wanted = run->workers == 1 ? 1 : 4 * run->workers;

        run->n_units = windows * ((wanted + windows - 1) / windows);
        run->n_order = digits;
    }
    const size_t n_keys = (size_t)plan->n_buckets * windows;
    if (run->n_units > n_keys) run->n_units = (uint32_t)n_keys;
    run->n_counts = n_keys / run->n_units + 2;
}

static cuzk_status allocate(run_t *run, cuzk_error *err)
{
    const size_t digits = run->max_terms * run->group->images * run->plan.n_windows;
    const size_t sums = (size_t)(run->segment_slot - run->bucket_slot);
    void *p[7] = {0};

    run->worker_bytes = summer_bytes(run->group) + padded(run->n_counts * sizeof(uint32_t)) +
                        padded(run->n_order * sizeof(msm_ref_t));
    (void)(big_alloc(&p[0], run->n_slots, run->group->slot_bytes, "msm: points", err) ||
           big_alloc(&p[1], sums, 1, "msm: bucket flags", err) ||
           big_alloc(&p[2], digits, sizeof(int32_t), "msm: digits", err) ||
           big_alloc(&p[3], run->workers, run->worker_bytes, "msm: workers", err) ||
           big_alloc(&p[4], run->max_terms, sizeof(uint32_t), "msm: terms", err) ||
           big_alloc(&p[5], run->max_terms, sizeof(uint32_t), "msm: scalars", err) ||
           big_alloc(&p[6], run->max_selected, sizeof(uint32_t), "msm: selected", err));
    run->slots = p[0];
    run->used = p[1];
    run->digits = p[2];
    run->memory = p[3];
    run->term_point = p[4];
    run->term_scalar = p[5];
    run->selected_point = p[6];
    return p[6] != NULL ? CUZK_OK : CUZK_ERR_MEMORY;
}

static void release(run_t *run)
{
    const size_t digits = run->max_terms * run->group->images * run->plan.n_windows;

    big_free(run->slots, run->n_slots, run->group->slot_bytes);
    big_free(run->used, (size_t)(run->segment_slot - run->bucket_slot), 1);
    big_free(run->digits, digits, sizeof(int32_t));
    big_free(run->memory, run->workers, run->worker_bytes);
    big_free(run->term_point, run->max_terms, sizeof(uint32_t));
    big_free(run->term_scalar, run->max_terms, sizeof(uint32_t));
    big_free(run->selected_point, run->max_selected, sizeof(uint32_t));
}

static void worker_summer(const run_t *run, summer_t *s, uint32_t worker)
{
    summer_init(s, run->group, run->slots, run->own_slot + worker * (SUMMER_BLOCK / 2),
                run->memory + worker * run->worker_bytes);
}

/* --- chunks ------------------------------------------------------------------------------ */

static bool is_zero(const scalar_t *k)
{
    return (k->l[0] | k->l[1] | k->l[2] | k->l[3]) == 0;
}

/* The number of terms with a scalar that is not zero, from a sample of them. */
static size_t estimate_terms(const msm_scalars_t *s)
{
    enum { SAMPLES = 1024 };
    const size_t n_samples = least(s->n_terms, SAMPLES);
    size_t n = 0;

    for (size_t i = 0; i < n_samples; i++) {
        const size_t j = i * s->n_terms / n_samples;

        n += !is_zero(&s->scalars[s->which == NULL ? j : s->which[j]]);
    }
    return n == n_samples ? s->n_terms : (n + 1) * (s->n_terms / n_samples);
}

/* Takes terms and selected points while both fit, by words of 64 source points, so that the
 * source is read in order. False when nothing is left. */
static bool next_chunk(run_t *run)
{
    const msm_scalars_t *s = run->scalars;
    const size_t n_words = (run->source->n + 63) / 64;

    run->n_terms = run->n_selected = 0;
    for (; run->next_word < n_words; run->next_word++) {
        uint64_t bits = s->select == NULL ? 0 : s->select[run->next_word];
        const size_t end = least(64 * (run->next_word + 1), run->source->n);

        if (run->n_selected + 64 > run->max_selected && bits != 0) break;
        if (run->n_terms + 64 > run->max_terms && run->n_terms > 0) break;
        for (; bits != 0; bits &= bits - 1)
            run->selected_point[run->n_selected++] =
                (uint32_t)(64 * run->next_word + (size_t)__builtin_ctzll(bits));
        for (; run->next_term < s->n_terms; run->next_term++) {
            const size_t j = run->next_term;
            const size_t point = s->at == NULL ? j : s->at[j];

            if (point >= end) break;
            const uint32_t scalar = s->which == NULL ? (uint32_t)j : s->which[j];
            if (is_zero(&s->scalars[scalar])) continue;
            run->term_point[run->n_terms] = (uint32_t)point;
            run->term_scalar[run->n_terms++] = scalar;
        }
    }
    return run->n_terms + run->n_selected > 0;
}

static void load_terms(void *arg, size_t first, size_t end, uint32_t worker)
{
    const run_t *run = arg;
    const msm_group_t *group = run->group;
    const unsigned images = group->images;
    const size_t stride = run->max_terms * images;

    (void)worker;
    group->load(run->slots, first * images, images, run->source, run->term_point + first,
                end - first);
    for (size_t i = first; i < end; i++) {
        uint64_t magnitude[MSM_MAX_IMAGES][2];
        bool negative[MSM_MAX_IMAGES];

        group->split(magnitude, negative, &run->scalars->scalars[run->term_scalar[i]]);
        for (unsigned m = 0; m < images; m++)
            msm_digits(run->digits + i * images + m, stride, run->plan.window_bits,
                       run->plan.n_windows, magnitude[m], 2, negative[m]);
    }
}

static void load_selected(void *arg, size_t first, size_t end, uint32_t worker)
{
    const run_t *run = arg;

    (void)worker;
    run->group->load(run->slots, run->selected_slot + first, 1, run->source,
                     run->selected_point + first, end - first);
}

/* --- sums of a chunk --------------------------------------------------------------------- */

/* Keys number the buckets of all windows in a row; one unit has keys low ... high - 1. */
typedef struct {
    size_t low;
    size_t high;
    uint32_t *count; /* by key - low: first a number, then where its next reference goes */
    msm_ref_t *order;
} unit_t;

/* The digits of window w whose keys are in the unit: counted, or put in order. */
static void scan_window(const run_t *run, const unit_t *unit, uint32_t w, bool place)
{
    const size_t n = run->n_terms * run->group->images;
    const int32_t *digit = run->digits + w * run->max_terms * run->group->images;
    const size_t base = (size_t)w * run->plan.n_buckets;
    const uint32_t low = unit->low > base ? (uint32_t)(unit->low - base) : 0;
    const uint32_t high = (uint32_t)least(unit->high - base, run->plan.n_buckets);
    uint32_t *count = unit->count + (base + low - unit->low);

    for (size_t i = 0; i < n; i++) {
        const int32_t d = digit[i];
        const uint32_t magnitude = (uint32_t)(d < 0 ? -d : d);
        const uint32_t key = magnitude - 1 - low; /* far above for d = 0 */

        if (key >= high - low) continue;
        if (place)
            unit->order[count[key]++] = (msm_ref_t)i << 1 | (d < 0);
        else
            count[key]++;
    }
}

static void sum_unit(const run_t *run, size_t index, uint32_t worker, summer_t *s)
{
    const size_t n_keys = (size_t)run->plan.n_buckets * run->plan.n_windows;
    uint8_t *memory = run->memory + worker * run->worker_bytes + summer_bytes(run->group);
    unit_t unit = {.low = index * n_keys / run->n_units,
                   .high = (index + 1) * n_keys / run->n_units,
                   .count = (uint32_t *)(void *)memory,
                   .order =
                       (msm_ref_t *)(void *)(memory + padded(run->n_counts * sizeof(uint32_t)))};
    const size_t n = unit.high - unit.low;
    const uint32_t first = (uint32_t)(unit.low / run->plan.n_buckets);
    const uint32_t last = (uint32_t)((unit.high - 1) / run->plan.n_buckets);
    uint32_t total = 0;

    memset(unit.count, 0, n * sizeof *unit.count);
    for (uint32_t w = first; w <= last; w++) scan_window(run, &unit, w, false);
    for (size_t k = 0; k < n; k++) {
        const uint32_t count = unit.count[k];

        unit.count[k] = total;
        total += count;
    }
    for (uint32_t w = first; w <= last; w++) scan_window(run, &unit, w, true);
    /* Now count[k] is the end of key k's references. */
    uint32_t start = 0;
    for (size_t k = 0; k < n; k++) {
        const uint32_t end = unit.count[k];
        uint8_t *used = &run->used[unit.low + k];

        if (end == start) continue;
        summer_add(s, run->bucket_slot + (uint32_t)(unit.low + k), *used == 0, unit.order + start,
                   end - start);
        *used = 1;
        start = end;
    }
}

/* Partial sum `index` of the chunk's selected points. */
static void sum_ones(const run_t *run, size_t index, summer_t *s)
{
    const size_t first = index * run->n_selected / run->plan.n_ones;
    const size_t end = (index + 1) * run->n_selected / run->plan.n_ones;
    const uint32_t out = run->ones_slot + (uint32_t)index;
    uint8_t *used = &run->used[out - run->bucket_slot];

    if (first == end) return;
    summer_add_slots(s, out, *used == 0, run->selected_slot + (uint32_t)first, end - first);
    *used = 1;
}

static void sum_task(void *arg, size_t index, uint32_t worker)
{
    const run_t *run = arg;
    summer_t s;

    worker_summer(run, &s, worker);
    if (index < run->n_units)
        sum_unit(run, index, worker, &s);
    else
        sum_ones(run, index - run->n_units, &s);
    summer_finish(&s);
}

/* --- weighted sums of the buckets -------------------------------------------------------- */

/* One level: terms of all windows in a row, every `stride` slots from `first`, in segments of
 * 2^segment_lg. A segment's last slot receives its plain sum, slot sum + its number its weighted
 * sum: weights 0, 1, ... within the segment, or 1, 2, ... on the lowest level. */
typedef struct {
    const run_t *run;
    uint32_t first;
    uint32_t stride;
    uint32_t segment_lg;
    uint32_t sum;
    size_t n_segments; /* of all windows */
    bool lowest;
} level_t;

static void sum_segments(void *arg, size_t begin, size_t end, uint32_t worker)
{
    const level_t *level = arg;
    const run_t *run = level->run;
    const uint32_t length = 1U << level->segment_lg;
    summer_t s;

    worker_summer(run, &s, worker);
    for (uint32_t r = length; r-- > 0;) {
        for (size_t q = begin; q < end; q++) {
            const uint32_t start =
                level->first + ((uint32_t)q << level->segment_lg) * level->stride;
            const uint32_t running = start + (length - 1) * level->stride;

            if (r == length - 1)
                run->group->copy(run->slots, level->sum + (uint32_t)q, running << 1);
            else
                summer_pair(&s, running << 1, (start + r * level->stride) << 1, running);
        }
        summer_flush(&s);
        if (r == length - 1 || (r == 0 && !level->lowest)) continue;
        for (size_t q = begin; q < end; q++) {
            const uint32_t start =
                level->first + ((uint32_t)q << level->segment_lg) * level->stride;
            const uint32_t running = start + (length - 1) * level->stride;
            const uint32_t sum = level->sum + (uint32_t)q;

            summer_pair(&s, sum << 1, running << 1, sum);
        }
        summer_flush(&s);
    }
}

static cuzk_status reduce_buckets(run_t *run, cuzk_error *err)
{
    enum { GRAIN = 64 };
    const msm_plan_t *plan = &run->plan;
    level_t level = {.run = run,
                     .first = run->bucket_slot,
                     .stride = 1,
                     .sum = run->segment_slot,
                     .lowest = true,
                     .n_segments = (size_t)plan->n_buckets * plan->n_windows};
    summer_t s;

    worker_summer(run, &s, 0);
    for (uint32_t i = 0; i < plan->n_levels; i++) {
        level.segment_lg = plan->segment_lg[i];
        level.n_segments >>= level.segment_lg;
        const cuzk_status st =
            strand_for(run->strand, level.n_segments, (strand_cut_t){GRAIN, 16 * GRAIN},
                       sum_segments, &level, err);
        if (st != CUZK_OK) return st;
        const uint32_t n = (uint32_t)level.n_segments / plan->n_windows;
        for (uint32_t w = 0; w < plan->n_windows; w++)
            summer_add_slots(&s, run->level_slot + i * plan->n_windows + w, true, level.sum + w * n,
                             n);
        summer_finish(&s);
        level.first += ((1U << level.segment_lg) - 1) * level.stride;
        level.stride <<= level.segment_lg;
        level.sum += (uint32_t)level.n_segments;
        level.lowest = false;
    }
    /* What is left goes to the front of the buckets, for storing. */
    for (uint32_t i = 0; plan->n_levels > 0 && i < plan->n_windows * plan->n_rest; i++)
        if (i != level.first + i * level.stride - run->bucket_slot)
            run->group->copy(run->slots, run->bucket_slot + i,
                             (level.first + i * level.stride) << 1);
    return CUZK_OK;
}

static void store_parts(msm_parts_t *parts, const run_t *run)
{
    const msm_plan_t *plan = &run->plan;
    const size_t n_level = (size_t)plan->n_levels * plan->n_windows;
    const size_t n_rest = (size_t)plan->n_rest * plan->n_windows;
    const size_t bytes = run->group->affine_bytes;
    uint8_t *affine = small_alloc(plan->n_ones + n_level + n_rest + 1, bytes);

    parts->plan = *plan;
    parts->affine = affine;
    run->group->store(affine, run->slots, run->ones_slot, plan->n_ones);
    affine += plan->n_ones * bytes;
    run->group->store(affine, run->slots, run->level_slot, n_level);
    affine += n_level * bytes;
    run->group->store(affine, run->slots, run->bucket_slot, n_rest);
}

cuzk_status msm_run(msm_parts_t *parts, const msm_group_t *group, const msm_source_t *source,
                    const msm_scalars_t *scalars, const msm_options_t *options, strand_t *strand,
                    cuzk_error *err)
{
    const size_t n_selected = scalars->select == NULL ? 0 : source->n;
    run_t run = {.group = group, .source = source, .scalars = scalars, .strand = strand};

    run.workers = strand_size(strand);
    run.max_terms = least(scalars->n_terms + 64, CHUNK_SLOTS / group->images);
    run.max_selected = n_selected == 0 ? 0 : least(n_selected + 64, CHUNK_SELECTED);
    msm_plan_make(&run.plan, group, scalars->n_terms == 0 ? 0 : estimate_terms(scalars), n_selected,
                  options->window_bits, run.workers);
    lay_out_slots(&run);
    choose_units(&run);
    cuzk_status status = allocate(&run, err);
    if (status == CUZK_OK) {
        while (status == CUZK_OK && next_chunk(&run)) {
            status =
                strand_for(strand, run.n_terms, (strand_cut_t){64, 1024}, load_terms, &run, err);
            if (status == CUZK_OK)
                status = strand_for(strand, run.n_selected, (strand_cut_t){64, 1024}, load_selected,
                                    &run, err);
            if (status == CUZK_OK)
                status = strand_run(strand, run.n_units + run.plan.n_ones, sum_task, &run, err);
        }
        if (status == CUZK_OK && run.plan.n_windows > 0) status = reduce_buckets(&run, err);
        if (status == CUZK_OK) store_parts(parts, &run);
    }
    release(&run);
    return status;
}
