/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "msm/group.h"

#define FIELD(name) fp_##name
#include "msm/coord_portable.h"

static inline void coord_one(coord_t *r)
{
    norm_one(r);
}

static inline void coord_norm(norm_t *r, const coord_t *a)
{
    *r = *a;
}

static inline void coord_over_norm(coord_t *r, const coord_t *a, const norm_t *inverse)
{
    (void)a;
    *r = *inverse;
}

/* Image m, 1, of the point in x[0], y[0]. */
static inline void coord_image(coord_t *x, coord_t *y, unsigned m)
{
    fp_mul(&x[m], &x[0], &msm_beta);
    y[m] = y[0];
}

#define GROUP_TABLE       msm_group_g1_portable
#define GROUP_NAME        "G1 portable"
#define GROUP_IMAGES      2
#define GROUP_SCALAR_BITS 128
#define GROUP_SPLIT       msm_split_g1
#include "msm/group_tmpl.h"
