/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_GROTH16_GROTH16_H
#define CUZK_GROTH16_GROTH16_H

/* The Groth16 proving system on BLS12-381 (Groth, "On the size of pairing-based non-interactive
 * arguments", 2016), with bellman's parameters and encodings: prove and verify. The setup is in
 * setup/setup.h; formulas and data flow are in docs/algorithms/groth16.md. */

#include "base/executor.h"
#include "device/device.h"
#include "r1cs/counts.h"
#include "r1cs/witness.h"
#include "srs/srs.h"

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

/** Uniform from the operating system; wiped when that fails. Wipe it (base/random.h) after use. */
cuzk_status groth16_random_blinding(groth16_blinding_t *blinding, cuzk_error *err);

/** Wall-clock seconds. Parts that ran beside each other overlap. */
typedef struct {
    double h_s;   /* a, b -> h */
    double msm_s; /* the rest: the five below and the assembly */
    double msm_h_s, msm_l_s, msm_a_s, msm_b1_s, msm_b2_s;
    double io_wait_s; /* of threads: for points, and for a and b in files */
} groth16_timings_t;

/** CUZK_ERR_ARG, naming file, section and both numbers, when the parameters are not for a circuit
 *  of these counts: ic = inputs, h = m - 1, l = aux, a = inputs + a_aux, b = b_input + b_aux. */
cuzk_status groth16_match(const srs_t *srs, const circuit_counts_t *counts, cuzk_error *err);

/** What a proof consists of: the chains of the three vectors up to h, and the five sums. */
typedef enum {
    GROTH16_CHAIN_A, /* to the coset; then the product, back, and h */
    GROTH16_CHAIN_B, /* to the coset */
    GROTH16_CHAIN_C, /* the product of a and b, to coefficients */
    GROTH16_SUM_H,
    GROTH16_SUM_L,
    GROTH16_SUM_A,
    GROTH16_SUM_B1,
    GROTH16_SUM_B2,
    GROTH16_PARTS
} groth16_part;

/** How a proof is computed: data, which a laboratory may change. The proof is the same. */
typedef struct {
    uint32_t n_streams;                 /* 1: all on the strand; else each a thread of its own */
    uint8_t stream_of[GROTH16_PARTS];   /* below n_streams */
    uint8_t window_bits[GROTH16_PARTS]; /* of the sums; 0: as suits each */
    bool together; /* the sums over the witness beside the chain of h; else after its sum */

    uint64_t scratch_bytes[GROTH16_PARTS]; /* by stream: what its largest sum works in */
    /* Bytes of memory of each stage, with a and b and the room (but not the witness): */
    uint64_t h_bytes;       /* the chains */
    uint64_t sum_h_bytes;   /* the sum over h */
    uint64_t witness_bytes; /* the sums over the witness; together: what they take besides */
    uint64_t peak_bytes;
} groth16_plan_t;

/** What a proof works in, whole from its start to its end so that what a device keeps for the next
 *  one is known: the third vector, which becomes h, and what each stream's sums work in. */
typedef struct {
    buffer_t *c;
    buffer_t *scratch[GROTH16_PARTS]; /* by stream; NULL for those without sums */
} groth16_room_t;

/** A circuit with its values, ready to be proved; all but a, b and room is borrowed. */
typedef struct {
    const srs_t *srs;
    circuit_counts_t counts;
    unsigned lg_domain; /* circuit_lg_domain(&counts); m = 2^lg_domain */
    /** m values of the left and the right combinations, fr_t, in buffers of one device, in memory
     * or in files: constraint i's at i, then in a the input i at n_constraints + i, then zeros. */
    buffer_t *a, *b;
    groth16_room_t room; /* for the plan; zeroed: groth16_prove() allocates it */
    const witness_t *witness;
    const densities_t *densities;
    /** Called by the thread of groth16_prove() when the sums begin: after h with one stream, at
     * once where the sums run beside it; may be NULL. */
    void (*at_sums)(void *arg);
    void *at_sums_arg;
} groth16_instance_t;

