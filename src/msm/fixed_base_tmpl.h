/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Included by fixed_base_g1.c and fixed_base_g2.c. */

enum { WINDOW = 8, N_WINDOWS = 32, N_MULTIPLES = 256, BATCH = 64 };

struct TABLE_STRUCT {
    G(affine_t) * multiples; /* [window][digit] = digit * 2^(8 window) * base */
};

cuzk_status FIXED_BASE(open)(TABLE_T **table, const G(affine_t) * base, size_t n, pool_t *pool,
                             cuzk_error *err)
{
    void *memory;
    G(jac_t) step;

    (void)n;
    (void)pool;
    if (big_alloc(&memory, N_WINDOWS * N_MULTIPLES, sizeof(G(affine_t)), "fixed base", err) !=
        CUZK_OK)
        return err->status;
    *table = small_alloc(1, sizeof **table);
    (*table)->multiples = memory;
    G(from_affine)(&step, base);
    for (size_t i = 0; i < N_WINDOWS; i++) {
        G(jac_t) sum = {0};

        for (size_t j = 0; j < N_MULTIPLES; j++) {
            if (j > 0 && !G(is_identity)(&step)) G(to_affine)(&(*table)->multiples[i * N_MULTIPLES + j], &sum);
            G(add)(&sum, &sum, &step);
        }
        step = sum;
    }
    return CUZK_OK;
}

void FIXED_BASE(close)(TABLE_T *table)
{
    if (table == NULL) return;
    big_free(table->multiples, N_WINDOWS * N_MULTIPLES, sizeof(G(affine_t)));
    free(table);
}

typedef struct {
    G(affine_t) * r;
    const TABLE_T *table;
    const scalar_t *k;
} mul_t;

static void mul_range(void *arg, size_t first, size_t end, uint32_t worker)
{
    const mul_t *m = arg;

    (void)worker;
    for (size_t i = first; i < end; i++) {
        G(jac_t) sum = {0};

        for (size_t j = 0; j < N_WINDOWS; j++) {
            const size_t digit = m->k[i].l[j / 8] >> 8 * (j % 8) & 255;
            const G(affine_t) *p = &m->table->multiples[j * N_MULTIPLES + digit];

            if (!G(affine_is_identity)(p)) G(add_affine)(&sum, &sum, p);
        }
        if (G(is_identity)(&sum))
            m->r[i] = (G(affine_t)){0};
        else
            G(to_affine)(&m->r[i], &sum);
    }
}

void FIXED_BASE(mul)(G(affine_t) * r, const TABLE_T *table, const scalar_t *k, size_t n,
                     pool_t *pool)
{
    mul_t m = {r, table, k};

    pool_for(pool, n, BATCH, mul_range, &m);
}
