/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_MSM_SUMMER_H
#define CUZK_MSM_SUMMER_H

/* Many sums of points at once, each into a slot of its own, by batches of affine additions: the
 * terms of a block of sums are added in pairs, then the results in pairs, until each sum has one
 * term left. All additions of such a round are independent, whatever the inputs. */

#include "msm/group.h"

enum { SUMMER_BLOCK = 8192 }; /* references held before they are summed */

typedef struct {
    uint32_t start; /* in refs */
    uint32_t count;
    uint32_t out;
} summer_segment_t;

/** One thread's state. Slots first_own ... first_own + SUMMER_BLOCK / 2 - 1 are its own. */
typedef struct {
    const msm_group_t *group;
    uint8_t *slots;
    uint32_t first_own;
    uint32_t n_refs;
    uint32_t n_segments;
    uint32_t n_pairs;
    void *add_scratch;
    msm_pair_t *pairs;          /* MSM_MAX_BATCH */
    msm_ref_t *refs;            /* SUMMER_BLOCK */
    summer_segment_t *segments; /* SUMMER_BLOCK / 2 */
} summer_t;

/** Bytes for summer_init; 64-byte aligned. */
size_t summer_bytes(const msm_group_t *group);

void summer_init(summer_t *s, const msm_group_t *group, uint8_t *slots, uint32_t first_own,
                 uint8_t *memory);

/** slot out += the points of refs[0 .. n-1], n >= 1; if fresh, slot out = their sum. The slot is
 *  good after summer_finish; until then it is not passed again. */
void summer_add(summer_t *s, uint32_t out, bool fresh, const msm_ref_t *refs, size_t n);

/** The same for the points of slots first ... first + n - 1. */
void summer_add_slots(summer_t *s, uint32_t out, bool fresh, uint32_t first, size_t n);

/** Completes all sums. */
void summer_finish(summer_t *s);

/** Adds one pair to the next batch, which runs when it is full; summer_flush runs the rest. For
 *  callers that keep the pairs of a batch independent (msm_group_t.add) on their own. */
void summer_pair(summer_t *s, msm_ref_t a, msm_ref_t b, uint32_t out);
void summer_flush(summer_t *s);

#endif
