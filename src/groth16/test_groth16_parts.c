/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "base/file.h"
#include "device/cpu.h"
#include "groth16/groth16.h"
#include "groth16/query.h"
#include "groth16/quotient.h"
#include "ntt/ntt.h"

static uint64_t random_state = 1;

static uint64_t next_random(void) /* splitmix64 */
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static void random_fr(fr_t *r)
{
    fr_t square;

    fr_from_u64(r, next_random());
    fr_sqr(&square, r);
    fr_mul(&square, &square, &square);
    fr_mul(&square, &square, &square);
    fr_add(r, r, &square);
}

/* a and b of 2^lg elements. */
static void random_vectors(buffer_t **a, buffer_t **b, device_t *device, unsigned lg)
{
    const size_t m = (size_t)1 << lg;
    cuzk_error err;

    assert_int_equal(buffer_alloc(a, device, BUFFER_HOST, m * sizeof(fr_t), "a", &err), CUZK_OK);
    assert_int_equal(buffer_alloc(b, device, BUFFER_HOST, m * sizeof(fr_t), "b", &err), CUZK_OK);
    fr_t *in_a = (*a)->host, *in_b = (*b)->host;
    for (size_t i = 0; i < m; i++) {
        random_fr(&in_a[i]);
        in_b[i] = fr_zero;
        if (i % 3 != 0) random_fr(&in_b[i]);
    }
}

/* p = the product of polynomials a and b of m coefficients: 2 m of them. */
static void multiply_polynomials(fr_t *p, const fr_t *a, const fr_t *b, size_t m)
{
    for (size_t i = 0; i < 2 * m; i++) p[i] = fr_zero;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++) {
            fr_t product;

            fr_mul(&product, &a[i], &b[j]);
            fr_add(&p[i + j], &p[i + j], &product);
        }
}

/* h by long division of A B - C by X^m - 1; the remainder is 0. */
static void slow_quotient(fr_t *h, const fr_t *in_a, const fr_t *in_b, unsigned lg)
{
    const size_t m = (size_t)1 << lg;
    fr_t *a = calloc(5 * m, sizeof *a);
    fr_t *b = a + m;
    fr_t *c = a + 2 * m;
    fr_t *p = a + 3 * m;
    ntt_domain_t *domain;
    cuzk_error err;

    assert_int_equal(ntt_domain_open(&domain, lg, &err), CUZK_OK);
    memcpy(a, in_a, m * sizeof *a);
    memcpy(b, in_b, m * sizeof *b);
    for (size_t i = 0; i < m; i++) fr_mul(&c[i], &a[i], &b[i]);
    assert_int_equal(ntt_inverse(domain, a, NTT_NATURAL_TO_NATURAL, NULL, &err), CUZK_OK);
    assert_int_equal(ntt_inverse(domain, b, NTT_NATURAL_TO_NATURAL, NULL, &err), CUZK_OK);
    assert_int_equal(ntt_inverse(domain, c, NTT_NATURAL_TO_NATURAL, NULL, &err), CUZK_OK);
    ntt_domain_close(domain);
    multiply_polynomials(p, a, b, m);
    for (size_t i = 0; i < m; i++) {
        fr_sub(&p[i], &p[i], &c[i]);
        h[i] = p[m + i];
        fr_add(&p[i], &p[i], &p[m + i]);
        assert_true(fr_is_zero(&p[i]));
    }
    assert_true(fr_is_zero(&h[m - 1]));
    free(a);
}

