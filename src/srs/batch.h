/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_SRS_BATCH_H
#define CUZK_SRS_BATCH_H

/* Whether all of many points of the curve are in the subgroup of order r, for much less than the
 * price of looking at each. Each point is added into one bucket of 2^12, chosen at random; then
 * the buckets' sums are looked at. If a point is outside the subgroup, then whatever the buckets
 * hold without it, at most one bucket can take it and leave all sums inside: it goes unseen with
 * probability 2^-12 at most. Five rounds with fresh choices make that 2^-60. */

#include "base/executor.h"
#include "curve/g1.h"
#include "curve/g2.h"

enum {
    SRS_BATCH_ROUNDS = 5,
    SRS_BATCH_LG_BUCKETS = 12,
    SRS_BATCH_SUMS = SRS_BATCH_ROUNDS << SRS_BATCH_LG_BUCKETS /* points, for each worker */
};

typedef struct srs_batch_g1 srs_batch_g1_t;
typedef struct srs_batch_g2 srs_batch_g2_t;

/** Empty buckets: 2.8 MiB (5.6 in G2) for each of the workers. CUZK_ERR_MEMORY. */
cuzk_status srs_batch_g1_open(srs_batch_g1_t **batch, uint32_t n_workers, cuzk_error *err);
cuzk_status srs_batch_g2_open(srs_batch_g2_t **batch, uint32_t n_workers, cuzk_error *err);

/** Adds a point of the curve; random is uniform in 64 bits and unknown to whoever made the point.
 *  Calls for one worker do not overlap. Five additions. */
void srs_batch_g1_add(srs_batch_g1_t *batch, const g1_affine_t *p, uint64_t random,
                      uint32_t worker);
void srs_batch_g2_add(srs_batch_g2_t *batch, const g2_affine_t *p, uint64_t random,
                      uint32_t worker);

/** *good = whether all sums are in the subgroup; once, at the end. */
cuzk_status srs_batch_g1_good(bool *good, srs_batch_g1_t *batch, strand_t *strand, cuzk_error *err);
cuzk_status srs_batch_g2_good(bool *good, srs_batch_g2_t *batch, strand_t *strand, cuzk_error *err);

/** NULL is allowed. */
void srs_batch_g1_close(srs_batch_g1_t *batch);
void srs_batch_g2_close(srs_batch_g2_t *batch);

#endif
