/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_MSM_MSM_H
#define CUZK_MSM_MSM_H

/* Multi-scalar multiplication on BLS12-381: r = sum(k[j] * p[at[j]]) + sum(p[i], bit i of select).
 *
 * A witness is mostly bits: their terms are a subset sum of points, with no windows. The other
 * terms go through buckets with signed digits. Points are streamed from their source in chunks,
 * in rising order and once, so that memory does not grow with their number. Variable time in the
 * scalars: they are witness values on the prover's own host. Points are in the subgroup of order r
 * (the endomorphism is used) and may repeat, be opposite or the identity; scalars may be 0, 1 or
 * anything below r. Algorithm and cost: docs/algorithms/msm.md. */

#include "base/executor.h"
#include "curve/g1.h"
#include "curve/g2.h"

/** The scalars of one multiplication; all memory is borrowed. */
typedef struct {
    const uint64_t *select;  /* bitmap over the source's points, bit i of word i/64: terms with
                                scalar 1; bits past the last point are 0; NULL: none */
    const scalar_t *scalars; /* canonical, < r */
    const uint32_t *which;   /* term j has scalar scalars[which[j]]; NULL: scalars[j] */
    const uint32_t *at;      /* term j has point at[j], strictly rising; NULL: point j */
    size_t n_terms;          /* terms in scalars/which/at */
} msm_scalars_t;

/** How to run. Zeroed is a good default. */
typedef struct {
    uint32_t window_bits; /* 2 ... 20, cut to that; 0: chosen from the number of terms */
} msm_options_t;

/** r in Jacobian form; the identity for no terms. CUZK_ERR_MEMORY when scratch is refused.
 *  Threads: shares the strand; concurrent calls are fine. */
cuzk_status msm_g1(g1_jac_t *r, const g1_source_t *points, const msm_scalars_t *scalars,
                   const msm_options_t *options, strand_t *strand, cuzk_error *err);
cuzk_status msm_g2(g2_jac_t *r, const g2_source_t *points, const msm_scalars_t *scalars,
                   const msm_options_t *options, strand_t *strand, cuzk_error *err);

#endif
