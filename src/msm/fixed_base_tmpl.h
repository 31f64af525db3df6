/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Fixed-base multiplication in one group, for fixed_base_g1.c and fixed_base_g2.c, which set
 * GROUP. */

#include <stdlib.h>

#include "base/memory.h"
#include "msm/fixed_base.h"
#include "msm/names.h"
#include "msm/table.h"

#define FIXED_BASE(name) MSM_JOIN(IN_GROUP(fixed_base), name)

struct IN_GROUP(fixed_base) {
    msm_table_t table;
};

/* affine[w] = 2^(window_bits w) * base. */
static void window_bases(G(affine_t) * affine, const msm_table_t *table, const G(affine_t) * base)
{
    G(jac_t) power;

    if (G(affine_is_identity)(base)) return;
    G(from_affine)(&power, base);
    for (uint32_t w = 0; w < table->n_windows; w++) {
        G(to_affine)(&affine[w], &power);
        for (uint32_t i = 0; i < table->window_bits; i++) G(double)(&power, &power);
    }
}

static cuzk_status fill(msm_table_t *table, const G(affine_t) * base, strand_t *strand,
                        cuzk_error *err)
{
    G(affine_t) *bases = mem_alloc(table->n_windows, sizeof *bases, "fixed base: windows", err);

    if (bases == NULL) return err->status;
    window_bases(bases, table, base);
    const cuzk_status st = msm_table_fill(table, bases, strand, err);
    free(bases);
    return st;
}

cuzk_status FIXED_BASE(open)(FIXED_BASE(t) * *out, const G(affine_t) * base, size_t n,
                             strand_t *strand, cuzk_error *err)
{
    FIXED_BASE(t) *handle = mem_alloc(1, sizeof *handle, "fixed base", err);

    *out = NULL;
    if (handle == NULL) return err->status;
    cuzk_status st =
        msm_table_open(&handle->table, IN_GROUP(msm_group)(), n, strand_size(strand), err);
    if (st == CUZK_OK) st = fill(&handle->table, base, strand, err);
    if (st != CUZK_OK)
        FIXED_BASE(close)(handle);
    else
        *out = handle;
    return st;
}

void FIXED_BASE(close)(FIXED_BASE(t) * handle)
{
    if (handle == NULL) return;
    msm_table_close(&handle->table);
    free(handle);
}

cuzk_status FIXED_BASE(mul)(G(affine_t) * r, FIXED_BASE(t) * handle, const scalar_t *k, size_t n,
                            strand_t *strand, cuzk_error *err)
{
    return msm_table_mul(r, &handle->table, k, n, strand, err);
}
