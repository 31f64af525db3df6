/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "ntt/ntt.h"

#include <stdlib.h>

#include "base/cpu.h"
#include "base/memory.h"
#include "base/verify.h"
#include "ntt/ntt_small.h"
#include "ntt/ntt_tile.h"

/* An index of lg_n bits is cut into digits, the highest first; each is transformed by tiles. */
enum {
    MIN_TILED_LG = 6, /* two digits of three bits: eight lanes for each */
    MAX_DIGITS = 3,
    SWAP_BLOCK = 8 /* elements on a side: whole cache lines, 4 KiB in all for both blocks */
};

typedef struct {
    unsigned lg_m;
    unsigned lg_below; /* of the digits after it: the distance of its points */
    unsigned lg_above; /* of the digits before it: its weight in the other order */
    /* m entries each: */
    uint16_t *natural;  /* i */
    uint16_t *reversed; /* i with its bits reversed */
    uint16_t *rotated;  /* where the frequency i goes so that swapping the first and the last digit
                           gives the natural order; the identity but for the first of two */
} digit_t;

struct ntt_domain {
    unsigned lg_n;
    unsigned n_digits; /* 0 when n is too small for tiles */
    digit_t digits[MAX_DIGITS];
    const ntt_kernels_t *kernels;
    size_t n_twiddles;
    void *twiddles[2]; /* forward, inverse */
};

static const ntt_kernels_t *const kernels_by_level[] = {
    [CPU_PORTABLE] = &ntt_kernels_portable,
#if defined(__x86_64__)
    [CPU_AVX512_IFMA] = &ntt_kernels_ifma,
#endif
};

/* Lengths of the digits for a size; none below MIN_TILED_LG. */
static unsigned cut_into_digits(unsigned lgs[MAX_DIGITS], unsigned lg_n)
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

static void fill_index_tables(ntt_domain_t *d)
{
    const unsigned lg_last = d->digits[d->n_digits - 1].lg_m;

    for (unsigned i = 0; i < d->n_digits; i++) {
        digit_t *digit = &d->digits[i];
        const bool is_rotated = i == 0 && d->n_digits == 2 && digit->lg_m > lg_last;
        const unsigned lg_rotated = is_rotated ? digit->lg_m - lg_last : 0;
        const size_t m = (size_t)1 << digit->lg_m;

        digit->natural = small_alloc(3 * m, sizeof *digit->natural);
        digit->reversed = digit->natural + m;
        digit->rotated = digit->reversed + m;
        for (size_t k = 0; k < m; k++) {
            digit->natural[k] = (uint16_t)k;
            digit->reversed[k] = (uint16_t)ntt_reverse_bits(k, digit->lg_m);
            digit->rotated[k] =
                (uint16_t)((k << lg_rotated | k >> (digit->lg_m - lg_rotated)) & (m - 1));
        }
    }
}

static void get_root(fr_t *root, unsigned lg_order, bool inverse)
{
    fr_root_of_unity(root, lg_order);
    if (inverse) fr_inv(root, root);
}

/* The roots that blocks 0 .. n-1 use, of the largest tile. */
static void fill_twiddles(const ntt_domain_t *d, bool inverse)
{
    const size_t n = d->n_twiddles;
    fr_t *roots = small_alloc(n, sizeof *roots);

    /* block b of a level adds its highest bit's root to that of the rest of b */
    roots[0] = fr_one;
    for (unsigned lg = 0; (size_t)1 << lg < n; lg++) {
        const size_t half = (size_t)1 << lg;
        fr_t root;

        get_root(&root, lg + 2, inverse);
        for (size_t b = 0; b < half; b++) fr_mul(&roots[half + b], &roots[b], &root);
    }
    d->kernels->make_twiddles(d->twiddles[inverse], roots, n);
    free(roots);
}

static cuzk_status open_tables(ntt_domain_t *d, cuzk_error *err)
{
    unsigned lg_m = 0;

    fill_index_tables(d);
    for (unsigned i = 0; i < d->n_digits; i++)
        if (d->digits[i].lg_m > lg_m) lg_m = d->digits[i].lg_m;
    d->n_twiddles = (size_t)1 << (lg_m - 1);
    for (int inverse = 0; inverse < 2; inverse++) {
        const cuzk_status st = big_alloc(&d->twiddles[inverse], d->n_twiddles,
                                         d->kernels->twiddle_bytes, "roots of unity", err);
        if (st != CUZK_OK) return st;
        fill_twiddles(d, inverse);
    }
    return CUZK_OK;
}

cuzk_status ntt_domain_open_digits(ntt_domain_t **domain, const unsigned lgs[], unsigned n_digits,
                                   cuzk_error *err)
{
    ntt_domain_t *d = small_alloc(1, sizeof *d);

    VERIFY(n_digits == 2 || n_digits == 3);
    d->kernels = kernels_by_level[cpu_level_used()];
    place_digits(d, lgs, n_digits);
    const cuzk_status st = open_tables(d, err);
    if (st != CUZK_OK) {
        ntt_domain_close(d);
        d = NULL;
    }
    *domain = d;
    return st;
}