/* The streams one, or three. */
static void expect_quotient(device_t *device, unsigned lg, bool beside, strand_t *strand)
{
    const size_t m = (size_t)1 << lg;
    fr_t *expected = calloc(m, sizeof *expected);
    stream_t *s[3] = {NULL};
    buffer_t *a, *b, *c;
    cuzk_error err;

    random_vectors(&a, &b, device, lg);
    slow_quotient(expected, a->host, b->host, lg);
    assert_int_equal(buffer_alloc(&c, device, BUFFER_HOST, m * sizeof(fr_t), "c", &err), CUZK_OK);
    for (unsigned i = 0; i < (beside ? 3u : 1u); i++)
        assert_int_equal(beside ? stream_open(&s[i], device, strand, &err)
                                : stream_open_on(&s[i], device, strand, &err),
                         CUZK_OK);
    const quotient_streams_t streams = {s[0], beside ? s[1] : s[0], beside ? s[2] : s[0]};
    assert_int_equal(quotient_give(&streams, c, &a, &b, lg, &err), CUZK_OK);
    assert_null(a);
    assert_null(b);
    assert_int_equal(stream_synchronise(s[0], &err), CUZK_OK);
    const scalar_t *h = c->host;
    for (size_t i = 0; i < m; i++) {
        scalar_t scalar;

        fr_to_scalar(&scalar, &expected[i]);
        assert_memory_equal(&h[i], &scalar, sizeof scalar);
    }
    for (unsigned i = 0; i < 3; i++) stream_close(s[i]);
    buffer_free(c);
    assert_int_equal(device_memory(device).used, 0);
    free(expected);
}

static void test_quotient(void **state)
{
    device_t *device;
    cuzk_error err;
    strand_t *strand;

    (void)state;
    assert_int_equal(strand_open(&strand, 2, &err), CUZK_OK);
    assert_int_equal(device_cpu_open(&device, &(device_cpu_options_t){0}, &err), CUZK_OK);
    for (unsigned lg = 0; lg <= 10; lg++) {
        expect_quotient(device, lg, false, lg % 2 ? strand : NULL);
        expect_quotient(device, lg, true, strand);
    }
    device_close(device);
    strand_close(strand);
}

/* The coset of a domain of 2^32 would need a root of order 2^33. */
static void test_quotient_limit(void **state)
{
    device_t *device;
    cuzk_error err;
    buffer_t *a, *b;
    stream_t *s;

    (void)state;
    assert_int_equal(device_cpu_open(&device, &(device_cpu_options_t){0}, &err), CUZK_OK);
    assert_int_equal(stream_open_on(&s, device, NULL, &err), CUZK_OK);
    random_vectors(&a, &b, device, 3);
    const quotient_streams_t streams = {s, s, s};
    assert_int_equal(quotient_give(&streams, a, &a, &b, 32, &err), CUZK_ERR_ARG);
    assert_non_null(a);
    assert_non_null(b);
    stream_close(s);
    buffer_free(a);
    buffer_free(b);
    device_close(device);
}

static void random_witness(witness_t *w, uint32_t n_inputs, uint32_t n_aux, unsigned bits_of_8)
{
    cuzk_error err;

    assert_int_equal(witness_open(w, n_inputs, n_aux, 0, &err), CUZK_OK);
    for (uint32_t i = 1; i < n_inputs; i++) {
        fr_t value;

        random_fr(&value);
        assert_true(witness_add_input(w, &value));
    }
    for (uint32_t i = 0; i < n_aux; i++) {
        fr_t value;

        random_fr(&value);
        if (next_random() % 8 < bits_of_8)
            assert_true(witness_add_bit(w, next_random() & 1));
        else
            assert_true(witness_add_element(w, &value));
    }
}

/* One in 2^sparse, except that 0 is all of them. */
static void random_density(density_t *d, uint32_t n, unsigned sparse)
{
    *d = (density_t){0};
    for (uint32_t i = 0; i < n; i++)
        if ((next_random() & (((uint64_t)1 << sparse) - 1)) == 0) assert_true(density_set(d, i));
}

/* Walks the members one by one and checks that each has its term or bit. */
typedef struct {
    const query_t *q;
    const scalar_t *scalars;
    size_t point, term;
} walk_t;

static void expect_selected(walk_t *walk, bool bit)
{
    const size_t i = walk->point++;

    assert_int_equal(walk->q->select[i / 64] >> i % 64 & 1, bit);
}

