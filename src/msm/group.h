/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_MSM_GROUP_H
#define CUZK_MSM_GROUP_H

/* What a multiplication needs of its group, as a table of operations: G1 and G2, each by blst's
 * scalar routines and by AVX-512 IFMA. Points stand in slots, in a form of the table's own; a slot
 * of zero bytes is infinity. A reference names a slot and a sign. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"
#include "curve/points.h"
#include "field/fp.h"
#include "field/fr.h"

/** slot << 1 | (1 for minus the point). */
typedef uint32_t msm_ref_t;

enum { MSM_MAX_ENDO = 4, MSM_MAX_BATCH = 1024 };

/** Arrays that share an allocation begin at multiples of 64 bytes. */
static inline size_t msm_padded(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

/** One addition: slot out = a + b. */
typedef struct {
    msm_ref_t a;
    msm_ref_t b;
    uint32_t out;
} msm_pair_t;

/** Points outside, all in memory. */
typedef struct {
    const void *base;
    points_form form;
} msm_span_t;

typedef struct {
    const char *name;
    size_t slot_bytes;   /* a multiple of 32 */
    size_t affine_bytes; /* of g1_affine_t or g2_affine_t */
    size_t add_scratch_bytes;
    unsigned n_endo;      /* a point and its images under the endomorphism */
    unsigned scalar_bits; /* magnitudes of a split scalar are below 2^(scalar_bits - 1) */

    /** n additions, n <= MSM_MAX_BATCH. Equal and opposite points and infinity are fine. No
     *  out slot is read by another pair of the batch, and none is written twice. */
    void (*add)(uint8_t *slots, const msm_pair_t *pairs, size_t n, void *scratch);

    /** Slots first + i * n_endo + m = the endomorphism applied m times to point index[i] of span,
     *  m < n_endo, which is 1 or the group's. */
    void (*load)(uint8_t *slots, size_t first, unsigned n_endo, const msm_span_t *span,
                 const uint32_t *index, size_t n);

    /** slot = the point refs names. */
    void (*copy)(uint8_t *slots, uint32_t slot, msm_ref_t ref);

    /** Affine structures from slots first ... first + n - 1. */
    void (*store)(void *affine, const uint8_t *slots, size_t first, size_t n);

    /** k = sum over m < n_endo of (-1)^negative[m] magnitude[m] e^m mod r, where e is the
     *  endomorphism's eigenvalue; magnitude[m] is low, high word. */
    void (*split)(uint64_t magnitude[MSM_MAX_ENDO][2], bool negative[MSM_MAX_ENDO],
                  const scalar_t *k);
} msm_group_t;

/** The table for the level in use (cpu_level_used). */
const msm_group_t *msm_group_g1(void);
const msm_group_t *msm_group_g2(void);

extern const msm_group_t msm_group_g1_portable;
extern const msm_group_t msm_group_g2_portable;
extern const msm_group_t msm_group_g1_ifma; /* on x86-64 only */
extern const msm_group_t msm_group_g2_ifma;

/* Endomorphisms, as fp_t limbs: (x, y) -> (beta x, y) on G1 with eigenvalue z^2 - 1, and
 * (x, y) -> (psi_x u conj(x), psi_y (1 - u) conj(y)) on G2 with eigenvalue z = -0xd201000000010000.
 * Its square is (beta x, -y). Derivation: docs/algorithms/msm.md. */
extern const fp_t msm_beta;
extern const fp_t msm_psi_x;
extern const fp_t msm_psi_y;

/** The n_windows signed digits of a magnitude of n_words words, lowest first:
 *  magnitude = sum digit[w] 2^(window_bits w), |digit[w]| <= 2^(window_bits - 1); all negated if
 *  negative. The magnitude is below 2^(window_bits n_windows - 1). */
void msm_digits(int32_t *digit, uint32_t n_windows, uint32_t window_bits, const uint64_t *magnitude,
                uint32_t n_words, bool negative);

void msm_split_g1(uint64_t magnitude[MSM_MAX_ENDO][2], bool negative[MSM_MAX_ENDO],
                  const scalar_t *k);
void msm_split_g2(uint64_t magnitude[MSM_MAX_ENDO][2], bool negative[MSM_MAX_ENDO],
                  const scalar_t *k);

#endif
