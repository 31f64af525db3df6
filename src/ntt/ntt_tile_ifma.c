/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "ntt/ntt_tile.h"

#include "base/verify.h"
#include "field/fr_8x52.h"
#include "field/fr_batch.h"

/* Products by a root z that is the same for all lanes. With w[i] = z 2^(52 (i + 1)) mod r,
 *
 *     z x 2^52 = sum(x[i] w[i])  mod r        for x = sum(x[i] 2^(52 i)), i = 0 .. 4
 *
 * is six limbs long, and one fold brings it to five: 61 vpmadd52, where a product by Montgomery's
 * method takes 102 here. k[], added to the columns, takes away 2^259 z (a signed x is made positive
 * by adding 2^259 to its highest limb) and moves the middle of the range of results to 0.
 *
 * Bounds. A slot holds raw limbs of a signed value, |x| <= B r. A product needs |x| < 2^259, that
 * is B <= 17.6; its range is ((2^52 - 1) sum(w) + 2^52 r) / 2^52 < 6 r wide, so that it gives at
 * most 3 r. So a butterfly adds 3 to B, or doubles it where it has no product. From B = 2 in memory
 * the levels give 8 after two, 17 after five. Then, at REDUCE_LEVEL (SMALL_REDUCE_LEVEL in tiles
 * that end by level 6), B falls to 0.9 and ends below 16, which is what store relies on. Limbs grow
 * by 2^56 a level, to 2^60. */
enum {
    MAX_SMALL_LG = 6,
    SMALL_REDUCE_LEVEL = 4,
    REDUCE_LEVEL = 6,
    PREFETCH_STEPS = 12, /* columns 2^k apart share a set of L1, which has 12 ways */
    BLOCK_LG = 7 /* slots of 320 bytes: blocks of 40 KiB are finished while they are in L1 */
};

_Static_assert(NTT_TILE_MAX_LG <= 11, "the bounds above hold for eleven levels");

typedef struct {
    uint64_t w[5][5];
    uint64_t k[6]; /* two's complement */
    uint64_t unused;
} twiddle_t;

_Static_assert(sizeof(twiddle_t) == 4 * 64, "four cache lines");

typedef fr8_t slot_t;

/* limbs of the canonical integer s */
static void split_scalar(uint64_t limbs[5], const scalar_t *s)
{
    const uint64_t mask = ((uint64_t)1 << 52) - 1;

    limbs[0] = s->l[0] & mask;
    limbs[1] = (s->l[0] >> 52 | s->l[1] << 12) & mask;
    limbs[2] = (s->l[1] >> 40 | s->l[2] << 24) & mask;
    limbs[3] = (s->l[2] >> 28 | s->l[3] << 36) & mask;
    limbs[4] = s->l[3] >> 16;
}

/* k = u - r m, where u = -2^311 z mod r and m puts the middle of the results at 0. */
static void set_offset(twiddle_t *t, const scalar_t *u)
{
    const uint64_t mask = ((uint64_t)1 << 52) - 1;
    uint64_t limbs[5], modulus[5];
    unsigned __int128 sum = 0;

    split_scalar(limbs, u);
    split_scalar(modulus, &fr_modulus);
    double width = (double)modulus[4];
    for (int i = 0; i < 5; i++) width += (double)t->w[i][4];
    const uint64_t m = (uint64_t)(width / (double)modulus[4] * 0x1p51);
    for (int c = 0; c < 5; c++) { /* r m - u, limb by limb; every limb's sum is positive */
        sum += (unsigned __int128)modulus[c] * m + ((unsigned __int128)1 << 52) - limbs[c];
        t->k[c] = -(uint64_t)(sum & mask);
        sum = (sum >> 52) - 1;
    }
    t->k[5] = -(uint64_t)sum;
}

enum { TWIDDLE_BLOCK = 64 };

/* table[0 .. n-1] for n roots, TWIDDLE_BLOCK at most. */
static void make_twiddle_block(twiddle_t *t, const fr_t *roots, size_t n, const fr_t *limb,
                               const fr_t *offset)
{
    fr_t powers[TWIDDLE_BLOCK];
    scalar_t s[TWIDDLE_BLOCK];

    fr_batch_scale(powers, roots, limb, n);
    for (int i = 0; i < 5; i++) {
        fr_batch_to_scalar(s, powers, n);
        for (size_t b = 0; b < n; b++) split_scalar(t[b].w[i], &s[b]);
        if (i < 4) fr_batch_scale(powers, powers, limb, n);
    }
    fr_batch_scale(powers, roots, limb, n);
    fr_batch_scale(powers, powers, offset, n);
    fr_batch_to_scalar(s, powers, n);
    for (size_t b = 0; b < n; b++) set_offset(&t[b], &s[b]);
}

