/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "base/cpu.h"
#include "field/fp_batch.h"

enum { N_EDGE = 12, N_RANDOM = 500 };

static const fp_t modulus = {{0xb9feffffffffaaab, 0x1eabfffeb153ffff, 0x6730d2a0f6b0f624,
                              0x64774b84f38512bf, 0x4b1ba7b6434bacd7, 0x1a0111ea397fe69a}};

static uint64_t random_state = 7;

static uint64_t random_u64(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static bool below_p(const fp_t *a)
{
    for (int i = 5; i >= 0; i--)
        if (a->l[i] != modulus.l[i]) return a->l[i] < modulus.l[i];
    return false;
}

static void random_fp(fp_t *r)
{
    do
        for (int i = 0; i < 6; i++) r->l[i] = random_u64() >> (i == 5 ? 3 : 0);
    while (!below_p(r));
}

/* Limbs as they stand: 0, 1, p - 1, limbs of ones, boundaries of the 52-bit limbs. */
static void edge_fp(fp_t r[N_EDGE])
{
    memset(r, 0, N_EDGE * sizeof *r);
    r[1].l[0] = 1;
    r[2] = modulus;
    r[2].l[0]--;
    memset(&r[3], 0xff, sizeof r[3]);
    r[3].l[5] = modulus.l[5] - 1;
    for (int i = 0; i < 6; i++) r[4 + i].l[i] = i == 5 ? (uint64_t)1 << 60 : UINT64_MAX;
    r[10].l[0] = (uint64_t)1 << 52;
    r[11] = modulus;
    r[11].l[5] = 0;
}

typedef struct {
    fp_t *a, *b, *r;
    size_t n;
} operands_t;

/* All pairs of edge values, then random ones. */
static void operands_open(operands_t *o)
{
    fp_t edge[N_EDGE];

    edge_fp(edge);
    o->n = N_EDGE * N_EDGE + N_RANDOM;
    o->a = calloc(o->n, sizeof *o->a);
    o->b = calloc(o->n, sizeof *o->b);
    o->r = calloc(o->n, sizeof *o->r);
    for (size_t i = 0; i < o->n; i++) {
        random_fp(&o->a[i]);
        random_fp(&o->b[i]);
        if (i < N_EDGE * N_EDGE) {
            o->a[i] = edge[i / N_EDGE];
            o->b[i] = edge[i % N_EDGE];
        }
    }
}

static void operands_close(operands_t *o)
{
    free(o->a);
    free(o->b);
    free(o->r);
}

static void each_level(void (*check)(operands_t *o))
{
    const cpu_level before = cpu_level_used();
    operands_t o;

    operands_open(&o);
    for (int level = 0; level <= (int)cpu_level_available(); level++) {
        cpu_level_force((cpu_level)level);
        check(&o);
    }
    cpu_level_force(before);
    operands_close(&o);
}

static void check_mul(operands_t *o)
{
    const size_t sizes[] = {0, 1, 2, 7, 8, 9, 15, 16, 17, o->n};

    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        memset(o->r, 0x55, o->n * sizeof *o->r);
        fp_batch_mul(o->r, o->a, o->b, sizes[k]);
        for (size_t i = 0; i < sizes[k]; i++) {
            fp_t want;

            blst_fp_mul(&want, &o->a[i], &o->b[i]);
            assert_memory_equal(&o->r[i], &want, sizeof want);
        }
        if (sizes[k] < o->n) assert_int_equal(o->r[sizes[k]].l[0], 0x5555555555555555);
    }
    /* In place. */
    fp_batch_mul(o->r, o->a, o->b, o->n);
    fp_t *copy = malloc(o->n * sizeof *copy);
    memcpy(copy, o->a, o->n * sizeof *copy);
    fp_batch_mul(copy, copy, o->b, o->n);
    assert_memory_equal(copy, o->r, o->n * sizeof *copy);
    free(copy);
}

static void test_mul(void **state)
{
    (void)state;
    each_level(check_mul);
}

static void check_mul2(operands_t *o)
{
    const fp2_t *a = (const fp2_t *)o->a;
    const fp2_t *b = (const fp2_t *)o->b;
    fp2_t *r = (fp2_t *)o->r;

    for (size_t k = 0; k <= 20; k++) {
        const size_t n = k < 20 ? k : o->n / 2;

        fp2_batch_mul(r, a, b, n);
        for (size_t i = 0; i < n; i++) {
            fp2_t want;

            blst_fp2_mul(&want, &a[i], &b[i]);
            assert_memory_equal(&r[i], &want, sizeof want);
        }
    }
}

static void test_mul2(void **state)
{
    (void)state;
    each_level(check_mul2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mul),
        cmocka_unit_test(test_mul2),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
