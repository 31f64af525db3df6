/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "gadget/sha256_tape.h"

#include "gadget/sha256_constants.h"
#include "r1cs/tape.h"

/* Each function here does to 32 positions at once what its namesake in boolean.c does to one, in
 * the same order: which positions fold, which get a variable and a constraint, with which
 * operand on the left. */

/* The bits of x at the positions of mask, moved together. */
static uint64_t gather(uint64_t x, uint64_t mask)
{
    uint64_t r = 0;

    if ((mask & (mask + 1)) == 0) return x & mask; /* they lie together: most words */
    for (unsigned n = 0; mask != 0; mask &= mask - 1, n++)
        r |= (x >> __builtin_ctzll(mask) & 1) << n;
    return r;
}

static uint32_t select32(uint32_t mask, uint32_t a, uint32_t b)
{
    return (a & mask) | (b & ~mask);
}

static sha256_word_t select_word(uint32_t mask, sha256_word_t a, sha256_word_t b)
{
    return (sha256_word_t){.value = select32(mask, a.value, b.value),
                           .variable = select32(mask, a.variable, b.variable),
                           .negated = select32(mask, a.negated, b.negated)};
}

static sha256_word_t word_not(sha256_word_t a)
{
    return (sha256_word_t){
        .value = ~a.value, .variable = a.variable, .negated = ~a.negated & a.variable};
}

static sha256_word_t word_constant(uint32_t value)
{
    return (sha256_word_t){.value = value};
}

static sha256_word_t word_variable(uint32_t value)
{
    return (sha256_word_t){.value = value, .variable = UINT32_MAX};
}

static uint32_t rotr32(uint32_t x, unsigned by)
{
    return x >> by | x << (32 - by);
}

static sha256_word_t word_rotr(sha256_word_t a, unsigned by)
{
    return (sha256_word_t){.value = rotr32(a.value, by),
                           .variable = rotr32(a.variable, by),
                           .negated = rotr32(a.negated, by)};
}

static sha256_word_t word_shr(sha256_word_t a, unsigned by)
{
    return (sha256_word_t){
        .value = a.value >> by, .variable = a.variable >> by, .negated = a.negated >> by};
}

static uint32_t constant_true(sha256_word_t a)
{
    return a.value & ~a.variable;
}

static uint32_t constant_false(sha256_word_t a)
{
    return ~a.value & ~a.variable;
}

/* Rows at the positions of mask, and a variable with value bits each. */
static void write_rows(cs_t *cs, uint64_t mask, uint64_t bits, small_values_t a, small_values_t b,
                       small_values_t c)
{
    const unsigned n = (unsigned)__builtin_popcountll(mask);

    if (n == 0) return;
    tape_bits(cs, gather(bits, mask), n);
    tape_small_rows(cs, n, (small_values_t){gather(a.lo, mask), gather(a.hi, mask)},
                    (small_values_t){gather(b.lo, mask), gather(b.hi, mask)},
                    (small_values_t){gather(c.lo, mask), gather(c.hi, mask)});
}

static sha256_word_t word_xor(cs_t *cs, sha256_word_t a, sha256_word_t b)
{
    const uint32_t mask = a.variable & b.variable;
    const uint32_t swapped = a.negated & ~b.negated;
    const uint32_t var_a = a.value ^ a.negated;
    const uint32_t var_b = b.value ^ b.negated;
    const uint32_t left = select32(swapped, var_b, var_a);
    const uint32_t right = select32(swapped, var_a, var_b);
    const sha256_word_t r = {.value = a.value ^ b.value,
                             .variable = a.variable | b.variable,
                             .negated =
                                 (a.negated ^ b.negated ^ constant_true(a) ^ constant_true(b)) &
                                 (a.variable | b.variable)};

    /* 2 left * right = left + right - r */
    write_rows(cs, mask, left ^ right, (small_values_t){0, left}, (small_values_t){right, 0},
               (small_values_t){0, left & right});
    return r;
}

/* Rows of a word, before they are written: at most one for each position. */
typedef struct {
    uint32_t mask;
    uint32_t bits;
    uint32_t a_lo, a_hi, b_lo, c_lo, c_hi;
} word_rows_t;

