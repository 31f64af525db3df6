/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "gadget/sha256.h"

#include "gadget/packing.h"
#include "gadget/sha256_constants.h"
#include "hash/tree.h"

enum {
    ROUNDS = SHA256_ROUNDS,
    STATE_WORDS = SHA256_STATE_WORDS,
    BLOCK_WORDS = SHA256_BLOCK_WORDS,
    LENGTH_BITS = 64
};

const uint32_t sha256_round_constants[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/* FIPS 180-4, 5.3.3: of the square roots of the first 8 primes. */
static const uint32_t initial_state[STATE_WORDS] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

/* A word that is a sum not made yet. The additions of a round are put off until the next needs
 * their result, so that the last round's are made together with the addition of the old state. */
typedef struct {
    const uint32_bits_t *operands[MULTIEQ_MAX_OPERANDS];
    unsigned n;
} sha256_sum_t;

static void sum_add(sha256_sum_t *sum, const uint32_bits_t *operand)
{
    sum->operands[sum->n++] = operand;
}

/* Where the sum is one word that exists, gives that; else makes it in *room. */
static const uint32_bits_t *sum_make(multieq_t *m, const sha256_sum_t *sum, uint32_bits_t *room)
{
    if (sum->n == 1) return sum->operands[0];
    uint32_add_many(m, room, sum->operands, sum->n);
    return room;
}

/* r = rotr(a, by[0]) ^ rotr(a, by[1]) ^ rotr(a, by[2]); the third a shift where that is asked. */
static void sigma(cs_t *cs, uint32_bits_t *r, const uint32_bits_t *a, const unsigned by[3],
                  bool shift)
{
    uint32_bits_t other;

    uint32_rotr(r, a, by[0]);
    uint32_rotr(&other, a, by[1]);
    uint32_xor(cs, r, r, &other);
    if (shift)
        uint32_shr(&other, a, by[2]);
    else
        uint32_rotr(&other, a, by[2]);
    uint32_xor(cs, r, r, &other);
}

static void extend_message(multieq_t *m, uint32_bits_t w[ROUNDS])
{
    static const unsigned by0[3] = {7, 18, 3};
    static const unsigned by1[3] = {17, 19, 10};
    uint32_bits_t s0, s1;

    for (unsigned i = BLOCK_WORDS; i < ROUNDS; i++) {
        const uint32_bits_t *const operands[4] = {&w[i - 16], &s0, &w[i - 7], &s1};

        sigma(m->cs, &s0, &w[i - 15], by0, true);
        sigma(m->cs, &s1, &w[i - 2], by1, true);
        uint32_add_many(m, &w[i], operands, 4);
    }
}

/* What a round leaves behind for the sums of the next one. */
typedef struct {
    uint32_bits_t a, e, s0, s1, ch, maj, constant;
} sha256_round_t;

/* The sums a and e and the words they are made from, before a round. */
typedef struct {
    sha256_sum_t a, e;
    const uint32_bits_t *b, *c, *d, *f, *g, *h;
} sha256_working_t;

static void run_round(multieq_t *m, sha256_working_t *s, sha256_round_t *r, const uint32_bits_t *w,
                      uint32_t k)
{
    static const unsigned by0[3] = {2, 13, 22};
    static const unsigned by1[3] = {6, 11, 25};
    const uint32_bits_t *e = sum_make(m, &s->e, &r->e);
    sigma(m->cs, &r->s1, e, by1, false);
    uint32_ch(m->cs, &r->ch, e, s->f, s->g);

    const uint32_bits_t *a = sum_make(m, &s->a, &r->a);
    sigma(m->cs, &r->s0, a, by0, false);
    uint32_maj(m->cs, &r->maj, a, s->b, s->c);

    uint32_constant(&r->constant, k);
    const sha256_sum_t t1 = {.operands = {s->h, &r->s1, &r->ch, &r->constant, w}, .n = 5};
    s->h = s->g;
    s->g = s->f;
    s->f = e;
    s->e = t1;
    sum_add(&s->e, s->d);
    s->d = s->c;
    s->c = s->b;
    s->b = a;
    s->a = t1;
    sum_add(&s->a, &r->s0);
    sum_add(&s->a, &r->maj);
}

/* A word made in a round is read last when the sums of the fourth round after it are made, so slots
 * can be used again after eight. */
enum { ROUND_SLOTS = 8 };

/* Scratch of one compression, 75 KiB. */
typedef struct {
    multieq_t m;
    uint32_bits_t w[ROUNDS];
    uint32_bits_t old[STATE_WORDS];
    sha256_round_t rounds[ROUND_SLOTS];
} sha256_compression_t;

/* compress() for runs with a tape. */
static void compress_on_tape(cs_t *cs, uint32_bits_t state[STATE_WORDS], const uint32_bits_t *w)
{
    sha256_word_t words[STATE_WORDS], block[BLOCK_WORDS];
    var_t first[STATE_WORDS];

    for (unsigned i = 0; i < STATE_WORDS; i++) words[i] = word_from_bits(state[i].bits);
    for (unsigned i = 0; i < BLOCK_WORDS; i++) block[i] = word_from_bits(w[i].bits);
    sha256_tape_compress(cs, words, first, block);
    for (unsigned i = 0; i < STATE_WORDS; i++) {
        uint32_constant(&state[i], words[i].value);
        if (words[i].variable == 0) continue;
        for (unsigned j = 0; j < UINT32_BITS; j++)
            state[i].bits[j] = boolean_is(first[i] + j, words[i].value >> j & 1);
    }
}

/* state = state + the compression of the block w[0 .. 15] */
static void make_compression(cs_t *cs, uint32_bits_t state[STATE_WORDS], sha256_compression_t *x)
{
    multieq_t *m = &x->m;
    const uint32_bits_t *old = x->old;

    memcpy(x->old, state, sizeof x->old);
    multieq_init(m, cs);
    extend_message(m, x->w);

    sha256_working_t s = {.a = {.operands = {&old[0]}, .n = 1},
                          .e = {.operands = {&old[4]}, .n = 1},
                          .b = &old[1],
                          .c = &old[2],
                          .d = &old[3],
                          .f = &old[5],
                          .g = &old[6],
                          .h = &old[7]};
    for (unsigned i = 0; i < ROUNDS; i++)
        run_round(m, &s, &x->rounds[i % ROUND_SLOTS], &x->w[i], sha256_round_constants[i]);

    const uint32_bits_t *const rest[STATE_WORDS] = {NULL, s.b, s.c, s.d, NULL, s.f, s.g, s.h};
    for (unsigned i = 0; i < STATE_WORDS; i++) {
        sha256_sum_t sum = {.operands = {&old[i], rest[i]}, .n = 2};

        if (rest[i] == NULL) {
            sum = i == 0 ? s.a : s.e;
            sum_add(&sum, &old[i]);
        }
        uint32_add_many(m, &state[i], sum.operands, sum.n);
    }
    multieq_close(m);
}

/* Names the variables of words as slots, and what else they are in the key. */
static void describe(const uint32_bits_t *words, unsigned n, uint8_t *key, var_t *slots,
                     uint32_t *n_slots)
{
    for (unsigned i = 0; i < n; i++) {
        for (unsigned j = 0; j < UINT32_BITS; j++) {
            const boolean_t bit = words[i].bits[j];
            const bool constant = bit.kind == BOOLEAN_CONSTANT;

            *key++ = constant && bit.value ? UINT8_MAX : bit.kind;
            if (!constant) slots[(*n_slots)++] = bit.var;
        }
    }
}

/* A gadget for those that record: make_compression(), named by what its operands are. */
static void compress(cs_t *cs, uint32_bits_t state[STATE_WORDS], sha256_compression_t *x)
{
    uint8_t key[(STATE_WORDS + BLOCK_WORDS) * UINT32_BITS];
    var_t slots[sizeof key], outputs[STATE_WORDS * UINT32_BITS];
    cs_gadget_t gadget = {.name = "sha256",
                          .key = key,
                          .key_bytes = sizeof key,
                          .slots = slots,
                          .outputs = outputs,
                          .n_outputs = STATE_WORDS * UINT32_BITS};

    if (cs->ops->gadget_begin == NULL) {
        make_compression(cs, state, x);
        return;
    }
    describe(state, STATE_WORDS, key, slots, &gadget.n_slots);
    describe(x->w, BLOCK_WORDS, key + STATE_WORDS * UINT32_BITS, slots, &gadget.n_slots);
    if (gadget.n_slots == 0) { /* all folds */
        make_compression(cs, state, x);
        return;
    }
    if (cs_gadget_begin(cs, &gadget)) {
        for (unsigned i = 0; i < gadget.n_outputs; i++)
            state[i / UINT32_BITS].bits[i % UINT32_BITS] = boolean_is(outputs[i], false);
        return;
    }
    make_compression(cs, state, x);
    for (unsigned i = 0; i < gadget.n_outputs; i++)
        outputs[i] = state[i / UINT32_BITS].bits[i % UINT32_BITS].var;
    cs_gadget_end(cs, &gadget);
}

/* Bit i of the padded message of n bits and n_padded in all. */
static boolean_t padded_bit(const boolean_t *bits, size_t n, size_t n_padded, size_t i)
{
    if (i < n) return bits[i];
    if (i == n) return boolean_constant(true);
    if (i < n_padded - LENGTH_BITS) return boolean_constant(false);
    return boolean_constant(n >> (n_padded - 1 - i) & 1);
}

/* sha256_circuit() for parts that give values only. */
static void digest_values(boolean_t *digest, const boolean_t *bits, size_t n)
{
    uint8_t bytes[SHA256_BYTES];
    sha256_t h;

    sha256_init(&h);
    for (size_t i = 0; i < n; i += 8) {
        uint8_t byte = 0;

        for (unsigned j = 0; j < 8; j++) byte = (uint8_t)(byte << 1 | bits[i + j].value);
        sha256_update(&h, &byte, 1);
    }
    sha256_final(bytes, &h);
    for (unsigned i = 0; i < SHA256_BITS; i++)
        digest[i] = boolean_is(VAR_ONE, bytes[i / 8] >> (7 - i % 8) & 1);
}

void sha256_circuit(cs_t *cs, boolean_t *digest, const boolean_t *bits, size_t n)
{
    VERIFY(n % 8 == 0);
    if (cs->values_only) {
        digest_values(digest, bits, n);
        return;
    }
    const size_t n_padded =
        (n + 1 + LENGTH_BITS + SHA256_BLOCK_BITS - 1) / SHA256_BLOCK_BITS * SHA256_BLOCK_BITS;
    const arena_mark_t mark = arena_mark(&cs->arena);
    sha256_compression_t *x = arena_alloc(&cs->arena, 1, sizeof *x);
    uint32_bits_t state[STATE_WORDS];

    for (unsigned i = 0; i < STATE_WORDS; i++) uint32_constant(&state[i], initial_state[i]);
    for (size_t first = 0; first < n_padded; first += SHA256_BLOCK_BITS) {
        for (unsigned i = 0; i < SHA256_BLOCK_BITS; i++)
            x->w[i / UINT32_BITS].bits[UINT32_BITS - 1 - i % UINT32_BITS] =
                padded_bit(bits, n, n_padded, first + i);
        if (cs->tape != NULL)
            compress_on_tape(cs, state, x->w);
        else
            compress(cs, state, x);
    }
    for (unsigned i = 0; i < STATE_WORDS; i++)
        uint32_to_bits_be(digest + (size_t)UINT32_BITS * i, &state[i]);
    arena_rewind(&cs->arena, mark);
}

num_t sha256_circuit_num(cs_t *cs, const boolean_t *bits, size_t n)
{
    boolean_t digest[SHA256_BITS];
    boolean_t little_endian[SHA256_BITS];

    sha256_circuit(cs, digest, bits, n);
    packing_swap_bytes(little_endian, digest, SHA256_BITS);
    return packing_num(cs, little_endian, PACKING_CAPACITY);
}

static num_t make_parent(cs_t *cs, const num_t *children)
{
    boolean_t bits[2 * SHA256_BITS];

    for (unsigned i = 0; i < 2; i++) {
        boolean_t child[FR_BITS];

        num_to_bits(cs, child, &children[i]);
        packing_swap_bytes(bits + (size_t)SHA256_BITS * i, child, FR_BITS);
    }
    return sha256_circuit_num(cs, bits, sizeof bits / sizeof *bits);
}

num_t sha256_circuit_parent(cs_t *cs, const num_t children[2])
{
    num_t result = num_value_only(&fr_zero);
    const var_t slots[2] = {children[0].var, children[1].var};
    const cs_gadget_t gadget = {.name = "sha256 parent",
                                .slots = slots,
                                .n_slots = 2,
                                .outputs = &result.var,
                                .n_outputs = 1};

    if (cs->values_only) {
        tree_hash_sha256(&result.value, &children[0].value, &children[1].value);
        return result;
    }
    if (cs_gadget_begin(cs, &gadget)) return result;
    result = make_parent(cs, children);
    cs_gadget_end(cs, &gadget);
    return result;
}
