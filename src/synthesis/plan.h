/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_SYNTHESIS_PLAN_H
#define CUZK_SYNTHESIS_PLAN_H

/* What of a circuit depends on its shape alone: how much there is of everything, where its parts
 * begin, and the densities. */

#include "r1cs/counts.h"
#include "r1cs/cs.h"

/** How much of a circuit lies before some point of it. */
typedef struct {
    uint32_t n_inputs; /* ONE included */
    uint32_t n_aux;
    uint32_t n_elements; /* auxiliary variables that are not bits */
    uint64_t n_constraints;
} circuit_position_t;

typedef struct {
    circuit_counts_t counts;
    uint32_t n_elements;
    uint32_t a_elements, b_elements; /* of those the ones with a term in A, in B */
    uint32_t n_parts;                /* 0 when the circuit names none (cs_part()) */
    circuit_position_t *parts;       /* where each part begins; then where the last one ends */
    densities_t densities;
} circuit_plan_t;

/** Runs a circuit without values (it sees has_values false) and makes its plan; a gadget that has
 *  been seen (cs_gadget_begin()) is not made again. Release with circuit_plan_clear(), on success
 *  only. CUZK_ERR_MEMORY. One thread; half a second at most for a circuit of a 64 GiB sector. */
cuzk_status synthesis_plan(circuit_plan_t *plan, circuit_fn circuit, const void *values,
                           cuzk_error *err);

void circuit_plan_clear(circuit_plan_t *plan);

/** Bytes that a plan holds. */
uint64_t circuit_plan_bytes(const circuit_plan_t *plan);

/** How many chunks a run on n_threads is cut into: each takes a few milliseconds where parts are
 *  small enough, so that other work gets its turn. */
uint32_t circuit_plan_chunks(const circuit_plan_t *plan, uint32_t n_threads);

/** Chunk k of n_chunks, n_chunks >= 1, as parts [*first, *end): of about equally many constraints,
 *  in order, some empty when there are more chunks than parts. */
void circuit_plan_chunk(uint32_t *first, uint32_t *end, const circuit_plan_t *plan, uint32_t k,
                        uint32_t n_chunks);

#endif