/* The boolean and at the positions of `at`, of which rows get those that need one. */
static sha256_word_t word_and(word_rows_t *rows, uint32_t at, sha256_word_t a, sha256_word_t b)
{
    const uint32_t mask = at & a.variable & b.variable;
    const uint32_t swapped = a.negated & ~b.negated;
    const uint32_t one_a = constant_true(a);
    const uint32_t one_b = constant_true(b);

    rows->mask |= mask;
    rows->bits |= a.value & b.value & mask;
    rows->a_lo |= select32(swapped, b.value, a.value) & mask;
    rows->b_lo |= select32(swapped, a.value, b.value) & mask;
    rows->c_lo |= a.value & b.value & mask;
    return (sha256_word_t){.value = a.value & b.value,
                           .variable = (a.variable & b.variable) | (one_a & b.variable) |
                                       (one_b & a.variable),
                           .negated = (one_a & b.negated) | (one_b & a.negated)};
}

static void write_single_rows(cs_t *cs, const word_rows_t *r)
{
    write_rows(cs, r->mask, r->bits, (small_values_t){r->a_lo, r->a_hi},
               (small_values_t){r->b_lo, 0}, (small_values_t){r->c_lo, r->c_hi});
}

/* What ch and maj make of positions where a constant leaves an and of two operands, perhaps
 * negated: not(and(x, y)). */
typedef struct {
    uint32_t at, negate;
    sha256_word_t x, y;
} word_fold_t;

static void fold(word_fold_t *f, uint32_t *open, uint32_t condition, sha256_word_t x,
                 sha256_word_t y, bool negate)
{
    const uint32_t at = *open & condition;

    f->at |= at;
    if (negate) f->negate |= at;
    f->x = select_word(at, x, f->x);
    f->y = select_word(at, y, f->y);
    *open &= ~at;
}

static sha256_word_t word_folded(word_rows_t *rows, const word_fold_t *f)
{
    const sha256_word_t r = word_and(rows, f->at, f->x, f->y);

    return select_word(f->negate, word_not(r), r);
}

static sha256_word_t word_ch(cs_t *cs, sha256_word_t a, sha256_word_t b, sha256_word_t c)
{
    const uint32_t value = select32(a.value, b.value, c.value);
    const uint32_t constant = ~a.variable & ~b.variable & ~c.variable;
    uint32_t open = ~(constant | constant_false(a)); /* elsewhere b or c is the result */
    word_fold_t f = {0};
    word_rows_t rows = {0};

    const sha256_word_t kept = select_word(constant, word_constant(value), c);
    const uint32_t is_kept = ~open;
    fold(&f, &open, constant_false(b), word_not(a), c, false);
    fold(&f, &open, constant_false(c), a, b, false);
    fold(&f, &open, constant_true(c), a, word_not(b), true);
    fold(&f, &open, constant_true(b), word_not(a), word_not(c), true);
    const sha256_word_t folded = word_folded(&rows, &f);

    /* (b - c) * a = r - c */
    const uint32_t minus = c.value & ~b.value;
    rows.mask |= open;
    rows.bits |= value & open;
    rows.a_lo |= (b.value ^ c.value) & open;
    rows.a_hi |= minus & open;
    rows.b_lo |= a.value & open;
    rows.c_lo |= (value ^ c.value) & open;
    rows.c_hi |= c.value & ~value & open;
    write_single_rows(cs, &rows);
    return select_word(is_kept, kept, select_word(f.at, folded, word_variable(value)));
}

/* Bit i at 2 i. */
static uint64_t spread(uint32_t x)
{
    uint64_t r = x;

    r = (r | r << 16) & 0x0000ffff0000ffff;
    r = (r | r << 8) & 0x00ff00ff00ff00ff;
    r = (r | r << 4) & 0x0f0f0f0f0f0f0f0f;
    r = (r | r << 2) & 0x3333333333333333;
    return (r | r << 1) & 0x5555555555555555;
}

