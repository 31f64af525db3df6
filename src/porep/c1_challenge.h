/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_POREP_C1_CHALLENGE_H
#define CUZK_POREP_C1_CHALLENGE_H

/* The vanilla proof of one challenge in commit-phase-1 output; of use to c1.c only. */

#include "base/arena.h"
#include "codec/json.h"
#include "porep/proof.h"

/** A labelling or encoding proof, which repeats what the columns say. */
typedef struct {
    uint64_t layer, node;
    fr_t parents[POREP_LABEL_PARENTS];
} c1_label_t;

/** The state of reading the vanilla proofs of one file. */
typedef struct {
    porep_proof_t *proof; /* config, shape and comm_d are there; comm_c, comm_r_last follow */
    arena_t *arena;
    bool has_comm_c, has_comm_r_last; /* taken from the first path of each tree */
    uint32_t partition;
    c1_label_t labels[POREP_MAX_LAYERS]; /* of the challenge being read */
    c1_label_t encoding;
} c1_reader_t;

/** An element of 32 bytes, below the field's modulus. */
cuzk_status c1_read_fr(json_t *j, fr_t *value, cuzk_error *err);

/** Reads an object into *challenge. */
cuzk_status c1_read_challenge(json_t *j, c1_reader_t *reader, porep_challenge_t *challenge,
                              cuzk_error *err);

/** Reads an array whose items past `expected` are skipped, and refuses any other count. */
cuzk_status c1_read_exactly(json_t *j, json_item_reader read, void *out, size_t expected,
                            const char *items, cuzk_error *err);

#endif
