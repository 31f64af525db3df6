/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_POREP_C1_H
#define CUZK_POREP_C1_H

/* Reading commit-phase-1 output: the reference's JSON of SealCommitPhase1Output, bare or within
 * the object {"SectorNum", "Phase1Out", "SectorSize"} of Lotus and Curio, whose Phase1Out is
 * that JSON in base64. Members may stand in any order; unknown ones are ignored. */

#include "base/arena.h"
#include "cuzk/statement.h"
#include "porep/proof.h"

/** A commit-phase-1 output and its wrapper. */
typedef struct {
    porep_proof_t proof;
    bool is_wrapped;
    uint64_t sector_number; /* of the wrapper; 0 without one */
} porep_c1_t;

/** Bytes of the longest text of an output of this kind, in the wrapper, without white space. */
uint64_t porep_c1_max_bytes(const porep_config_t *config);

/** Reads a text with JSON_PADDING readable bytes after it, the first zero; it is not needed
 *  afterwards.
 *
 *  Checks the form: JSON and base64, counts of everything, elements below the field's modulus,
 *  commitments and seed not zero; that registered proof, shape of the vanilla proofs and the
 *  wrapper's sector size agree; and what the file says twice: roots, nodes, and the labels that
 *  the labelling and encoding proofs repeat. What it means is the business of porep_check().
 *
 *  In:  what      the file's name, for error texts
 *       requested the registered proof asked for, NULL for any
 *       arena     takes the proof's arrays, about a fifth of the inner JSON; also on failure
 *  Memory while it runs: in the wrapper 0.75 bytes a byte of the text for the decoded JSON, before
 *  that at most 0.5 more where the base64 has escapes; then for a byte of the JSON 2.3 for the
 *  parser's marks (at most 2.5) and 0.2 for the proof.
 *  CUZK_ERR_FORMAT or CUZK_ERR_MEMORY. Errors begin "WHAT: " and name the value by its path, so
 *  also partition and challenge: vanilla_proofs.StackedDrg32GiBV1[3][17].column... */
cuzk_status porep_c1_read(porep_c1_t *c1, const char *what, cuzk_bytes text,
                          const porep_config_t *requested, arena_t *arena, cuzk_error *err);

#endif