static uint64_t interleave(uint32_t even, uint32_t odd)
{
    return spread(even) | spread(odd) << 1;
}

/* Rows of maj, two a position where no operand is constant: b * c = bc, then
 * (2 bc - b - c) * a = bc - r. The variable r comes before bc's. */
static sha256_word_t word_maj(cs_t *cs, sha256_word_t a, sha256_word_t b, sha256_word_t c)
{
    const uint32_t value = (a.value & b.value) | (a.value & c.value) | (b.value & c.value);
    uint32_t open = UINT32_MAX;
    word_fold_t f = {0};
    word_rows_t rows = {0};

    fold(&f, &open, constant_false(a), b, c, false);
    fold(&f, &open, constant_false(b), a, c, false);
    fold(&f, &open, constant_false(c), a, b, false);
    fold(&f, &open, constant_true(c), word_not(a), word_not(b), true);
    fold(&f, &open, constant_true(b), word_not(a), word_not(c), true);
    fold(&f, &open, constant_true(a), word_not(b), word_not(c), true);
    const sha256_word_t folded = word_folded(&rows, &f);
    (void)word_and(&rows, open, b, c);

    const uint32_t odd = (b.value ^ c.value) & open;
    const uint64_t a_odd = spread(odd) << 1;
    const uint64_t c_odd = spread(odd & a.value) << 1;
    const uint64_t mask = interleave(rows.mask, open);
    /* where there are two variables, r stands first */
    const uint32_t first = select32(open, value, rows.bits);
    write_rows(cs, mask, interleave(first, rows.bits),
               (small_values_t){spread(rows.a_lo) | a_odd, a_odd},
               (small_values_t){interleave(rows.b_lo, a.value), 0},
               (small_values_t){spread(rows.c_lo) | c_odd, c_odd});
    return select_word(f.at, folded, word_variable(value));
}

/* Equations gathered, see multieq.h: their sums, which are the same on both sides. */
typedef struct {
    uint64_t sum[4];
    unsigned used;
} word_equations_t;

static void enforce(cs_t *cs, word_equations_t *m)
{
    scalar_t s;
    fr_t value;

    memcpy(s.l, m->sum, sizeof s.l);
    fr_from_scalar(&value, &s);
    tape_row(cs, &value, &fr_one, &value);
    *m = (word_equations_t){0};
}

static void add_equation(cs_t *cs, word_equations_t *m, uint64_t sum, unsigned n_bits)
{
    if (m->used + n_bits >= MULTIEQ_CAPACITY) enforce(cs, m);
    m->sum[m->used / 64] |= sum << m->used % 64;
    if (m->used % 64 + n_bits > 64) m->sum[m->used / 64 + 1] |= sum >> (64 - m->used % 64);
    m->used += n_bits;
}

/* A sum that is made when it is needed. */
typedef struct {
    uint64_t value;
    uint32_t variable; /* of all operands together */
    unsigned n;
    sha256_word_t only; /* the operand, when n is 1 */
} word_sum_t;

static void sum_add(word_sum_t *s, sha256_word_t a)
{
    s->value += a.value;
    s->variable |= a.variable;
    s->only = a;
    s->n++;
}

static sha256_word_t sum_make(cs_t *cs, word_equations_t *m, const word_sum_t *s)
{
    const unsigned n_bits = 64 - (unsigned)__builtin_clzll((uint64_t)s->n * UINT32_MAX);

    if (s->n == 1) return s->only;
    if (s->variable == 0) return word_constant((uint32_t)s->value);
    tape_bits(cs, s->value, n_bits);
    tape_small_rows(cs, n_bits, (small_values_t){~s->value, 0}, (small_values_t){s->value, 0},
                    (small_values_t){0, 0});
    add_equation(cs, m, s->value, n_bits);
    return word_variable((uint32_t)s->value);
}

static sha256_word_t sigma(cs_t *cs, sha256_word_t a, unsigned by0, unsigned by1, unsigned by2,
                           bool shift)
{
    const sha256_word_t r = word_xor(cs, word_rotr(a, by0), word_rotr(a, by1));

    return word_xor(cs, r, shift ? word_shr(a, by2) : word_rotr(a, by2));
}

