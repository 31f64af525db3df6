/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CUZK_H
#define CUZK_CUZK_H

/* libcuzk: Filecoin's proofs from C. Open a context, fill a statement, prove or verify.
 *
 *     cuzk_context *context;
 *     cuzk_error error;
 *     if (cuzk_open(&context, &(cuzk_options){.params_folder = "/params"}, &error) != CUZK_OK)
 *         complain(error.text);
 *     cuzk_proofs proofs;
 *     if (cuzk_prove_post(context, &input, &proofs, &error) == CUZK_OK) {
 *         use(proofs.bytes, proofs.length);
 *         cuzk_proofs_clear(&proofs);
 *     }
 *     cuzk_close(context);
 *
 * Every input is checked before any expensive work, and every proof before it is handed out. All
 * pointers are borrowed for the call only. A context may be used by several threads at once; its
 * worker threads are shared by their calls. */

#include <stddef.h>
#include <stdint.h>

#include "cuzk/statement.h"
#include "cuzk/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CUZK_API __attribute__((visibility("default")))

/** "0.1.0" */
CUZK_API const char *cuzk_version(void);

typedef struct cuzk_context cuzk_context;

/** What a long call is doing: a stage ("compile", "synthesis", "proof", "check") of partition
 * `index` of `count`. */
typedef void (*cuzk_progress)(void *arg, const char *stage, size_t index, size_t count);

/** Something that was mended or left undone and that an operator should know, while the call went
 *  on: a file of a compiled circuit that was damaged, or could not be written. One line, without a
 *  newline. */
typedef void (*cuzk_notice)(void *arg, const char *text);

typedef struct cuzk_options {
    const char *params_folder; /* NULL: $FIL_PROOFS_PARAMETER_CACHE, else
                                  /var/tmp/filecoin-proof-parameters */
    const char *params_source; /* what messages say params_folder comes from, such as "--params";
                                  NULL: "params_folder" */
    uint32_t threads;          /* 0: as many as CPUs this process may use; 1024 at most */
    uint64_t memory_budget;    /* bytes a call may take beside the mapped parameters: as many
                                  partitions are proved at once as fit; 0: what is available now */
    cuzk_progress progress;    /* may be NULL; progress and notice are called from one thread at a
                                  time and call nothing of the context themselves */
    void *progress_arg;
    const char *compiled_folder; /* where the compiled form of a circuit (24 MB for a 32 GiB PoRep)
                                    is kept for later contexts and other processes; NULL: compiled
                                    anew in each context, which takes half a second at most */
    cuzk_notice notice;          /* may be NULL */
    void *notice_arg;
} cuzk_options;

/** options may be NULL. Starts the worker threads and touches no file. CUZK_ERR_MISSING, before
 *  that, when compiled_folder is not there or no folder; it is never made.
 *
 *  A folder of compiled circuits is never needed: what is damaged in it, of another version or not
 *  to be read is made anew, and replaced if it can be, with a notice. What is put there is first
 *  compared with the digest of the reference's constraints, within the first proof of the circuit
 *  (up to 50 s at 32 GiB); the proof fails with CUZK_ERR_INTERNAL when it differs. */
CUZK_API cuzk_status cuzk_open(cuzk_context **context, const cuzk_options *options,
                               cuzk_error *error);

/** Ends the threads; no call may be under way. NULL is allowed. */
CUZK_API void cuzk_close(cuzk_context *context);

/** Wall-clock seconds of a call, summed over its partitions. */
typedef struct cuzk_timings {
    double parse_s;     /* reading and checking the input */
    double compile_s;   /* finding the circuit's compiled form, or making it: once a context */
    double synthesis_s; /* witness, a and b */
    double h_s;         /* transforms */
    double msm_s;       /* multi-scalar multiplications and assembly */
    double verify_s;    /* the check before the proof is handed out */
    double total_s;
} cuzk_timings;

/** Proofs of CUZK_PROOF_BYTES each, one a partition, in order and without a gap. */
typedef struct cuzk_proofs {
    uint8_t *bytes;
    size_t length;
    cuzk_timings timings;
} cuzk_proofs;

