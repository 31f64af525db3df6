/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The end of a multiplication in one group, in Jacobian coordinates: for msm_g1.c and msm_g2.c,
 * which set GROUP. */

#include "msm/msm.h"
#include "msm/names.h"
#include "msm/run.h"

/* Adds an affine point that may be infinity. */
static void add_part(G(jac_t) * r, const G(affine_t) * p)
{
    if (!G(affine_is_identity)(p)) G(add_affine)(r, r, p);
}

static void double_times(G(jac_t) * r, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) G(double)(r, r);
}

/* r = sum (i + 1) * p[i], or sum i * p[i]. */
static void weighted_sum(G(jac_t) * r, const G(affine_t) * p, uint32_t n, bool from_one)
{
    G(jac_t) running = {0};

    *r = running;
    for (uint32_t i = n; i-- > 0;) {
        add_part(&running, &p[i]);
        if (i > 0 || from_one) G(add)(r, r, &running);
    }
}

/* The parts of a multiplication: see msm_run_sum(). */
typedef struct {
    const msm_plan_t *plan;
    const G(affine_t) * ones;
    const G(affine_t) * level;
    const G(affine_t) * remainder;
    G(jac_t) * window; /* by window */
} window_parts_t;

static void find_parts(window_parts_t *parts, const msm_run_t *run)
{
    const msm_plan_t *plan = &run->plan;

    parts->plan = plan;
    parts->ones = (const G(affine_t) *)(const void *)(run->memory + plan->at.parts);
    parts->level = parts->ones + (plan->has_selected ? plan->threads : 0);
    parts->remainder = parts->level + (size_t)plan->n_levels * plan->n_windows;
    parts->window = (G(jac_t) *)(void *)(run->memory + plan->at.windows);
}

/* window = level[0] + 2^level_lg[0] (level[1] + ... ) */
static void sum_window(void *arg, size_t index, uint32_t worker)
{
    const window_parts_t *parts = arg;
    const msm_plan_t *plan = parts->plan;
    G(jac_t) *window = &parts->window[index];

    (void)worker;
    weighted_sum(window, parts->remainder + index * plan->n_remainder, plan->n_remainder,
                 plan->n_levels == 0);
    for (uint32_t i = plan->n_levels; i-- > 0;) {
        double_times(window, plan->level_lg[i]);
        add_part(window, &parts->level[i * plan->n_windows + index]);
    }
}

/* r = sum ones[i] + sum 2^(window_bits w) window[w] */
static cuzk_status add_parts(G(jac_t) * r, window_parts_t *parts, strand_t *strand, cuzk_error *err)
{
    const msm_plan_t *plan = parts->plan;
    const cuzk_status st = strand_run(strand, plan->n_windows, sum_window, parts, err);
    G(jac_t) sum = {0};

    if (st != CUZK_OK) return st;
    for (uint32_t w = plan->n_windows; w-- > 0;) {
        double_times(&sum, plan->window_bits);
        G(add)(&sum, &sum, &parts->window[w]);
    }
    for (uint32_t i = 0; plan->has_selected && i < plan->threads; i++)
        add_part(&sum, &parts->ones[i]);
    *r = sum;
    return CUZK_OK;
}

cuzk_status IN_GROUP(msm)(G(jac_t) * r, const points_t *points, const msm_scalars_t *scalars,
                          const msm_options_t *options, strand_t *strand, cuzk_error *err)
{
    window_parts_t parts;
    msm_run_t run;
    cuzk_status st =
        msm_run_open(&run, IN_GROUP(msm_group)(), points, scalars, options, strand, err);

    if (st == CUZK_OK) st = msm_run_sum(&run, err);
    if (st == CUZK_OK) {
        find_parts(&parts, &run);
        st = add_parts(r, &parts, strand, err);
    }
    msm_run_close(&run);
    return st;
}

uint64_t IN_GROUP(msm_bytes)(const msm_size_t *size)
{
    return msm_plan_bytes(IN_GROUP(msm_group)(), size);
}

uint32_t IN_GROUP(msm_window)(size_t n_terms)
{
    return msm_plan_window(IN_GROUP(msm_group)(), n_terms);
}
