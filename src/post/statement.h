/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_POST_STATEMENT_H
#define CUZK_POST_STATEMENT_H

/* What a PoSt states, known to prover and verifier alike: which sectors, under which randomness,
 * in which partitions. A partition has post_circuit_t.n_sectors slots; where sectors run out, the
 * last one fills the rest. In WinningPoSt the one sector fills all 66. */

#include "post/challenge.h"

/** What is asked for. */
typedef struct {
    post_kind kind;
    uint64_t sector_bytes;
    post_version version; /* WinningPoSt: POST_V1 */
    uint8_t prover_id[32];
    uint8_t randomness[32]; /* little-endian below r: clients clear its two top bits */

    /* Window only. The position in the whole proof of the partition that comes first here, and how
     * many may follow it from there, itself included; 0 and POST_ALL_PARTITIONS for a whole proof.
     */
    uint32_t first_partition;
    uint32_t max_partitions;
} post_request_t;

#define POST_ALL_PARTITIONS UINT32_MAX

/** A sector as the chain knows it. */
typedef struct {
    uint64_t number;
    uint8_t comm_r[32];
} post_replica_t;

typedef struct {
    post_request_t request;
    post_circuit_t shape;  /* of a partition */
    uint64_t n_leaves;     /* of a sector */
    uint32_t per_sector;   /* challenges of a sector: 66 or 10 */
    uint32_t n_partitions; /* >= 1 */
    size_t n_sectors;      /* >= 1; without the filling */
    struct post_stated_sector {
        uint64_t number;
        fr_t comm_r;
    } * sectors; /* n_sectors, by rising number */
} post_statement_t;

/** Challenges that a sector answers: in WinningPoSt, all of the partition. */
static inline uint32_t post_challenges_per_sector(const post_circuit_t *shape, post_kind kind)
{
    return shape->n_challenges * (kind == POST_WINNING ? shape->n_sectors : 1);
}

/** Checks a request for n sectors: size, version, ranges of prover id and randomness, count.
 *  CUZK_ERR_ARG names field, value and limit. */
cuzk_status post_request_check(const post_request_t *request, size_t n_sectors, cuzk_error *err);

/** Fills *st from the sectors in any order; release it with post_statement_clear(). CUZK_ERR_ARG
 *  for a bad request, two sectors of one number, a comm_r of zero or not below r. */
cuzk_status post_statement_init(post_statement_t *st, const post_request_t *request,
                                const post_replica_t *replicas, size_t n, cuzk_error *err);

void post_statement_clear(post_statement_t *st);

/** The position in st->sectors of the sector in a slot of a partition. */
size_t post_slot_sector(const post_statement_t *st, uint32_t partition, uint32_t slot);

/** The first of that sector's challenges that the slot answers for; n_challenges of them follow. */
static inline uint32_t post_slot_challenge(const post_statement_t *st, uint32_t slot)
{
    return st->request.kind == POST_WINNING ? slot : 0;
}

/** The leaf of the i-th challenge (below st->per_sector) of st->sectors[position]. */
uint64_t post_stated_leaf(const post_statement_t *st, size_t position, uint32_t i);

/** Public inputs of a partition, without ONE: slots times (comm_r, then leaves). */
size_t post_input_count(const post_statement_t *st);

/** inputs[0 .. post_input_count() - 1] of a partition below st->n_partitions. */
void post_inputs(fr_t *inputs, const post_statement_t *st, uint32_t partition);

#endif
