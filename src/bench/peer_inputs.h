/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_PEER_INPUTS_H
#define CUZK_BENCH_PEER_INPUTS_H

/* Inputs that other libraries can make too, so that results compare by their bytes:
 *   scalar i = SHA-256("cuzk-peer" || LE64(i)) as a little-endian integer, top byte & 0x3f;
 *   point i = [i + 1] G. */

#include "base/executor.h"
#include "curve/g1.h"
#include "curve/g2.h"
#include "r1cs/cs.h"

void peer_scalar(scalar_t *s, uint64_t i);

/** s[i] = scalar i, i < n. */
void peer_scalars(scalar_t *s, size_t n, strand_t *strand);

/** points[i] = [i + 1] G, i < n. */
void peer_points_g1(g1_affine_t *points, size_t n, strand_t *strand);
void peer_points_g2(g2_affine_t *points, size_t n, strand_t *strand);

/** A chain of n constraints. Dense: x <- x * x from scalar 0, the last x public. Bits: of every
 *  four constraints three are (1 - b) * b = 0 with b the lowest bit of scalar i, the fourth is
 *  such a squaring. */
typedef struct {
    size_t n;
    bool bits;
    bool *booleans; /* n of them: the lowest bits; owned */
    fr_t first;     /* scalar 0 */
    fr_t last;      /* the public input */
} peer_chain_t;

cuzk_status peer_chain_init(peer_chain_t *chain, size_t n, bool bits, cuzk_error *err);
void peer_chain_clear(peer_chain_t *chain);

/** A circuit_fn over a peer_chain_t. */
void peer_chain(cs_t *cs, const void *chain);

#endif
