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

/** How a, b and c come about. */
typedef enum {
    SYNTHESIS_STAMPED, /* gadgets write values; without a plan the generic path is taken */
    SYNTHESIS_GENERIC, /* every combination is built and evaluated */
    SYNTHESIS_WITNESS, /* the witness alone, with a plan as stamped, else as generic: a, b and c
                          stay NULL, no densities are gathered */
} synthesis_path;

/** What is known and wanted. Zeroed is a good default: memory then grows by doubling. */
typedef struct {
    synthesis_path path;
    unsigned lg_domain;           /* makes a and b this large at once */
    uint32_t n_inputs, n_aux;     /* room made in the witness at once */
    const densities_t *densities; /* of the same circuit, from an earlier run: not gathered again;
                                     borrowed until the assignment is cleared */
    const circuit_plan_t *plan;   /* in place of the four above; borrowed in the same way */
    bool want_c;                  /* c too */
    bool no_densities;            /* generic: not gathered, and none in the counts */
    strand_t *strand;             /* stamped with a plan: runs chunks of the circuit at once */
    uint32_t n_chunks;            /* 0: as many as the strand has threads */
} synthesis_hints_t;

/** A circuit with its values. */
typedef struct {
    circuit_counts_t counts;
    unsigned lg_domain; /* m = 2^lg_domain, circuit_lg_domain(&counts) */
    fr_t *a;            /* m values: constraint i's at i, then the added ones (input i at
                           n_constraints + i), then zeros */
    fr_t *b;            /* m values; 0 from n_constraints on */
    fr_t *c;            /* as b; NULL when it was not asked for */
    size_t capacity;    /* elements allocated for each of a, b and c, >= m */
    witness_t witness;
    densities_t own_densities;           /* empty when the hints gave them or had none gathered */
    const densities_t *shared_densities; /* those of the hints, or NULL */
} assignment_t;

static inline const densities_t *assignment_densities(const assignment_t *x)
{
    return x->shared_densities != NULL ? x->shared_densities : &x->own_densities;
}

/** Runs a circuit with its values; release with assignment_clear() (on an error nothing is
 *  held then). CUZK_ERR_MEMORY when a, b or c is refused. Several runs at once are fine.
 *  Memory: 64 bytes (96 with c) a constraint of the domain, 32 bytes an element of the witness, 2
 *  bits a bit, and the densities. */
cuzk_status synthesis_prove(assignment_t *x, circuit_fn circuit, const void *values,
                            const synthesis_hints_t *hints, cuzk_error *err);

/** Releases a and b, which are the larger part, before the rest. */
void assignment_release_a(assignment_t *x);
void assignment_release_b(assignment_t *x);
void assignment_release_c(assignment_t *x);
void assignment_clear(assignment_t *x);

#endif