static void expect_term(walk_t *walk, const fr_t *value)
{
    const query_t *q = walk->q;
    scalar_t scalar;

    fr_to_scalar(&scalar, value);
    assert_true(walk->term < q->n_terms);
    assert_int_equal(q->at[walk->term], walk->point);
    assert_memory_equal(&walk->scalars[q->which[walk->term++]], &scalar, sizeof scalar);
    expect_selected(walk, false);
}

static void expect_query(const witness_t *w, const query_members_t *members, strand_t *strand)
{
    buffer_t *scalars;
    device_t *device;
    cuzk_error err;
    query_t q;

    assert_int_equal(device_cpu_open(&device, &(device_cpu_options_t){0}, &err), CUZK_OK);
    assert_int_equal(query_convert(&scalars, device, w, strand, &err), CUZK_OK);
    assert_int_equal(query_build(&q, w, members, strand, &err), CUZK_OK);
    walk_t walk = {.q = &q, .scalars = scalars->host};
    for (uint32_t i = 0; members->has_inputs && i < w->n_inputs; i++)
        if (members->input_dense == NULL || density_get(members->input_dense, i))
            expect_term(&walk, &w->inputs[i]);
    for (uint32_t i = 0; i < w->n_aux; i++) {
        if (members->aux_dense != NULL && !density_get(members->aux_dense, i)) continue;
        if (witness_is_bit(w, i))
            expect_selected(&walk, witness_bit(w, i));
        else
            expect_term(&walk, witness_aux(w, i));
    }
    assert_int_equal(walk.term, q.n_terms);
    assert_int_equal(walk.point, q.n_points);
    for (size_t i = q.n_points; i < 64 * q.select_words; i++)
        assert_int_equal(q.select[i / 64] >> i % 64 & 1, 0);
    assert_true(query_bytes(q.n_points, q.n_terms) == 8 * q.select_words + 8 * q.n_terms);
    const device_terms_t given = query_terms(&q, scalars);
    assert_int_equal(given.n_terms, q.n_terms);
    assert_ptr_equal(given.scalars, scalars);
    query_clear(&q);
    buffer_free(scalars);
    device_close(device);
}

static void expect_queries(uint32_t n_inputs, uint32_t n_aux, unsigned bits_of_8, unsigned sparse,
                           strand_t *strand)
{
    density_t inputs, aux;
    witness_t w;

    random_witness(&w, n_inputs, n_aux, bits_of_8);
    random_density(&inputs, n_inputs, 1);
    random_density(&aux, n_aux, sparse);
    expect_query(&w, &(query_members_t){0}, strand);
    expect_query(&w, &(query_members_t){.has_inputs = true, .aux_dense = &aux}, strand);
    expect_query(&w,
                 &(query_members_t){.has_inputs = true, .input_dense = &inputs, .aux_dense = &aux},
                 strand);
    density_clear(&inputs);
    density_clear(&aux);
    witness_clear(&w);
}

static void test_queries(void **state)
{
    cuzk_error err;
    strand_t *strand;

    (void)state;
    assert_int_equal(strand_open(&strand, 3, &err), CUZK_OK);
    for (uint32_t n_aux = 0; n_aux < 200; n_aux += 1 + n_aux / 8)
        for (unsigned sparse = 0; sparse < 4; sparse++)
            expect_queries(1 + n_aux % 70, n_aux, n_aux % 9, sparse, strand);
    expect_queries(3, 150001, 7, 1, strand); /* several blocks */
    expect_queries(70, 131072, 8, 0, strand);
    expect_queries(70, 131071, 0, 2, NULL);
    expect_queries(1, 65536, 4, 7, strand);
    strand_close(strand);
}

static void encode_generators(uint8_t bytes[GROTH16_PROOF_BYTES])
{
    const proof_t proof = {*g1_generator(), *g2_generator(), *g1_generator()};

    groth16_write_proof(bytes, &proof);
}

static void expect_refused(const uint8_t bytes[GROTH16_PROOF_BYTES], const char *part)
{
    cuzk_error err;
    proof_t proof;

    assert_int_equal(groth16_read_proof(&proof, bytes, &err), CUZK_INVALID_PROOF);
    assert_non_null(strstr(err.text, part));
}

