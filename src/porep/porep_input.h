/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_POREP_POREP_INPUT_H
#define CUZK_POREP_POREP_INPUT_H

/* A PoRep to be proved: from commit-phase-1 output to the circuits of its partitions. The checks
 * come in two levels. porep_input_open() looks at the form, which is all that a run of the circuit
 * needs to be safe; porep_input_check() finds whatever would make the proof invalid, before any
 * costly work. */

#include "base/arena.h"
#include "cuzk/statement.h"
#include "porep/c1.h"
#include "porep/circuit.h"
#include "porep/porep.h"

/** Points into itself: not to be copied or moved. */
typedef struct {
    arena_t arena; /* the proof's arrays */
    porep_c1_t c1;
    porep_statement_t statement; /* of c1.proof; its replica id unchecked until the content is */
} porep_input_t;

/** Reads commit-phase-1 output as porep_c1_read() does, which errors call `what`. registered_proof
 *  is the only one accepted; NULL: any. Nothing of either is needed afterwards. Release with
 *  porep_input_close(), on success only. CUZK_ERR_ARG for a registered proof that is not a PoRep;
 *  CUZK_ERR_FORMAT, CUZK_ERR_MEMORY. */
cuzk_status porep_input_open(porep_input_t *porep, const char *what, cuzk_bytes c1,
                             const uint32_t *registered_proof, cuzk_error *err);

void porep_input_close(porep_input_t *porep);

/** Checks the content, see porep_check(); CUZK_ERR_ARG when the wrapper names another sector. */
cuzk_status porep_input_check(const porep_input_t *porep, uint64_t miner_id, uint64_t sector_number,
                              strand_t *strand, cuzk_error *err);

/** The circuit of a partition below porep->statement.config->n_partitions; it points into *porep.
 */
porep_circuit_t porep_input_circuit(const porep_input_t *porep, uint32_t partition);

#endif
