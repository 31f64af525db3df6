/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "msm/run.h"

#include <string.h>

#include "base/memory.h"
#include "base/verify.h"

/* ---- start and end -------------------------------------------------------------------------- */

/* The number of terms with a scalar that is not zero, from a sample of them. */
static size_t estimate_terms(const msm_scalars_t *s)
{
    enum { SAMPLES = 1024 };
    const size_t n_samples = msm_min(s->n_terms, SAMPLES);
    size_t n = 0;

    for (size_t i = 0; i < n_samples; i++)
        n += !msm_is_zero(&s->scalars[msm_term_scalar(s, i * s->n_terms / n_samples)]);
    return n == n_samples ? s->n_terms : (n + 1) * (s->n_terms / n_samples);
}

/* Points after this one are not needed. */
static size_t count_points(const msm_run_t *run)
{
    const msm_scalars_t *s = run->scalars;

    if (s->select != NULL) return run->points->n;
    return s->n_terms == 0 ? 0 : msm_term_point(s, s->n_terms - 1) + 1;
}

static void ask_for_points(msm_run_t *run, size_t first)
{
    const msm_plan_t *plan = &run->plan;
    const size_t n_points = count_points(run);
    const size_t buffer = first / plan->buffer_points % 2;

    if (first >= n_points) return;
    msm_reader_ask(&run->reader,
                   run->memory + plan->at.buffers +
                       buffer * plan->buffer_points * run->points->point_bytes,
                   first, msm_min(plan->buffer_points, n_points - first));
}

static cuzk_status get_memory(msm_run_t *run, const msm_options_t *options, cuzk_error *err)
{
    void *memory = options->memory;
    cuzk_status st = CUZK_OK;

    run->owns_memory = memory == NULL || options->memory_bytes < run->memory_bytes;
    if (run->owns_memory) st = big_alloc(&memory, run->memory_bytes, 1, "msm", err);
    run->memory = memory;
    return st;
}

/* Nothing holds a sum yet; buckets without one are cleared when they are read. */
static void clear_sums(const msm_run_t *run)
{
    const msm_plan_t *plan = &run->plan;

    memset(msm_is_used(run), 0, (size_t)plan->n_buckets * plan->n_windows);
    if (!plan->has_selected) return;
    for (uint32_t i = 0; i < plan->threads; i++) *msm_run_worker(run, i) = (msm_worker_t){0};
    memset(run->memory + plan->ones_slot * run->group->slot_bytes, 0,
           plan->threads * run->group->slot_bytes);
}

cuzk_status msm_run_open(msm_run_t *run, const msm_group_t *group, const points_t *points,
                         const msm_scalars_t *scalars, const msm_options_t *options,
                         strand_t *strand, cuzk_error *err)
{
    const msm_size_t size = {.n_points = points->n,
                             .n_terms = scalars->n_terms,
                             .has_selected = scalars->select != NULL,
                             .is_read = points->base == NULL,
                             .window_bits = options->window_bits,
                             .threads = strand_size(strand)};
    const size_t n_estimated = scalars->n_terms == 0 ? 0 : estimate_terms(scalars);

    VERIFY(points->point_bytes == group->affine_bytes);
    *run = (msm_run_t){.group = group,
                       .points = points,
                       .scalars = scalars,
                       .strand = strand,
                       .stats = options->stats};
    msm_plan_make(&run->plan, group, &size, n_estimated);
    run->has_counts = n_estimated < scalars->n_terms;
    run->memory_bytes = msm_plan_bytes(group, &size);
    cuzk_status st = get_memory(run, options, err);
    if (st != CUZK_OK) return st;
    clear_sums(run);
    if (!size.is_read || count_points(run) == 0) return CUZK_OK;
    st = msm_reader_open(&run->reader, points, err);
    if (st == CUZK_OK) ask_for_points(run, 0);
    return st;
}

void msm_run_close(msm_run_t *run)
{
    msm_reader_close(&run->reader);
    if (run->stats != NULL) {
        run->stats->bytes_read += run->reader.bytes_read;
        run->stats->io_wait_s += (double)run->reader.wait_ns * 1e-9;
    }
    if (run->owns_memory) big_free(run->memory, run->memory_bytes, 1);
    run->memory = NULL;
}

/* Block b of row_terms terms has nonzero_counts[b] that are not 0. */
static void count_nonzero(void *arg, size_t first, size_t end, uint32_t worker)
{
    const msm_run_t *run = arg;
    const msm_scalars_t *s = run->scalars;

    (void)worker;
    for (size_t b = first; b < end; b++) {
        const size_t end_term = msm_min((b + 1) * run->plan.row_terms, s->n_terms);
        uint16_t n = 0;

        for (size_t j = b * run->plan.row_terms; j < end_term; j++)
            n = (uint16_t)(n + !msm_is_zero(&s->scalars[msm_term_scalar(s, j)]));
        msm_nonzero_counts(run)[b] = n;
    }
}

/* ---- what the next loop loads --------------------------------------------------------------- */

/* The next points that can be loaded: all of them, or what was read. */
static cuzk_status next_points(msm_run_t *run, cuzk_error *err)
{
    const msm_plan_t *plan = &run->plan;
    const size_t n_points = count_points(run);

    run->first_point = run->end_point;
    if (run->points->base != NULL) {
        run->end_point = run->points->n;
        run->span = (msm_span_t){run->points->base, run->points->form};
    } else {
        const cuzk_status st = msm_reader_wait(&run->reader, run->strand, err);
        const size_t buffer = run->first_point / plan->buffer_points % 2;

        if (st != CUZK_OK) return st;
        run->end_point = msm_min(run->first_point + plan->buffer_points, n_points);
        run->span = (msm_span_t){run->memory + plan->at.buffers +
                                     buffer * plan->buffer_points * run->points->point_bytes,
                                 run->points->form};
        ask_for_points(run, run->end_point);
    }
    if (run->scalars->select != NULL) {
        run->first_word = run->first_point / 64;
        run->end_word = (run->end_point + 63) / 64;
    }
    return CUZK_OK;
}

