/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* What is done with a term before it is added: its point goes to slots, its scalar becomes
 * references to buckets. Selected points are added up at once. */

#include <string.h>

#include "base/verify.h"
#include "msm/run.h"

/* ---- terms ---------------------------------------------------------------------------------- */

/* A row's references before they are sorted: entries[i] belongs to range id[i]. */
typedef struct {
    uint32_t n;
    uint32_t *entries;
    uint16_t *ids;
    uint32_t *counts; /* by range */
} msm_unsorted_t;

static void add_digits(msm_unsorted_t *u, const msm_plan_t *plan, const int32_t *digit,
                       uint32_t slot)
{
    const uint32_t top = plan->n_windows - 1;

    for (uint32_t w = 0; w <= top; w++) {
        const int32_t d = digit[w];
        const uint32_t lg = w < top ? plan->range_lg : plan->top_range_lg;
        const uint32_t bucket = (uint32_t)(d < 0 ? -d : d) - 1;
        const uint32_t id = (w << plan->ranges_lg) + (bucket >> lg);

        if (d == 0) continue;
        /* A scalar that is not below r may have too long a digit; nothing else has. */
        if (id >= plan->n_ranges) continue;
        u->entries[u->n] =
            (bucket & ((1U << lg) - 1)) << MSM_ENTRY_SHIFT | slot << 1 | (uint32_t)(d < 0);
        u->ids[u->n++] = (uint16_t)id;
        u->counts[id]++;
    }
}

/* Sorts by range into the row's entries; counts becomes the row's offsets. */
static void sort_entries(uint32_t *sorted, uint32_t *counts, uint32_t n_ranges,
                         const msm_unsorted_t *u)
{
    uint32_t total = 0;

    for (uint32_t r = 0; r < n_ranges; r++) {
        const uint32_t count = counts[r];

        counts[r] = total;
        total += count;
    }
    for (uint32_t i = 0; i < u->n; i++) sorted[counts[u->ids[i]]++] = u->entries[i];
    /* counts[r] is the end of range r now, and its start is the end of the range before. */
    memmove(counts + 1, counts, n_ranges * sizeof *counts);
    counts[0] = 0;
}

/* The row's terms that are not 0: where their points and their scalars are. */
static uint32_t find_terms(uint32_t *point, uint32_t *scalar, const msm_run_t *run,
                           const msm_terms_t *terms)
{
    const msm_scalars_t *s = run->scalars;
    uint32_t n = 0;

    for (size_t j = terms->first; j < terms->end; j++) {
        const uint32_t k = msm_term_scalar(s, j);

        if (msm_is_zero(&s->scalars[k])) continue;
        VERIFY(n < run->plan.row_terms);
        point[n] = (uint32_t)(msm_term_point(s, j) - run->first_point);
        scalar[n++] = k;
    }
    return n;
}

void msm_load_row(const msm_run_t *run, uint32_t row, uint32_t worker)
{
    const msm_plan_t *plan = &run->plan;
    const uint32_t n_endo = run->group->n_endo;
    const size_t list_bytes = msm_padded(plan->row_terms * sizeof(uint32_t));
    uint8_t *scratch = msm_run_scratch(run, worker);
    uint32_t *point = (uint32_t *)(void *)scratch;
    uint32_t *scalar = (uint32_t *)(void *)(scratch + list_bytes);
    uint32_t *offsets = msm_row_offsets(run, run->half, row);
    msm_unsorted_t u = {.entries = (uint32_t *)(void *)(scratch + 2 * list_bytes),
                        .counts = offsets};

    u.ids =
        (uint16_t *)(void *)((uint8_t *)u.entries + msm_padded((size_t)msm_row_slots(plan) *
                                                               plan->n_windows * sizeof(uint32_t)));
    memset(offsets, 0, (plan->n_ranges + 1) * sizeof *offsets);
    const uint32_t n = find_terms(point, scalar, run, &msm_row_terms(run)[row]);
    run->group->load(run->memory, msm_row_slot(plan, run->half, row), n_endo, &run->span, point, n);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t magnitude[MSM_MAX_ENDO][2];
        bool negative[MSM_MAX_ENDO];
        int32_t digit[MSM_MAX_WINDOWS];

        run->group->split(magnitude, negative, &run->scalars->scalars[scalar[i]]);
        for (uint32_t m = 0; m < n_endo; m++) {
            msm_digits(digit, plan->n_windows, plan->window_bits, magnitude[m], 2, negative[m]);
            add_digits(&u, plan, digit, i * n_endo + m);
        }
    }
    sort_entries(msm_row_entries(run, run->half, row), offsets, plan->n_ranges, &u);
}

