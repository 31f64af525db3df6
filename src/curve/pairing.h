/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CURVE_PAIRING_H
#define CUZK_CURVE_PAIRING_H

/* The optimal ate pairing e: G1 x G2 -> GT, by blst. */

#include "curve/g1.h"
#include "curve/g2.h"

/** An element of GT, or a Miller loop's value before the final exponentiation. */
typedef blst_fp12 gt_t;

/** product(e(p[i], q[i])) before the final exponentiation; a pair with an identity counts as 1. */
void pairing_miller(gt_t *r, const g1_affine_t *p, const g2_affine_t *q, size_t n);

/** r = a * b; operands may be the same. */
void pairing_mul(gt_t *r, const gt_t *a, const gt_t *b);

/** Whether two values of Miller loops are the same after the final exponentiation. */
bool pairing_equal(const gt_t *a, const gt_t *b);

/** True when product(e(p[i], q[i])) == e(a, b). */
bool pairing_product_is(const g1_affine_t *p, const g2_affine_t *q, size_t n, const g1_affine_t *a,
                        const g2_affine_t *b);

#endif
