/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_GROTH16_QUOTIENT_H
#define CUZK_GROTH16_QUOTIENT_H

/* The quotient polynomial of a proof. With A and B the polynomials of degree below m whose values
 * at the m-th roots of unity are a and b, and C that of the products a[i] b[i]:
 * h = (A B - C) / (X^m - 1), of degree m - 2 at most. Six transforms, not seven:
 * docs/algorithms/groth16.md. */

#include "device/device.h"

/** The streams of the three chains; they may be the same. */
typedef struct {
    stream_t *a, *b, *c;
} quotient_streams_t;

/** Gives the streams what makes of c the m coefficients of h (the last is 0), in order, canonical:
 *  they are there when stream a has done it. *a and *b are released by the streams; on an error
 *  those that are not NULL stay the caller's, and may be in use until the streams are dropped and
 *  synchronised.
 *
 *  c     room for m elements, of any contents, in memory
 *  lg_m  below NTT_MAX_LG (else CUZK_ERR_ARG): the coset needs a root of twice the order */
cuzk_status quotient_give(const quotient_streams_t *streams, buffer_t *c, buffer_t **a,
                          buffer_t **b, unsigned lg_m, cuzk_error *err);

#endif
