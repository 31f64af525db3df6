/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_SYNTHESIS_PLAN_H
#define CUZK_SYNTHESIS_PLAN_H

/* What a run of a circuit can be told before it begins, because it depends on the shape alone:
 * how much there will be of everything, where its parts begin, and the densities. pce_extract()
 * (pce/pce.h) makes it. */

#include "synthesis/counts.h"

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
    uint32_t n_parts;          /* 0 when the circuit names none (cs_part()) */
    circuit_position_t *parts; /* where each part begins; then where the last one ends */
    densities_t densities;
} circuit_plan_t;

void circuit_plan_clear(circuit_plan_t *plan);

/** Chunk k of n_chunks, n_chunks >= 1, as parts [*first, *end): of about equally many constraints,
 *  in order, some empty when there are more chunks than parts. */
void circuit_plan_chunk(uint32_t *first, uint32_t *end, const circuit_plan_t *plan, uint32_t k,
                        uint32_t n_chunks);

#endif