static void make_twiddles(void *table, const fr_t *roots, size_t n)
{
    twiddle_t *t = table;
    fr_t limb, offset, top;

    fr_from_u64(&limb, (uint64_t)1 << 52);
    fr_pow_u64(&offset, &limb, 4);
    fr_from_u64(&top, (uint64_t)1 << 51);
    fr_mul(&offset, &offset, &top);
    fr_neg(&offset, &offset); /* -2^259 */
    for (size_t b = 0; b < n; b += TWIDDLE_BLOCK)
        make_twiddle_block(t + b, roots + b, n - b < TWIDDLE_BLOCK ? n - b : TWIDDLE_BLOCK, &limb,
                           &offset);
}

/* fr8_mul divides by 2^260, memory has the factor 2^256. */
static void prepare_factors(fr_t *factors, size_t n)
{
    fr_t sixteen;

    fr_from_u64(&sixteen, 16);
    fr_batch_scale(factors, factors, &sixteen, n);
}

/* t[0 .. 5] += x w */
FR8_INLINE void add_limb(__m512i t[6], __m512i x, const uint64_t w[5])
{
    const fr8_t y = fr8_broadcast(w);

    fr8_mac(t, x, &y);
}

FR8_INLINE void start_product(__m512i t[6], fr8_t *x, const twiddle_t *z)
{
    *x = fr8_carry_factor(*x);
    x->l[4] = _mm512_add_epi64(x->l[4], fr8_word((uint64_t)1 << 51));
    t[0] = fr8_word(z->k[0]);
    t[1] = fr8_word(z->k[1]);
    t[2] = fr8_word(z->k[2]);
    t[3] = fr8_word(z->k[3]);
    t[4] = fr8_word(z->k[4]);
    t[5] = fr8_word(z->k[5]);
}

/* x = x z and y = y u, interleaved. |x|, |y| < 2^259 raw; results raw, at most 3 r. */
FR8_INLINE void multiply_two(fr8_t *x, const twiddle_t *z, fr8_t *y, const twiddle_t *u)
{
    __m512i t[6], s[6];

    start_product(t, x, z);
    start_product(s, y, u);
    add_limb(t, x->l[0], z->w[0]);
    add_limb(s, y->l[0], u->w[0]);
    add_limb(t, x->l[1], z->w[1]);
    add_limb(s, y->l[1], u->w[1]);
    add_limb(t, x->l[2], z->w[2]);
    add_limb(s, y->l[2], u->w[2]);
    add_limb(t, x->l[3], z->w[3]);
    add_limb(s, y->l[3], u->w[3]);
    add_limb(t, x->l[4], z->w[4]);
    add_limb(s, y->l[4], u->w[4]);
    fr8_fold(t);
    fr8_fold(s);
    *x = (fr8_t){{t[1], t[2], t[3], t[4], t[5]}};
    *y = (fr8_t){{s[1], s[2], s[3], s[4], s[5]}};
}

FR8_INLINE void multiply_one(fr8_t *x, const twiddle_t *z)
{
    __m512i t[6];

    start_product(t, x, z);
    add_limb(t, x->l[0], z->w[0]);
    add_limb(t, x->l[1], z->w[1]);
    add_limb(t, x->l[2], z->w[2]);
    add_limb(t, x->l[3], z->w[3]);
    add_limb(t, x->l[4], z->w[4]);
    fr8_fold(t);
    *x = (fr8_t){{t[1], t[2], t[3], t[4], t[5]}};
}

/* c r, raw; |c| < 2^10 */
FR8_INLINE fr8_t multiple(__m512i c)
{
    const fr8_t r = fr8_modulus();

    return (fr8_t){{_mm512_mullo_epi64(r.l[0], c), _mm512_mullo_epi64(r.l[1], c),
                    _mm512_mullo_epi64(r.l[2], c), _mm512_mullo_epi64(r.l[3], c),
                    _mm512_mullo_epi64(r.l[4], c)}};
}

