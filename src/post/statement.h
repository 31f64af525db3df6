/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_POST_STATEMENT_H
#define CUZK_POST_STATEMENT_H

/* What a PoSt states, to prover and verifier alike: which sectors, under which randomness, in which
 * partitions. A partition has post_circuit_t.n_sectors slots; where sectors run out, the last one
 * fills the rest. In WinningPoSt the one sector fills all 66. */

#include "base/error.h"
#include "cuzk/statement.h"
#include "post/challenge.h"

enum {
    POST_PROOFS = 15,           /* registered proofs 0 .. 14 */
    POST_MAX_PARTITIONS = 3000, /* of a deadline: more can't be asked for */
    POST_MAX_PROVED = 25000     /* sectors that one message of the chain may be about */
};

/** What a registered proof's number says. */
typedef struct {
    post_kind kind;
    uint64_t sector_bytes;
    post_version version; /* WinningPoSt: POST_V1 */
} post_config_t;

/** False when number >= POST_PROOFS. */
bool post_config_by_number(post_config_t *config, uint64_t number);

typedef struct {
    uint64_t number;
    fr_t comm_r;
} post_stated_sector_t;

/** Values in range, sectors in order: all that the public inputs are made from. */
typedef struct {
    post_config_t config;
    uint8_t randomness[32];  /* little-endian, its two top bits clear: so it is below r */
    post_circuit_t shape;    /* of a partition */
    uint64_t n_leaves;       /* of a sector */
    uint32_t per_sector;     /* challenges of a sector: 66 or 10 */
    uint32_t n_partitions;   /* >= 1 */
    uint64_t first_position; /* of sectors[0] in the whole proof: 0, but for one judged alone */
    size_t n_sectors;        /* >= 1; without the filling */
    post_stated_sector_t *sectors; /* n_sectors, by rising number */
} post_statement_t;

/** Challenges that a sector answers: in WinningPoSt, all of the partition. */
static inline uint32_t post_challenges_per_sector(const post_circuit_t *shape, post_kind kind)
{
    return shape->n_challenges * (kind == POST_WINNING ? shape->n_sectors : 1);
}

/** CUZK_ERR_ARG when one of the two top bits is set, with the value that has them cleared: the
 * chain clears them, and calls a proof over any other bytes invalid. */
cuzk_status post_check_randomness(const uint8_t randomness[32], const char *field, cuzk_error *err);

/** CUZK_ERR_ARG, naming the limit, when a PoSt can't have n sectors. */
cuzk_status post_check_sector_count(const post_config_t *config, size_t n, cuzk_error *err);

/** The checked form of a statement, whose sectors may come in any order; one that stands there more
 *  than once with the same comm_r counts once. Release with post_statement_clear(), on success
 * only; nothing of `stated` is needed afterwards. CUZK_ERR_ARG names field, value and limit: a
 * registered proof that is not a PoSt, randomness with its top bits set, the number of sectors, one
 * number with two comm_r, a comm_r of zero or not below r. CUZK_ERR_MEMORY. */
cuzk_status post_statement_init(post_statement_t *st, const cuzk_post_statement *stated,
                                cuzk_error *err);

void post_statement_clear(post_statement_t *st);

/** The position in st->sectors of the sector in a slot of a partition. */
size_t post_slot_sector(const post_statement_t *st, uint32_t partition, uint32_t slot);

/** The first of that sector's challenges that the slot answers for; n_challenges of them follow. */
static inline uint32_t post_slot_challenge(const post_statement_t *st, uint32_t slot)
{
    return st->config.kind == POST_WINNING ? slot : 0;
}

/** The leaf of the i-th challenge (below st->per_sector) of st->sectors[position]. */
uint64_t post_stated_leaf(const post_statement_t *st, size_t position, uint32_t i);

/** Public inputs of a partition, without ONE: slots times (comm_r, then leaves). */
uint32_t post_public_input_count(const post_statement_t *st);

/** inputs[0 .. post_public_input_count() - 1] of a partition below st->n_partitions. */
void post_public_inputs(fr_t *inputs, const post_statement_t *st, uint32_t partition);

#endif
