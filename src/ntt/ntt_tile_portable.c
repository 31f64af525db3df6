/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "ntt/ntt_tile.h"

typedef struct {
    fr_t lane[NTT_LANES];
} slot_t;

static void make_twiddles(void *table, const fr_t *roots, size_t n)
{
    memcpy(table, roots, n * sizeof *roots);
}

static void prepare_factors(fr_t *factors, size_t n)
{
    (void)factors;
    (void)n;
}

/* The factors of step i on one side; the twist moves on. */
static void multiply_step(slot_t *x, const ntt_side_t *side, size_t i, fr_t twist[NTT_LANES])
{
    for (int k = 0; side->factors != NULL && k < NTT_LANES; k++)
        fr_mul(&x->lane[k], &x->lane[k], &side->factors[i]);
    for (int k = 0; side->twist != NULL && k < NTT_LANES; k++) {
        fr_mul(&x->lane[k], &x->lane[k], &twist[k]);
        fr_mul(&twist[k], &twist[k], &side->twist[NTT_LANES + k]);
    }
}

static void start_twist(fr_t twist[NTT_LANES], const ntt_side_t *side)
{
    if (side->twist != NULL) memcpy(twist, side->twist, NTT_LANES * sizeof *twist);
}

static void load(const ntt_tile_t *t, slot_t *slots)
{
    fr_t twist[NTT_LANES];

    start_twist(twist, &t->load);
    for (size_t i = 0; i < (size_t)1 << t->lg_m; i++) {
        const fr_t *from = &t->a[t->load.at[i] * t->point_stride];
        slot_t *x = &slots[t->load.slot[i]];

        for (size_t k = 0; k < NTT_LANES; k++) x->lane[k] = from[k * t->lane_stride];
        multiply_step(x, &t->load, i, twist);
    }
}

static void store(const ntt_tile_t *t, slot_t *slots)
{
    fr_t twist[NTT_LANES];

    start_twist(twist, &t->store);
    for (size_t i = 0; i < (size_t)1 << t->lg_m; i++) {
        fr_t *to = &t->a[t->store.at[i] * t->point_stride];
        slot_t *x = &slots[t->store.slot[i]];

        multiply_step(x, &t->store, i, twist);
        for (size_t k = 0; k < NTT_LANES; k++) to[k * t->lane_stride] = x->lane[k];
    }
}

/* x, y = x + z y, x - z y; z = 1 when NULL */
static void butterfly(slot_t *x, slot_t *y, const fr_t *z)
{
    for (int k = 0; k < NTT_LANES; k++) {
        fr_t t = y->lane[k];

        if (z != NULL) fr_mul(&t, &t, z);
        fr_sub(&y->lane[k], &x->lane[k], &t);
        fr_add(&x->lane[k], &x->lane[k], &t);
    }
}

static void run(const ntt_tile_t *t, void *scratch)
{
    const fr_t *z = t->twiddles;
    slot_t *slots = scratch;

    load(t, slots);
    for (unsigned level = 0; level < t->lg_m; level++) {
        const size_t half = (size_t)1 << (t->lg_m - 1 - level);

        for (size_t b = 0; b < (size_t)1 << level; b++)
            for (size_t j = 2 * b * half; j < (2 * b + 1) * half; j++)
                butterfly(&slots[j], &slots[j + half], b == 0 ? NULL : &z[b]);
    }
    store(t, slots);
}

const ntt_kernels_t ntt_kernels_portable = {
    .slot_bytes = sizeof(slot_t),
    .twiddle_bytes = sizeof(fr_t),
    .points_a_task = (size_t)1 << 14,
    .make_twiddles = make_twiddles,
    .prepare_factors = prepare_factors,
    .run = run,
};
