/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_MSM_RUN_H
#define CUZK_MSM_RUN_H

/* The bucket method over any group (group.h): everything but the last few hundred additions,
 * which msm_tmpl.h does in Jacobian coordinates. */

#include "msm/group.h"
#include "msm/msm.h"

enum { MSM_MAX_LEVELS = 4, MSM_MIN_WINDOW = 2, MSM_MAX_WINDOW = 20 };

/** How one multiplication runs. */
typedef struct {
    uint32_t window_bits;
    uint32_t n_windows;                  /* 0 when there are no terms */
    uint32_t n_buckets;                  /* a window: 2^(window_bits - 1) */
    uint32_t n_levels;                   /* of the buckets' weighted sum */
    uint32_t segment_lg[MSM_MAX_LEVELS]; /* log2 of the buckets a segment, by level */
    uint32_t n_rest;                     /* weighted terms a window left after the levels */
    uint32_t n_ones;                     /* partial sums of the selected points */
} msm_plan_t;

/** Affine structures: n_ones partial sums; then for each level and window the sum of its segments;
 *  then for each window its n_rest terms. Window w is
 *    level[0] + 2^segment_lg[0] (level[1] + 2^segment_lg[1] ( ... + rest)),
 *  rest = sum i * rest[i], or sum (i + 1) * rest[i] without levels; the total is the sum of the
 *  ones and of 2^(window_bits * w) times window w. */
typedef struct {
    msm_plan_t plan;
    void *affine; /* calloc'ed; free() it */
} msm_parts_t;

/** Fills *parts. CUZK_ERR_MEMORY when scratch is refused. */
cuzk_status msm_run(msm_parts_t *parts, const msm_group_t *group, const msm_source_t *source,
                    const msm_scalars_t *scalars, const msm_options_t *options, strand_t *strand,
                    cuzk_error *err);

/** The plan for n_terms terms and n_selected selected points at most. */
void msm_plan_make(msm_plan_t *plan, const msm_group_t *group, size_t n_terms, size_t n_selected,
                   uint32_t window_bits, uint32_t threads);

#endif
