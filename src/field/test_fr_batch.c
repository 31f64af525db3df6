/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cpu.h"
#include "field/fr_batch.h"

enum { N_EDGES = 16, N = N_EDGES * N_EDGES + 200 };

static const size_t lengths[] = {0, 1, 7, 8, 9, 15, 16, 17, 31, 64, 100, N};

enum { N_LENGTHS = sizeof lengths / sizeof *lengths };

/* Limbs that stress carries, put into the form of the memory as they are: all are below r. */
static const uint64_t edges[N_EDGES][4] = {
    {0, 0, 0, 0},
    {1, 0, 0, 0},
    {0xffffffff00000000, 0x53bda402fffe5bfe, 0x3339d80809a1d805, 0x73eda753299d7d48}, /* r - 1 */
    {0xfffffffeffffffff, 0x53bda402fffe5bfe, 0x3339d80809a1d805, 0x73eda753299d7d48},
    {0x00000001fffffffe, 0x5884b7fa00034802, 0x998c4fefecbc4ff5, 0x1824b159acc5056f}, /* one */
    {0xfffffffd00000003, 0xfb38ec08fffb13fc, 0x99ad88181ce5880f, 0x5bc8f5f97cd877d8}, /* -1 */
    {UINT64_MAX, UINT64_MAX, UINT64_MAX, 0x73eda753299d7d47},
    {UINT64_MAX, UINT64_MAX, UINT64_MAX, 0x3fffffffffffffff},
    {UINT64_MAX, 0, UINT64_MAX, 0},
    {0, UINT64_MAX, 0, 0x7000000000000000},
    {0x000fffffffffffff, 0, 0, 0},
    {0xfff0000000000000, 0x000000ffffffffff, 0, 0},
    {0, 0xffffff0000000000, 0x000000000fffffff, 0},
    {0, 0, 0xfffffffff0000000, 0x000000000000ffff},
    {0, 0, 0, 0x73eda753299d0000},
    {0x7fffffff80000000, 0xa9ded2017fff2dff, 0x199cec0404d0ec02, 0x39f6d3a994cebea4}, /* r / 2 */
};

static fr_t a[N], b[N], r[N], expected[N];

/* All pairs of edge values, then random ones. */
static void fill(void)
{
    cuzk_error err;

    for (size_t i = 0; i < N; i++) {
        assert_int_equal(fr_random(&a[i], &err), CUZK_OK);
        assert_int_equal(fr_random(&b[i], &err), CUZK_OK);
        if (i >= N_EDGES * N_EDGES) continue;
        memcpy(a[i].l, edges[i / N_EDGES], sizeof a[i].l);
        memcpy(b[i].l, edges[i % N_EDGES], sizeof b[i].l);
    }
}

static void assert_results_equal(size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!fr_equal(&r[i], &expected[i])) fail_msg("element %zu of %zu differs", i, n);
}

typedef void (*binary_batch)(fr_t *out, const fr_t *x, const fr_t *y, size_t n);
typedef void (*binary)(fr_t *out, const fr_t *x, const fr_t *y);

/* Against blst element by element: apart, in place of the first and of the second operand. */
static void check_binary(binary_batch batch, binary single)
{
    fill();
    for (size_t k = 0; k < N_LENGTHS; k++) {
        const size_t n = lengths[k];

        for (size_t i = 0; i < n; i++) single(&expected[i], &a[i], &b[i]);
        memset(r, 0xee, sizeof r);
        batch(r, a, b, n);
        assert_results_equal(n);
        if (n < N) assert_int_equal(r[n].l[0], 0xeeeeeeeeeeeeeeee);
        memcpy(r, a, sizeof r);
        batch(r, r, b, n);
        assert_results_equal(n);
        memcpy(r, b, sizeof r);
        batch(r, a, r, n);
        assert_results_equal(n);
    }
}

static void add_equals_blst(void **unused)
{
    (void)unused;
    check_binary(fr_batch_add, fr_add);
}

static void sub_equals_blst(void **unused)
{
    (void)unused;
    check_binary(fr_batch_sub, fr_sub);
}

static void mul_equals_blst(void **unused)
{
    (void)unused;
    check_binary(fr_batch_mul, fr_mul);
}

