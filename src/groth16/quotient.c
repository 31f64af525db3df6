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
static cuzk_status move_to_coset(const ntt_domain_t *domain, fr_t *p, const fr_t *g,
                                 strand_t *strand, cuzk_error *err)
{
    const cuzk_status st = ntt_inverse(domain, p, NTT_NATURAL_TO_REVERSED, strand, err);

    if (st != CUZK_OK) return st;
    return ntt_forward_coset(domain, p, g, NTT_REVERSED_TO_NATURAL, strand, err);
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

static cuzk_status run(const ntt_domain_t *domain, fr_t *c, assignment_t *x, strand_t *strand,
                       cuzk_error *err)
{
    const strand_cut_t cut = {GRAIN, 16 * GRAIN};
    const size_t m = ntt_domain_size(domain);
    halve_t halve = {.c = c, .d = x->a};
    cuzk_status st;
    fr_t g;

    fr_root_of_unity(&g, x->lg_domain + 1); /* g^m = -1 */
    fr_from_u64(&halve.half, 2);
    fr_inv(&halve.half, &halve.half);
    st = strand_for(strand, m, cut, multiply, &(product_t){c, x->a, x->b}, err);
    if (st == CUZK_OK) st = ntt_inverse(domain, c, NTT_NATURAL_TO_NATURAL, strand, err);
    if (st == CUZK_OK) st = move_to_coset(domain, x->a, &g, strand, err);
    if (st == CUZK_OK) st = move_to_coset(domain, x->b, &g, strand, err);
    if (st == CUZK_OK)
        st = strand_for(strand, m, cut, multiply, &(product_t){x->a, x->a, x->b}, err);
    assignment_release_b(x);
    if (st == CUZK_OK)
        st = ntt_inverse_coset(domain, x->a, &g, NTT_NATURAL_TO_NATURAL, strand, err);
    if (st == CUZK_OK) st = strand_for(strand, m, cut, halve_difference, &halve, err);
    return st;
}

cuzk_status groth16_quotient(scalar_t **h, assignment_t *x, strand_t *strand, cuzk_error *err)
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
    st = ntt_domain_open(&domain, x->lg_domain, strand, err);
    if (st != CUZK_OK) goto out;
    st = big_alloc(&c, ntt_domain_size(domain), sizeof(fr_t), "h", err);
    if (st != CUZK_OK) goto out;
    st = run(domain, c, x, strand, err);
    if (st == CUZK_OK)
        *h = c;
    else
        big_free(c, ntt_domain_size(domain), sizeof(fr_t));
out:
    ntt_domain_close(domain);
    assignment_release_a(x);
    assignment_release_b(x);
    return st;
}