/** Releases what a prove call filled in; harmless on a zeroed object. */
CUZK_API void cuzk_proofs_clear(cuzk_proofs *proofs);

/* ---- WinningPoSt and WindowPoSt ------------------------------------------------------------- */

/** What a PoSt is made from. */
typedef struct cuzk_post_input {
    uint32_t registered_proof; /* as on chain: 0..4 winning, 5..9 window V1, 10..14 window V1_1;
                                  in each 2 KiB, 8 MiB, 512 MiB, 32 GiB, 64 GiB */
    uint64_t miner_id;
    uint8_t randomness[32];    /* little-endian, below the order of the scalar field */
    const cuzk_bytes *vanilla; /* one sector's vanilla proof each, numbers strictly rising */
    size_t n_vanilla;          /* winning: 1; window: at least 1 */
} cuzk_post_input;

/** Winning: one proof. Window: one for each full or last partition of sectors (2349 of 32 GiB,
 *  2300 of 64 GiB, 2 of a test size), the last padded by its last sector.
 *
 *  CUZK_ERR_ARG, CUZK_ERR_FORMAT: an input is refused; CUZK_ERR_MISSING: no parameters;
 *  CUZK_ERR_BUDGET: one partition is over the memory budget that was set; CUZK_ERR_INTERNAL: a
 * proof failed its own check. Nothing is returned then. */
CUZK_API cuzk_status cuzk_prove_post(cuzk_context *context, const cuzk_post_input *input,
                                     cuzk_proofs *proofs, cuzk_error *error);

/** CUZK_OK: valid. CUZK_INVALID_PROOF: the proofs do not decode or do not prove the statement.
 *  CUZK_ERR_ARG: the statement or the proofs' length is refused. Reads only the .vk file. */
CUZK_API cuzk_status cuzk_verify_post(cuzk_context *context, const cuzk_post_statement *statement,
                                      const uint8_t *proofs, size_t length, cuzk_error *error);

/* ---- PoRep (seal, commit phase 2) ----------------------------------------------------------- */

typedef struct cuzk_porep_input {
    cuzk_bytes c1; /* commit-phase-1 output as JSON, bare or in the wrapper of Lotus and Curio; it
                      names the registered proof */
    const uint32_t *registered_proof; /* the only one accepted; NULL: any */
    uint64_t miner_id;
    uint64_t sector_number;
} cuzk_porep_input;

/** One proof a partition of the registered proof: 1 at test sizes, 10 at 32 and 64 GiB; 13 and 126
 *  for the non-interactive kind, not aggregated. Errors as cuzk_prove_post(). */
CUZK_API cuzk_status cuzk_prove_porep(cuzk_context *context, const cuzk_porep_input *input,
                                      cuzk_proofs *proofs, cuzk_error *error);

/** Returns as cuzk_verify_post(). An aggregated proof of the non-interactive kind is refused. */
CUZK_API cuzk_status cuzk_verify_porep(cuzk_context *context, const cuzk_porep_statement *statement,
                                       const uint8_t *proofs, size_t length, cuzk_error *error);

/* ---- Sector update (SnapDeals, empty sector update) ----------------------------------------- */

/** One proof a partition (1 at 2 KiB, 4 at 8 MiB, 16 from 512 MiB on). vanilla has one partition's
 *  vanilla proof each. Errors as cuzk_prove_post(). */
CUZK_API cuzk_status cuzk_prove_update(cuzk_context *context,
                                       const cuzk_update_statement *statement,
                                       const cuzk_bytes *vanilla, size_t n_vanilla,
                                       cuzk_proofs *proofs, cuzk_error *error);

/** Returns as cuzk_verify_post(). */
CUZK_API cuzk_status cuzk_verify_update(cuzk_context *context,
                                        const cuzk_update_statement *statement,
                                        const uint8_t *proofs, size_t length, cuzk_error *error);

#ifdef __cplusplus
}
#endif
#endif