static void sqr_equals_blst(void **unused)
{
    (void)unused;
    fill();
    for (size_t i = 0; i < N; i++) fr_sqr(&expected[i], &a[i]);
    fr_batch_sqr(r, a, N);
    assert_results_equal(N);
    memcpy(r, a, sizeof r);
    fr_batch_sqr(r, r, N - 1);
    assert_results_equal(N - 1);
}

static void scale_equals_blst(void **unused)
{
    (void)unused;
    fill();
    for (size_t k = 0; k < N_EDGES; k++) {
        for (size_t i = 0; i < N; i++) fr_mul(&expected[i], &a[i], &b[k]);
        fr_batch_scale(r, a, &b[k], N);
        assert_results_equal(N);
    }
}

static void scale_powers_equals_blst(void **unused)
{
    (void)unused;
    fill();
    for (size_t k = 0; k < N_EDGES + 2; k++) {
        const fr_t first = k < N_EDGES ? b[k] : fr_one;
        const fr_t step = b[N - 1 - k];
        fr_t power = first;

        for (size_t i = 0; i < N; i++) {
            fr_mul(&expected[i], &a[i], &power);
            fr_mul(&power, &power, &step);
        }
        for (size_t l = 0; l < N_LENGTHS; l++) {
            fr_batch_scale_powers(r, a, &first, &step, lengths[l]);
            assert_results_equal(lengths[l]);
        }
    }
    fill();
    fr_batch_scale_powers(r, a, &fr_one, &fr_zero, N); /* 0^0 = 1 */
    memset(expected, 0, sizeof expected);
    expected[0] = a[0];
    assert_results_equal(N);
}

static void inv_equals_blst(void **unused)
{
    (void)unused;
    fill();
    for (size_t i = 0; i < N; i += 13) a[i] = fr_zero;
    for (size_t i = 0; i < N; i++) fr_inv(&expected[i], &a[i]);
    for (size_t k = 0; k < N_LENGTHS; k++) {
        fr_batch_inv(r, a, lengths[k]);
        assert_results_equal(lengths[k]);
    }
    memset(a, 0, sizeof a);
    memset(expected, 0, sizeof expected);
    fr_batch_inv(r, a, N);
    assert_results_equal(N);
}

static void scalars_go_there_and_back(void **unused)
{
    static scalar_t s[N];

    (void)unused;
    fill();
    for (size_t k = 0; k < N_LENGTHS; k++) {
        const size_t n = lengths[k];

        fr_batch_to_scalar(s, a, n);
        for (size_t i = 0; i < n; i++) {
            scalar_t wanted;

            fr_to_scalar(&wanted, &a[i]);
            assert_memory_equal(&s[i], &wanted, sizeof wanted);
        }
        fr_batch_from_scalar(r, s, n);
        memcpy(expected, a, sizeof a);
        assert_results_equal(n);
    }
    memcpy(s, a, sizeof a); /* any canonical integers, the edges among them; in place */
    for (size_t i = 0; i < N; i++) fr_from_scalar(&expected[i], &s[i]);
    fr_batch_from_scalar(r, s, N);
    assert_results_equal(N);
    memcpy(r, a, sizeof a);
    fr_batch_to_scalar((scalar_t *)r, r, N);
    fr_batch_to_scalar(s, a, N);
    assert_memory_equal(r, s, sizeof s);
}

static int use_portable(void **unused)
{
    (void)unused;
    cpu_level_force(CPU_PORTABLE);
    return 0;
}

static int use_best(void **unused)
{
    (void)unused;
    cpu_level_force(cpu_level_available());
    return 0;
}

/* Each test with the portable kernels and with the best this machine has. */
#define BOTH(test)                                                                                 \
    {#test " (portable)", test, use_portable, NULL, NULL},                                         \
    {                                                                                              \
#test " (best)", test, use_best, NULL, NULL                                                \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH(add_equals_blst), BOTH(sub_equals_blst),           BOTH(mul_equals_blst),
        BOTH(sqr_equals_blst), BOTH(scale_equals_blst),         BOTH(scale_powers_equals_blst),
        BOTH(inv_equals_blst), BOTH(scalars_go_there_and_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
