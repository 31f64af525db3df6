/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "ntt/ntt_pass.h"

/* The transform of one digit by tiles. */
typedef struct {
    const ntt_call_t *call;
    const ntt_digit_t *digit;
    const ntt_part_t *part;
    size_t first_tile;
    ntt_tile_t tile;   /* but for a and twist */
    bool has_twist;    /* not in the last digit */
    fr_t root;         /* of the twist: step[k] = root^column step_factor */
    fr_t step_factor;  /* 1, or moves the scaling into the steps */
    fr_t first_factor; /* first[k] = first_factor first_base^column */
    fr_t first_base;
} ntt_digit_pass_t;

static void make_twist(fr_t twist[2][NTT_LANES], const ntt_digit_pass_t *pass, size_t column)
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
    const ntt_digit_pass_t *pass = arg;
    const ntt_digit_t *digit = pass->digit;
    const ntt_call_t *call = pass->call;
    const bool to_natural = call->order == NTT_REVERSED_TO_NATURAL;
    ntt_tile_t tile = pass->tile;
    fr_t twist[2][NTT_LANES];

    for (size_t i = pass->first_tile + first; i < pass->first_tile + end; i++) {
        /* columns: i = (block, eight neighbours); rows: i = eight blocks of 2^lg_m */
        const size_t start = i * NTT_LANES;
        const size_t column = start & (((size_t)1 << digit->lg_below) - 1);
        const size_t at = ((start - column) << digit->lg_m) + column;

        tile.a = pass->part->elements + (at - pass->part->first);
        if (pass->has_twist) {
            make_twist(twist, pass, column);
            *(to_natural ? &tile.load.twist : &tile.store.twist) = twist[0];
        }
        call->domain->kernels->run(&tile, call->workers + worker * call->worker_bytes);
    }
}

/* The call's factors = base^(2^lg_weight natural[i]) for the steps i of one side; natural[] is its
 * own inverse. */
static fr_t *make_factors(const ntt_call_t *call, const ntt_digit_t *digit, unsigned lg_weight,
                          const uint16_t *natural)
{
    const size_t m = (size_t)1 << digit->lg_m;
    fr_t step, power = fr_one;

    fr_pow_u64(&step, &call->base, (uint64_t)1 << lg_weight);
    for (size_t k = 0; k < m; k++) {
        call->factors[natural[k]] = power;
        fr_mul(&power, &power, &step);
    }
    call->domain->kernels->prepare_factors(call->factors, m);
    return call->factors;
}

