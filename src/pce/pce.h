/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_PCE_PCE_H
#define CUZK_PCE_PCE_H

/* A circuit compiled ahead of its proofs ("pre-compiled constraint evaluator"): all constraints,
 * in a form that is small because a gadget's constraints are held once, as a template, and each
 * place where it stands is a stamp: which template, the first variable, the variables that come
 * from outside. Form, file and cost: docs/algorithms/synthesis.md. */

#include "base/executor.h"
#include "hash/sha256.h"
#include "r1cs/cs.h"
#include "r1cs/witness.h"
#include "synthesis/plan.h"

typedef struct pce pce_t;

/** PCE_FILE_VERSION is that of the file's form and of what circuits record in it beside their
 *  constraints: where their parts begin. A file of another version is not read. */
enum { PCE_LABEL_BYTES = 64, PCE_FILE_VERSION = 1 };

/** What a PCE is of and how large it is. */
typedef struct {
    char label[PCE_LABEL_BYTES]; /* the circuit's name, such as "porep-32g" */
    uint32_t n_templates;
    uint32_t n_stamps;
    uint64_t template_rows;  /* constraints of all templates */
    uint64_t template_terms; /* terms of all templates */
    uint64_t memory_bytes;   /* held, densities included */
    bool has_digest;
    uint8_t digest[SHA256_BYTES]; /* r1cs_sha256 (docs/formats.md) */
} pce_info_t;

/** Runs a circuit without values (it sees has_values false) and compiles it. One thread.
 *  CUZK_ERR_ARG when the label is too long or not printable; CUZK_ERR_MEMORY; CUZK_ERR_INTERNAL
 * when a gadget uses a variable that it does not name. Release with pce_free(). */
cuzk_status pce_extract(pce_t **pce, const char *label, circuit_fn circuit, const void *values,
                        cuzk_error *err);

void pce_free(pce_t *pce);

pce_info_t pce_info(const pce_t *pce);

/** Counts, parts and densities; lives as long as the PCE does. */
const circuit_plan_t *pce_plan(const pce_t *pce);

/** The densities made from templates and stamps again, as a run that gathers them would: those of
 *  the plan. Release with densities_clear(), on success only. CUZK_ERR_MEMORY. One thread; a
 * quarter of a millisecond for 2.7 million variables. */
cuzk_status pce_densities(densities_t *densities, const pce_t *pce, cuzk_error *err);

/** Regenerates every constraint and returns their digest (docs/formats.md), which is also kept in
 *  the PCE; 1.5 seconds for 10 million constraints. Not while others use the PCE. CUZK_ERR_MEMORY.
 */
cuzk_status pce_digest(uint8_t digest[SHA256_BYTES], pce_t *pce, cuzk_error *err);

/** Writes the file, beside its place and renamed; an existing one is replaced. The digest is made
 *  first when there is none yet. */
cuzk_status pce_save(pce_t *pce, const char *path, cuzk_error *err);

/** Reads a file and checks its form: magic, version, counts against the file's length before
 *  anything is allocated from them, checksums of all sections, that every reference is in range,
 *  and that parts begin where stamps do. The file may be replaced or removed meanwhile and after.
 *
 *  label   the circuit that is wanted; another is refused
 *  digest  its r1cs_sha256, compared with the header's; NULL: any
 *  Errors: CUZK_ERR_MISSING, CUZK_ERR_FORMAT, CUZK_ERR_ARG (another circuit), CUZK_ERR_MEMORY,
 *  CUZK_ERR_IO. */
cuzk_status pce_load(pce_t **pce, const char *path, const char *label, const uint8_t *digest,
                     cuzk_error *err);

/** The same from bytes in memory; name is used in errors. */
cuzk_status pce_read(pce_t **pce, const uint8_t *bytes, size_t length, const char *name,
                     const char *label, const uint8_t *digest, cuzk_error *err);

/** Regenerates the constraints and compares their digest with the one the file gives:
 *  CUZK_ERR_FORMAT when they differ. As slow as pce_digest(). */
cuzk_status pce_validate(const pce_t *pce, cuzk_error *err);

/** a, b and c of every constraint from a witness alone: n_constraints values each. c may be NULL.
 *  CUZK_ERR_ARG when the witness has not the circuit's counts or bits; CUZK_ERR_MEMORY; as
 *  strand_for(). Stamps run at once on the strand (NULL: one thread). */
cuzk_status pce_evaluate(fr_t *a, fr_t *b, fr_t *c, const pce_t *pce, const witness_t *witness,
                         strand_t *strand, cuzk_error *err);

#endif
