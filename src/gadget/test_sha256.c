/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/memory.h"
#include "gadget/sha256.h"
#include "gadget/test_recorder.h"
#include "gadget/uint32.h"

enum { SIDES = 3 };

static const lc_t *side(const recorder_t *r, size_t i)
{
    const recorded_t *constraint = &r->constraints[i / SIDES];
    const lc_t *const sides[SIDES] = {&constraint->a, &constraint->b, &constraint->c};

    return sides[i % SIDES];
}

/* A place of a variable: its coefficient on a side of a constraint. Those of one variable form a
 * list, the last constraint first, sides of one constraint next to each other. */
typedef struct {
    size_t next; /* its position plus one, 0 at the end */
    size_t side;
    const fr_t *coeff;
} place_t;

/* All places of the auxiliary variables, and the values of all sides. */
typedef struct {
    place_t *places;
    size_t *heads; /* the first place of each variable plus one, 0 for none */
    fr_t *values;
} index_t;

static void index_init(index_t *x, recorder_t *r)
{
    const size_t n_sides = SIDES * (size_t)r->cs.n_constraints;
    size_t n = 0;

    for (size_t i = 0; i < n_sides; i++) n += side(r, i)->n;
    x->places = calloc(n + 1, sizeof *x->places);
    x->heads = calloc(r->cs.n_aux + 1, sizeof *x->heads);
    x->values = calloc(n_sides + 1, sizeof *x->values);
    n = 0;
    for (size_t i = 0; i < n_sides; i++) {
        const lc_t *lc = side(r, i);

        recorder_eval(&x->values[i], r, lc);
        for (uint32_t t = 0; t < lc->n; t++) {
            if (!(lc_terms(lc)[t].var & VAR_AUX)) continue;
            size_t *head = &x->heads[lc_terms(lc)[t].var & ~VAR_AUX];
            x->places[n++] = (place_t){.next = *head, .side = i, .coeff = &lc_terms(lc)[t].coeff};
            *head = n;
        }
    }
}

static void index_clear(index_t *x)
{
    free(x->places);
    free(x->heads);
    free(x->values);
}

/* Whether the constraint of *place fails when the variable there gains change; *place moves on to
 * the variable's next constraint. */
static bool breaks(const index_t *x, size_t *place, const fr_t *change)
{
    const size_t constraint = x->places[*place - 1].side / SIDES;
    fr_t values[SIDES];
    fr_t product;

    memcpy(values, &x->values[SIDES * constraint], sizeof values);
    while (*place > 0 && x->places[*place - 1].side / SIDES == constraint) {
        const place_t *at = &x->places[*place - 1];
        fr_t added;

        fr_mul(&added, at->coeff, change);
        fr_add(&values[at->side % SIDES], &values[at->side % SIDES], &added);
        *place = at->next;
    }
    fr_mul(&product, &values[0], &values[1]);
    return !fr_equal(&product, &values[2]);
}

/* The number of auxiliary bits whose opposite satisfies all constraints too. (As
 * recorder_free_variables(), for circuits of this size.) */
static unsigned count_free_bits(recorder_t *r)
{
    unsigned n_free = 0;
    index_t x;

    index_init(&x, r);
    for (uint32_t v = 0; v < r->cs.n_aux; v++) {
        const fr_t *change = fr_is_zero(&r->aux[v]) ? &fr_one : &fr_minus_one;
        size_t place = x.heads[v];
        bool broken = false;

        while (place > 0 && !broken) broken = breaks(&x, &place, change);
        n_free += !broken;
    }
    index_clear(&x);
    return n_free;
}

static void free_bits_are_seen(void **state)
{
    recorder_t rec;

    (void)state;
    recorder_init(&rec);
    const boolean_t a = boolean_alloc(&rec.cs, true);
    assert_int_equal(count_free_bits(&rec), 1); /* it may be 0 or 1 */
    boolean_xor(&rec.cs, a, boolean_alloc(&rec.cs, false));
    assert_int_equal(count_free_bits(&rec), 0);
    (void)cs_alloc_bit(&rec.cs, true);
    assert_int_equal(count_free_bits(&rec), 1);
    recorder_clear(&rec);
}

/* A word with a given value whose bits are constants, variables and negated variables, as mask_var
 * and mask_not say. */
