/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "msm/summer.h"

#include "base/verify.h"

static size_t padded(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

size_t summer_bytes(const msm_group_t *group)
{
    return padded(group->add_scratch_bytes) + padded(MSM_MAX_BATCH * sizeof(msm_pair_t)) +
           padded(SUMMER_BLOCK * sizeof(msm_ref_t)) +
           padded(SUMMER_BLOCK / 2 * sizeof(summer_segment_t));
}

void summer_init(summer_t *s, const msm_group_t *group, uint8_t *slots, uint32_t first_own,
                 uint8_t *memory)
{
    *s = (summer_t){.group = group, .slots = slots, .first_own = first_own};
    s->add_scratch = memory;
    memory += padded(group->add_scratch_bytes);
    s->pairs = (msm_pair_t *)(void *)memory;
    memory += padded(MSM_MAX_BATCH * sizeof(msm_pair_t));
    s->refs = (msm_ref_t *)(void *)memory;
    memory += padded(SUMMER_BLOCK * sizeof(msm_ref_t));
    s->segments = (summer_segment_t *)(void *)memory;
}

void summer_flush(summer_t *s)
{
    if (s->n_pairs > 0) s->group->add(s->slots, s->pairs, s->n_pairs, s->add_scratch);
    s->n_pairs = 0;
}

void summer_pair(summer_t *s, msm_ref_t a, msm_ref_t b, uint32_t out)
{
    s->pairs[s->n_pairs++] = (msm_pair_t){a, b, out};
    if (s->n_pairs == MSM_MAX_BATCH) summer_flush(s);
}

/* Pairs up a segment's terms; an odd one is kept. Results replace a term in one of our slots, or
 * take a new one: only first-round pairs do, so half a block of slots is enough. */
static void pair_segment(summer_t *s, summer_segment_t *g, uint32_t *next_own)
{
    msm_ref_t *refs = s->refs + g->start;
    const uint32_t half = g->count / 2;

    for (uint32_t i = 0; i < half; i++) {
        const msm_ref_t a = refs[2 * i];
        const uint32_t slot = a >> 1;
        uint32_t out = slot;

        if (g->count == 2)
            out = g->out;
        else if (slot - s->first_own >= SUMMER_BLOCK / 2)
            out = (*next_own)++;
        summer_pair(s, a, refs[2 * i + 1], out);
        refs[i] = out << 1;
    }
    if (g->count % 2 == 1) refs[half] = refs[g->count - 1];
    g->count -= half;
}

void summer_finish(summer_t *s)
{
    uint32_t next_own = s->first_own;

    while (s->n_segments > 0) {
        uint32_t kept = 0;

        for (uint32_t i = 0; i < s->n_segments; i++) {
            pair_segment(s, &s->segments[i], &next_own);
            if (s->segments[i].count > 1) s->segments[kept++] = s->segments[i];
        }
        summer_flush(s);
        s->n_segments = kept;
    }
    VERIFY(next_own - s->first_own <= SUMMER_BLOCK / 2);
    s->n_refs = 0;
}

/* The terms are refs[0 .. n-1], or the slots from `first` on when refs is NULL. */
static void add_terms(summer_t *s, uint32_t out, bool fresh, const msm_ref_t *refs, uint32_t first,
                      size_t n)
{
    size_t i = 0;

    if (fresh && n == 1) {
        s->group->copy(s->slots, out, refs != NULL ? refs[0] : first << 1);
        return;
    }
    while (i < n) {
        const uint32_t own = fresh ? 0 : 1;
        const size_t room = SUMMER_BLOCK - s->n_refs;

        if (n - i + own > room && s->n_refs > 0) {
            summer_finish(s);
            continue;
        }
        const size_t taken = n - i + own <= room ? n - i : room - own;

        s->segments[s->n_segments++] = (summer_segment_t){s->n_refs, (uint32_t)taken + own, out};
        if (!fresh) s->refs[s->n_refs++] = out << 1;
        for (size_t end = i + taken; i < end; i++)
            s->refs[s->n_refs++] = refs != NULL ? refs[i] : (first + (uint32_t)i) << 1;
        fresh = false;
    }
}

void summer_add(summer_t *s, uint32_t out, bool fresh, const msm_ref_t *refs, size_t n)
{
    add_terms(s, out, fresh, refs, 0, n);
}

void summer_add_slots(summer_t *s, uint32_t out, bool fresh, uint32_t first, size_t n)
{
    add_terms(s, out, fresh, NULL, first, n);
}