cuzk_status ntt_domain_open(ntt_domain_t **domain, unsigned lg_n, strand_t *strand, cuzk_error *err)
{
    unsigned lgs[MAX_DIGITS];

    (void)strand; /* the tables are small */
    *domain = NULL;
    if (lg_n > NTT_MAX_LG)
        return error_set(err, CUZK_ERR_ARG, "lg_n: %u is over the limit of %d", lg_n, NTT_MAX_LG);
    const unsigned n_digits = cut_into_digits(lgs, lg_n);
    if (n_digits > 0) return ntt_domain_open_digits(domain, lgs, n_digits, err);
    *domain = small_alloc(1, sizeof **domain);
    (*domain)->lg_n = lg_n;
    return CUZK_OK;
}

void ntt_domain_close(ntt_domain_t *domain)
{
    if (domain == NULL) return;
    for (unsigned i = 0; i < domain->n_digits; i++) free(domain->digits[i].natural);
    for (int inverse = 0; inverse < 2 && domain->n_digits > 0; inverse++)
        big_free(domain->twiddles[inverse], domain->n_twiddles, domain->kernels->twiddle_bytes);
    free(domain);
}

size_t ntt_domain_size(const ntt_domain_t *domain)
{
    return (size_t)1 << domain->lg_n;
}

/* One call: the transform with a[j] *= base^j before (forward) or a[j] *= constant base^j after
 * (inverse), where j is the natural index. */
typedef struct {
    const ntt_domain_t *domain;
    fr_t *a;
    ntt_order order;
    bool inverse;
    bool is_coset; /* base is not 1 */
    fr_t base;
    fr_t constant;
} call_t;

/* The transform of one digit by tiles. */
typedef struct {
    const call_t *call;
    const digit_t *digit;
    ntt_tile_t tile;   /* but for a and twist */
    bool has_twist;    /* not in the last digit */
    fr_t root;         /* of the twist: step[k] = root^column step_factor */
    fr_t step_factor;  /* 1, or moves the scaling into the steps */
    fr_t first_factor; /* first[k] = first_factor first_base^column */
    fr_t first_base;
} pass_t;

static void make_twist(fr_t twist[2][NTT_LANES], const pass_t *pass, size_t column)
{
    fr_pow_u64(&twist[1][0], &pass->root, column);
    fr_mul(&twist[1][0], &twist[1][0], &pass->step_factor);
    twist[0][0] = pass->first_factor;
    if (!fr_is_one(&pass->first_base)) {
        fr_pow_u64(&twist[0][0], &pass->first_base, column);
        fr_mul(&twist[0][0], &twist[0][0], &pass->first_factor);
    }
    for (int k = 1; k < NTT_LANES; k++) {
        fr_mul(&twist[1][k], &twist[1][k - 1], &pass->root);
        fr_mul(&twist[0][k], &twist[0][k - 1], &pass->first_base);
    }
    pass->call->domain->kernels->prepare_factors(twist[0],
                                                 sizeof(fr_t[2][NTT_LANES]) / sizeof(fr_t));
}

static void run_tiles(void *arg, size_t first, size_t end, uint32_t worker)
{
    const pass_t *pass = arg;
    const digit_t *digit = pass->digit;
    const call_t *call = pass->call;
    const bool to_natural = call->order == NTT_REVERSED_TO_NATURAL;
    const ntt_kernels_t *kernels = call->domain->kernels;
    const size_t line = 64;
    ntt_tile_t tile = pass->tile;
    fr_t twist[2][NTT_LANES];
    uint8_t *memory = small_alloc((kernels->slot_bytes << digit->lg_m) + line, 1);
    void *scratch = memory + (line - (uintptr_t)memory % line) % line;

    (void)worker;
    for (size_t i = first; i < end; i++) {
        /* columns: i = (block, eight neighbours); rows: i = eight blocks of 2^lg_m */
        const size_t start = i * NTT_LANES;
        const size_t column = start & (((size_t)1 << digit->lg_below) - 1);

        if (pass->has_twist) {
            tile.a = call->a + ((start - column) << digit->lg_m) + column;
            make_twist(twist, pass, column);
            *(to_natural ? &tile.load.twist : &tile.store.twist) = twist[0];
        } else {
            tile.a = call->a + (start << digit->lg_m);
        }
        kernels->run(&tile, scratch);
    }
    free(memory);
}