static void make_word(cs_t *cs, uint32_bits_t *r, uint32_t value, uint32_t mask_var,
                      uint32_t mask_not)
{
    for (unsigned i = 0; i < UINT32_BITS; i++) {
        const bool bit = value >> i & 1;

        if (!(mask_var >> i & 1))
            r->bits[i] = boolean_constant(bit);
        else if (mask_not >> i & 1)
            r->bits[i] = boolean_not(boolean_alloc(cs, !bit));
        else
            r->bits[i] = boolean_alloc(cs, bit);
    }
}

static uint32_t random32(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 32);
}

/* All ones and zeros too, not only mixtures. */
static uint32_t random_mask(uint64_t *state)
{
    const uint32_t kind = random32(state) % 4;

    return kind == 0 ? 0 : kind == 1 ? UINT32_MAX : random32(state);
}

static uint32_t rotr(uint32_t a, unsigned by)
{
    return a >> by | a << (32 - by);
}

static void words_agree_with_native(void **state)
{
    uint64_t seed = 1;

    (void)state;
    for (unsigned run = 0; run < 200; run++) {
        uint32_bits_t words[3], r;
        uint32_t v[3];
        recorder_t rec;

        recorder_init(&rec);
        for (unsigned i = 0; i < 3; i++) {
            v[i] = random32(&seed);
            make_word(&rec.cs, &words[i], v[i], random_mask(&seed), random_mask(&seed));
            assert_int_equal(uint32_value(&words[i]), v[i]);
        }
        for (unsigned by = 1; by < UINT32_BITS; by++) {
            uint32_rotr(&r, &words[0], by);
            assert_int_equal(uint32_value(&r), rotr(v[0], by));
            uint32_shr(&r, &words[0], by);
            assert_int_equal(uint32_value(&r), v[0] >> by);
        }
        uint32_xor(&rec.cs, &r, &words[0], &words[1]);
        assert_int_equal(uint32_value(&r), v[0] ^ v[1]);
        uint32_ch(&rec.cs, &r, &words[0], &words[1], &words[2]);
        assert_int_equal(uint32_value(&r), (v[0] & v[1]) ^ (~v[0] & v[2]));
        uint32_maj(&rec.cs, &r, &words[0], &words[1], &words[2]);
        assert_int_equal(uint32_value(&r), (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        assert_int_equal(recorder_violated(&rec), 0);
        recorder_clear(&rec);
    }
}

/* Sums of 2 to 10 words, many in one multieq_t so that it is full several times over. */
static void sums_agree_with_native(void **state)
{
    uint64_t seed = 2;
    uint32_bits_t words[MULTIEQ_MAX_OPERANDS];
    const uint32_bits_t *operands[MULTIEQ_MAX_OPERANDS];
    multieq_t m;
    recorder_t rec;

    (void)state;
    recorder_init(&rec);
    multieq_init(&m, &rec.cs);
    for (unsigned run = 0; run < 60; run++) {
        const unsigned n = 2 + run % (MULTIEQ_MAX_OPERANDS - 1);
        const uint32_t repeated = run % 3; /* a word twice: its terms have to be added */
        uint32_t sum = 0;
        uint32_bits_t r;

        for (unsigned i = 0; i < n; i++) {
            const uint32_t value = run % 7 == 0 ? UINT32_MAX : random32(&seed);

            if (run % 11 == 10)
                uint32_constant(&words[i], value);
            else
                make_word(&rec.cs, &words[i], value, random_mask(&seed), random_mask(&seed));
            operands[i] = i == 1 && repeated == 0 ? &words[0] : &words[i];
            sum += uint32_value(operands[i]);
        }
        uint32_add_many(&m, &r, operands, n);
        assert_int_equal(uint32_value(&r), sum);
        if (run % 11 == 10) assert_int_equal(r.bits[0].kind, BOOLEAN_CONSTANT);
    }
    multieq_close(&m);
    assert_int_equal(recorder_violated(&rec), 0);
    recorder_clear(&rec);
}

/* A sum of n words: a constraint a bit, and one for every equations_in_one of them. */
static void sums_cost_what_they_say(void **state)
{
    static const unsigned bits[] = {0, 0, 33, 34, 34, 35, 35, 35, 35, 36, 36};

    (void)state;
    for (unsigned n = 2; n <= MULTIEQ_MAX_OPERANDS; n++) {
        const unsigned equations_in_one = (MULTIEQ_CAPACITY - 1) / bits[n];
        const unsigned n_sums = 3 * equations_in_one + 1;
        const uint32_bits_t *operands[MULTIEQ_MAX_OPERANDS];
        uint32_bits_t word, r;
        multieq_t m;
        recorder_t rec;

        recorder_init(&rec);
        make_word(&rec.cs, &word, 0xdeadbeef, UINT32_MAX, 0);
        for (unsigned i = 0; i < n; i++) operands[i] = &word;
        multieq_init(&m, &rec.cs);
        for (unsigned i = 0; i < n_sums; i++) uint32_add_many(&m, &r, operands, n);
        multieq_close(&m);
        assert_int_equal(rec.cs.n_aux, 32 + n_sums * bits[n]);
        assert_int_equal(rec.cs.n_constraints, 32 + n_sums * bits[n] + 4);
        assert_int_equal(recorder_violated(&rec), 0);
        recorder_clear(&rec);
    }
}

/* The hash of n random bytes in a circuit, every third bit a constant when mixed; gives what it
 * cost. */
static uint64_t check_hash(size_t n, bool mixed)
{
    boolean_t *bits = calloc(8 * n + 1, sizeof *bits);
    uint8_t *bytes = calloc(n + 1, 1);
    uint8_t expected[SHA256_BYTES];
    boolean_t digest[SHA256_BITS];
    uint64_t seed = n;
    recorder_t rec;

    recorder_init(&rec);
    for (size_t i = 0; i < n; i++) bytes[i] = (uint8_t)random32(&seed);
    for (size_t i = 0; i < 8 * n; i++) {
        const bool bit = bytes[i / 8] >> (7 - i % 8) & 1;

        bits[i] = mixed && i % 3 == 0 ? boolean_constant(bit) : boolean_alloc(&rec.cs, bit);
    }
    const uint64_t before = rec.cs.n_constraints;
    sha256_circuit(&rec.cs, digest, bits, 8 * n);
    sha256(expected, bytes, n);
    for (unsigned i = 0; i < SHA256_BITS; i++)
        assert_int_equal(digest[i].value, expected[i / 8] >> (7 - i % 8) & 1);
    const uint64_t cost = rec.cs.n_constraints - before;
    assert_int_equal(recorder_violated(&rec), 0);
    assert_int_equal(count_free_bits(&rec), 0);
    recorder_clear(&rec);
    free(bits);
    free(bytes);
    return cost;
}

static void hashes_agree_with_native(void **state)
{
    (void)state;
    assert_int_equal(check_hash(0, false), 0);
    assert_int_equal(check_hash(64, false), 44874); /* as bellpepper's test_full_hash() */
    check_hash(3, false);
    check_hash(55, true); /* the longest with one block */
    check_hash(56, true);
    check_hash(120, true);
}

static void parents_agree_with_native(void **state)
{
    uint8_t bytes[64], digest[SHA256_BYTES];
    num_t children[2];
    uint64_t seed = 3;
    fr_t expected;
    recorder_t rec;

    (void)state;
    recorder_init(&rec);
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)random32(&seed);
    for (unsigned i = 0; i < 2; i++) {
        fr_t value;

        bytes[32 * i + 31] &= 0x3f;
        assert_true(fr_from_bytes(&value, bytes + 32 * i));
        children[i] = num_alloc(&rec.cs, &value);
    }
    const num_t parent = sha256_circuit_parent(&rec.cs, children);
    sha256(digest, bytes, sizeof bytes);
    digest[31] &= 0x3f;
    assert_true(fr_from_bytes(&expected, digest));
    assert_true(fr_equal(&parent.value, &expected));
    assert_true(fr_equal(recorder_value(&rec, parent.var), &expected));
    assert_int_equal(recorder_violated(&rec), 0);
    recorder_clear(&rec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_bits_are_seen),       cmocka_unit_test(words_agree_with_native),
        cmocka_unit_test(sums_agree_with_native),   cmocka_unit_test(sums_cost_what_they_say),
        cmocka_unit_test(hashes_agree_with_native), cmocka_unit_test(parents_agree_with_native),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
