/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cpu.h"
#include "groth16/test_instance.h"
#include "synthesis/toy_circuits.h"

static const toy_t base_toy = {.seed = 5,
                               .n_public = 5,
                               .n_bits = 9,
                               .n_chain = 11,
                               .n_pad = 2,
                               .one_in_b = true,
                               .v_in_b = true,
                               .change = TOY_NO_CHANGE};

static cuzk_status prove(proof_t *proof, const srs_t *srs, circuit_fn circuit, const void *values,
                         uint64_t blinding_seed, strand_t *strand)
{
    const test_instance_t t = {.srs = srs, .circuit = circuit, .values = values};
    cuzk_error err;

    return test_instance_prove(proof, &t, blinding_seed, strand, &err);
}

static cuzk_status verify_toy(const srs_t *srs, const toy_t *toy, const proof_t *proof)
{
    fr_t inputs[64];
    cuzk_error err;

    toy_public(inputs, toy);
    return groth16_verify(&srs->vk, inputs, toy->n_public, proof, &err);
}

/* Each public input wrong by one: refused. */
static void expect_inputs_matter(const srs_t *srs, const toy_t *toy, const proof_t *proof)
{
    fr_t inputs[64];
    cuzk_error err;

    toy_public(inputs, toy);
    for (uint32_t i = 0; i < toy->n_public; i++) {
        const fr_t right = inputs[i];

        fr_add(&inputs[i], &inputs[i], &fr_one);
        assert_int_equal(groth16_verify(&srs->vk, inputs, toy->n_public, proof, &err),
                         CUZK_INVALID_PROOF);
        inputs[i] = right;
    }
    assert_int_equal(groth16_verify(&srs->vk, inputs, toy->n_public - 1, proof, &err),
                     CUZK_ERR_ARG);
    assert_int_equal(groth16_verify(&srs->vk, inputs, toy->n_public + 1, proof, &err),
                     CUZK_ERR_ARG);
}

/* The same proof whatever the number of threads. */
static void expect_same_with_threads(uint8_t bytes[GROTH16_PROOF_BYTES], bool *first,
                                     const srs_t *srs, const toy_t *toy, uint32_t threads)
{
    uint8_t again[GROTH16_PROOF_BYTES];
    cuzk_error err;
    proof_t proof;
    strand_t *strand;

    assert_int_equal(strand_open(&strand, threads, &err), CUZK_OK);
    assert_int_equal(prove(&proof, srs, toy_circuit, toy, 77, strand), CUZK_OK);
    groth16_write_proof(again, &proof);
    if (*first) memcpy(bytes, again, sizeof again);
    assert_memory_equal(bytes, again, sizeof again);
    *first = false;
    strand_close(strand);
}

/* And whatever the kernel family. */
static void expect_same_bytes(uint8_t bytes[GROTH16_PROOF_BYTES], const srs_t *srs,
                              const toy_t *toy)
{
    const cpu_level used = cpu_level_used();
    bool first = true;

    for (cpu_level level = CPU_PORTABLE; level <= cpu_level_available(); level++) {
        cpu_level_force(level);
        for (uint32_t threads = 1; threads <= 3; threads++)
            expect_same_with_threads(bytes, &first, srs, toy, threads);
    }
    cpu_level_force(used);
}

static void expect_proves(const toy_t *toy)
{
    uint8_t first[GROTH16_PROOF_BYTES];
    uint8_t bytes[GROTH16_PROOF_BYTES];
    proof_t proof;
    cuzk_error err;
    test_params_t s;

    test_params_open(&s, toy_circuit, toy);
    expect_same_bytes(bytes, &s.srs, toy);
    memcpy(first, bytes, sizeof first);
    assert_int_equal(groth16_read_proof(&proof, bytes, &err), CUZK_OK);
    assert_int_equal(verify_toy(&s.srs, toy, &proof), CUZK_OK);
    expect_inputs_matter(&s.srs, toy, &proof);

    /* another blinding: another valid proof */
    assert_int_equal(prove(&proof, &s.srs, toy_circuit, toy, 78, NULL), CUZK_OK);
    groth16_write_proof(bytes, &proof);
    assert_memory_not_equal(bytes, first, sizeof first);
    assert_int_equal(verify_toy(&s.srs, toy, &proof), CUZK_OK);
    test_params_close(&s);
}

