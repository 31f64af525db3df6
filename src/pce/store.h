/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_PCE_STORE_H
#define CUZK_PCE_STORE_H

/* PCEs in a folder, one file a circuit, behind pce_cache_get(). A file is never trusted further
 * than its checksums and the digest it names, and never needed: without it the circuit is compiled
 * anew. Names, repairs and locks: docs/algorithms/synthesis.md. */

#include "pce/pce.h"

typedef struct {
    char *folder;         /* of whoever filled it in */
    pce_notice_fn notice; /* may be NULL */
    void *notice_arg;
} pce_store_t;

/** A new string, FOLDER/LABEL-vVERSION-DIGEST.pce, the digest by its first 16 hex digits; release
 * it with free(). */
char *pce_store_path(const char *folder, const char *label, const uint8_t digest[SHA256_BYTES]);

/** The PCE of a circuit whose digest is known: its file's, else a new one, which is compared with
 *  the digest and saved. What is wrong with files and the folder is told and is no error. Safe
 *  beside other threads and processes. Errors: as pce_extract(), and CUZK_ERR_INTERNAL when the
 *  constraints are not those of the digest. */
cuzk_status pce_store_get(pce_t **pce, const pce_store_t *store, const pce_circuit_t *circuit,
                          cuzk_error *err);

#endif