/* base^(2^lg_weight natural[i]) for the steps of one side; free() it. */
static fr_t *new_factors(const call_t *call, const digit_t *digit, unsigned lg_weight,
                         const uint16_t *natural)
{
    const size_t m = (size_t)1 << digit->lg_m;
    fr_t *factors = small_alloc(m, sizeof *factors);
    fr_t step, power = fr_one;

    fr_pow_u64(&step, &call->base, (uint64_t)1 << lg_weight);
    fr_t *ordered = small_alloc(m, sizeof *ordered);
    for (size_t k = 0; k < m; k++) {
        ordered[k] = power;
        fr_mul(&power, &power, &step);
    }
    for (size_t i = 0; i < m; i++) factors[i] = ordered[natural[i]];
    free(ordered);
    call->domain->kernels->prepare_factors(factors, m);
    return factors;
}

/* Sides of a digit that has others below it: steps go by the natural index. */
static void set_column_sides(pass_t *pass)
{
    const digit_t *digit = pass->digit;
    const ntt_order order = pass->call->order;

    pass->tile.point_stride = (size_t)1 << digit->lg_below;
    pass->tile.lane_stride = 1;
    pass->tile.load.slot = digit->natural;
    pass->tile.load.at = order == NTT_REVERSED_TO_NATURAL ? digit->reversed : digit->natural;
    pass->tile.store.slot = digit->reversed;
    pass->tile.store_reversed = true;
    pass->tile.store.at = order == NTT_REVERSED_TO_NATURAL   ? digit->natural
                          : order == NTT_NATURAL_TO_REVERSED ? digit->reversed
                                                             : digit->rotated;
}

/* Sides of the last digit: steps go by the address. */
static void set_row_sides(pass_t *pass)
{
    const digit_t *digit = pass->digit;
    const ntt_order order = pass->call->order;

    pass->tile.point_stride = 1;
    pass->tile.lane_stride = (size_t)1 << digit->lg_m;
    pass->tile.load.slot = order == NTT_REVERSED_TO_NATURAL ? digit->reversed : digit->natural;
    pass->tile.load.at = digit->natural;
    pass->tile.store_reversed = order != NTT_NATURAL_TO_REVERSED;
    pass->tile.store.slot = pass->tile.store_reversed ? digit->reversed : digit->natural;
    pass->tile.store.at = digit->natural;
}

/* Where the scaling by base^j goes; returns what to free after the pass.
 *
 * By address: j is the address (before a transform from the natural order, or after one to it that
 * began with the last digit). Its first digit multiplies the points of that digit, the rest of j
 * its columns, which is the start of their twist.
 *
 * Else j has the digits of the address the other way round. Each but the last goes, by its weight,
 * into the steps of its twist, which run over that very digit; the last multiplies its points. */
static fr_t *set_scaling(pass_t *pass)
{
    const call_t *call = pass->call;
    const digit_t *digit = pass->digit;
    const bool is_first = digit->lg_above == 0;
    const bool by_address = (call->order == NTT_REVERSED_TO_NATURAL) == call->inverse;
    ntt_side_t *side = call->inverse ? &pass->tile.store : &pass->tile.load;
    fr_t *factors = NULL;

    pass->step_factor = pass->first_base = pass->first_factor = fr_one;
    if (is_first) pass->first_factor = call->constant;
    if (!call->is_coset) return NULL;
    if (by_address && is_first) {
        factors = new_factors(call, digit, digit->lg_below, digit->natural);
        pass->first_base = call->base;
    } else if (!by_address && pass->has_twist) {
        fr_pow_u64(&pass->step_factor, &call->base, (uint64_t)1 << digit->lg_above);
    } else if (!by_address) {
        factors =
            new_factors(call, digit, digit->lg_above,
                        call->order == NTT_NATURAL_TO_NATURAL ? digit->natural : digit->reversed);
    }
    side->factors = factors;
    return factors;
}

static cuzk_status transform_digit(const call_t *call, unsigned i, strand_t *strand,
                                   cuzk_error *err)
{
    const ntt_domain_t *d = call->domain;
    const digit_t *digit = &d->digits[i];
    pass_t pass = {.call = call, .digit = digit, .has_twist = digit->lg_below > 0};
    const size_t n_tiles = (ntt_domain_size(d) >> digit->lg_m) / NTT_LANES;

    pass.tile.lg_m = digit->lg_m;
    pass.tile.twiddles = d->twiddles[call->inverse];
    get_root(&pass.root, digit->lg_m + digit->lg_below, call->inverse);
    if (pass.has_twist)
        set_column_sides(&pass);
    else
        set_row_sides(&pass);
    fr_t *factors = set_scaling(&pass);
    const cuzk_status st = strand_for(strand, n_tiles, (strand_cut_t){1, 4}, run_tiles, &pass, err);
    free(factors);
    return st;
}

