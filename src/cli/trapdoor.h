/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CLI_TRAPDOOR_H
#define CUZK_CLI_TRAPDOOR_H

/* A file of setup secrets, for parameters that anyone can make again: tests and comparisons. */

#include "groth16/setup.h"

/** Reads a JSON object with alpha_le, beta_le, gamma_le, delta_le, tau_le (32 bytes little-endian,
 *  hex, not zero, below r), g1_uncompressed_be and g2_uncompressed_be. CUZK_ERR_MISSING,
 *  CUZK_ERR_FORMAT name file and field. */
cuzk_status trapdoor_read(groth16_secrets_t *secrets, const char *path, cuzk_error *err);

#endif
