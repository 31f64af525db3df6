/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_SYNTHESIS_SHAPE_H
#define CUZK_SYNTHESIS_SHAPE_H

/* What a circuit is: counts, densities and digests of its constraints, made as they pass without
 * keeping them; on request also digests of its values and a check that they satisfy every
 * constraint. The digests are those of docs/formats.md, so that a circuit can be compared with a
 * reference's block by block. */

#include "base/executor.h"
#include "hash/sha256.h"
#include "r1cs/cs.h"
#include "r1cs/counts.h"

enum { SHAPE_BLOCK_BYTES = 8, SHAPE_DEFAULT_BLOCK = 4096 };

/** How much to find out; each level has all before it. */
typedef enum {
    SHAPE_COUNTS,  /* counts and densities only; values are not looked at */
    SHAPE_DIGESTS, /* also the digests of the constraints; values are not looked at */
    SHAPE_VALUES   /* also the digests of the values, and violated constraints */
} shape_level;

/** SHA-256 over all items of a sequence, and over each block of them. */
typedef struct {
    uint8_t all[SHA256_BYTES];
    uint8_t (*blocks)[SHAPE_BLOCK_BYTES]; /* n_blocks of them: the first 8 bytes of each block's
                                             digest; the last block may be short */
    size_t n_blocks;
} shape_digest_t;

typedef struct {
    shape_level level;
    circuit_counts_t counts;
    densities_t densities;
    uint64_t nonzero_a, nonzero_b, nonzero_c; /* terms with a non-zero coefficient */
    uint64_t zero_coefficients;               /* terms left out because theirs is zero */
    uint32_t block;                           /* items of a block, as asked for */
    shape_digest_t r1cs;                      /* from SHAPE_DIGESTS on: the constraints */
    shape_digest_t aux;                       /* SHAPE_VALUES: the auxiliary values */
    uint64_t aux_in_0_1;                      /* SHAPE_VALUES: auxiliary values that are 0 or 1 */
    uint64_t violated;                        /* SHAPE_VALUES: constraints that do not hold */
    uint64_t first_violated;                  /* its index, when there is one */
    fr_t *inputs;                             /* SHAPE_VALUES: counts.n_inputs values, ONE first */
} shape_t;

typedef struct {
    shape_level level;
    uint32_t block; /* constraints (and auxiliary values) of a block; 0: SHAPE_DEFAULT_BLOCK */
    strand_t *strand;
} shape_options_t;

/** Runs a circuit and fills *shape; release it with shape_clear().
 *
 *  values goes to the circuit as it is. Below SHAPE_VALUES the circuit sees has_values false.
 *  Memory: bitmaps of the variables and 8 bytes a block; with SHAPE_VALUES the witness too. One
 *  thread, except that the two digests of a sequence run at once where the strand has two (NULL:
 *  one). CUZK_ERR_MEMORY; with digests also CUZK_CANCELLED and CUZK_ERR_DEADLINE of the strand. On
 *  an error nothing is held. */
cuzk_status synthesis_shape(shape_t *shape, circuit_fn circuit, const void *values,
                            const shape_options_t *options, cuzk_error *err);

void shape_clear(shape_t *shape);

#endif
