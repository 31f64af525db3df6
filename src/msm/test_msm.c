/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The tests of one group's multiplications, compiled once a group: TEST_GROUP_H names the header
 * that sets G, GROUP, GU, POINTS_TO_AFFINE, FIXED_BASE and PUBLISHED_RESULT. Points are known
 * multiples of the generator, so that an expected value is one product of the generator; the
 * kernels of every level the machine has are tested. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <openssl/sha.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "base/cpu.h"
#include "base/memory.h"
#include "msm/fixed_base.h"
#include "msm/msm.h"
#include TEST_GROUP_H

typedef G(affine_t) affine_t;
typedef G(jac_t) jac_t;

enum { PEER_LG = 12, N_PEER = 1 << PEER_LG, N_SMALL = 600 };

static affine_t *multiple; /* [i] = (i + 1) * generator, N_PEER of them */
static scalar_t *peer;     /* the scalars of the published benchmark */

static void expect_affine(const jac_t *got, const affine_t *want)
{
    affine_t affine;

    if (G(affine_is_identity)(want)) {
        assert_true(G(is_identity)(got));
        return;
    }
    assert_false(G(is_identity)(got));
    G(to_affine)(&affine, got);
    assert_memory_equal(&affine, want, sizeof affine);
}

static void generator_times(affine_t *r, const fr_t *k)
{
    jac_t g;
    scalar_t s;

    fr_to_scalar(&s, k);
    G(from_affine)(&g, G(generator)());
    G(mul)(&g, &g, &s);
    *r = (affine_t){0};
    if (!G(is_identity)(&g)) G(to_affine)(r, &g);
}

/* The published benchmark's inputs: point i is (i + 1) * generator, n a power of 2. */
static void peer_points(affine_t *points, size_t n)
{
    const size_t block = n < 4096 ? n : 4096;
    jac_t *sum = calloc(block + 1, sizeof *sum);
    const jac_t *const sums[2] = {sum, NULL};

    for (size_t i = 0; i < n; i += block) {
        for (size_t j = 0; j < block; j++) {
            G(add_affine)(&sum[j], &sum[block], G(generator)());
            sum[block] = sum[j];
        }
        POINTS_TO_AFFINE(points + i, sums, block);
    }
    free(sum);
}

static void peer_scalar(scalar_t *k, uint64_t i)
{
    uint8_t text[17] = "cuzk-peer";
    uint8_t digest[32];

    store_le64(text + 9, i);
    SHA256(text, sizeof text, digest);
    digest[31] &= 0x3f;
    memcpy(k, digest, sizeof digest);
}

static int set_up(void **state)
{
    (void)state;
    multiple = calloc(N_PEER, sizeof *multiple);
    peer = calloc(N_PEER, sizeof *peer);
    peer_points(multiple, N_PEER);
    for (size_t i = 0; i < N_PEER; i++) peer_scalar(&peer[i], i);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(multiple);
    free(peer);
    return 0;
}

/* Point i of a test is sign[i] * (log[i]) * generator, 1 <= log[i] <= N_PEER, or the identity
 * for log[i] == 0. */
typedef struct {
    affine_t *points;
    uint8_t *bytes; /* the same, uncompressed */
    fr_t *log;
    size_t n;
} test_points_t;

static void points_open(test_points_t *p, size_t n)
{
    p->n = n;
    p->points = calloc(n + 1, sizeof *p->points);
    p->bytes = calloc(n + 1, GU(UNCOMPRESSED_BYTES));
    p->log = calloc(n + 1, sizeof *p->log);
}

static void points_close(test_points_t *p)
{
    free(p->points);
    free(p->bytes);
    free(p->log);
}

static void points_set(test_points_t *p, size_t i, uint64_t log, bool negative)
{
    p->points[i] = (affine_t){0};
    fr_from_u64(&p->log[i], log);
    if (log > 0) p->points[i] = multiple[log - 1];
    if (log > 0 && negative) {
        jac_t j;

        G(from_affine)(&j, &p->points[i]);
        G(neg)(&j);
        G(to_affine)(&p->points[i], &j);
        fr_neg(&p->log[i], &p->log[i]);
    }
    G(write_uncompressed)(p->bytes + i * GU(UNCOMPRESSED_BYTES), &p->points[i]);
}

static uint64_t random_state = 1;

