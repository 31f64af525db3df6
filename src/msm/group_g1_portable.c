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

/* (x[m], y[m]) = (beta x[0], y[0]), m = 1. */
static inline void coord_endomorphism(coord_t *x, coord_t *y, unsigned m)
{
    fp_mul(&x[m], &x[0], &msm_beta);
    y[m] = y[0];
}

#include "msm/group_tmpl.h"

const msm_group_t msm_group_g1_portable = {
    .name = "G1 portable",
    GROUP_OPERATIONS,
    .n_endo = 2,
    .scalar_bits = 128,
    .split = msm_split_g1,
};
