/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CLI_OUTPUT_H
#define CUZK_CLI_OUTPUT_H

/* Proofs to and from files and streams, raw or as hex text. */

#include <stdint.h>

#include "base/atomic_file.h"

/** Where a proof will go. */
typedef struct {
    const char *path; /* "-": standard output */
    bool hex;
    bool to_file; /* a regular file, written beside its place until it is committed */
    atomic_file_t file;
} output_t;

/** Makes sure, before any work, that the proof can be written. */
cuzk_status output_open(output_t *output, const char *path, bool hex, cuzk_error *err);

/** Writes the whole proof and puts it in place; output_discard() is not needed after. */
cuzk_status output_write(output_t *output, const uint8_t *bytes, size_t n, cuzk_error *err);

/** Leaves nothing behind; for error paths. */
void output_discard(output_t *output);

/** Reads a proof: raw bytes, or hex text in which white space is ignored. Release with free().
 *  CUZK_ERR_MISSING, CUZK_ERR_FORMAT; *bytes is NULL or unchanged then. */
cuzk_status input_proof(uint8_t **bytes, size_t *n, const char *path, bool hex, cuzk_error *err);

#endif
