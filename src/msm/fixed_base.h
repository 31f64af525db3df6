/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_MSM_FIXED_BASE_H
#define CUZK_MSM_FIXED_BASE_H

/* Many multiples of one point, for the setup: r[i] = k[i] * base, affine, through a table of
 * multiples of the base and batch-affine additions. */

#include "base/executor.h"
#include "curve/g1.h"
#include "curve/g2.h"

typedef struct fixed_base_g1 fixed_base_g1_t;
typedef struct fixed_base_g2 fixed_base_g2_t;

/** A table for about n multiplications (its window follows from n), on strands of as many threads
 *  as this one at most. CUZK_ERR_MEMORY, or why the strand is to stop; then *table is NULL. */
cuzk_status fixed_base_g1_open(fixed_base_g1_t **table, const g1_affine_t *base, size_t n,
                               strand_t *strand, cuzk_error *err);
cuzk_status fixed_base_g2_open(fixed_base_g2_t **table, const g2_affine_t *base, size_t n,
                               strand_t *strand, cuzk_error *err);

/** NULL is allowed. */
void fixed_base_g1_close(fixed_base_g1_t *table);
void fixed_base_g2_close(fixed_base_g2_t *table);

/** r[i] = k[i] * base for i < n, k canonical; infinity (x = y = 0) for 0. Variable time in k.
 *  CUZK_ERR_ARG on a strand of more threads than the table's, or why the strand is to stop.
 * Threads: one call at a time on a table. */
cuzk_status fixed_base_g1_mul(g1_affine_t *r, fixed_base_g1_t *table, const scalar_t *k, size_t n,
                              strand_t *strand, cuzk_error *err);
cuzk_status fixed_base_g2_mul(g2_affine_t *r, fixed_base_g2_t *table, const scalar_t *k, size_t n,
                              strand_t *strand, cuzk_error *err);

#endif
