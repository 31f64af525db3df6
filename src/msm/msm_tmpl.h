/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The end of a multiplication in one group; msm_g1.c and msm_g2.c set G, MSM, MSM_GROUP, ENCODED
 * and include this. */

/* Adds an affine point that may be the identity. */
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

/* See msm_parts_t. */
static void add_windows(G(jac_t) * r, const msm_plan_t *plan, const G(affine_t) * level,
                        const G(affine_t) * rest)
{
    G(jac_t) sum = {0};

    for (uint32_t w = plan->n_windows; w-- > 0;) {
        G(jac_t) window;

        weighted_sum(&window, rest + w * plan->n_rest, plan->n_rest, plan->n_levels == 0);
        for (uint32_t i = plan->n_levels; i-- > 0;) {
            double_times(&window, plan->segment_lg[i]);
            add_part(&window, &level[i * plan->n_windows + w]);
        }
        double_times(&sum, plan->window_bits);
        G(add)(&sum, &sum, &window);
    }
    G(add)(r, r, &sum);
}

cuzk_status MSM(G(jac_t) * r, const G(source_t) * points, const msm_scalars_t *scalars,
                const msm_options_t *options, strand_t *strand, cuzk_error *err)
{
    const msm_source_t source = {points->base, points->n, points->form == ENCODED};
    msm_parts_t parts;

    if (msm_run(&parts, MSM_GROUP(), &source, scalars, options, strand, err) != CUZK_OK)
        return err->status;
    const G(affine_t) *p = parts.affine;
    *r = (G(jac_t)){0};
    for (uint32_t i = 0; i < parts.plan.n_ones; i++) add_part(r, &p[i]);
    p += parts.plan.n_ones;
    add_windows(r, &parts.plan, p, p + parts.plan.n_levels * parts.plan.n_windows);
    free(parts.affine);
    return CUZK_OK;
}
