/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_NTT_NTT_H
#define CUZK_NTT_NTT_H

/* Number-theoretic transforms over fr: evaluation of a polynomial of n = 2^lg_n coefficients at
 * the powers of w = fr_root_of_unity(lg_n), and back. docs/algorithms/ntt.md.
 *
 * Elements are reduced before and after. A domain's tables take 0.6 MB at most, whatever its size;
 * a transform takes up to 0.7 MB of scratch a thread while it runs. Leaving out a reversal saves
 * about a tenth. Concurrent transforms may share a domain. */

#include "base/executor.h"
#include "field/fr.h"

enum { NTT_MAX_LG = FR_TWO_ADICITY };

/** In which order elements stand: natural, or with the bits of the index reversed. */
typedef enum { NTT_NATURAL_TO_NATURAL, NTT_NATURAL_TO_REVERSED, NTT_REVERSED_TO_NATURAL } ntt_order;

/** Roots and scratch sizes for one size; immutable after opening, shared by threads. */
typedef struct ntt_domain ntt_domain_t;

/** Makes tables for 2^lg_n, lg_n <= NTT_MAX_LG (else CUZK_ERR_ARG, naming the limit). */
cuzk_status ntt_domain_open(ntt_domain_t **domain, unsigned lg_n, strand_t *strand,
                            cuzk_error *err);
void ntt_domain_close(ntt_domain_t *domain);

/** 2^lg_n */
size_t ntt_domain_size(const ntt_domain_t *domain);

/** a[i] = sum(a[j] w^(ij)), in place. */
cuzk_status ntt_forward(const ntt_domain_t *domain, fr_t *a, ntt_order order, strand_t *strand,
                        cuzk_error *err);

/** The inverse of ntt_forward, 1/n included. */
cuzk_status ntt_inverse(const ntt_domain_t *domain, fr_t *a, ntt_order order, strand_t *strand,
                        cuzk_error *err);

/** Evaluates at g w^i instead of w^i: coefficients are scaled by g^j first (scaling fused into the
 *  transform). g is not zero. */
cuzk_status ntt_forward_coset(const ntt_domain_t *domain, fr_t *a, const fr_t *g, ntt_order order,
                              strand_t *strand, cuzk_error *err);

/** The inverse of ntt_forward_coset with the same g. */
cuzk_status ntt_inverse_coset(const ntt_domain_t *domain, fr_t *a, const fr_t *g, ntt_order order,
                              strand_t *strand, cuzk_error *err);

#endif