/* Sides of a digit that has others below it: steps go by the natural index. */
static void set_column_sides(ntt_digit_pass_t *pass)
{
    const ntt_digit_t *digit = pass->digit;
    const ntt_order order = pass->call->order;

    pass->tile.point_stride = digit->lg_above == 0 ? pass->part->row : (size_t)1 << digit->lg_below;
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
static void set_row_sides(ntt_digit_pass_t *pass)
{
    const ntt_digit_t *digit = pass->digit;
    const ntt_order order = pass->call->order;

    pass->tile.point_stride = 1;
    pass->tile.lane_stride = (size_t)1 << digit->lg_m;
    pass->tile.load.slot = order == NTT_REVERSED_TO_NATURAL ? digit->reversed : digit->natural;
    pass->tile.load.at = digit->natural;
    pass->tile.store_reversed = order != NTT_NATURAL_TO_REVERSED;
    pass->tile.store.slot = pass->tile.store_reversed ? digit->reversed : digit->natural;
    pass->tile.store.at = digit->natural;
}

/* Where the scaling by base^j goes.
 *
 * By address: j is the address (before a transform from the natural order, or after one to it that
 * began with the last digit). Its first digit multiplies the points of that digit, the rest of j
 * its columns, which is the start of their twist.
 *
 * Else j has the digits of the address the other way round. Each but the last goes, by its weight,
 * into the steps of its twist, which run over that very digit; the last multiplies its points. */
static void set_scaling(ntt_digit_pass_t *pass)
{
    const ntt_call_t *call = pass->call;
    const ntt_digit_t *digit = pass->digit;
    const bool is_first = digit->lg_above == 0;
    const bool by_address = (call->order == NTT_REVERSED_TO_NATURAL) == call->inverse;
    ntt_side_t *side = call->inverse ? &pass->tile.store : &pass->tile.load;

    pass->step_factor = pass->first_base = pass->first_factor = fr_one;
    if (is_first) pass->first_factor = call->constant;
    if (!call->is_coset) return;
    if (by_address && is_first) {
        side->factors = make_factors(call, digit, digit->lg_below, digit->natural);
        pass->first_base = call->base;
    } else if (!by_address && pass->has_twist) {
        fr_pow_u64(&pass->step_factor, &call->base, (uint64_t)1 << digit->lg_above);
    } else if (!by_address) {
        side->factors =
            make_factors(call, digit, digit->lg_above,
                         call->order == NTT_NATURAL_TO_NATURAL ? digit->natural : digit->reversed);
    }
}

static size_t tiles_a_task(const ntt_domain_t *domain, const ntt_digit_t *digit)
{
    const size_t n = domain->kernels->points_a_task >> digit->lg_m;

    return n < NTT_LANES ? 1 : n / NTT_LANES;
}

cuzk_status ntt_pass(const ntt_call_t *call, unsigned i, const ntt_part_t *part, strand_t *strand,
                     cuzk_error *err)
{
    const ntt_domain_t *d = call->domain;
    const ntt_digit_t *digit = &d->digits[i];
    ntt_digit_pass_t pass = {
        .call = call, .digit = digit, .part = part, .has_twist = digit->lg_below > 0};
    const size_t n_tiles = (part->n_points >> digit->lg_m) / NTT_LANES;

    /* a part of the first digit begins at a column, of others at a block of whole digits */
    pass.first_tile = (i == 0 ? part->first : part->first >> digit->lg_m) / NTT_LANES;
    pass.tile.lg_m = digit->lg_m;
    pass.tile.twiddles = d->twiddles[call->inverse];
    ntt_root(&pass.root, digit->lg_m + digit->lg_below, call->inverse);
    if (pass.has_twist)
        set_column_sides(&pass);
    else
        set_row_sides(&pass);
    set_scaling(&pass);
    return strand_for(strand, n_tiles, (strand_cut_t){1, tiles_a_task(d, digit)}, run_tiles, &pass,
                      err);
}

/* matrix[x ..][z ..] and matrix[z ..][x ..], square blocks whose rows are `row` elements apart. */
static void swap_block(fr_t *matrix, size_t row, size_t x, size_t z)
{
    for (size_t r = x; r < x + NTT_SWAP_BLOCK; r++) {
        for (size_t c = z > r ? z : r + 1; c < z + NTT_SWAP_BLOCK; c++) {
            const fr_t t = matrix[r * row + c];

            matrix[r * row + c] = matrix[c * row + r];
            matrix[c * row + r] = t;
        }
    }
}

typedef struct {
    const ntt_part_t *part;
    unsigned lg_a; /* of the digits that are swapped */
} ntt_swap_t;

/* Index (x, y, z) is row x and column z of matrix y. Range i: the blocks of a matrix on and to the
 * right of the diagonal in one row. */
static void swap_rows(void *arg, size_t first, size_t end, uint32_t worker)
{
    const ntt_swap_t *swap = arg;
    const size_t a = (size_t)1 << swap->lg_a, n_blocks = a / NTT_SWAP_BLOCK;

    (void)worker;
    for (size_t i = first; i < end; i++) {
        const size_t x = i % n_blocks * NTT_SWAP_BLOCK;

        for (size_t z = x; z < a; z += NTT_SWAP_BLOCK)
            swap_block(swap->part->elements + (i / n_blocks << swap->lg_a), swap->part->row, x, z);
    }
}

cuzk_status ntt_swap_digits(const ntt_call_t *call, const ntt_part_t *part, strand_t *strand,
                            cuzk_error *err)
{
    ntt_swap_t swap = {part, call->domain->digits[call->domain->n_digits - 1].lg_m};
    const size_t n_blocks = ((size_t)1 << swap.lg_a) / NTT_SWAP_BLOCK;

    return strand_for(strand, (part->row >> swap.lg_a) * n_blocks, (strand_cut_t){1, 16}, swap_rows,
                      &swap, err);
}