/* x / 2^208, rounded down, with an error of at most 1, for limbs below 2^60. */
FR8_INLINE __m512i top(fr8_t x)
{
    return _mm512_add_epi64(x.l[4], _mm512_srai_epi64(x.l[3], 52));
}

/* |x| <= 20 r to |x| <= 0.9 r: q = x 1.125 / 2^255, rounded, and 2^255 / r = 1.125 * 0.982. */
FR8_INLINE fr8_t reduce_roughly(fr8_t x)
{
    const __m512i h = top(x);
    const __m512i scaled = _mm512_add_epi64(h, _mm512_srai_epi64(h, 3));
    const __m512i half = fr8_word((uint64_t)1 << 46);

    return fr8_sub_raw(x, multiple(_mm512_srai_epi64(_mm512_add_epi64(scaled, half), 47)));
}

/* |x| < 16 r to reduced and normalized: q = floor(x / r) or one less. */
FR8_INLINE fr8_t reduce_fully(fr8_t x)
{
    const uint64_t top_of_r = 0x73eda753299d;
    const __m512i reciprocal = fr8_word(0x2355094edfed); /* floor(2^92 / (top_of_r + 1)) */
    const __m512i h = _mm512_add_epi64(top(x), fr8_word(16 * top_of_r)); /* below 2^52 */
    const __m512i q = _mm512_srli_epi64(
        _mm512_madd52hi_epu64(_mm512_setzero_si512(), h, reciprocal), 40); /* (x + 16 r) / r */

    return fr8_reduce_once(fr8_sub_raw(x, multiple(_mm512_sub_epi64(q, fr8_word(16)))));
}

/* |x| <= 16 r to a factor of the same class in [0, 32 r]. */
FR8_INLINE fr8_t make_positive(fr8_t x)
{
    return fr8_carry_factor(fr8_add_raw(x, multiple(fr8_word(16))));
}

/* Levels l and l + 1 of one block: elements at distance q. */
FR8_INLINE void butterfly4(slot_t *x, size_t q, const twiddle_t *z, const twiddle_t *children,
                           bool reduce)
{
    fr8_t x0 = x[0], x1 = x[q], x2 = x[2 * q], x3 = x[3 * q];

    if (reduce) {
        x0 = reduce_roughly(x0);
        x1 = reduce_roughly(x1);
        x2 = reduce_roughly(x2);
        x3 = reduce_roughly(x3);
    }
    multiply_two(&x2, z, &x3, z);
    fr8_t y1 = fr8_add_raw(x1, x3), y3 = fr8_sub_raw(x1, x3);
    multiply_two(&y1, &children[0], &y3, &children[1]);
    const fr8_t y0 = fr8_add_raw(x0, x2), y2 = fr8_sub_raw(x0, x2);
    x[0] = fr8_add_raw(y0, y1);
    x[q] = fr8_sub_raw(y0, y1);
    x[2 * q] = fr8_add_raw(y2, y3);
    x[3 * q] = fr8_sub_raw(y2, y3);
}

/* Levels 0 and 1: z[0] = 1, so that only one product is left, by z[1]. */
FR8_INLINE void first_butterfly4(slot_t *x, size_t q, const fr8_t a[4], const twiddle_t *z)
{
    const fr8_t y0 = fr8_add_raw(a[0], a[2]), y2 = fr8_sub_raw(a[0], a[2]);
    const fr8_t y1 = fr8_add_raw(a[1], a[3]);
    fr8_t y3 = fr8_sub_raw(a[1], a[3]);

    multiply_one(&y3, &z[1]);
    x[0] = fr8_add_raw(y0, y1);
    x[q] = fr8_sub_raw(y0, y1);
    x[2 * q] = fr8_add_raw(y2, y3);
    x[3 * q] = fr8_sub_raw(y2, y3);
}

/* Keeps the compiler from moving 31 broadcasts of a root out of the loop over a block, where they
 * would be spilled: each is used as a memory operand. */
#define KEEP_IN_LOOP(pointer) __asm__("" : "+r"(pointer))

FR8_INLINE void sweep4_blocks(slot_t *slots, size_t q, const twiddle_t *z, size_t first, size_t n,
                              bool reduce)
{
    for (size_t b = first; b < first + n; b++) {
        const twiddle_t *parent = &z[b], *children = &z[2 * b];

        for (size_t j = 0; j < q; j++) {
            KEEP_IN_LOOP(parent);
            KEEP_IN_LOOP(children);
            butterfly4(&slots[4 * q * b + j], q, parent, children, reduce);
        }
    }
}

