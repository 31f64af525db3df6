/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Fixed-base multiplication in one group; fixed_base_g1.c and fixed_base_g2.c set G, FIXED_BASE,
 * FIXED_BASE_T, FIXED_BASE_STRUCT and MSM_GROUP, and include this. */

struct FIXED_BASE_STRUCT {
    msm_table_t *table; /* apart, since a const handle may be multiplied with */
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

cuzk_status FIXED_BASE(open)(FIXED_BASE_T **handle, const G(affine_t) * base, size_t n,
                             strand_t *strand, cuzk_error *err)
{
    msm_table_t *table = small_alloc(1, sizeof *table);

    *handle = NULL;
    if (msm_table_open(table, MSM_GROUP(), n, strand, err) != CUZK_OK) {
        free(table);
        return err->status;
    }
    G(affine_t) *bases = small_alloc(table->n_windows, sizeof *bases);
    window_bases(bases, table, base);
    const cuzk_status st = msm_table_fill(table, bases, strand, err);
    free(bases);
    if (st != CUZK_OK) {
        msm_table_close(table);
        free(table);
        return st;
    }
    *handle = small_alloc(1, sizeof **handle);
    (*handle)->table = table;
    return CUZK_OK;
}

void FIXED_BASE(close)(FIXED_BASE_T *handle)
{
    if (handle == NULL) return;
    msm_table_close(handle->table);
    free(handle->table);
    free(handle);
}

cuzk_status FIXED_BASE(mul)(G(affine_t) * r, const FIXED_BASE_T *handle, const scalar_t *k,
                            size_t n, strand_t *strand, cuzk_error *err)
{
    return msm_table_mul(r, handle->table, k, n, strand, err);
}
