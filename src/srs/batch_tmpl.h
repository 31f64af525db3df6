/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* Included by batch_g1.c and batch_g2.c, with POINT(x) and BATCH(x) set to the group's names. */

#include "base/memory.h"

enum { BUCKETS = 1 << SRS_BATCH_LG_BUCKETS, SUMS = SRS_BATCH_SUMS, GRAIN = 64 };

struct BATCH_STRUCT {
    POINT(jac_t) * sums; /* [worker][round][bucket] */
    uint32_t n_workers;
    bool bad; /* atomic */
};

cuzk_status BATCH(open)(BATCH(t) * *batch, uint32_t n_workers, cuzk_error *err)
{
    void *sums;

    *batch = mem_alloc(1, sizeof **batch, "subgroup check", err);
    if (*batch == NULL) return CUZK_ERR_MEMORY;
    const cuzk_status st =
        big_alloc(&sums, (size_t)n_workers * SUMS, sizeof(POINT(jac_t)), "subgroup check", err);
    if (st != CUZK_OK) {
        free(*batch);
        *batch = NULL;
        return st;
    }
    (*batch)->sums = sums; /* zeros: identities */
    (*batch)->n_workers = n_workers;
    return CUZK_OK;
}

void BATCH(close)(BATCH(t) * batch)
{
    if (batch == NULL) return;
    big_free(batch->sums, (size_t)batch->n_workers * SUMS, sizeof *batch->sums);
    free(batch);
}

void BATCH(add)(BATCH(t) * batch, const POINT(affine_t) * p, uint64_t random, uint32_t worker)
{
    POINT(jac_t) *sums = batch->sums + (size_t)worker * SUMS;

    for (size_t round = 0; round < SRS_BATCH_ROUNDS; round++, sums += BUCKETS) {
        POINT(jac_t) *sum = &sums[random % BUCKETS];

        POINT(add_affine)(sum, sum, p);
        random /= BUCKETS;
    }
}

static void check_sums(void *arg, size_t first, size_t end, uint32_t worker)
{
    BATCH(t) *batch = arg;

    (void)worker;
    for (size_t i = first; i < end; i++) {
        POINT(jac_t) sum = batch->sums[i];
        POINT(affine_t) affine;

        for (size_t w = 1; w < batch->n_workers; w++)
            POINT(add)(&sum, &sum, &batch->sums[w * SUMS + i]);
        if (POINT(is_identity)(&sum)) continue;
        POINT(to_affine)(&affine, &sum);
        if (!POINT(in_subgroup)(&affine)) __atomic_store_n(&batch->bad, true, __ATOMIC_RELAXED);
    }
}

cuzk_status BATCH(good)(bool *good, BATCH(t) * batch, strand_t *strand, cuzk_error *err)
{
    const cuzk_status st =
        strand_for(strand, SUMS, (strand_cut_t){GRAIN, GRAIN}, check_sums, batch, err);

    *good = !batch->bad;
    return st;
}
