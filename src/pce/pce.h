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
 *  CUZK_ERR_ARG when the label is too long or not printable; aborts the process when the system has
 *  no memory, as do the others here (a PCE is small). Release with pce_free(). */
cuzk_status pce_extract(pce_t **pce, const char *label, circuit_fn circuit, const void *values,
                        cuzk_error *err);

void pce_free(pce_t *pce);

pce_info_t pce_info(const pce_t *pce);

/** Counts, parts and densities; lives as long as the PCE does. */
const circuit_plan_t *pce_plan(const pce_t *pce);

/** The densities made once more from templates and stamps, as a run that gathers them would: the
 *  plan's, anew. Release with densities_clear(). One thread; a quarter of a millisecond for 2.7
 *  million variables. */
void pce_densities(densities_t *densities, const pce_t *pce);

/** Regenerates every constraint and returns their digest (docs/formats.md), which is also kept in
 *  the PCE; 1.5 seconds for 10 million constraints. Not while others use the PCE. */
void pce_digest(uint8_t digest[SHA256_BYTES], pce_t *pce);

/** Writes the file, beside its place and renamed; an existing one is replaced. The digest is made
 *  first when there is none yet. */
cuzk_status pce_save(pce_t *pce, const char *path, cuzk_error *err);

/** Reads a file and checks its form: magic, version, counts against the file's length before
 *  anything is allocated from them, checksums of all sections, and that every reference is in
 *  range. The file may be replaced or removed meanwhile and after.
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
 *  CUZK_ERR_ARG when the witness has not the circuit's counts or bits. Stamps run at once on the
 *  strand (NULL: one thread). */
cuzk_status pce_evaluate(fr_t *a, fr_t *b, fr_t *c, const pce_t *pce, const witness_t *witness,
                         strand_t *strand, cuzk_error *err);

/** A circuit as a cache is asked for it. */
typedef struct {
    const char *label;     /* names it: one label, one circuit */
    const uint8_t *digest; /* its r1cs_sha256, SHA256_BYTES; NULL: not known, never in a file */
    circuit_fn circuit;
    const void *values;
} pce_circuit_t;

/** What an operator should know of a file that was mended or could not be written: a line. */
typedef void (*pce_notice_fn)(void *arg, const char *text);

/** A place for the PCEs of a process, by label: each is made once, however many ask for it at the
 *  same time. Thread-safe. */
typedef struct pce_cache pce_cache_t;

/** folder  where PCEs are kept for other processes and times; copied. NULL: in memory alone
 *  notice  may be NULL; called by a thread that asks, by several at once when these ask for
 *          different circuits, and not to ask the cache itself */
pce_cache_t *pce_cache_new(const char *folder, pce_notice_fn notice, void *notice_arg);
void pce_cache_free(pce_cache_t *cache);

/** The PCE of a circuit: from the cache, else from its file, else extracted, and then saved in the
 *  folder if there is one. Borrowed from the cache. Nothing about a file or the folder is an error
 *  here: a file that is damaged, of another version or circuit, is replaced, with a notice.
 *
 *  The digest is regenerated and compared before a file is written (seconds, see pce_digest());
 *  a file is held to its checksums and the digest in its header; what is held in memory alone is
 *  taken as extracted.
 *  Errors: as pce_extract(); CUZK_ERR_INTERNAL when the digest is not the one expected. The next
 *  call tries again. */
cuzk_status pce_cache_get(const pce_t **pce, pce_cache_t *cache, const pce_circuit_t *circuit,
                          cuzk_error *err);

#endif
