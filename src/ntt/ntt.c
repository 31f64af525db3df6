/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "ntt/ntt.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/verify.h"
#include "ntt/ntt_pass.h"
#include "ntt/ntt_small.h"

/* Scratch up to this size comes from malloc, which has it at hand. */
enum { SMALL_SCRATCH = 1 << 18, LINE = 64 };

static cuzk_status transform_tiled(const ntt_call_t *call, fr_t *a, strand_t *strand,
                                   cuzk_error *err)
{
    const ntt_domain_t *d = call->domain;
    const size_t n = ntt_domain_size(d);
    const ntt_part_t all = {.elements = a, .n_points = n, .row = n >> d->digits[0].lg_m};
    cuzk_status st = CUZK_OK;

    for (unsigned i = 0; i < d->n_digits && st == CUZK_OK; i++)
        st = ntt_pass(call, call->order == NTT_REVERSED_TO_NATURAL ? d->n_digits - 1 - i : i, &all,
                      strand, err);
    if (st != CUZK_OK || call->order != NTT_NATURAL_TO_NATURAL) return st;
    const ntt_part_t square = {.elements = a, .row = n >> d->digits[d->n_digits - 1].lg_m};
    return ntt_swap_digits(call, &square, strand, err);
}

static void scale_small(const ntt_call_t *call, fr_t *a, bool is_reversed)
{
    const unsigned lg_n = call->domain->lg_n;
    fr_t factor = call->constant;

    for (size_t j = 0; j < (size_t)1 << lg_n; j++) {
        fr_t *x = &a[is_reversed ? ntt_reverse_bits(j, lg_n) : j];

        fr_mul(x, x, &factor);
        fr_mul(&factor, &factor, &call->base);
    }
}

static void transform_small(const ntt_call_t *call, fr_t *a)
{
    fr_t root;

    ntt_root(&root, call->domain->lg_n, call->inverse);
    if (!call->inverse) scale_small(call, a, call->order == NTT_REVERSED_TO_NATURAL);
    ntt_small(a, call->domain->lg_n, &root, call->order);
    if (call->inverse) scale_small(call, a, call->order == NTT_NATURAL_TO_REVERSED);
}

cuzk_status ntt_in_memory(const ntt_call_t *call, fr_t *a, strand_t *strand, cuzk_error *err)
{
    if (call->domain->n_digits > 0) return transform_tiled(call, a, strand, err);
    transform_small(call, a);
    return CUZK_OK;
}

static void set_kind(ntt_call_t *call, const ntt_domain_t *domain, const ntt_kind_t *kind)
{
    const fr_t g = kind->coset != NULL ? *kind->coset : fr_one;

    VERIFY(!fr_is_zero(&g));
    *call = (ntt_call_t){.domain = domain,
                         .order = kind->order,
                         .inverse = kind->inverse,
                         .is_coset = !fr_is_one(&g),
                         .base = g,
                         .constant = fr_one,
                         .worker_bytes = ntt_worker_bytes(domain)};
    if (!kind->inverse) return;
    fr_inv(&call->base, &g);
    fr_from_u64(&call->constant, ntt_domain_size(domain));
    fr_inv(&call->constant, &call->constant);
}

static cuzk_status run(ntt_call_t *call, const ntt_vector_t *vector, void *scratch,
                       strand_t *strand, cuzk_error *err)
{
    uint8_t *at = scratch;

    call->factors = scratch;
    at += ntt_factors(call->domain) * sizeof(fr_t);
    call->workers = at;
    at += strand_size(strand) * call->worker_bytes;
    if (vector->elements != NULL) return ntt_in_memory(call, vector->elements, strand, err);
    return ntt_by_blocks(call, vector, (fr_t *)(void *)at, strand, err);
}

static cuzk_status run_with_scratch(ntt_call_t *call, const ntt_vector_t *vector, size_t bytes,
                                    strand_t *strand, cuzk_error *err)
{
    void *memory;
    cuzk_status st;

    if (bytes > SMALL_SCRATCH) {
        st = big_alloc(&memory, bytes, 1, "scratch of a transform", err);
        if (st != CUZK_OK) return st;
        st = run(call, vector, memory, strand, err);
        big_free(memory, bytes, 1);
        return st;
    }
    memory = mem_alloc(bytes + LINE, 1, "scratch of a transform", err);
    if (memory == NULL) return err->status;
    uint8_t *line = memory;
    st = run(call, vector, line + (LINE - (uintptr_t)memory % LINE) % LINE, strand, err);
    free(memory);
    return st;
}

cuzk_status ntt_transform(const ntt_domain_t *domain, const ntt_vector_t *vector,
                          const ntt_kind_t *kind, void *scratch, strand_t *strand, cuzk_error *err)
{
    const uint32_t n_threads = strand_size(strand);
    ntt_call_t call;

    const cuzk_status st = strand_status(strand, err);
    if (st != CUZK_OK) return st;
    set_kind(&call, domain, kind);
    if (scratch != NULL) return run(&call, vector, scratch, strand, err);
    const size_t bytes = vector->elements != NULL
                             ? ntt_scratch_bytes(domain, n_threads)
                             : ntt_block_scratch_bytes(domain, vector, n_threads);
    return run_with_scratch(&call, vector, bytes, strand, err);
}

cuzk_status ntt_forward(const ntt_domain_t *domain, fr_t *a, ntt_order order, strand_t *strand,
                        cuzk_error *err)
{
    return ntt_transform(domain, &(ntt_vector_t){.elements = a}, &(ntt_kind_t){.order = order},
                         NULL, strand, err);
}

cuzk_status ntt_inverse(const ntt_domain_t *domain, fr_t *a, ntt_order order, strand_t *strand,
                        cuzk_error *err)
{
    return ntt_transform(domain, &(ntt_vector_t){.elements = a},
                         &(ntt_kind_t){.inverse = true, .order = order}, NULL, strand, err);
}
