/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_SYNTHESIS_PROVE_H
#define CUZK_SYNTHESIS_PROVE_H

/* The run of a circuit that a proof needs: the witness, and the values of each constraint's left
 * and right combinations. The third combination is not evaluated: for a witness that satisfies the
 * circuit its value is the product of the two, and one that does not has no valid proof whatever
 * is put there (docs/algorithms/groth16.md). */

#include "r1cs/cs.h"
#include "r1cs/witness.h"
#include "synthesis/counts.h"

/** What is known before the run. Zeroed is a good default: memory then grows by doubling. */
typedef struct {
    unsigned lg_domain;           /* makes a and b this large at once */
    uint32_t n_inputs, n_aux;     /* room made in the witness at once */
    const densities_t *densities; /* of the same circuit, from an earlier run: not gathered again;
                                     borrowed until the assignment is cleared */
} synthesis_hints_t;

/** A circuit with its values. */
typedef struct {
    circuit_counts_t counts;
    unsigned lg_domain; /* m = 2^lg_domain, circuit_lg_domain(&counts) */
    fr_t *a;            /* m values: constraint i's at i, then the added ones (input i at
                           n_constraints + i), then zeros */
    fr_t *b;            /* m values; 0 from n_constraints on */
    size_t capacity;    /* elements allocated for each of a and b, >= m */
    witness_t witness;
    densities_t own_densities;           /* empty when the hints gave them */
    const densities_t *shared_densities; /* those of the hints, or NULL */
} assignment_t;

static inline const densities_t *assignment_densities(const assignment_t *x)
{
    return x->shared_densities != NULL ? x->shared_densities : &x->own_densities;
}

/** Runs a circuit with its values; release with assignment_clear() (on an error nothing is
 *  held then). CUZK_ERR_MEMORY when a or b is refused. One thread; several runs at once are fine.
 *  Memory: 64 bytes a constraint of the domain, 32 bytes an element of the witness, 2 bits a bit,
 *  and the densities. */
cuzk_status synthesis_prove(assignment_t *x, circuit_fn circuit, const void *values,
                            const synthesis_hints_t *hints, cuzk_error *err);

/** Releases a and b, which are the larger part, before the rest. */
void assignment_release_a(assignment_t *x);
void assignment_release_b(assignment_t *x);
void assignment_clear(assignment_t *x);

#endif
