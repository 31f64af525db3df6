/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_POREP_C1_H
#define CUZK_POREP_C1_H

/* Reading commit-phase-1 output: the reference's JSON of SealCommitPhase1Output, bare or within
 * the object {"SectorNum", "Phase1Out", "SectorSize"} of Lotus and Curio, whose Phase1Out is
 * that JSON in base64. Members may stand in any order; unknown ones are ignored. */

#include "base/arena.h"
#include "porep/proof.h"

/** A commit-phase-1 output and its wrapper. */
typedef struct {
    porep_proof_t proof;
    bool is_wrapped;
    uint64_t sector_number; /* of the wrapper; 0 without one */
} porep_c1_t;

/** Reads text[0 .. length-1] (with the spare bytes codec/json.h asks for; read_file() gives them).
 *
 *  Checks the form: JSON and base64, counts of everything, elements below the field's modulus,
 *  commitments and seed not zero; that registered proof, shape of the vanilla proofs and the
 *  wrapper's sector size agree; and what the file says twice: roots, nodes, and the labels that
 *  the labelling and encoding proofs repeat. What it means is the business of porep_check().
 *
 *  In:  what      the file's name, for error texts
 *       requested the registered proof asked for, NULL for any
 *       arena     takes the proof's arrays, about a fifth of the inner JSON; also on failure
 *  CUZK_ERR_FORMAT or CUZK_ERR_MEMORY. Errors begin "WHAT: " and name the value by its path, so
 *  also partition and challenge: vanilla_proofs.StackedDrg32GiBV1[3][17].column... */
cuzk_status porep_c1_read(porep_c1_t *c1, const char *what, const uint8_t *text, size_t length,
                          const porep_config_t *requested, arena_t *arena, cuzk_error *err);

#endif