/* The modulus of fp, big-endian. */
static const char p_hex[] = "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f624"
                            "1eabfffeb153ffffb9feffffffffaaab";

/* Encodings that are not a proof's. */
static void test_decoding(void **state)
{
    const struct {
        size_t at, n;
        const char *name;
    } parts[] = {{0, 48, "A"}, {48, 96, "B"}, {144, 48, "C"}};
    uint8_t bytes[GROTH16_PROOF_BYTES];
    cuzk_error err;
    proof_t proof;

    (void)state;
    encode_generators(bytes);
    assert_int_equal(groth16_read_proof(&proof, bytes, &err), CUZK_OK);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        uint8_t *part = bytes + parts[i].at;
        char text[16];

        (void)snprintf(text, sizeof text, "%s is not", parts[i].name);
        encode_generators(bytes);
        memset(part, 0, parts[i].n);
        expect_refused(bytes, text); /* no flags */
        part[0] = 0xc0;
        expect_refused(bytes, text); /* the identity */
        part[0] = 0xe0;
        expect_refused(bytes, text); /* with a sign */
        part[0] = 0xc0;
        part[parts[i].n - 1] = 1;
        expect_refused(bytes, text); /* with a coordinate */
        part[0] = 0x80;
        part[parts[i].n - 1] = 0;
        expect_refused(bytes, text); /* x = 0: of small order in G1, off the curve in G2 */
        encode_generators(bytes);
        part[0] &= 0x7f;
        expect_refused(bytes, text); /* the compressed flag cleared */
        encode_generators(bytes);
        part[0] ^= 0x20; /* the other sign is another point, but a good one */
        assert_int_equal(groth16_read_proof(&proof, bytes, &err), CUZK_OK);
        assert_true(bytes_from_hex(part, 48, p_hex, 96));
        part[0] |= 0x80;
        expect_refused(bytes, text); /* x = p */
        encode_generators(bytes);
        memset(part, 0xff, 48);
        part[0] = 0x9f;
        expect_refused(bytes, text); /* the largest x there is room for */
    }
}

/* A point of the curve outside the subgroup, found by counting up x. */
static void test_outside_subgroup(void **state)
{
    uint8_t bytes[GROTH16_PROOF_BYTES];
    unsigned found = 0;

    (void)state;
    for (uint8_t x = 1; x < 60; x++) {
        g1_affine_t p1;
        g2_affine_t p2;

        encode_generators(bytes);
        memset(bytes, 0, 48);
        bytes[0] = 0x80;
        bytes[47] = x;
        found += blst_p1_uncompress(&p1, bytes) == BLST_SUCCESS;
        expect_refused(bytes, "A is not");
        encode_generators(bytes);
        memset(bytes + 48, 0, 96);
        bytes[48] = 0x80;
        bytes[143] = x;
        found += blst_p2_uncompress(&p2, bytes + 48) == BLST_SUCCESS;
        expect_refused(bytes, "B is not");
    }
    assert_true(found > 30); /* half of the x are on a curve */
}

enum { MAX_GOLDEN_BYTES = 1 << 22, MAX_GOLDEN_INPUTS = 256, MAX_GOLDEN_PROOFS = 2 };

static char *read_golden(const char *folder, const char *name)
{
    char path[PATH_MAX];
    uint8_t *bytes;
    size_t length;
    cuzk_error err;

    (void)snprintf(path, sizeof path, "%s/tests/golden/%s/%s", CUZK_SOURCE_DIR, folder, name);
    assert_int_equal(file_read(&bytes, &length, path, MAX_GOLDEN_BYTES, &err), CUZK_OK);
    return (char *)bytes;
}

