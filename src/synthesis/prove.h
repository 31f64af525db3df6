/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_SYNTHESIS_PROVE_H
#define CUZK_SYNTHESIS_PROVE_H

/* The run of a circuit that a proof needs: the witness, and the values of each constraint's left
 * and right combinations. The third combination is evaluated on request only: for a witness that
 * satisfies the circuit its value is the product of the two, and one that does not has no valid
 * proof whatever is put there (docs/algorithms/groth16.md). The paths are described in
 * docs/algorithms/synthesis.md; their results are the same to the byte. */

#include "base/executor.h"
#include "r1cs/cs.h"
#include "r1cs/witness.h"
#include "synthesis/plan.h"

/** How values come about. */
typedef enum {
    SYNTHESIS_STAMPED, /* gadgets write them */
    SYNTHESIS_GENERIC  /* every combination is built and evaluated; one thread */
} synthesis_path;

/** Zeroed is the default. */
typedef struct {
    synthesis_path path;
    strand_t *strand;  /* stamped: runs chunks of the circuit at once; NULL: one thread */
    uint32_t n_chunks; /* stamped; 0: as circuit_plan_chunks() has it */
} synthesis_options_t;

/** Memory for the values of all constraints: m = 2^circuit_lg_domain() elements each, whatever is
 *  in them. c may be NULL; with all NULL the witness alone is made. */
typedef struct {
    fr_t *a, *b, *c;
} synthesis_sides_t;

/** A circuit with its values. */
typedef struct {
    circuit_counts_t counts;
    unsigned lg_domain;           /* m = 2^lg_domain */
    fr_t *a;                      /* m values: constraint i's at i, input i's added one at
                                     n_constraints + i, then zeros. a, b, c are the caller's */
    fr_t *b;                      /* m values; 0 from n_constraints on */
    fr_t *c;                      /* as b; or NULL */
    witness_t witness;            /* own */
    const densities_t *densities; /* the plan's, borrowed */
} assignment_t;

/** Runs a circuit with its values. Every element of the sides is written, once.
 *
 *  plan     the circuit's (synthesis_plan()); it outlives the assignment
 *  options  NULL: the default
 *  Release with assignment_clear(), on success only. CUZK_ERR_MEMORY; CUZK_ERR_INTERNAL when the
 *  circuit is not its plan's; CUZK_CANCELLED and CUZK_ERR_DEADLINE, between chunks, of the strand.
 *  Several runs at once are fine. Memory beside the sides: synthesis_bytes(). */
cuzk_status synthesis_prove(assignment_t *x, const synthesis_sides_t *sides, circuit_fn circuit,
                            const void *values, const circuit_plan_t *plan,
                            const synthesis_options_t *options, cuzk_error *err);

/** What a run allocates and the assignment then holds: the witness. Only the arenas come on top
 *  meanwhile: SYNTHESIS_ARENA_BYTES for each thread at most. */
uint64_t synthesis_bytes(const circuit_plan_t *plan);

/** Bound of what a stamped run uses of an arena: the paths of a PoSt that are hashed at once. */
#define SYNTHESIS_ARENA_BYTES ((uint64_t)2 << 20)

void assignment_clear(assignment_t *x);

#endif
