/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gadget/sha256.h"
#include "gadget/sha256_tape.c" /* its operations on words are static */
#include "pce/test_compare.h"

/* Operations on 32 booleans at once against those on one: all mixtures of constants, variables and
 * negated variables, most of which the circuits never make. */

typedef enum { OP_XOR, OP_CH, OP_MAJ, OP_SUM, OPS } op_kind;

typedef struct {
    op_kind op;
    uint64_t seed;
    unsigned mixture; /* which kinds there are: bit 0 constants, 1 variables, 2 negated ones */
} op_circuit_t;

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* A boolean of one of the kinds in the mixture; a variable has a value and costs one. */
static boolean_t random_boolean(cs_t *cs, uint64_t *state, unsigned mixture)
{
    const bool value = next_random(state) & 1;
    unsigned kind = (unsigned)(next_random(state) % 3);

    while (!(mixture >> kind & 1)) kind = (kind + 1) % 3;
    if (kind == 0) return boolean_constant(next_random(state) & 1);
    const bool unknown = cs->has_values && value;
    const boolean_t a = boolean_alloc(cs, unknown);
    return kind == 1 ? a : boolean_not(a);
}

/* Makes what a word is part of the witness. */
static void expose(cs_t *cs, sha256_word_t w)
{
    for (unsigned i = 0; i < UINT32_BITS; i++) {
        (void)boolean_alloc(cs, w.value >> i & 1);
        (void)boolean_alloc(cs, w.variable >> i & 1);
        (void)boolean_alloc(cs, w.negated >> i & 1);
    }
}

static sha256_word_t run_words(cs_t *cs, op_kind op, const sha256_word_t w[3])
{
    word_equations_t m = {0};
    word_sum_t sum = {0};

    switch (op) {
    case OP_XOR:
        return word_xor(cs, w[0], w[1]);
    case OP_CH:
        return word_ch(cs, w[0], w[1], w[2]);
    case OP_MAJ:
        return word_maj(cs, w[0], w[1], w[2]);
    default:
        break;
    }
    for (unsigned i = 0; i < 3; i++) sum_add(&sum, w[i]);
    const sha256_word_t r = sum_make(cs, &m, &sum);
    if (m.used > 0) enforce(cs, &m);
    return r;
}

static sha256_word_t run_booleans(cs_t *cs, op_kind op, const uint32_bits_t w[3])
{
    const uint32_bits_t *const operands[3] = {&w[0], &w[1], &w[2]};
    multieq_t m;
    uint32_bits_t r;

    multieq_init(&m, cs);
    if (op == OP_XOR) uint32_xor(cs, &r, &w[0], &w[1]);
    if (op == OP_CH) uint32_ch(cs, &r, &w[0], &w[1], &w[2]);
    if (op == OP_MAJ) uint32_maj(cs, &r, &w[0], &w[1], &w[2]);
    if (op == OP_SUM) uint32_add_many(&m, &r, operands, 3);
    multieq_close(&m);
    return word_from_bits(r.bits);
}

static void op_circuit(cs_t *cs, const void *circuit)
{
    const op_circuit_t *x = circuit;
    uint64_t state = x->seed;
    uint32_bits_t bits[3];
    sha256_word_t words[3];

    for (unsigned k = 0; k < 3; k++) {
        for (unsigned i = 0; i < UINT32_BITS; i++)
            bits[k].bits[i] = random_boolean(cs, &state, x->mixture);
        words[k] = word_from_bits(bits[k].bits);
    }
    expose(cs, cs->tape != NULL ? run_words(cs, x->op, words) : run_booleans(cs, x->op, bits));
}

static void check(circuit_fn circuit, const void *values)
{
    owned_assignment_t generic;
    pce_t *pce;
    cuzk_error err;

    if (pce_extract(&pce, "words", circuit, values, &err) != CUZK_OK) fail_msg("%s", err.text);
    compare_generic(&generic, circuit, values);
    compare_plan(&generic, circuit, values, pce_plan(pce));
    compare_paths(&generic.x, pce, circuit, values);
    owned_assignment_clear(&generic);
    pce_free(pce);
}

static void operations_on_words_are_those_on_booleans(void **unused)
{
    (void)unused;
    for (op_kind op = 0; op < OPS; op++) {
        for (unsigned mixture = 1; mixture < 8; mixture++) {
            for (uint64_t seed = 0; seed < 12; seed++) {
                const op_circuit_t circuit = {.op = op, .seed = seed, .mixture = mixture};

                check(op_circuit, &circuit);
            }
        }
    }
}

/* Messages of several lengths. */
typedef struct {
    size_t n_bits;
    uint64_t seed;
    unsigned mixture;
} message_t;

enum { MAX_MESSAGE = 1200 };

static void hash_circuit(cs_t *cs, const void *circuit)
{
    const message_t *x = circuit;
    uint64_t state = x->seed;
    boolean_t bits[MAX_MESSAGE];

    for (size_t i = 0; i < x->n_bits; i++) bits[i] = random_boolean(cs, &state, x->mixture);
    (void)sha256_circuit_num(cs, bits, x->n_bits);
    (void)sha256_circuit_num(cs, bits, x->n_bits); /* on another place */
}

static void hashes_are_the_same_on_all_paths(void **unused)
{
    static const size_t lengths[] = {8, 256, 440, 448, 512, 960, 1200};

    (void)unused;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const unsigned mixture = i == 0 ? 7 : 2 + (unsigned)i % 6;
        const message_t message = {.n_bits = lengths[i], .seed = i, .mixture = mixture};

        check(hash_circuit, &message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_on_words_are_those_on_booleans),
        cmocka_unit_test(hashes_are_the_same_on_all_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
