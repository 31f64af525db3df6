/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "msm/adder.h"

#include "base/verify.h"

size_t msm_adder_bytes(const msm_group_t *group)
{
    return msm_padded(group->add_scratch_bytes) + msm_padded(MSM_MAX_BATCH * sizeof(msm_pair_t)) +
           msm_padded(MSM_ADDER_BLOCK * sizeof(msm_ref_t)) +
           msm_padded(MSM_ADDER_BLOCK / 2 * sizeof(msm_adder_sum_t));
}

void msm_adder_init(msm_adder_t *adder, const msm_group_t *group, uint8_t *slots,
                    uint32_t first_own, uint8_t *memory)
{
    *adder = (msm_adder_t){.group = group, .slots = slots, .first_own = first_own};
    adder->add_scratch = memory;
    memory += msm_padded(group->add_scratch_bytes);
    adder->pairs = (msm_pair_t *)(void *)memory;
    memory += msm_padded(MSM_MAX_BATCH * sizeof(msm_pair_t));
    adder->refs = (msm_ref_t *)(void *)memory;
    memory += msm_padded(MSM_ADDER_BLOCK * sizeof(msm_ref_t));
    adder->sums = (msm_adder_sum_t *)(void *)memory;
}

void msm_adder_flush(msm_adder_t *adder)
{
    if (adder->n_pairs > 0)
        adder->group->add(adder->slots, adder->pairs, adder->n_pairs, adder->add_scratch);
    adder->n_pairs = 0;
}

void msm_adder_pair(msm_adder_t *adder, msm_ref_t a, msm_ref_t b, uint32_t out)
{
    adder->pairs[adder->n_pairs++] = (msm_pair_t){a, b, out};
    if (adder->n_pairs == MSM_MAX_BATCH) msm_adder_flush(adder);
}

/* Pairs up a sum's terms; an odd one is kept. Results replace a term in one of our slots, or
 * take a new one: only first-round pairs do, so half a block of slots is enough. */
static void pair_terms(msm_adder_t *adder, msm_adder_sum_t *sum, uint32_t *next_own)
{
    msm_ref_t *refs = adder->refs + sum->start;
    const uint32_t half = sum->count / 2;

    for (uint32_t i = 0; i < half; i++) {
        const msm_ref_t a = refs[2 * i];
        const uint32_t slot = a >> 1;
        uint32_t out = slot;

        if (sum->count == 2)
            out = sum->out;
        else if (slot - adder->first_own >= MSM_ADDER_BLOCK / 2)
            out = (*next_own)++;
        msm_adder_pair(adder, a, refs[2 * i + 1], out);
        refs[i] = out << 1;
    }
    if (sum->count % 2 == 1) refs[half] = refs[sum->count - 1];
    sum->count -= half;
}

void msm_adder_finish(msm_adder_t *adder)
{
    uint32_t next_own = adder->first_own;

    while (adder->n_sums > 0) {
        uint32_t kept = 0;

        for (uint32_t i = 0; i < adder->n_sums; i++) {
            pair_terms(adder, &adder->sums[i], &next_own);
            if (adder->sums[i].count > 1) adder->sums[kept++] = adder->sums[i];
        }
        msm_adder_flush(adder);
        adder->n_sums = kept;
    }
    VERIFY(next_own - adder->first_own <= MSM_ADDER_BLOCK / 2);
    adder->n_refs = 0;
}

/* The terms are refs[0 .. n-1], or the slots from `first` on when refs is NULL. */
static void add_terms(msm_adder_t *adder, uint32_t out, bool fresh, const msm_ref_t *refs,
                      uint32_t first, size_t n)
{
    size_t i = 0;

    if (fresh && n == 1) {
        adder->group->copy(adder->slots, out, refs != NULL ? refs[0] : first << 1);
        return;
    }
    while (i < n) {
        const uint32_t own = fresh ? 0 : 1;
        const size_t room = MSM_ADDER_BLOCK - adder->n_refs;

        if (n - i + own > room && adder->n_refs > 0) {
            msm_adder_finish(adder);
            continue;
        }
        const size_t taken = n - i + own <= room ? n - i : room - own;

        adder->sums[adder->n_sums++] = (msm_adder_sum_t){adder->n_refs, (uint32_t)taken + own, out};
        if (!fresh) adder->refs[adder->n_refs++] = out << 1;
        for (size_t end = i + taken; i < end; i++)
            adder->refs[adder->n_refs++] = refs != NULL ? refs[i] : (first + (uint32_t)i) << 1;
        fresh = false;
    }
}

void msm_adder_add(msm_adder_t *adder, uint32_t out, bool fresh, const msm_ref_t *refs, size_t n)
{
    add_terms(adder, out, fresh, refs, 0, n);
}

void msm_adder_add_slots(msm_adder_t *adder, uint32_t out, bool fresh, uint32_t first, size_t n)
{
    add_terms(adder, out, fresh, NULL, first, n);
}