static uint64_t random_u64(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static void random_scalar(scalar_t *k)
{
    do
        for (int i = 0; i < 4; i++) k->l[i] = random_u64() >> (i == 3);
    while (!scalar_is_canonical(k));
}

static void points_random(test_points_t *p, size_t n)
{
    points_open(p, n);
    for (size_t i = 0; i < n; i++)
        points_set(p, i, random_u64() % (N_PEER + 1), random_u64() % 2 == 0);
}

/* The expected sum, from the logarithms. */
static void expected(affine_t *r, const test_points_t *p, const msm_scalars_t *s)
{
    fr_t sum = fr_zero;

    for (size_t i = 0; s->select != NULL && i < p->n; i++)
        if (s->select[i / 64] >> i % 64 & 1) fr_add(&sum, &sum, &p->log[i]);
    for (size_t j = 0; j < s->n_terms; j++) {
        fr_t k;

        fr_from_scalar(&k, &s->scalars[s->scalar_index != NULL ? s->scalar_index[j] : j]);
        fr_mul(&k, &k, &p->log[s->point_index != NULL ? s->point_index[j] : j]);
        fr_add(&sum, &sum, &k);
    }
    generator_times(r, &sum);
}

/* Memory for the sum, whose contents must not matter. */
static void *make_memory(size_t *size, const test_points_t *p, const msm_scalars_t *s,
                         uint32_t threads, uint32_t window)
{
    const msm_size_t of = {.n_points = p->n,
                           .n_terms = s->n_terms,
                           .has_selected = s->select != NULL,
                           .window_bits = window,
                           .threads = threads};
    cuzk_error err;
    void *memory;

    *size = GROUP(msm_bytes)(&of);
    assert_int_equal(big_alloc(&memory, *size, 1, "msm", &err), CUZK_OK);
    memset(memory, 0xa5, *size);
    return memory;
}

static void check_run(const test_points_t *p, const msm_scalars_t *s, uint32_t threads,
                      uint32_t window)
{
    const points_t affine = {p->n, POINTS_AFFINE, sizeof(affine_t), .base = p->points};
    const points_t bytes = {p->n, POINTS_UNCOMPRESSED, GU(UNCOMPRESSED_BYTES), .base = p->bytes};
    msm_options_t options = {.window_bits = window};
    cuzk_error err;
    affine_t want;
    strand_t *strand = NULL;
    jac_t got;

    expected(&want, p, s);
    if (threads > 1) assert_int_equal(strand_open(&strand, threads, &err), CUZK_OK);
    assert_int_equal(GROUP(msm)(&got, &affine, s, &options, strand, &err), CUZK_OK);
    expect_affine(&got, &want);
    options.memory = make_memory(&options.memory_bytes, p, s, threads, window);
    assert_int_equal(GROUP(msm)(&got, &bytes, s, &options, strand, &err), CUZK_OK);
    expect_affine(&got, &want);
    big_free(options.memory, options.memory_bytes, 1);
    strand_close(strand);
}

/* Every kernel level, 1, 2 and 3 threads. */
static void check(const test_points_t *p, const msm_scalars_t *s)
{
    const cpu_level before = cpu_level_used();

    for (int level = 0; level <= (int)cpu_level_available(); level++) {
        cpu_level_force((cpu_level)level);
        for (uint32_t threads = 1; threads <= 3; threads++) check_run(p, s, threads, 0);
    }
    cpu_level_force(before);
}

static void test_no_terms(void **state)
{
    test_points_t p;
    const uint64_t none[1] = {0};

    (void)state;
    for (size_t n = 0; n <= 1; n++) {
        points_random(&p, n);
        check(&p, &(msm_scalars_t){0});
        check(&p, &(msm_scalars_t){.select = none});
        points_close(&p);
    }
}

static void test_one_term(void **state)
{
    scalar_t k[8] = {{{0}}, {{1}}, {{2}}, {{0}}, {{0, 1}}, {{0, 0, 1}}, {{UINT64_MAX, 0, 0, 0}}};
    test_points_t p;

    (void)state;
    k[3] = fr_modulus;
    k[3].l[0]--;
    random_scalar(&k[7]);
    points_open(&p, 1);
    for (size_t i = 0; i < 8; i++)
        for (uint64_t log = 0; log <= 2; log++) {
            points_set(&p, 0, log, i % 2 == 1);
            check(&p, &(msm_scalars_t){.scalars = &k[i], .n_terms = 1});
        }
    points_close(&p);
}

/* All pairs of points among 0, +-G, +-2G, and all pairs of scalars among 0, 1, 2, r-1. */
static void test_two_terms_exhaustive(void **state)
{
    scalar_t values[4] = {{{0}}, {{1}}, {{2}}, {{0}}};
    test_points_t p;

    (void)state;
    values[3] = fr_modulus;
    values[3].l[0]--;
    points_open(&p, 2);
    for (int a = -2; a <= 2; a++)
        for (int b = -2; b <= 2; b++)
            for (int k = 0; k < 16; k++) {
                const scalar_t scalars[2] = {values[k / 4], values[k % 4]};
                const msm_scalars_t s = {.scalars = scalars, .n_terms = 2};

                points_set(&p, 0, (uint64_t)abs(a), a < 0);
                points_set(&p, 1, (uint64_t)abs(b), b < 0);
                check_run(&p, &s, 1, 0);
            }
    points_close(&p);
}

static void test_sizes_random(void **state)
{
    const size_t sizes[] = {2, 3, 7, 8, 9, 31, 64, 65, 200, N_SMALL};
    scalar_t *k = calloc(N_SMALL, sizeof *k);

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        test_points_t p;

        points_random(&p, sizes[i]);
        for (size_t j = 0; j < sizes[i]; j++) random_scalar(&k[j]);
        check(&p, &(msm_scalars_t){.scalars = k, .n_terms = sizes[i]});
        points_close(&p);
    }
    free(k);
}

