/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "msm/group.h"

#define FIELD(name) fp2_##name
#include "msm/coord_portable.h"

static inline void coord_one(coord_t *r)
{
    *r = (coord_t){0};
    norm_one(&r->fp[0]);
}

static inline void coord_norm(norm_t *r, const coord_t *a)
{
    fp_t square;

    fp_sqr(r, &a->fp[0]);       /* a0^2 */
    fp_sqr(&square, &a->fp[1]); /* a1^2 */
    fp_add(r, r, &square);      /* a0^2 + a1^2 */
}

static inline void coord_over_norm(coord_t *r, const coord_t *a, const norm_t *inverse)
{
    fp_mul(&r->fp[0], &a->fp[0], inverse); /* a0 / N */
    fp_mul(&r->fp[1], &a->fp[1], inverse);
    fp_neg(&r->fp[1], &r->fp[1]); /* -a1 / N */
}

/* (x[m], y[m]) = psi^m(x[0], y[0]), m = 1 to 3: psi for 1, psi^2(x, y) = (beta x, -y) of m - 2. */
static inline void coord_endomorphism(coord_t *x, coord_t *y, unsigned m)
{
    if (m >= 2) {
        fp_mul(&x[m].fp[0], &x[m - 2].fp[0], &msm_beta); /* beta x */
        fp_mul(&x[m].fp[1], &x[m - 2].fp[1], &msm_beta);
        fp2_neg(&y[m], &y[m - 2]); /* -y */
        return;
    }
    /* psi_x u (x0 - x1 u) = psi_x (x1 + x0 u) */
    fp_mul(&x[1].fp[0], &x[0].fp[1], &msm_psi_x);
    fp_mul(&x[1].fp[1], &x[0].fp[0], &msm_psi_x);
    /* psi_y (1 - u) (y0 - y1 u) = psi_y ((y0 - y1) - (y0 + y1) u) */
    fp_sub(&y[1].fp[0], &y[0].fp[0], &y[0].fp[1]);
    fp_add(&y[1].fp[1], &y[0].fp[0], &y[0].fp[1]);
    fp_neg(&y[1].fp[1], &y[1].fp[1]);
    fp_mul(&y[1].fp[0], &y[1].fp[0], &msm_psi_y);
    fp_mul(&y[1].fp[1], &y[1].fp[1], &msm_psi_y);
}

#include "msm/group_tmpl.h"

const msm_group_t msm_group_g2_portable = {
    .name = "G2 portable",
    GROUP_OPERATIONS,
    .n_endo = 4,
    .scalar_bits = 64,
    .split = msm_split_g2,
};
