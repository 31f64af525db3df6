/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CLI_TRAPDOOR_H
#define CUZK_CLI_TRAPDOOR_H

/* A file of setup secrets, for parameters that anyone can make again: tests and comparisons. */

#include "cuzk/setup.h"

/** Reads a JSON object with alpha_le, beta_le, gamma_le, delta_le, tau_le, g1_uncompressed_be and
 *  g2_uncompressed_be, each the bytes of that member in hex; cuzk_setup() looks at what they are.
 *  CUZK_ERR_MISSING, CUZK_ERR_FORMAT name file and field. Wipe it after use. */
cuzk_status trapdoor_read(cuzk_trapdoor *trapdoor, const char *path, cuzk_error *err);

#endif