static void test_windows(void **state)
{
    scalar_t k[40];
    test_points_t p;

    (void)state;
    points_random(&p, 40);
    for (size_t j = 0; j < 40; j++) random_scalar(&k[j]);
    memset(k[7].l, 0, sizeof k[7].l);
    k[8] = fr_modulus;
    k[8].l[0]--;
    for (uint32_t window = 1; window <= 15; window++)
        check_run(&p, &(msm_scalars_t){.scalars = k, .n_terms = 40}, 1 + window % 3, window);
    points_close(&p);
}

static void test_select_and_lists(void **state)
{
    enum { N = 1000 };
    uint64_t select[(N + 63) / 64] = {0};
    uint32_t *at = calloc(N, sizeof *at);
    uint32_t *which = calloc(N, sizeof *which);
    scalar_t *k = calloc(N, sizeof *k);
    test_points_t p;
    size_t n_terms = 0;

    (void)state;
    points_random(&p, N);
    for (uint32_t i = 0; i < N; i++) {
        random_scalar(&k[i]);
        if (random_u64() % 2 == 0) select[i / 64] |= (uint64_t)1 << i % 64;
        if (random_u64() % 5 == 0) at[n_terms++] = i;
    }
    for (size_t j = 0; j < n_terms; j++) which[j] = (uint32_t)(random_u64() % N);
    check(&p, &(msm_scalars_t){.select = select});
    check(&p, &(msm_scalars_t){.scalars = k, .point_index = at, .n_terms = n_terms});
    check(&p, &(msm_scalars_t){.scalars = k, .scalar_index = which, .n_terms = n_terms});
    check(&p, &(msm_scalars_t){
                  .scalars = k, .scalar_index = which, .point_index = at, .n_terms = n_terms});
    check(&p, &(msm_scalars_t){select, k, which, at, n_terms});
    check(&p, &(msm_scalars_t){.select = select, .scalars = k, .n_terms = 1});
    at[0] = N - 1;
    check(&p, &(msm_scalars_t){.select = select, .scalars = k, .point_index = at, .n_terms = 1});
    points_close(&p);
    free(at);
    free(which);
    free(k);
}

/* What a hostile prover would send: equal and opposite points, equal and tiny scalars. */
static void test_adversarial(void **state)
{
    uint64_t select[(N_SMALL + 63) / 64];
    scalar_t *k = calloc(N_SMALL, sizeof *k);
    test_points_t p;

    (void)state;
    memset(select, 0xff, sizeof select);
    select[N_SMALL / 64] = ((uint64_t)1 << N_SMALL % 64) - 1;
    points_open(&p, N_SMALL);
    for (int points = 0; points < 4; points++)
        for (int scalars = 0; scalars < 4; scalars++) {
            for (size_t i = 0; i < N_SMALL; i++) {
                const bool alternate = points == 1 && i % 2 == 1;

                points_set(&p, i,
                           points == 3   ? 0
                           : points == 2 ? i / 2 % N_PEER + 1
                                         : 1,
                           alternate);
                random_scalar(&k[i]);
                if (scalars == 1) k[i] = k[0];
                if (scalars == 2) k[i] = (scalar_t){{i % 50 == 0 ? 3 : 0}};
                if (scalars == 3) k[i] = peer[i / 3];
            }
            check(&p, &(msm_scalars_t){.select = scalars == 3 ? select : NULL,
                                       .scalars = k,
                                       .n_terms = N_SMALL});
        }
    points_close(&p);
    free(k);
}

static void test_peer_inputs(void **state)
{
    test_points_t p;

    (void)state;
    points_open(&p, N_PEER);
    for (size_t i = 0; i < N_PEER; i++) points_set(&p, i, i + 1, false);
    check(&p, &(msm_scalars_t){.scalars = peer, .n_terms = N_PEER});
    points_close(&p);
}