static void extend_message(cs_t *cs, word_equations_t *m, sha256_word_t w[SHA256_ROUNDS])
{
    for (unsigned i = SHA256_BLOCK_WORDS; i < SHA256_ROUNDS; i++) {
        const sha256_word_t s0 = sigma(cs, w[i - 15], 7, 18, 3, true);
        const sha256_word_t s1 = sigma(cs, w[i - 2], 17, 19, 10, true);
        word_sum_t sum = {0};

        sum_add(&sum, w[i - 16]);
        sum_add(&sum, s0);
        sum_add(&sum, w[i - 7]);
        sum_add(&sum, s1);
        w[i] = sum_make(cs, m, &sum);
    }
}

/* The words a and e wait as sums. */
typedef struct {
    word_sum_t a, e;
    sha256_word_t b, c, d, f, g, h;
} word_working_t;

static void run_round(cs_t *cs, word_equations_t *m, word_working_t *s, sha256_word_t w, uint32_t k)
{
    const sha256_word_t e = sum_make(cs, m, &s->e);
    const sha256_word_t s1 = sigma(cs, e, 6, 11, 25, false);
    const sha256_word_t ch = word_ch(cs, e, s->f, s->g);
    const sha256_word_t a = sum_make(cs, m, &s->a);
    const sha256_word_t s0 = sigma(cs, a, 2, 13, 22, false);
    const sha256_word_t maj = word_maj(cs, a, s->b, s->c);
    word_sum_t t1 = {0};

    sum_add(&t1, s->h);
    sum_add(&t1, s1);
    sum_add(&t1, ch);
    sum_add(&t1, word_constant(k));
    sum_add(&t1, w);
    s->h = s->g;
    s->g = s->f;
    s->f = e;
    s->e = t1;
    sum_add(&s->e, s->d);
    s->d = s->c;
    s->c = s->b;
    s->b = a;
    s->a = t1;
    sum_add(&s->a, s0);
    sum_add(&s->a, maj);
}

static word_sum_t sum_of(sha256_word_t a)
{
    word_sum_t s = {0};

    sum_add(&s, a);
    return s;
}

void sha256_tape_compress(cs_t *cs, sha256_word_t state[SHA256_STATE_WORDS],
                          var_t first[SHA256_STATE_WORDS],
                          const sha256_word_t w[SHA256_BLOCK_WORDS])
{
    sha256_word_t extended[SHA256_ROUNDS];
    word_equations_t m = {0};
    word_working_t s = {.a = sum_of(state[0]),
                        .e = sum_of(state[4]),
                        .b = state[1],
                        .c = state[2],
                        .d = state[3],
                        .f = state[5],
                        .g = state[6],
                        .h = state[7]};

    memcpy(extended, w, SHA256_BLOCK_WORDS * sizeof *w);
    extend_message(cs, &m, extended);
    for (unsigned i = 0; i < SHA256_ROUNDS; i++)
        run_round(cs, &m, &s, extended[i], sha256_round_constants[i]);

    word_sum_t sums[SHA256_STATE_WORDS] = {s.a, sum_of(s.b), sum_of(s.c), sum_of(s.d),
                                           s.e, sum_of(s.f), sum_of(s.g), sum_of(s.h)};
    for (unsigned i = 0; i < SHA256_STATE_WORDS; i++) {
        sum_add(&sums[i], state[i]);
        first[i] = VAR_AUX | cs->n_aux;
        state[i] = sum_make(cs, &m, &sums[i]);
    }
    if (m.used > 0) enforce(cs, &m);
}

sha256_word_t word_from_bits(const boolean_t bits[UINT32_BITS])
{
    sha256_word_t r = {0};

    for (unsigned i = 0; i < UINT32_BITS; i++) {
        r.value |= (uint32_t)bits[i].value << i;
        r.variable |= (uint32_t)(bits[i].kind != BOOLEAN_CONSTANT) << i;
        r.negated |= (uint32_t)(bits[i].kind == BOOLEAN_NOT) << i;
    }
    return r;
}
