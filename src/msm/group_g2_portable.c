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

    fp_sqr(r, &a->fp[0]);
    fp_sqr(&square, &a->fp[1]);
    fp_add(r, r, &square);
}

static inline void coord_over_norm(coord_t *r, const coord_t *a, const norm_t *inverse)
{
    fp_mul(&r->fp[0], &a->fp[0], inverse);
    fp_mul(&r->fp[1], &a->fp[1], inverse);
    fp_neg(&r->fp[1], &r->fp[1]);
}

/* Image m, 1 to 3, of the point in x[0], y[0]: psi, or its square applied to image m - 2. */
static inline void coord_image(coord_t *x, coord_t *y, unsigned m)
{
    if (m >= 2) {
        fp_mul(&x[m].fp[0], &x[m - 2].fp[0], &msm_beta);
        fp_mul(&x[m].fp[1], &x[m - 2].fp[1], &msm_beta);
        fp2_neg(&y[m], &y[m - 2]);
        return;
    }
    fp_mul(&x[1].fp[0], &x[0].fp[1], &msm_psi_x);
    fp_mul(&x[1].fp[1], &x[0].fp[0], &msm_psi_x);
    fp_sub(&y[1].fp[0], &y[0].fp[0], &y[0].fp[1]);
    fp_add(&y[1].fp[1], &y[0].fp[0], &y[0].fp[1]);
    fp_neg(&y[1].fp[1], &y[1].fp[1]);
    fp_mul(&y[1].fp[0], &y[1].fp[0], &msm_psi_y);
    fp_mul(&y[1].fp[1], &y[1].fp[1], &msm_psi_y);
}

#define GROUP_TABLE       msm_group_g2_portable
#define GROUP_NAME        "G2 portable"
#define GROUP_IMAGES      4
#define GROUP_SCALAR_BITS 64
#define GROUP_SPLIT       msm_split_g2
#include "msm/group_tmpl.h"