/* matrix[x ..][z ..] and matrix[z ..][x ..], square blocks whose rows are `row` elements apart. */
static void swap_block(fr_t *matrix, size_t row, size_t x, size_t z)
{
    for (size_t r = x; r < x + SWAP_BLOCK; r++) {
        for (size_t c = z > r ? z : r + 1; c < z + SWAP_BLOCK; c++) {
            const fr_t t = matrix[r * row + c];

            matrix[r * row + c] = matrix[c * row + r];
            matrix[c * row + r] = t;
        }
    }
}

/* Swaps the first and the last digit of all indices: index (x, y, z) is row x and column z of
 * matrix y. Range i: the blocks of a matrix on and to the right of the diagonal in one row. */
static void swap_rows(void *arg, size_t first, size_t end, uint32_t worker)
{
    const call_t *call = arg;
    const unsigned lg_a = call->domain->digits[call->domain->n_digits - 1].lg_m;
    const size_t a = (size_t)1 << lg_a, n_blocks = a / SWAP_BLOCK;
    const size_t row = (size_t)1 << (call->domain->lg_n - lg_a);

    (void)worker;
    for (size_t i = first; i < end; i++) {
        const size_t x = i % n_blocks * SWAP_BLOCK;

        for (size_t z = x; z < a; z += SWAP_BLOCK)
            swap_block(call->a + (i / n_blocks << lg_a), row, x, z);
    }
}

static cuzk_status swap_digits(call_t *call, strand_t *strand, cuzk_error *err)
{
    const unsigned lg_a = call->domain->digits[call->domain->n_digits - 1].lg_m;
    const size_t n_blocks = ((size_t)1 << lg_a) / SWAP_BLOCK;

    return strand_for(strand, (ntt_domain_size(call->domain) >> 2 * lg_a) * n_blocks,
                      (strand_cut_t){1, 16}, swap_rows, call, err);
}

static cuzk_status transform_tiled(call_t *call, strand_t *strand, cuzk_error *err)
{
    const ntt_domain_t *d = call->domain;
    cuzk_status st = CUZK_OK;

    for (unsigned i = 0; i < d->n_digits && st == CUZK_OK; i++)
        st = transform_digit(call, call->order == NTT_REVERSED_TO_NATURAL ? d->n_digits - 1 - i : i,
                             strand, err);
    if (st == CUZK_OK && call->order == NTT_NATURAL_TO_NATURAL) st = swap_digits(call, strand, err);
    return st;
}

static void scale_small(const call_t *call, bool is_reversed)
{
    const unsigned lg_n = call->domain->lg_n;
    fr_t factor = call->constant;

    for (size_t j = 0; j < (size_t)1 << lg_n; j++) {
        fr_t *x = &call->a[is_reversed ? ntt_reverse_bits(j, lg_n) : j];

        fr_mul(x, x, &factor);
        fr_mul(&factor, &factor, &call->base);
    }
}

static void transform_small(const call_t *call)
{
    fr_t root;

    get_root(&root, call->domain->lg_n, call->inverse);
    if (!call->inverse) scale_small(call, call->order == NTT_REVERSED_TO_NATURAL);
    ntt_small(call->a, call->domain->lg_n, &root, call->order);
    if (call->inverse) scale_small(call, call->order == NTT_NATURAL_TO_REVERSED);
}

static cuzk_status transform(call_t *call, strand_t *strand, cuzk_error *err)
{
    call->is_coset = !fr_is_one(&call->base);
    if (call->domain->n_digits > 0) return transform_tiled(call, strand, err);
    transform_small(call);
    return CUZK_OK;
}

cuzk_status ntt_forward(const ntt_domain_t *domain, fr_t *a, ntt_order order, strand_t *strand,
                        cuzk_error *err)
{
    return ntt_forward_coset(domain, a, &fr_one, order, strand, err);
}

cuzk_status ntt_inverse(const ntt_domain_t *domain, fr_t *a, ntt_order order, strand_t *strand,
                        cuzk_error *err)
{
    return ntt_inverse_coset(domain, a, &fr_one, order, strand, err);
}

cuzk_status ntt_forward_coset(const ntt_domain_t *domain, fr_t *a, const fr_t *g, ntt_order order,
                              strand_t *strand, cuzk_error *err)
{
    call_t call = {.domain = domain, .a = a, .order = order, .base = *g, .constant = fr_one};

    VERIFY(!fr_is_zero(g));
    return transform(&call, strand, err);
}

cuzk_status ntt_inverse_coset(const ntt_domain_t *domain, fr_t *a, const fr_t *g, ntt_order order,
                              strand_t *strand, cuzk_error *err)
{
    call_t call = {.domain = domain, .a = a, .order = order, .inverse = true};

    VERIFY(!fr_is_zero(g));
    fr_inv(&call.base, g);
    fr_from_u64(&call.constant, ntt_domain_size(domain));
    fr_inv(&call.constant, &call.constant);
    return transform(&call, strand, err);
}
