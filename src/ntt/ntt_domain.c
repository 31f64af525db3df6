/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* The tables of a size, and how many bytes it takes. */

#include <stdlib.h>

#include "base/cpu.h"
#include "base/memory.h"
#include "base/verify.h"
#include "ntt/ntt_pass.h"
#include "ntt/ntt_small.h"

enum { MIN_TILED_LG = 6 /* two digits of three bits: eight lanes for each */ };

static const ntt_kernels_t *const kernels_by_level[] = {
    [CPU_PORTABLE] = &ntt_kernels_portable,
#if defined(__x86_64__)
    [CPU_AVX512_IFMA] = &ntt_kernels_ifma,
#endif
};

void ntt_root(fr_t *root, unsigned lg_order, bool inverse)
{
    fr_root_of_unity(root, lg_order);
    if (inverse) fr_inv(root, root);
}

/* Lengths of the digits for a size; none below MIN_TILED_LG. */
static unsigned cut_into_digits(unsigned lgs[NTT_MAX_DIGITS], unsigned lg_n)
{
    if (lg_n < MIN_TILED_LG) return 0;
    if (lg_n <= 2 * NTT_TILE_MAX_LG) {
        lgs[1] = lg_n / 2;
        lgs[0] = lg_n - lgs[1];
        return 2;
    }
    lgs[0] = lgs[2] = (lg_n + 1) / 3;
    lgs[1] = lg_n - 2 * lgs[0];
    return 3;
}

static void place_digits(ntt_domain_t *d, const unsigned lgs[], unsigned n_digits)
{
    d->n_digits = n_digits;
    for (unsigned i = 0; i < n_digits; i++) {
        d->digits[i].lg_m = lgs[i];
        d->digits[i].lg_above = d->lg_n;
        d->lg_n += lgs[i];
    }
    for (unsigned i = 0; i < n_digits; i++)
        d->digits[i].lg_below = d->lg_n - d->digits[i].lg_above - lgs[i];
}

static cuzk_status fill_index_tables(ntt_domain_t *d, cuzk_error *err)
{
    const unsigned lg_last = d->digits[d->n_digits - 1].lg_m;

    for (unsigned i = 0; i < d->n_digits; i++) {
        ntt_digit_t *digit = &d->digits[i];
        const bool is_rotated = i == 0 && d->n_digits == 2 && digit->lg_m > lg_last;
        const unsigned lg_rotated = is_rotated ? digit->lg_m - lg_last : 0;
        const size_t m = (size_t)1 << digit->lg_m;

        digit->natural = mem_alloc(3 * m, sizeof *digit->natural, "tables of a transform", err);
        if (digit->natural == NULL) return err->status;
        digit->reversed = digit->natural + m;
        digit->rotated = digit->reversed + m;
        for (size_t k = 0; k < m; k++) {
            digit->natural[k] = (uint16_t)k;
            digit->reversed[k] = (uint16_t)ntt_reverse_bits(k, digit->lg_m);
            digit->rotated[k] =
                (uint16_t)((k << lg_rotated | k >> (digit->lg_m - lg_rotated)) & (m - 1));
        }
    }
    return CUZK_OK;
}

/* The roots that blocks 0 .. n-1 use, of the largest tile; roots: scratch for n. */
static void fill_twiddles(const ntt_domain_t *d, bool inverse, fr_t *roots)
{
    const size_t n = d->n_twiddles;

    /* block b of a level adds its highest bit's root to that of the rest of b */
    roots[0] = fr_one;
    for (unsigned lg = 0; (size_t)1 << lg < n; lg++) {
        const size_t half = (size_t)1 << lg;
        fr_t root;

        ntt_root(&root, lg + 2, inverse);
        for (size_t b = 0; b < half; b++) fr_mul(&roots[half + b], &roots[b], &root);
    }
    d->kernels->make_twiddles(d->twiddles[inverse], roots, n);
}

static unsigned longest_digit(const ntt_domain_t *d)
{
    unsigned lg_m = 0;

    for (unsigned i = 0; i < d->n_digits; i++)
        if (d->digits[i].lg_m > lg_m) lg_m = d->digits[i].lg_m;
    return lg_m;
}

static cuzk_status fill_tables(ntt_domain_t *d, cuzk_error *err)
{
    cuzk_status st = fill_index_tables(d, err);

    if (st != CUZK_OK) return st;
    d->n_twiddles = (size_t)1 << (longest_digit(d) - 1);
    fr_t *roots = mem_alloc(d->n_twiddles, sizeof *roots, "roots of unity", err);
    if (roots == NULL) return err->status;
    for (int inverse = 0; inverse < 2 && st == CUZK_OK; inverse++) {
        st = big_alloc(&d->twiddles[inverse], d->n_twiddles, d->kernels->twiddle_bytes,
                       "roots of unity", err);
        if (st == CUZK_OK) fill_twiddles(d, inverse, roots);
    }
    free(roots);
    return st;
}

