/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "groth16/quotient.h"

#include "base/memory.h"
#include "field/fr_batch.h"
#include "ntt/ntt.h"

enum { GRAIN = 1 << 10 };

/* r = a * b, element by element. */
typedef struct {
    fr_t *r;
    const fr_t *a, *b;
} product_t;

static void multiply(void *arg, size_t first, size_t end, uint32_t worker)
{
    const product_t *p = arg;

    (void)worker;
    fr_batch_mul(p->r + first, p->a + first, p->b + first, end - first);
}

/* From the values of p at the m-th roots of unity to those at g times them. */
static void move_to_coset(const ntt_domain_t *domain, fr_t *p, const fr_t *g, pool_t *pool)
{
    ntt_inverse(domain, p, NTT_NATURAL_TO_REVERSED, pool);
    ntt_forward_coset(domain, p, g, NTT_REVERSED_TO_NATURAL, pool);
}

/* h = (c - d) / 2, canonical, in the memory of c. */
typedef struct {
    fr_t *c;
    const fr_t *d;
    fr_t half;
} halve_t;

static void halve_difference(void *arg, size_t first, size_t end, uint32_t worker)
{
    const halve_t *t = arg;
    fr_t *c = t->c + first;
    const size_t n = end - first;

    (void)worker;
    fr_batch_sub(c, c, t->d + first, n);
    fr_batch_scale(c, c, &t->half, n);
    fr_batch_to_scalar((scalar_t *)c, c, n);
}

static void run(const ntt_domain_t *domain, fr_t *c, assignment_t *x, pool_t *pool)
{
    const size_t m = ntt_domain_size(domain);
    halve_t halve = {.c = c, .d = x->a};
    fr_t g;

    fr_root_of_unity(&g, x->lg_domain + 1); /* g^m = -1 */
    pool_for(pool, m, GRAIN, multiply, &(product_t){c, x->a, x->b});
    ntt_inverse(domain, c, NTT_NATURAL_TO_NATURAL, pool);
    move_to_coset(domain, x->a, &g, pool);
    move_to_coset(domain, x->b, &g, pool);
    pool_for(pool, m, GRAIN, multiply, &(product_t){x->a, x->a, x->b});
    assignment_release_b(x);
    ntt_inverse_coset(domain, x->a, &g, NTT_NATURAL_TO_NATURAL, pool);
    fr_from_u64(&halve.half, 2);
    fr_inv(&halve.half, &halve.half);
    pool_for(pool, m, GRAIN, halve_difference, &halve);
}

cuzk_status groth16_quotient(scalar_t **h, assignment_t *x, pool_t *pool, cuzk_error *err)
{
    ntt_domain_t *domain = NULL;
    void *c = NULL;
    cuzk_status st;

    *h = NULL;
    if (x->lg_domain >= NTT_MAX_LG) {
        st = error_set(err, CUZK_ERR_ARG, "circuit: domain of 2^%u, at most 2^%d", x->lg_domain,
                       NTT_MAX_LG - 1);
        goto out;
    }
    st = ntt_domain_open(&domain, x->lg_domain, pool, err);
    if (st != CUZK_OK) goto out;
    st = big_alloc(&c, ntt_domain_size(domain), sizeof(fr_t), "h", err);
    if (st != CUZK_OK) goto out;
    run(domain, c, x, pool);
    *h = c;
out:
    ntt_domain_close(domain);
    assignment_release_a(x);
    assignment_release_b(x);
    return st;
}
