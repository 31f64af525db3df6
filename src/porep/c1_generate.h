/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_POREP_C1_GENERATE_H
#define CUZK_POREP_C1_GENERATE_H

/* Commit-phase-1 output of any size without a sector, for tests and measurements: a sector of
 * zeros whose trees are random but where the challenges need them. It passes all checks, so its
 * witness violates no constraint. Interactive kinds only: the others' challenges depend on the
 * trees. */

#include "base/arena.h"
#include "porep/proof.h"

/** Fills *proof for an interactive config; the arrays lie in the arena, as do the work arrays. The
 *  same random_seed gives the same proof. */
void porep_generate_proof(porep_proof_t *proof, const porep_config_t *config,
                          const uint8_t prover_id[32], uint64_t sector_number, uint64_t random_seed,
                          arena_t *arena);

/** The proof as the reference's JSON, zero-terminated, with JSON_PADDING spare bytes; *length is
 *  its length. Release with free(). NULL when memory is refused. */
char *porep_write_output(const porep_proof_t *proof, size_t *length);

/** The same within the wrapper of Lotus and Curio. */
char *porep_write_c1(const porep_proof_t *proof, uint64_t sector_number, size_t *length);

#endif
