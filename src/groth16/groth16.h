/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_GROTH16_GROTH16_H
#define CUZK_GROTH16_GROTH16_H

/* The Groth16 proving system on BLS12-381 (Groth, "On the size of pairing-based non-interactive
 * arguments", 2016), with bellman's parameters and encodings: prove and verify. The setup is in
 * groth16/setup.h; formulas and data flow are in docs/algorithms/groth16.md. */

#include "base/executor.h"
#include "srs/srs.h"
#include "synthesis/prove.h"

enum { GROTH16_PROOF_BYTES = 192 };

/** A proof whose points are on the curve, in the subgroup and not the identity. */
typedef struct {
    g1_affine_t a;
    g2_affine_t b;
    g1_affine_t c;
} proof_t;

/** bytes = a, b, c compressed: 48 + 96 + 48. */
void groth16_write_proof(uint8_t bytes[GROTH16_PROOF_BYTES], const proof_t *proof);

/** CUZK_INVALID_PROOF, naming the part, when one is not the one encoding of a point of the subgroup
 *  other than the identity. */
cuzk_status groth16_read_proof(proof_t *proof, const uint8_t bytes[GROTH16_PROOF_BYTES],
                               cuzk_error *err);

/** What makes a proof zero-knowledge: secret, and never used twice. */
typedef struct {
    fr_t r, s;
} groth16_blinding_t;

/** Uniform from the operating system. Wipe it (base/random.h) after use. */
cuzk_status groth16_random_blinding(groth16_blinding_t *blinding, cuzk_error *err);

/** Wall-clock seconds. */
typedef struct {
    double h_s;   /* a, b -> h */
    double msm_s; /* the five below and the assembly */
    double msm_h_s, msm_l_s, msm_a_s, msm_b1_s, msm_b2_s;
} groth16_timings_t;

/** CUZK_ERR_ARG, naming file, section and both numbers, when the parameters are not for a circuit
 *  of these counts: ic = inputs, h = m - 1, l = aux, a = inputs + a_aux, b = b_input + b_aux. */
cuzk_status groth16_match(const srs_t *srs, const circuit_counts_t *counts, cuzk_error *err);

/** What parameters say about their circuit, to size its synthesis at once. */
synthesis_hints_t groth16_hints(const srs_t *srs);

/** How a proof is computed, for measuring what the choices cost; the proof is the same. Zeroed is
 *  the default. */
typedef struct {
    bool one_window;  /* all five multiplications take the window that suits the largest, H's;
                         else each its own */
    bool g2_parallel; /* the sum in G2 runs beside those of the witness in G1, each group on a share
                         of the threads of its own; else after them. One thread: no difference */
} groth16_variant_t;

/** Makes a proof. For the same blinding the bytes are the same whatever the number of threads.
 *
 *  In/out:  x   the circuit with its values; a and b are taken (released when they have been used,
 *               on errors too), the rest stays
 *  Out:     timings  may be NULL
 *  Errors:  CUZK_ERR_ARG from groth16_match(), before any work; CUZK_ERR_MEMORY; CUZK_ERR_INTERNAL
 *           when a part of the proof came out as the identity, which cannot happen by chance.
 *  A witness that violates a constraint gives a proof that does not verify: callers verify what
 *  they hand out. Memory beside x: 32 bytes a constraint of the domain during h, then 40 bytes an
 *  element of the witness, 2 bits a variable, and what the multiplications take. */
cuzk_status groth16_prove(proof_t *proof, groth16_timings_t *timings, const srs_t *srs,
                          assignment_t *x, const groth16_blinding_t *blinding, strand_t *strand,
                          cuzk_error *err);

/** What groth16_prove() is given but for the circuit and the blinding. */
typedef struct {
    const srs_t *srs;
    strand_t *strand;
    groth16_variant_t variant;
} groth16_prover_t;

/** groth16_prove() in a variant. */
cuzk_status groth16_prove_variant(proof_t *proof, groth16_timings_t *timings,
                                  const groth16_prover_t *prover, assignment_t *x,
                                  const groth16_blinding_t *blinding, cuzk_error *err);

/** e(A, B) = e(alpha, beta) e(sum(input i * ic[i]), gamma) e(C, delta)?
 *
 *  inputs    n public inputs, ONE not among them
 *  Returns   CUZK_OK; CUZK_INVALID_PROOF; CUZK_ERR_ARG when n + 1 is not the key's number. */
cuzk_status groth16_verify(const srs_vk_t *vk, const fr_t *inputs, uint32_t n, const proof_t *proof,
                           cuzk_error *err);

/** Whether all of n_proofs proofs verify under one key, by one random linear combination of their
 *  equations with 128-bit factors from the operating system: a false one passes with probability
 *  2^-128 at most. inputs[i * n + j] = input j of proof i. No proofs at all verify.
 *  Returns as groth16_verify() (it doesn't tell which one is false), and CUZK_ERR_IO when the
 *  system gives no random numbers. */
cuzk_status groth16_verify_many(const srs_vk_t *vk, const fr_t *inputs, uint32_t n,
                                const proof_t *proofs, size_t n_proofs, strand_t *strand,
                                cuzk_error *err);

#endif