static void sweep4(slot_t *slots, size_t q, const twiddle_t *z, size_t first, size_t n)
{
    sweep4_blocks(slots, q, z, first, n, false);
}

static void sweep4_reducing(slot_t *slots, size_t q, const twiddle_t *z, size_t first, size_t n)
{
    sweep4_blocks(slots, q, z, first, n, true);
}

/* The last level, where the number of levels is odd; blocks of two, taken two at a time. */
FR8_INLINE void sweep2_blocks(slot_t *slots, const twiddle_t *z, size_t first, size_t n,
                              bool reduce)
{
    for (size_t b = first; b < first + n; b += 2) {
        slot_t *s = &slots[2 * b];
        fr8_t x0 = s[0], x1 = s[1], y0 = s[2], y1 = s[3];

        if (reduce) {
            x0 = reduce_roughly(x0);
            x1 = reduce_roughly(x1);
            y0 = reduce_roughly(y0);
            y1 = reduce_roughly(y1);
        }
        multiply_two(&x1, &z[b], &y1, &z[b + 1]);
        s[0] = fr8_add_raw(x0, x1);
        s[1] = fr8_sub_raw(x0, x1);
        s[2] = fr8_add_raw(y0, y1);
        s[3] = fr8_sub_raw(y0, y1);
    }
}

static void sweep2(slot_t *slots, const twiddle_t *z, size_t first, size_t n)
{
    sweep2_blocks(slots, z, first, n, false);
}

static void sweep2_reducing(slot_t *slots, const twiddle_t *z, size_t first, size_t n)
{
    sweep2_blocks(slots, z, first, n, true);
}

/* Levels l and l + 1, or l alone when it is the last, of blocks first .. first + n - 1. */
static void sweep(slot_t *slots, unsigned lg_m, unsigned level, const twiddle_t *z, size_t first,
                  size_t n)
{
    const bool reduce = level == (lg_m <= MAX_SMALL_LG ? SMALL_REDUCE_LEVEL : REDUCE_LEVEL);
    const size_t q = level + 1 < lg_m ? (size_t)1 << (lg_m - level - 2) : 0;

    if (q == 0)
        (reduce ? sweep2_reducing : sweep2)(slots, z, first, n);
    else
        (reduce ? sweep4_reducing : sweep4)(slots, q, z, first, n);
}

/* p[0] and p[stride] */
FR8_INLINE __m512i load_pair(const fr_t *p, size_t stride)
{
    const __m256i *even = (const void *)p, *odd = (const void *)(p + stride);

    return _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_loadu_si256(even)),
                              _mm256_loadu_si256(odd), 1);
}

FR8_INLINE void store_pair(fr_t *p, size_t stride, __m512i z)
{
    __m256i *even = (void *)p, *odd = (void *)(p + stride);

    _mm256_storeu_si256(even, _mm512_castsi512_si256(z));
    _mm256_storeu_si256(odd, _mm512_extracti64x4_epi64(z, 1));
}

/* One element a lane: neighbours, or at lane_stride. */
FR8_INLINE fr8_t load_lanes(const fr_t *p, size_t lane_stride)
{
    if (lane_stride == 1) return fr8_load(p);
    const __m512i z[4] = {load_pair(p, lane_stride), load_pair(p + 2 * lane_stride, lane_stride),
                          load_pair(p + 4 * lane_stride, lane_stride),
                          load_pair(p + 6 * lane_stride, lane_stride)};
    __m512i w[4];

    fr8_transpose_in(w, z);
    return fr8_from_words(w);
}

FR8_INLINE void store_lanes(fr_t *p, size_t lane_stride, fr8_t a)
{
    __m512i z[4], w[4];

    if (lane_stride == 1) {
        fr8_store(p, a);
        return;
    }
    fr8_to_words(w, a);
    fr8_transpose_out(z, w);
    store_pair(p, lane_stride, z[0]);
    store_pair(p + 2 * lane_stride, lane_stride, z[1]);
    store_pair(p + 4 * lane_stride, lane_stride, z[2]);
    store_pair(p + 6 * lane_stride, lane_stride, z[3]);
}

