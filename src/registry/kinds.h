/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_REGISTRY_KINDS_H
#define CUZK_REGISTRY_KINDS_H

/* The rows of kind.c, one file each. */

#include "registry/kind.h"

/** Room for the public inputs of a statement; on an error there are no partitions. CUZK_ERR_MEMORY.
 */
cuzk_status stated_inputs_init(stated_inputs_t *stated, const circuit_row_t *row,
                               uint32_t n_partitions, uint32_t n_public_inputs, cuzk_error *err);

/** White space, and members that nobody reads, that a text has room for. */
enum { SPACE_BYTES = 1 << 20 };

/** The limits of n items that come as a JSON list of base64. */
input_limits_t input_limits_of_list(uint64_t n, uint64_t item_bytes);

extern const proof_kind_t proof_kind_porep;
extern const proof_kind_t proof_kind_update;
extern const proof_kind_t proof_kind_winning;
extern const proof_kind_t proof_kind_window;

#endif