/* ---- selected points ------------------------------------------------------------------------ */

enum { SELECTED_SUMS = MSM_SELECTED_BLOCK / 4 };

static uint32_t pending_slot(const msm_run_t *run, uint32_t owner)
{
    return run->plan.selected_slot + owner * (MSM_SELECTED_BLOCK + SELECTED_SUMS);
}

/* Adds the owner's pending points to its sums. Batches stay long: halves are added to halves until
 * there are no more points than sums. */
static void add_pending(const msm_run_t *run, uint32_t owner, msm_adder_t *adder)
{
    msm_worker_t *w = msm_run_worker(run, owner);
    const uint32_t first = pending_slot(run, owner);
    const uint32_t sums = first + MSM_SELECTED_BLOCK;
    uint32_t n = w->n_pending;

    while (n > SELECTED_SUMS) {
        const uint32_t half = n / 2;

        for (uint32_t i = 0; i < half; i++)
            msm_adder_pair(adder, (first + i) << 1, (first + n - half + i) << 1, first + i);
        msm_adder_flush(adder);
        n -= half;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (i < w->n_selected)
            msm_adder_pair(adder, (sums + i) << 1, (first + i) << 1, sums + i);
        else
            run->group->copy(run->memory, sums + i, (first + i) << 1);
    }
    msm_adder_flush(adder);
    if (n > w->n_selected) w->n_selected = n;
    w->n_pending = 0;
}

void msm_load_selected(const msm_run_t *run, size_t first_word, uint32_t worker)
{
    const size_t end_word = msm_min(first_word + MSM_SELECTED_WORDS, run->end_word);
    uint32_t *point = (uint32_t *)(void *)msm_run_scratch(run, worker);
    msm_worker_t *w = msm_run_worker(run, worker);
    msm_adder_t adder;
    uint32_t n = 0;

    msm_run_adder(run, &adder, worker);
    for (size_t word = first_word; word <= end_word; word++) {
        const bool is_last = word == end_word;
        const uint64_t bits = is_last ? 0 : run->scalars->select[word];
        const uint32_t n_bits = (uint32_t)__builtin_popcountll(bits);

        if (is_last || w->n_pending + n + n_bits > MSM_SELECTED_BLOCK) {
            run->group->load(run->memory, pending_slot(run, worker) + w->n_pending, 1, &run->span,
                             point, n);
            w->n_pending += n;
            n = 0;
            if (!is_last) add_pending(run, worker, &adder);
        }
        for (uint64_t left = bits; left != 0; left &= left - 1)
            point[n++] = (uint32_t)(64 * word + (size_t)__builtin_ctzll(left) - run->first_point);
    }
}

void msm_sum_selected(const msm_run_t *run, uint32_t owner, uint32_t worker)
{
    const msm_worker_t *w = msm_run_worker(run, owner);
    msm_adder_t adder;

    msm_run_adder(run, &adder, worker);
    add_pending(run, owner, &adder);
    if (w->n_selected > 0)
        msm_adder_add_slots(&adder, run->plan.ones_slot + owner, true,
                            pending_slot(run, owner) + MSM_SELECTED_BLOCK, w->n_selected);
    msm_adder_finish(&adder);
}
