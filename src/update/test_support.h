/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_UPDATE_TEST_SUPPORT_H
#define CUZK_UPDATE_TEST_SUPPORT_H

/* For tests: cases of tests/golden. */

#include "base/arena.h"
#include "update/proof.h"

/** Reads the proof of a case of that sector size, in bytes, which lies in the arena; its statement
 *  is that of the case's first public inputs. A failure ends the test. */
void update_case_read(update_proof_t *proof, const char *name, uint64_t sector_size,
                      arena_t *arena);

#endif
