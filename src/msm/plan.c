/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "msm/run.h"

/* Cost of a window width in additions: one a nonzero digit, and for each bucket two additions of
 * its weighted sum, its sorting and clearing. */
static double window_cost(const msm_group_t *group, size_t n_terms, uint32_t bits)
{
    const double bucket_additions = 3.0;
    const uint32_t n_windows = (group->scalar_bits + bits - 1) / bits;
    const double digits = (double)n_terms * group->images;

    return n_windows * (digits + bucket_additions * (double)(1U << (bits - 1)));
}

/* Buckets of wider windows than 16 bits leave the caches: 19 bits do as many additions as 16 at
 * n = 2^21 and take a quarter more time. */
static uint32_t choose_window(const msm_group_t *group, size_t n_terms)
{
    enum { WIDEST = 16 };
    uint32_t best = MSM_MIN_WINDOW;

    for (uint32_t bits = MSM_MIN_WINDOW + 1; bits <= WIDEST; bits++)
        if (window_cost(group, n_terms, bits) < window_cost(group, n_terms, best)) best = bits;
    return best;
}

void msm_plan_make(msm_plan_t *plan, const msm_group_t *group, size_t n_terms, size_t n_selected,
                   uint32_t window_bits, uint32_t threads)
{
    enum { REST = 8, MIN_REST_LG = 3, MAX_SEGMENT_LG = 5 };
    uint32_t bits = window_bits == 0 ? choose_window(group, n_terms) : window_bits;

    *plan = (msm_plan_t){.n_ones = n_selected == 0 ? 0 : threads};
    if (n_terms == 0) return;
    if (bits < MSM_MIN_WINDOW) bits = MSM_MIN_WINDOW;
    if (bits > MSM_MAX_WINDOW) bits = MSM_MAX_WINDOW;
    plan->window_bits = bits;
    plan->n_windows = (group->scalar_bits + bits - 1) / bits;
    plan->n_buckets = 1U << (bits - 1);
    uint32_t rest_lg = bits - 1;
    while (1U << rest_lg > REST) {
        const uint32_t lg =
            rest_lg - MIN_REST_LG < MAX_SEGMENT_LG ? rest_lg - MIN_REST_LG : MAX_SEGMENT_LG;

        plan->segment_lg[plan->n_levels++] = lg;
        rest_lg -= lg;
    }
    plan->n_rest = 1U << rest_lg;
}