/** What a plan follows from. */
typedef struct {
    circuit_counts_t counts;
    size_t n_elements; /* auxiliary variables that are no bits; n_aux when that is not known */
    size_t a_elements, b_elements; /* of those the ones with a term in A, in B; else n_elements */
    buffer_kind vectors;           /* a and b */
    bool is_read;                  /* points come from a file */
    uint32_t n_threads;
    uint64_t memory_limit; /* for the peak, kept to if any plan does; 0: none */
} groth16_size_t;

/** The plan for a device: with few threads all in one stream, which takes the least memory, else
 *  everything that doesn't wait for something else in a stream of its own. */
void groth16_plan_make(groth16_plan_t *plan, const device_t *device, const groth16_size_t *size);

/** Counts the bytes of a plan again, after it was changed. */
void groth16_plan_count(groth16_plan_t *plan, const device_t *device, const groth16_size_t *size);

/** The room of a proof over 2^lg_domain points. On errors nothing is held. CUZK_ERR_MEMORY. */
cuzk_status groth16_room_open(groth16_room_t *room, const groth16_plan_t *plan, device_t *device,
                              unsigned lg_domain, cuzk_error *err);
void groth16_room_close(groth16_room_t *room);

/** Makes a proof. For the same blinding the bytes are the same whatever the plan, the number of
 *  threads and where a and b lie.
 *
 *  In/out:  x   a, b and room are taken: released as soon as they have been used, on errors too
 *  In:      plan      NULL: groth16_plan_make()'s for the strand's threads and no limit
 *           strand    NULL: serially, and in one stream
 *  Out:     timings   may be NULL
 *  Errors:  CUZK_ERR_ARG from groth16_match(), and when a or b are too small, before any work;
 *           CUZK_ERR_MEMORY; CUZK_ERR_IO; CUZK_CANCELLED and CUZK_ERR_DEADLINE by the strand's
 * token; CUZK_ERR_INTERNAL when a part of the proof came out as the identity, which cannot happen
 *           by chance. Nothing is held then.
 *  A witness that violates a constraint gives a proof that does not verify: callers verify what
 *  they hand out. */
cuzk_status groth16_prove(proof_t *proof, groth16_timings_t *timings, groth16_instance_t *x,
                          const groth16_plan_t *plan, const groth16_blinding_t *blinding,
                          strand_t *strand, cuzk_error *err);

/** e(A, B) = e(alpha, beta) e(sum(input i * ic[i]), gamma) e(C, delta)?
 *
 *  inputs    n public inputs, ONE not among them
 *  Returns   CUZK_OK; CUZK_INVALID_PROOF; CUZK_ERR_ARG when n + 1 is not the key's number;
 *            CUZK_ERR_MEMORY. */
cuzk_status groth16_verify(const srs_vk_t *vk, const fr_t *inputs, uint32_t n, const proof_t *proof,
                           cuzk_error *err);

/** Whether all of n_proofs proofs verify under one key, by one random linear combination of their
 *  equations with 128-bit factors from the operating system: a false one passes with probability
 *  2^-128 at most. inputs[i * n + j] = input j of proof i. No proofs at all verify.
 *  Returns as groth16_verify() (it doesn't tell which one is false), and CUZK_ERR_IO when the
 *  system gives no random numbers, CUZK_CANCELLED and CUZK_ERR_DEADLINE by the strand's token.
 *  Memory: groth16_verify_bytes(). */
cuzk_status groth16_verify_many(const srs_vk_t *vk, const fr_t *inputs, uint32_t n,
                                const proof_t *proofs, size_t n_proofs, strand_t *strand,
                                cuzk_error *err);

/** Bytes of memory that groth16_verify_many() takes, but for its two multiplications in G1. */
uint64_t groth16_verify_bytes(uint32_t n, size_t n_proofs);

#endif
