/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_MSM_MSM_H
#define CUZK_MSM_MSM_H

/* Multi-scalar multiplication on BLS12-381:
 *     r = sum(k[j] * p[point_index[j]]) + sum(p[i], bit i of select).
 *
 * Most of a witness are bits: their terms are a subset sum of points, without windows. The other
 * terms go through buckets with signed digits. Points are taken in chunks, in rising order, so that
 * memory does not grow with their number; those that are not in memory are read by a thread of the
 * multiplication, the next chunk while this one is summed. Variable time in the scalars: they are
 * witness values on the prover's own host. Points are in the subgroup of order r (the endomorphism
 * is used) and may repeat, be opposite or infinity; scalars may be 0, 1 or anything below r.
 * Algorithm and cost: docs/algorithms/msm.md. */

#include "base/executor.h"
#include "curve/g1.h"
#include "curve/g2.h"
#include "curve/points.h"

/** The scalars of one multiplication; all memory is borrowed. */
typedef struct {
    const uint64_t *select;  /* bitmap over the points, bit i of word i/64: terms with scalar 1;
                                bits past the last point are 0; NULL: none */
    const scalar_t *scalars; /* canonical, < r */
    const uint32_t *scalar_index; /* term j has scalars[scalar_index[j]]; NULL: scalars[j] */
    const uint32_t *point_index;  /* term j has point point_index[j], strictly rising; NULL: j */
    size_t n_terms;               /* terms in scalars / scalar_index / point_index */
} msm_scalars_t;

/** What a multiplication tells about itself. */
typedef struct {
    double io_wait_s;    /* seconds the strand waited for points to be read */
    uint64_t bytes_read; /* by points->read */
} msm_stats_t;

/** How to run. Zeroed is a good default. */
typedef struct {
    uint32_t window_bits; /* 2 ... 20, cut to that; 0: chosen from the number of terms */
    msm_stats_t *stats;   /* added to, also on failure; NULL: not wanted */
    void *memory;         /* to work in, of any contents, aligned to 64 bytes; may be NULL */
    size_t memory_bytes;  /* of it; less than msm_bytes_g1() or _g2(): own memory is allocated */
} msm_options_t;

/** r in Jacobian form; infinity for no terms. CUZK_ERR_MEMORY when memory or the reader's thread is
 *  refused, what points->read() says, or why the strand is to stop; then *r is not set. Threads:
 *  shares the strand; concurrent calls are fine. */
cuzk_status msm_g1(g1_jac_t *r, const points_t *points, const msm_scalars_t *scalars,
                   const msm_options_t *options, strand_t *strand, cuzk_error *err);
cuzk_status msm_g2(g2_jac_t *r, const points_t *points, const msm_scalars_t *scalars,
                   const msm_options_t *options, strand_t *strand, cuzk_error *err);

/** What a multiplication's memory depends on. */
typedef struct {
    size_t n_points;
    size_t n_terms;
    bool has_selected;    /* select is not NULL */
    bool is_read;         /* points->base is NULL */
    uint32_t window_bits; /* as in msm_options_t */
    uint32_t threads;     /* strand_size() */
} msm_size_t;

/** Bytes of memory of a multiplication of that size; it holds all of them from start to end. */
uint64_t msm_bytes_g1(const msm_size_t *size);
uint64_t msm_bytes_g2(const msm_size_t *size);

/** The window it chooses for so many terms. */
uint32_t msm_window_g1(size_t n_terms);
uint32_t msm_window_g2(size_t n_terms);

#endif