static void test_variants(void **state)
{
    toy_t toy = base_toy;

    (void)state;
    expect_proves(&toy);
    toy.v_in_b = false; /* only ONE in B */
    expect_proves(&toy);
    toy.one_in_b = false; /* no input in B */
    expect_proves(&toy);
    toy.v_in_b = true; /* only an input in B */
    expect_proves(&toy);
    toy.n_bits = 0; /* no bits */
    expect_proves(&toy);
    toy.n_bits = 200; /* mostly bits */
    toy.n_chain = 1;
    expect_proves(&toy);
    toy = (toy_t){.n_public = 3, .change = TOY_NO_CHANGE}; /* one variable, two constraints */
    expect_proves(&toy);
}

/* Rows (constraints and inputs) exactly 2^k, and one more. */
static void test_domain_edges(void **state)
{
    toy_t toy = base_toy;

    (void)state;
    const uint64_t rows = toy_constraints(&toy) + toy.n_public + 1;
    toy.n_pad += (uint32_t)(64 - rows);
    for (uint32_t more = 0; more < 2; more++) {
        test_params_t s;
        proof_t proof;

        toy.n_pad += more;
        test_params_open(&s, toy_circuit, &toy);
        assert_int_equal(s.srs.h.n, more ? 127 : 63);
        assert_int_equal(prove(&proof, &s.srs, toy_circuit, &toy, 1, NULL), CUZK_OK);
        assert_int_equal(verify_toy(&s.srs, &toy, &proof), CUZK_OK);
        test_params_close(&s);
    }
}

static void one_constraint(cs_t *cs, const void *values)
{
    fr_t product;

    fr_from_u64(&product, 49);
    const var_t input = cs_alloc_input(cs, &product);
    const var_t aux = cs_alloc(cs, values);
    toy_product(cs, aux, aux, input);
}

static void test_tiny(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < 6; n++) { /* inputs only */
        fr_t inputs[8];
        cuzk_error err;
        proof_t proof;
        test_params_t s;

        test_params_open(&s, toy_inputs_only, &n);
        assert_int_equal(s.srs.l.n, 0);
        assert_int_equal(s.srs.b_g2.n, 0);
        assert_int_equal(prove(&proof, &s.srs, toy_inputs_only, &n, 9, NULL), CUZK_OK);
        for (uint32_t i = 0; i < n; i++) fr_from_u64(&inputs[i], i + 5);
        assert_int_equal(groth16_verify(&s.srs.vk, inputs, n, &proof, &err), CUZK_OK);
        test_params_close(&s);
    }
    for (uint64_t root = 6; root < 8; root++) {
        fr_t value, input;
        cuzk_error err;
        proof_t proof;
        test_params_t s;

        fr_from_u64(&value, root);
        fr_from_u64(&input, 49);
        test_params_open(&s, one_constraint, &value);
        assert_int_equal(prove(&proof, &s.srs, one_constraint, &value, 9, NULL), CUZK_OK);
        assert_int_equal(groth16_verify(&s.srs.vk, &input, 1, &proof, &err),
                         root == 7 ? CUZK_OK : CUZK_INVALID_PROOF);
        test_params_close(&s);
    }
}

static void test_each_wire(void **state)
{
    toy_t toy = base_toy;
    proof_t proof;
    test_params_t s;

    (void)state;
    test_params_open(&s, toy_circuit, &toy);
    for (toy.change = 0; toy.change < toy_aux(&toy); toy.change++) {
        assert_int_equal(prove(&proof, &s.srs, toy_circuit, &toy, 5, NULL), CUZK_OK);
        assert_int_equal(verify_toy(&s.srs, &toy, &proof), CUZK_INVALID_PROOF);
    }
    toy.change = TOY_NO_CHANGE;
    assert_int_equal(prove(&proof, &s.srs, toy_circuit, &toy, 5, NULL), CUZK_OK);
    assert_int_equal(verify_toy(&s.srs, &toy, &proof), CUZK_OK);
    test_params_close(&s);
}

