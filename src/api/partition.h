/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_API_PARTITION_H
#define CUZK_API_PARTITION_H

/* One proof of one circuit, from checked values to checked bytes. */

#include "api/context.h"
#include "groth16/groth16.h"

/** A partition ready to be proved; everything is borrowed. */
typedef struct {
    const circuit_row_t *row;
    circuit_fn circuit;
    const void *values;
    const fr_t *public_inputs; /* as the verifier derives them, ONE not among them */
    uint32_t n_public_inputs;
    size_t index, count; /* which partition of how many, for progress and messages */
} partition_t;

/** Synthesises, proves, verifies and encodes; adds to *timings. CUZK_ERR_INTERNAL, naming the
 *  partition, when the circuit's inputs are not the expected ones or the proof does not verify. */
cuzk_status partition_prove(uint8_t bytes[GROTH16_PROOF_BYTES], cuzk_timings *timings,
                            cuzk_context *context, const srs_t *srs, const partition_t *partition,
                            cuzk_error *err);

/** Bytes that partition_prove() takes at its peak, beside the mapped parameters. */
uint64_t partition_bytes(const srs_t *srs);

/** The proofs of n_partitions partitions against their public inputs (n_inputs each, one
 *  partition's after the other). CUZK_ERR_ARG when length is not theirs. */
cuzk_status partitions_verify(const cuzk_context *context, const circuit_row_t *row,
                              const fr_t *inputs, uint32_t n_inputs, size_t n_partitions,
                              const uint8_t *proofs, size_t length, cuzk_error *err);

#endif
