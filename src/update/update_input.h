/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_UPDATE_UPDATE_INPUT_H
#define CUZK_UPDATE_UPDATE_INPUT_H

/* A sector update to be proved: from the vanilla proofs to the circuits of its partitions. The
 * checks come in two levels. update_input_open() looks at the form, which is all that a run of the
 * circuit needs to be safe; update_input_check() finds whatever would make the proof invalid,
 * before any costly work. */

#include "base/arena.h"
#include "update/circuit.h"
#include "update/update.h"

/** Points into itself: not to be copied or moved. */
typedef struct {
    arena_t arena; /* the proof's arrays */
    update_statement_t statement;
    update_proof_t proof;
} update_input_t;

/** Reads the vanilla proofs items[0 .. n-1], one for each partition, of a stated update. Nothing of
 *  either is needed afterwards. Release with update_input_close(), on success only. Errors as
 *  update_statement_init() and update_vanilla_read(). */
cuzk_status update_input_open(update_input_t *update, const cuzk_update_statement *stated,
                              const cuzk_bytes *items, size_t n, cuzk_error *err);

void update_input_close(update_input_t *update);

/** Checks the content, see update_check(). */
cuzk_status update_input_check(const update_input_t *update, strand_t *strand, cuzk_error *err);

/** The circuit of a partition below update_partition_count(update->statement.config); it points
 *  into *update. */
update_circuit_t update_input_circuit(const update_input_t *update, uint32_t partition);

#endif
