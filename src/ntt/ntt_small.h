/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_NTT_NTT_SMALL_H
#define CUZK_NTT_NTT_SMALL_H

/* Transforms too small for tiles, and the index arithmetic that all sizes use. */

#include <stddef.h>

#include "ntt/ntt.h"

/** i with its n_bits low bits reversed; i < 2^n_bits, n_bits <= 32. */
size_t ntt_reverse_bits(size_t i, unsigned n_bits);

/** a[i] = sum(a[j] root^(ij)) in the given order; root has order 2^lg_n. */
void ntt_small(fr_t *a, unsigned lg_n, const fr_t *root, ntt_order order);

#endif
