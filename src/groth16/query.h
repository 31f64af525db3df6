/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_GROTH16_QUERY_H
#define CUZK_GROTH16_QUERY_H

/* Which values of a witness meet which points of a query. A query has points only for variables in
 * the density of its matrix; a witness has bits and elements: this pairs them up as the
 * multiplication takes them. */

#include "base/executor.h"
#include "device/device.h"
#include "r1cs/density.h"
#include "r1cs/witness.h"

/** The variables a query has points for, inputs first. */
typedef struct {
    bool has_inputs;              /* false: none of the inputs */
    const density_t *input_dense; /* those inputs only; NULL: all */
    const density_t *aux_dense;   /* those auxiliary variables only; NULL: all */
} query_members_t;

/** Terms of a query; scalars are counted in an array of all inputs, then the elements. */
typedef struct {
    size_t n_points;
    size_t n_terms;
    uint64_t *select; /* bitmap over points: bits of the witness that are 1; select_words words */
    size_t select_words;
    uint32_t *which; /* n_terms places in the array of scalars */
    uint32_t *at;    /* n_terms places of points, strictly rising */
} query_t;

/** Release with query_clear(), on success only. CUZK_ERR_MEMORY. */
cuzk_status query_build(query_t *q, const witness_t *w, const query_members_t *members,
                        strand_t *strand, cuzk_error *err);
void query_clear(query_t *q);

/** Bytes of a query, and of what building one over n_aux variables takes meanwhile. */
uint64_t query_bytes(size_t n_points, size_t n_terms);
uint64_t query_build_bytes(size_t n_aux);

/** The form the multiplications take; borrows q and scalars. */
device_terms_t query_terms(const query_t *q, const buffer_t *scalars);

/** *scalars = the inputs, then the elements, canonical: n_inputs + n_elements of them, in memory.
 *  CUZK_ERR_MEMORY; on an error it is NULL. */
cuzk_status query_convert(buffer_t **scalars, device_t *device, const witness_t *w,
                          strand_t *strand, cuzk_error *err);

#endif
