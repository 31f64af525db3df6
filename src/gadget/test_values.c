/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gadget/merkle_batch.h"
#include "gadget/packing.h"
#include "gadget/poseidon.h"
#include "gadget/sha256_message.h"
#include "gadget/test_recorder.h"

/* Gadgets in a part that a run leaves out: the same values as ever, and nothing is added. */

typedef struct {
    fr_t numbers[16];
    bool bits[64];
    size_t n_numbers, n_bits;
} results_t;

static void keep(results_t *r, num_t a)
{
    r->numbers[r->n_numbers++] = a.value;
}

static void keep_bit(results_t *r, boolean_t a)
{
    r->bits[r->n_bits++] = a.value;
}

static void run_booleans(cs_t *cs, results_t *r)
{
    for (unsigned v = 0; v < 8; v++) {
        const boolean_t a = boolean_alloc(cs, v & 1);
        const boolean_t b = boolean_not(boolean_alloc(cs, v >> 1 & 1));
        const boolean_t c = boolean_alloc(cs, v >> 2 & 1);

        keep_bit(r, boolean_xor(cs, a, b));
        keep_bit(r, boolean_and(cs, a, b));
        keep_bit(r, boolean_ch(cs, a, b, c));
        keep_bit(r, boolean_maj(cs, a, b, c));
    }
}

static void run_numbers(cs_t *cs, results_t *r)
{
    boolean_t bits[FR_BITS];
    num_t a[8];
    fr_t value;

    for (unsigned i = 0; i < 8; i++) {
        fr_pow_u64(&value, &fr_generator, 1000 + i);
        a[i] = num_alloc(cs, &value);
    }
    num_inputize(cs, &a[0]);
    keep(r, num_alloc_public(cs, &value));
    keep(r, num_mul(cs, &a[0], &a[1]));
    keep(r, num_add(cs, &a[0], &a[1]));
    keep(r, num_sum(cs, a, 8));
    keep(r, num_affine(cs, &a[0].value, &a[1].value, &a[2]));
    num_to_bits(cs, bits, &a[3]);
    for (unsigned i = 0; i < 8; i++) keep_bit(r, bits[31 * i]);
    packing_enforce(cs, bits, FR_BITS, &a[3]);
    packing_inputs(cs, bits, FR_BITS);
    keep(r, packing_num(cs, bits, 200));
    keep(r, num_of_bit(bits[7]));
    keep(r, num_pick(cs, bits[1], &a[1], &a[2]));
    keep(r, merkle_select(cs, a, bits, 3));
    keep(r, poseidon_circuit(cs, POSEIDON_8, a));
    keep(r, sha256_circuit_parent(cs, a));
    keep(r, sha256_circuit_num(cs, bits, 248));
}

static void run_message(cs_t *cs, results_t *r)
{
    const arena_mark_t mark = arena_mark(&cs->arena);
    boolean_t bits[16];
    sha256_message_t m;
    num_t a;
    fr_t value;

    fr_pow_u64(&value, &fr_generator, 77);
    a = num_alloc(cs, &value);
    for (unsigned i = 0; i < 16; i++) bits[i] = boolean_alloc(cs, 0x1234 >> i & 1);
    sha256_message_open(&m, cs, 128);
    sha256_message_add_bits(&m, bits, 16);
    sha256_message_add_constant(&m, 0x01020304, 4);
    sha256_message_add_num(&m, &a);
    sha256_message_repeat(&m, 2, 33);
    assert_int_equal(m.n_bytes, 71);
    keep(r, sha256_message_hash(&m));
    arena_rewind(&cs->arena, mark);
}

static void compare(void (*run)(cs_t *cs, results_t *r))
{
    results_t made = {.n_bits = 0}, left_out = {.n_bits = 0}, alone = {.n_bits = 0};
    cs_t values = cs_of_values();
    recorder_t r;

    recorder_init(&r);
    run(&r.cs, &made);
    assert_int_equal(recorder_violated(&r), 0);
    const uint32_t n_aux = r.cs.n_aux, n_inputs = r.cs.n_inputs;
    const uint64_t n_constraints = r.cs.n_constraints;
    r.cs.values_only = true;
    run(&r.cs, &left_out);
    assert_int_equal(r.cs.n_aux, n_aux);
    assert_int_equal(r.cs.n_inputs, n_inputs);
    assert_int_equal(r.cs.n_constraints, n_constraints);
    assert_memory_equal(&left_out, &made, sizeof made);
    run(&values, &alone);
    assert_memory_equal(&alone, &made, sizeof made);
    recorder_clear(&r);
}

static void parts_left_out_give_the_same_values(void **unused)
{
    (void)unused;
    compare(run_booleans);
    compare(run_numbers);
    compare(run_message);
}

/* The bytes of a message are those that are hashed. */
static void messages_are_the_bytes_that_were_added(void **unused)
{
    uint8_t bytes[71] = {0x2c, 0x48, 1, 2, 3, 4}, digest[SHA256_BYTES];
    results_t r = {.n_bits = 0};
    cs_t values = cs_of_values();
    fr_t value;

    (void)unused;
    fr_pow_u64(&value, &fr_generator, 77);
    fr_to_bytes(bytes + 6, &value);
    memcpy(bytes + 38, bytes + 2, 33);
    sha256(digest, bytes, sizeof bytes);
    digest[31] &= 0x3f;
    assert_true(fr_from_bytes(&value, digest));
    run_message(&values, &r);
    assert_true(fr_equal(&r.numbers[0], &value));
}

static const merkle_opening_t *no_opening(const void *arg, uint32_t i)
{
    (void)i;
    return arg;
}

static void checks_left_out_add_nothing(void **unused)
{
    static fr_t siblings[64];
    const merkle_opening_t opening = {.path = {.siblings = siblings}};
    cs_t values = cs_of_values();
    merkle_batch_t batch;
    tree_shape_t shape;
    boolean_t bits[6];
    num_t nodes[64];

    (void)unused;
    tree_shape_sector(&shape, 6);
    num_alloc_all(&values, nodes, siblings, 64);
    for (unsigned i = 0; i < 6; i++) bits[i] = boolean_alloc(&values, false);
    merkle_include(&values, &shape, &nodes[0], &opening.path, &nodes[1]);
    merkle_include_at(&values, &shape, &nodes[0], bits, nodes, &nodes[1]);
    merkle_batch_open(&batch, &values, &shape, no_opening, &opening, 9);
    merkle_batch_include(&values, &batch, 8, &nodes[1]);
    num_enforce_equal(&values, &nodes[0], &nodes[1]);
    assert_int_equal(values.n_aux, 0);
    assert_int_equal(values.n_constraints, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_left_out_give_the_same_values),
        cmocka_unit_test(messages_are_the_bytes_that_were_added),
        cmocka_unit_test(checks_left_out_add_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
