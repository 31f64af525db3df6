/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/peer_inputs.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "hash/sha256.h"

enum { GRAIN = 1024 };

void peer_scalar(scalar_t *s, uint64_t i)
{
    uint8_t text[17] = "cuzk-peer";

    store_le64(text + 9, i);
    sha256((uint8_t *)s->l, text, sizeof text);
    s->l[3] &= UINT64_MAX >> 2;
}

static void fill_scalars(void *arg, size_t first, size_t end, uint32_t worker)
{
    (void)worker;
    for (size_t i = first; i < end; i++) peer_scalar((scalar_t *)arg + i, i);
}

void peer_scalars(scalar_t *s, size_t n, strand_t *strand)
{
    cuzk_error unused;

    (void)strand_for(strand, n, (strand_cut_t){GRAIN, GRAIN}, fill_scalars, s, &unused);
}

/* Points first .. end-1 by additions of G, made affine in batches. */
#define POINTS(group, blst_group)                                                                  \
    static void fill_points_##group(void *arg, size_t first, size_t end, uint32_t worker)          \
    {                                                                                              \
        group##_affine_t *points = arg;                                                            \
        group##_jac_t sums[GRAIN];                                                                 \
        const group##_jac_t *const list[2] = {sums, NULL};                                         \
        group##_jac_t next;                                                                        \
                                                                                                   \
        (void)worker;                                                                              \
        group##_from_affine(&next, group##_generator());                                           \
        group##_mul(&next, &next, &(scalar_t){{first + 1, 0, 0, 0}});                              \
        while (first < end) {                                                                      \
            const size_t n = end - first < GRAIN ? end - first : GRAIN;                            \
                                                                                                   \
            for (size_t i = 0; i < n; i++) {                                                       \
                sums[i] = next;                                                                    \
                group##_add_affine(&next, &next, group##_generator());                             \
            }                                                                                      \
            blst_group##s_to_affine(points + first, list, n);                                      \
            first += n;                                                                            \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    void peer_points_##group(group##_affine_t *points, size_t n, strand_t *strand)                 \
    {                                                                                              \
        cuzk_error unused;                                                                         \
                                                                                                   \
        (void)strand_for(strand, n, (strand_cut_t){GRAIN, 64 * GRAIN}, fill_points_##group,        \
                         points, &unused);                                                         \
    }

POINTS(g1, blst_p1)
POINTS(g2, blst_p2)

/* The constraint whose result is public: the last squaring. */
static size_t last_squaring(const peer_chain_t *c)
{
    return c->bits ? c->n / 4 * 4 - 1 : c->n - 1;
}

cuzk_status peer_chain_init(peer_chain_t *chain, size_t n, bool bits, cuzk_error *err)
{
    const size_t squarings = bits ? n / 4 : n;
    scalar_t s;

    *chain = (peer_chain_t){.n = n, .bits = bits};
    chain->booleans = mem_alloc(n, sizeof(bool), "booleans", err);
    if (chain->booleans == NULL) return CUZK_ERR_MEMORY;
    for (size_t i = n; i-- > 0;) {
        peer_scalar(&s, i);
        chain->booleans[i] = s.l[0] & 1;
    }
    fr_from_scalar(&chain->first, &s);
    chain->last = chain->first;
    for (size_t i = 0; i < squarings; i++) fr_sqr(&chain->last, &chain->last);
    return CUZK_OK;
}

void peer_chain_clear(peer_chain_t *chain)
{
    free(chain->booleans);
}

static void add_boolean(cs_t *cs, bool value)
{
    const var_t b = cs_alloc_bit(cs, value);
    const lc_t lc = lc_from_var(&cs->arena, b);
    lc_t not = lc_from_var(&cs->arena, VAR_ONE);
    const lc_t zero = lc_empty();

    lc_sub_var(&cs->arena, &not, b);
    cs_enforce(cs, &not, &lc, &zero);
}

void peer_chain(cs_t *cs, const void *arg)
{
    const peer_chain_t *chain = arg;
    const size_t last = last_squaring(chain);
    fr_t value = chain->first;
    var_t x = cs_alloc(cs, &value);

    for (size_t i = 0; i < chain->n; i++) {
        const arena_mark_t mark = arena_mark(&cs->arena);

        if (chain->bits && i % 4 != 3) {
            add_boolean(cs, chain->booleans[i]);
        } else {
            if (cs->has_values) fr_sqr(&value, &value);
            const var_t y = i == last ? cs_alloc_input(cs, &value) : cs_alloc(cs, &value);
            const lc_t lc_x = lc_from_var(&cs->arena, x);
            const lc_t lc_y = lc_from_var(&cs->arena, y);

            cs_enforce(cs, &lc_x, &lc_x, &lc_y);
            x = y;
        }
        arena_rewind(&cs->arena, mark);
    }
}
