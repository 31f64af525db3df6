/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_POST_CIRCUIT_H
#define CUZK_POST_CIRCUIT_H

/* The circuit of WinningPoSt and WindowPoSt (FallbackPoSt): for each sector,
 * comm_r = H(comm_c, comm_r_last), and challenged leaves lie in the tree of comm_r_last.
 *
 * Public inputs, a sector after the other: comm_r, then the index of each challenged leaf. */

#include "gadget/merkle_batch.h"

/** A challenged leaf with its path to comm_r_last. */
typedef merkle_opening_t post_challenge_t;

typedef struct {
    fr_t comm_r;
    fr_t comm_c;
    fr_t comm_r_last;
    const post_challenge_t *challenges; /* post_circuit_t.n_challenges */
} post_sector_t;

/** What is proved. The shape is all that matters in runs without values; sectors may be NULL
 *  there. The arrays belong to the caller and outlive the run. */
typedef struct {
    tree_shape_t tree; /* R-last */
    uint32_t n_sectors;
    uint32_t n_challenges; /* in each sector */
    const post_sector_t *sectors;
} post_circuit_t;

typedef enum { POST_WINNING, POST_WINDOW } post_kind;

/** The shape of one partition, without sectors. sector_bytes is 2 KiB, 8 MiB, 512 MiB,
 *  32 GiB or 64 GiB. Winning: the one sector stands 66 times, with one challenge each. Window: ten
 *  challenges each in 2 sectors; 2349 at 32 GiB and 2300 at 64 GiB. */
post_circuit_t post_circuit_shape(post_kind kind, uint64_t sector_bytes);

/** A circuit_fn; circuit is a post_circuit_t. */
void post_circuit(cs_t *cs, const void *circuit);

#endif
