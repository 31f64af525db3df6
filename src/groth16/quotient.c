/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "groth16/quotient.h"

/* From the values of p at the m-th roots of unity to those at g times them. */
static cuzk_status move_to_coset(stream_t *stream, buffer_t *p, unsigned lg_m, const fr_t *g,
                                 cuzk_error *err)
{
    const ntt_kind_t back = {.inverse = true, .order = NTT_NATURAL_TO_REVERSED};
    const ntt_kind_t forth = {.order = NTT_REVERSED_TO_NATURAL, .coset = g};
    const cuzk_status st = stream_transform(stream, p, lg_m, &back, err);

    return st == CUZK_OK ? stream_transform(stream, p, lg_m, &forth, err) : st;
}

/* c = the coefficients of C; a and b on the coset. Neither is changed before their product is
 * there.
 */
static cuzk_status give_chains(const quotient_streams_t *s, buffer_t *c, buffer_t *a, buffer_t *b,
                               unsigned lg_m, cuzk_error *err)
{
    const ntt_kind_t back = {.inverse = true};
    fr_t g;
    cuzk_status st = stream_multiply(s->c, c, a, b, (size_t)1 << lg_m, err);

    fr_root_of_unity(&g, lg_m + 1); /* g^m = -1 */
    if (st == CUZK_OK) st = stream_wait(s->a, s->c, err);
    if (st == CUZK_OK) st = stream_wait(s->b, s->c, err);
    if (st == CUZK_OK) st = stream_transform(s->c, c, lg_m, &back, err);
    if (st == CUZK_OK) st = move_to_coset(s->a, a, lg_m, &g, err);
    if (st == CUZK_OK) st = move_to_coset(s->b, b, lg_m, &g, err);
    return st;
}

/* d = the polynomial through the products on the coset, in the memory of a; h = (c - d) / 2. */
static cuzk_status give_rest(const quotient_streams_t *s, buffer_t *c, buffer_t **a, buffer_t **b,
                             unsigned lg_m, cuzk_error *err)
{
    const size_t m = (size_t)1 << lg_m;
    ntt_kind_t back = {.inverse = true};
    fr_t g;
    cuzk_status st = stream_wait(s->a, s->b, err);

    fr_root_of_unity(&g, lg_m + 1);
    back.coset = &g;
    if (st == CUZK_OK) st = stream_multiply(s->a, *a, *a, *b, m, err);
    if (st == CUZK_OK) st = stream_release(s->a, b, err);
    if (st == CUZK_OK) st = stream_transform(s->a, *a, lg_m, &back, err);
    if (st == CUZK_OK) st = stream_wait(s->a, s->c, err);
    if (st == CUZK_OK) st = stream_combine_h(s->a, c, c, *a, m, err);
    if (st == CUZK_OK) st = stream_release(s->a, a, err);
    return st;
}

cuzk_status quotient_give(const quotient_streams_t *streams, buffer_t *c, buffer_t **a,
                          buffer_t **b, unsigned lg_m, cuzk_error *err)
{
    if (lg_m >= NTT_MAX_LG)
        return error_set(err, CUZK_ERR_ARG, "circuit: domain of 2^%u, at most 2^%d", lg_m,
                         NTT_MAX_LG - 1);
    const cuzk_status st = give_chains(streams, c, *a, *b, lg_m, err);
    return st == CUZK_OK ? give_rest(streams, c, a, b, lg_m, err) : st;
}
