/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_MSM_RUN_H
#define CUZK_MSM_RUN_H

/* The bucket method over any group (group.h): everything but the last few hundred additions,
 * which msm_tmpl.h does in Jacobian coordinates. */

#include "msm/adder.h"
#include "msm/plan.h"
#include "msm/reader.h"

/** One multiplication under way. All its memory is one allocation, laid out by plan.at. */
typedef struct {
    const msm_group_t *group;
    const points_t *points;
    const msm_scalars_t *scalars;
    strand_t *strand;
    msm_stats_t *stats; /* may be NULL */
    msm_plan_t plan;
    size_t memory_bytes;
    uint8_t *memory; /* begins with the slots */
    bool owns_memory;
    bool has_counts; /* plan.at.nonzero is filled in */
    msm_reader_t reader;

    /* The points that can be loaded: first_point ... end_point - 1. */
    msm_span_t span;
    size_t first_point;
    size_t end_point;
    size_t next_term; /* that has not been loaded */

    /* The half that is loaded has rows 0 ... n_loaded - 1; the loop adds those from first_row on,
     * and the selected points of words first_word ... end_word - 1. */
    uint32_t half;
    uint32_t first_row;
    uint32_t n_loaded;
    size_t first_word;
    size_t end_word;

    /* The half that is summed: n_units units over its n_summed rows. */
    uint32_t summed_half;
    uint32_t n_summed;
    uint32_t n_units;
} msm_run_t;

/** A worker's scratch, after its batch adder. */
typedef struct {
    uint32_t n_pending;  /* selected points in its slots that are not added up */
    uint32_t n_selected; /* sums of selected points, in the slots after them */
} msm_worker_t;

/** Allocates, and starts the reader when there is one. Call msm_run_close() also on failure. */
cuzk_status msm_run_open(msm_run_t *run, const msm_group_t *group, const points_t *points,
                         const msm_scalars_t *scalars, const msm_options_t *options,
                         strand_t *strand, cuzk_error *err);
void msm_run_close(msm_run_t *run);

/** Computes the affine structures at plan.at.parts: a partial sum of the selected points for each
 *  worker; then for each level and window the sum of its segments; then for each window its
 *  n_remainder terms. Window w is
 *    level[0] + 2^level_lg[0] (level[1] + 2^level_lg[1] ( ... + remainder)),
 *  remainder = sum i * term[i], or sum (i + 1) * term[i] without levels; the total is the sum of
 *  the partial sums and of 2^(window_bits * w) times window w. */
cuzk_status msm_run_sum(msm_run_t *run, cuzk_error *err);

/* ---- tasks ---------------------------------------------------------------------------------- */

enum { MSM_SELECTED_WORDS = 64 /* of the bitmap in a task */ };

/** load.c: loads a row, or selected points of MSM_SELECTED_WORDS words from first_word on. */
void msm_load_row(const msm_run_t *run, uint32_t row, uint32_t worker);
void msm_load_selected(const msm_run_t *run, size_t first_word, uint32_t worker);

/** load.c: adds up all selected points that `owner` loaded, into its slot from ones_slot on. */
void msm_sum_selected(const msm_run_t *run, uint32_t owner, uint32_t worker);

/** bucket.c: cuts the ranges of the half that is summed into units, then sums one. */
void msm_plan_units(msm_run_t *run);
void msm_sum_unit(const msm_run_t *run, uint32_t unit, uint32_t worker);

/** reduce.c: weighted sums of the buckets, to the level slots and the first bucket slots. */
cuzk_status msm_reduce_buckets(msm_run_t *run, cuzk_error *err);

/* ---- places in the memory ------------------------------------------------------------------- */

static inline msm_worker_t *msm_run_worker(const msm_run_t *run, uint32_t worker)
{
    return (msm_worker_t *)(void *)(run->memory + run->plan.at.workers +
                                    worker * run->plan.worker_bytes);
}

/** Scratch after the worker's batch adder, good for one task. */
static inline uint8_t *msm_run_scratch(const msm_run_t *run, uint32_t worker)
{
    return (uint8_t *)msm_run_worker(run, worker) + 64 + msm_adder_bytes(run->group);
}

static inline void msm_run_adder(const msm_run_t *run, msm_adder_t *adder, uint32_t worker)
{
    msm_adder_init(adder, run->group, run->memory,
                   run->plan.own_slot + worker * (MSM_ADDER_BLOCK / 2),
                   (uint8_t *)msm_run_worker(run, worker) + 64);
}

static inline uint32_t msm_row_slots(const msm_plan_t *plan)
{
    return plan->row_terms * plan->group->n_endo;
}

static inline uint32_t msm_row_slot(const msm_plan_t *plan, uint32_t half, uint32_t row)
{
    return (half * plan->n_rows + row) * msm_row_slots(plan);
}

static inline uint32_t *msm_row_entries(const msm_run_t *run, uint32_t half, uint32_t row)
{
    return (uint32_t *)(void *)(run->memory + run->plan.at.entries) +
           (size_t)msm_row_slot(&run->plan, half, row) * run->plan.n_windows;
}

static inline uint32_t *msm_row_offsets(const msm_run_t *run, uint32_t half, uint32_t row)
{
    return (uint32_t *)(void *)(run->memory + run->plan.at.offsets) +
           (size_t)(half * run->plan.n_rows + row) * (run->plan.n_ranges + 1);
}

static inline uint8_t *msm_is_used(const msm_run_t *run)
{
    return run->memory + run->plan.at.is_used;
}

static inline msm_unit_t *msm_units(const msm_run_t *run)
{
    return (msm_unit_t *)(void *)(run->memory + run->plan.at.units);
}

static inline uint32_t *msm_range_refs(const msm_run_t *run)
{
    return (uint32_t *)(void *)(run->memory + run->plan.at.range_refs);
}

static inline msm_terms_t *msm_row_terms(const msm_run_t *run)
{
    return (msm_terms_t *)(void *)(run->memory + run->plan.at.row_terms);
}

static inline uint16_t *msm_nonzero_counts(const msm_run_t *run)
{
    return (uint16_t *)(void *)(run->memory + run->plan.at.nonzero);
}

/* ---- terms ---------------------------------------------------------------------------------- */

static inline size_t msm_term_point(const msm_scalars_t *s, size_t term)
{
    return s->point_index == NULL ? term : s->point_index[term];
}

static inline uint32_t msm_term_scalar(const msm_scalars_t *s, size_t term)
{
    return s->scalar_index == NULL ? (uint32_t)term : s->scalar_index[term];
}

static inline bool msm_is_zero(const scalar_t *k)
{
    return (k->l[0] | k->l[1] | k->l[2] | k->l[3]) == 0;
}

#endif
