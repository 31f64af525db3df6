/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CLI_OUTPUT_H
#define CUZK_CLI_OUTPUT_H

/* Proofs to and from files and streams, raw or as hex text. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "cuzk/cuzk.h"

/** Makes sure, before any work, that a proof can be written there: file_probe(). */
cuzk_status output_check(const char *path, cuzk_error *err);

/** Writes a whole proof, as file_write() does; hex: as a line of text. */
cuzk_status output_write(const char *path, bool hex, const uint8_t *bytes, size_t n,
                         cuzk_error *err);

/** A cuzk_log that prints warnings on standard error; errors come back from the calls. */
void print_warning(void *arg, cuzk_log_level level, uint64_t job, const char *text);

/** Reads a proof: raw bytes, or hex text in which white space is ignored. Release with free().
 *  CUZK_ERR_MISSING, CUZK_ERR_FORMAT; *bytes is NULL or unchanged then. */
cuzk_status input_proof(uint8_t **bytes, size_t *n, const char *path, bool hex, cuzk_error *err);

#endif
