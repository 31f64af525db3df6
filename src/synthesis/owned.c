/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "synthesis/owned.h"

#include "base/memory.h"

cuzk_status synthesis_sides_alloc(synthesis_sides_t *sides, size_t m, bool want_c, cuzk_error *err)
{
    fr_t **const arrays[] = {&sides->a, &sides->b, &sides->c};
    cuzk_status st = CUZK_OK;

    *sides = (synthesis_sides_t){0};
    for (int i = 0; i < (want_c ? 3 : 2) && st == CUZK_OK; i++) {
        void *p;

        st = big_alloc(&p, m, sizeof(fr_t), "values of constraints", err);
        if (st == CUZK_OK) *arrays[i] = p;
    }
    if (st != CUZK_OK) synthesis_sides_free(sides, m);
    return st;
}

void synthesis_sides_free(synthesis_sides_t *sides, size_t m)
{
    big_free(sides->a, m, sizeof(fr_t));
    big_free(sides->b, m, sizeof(fr_t));
    big_free(sides->c, m, sizeof(fr_t));
    *sides = (synthesis_sides_t){0};
}

cuzk_status owned_assignment_make(owned_assignment_t *o, circuit_fn circuit, const void *values,
                                  bool want_c, const synthesis_options_t *options, cuzk_error *err)
{
    *o = (owned_assignment_t){0};
    cuzk_status st = synthesis_plan(&o->plan, circuit, values, err);
    if (st == CUZK_OK) {
        o->m = (size_t)1 << circuit_lg_domain(&o->plan.counts);
        st = synthesis_sides_alloc(&o->sides, o->m, want_c, err);
    }
    if (st == CUZK_OK)
        st = synthesis_prove(&o->x, &o->sides, circuit, values, &o->plan, options, err);
    if (st != CUZK_OK) owned_assignment_clear(o);
    return st;
}

void owned_assignment_clear(owned_assignment_t *o)
{
    assignment_clear(&o->x);
    synthesis_sides_free(&o->sides, o->m);
    circuit_plan_clear(&o->plan);
    *o = (owned_assignment_t){0};
}
