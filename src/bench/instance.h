/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_INSTANCE_H
#define CUZK_BENCH_INSTANCE_H

/* From the values of a circuit to what is proved. */

#include "device/cpu.h"
#include "groth16/groth16.h"
#include "hash/sha256.h"
#include "synthesis/prove.h"

/** The parts of a proof; a and b of the sides, big_alloc'ed for x, are the device's from now on and
 *  NULL there. On an error what was not taken is still in the sides. */
cuzk_status instance_take(groth16_instance_t *instance, device_t *device, const srs_t *srs,
                          const assignment_t *x, synthesis_sides_t *sides, cuzk_error *err);

/** hex = SHA-256 of a proof's bytes. Proofs of a bench have a known blinding, from which those who
 *  see them could learn of the witness: what is printed of them is this. */
void instance_proof_hash(char hex[2 * SHA256_BYTES + 1], const proof_t *proof);

#endif