static void test_each_bit(void **state)
{
    uint8_t bytes[GROTH16_PROOF_BYTES];
    proof_t proof, changed;
    unsigned decoded = 0;
    test_params_t s;

    (void)state;
    test_params_open(&s, toy_circuit, &base_toy);
    assert_int_equal(prove(&proof, &s.srs, toy_circuit, &base_toy, 5, NULL), CUZK_OK);
    groth16_write_proof(bytes, &proof);
    for (size_t bit = 0; bit < 8 * sizeof bytes; bit++) {
        cuzk_error err;

        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        cuzk_status st = groth16_read_proof(&changed, bytes, &err);
        if (st == CUZK_OK) {
            decoded++;
            st = verify_toy(&s.srs, &base_toy, &changed);
        }
        assert_int_equal(st, CUZK_INVALID_PROOF);
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    assert_int_equal(decoded, 3); /* the three signs */
    test_params_close(&s);
}

/* The parts in each other's place: they decode, and do not verify. */
static void test_swapped(void **state)
{
    proof_t proof, changed;
    test_params_t s;

    (void)state;
    test_params_open(&s, toy_circuit, &base_toy);
    assert_int_equal(prove(&proof, &s.srs, toy_circuit, &base_toy, 5, NULL), CUZK_OK);
    changed = (proof_t){proof.c, proof.b, proof.a};
    assert_int_equal(verify_toy(&s.srs, &base_toy, &changed), CUZK_INVALID_PROOF);
    test_params_close(&s);
}

/* (A / k, k B + k j delta, C + j A) proves the same. */
static void test_rerandomised(void **state)
{
    proof_t proof, other;
    scalar_t k, inverse, j, kj;
    fr_t k_fr, j_fr;
    g1_jac_t p, q;
    g2_jac_t p2, q2;
    test_params_t s;

    (void)state;
    test_params_open(&s, toy_circuit, &base_toy);
    assert_int_equal(prove(&proof, &s.srs, toy_circuit, &base_toy, 5, NULL), CUZK_OK);
    fr_from_u64(&k_fr, 123456789);
    fr_from_u64(&j_fr, 987654321);
    fr_to_scalar(&k, &k_fr);
    fr_to_scalar(&j, &j_fr);
    fr_mul(&j_fr, &j_fr, &k_fr);
    fr_to_scalar(&kj, &j_fr);
    fr_inv(&k_fr, &k_fr);
    fr_to_scalar(&inverse, &k_fr);

    g1_from_affine(&p, &proof.a);
    g1_mul(&q, &p, &inverse);
    g1_to_affine(&other.a, &q);
    g1_mul(&q, &p, &j);
    g1_add_affine(&q, &q, &proof.c);
    g1_to_affine(&other.c, &q);
    g2_from_affine(&p2, &proof.b);
    g2_mul(&p2, &p2, &k);
    g2_from_affine(&q2, &s.srs.vk.delta_g2);
    g2_mul(&q2, &q2, &kj);
    g2_add(&p2, &p2, &q2);
    g2_to_affine(&other.b, &p2);
    assert_int_equal(verify_toy(&s.srs, &base_toy, &other), CUZK_OK);
    test_params_close(&s);
}

enum { MANY = 11 };

static void test_verify_many(void **state)
{
    const uint32_t n = base_toy.n_public;
    fr_t inputs[MANY * 8];
    proof_t proofs[MANY];
    cuzk_error err;
    strand_t *strand;
    test_params_t s;

    (void)state;
    test_params_open(&s, toy_circuit, &base_toy);
    assert_int_equal(strand_open(&strand, 2, &err), CUZK_OK);
    for (uint32_t i = 0; i < MANY; i++) {
        toy_t toy = base_toy;

        toy.seed += i;
        toy_public(inputs + i * n, &toy);
        assert_int_equal(prove(&proofs[i], &s.srs, toy_circuit, &toy, i, NULL), CUZK_OK);
    }
    const srs_vk_t *vk = &s.srs.vk;
    for (size_t count = 0; count <= MANY; count++)
        assert_int_equal(groth16_verify_many(vk, inputs, n, proofs, count, strand, &err), CUZK_OK);
    for (uint32_t bad = 0; bad < MANY; bad++) {
        const proof_t right = proofs[bad];

        proofs[bad] = proofs[(bad + 1) % MANY];
        assert_int_equal(groth16_verify_many(vk, inputs, n, proofs, MANY, strand, &err),
                         CUZK_INVALID_PROOF);
        proofs[bad] = right;
        fr_add(&inputs[bad * n + 3], &inputs[bad * n + 3], &fr_one);
        assert_int_equal(groth16_verify_many(vk, inputs, n, proofs, MANY, NULL, &err),
                         CUZK_INVALID_PROOF);
        fr_sub(&inputs[bad * n + 3], &inputs[bad * n + 3], &fr_one);
    }
    assert_int_equal(groth16_verify_many(vk, inputs, n + 1, proofs, 1, NULL, &err), CUZK_ERR_ARG);
    strand_close(strand);
    test_params_close(&s);
}

/* One circuit's witness under another's parameters: refused, naming the section. */
static void expect_mismatch(const srs_t *srs, const toy_t *toy, const char *section)
{
    const test_instance_t t = {.srs = srs, .circuit = toy_circuit, .values = toy};
    cuzk_error err;
    proof_t proof;

    assert_int_equal(test_instance_prove(&proof, &t, 1, NULL, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, section));
    assert_non_null(strstr(err.text, srs->path));
}

static void test_mismatch(void **state)
{
    toy_t toy = base_toy;
    test_params_t s;

    (void)state;
    test_params_open(&s, toy_circuit, &toy);
    toy.n_public++;
    expect_mismatch(&s.srs, &toy, ": ic: count 6, 7 needed");
    toy = base_toy;
    toy.n_pad += 64;
    expect_mismatch(&s.srs, &toy, ": h: count 31, 127 needed");
    toy = base_toy;
    toy.n_chain--;
    expect_mismatch(&s.srs, &toy, ": l: count 22, 21 needed");
    toy = base_toy;
    toy.one_in_b = false;
    expect_mismatch(&s.srs, &toy, ": b_g1: count");
    toy = base_toy;
    toy.v_in_b = false; /* one variable less, made up for in the chain */
    toy.n_chain++;
    expect_mismatch(&s.srs, &toy, ": a: count");
    test_params_close(&s);
}

/* Other secrets, another key: a proof under its own only. */
static void test_other_key(void **state)
{
    test_params_t s;
    setup_secrets_t secrets;
    cuzk_error err;
    proof_t proof;
    srs_t fresh;

    (void)state;
    test_params_open(&s, toy_circuit, &base_toy);
    assert_int_equal(setup_random_secrets(&secrets, &err), CUZK_OK);
    const setup_outputs_t outputs = {.params_path = s.params, .replace = true};
    assert_int_equal(setup_run(&outputs, toy_circuit, &base_toy, &secrets, NULL, &err), CUZK_OK);
    assert_int_equal(srs_open(&fresh, s.params, NULL, &err), CUZK_OK);
    assert_int_equal(prove(&proof, &fresh, toy_circuit, &base_toy, 5, NULL), CUZK_OK);
    assert_int_equal(verify_toy(&fresh, &base_toy, &proof), CUZK_OK);
    assert_int_equal(verify_toy(&s.srs, &base_toy, &proof), CUZK_INVALID_PROOF);
    srs_close(&fresh);
    test_params_close(&s);
}

static void test_blinding(void **state)
{
    groth16_blinding_t one, two;
    cuzk_error err;

    (void)state;
    assert_int_equal(groth16_random_blinding(&one, &err), CUZK_OK);
    assert_int_equal(groth16_random_blinding(&two, &err), CUZK_OK);
    assert_false(fr_equal(&one.r, &two.r));
    assert_false(fr_equal(&one.s, &two.s));
    assert_false(fr_equal(&one.r, &one.s));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_variants),     cmocka_unit_test(test_domain_edges),
        cmocka_unit_test(test_tiny),         cmocka_unit_test(test_each_wire),
        cmocka_unit_test(test_each_bit),     cmocka_unit_test(test_swapped),
        cmocka_unit_test(test_rerandomised), cmocka_unit_test(test_verify_many),
        cmocka_unit_test(test_mismatch),     cmocka_unit_test(test_other_key),
        cmocka_unit_test(test_blinding)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
