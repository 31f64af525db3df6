/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "curve/pairing.h"

void pairing_miller(gt_t *r, const g1_affine_t *p, const g2_affine_t *q, size_t n)
{
    *r = *blst_fp12_one();
    for (size_t i = 0; i < n; i++) {
        gt_t f;

        if (g1_affine_is_identity(&p[i]) || g2_affine_is_identity(&q[i])) continue;
        blst_miller_loop(&f, &q[i], &p[i]);
        blst_fp12_mul(r, r, &f);
    }
}

void pairing_mul(gt_t *r, const gt_t *a, const gt_t *b)
{
    blst_fp12_mul(r, a, b);
}

bool pairing_equal(const gt_t *a, const gt_t *b)
{
    return blst_fp12_finalverify(a, b);
}

bool pairing_product_is(const g1_affine_t *p, const g2_affine_t *q, size_t n, const g1_affine_t *a,
                        const g2_affine_t *b)
{
    gt_t left, right;

    pairing_miller(&left, p, q, n);
    pairing_miller(&right, a, b, 1);
    return pairing_equal(&left, &right);
}