/* Lanes that will be wanted in step i; columns far apart are beyond what the hardware foresees. */
FR8_INLINE void prefetch_step(const ntt_tile_t *t, const ntt_side_t *side, size_t i,
                              size_t lane_stride)
{
    const size_t m = (size_t)1 << t->lg_m;
    const fr_t *p = &t->a[side->at[i & (m - 1)] * t->point_stride];

    if (lane_stride != 1) return;
    __builtin_prefetch(p);
    __builtin_prefetch(p + 2);
    __builtin_prefetch(p + 4);
    __builtin_prefetch(p + 6);
}

FR8_INLINE fr8_t load_factor(const fr_t *factor)
{
    const scalar_t s = {{factor->l[0], factor->l[1], factor->l[2], factor->l[3]}};
    uint64_t limbs[5];

    split_scalar(limbs, &s);
    return fr8_broadcast(limbs);
}

FR8_INLINE fr8_t load_step(const ntt_tile_t *t, size_t i, size_t lane_stride)
{
    const ntt_side_t *side = &t->load;

    prefetch_step(t, side, i + PREFETCH_STEPS / 4, lane_stride);
    const fr8_t x = load_lanes(&t->a[side->at[i] * t->point_stride], lane_stride);
    return side->factors == NULL ? x : fr8_mul(x, load_factor(&side->factors[i]));
}

/* The factors of the steps first, first + stride, ... of a side with a twist. */
typedef struct {
    fr8_t factor, step;
} twist_t;

FR8_INLINE fr8_t power_of_two_power(fr8_t x, unsigned lg)
{
    for (unsigned k = 0; k < lg; k++) x = fr8_carry_factor(fr8_mul(x, x));
    return x;
}

FR8_INLINE fr8_t multiply_factors(fr8_t x, fr8_t y)
{
    return fr8_carry_factor(fr8_mul(x, y));
}

/* Columns: load and levels 0 and 1. Lanes are below 2 r, so after a product they are, too:
 * (2 r / 2^260 + 1) r + 1. Four factors of a twist run side by side. */
static void load_columns(const ntt_tile_t *t, slot_t *slots)
{
    const ntt_side_t *side = &t->load;
    const size_t q = (size_t)1 << (t->lg_m - 2);
    const twiddle_t *z = t->twiddles;
    fr8_t twist[4], step, x[4];

    if (side->twist != NULL) {
        step = fr8_load(side->twist + NTT_LANES);
        const fr8_t leap = power_of_two_power(step, t->lg_m - 2);
        twist[0] = fr8_load(side->twist);
        for (int c = 1; c < 4; c++) twist[c] = multiply_factors(twist[c - 1], leap);
    }
    for (size_t i = 0; i < q; i++) {
        KEEP_IN_LOOP(z);
        x[0] = load_step(t, i, 1);
        x[1] = load_step(t, i + q, 1);
        x[2] = load_step(t, i + 2 * q, 1);
        x[3] = load_step(t, i + 3 * q, 1);
        if (side->twist != NULL) {
            fr8_mul_two(&x[0], twist[0], &twist[0], step);
            fr8_mul_two(&x[1], twist[1], &twist[1], step);
            fr8_mul_two(&x[2], twist[2], &twist[2], step);
            fr8_mul_two(&x[3], twist[3], &twist[3], step);
            twist[0] = fr8_carry_factor(twist[0]);
            twist[1] = fr8_carry_factor(twist[1]);
            twist[2] = fr8_carry_factor(twist[2]);
            twist[3] = fr8_carry_factor(twist[3]);
        }
        first_butterfly4(&slots[i], q, x, z);
    }
}

/* Rows: all points first, for a point fills half a cache line of each row; then the levels. */
static void load_rows(const ntt_tile_t *t, slot_t *slots)
{
    const size_t m = (size_t)1 << t->lg_m, q = m / 4;
    const twiddle_t *z = t->twiddles;

    VERIFY(t->load.twist == NULL);
    for (size_t i = 0; i < m; i++) slots[t->load.slot[i]] = load_step(t, i, t->lane_stride);
    for (size_t j = 0; j < q; j++) {
        const fr8_t x[4] = {slots[j], slots[j + q], slots[j + 2 * q], slots[j + 3 * q]};

        KEEP_IN_LOOP(z);
        first_butterfly4(&slots[j], q, x, z);
    }
}

/* n steps from the first. Slots are within 16 r; twisted results are below (32 r / 2^260 + 1) r + 1
 * < 2 r, others reduced. */