/* The next list of input values in a witness.json, ONE left out; *text moves past it. */
static uint32_t take_inputs(fr_t *inputs, const char **text)
{
    const char *at = strstr(*text, "\"input_values\"");
    uint32_t n = 0;

    assert_non_null(at);
    const char *end = strchr(at, ']');
    assert_non_null(end);
    at = strchr(at, '[');
    while ((at = strchr(at, '"')) != NULL && at < end) {
        uint8_t bytes[FR_BYTES];
        fr_t value;

        assert_true(bytes_from_hex(bytes, FR_BYTES, at + 1, 2 * FR_BYTES));
        assert_true(fr_from_bytes(&value, bytes));
        if (n > 0) inputs[n - 1] = value;
        n++;
        assert_true(n <= MAX_GOLDEN_INPUTS);
        at += 2 + 2 * FR_BYTES;
    }
    *text = end;
    return n - 1;
}

static void expect_golden(const char *folder, const char *vk_name, size_t n_proofs)
{
    char path[PATH_MAX];
    char *witness = read_golden(folder, "witness.json");
    char *hex = read_golden(folder, "proof.hex");
    const char *at = witness;
    fr_t inputs[MAX_GOLDEN_PROOFS * MAX_GOLDEN_INPUTS];
    proof_t proofs[MAX_GOLDEN_PROOFS];
    cuzk_error err;
    srs_vk_t vk;

    (void)snprintf(path, sizeof path, "%s/tests/golden/params/v28-%s.vk", CUZK_SOURCE_DIR, vk_name);
    assert_int_equal(srs_vk_read(&vk, path, NULL, &err), CUZK_OK);
    const uint32_t n = vk.n_ic - 1;
    for (size_t i = 0; i < n_proofs; i++) {
        uint8_t bytes[GROTH16_PROOF_BYTES];
        uint8_t again[GROTH16_PROOF_BYTES];

        assert_int_equal(take_inputs(inputs + i * n, &at), n);
        assert_true(
            bytes_from_hex(bytes, sizeof bytes, hex + i * 2 * sizeof bytes, 2 * sizeof bytes));
        assert_int_equal(groth16_read_proof(&proofs[i], bytes, &err), CUZK_OK);
        groth16_write_proof(again, &proofs[i]);
        assert_memory_equal(again, bytes, sizeof bytes);
        assert_int_equal(groth16_verify(&vk, inputs + i * n, n, &proofs[i], &err), CUZK_OK);
    }
    assert_int_equal(groth16_verify_many(&vk, inputs, n, proofs, n_proofs, NULL, &err), CUZK_OK);
    fr_add(&inputs[n / 2], &inputs[n / 2], &fr_one);
    assert_int_equal(groth16_verify(&vk, inputs, n, &proofs[0], &err), CUZK_INVALID_PROOF);
    assert_int_equal(groth16_verify_many(&vk, inputs, n, proofs, n_proofs, NULL, &err),
                     CUZK_INVALID_PROOF);
    srs_vk_clear(&vk);
    free(witness);
    free(hex);
}

/* Proofs by the reference prover, under keys in the reference's format. */
static void test_golden(void **state)
{
    static const char window[] = "proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-"
                                 "0170db1f394b35d995252228ee359194b13199d259380541dc529fb0099096b0";
    static const char porep[] =
        "stacked-proof-of-replication-merkletree-poseidon_hasher-8-0-0-sha256_hasher-"
        "032d3138d22506ec0082ed72b2dcba18df18477904e35bafee82b3793b06832f";

    (void)state;
    expect_golden("winning-2KiB",
                  "proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-"
                  "3ea05428c9d11689f23529cde32fd30aabd50f7d2c93657c1d3650bca3e8ea9e",
                  1);
    expect_golden("window-2KiB", window, 2);
    expect_golden("window-v1-2KiB", window, 2);
    expect_golden("porep-2KiB-0", porep, 1);
    expect_golden("porep-v1-2KiB", porep, 1);
    expect_golden("update-2KiB",
                  "empty-sector-update-merkletree-poseidon_hasher-8-0-0-"
                  "fb9e095bebdd77511c0269b967b4d87ba8b8a525edaa0e165de23ba454510194",
                  1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quotient),         cmocka_unit_test(test_quotient_limit),
        cmocka_unit_test(test_queries),          cmocka_unit_test(test_decoding),
        cmocka_unit_test(test_outside_subgroup), cmocka_unit_test(test_golden)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
