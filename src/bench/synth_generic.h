/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_SYNTH_GENERIC_H
#define CUZK_BENCH_SYNTH_GENERIC_H

/* A generic run that can do less and know less than synthesis_prove(): for telling its phases
 * apart, and for measuring what it is worth to know all sizes before. */

#include "bench/phases.h"
#include "synthesis/owned.h"

/** What a run makes. The values are a, b and c. */
typedef struct {
    circuit_counts_t counts;
    unsigned lg_domain;
    witness_t witness;
    synthesis_sides_t sides;
    size_t capacity; /* elements of each side */
    densities_t densities;
} generic_made_t;

/** WORK_WITNESS: the witness alone; WORK_ABC: with values; WORK_ALL: with densities, too.
 *  sizes: those of the circuit, to make arrays at their size at once; NULL: they grow by doubling.
 *  Release with generic_made_clear(), on success only. CUZK_ERR_MEMORY. */
cuzk_status generic_run(generic_made_t *made, circuit_fn circuit, const void *values,
                        synth_work work, const circuit_counts_t *sizes, cuzk_error *err);

void generic_made_clear(generic_made_t *made);

#endif
