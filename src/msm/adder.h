/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_MSM_ADDER_H
#define CUZK_MSM_ADDER_H

/* The batch adder: many sums of points at once, each into a slot of its own, by batches of affine
 * additions: the terms of a block of sums are added in pairs, then the results in pairs, until each
 * sum has one term left. All additions of such a round are independent, whatever the inputs. */

#include "msm/group.h"

enum { MSM_ADDER_BLOCK = 8192 }; /* references held before they are summed */

typedef struct {
    uint32_t start; /* in refs */
    uint32_t count;
    uint32_t out;
} msm_adder_sum_t;

/** One thread's state. Slots first_own ... first_own + MSM_ADDER_BLOCK / 2 - 1 are its own. */
typedef struct {
    const msm_group_t *group;
    uint8_t *slots;
    uint32_t first_own;
    uint32_t n_refs;
    uint32_t n_sums;
    uint32_t n_pairs;
    void *add_scratch;
    msm_pair_t *pairs;     /* MSM_MAX_BATCH */
    msm_ref_t *refs;       /* MSM_ADDER_BLOCK */
    msm_adder_sum_t *sums; /* MSM_ADDER_BLOCK / 2 */
} msm_adder_t;

/** Bytes for msm_adder_init; 64-byte aligned. */
size_t msm_adder_bytes(const msm_group_t *group);

void msm_adder_init(msm_adder_t *adder, const msm_group_t *group, uint8_t *slots,
                    uint32_t first_own, uint8_t *memory);

/** slot out += the points of refs[0 .. n-1], n >= 1; if fresh, slot out = their sum. The slot is
 *  good after msm_adder_finish; until then it is not passed again. */
void msm_adder_add(msm_adder_t *adder, uint32_t out, bool fresh, const msm_ref_t *refs, size_t n);

/** The same for the points of slots first ... first + n - 1. */
void msm_adder_add_slots(msm_adder_t *adder, uint32_t out, bool fresh, uint32_t first, size_t n);

/** Completes all sums. */
void msm_adder_finish(msm_adder_t *adder);

/** Adds one pair to the next batch, which runs when it is full; msm_adder_flush runs the rest. For
 *  callers that keep the pairs of a batch independent (msm_group_t.add) on their own. */
void msm_adder_pair(msm_adder_t *adder, msm_ref_t a, msm_ref_t b, uint32_t out);
void msm_adder_flush(msm_adder_t *adder);

#endif