/* The first term whose point cannot be loaded yet. */
static size_t find_end_term(const msm_run_t *run)
{
    const msm_scalars_t *s = run->scalars;
    size_t low = run->next_term;
    size_t high = s->n_terms;

    if (s->point_index == NULL || run->end_point == run->points->n)
        return msm_min(run->end_point, high);
    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (s->point_index[middle] < run->end_point)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The end of a row that begins at `term`: whole blocks while they have no more than row_terms terms
 * that are not 0. */
static size_t find_row_end(const msm_run_t *run, size_t term, size_t end_term)
{
    enum { MAX_BLOCKS = 64 };
    const size_t row_terms = run->plan.row_terms;
    const uint16_t *counts = msm_nonzero_counts(run);
    size_t block = term / row_terms;

    if (!run->has_counts) return msm_min(term + row_terms, end_term);
    size_t n = counts[block];
    const size_t last = block + MAX_BLOCKS;
    for (block++; block < last && block * row_terms < end_term; block++) {
        n += counts[block];
        if (n > row_terms) break;
    }
    return msm_min(block * row_terms, end_term);
}

/* Adds rows to the half until it is full or there are no terms left that can be loaded. */
static void add_rows(msm_run_t *run, size_t end_term)
{
    msm_terms_t *rows = msm_row_terms(run);

    run->first_row = run->n_loaded;
    while (run->n_loaded < run->plan.n_rows && run->next_term < end_term) {
        const size_t end = find_row_end(run, run->next_term, end_term);

        rows[run->n_loaded++] = (msm_terms_t){run->next_term, end};
        run->next_term = end;
    }
}

/* ---- loops ---------------------------------------------------------------------------------- */

static size_t count_selected_tasks(const msm_run_t *run)
{
    return (run->end_word - run->first_word + MSM_SELECTED_WORDS - 1) / MSM_SELECTED_WORDS;
}

/* Long tasks come first: the units of one half, selected points, rows of the other half. */
static void run_task(void *arg, size_t index, uint32_t worker)
{
    const msm_run_t *run = arg;

    if (index < run->n_units) {
        msm_sum_unit(run, (uint32_t)index, worker);
        return;
    }
    index -= run->n_units;
    if (index < count_selected_tasks(run)) {
        msm_load_selected(run, run->first_word + index * MSM_SELECTED_WORDS, worker);
        return;
    }
    index -= count_selected_tasks(run);
    msm_load_row(run, run->first_row + (uint32_t)index, worker);
}

static cuzk_status run_loop(msm_run_t *run, cuzk_error *err)
{
    const size_t n_rows = run->n_loaded - run->first_row;
    const cuzk_status st = strand_run(
        run->strand, run->n_units + count_selected_tasks(run) + n_rows, run_task, run, err);

    run->n_units = 0;
    run->first_word = run->end_word;
    return st;
}

/* The loaded half is to be summed by the next loop, which loads the other one if there is. */
static void turn_over(msm_run_t *run)
{
    run->n_summed = run->n_loaded;
    run->summed_half = run->half;
    run->n_loaded = run->first_row = 0;
    if (run->plan.n_halves == 2) run->half = 1 - run->half;
    if (run->n_summed > 0) msm_plan_units(run);
}

/* After the last rows: their units, and each worker's selected points. */
static void run_last_task(void *arg, size_t index, uint32_t worker)
{
    const msm_run_t *run = arg;

    if (index < run->n_units)
        msm_sum_unit(run, (uint32_t)index, worker);
    else
        msm_sum_selected(run, (uint32_t)(index - run->n_units), worker);
}

static cuzk_status sum_all(msm_run_t *run, cuzk_error *err)
{
    const size_t n_points = count_points(run);
    size_t end_term = 0;
    cuzk_status st = CUZK_OK;

    while (st == CUZK_OK && (run->end_point < n_points || run->next_term < run->scalars->n_terms)) {
        if (run->next_term == end_term) {
            st = next_points(run, err);
            if (st != CUZK_OK) return st;
            end_term = find_end_term(run);
        }
        add_rows(run, end_term);
        st = run_loop(run, err);
        if (st != CUZK_OK || run->n_loaded < run->plan.n_rows) continue;
        turn_over(run);
        if (run->plan.n_halves == 1 && run->next_term < run->scalars->n_terms)
            st = run_loop(run, err); /* rows are not full where points end: there were too few */
    }
    if (run->n_loaded > 0) turn_over(run);
    const uint32_t n_owners = run->plan.has_selected ? run->plan.threads : 0;
    if (st == CUZK_OK)
        st = strand_run(run->strand, run->n_units + n_owners, run_last_task, run, err);
    return st;
}

cuzk_status msm_run_sum(msm_run_t *run, cuzk_error *err)
{
    const msm_plan_t *plan = &run->plan;
    cuzk_status st = CUZK_OK;

    if (run->has_counts) {
        const size_t n_blocks = (run->scalars->n_terms + plan->row_terms - 1) / plan->row_terms;

        st = strand_for(run->strand, n_blocks, (strand_cut_t){16, 256}, count_nonzero, run, err);
    }
    if (st == CUZK_OK) st = sum_all(run, err);
    if (st == CUZK_OK && plan->n_windows > 0) st = msm_reduce_buckets(run, err);
    if (st == CUZK_OK && plan->has_selected)
        run->group->store(run->memory + plan->at.parts, run->memory, plan->ones_slot,
                          plan->threads);
    return st;
}