FR8_INLINE void store_steps(const ntt_tile_t *t, const slot_t *slots, size_t first, size_t stride,
                            size_t n, size_t lane_stride)
{
    const ntt_side_t *side = &t->store;

    for (size_t i = first; n > 0; n--, i += stride) {
        const slot_t *x = &slots[side->slot[i]];
        fr8_t y;

        prefetch_step(t, side, i + PREFETCH_STEPS * stride, lane_stride);
        if (side->factors != NULL)
            y = fr8_reduce_once(fr8_mul(make_positive(*x), load_factor(&side->factors[i])));
        else
            y = reduce_fully(*x);
        store_lanes(&t->a[side->at[i] * t->point_stride], lane_stride, y);
    }
}

/* The same with a twist: of columns. */
static void store_twisted_steps(const ntt_tile_t *t, const slot_t *slots, size_t first,
                                size_t stride, size_t n, twist_t twist)
{
    const ntt_side_t *side = &t->store;

    for (size_t i = first; n > 0; n--, i += stride) {
        fr8_t x = make_positive(slots[side->slot[i]]);

        prefetch_step(t, side, i + PREFETCH_STEPS * stride, 1);
        fr8_mul_two(&x, twist.factor, &twist.factor, twist.step);
        twist.factor = fr8_carry_factor(twist.factor);
        fr8_store(&t->a[side->at[i] * t->point_stride], fr8_carry(x));
    }
}

/* The levels from `level` on of block b of 2^lg_blocks. */
static void finish_block(const ntt_tile_t *t, slot_t *slots, unsigned level, size_t b,
                         unsigned lg_blocks)
{
    for (unsigned l = level; l < t->lg_m; l += 2)
        sweep(slots, t->lg_m, l, t->twiddles, b << (l - lg_blocks), (size_t)1 << (l - lg_blocks));
}

/* Blocks are finished, and stored while they are in L1, in the order of their frequencies: k is
 * the rest of the frequencies of a block by 2^lg_blocks. */
static void finish_columns(const ntt_tile_t *t, slot_t *slots, unsigned level, unsigned lg_blocks)
{
    const size_t n_blocks = (size_t)1 << lg_blocks, n = (size_t)1 << (t->lg_m - lg_blocks);
    twist_t twist = {0};
    fr8_t step = {0};

    if (t->store.twist != NULL) {
        step = fr8_load(t->store.twist + NTT_LANES);
        twist.factor = fr8_load(t->store.twist);
        twist.step = power_of_two_power(step, lg_blocks);
    }
    for (size_t k = 0; k < n_blocks; k++) {
        finish_block(t, slots, level, t->store.slot[k] / n, lg_blocks);
        if (t->store.twist != NULL) {
            store_twisted_steps(t, slots, k, n_blocks, n, twist);
            twist.factor = multiply_factors(twist.factor, step);
        } else {
            store_steps(t, slots, k, n_blocks, n, 1);
        }
    }
}

/* In natural order a row's neighbours come from different blocks: finish all, then store. */
static void finish_rows(const ntt_tile_t *t, slot_t *slots, unsigned level, unsigned lg_blocks)
{
    const size_t n = (size_t)1 << (t->lg_m - lg_blocks);

    for (size_t b = 0; b < (size_t)1 << lg_blocks; b++) {
        finish_block(t, slots, level, b, lg_blocks);
        if (!t->store_reversed) store_steps(t, slots, b * n, 1, n, t->lane_stride);
    }
    if (t->store_reversed) store_steps(t, slots, 0, 1, n << lg_blocks, t->lane_stride);
}

static void run(const ntt_tile_t *t, void *scratch)
{
    slot_t *slots = scratch;
    unsigned level = 2, lg_blocks = 0;

    VERIFY(t->lg_m > 2 && t->lg_m <= NTT_TILE_MAX_LG);
    (t->lane_stride == 1 ? load_columns : load_rows)(t, slots);
    for (; level + BLOCK_LG < t->lg_m; level += 2)
        sweep(slots, t->lg_m, level, t->twiddles, 0, (size_t)1 << level);
    if (t->lg_m > BLOCK_LG) lg_blocks = level;
    (t->lane_stride == 1 ? finish_columns : finish_rows)(t, slots, level, lg_blocks);
}

const ntt_kernels_t ntt_kernels_ifma = {
    .slot_bytes = sizeof(slot_t),
    .twiddle_bytes = sizeof(twiddle_t),
    .points_a_task = (size_t)1 << 16,
    .make_twiddles = make_twiddles,
    .prepare_factors = prepare_factors,
    .run = run,
};