/* The published result for 2^16 points. */
static void test_published_result(void **state)
{
    enum { N = 1 << 16 };
    uint8_t want[GU(COMPRESSED_BYTES)];
    uint8_t got[GU(COMPRESSED_BYTES)];
    affine_t *points = calloc(N, sizeof *points);
    scalar_t *k = calloc(N, sizeof *k);
    const points_t source = {N, POINTS_AFFINE, sizeof *points, .base = points};
    const msm_scalars_t scalars = {.scalars = k, .n_terms = N};
    const msm_options_t options = {0};
    affine_t affine;
    cuzk_error err;
    strand_t *strand;
    jac_t r;

    (void)state;
    peer_points(points, N);
    for (size_t i = 0; i < N; i++) peer_scalar(&k[i], i);
    assert_int_equal(strand_open(&strand, 2, &err), CUZK_OK);
    assert_int_equal(GROUP(msm)(&r, &source, &scalars, &options, strand, &err), CUZK_OK);
    strand_close(strand);
    G(to_affine)(&affine, &r);
    G(write_compressed)(got, &affine);
    assert_true(bytes_from_hex(want, sizeof want, PUBLISHED_RESULT, sizeof PUBLISHED_RESULT - 1));
    assert_memory_equal(got, want, sizeof want);
    free(points);
    free(k);
}

static void *run_on_small_stack(void *arg)
{
    const test_points_t *p = arg;

    check_run(p, &(msm_scalars_t){.scalars = peer, .n_terms = p->n}, 1, 0);
    return NULL;
}

static void test_small_stack(void **state)
{
    pthread_attr_t attr;
    pthread_t thread;
    test_points_t p;

    (void)state;
    points_random(&p, N_PEER);
    assert_int_equal(pthread_attr_init(&attr), 0);
    assert_int_equal(pthread_attr_setstacksize(&attr, 256 << 10), 0);
    assert_int_equal(pthread_create(&thread, &attr, run_on_small_stack, &p), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(pthread_attr_destroy(&attr), 0);
    points_close(&p);
}

static void check_fixed_base(const affine_t *base, const fr_t *log, const scalar_t *k, size_t n,
                             size_t n_planned, uint32_t threads)
{
    affine_t *r = calloc(n, sizeof *r);
    FIXED_BASE_T *table;
    strand_t *strand;
    cuzk_error err;

    assert_int_equal(strand_open(&strand, threads, &err), CUZK_OK);
    assert_int_equal(FIXED_BASE(open)(&table, base, n_planned, strand, &err), CUZK_OK);
    assert_int_equal(FIXED_BASE(mul)(r, table, k, n, strand, &err), CUZK_OK);
    for (size_t i = 0; i < n; i++) {
        affine_t want;
        fr_t product;

        fr_from_scalar(&product, &k[i]);
        fr_mul(&product, &product, log);
        generator_times(&want, &product);
        assert_memory_equal(&r[i], &want, sizeof want);
    }
    FIXED_BASE(close)(table);
    strand_close(strand);
    free(r);
}

static void test_fixed_base(void **state)
{
    enum { N = 300 };
    const cpu_level before = cpu_level_used();
    scalar_t k[N] = {{{0}}, {{1}}, {{2}}, {{255}}, {{256}}, {{0, 0, 0, 1}}};
    const affine_t identity = {0};
    fr_t log;

    (void)state;
    k[6] = fr_modulus;
    k[6].l[0]--;
    k[7] = fr_modulus;
    k[7].l[0] -= 2;
    for (size_t i = 8; i < N; i++) random_scalar(&k[i]);
    for (int level = 0; level <= (int)cpu_level_available(); level++) {
        cpu_level_force((cpu_level)level);
        fr_from_u64(&log, 5);
        check_fixed_base(&multiple[4], &log, k, N, N, 1);
        check_fixed_base(&multiple[4], &log, k, N, 100000, 2);
        check_fixed_base(&multiple[4], &log, k, 8, 1, 3);
        check_fixed_base(&identity, &fr_zero, k, N, N, 2);
    }
    cpu_level_force(before);
    FIXED_BASE(close)(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_terms),
        cmocka_unit_test(test_one_term),
        cmocka_unit_test(test_two_terms_exhaustive),
        cmocka_unit_test(test_sizes_random),
        cmocka_unit_test(test_windows),
        cmocka_unit_test(test_select_and_lists),
        cmocka_unit_test(test_adversarial),
        cmocka_unit_test(test_peer_inputs),
        cmocka_unit_test(test_published_result),
        cmocka_unit_test(test_small_stack),
        cmocka_unit_test(test_fixed_base),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