static cuzk_status open_digits(ntt_domain_t **domain, const unsigned lgs[], unsigned n_digits,
                               unsigned lg_n, cuzk_error *err)
{
    ntt_domain_t *d = mem_alloc(1, sizeof *d, "tables of a transform", err);

    *domain = NULL;
    if (d == NULL) return err->status;
    d->kernels = kernels_by_level[cpu_level_used()];
    place_digits(d, lgs, n_digits);
    VERIFY(n_digits == 0 || d->lg_n == lg_n);
    d->lg_n = lg_n;
    const cuzk_status st = n_digits == 0 ? CUZK_OK : fill_tables(d, err);
    if (st != CUZK_OK)
        ntt_domain_close(d);
    else
        *domain = d;
    return st;
}

cuzk_status ntt_domain_open_digits(ntt_domain_t **domain, const unsigned lgs[], unsigned n_digits,
                                   cuzk_error *err)
{
    unsigned lg_n = 0;

    VERIFY(n_digits == 2 || n_digits == 3);
    for (unsigned i = 0; i < n_digits; i++) lg_n += lgs[i];
    return open_digits(domain, lgs, n_digits, lg_n, err);
}

cuzk_status ntt_domain_open(ntt_domain_t **domain, unsigned lg_n, cuzk_error *err)
{
    unsigned lgs[NTT_MAX_DIGITS];

    *domain = NULL;
    if (lg_n > NTT_MAX_LG)
        return error_set(err, CUZK_ERR_ARG, "lg_n: %u is over the limit of %d", lg_n, NTT_MAX_LG);
    const unsigned n_digits = cut_into_digits(lgs, lg_n);
    return open_digits(domain, lgs, n_digits, lg_n, err);
}

void ntt_domain_close(ntt_domain_t *domain)
{
    if (domain == NULL) return;
    for (unsigned i = 0; i < domain->n_digits; i++) free(domain->digits[i].natural);
    for (int inverse = 0; inverse < 2 && domain->n_digits > 0; inverse++)
        big_free(domain->twiddles[inverse], domain->n_twiddles, domain->kernels->twiddle_bytes);
    free(domain);
}

/* --- sizes ------------------------------------------------------------------------------------ */

size_t ntt_domain_size(const ntt_domain_t *domain)
{
    return (size_t)1 << domain->lg_n;
}

size_t ntt_worker_bytes(const ntt_domain_t *domain)
{
    return domain->n_digits == 0 ? 0 : domain->kernels->slot_bytes << longest_digit(domain);
}

size_t ntt_factors(const ntt_domain_t *domain)
{
    return domain->n_digits == 0 ? 0 : (size_t)1 << longest_digit(domain);
}

size_t ntt_scratch_bytes(const ntt_domain_t *domain, uint32_t n_threads)
{
    return ntt_factors(domain) * sizeof(fr_t) + n_threads * ntt_worker_bytes(domain);
}

size_t ntt_block_scratch_bytes(const ntt_domain_t *domain, const ntt_vector_t *vector,
                               uint32_t n_threads)
{
    return ntt_scratch_bytes(domain, n_threads) + ntt_panel(domain, vector) * sizeof(fr_t);
}

/* A domain without its tables, to ask about sizes. */
static void set_shape(ntt_domain_t *d, unsigned lg_n)
{
    unsigned lgs[NTT_MAX_DIGITS];

    *d = (ntt_domain_t){.kernels = kernels_by_level[cpu_level_used()]};
    place_digits(d, lgs, cut_into_digits(lgs, lg_n));
    d->lg_n = lg_n;
}

size_t ntt_table_bytes(unsigned lg_n)
{
    size_t bytes = sizeof(ntt_domain_t);
    ntt_domain_t d;

    set_shape(&d, lg_n);
    if (d.n_digits == 0) return bytes;
    for (unsigned i = 0; i < d.n_digits; i++)
        bytes += (3 * sizeof *d.digits[i].natural) << d.digits[i].lg_m;
    return bytes + (d.kernels->twiddle_bytes << longest_digit(&d)); /* both directions */
}

size_t ntt_bytes(unsigned lg_n, uint32_t n_threads)
{
    ntt_domain_t d;

    set_shape(&d, lg_n);
    return ntt_table_bytes(lg_n) + ntt_scratch_bytes(&d, n_threads);
}

size_t ntt_file_bytes(unsigned lg_n, uint32_t n_threads)
{
    ntt_domain_t d;

    set_shape(&d, lg_n);
    return ntt_table_bytes(lg_n) + ntt_block_scratch_bytes(&d, &(ntt_vector_t){0}, n_threads);
}
