/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* How multiplications behave beside their result (test_msm.c): points that are read, threads,
 * cancelling, memory. Compiled for each group, as test_msm.c is, with calls of our code to mmap,
 * munmap, calloc and pthread_create sent through here. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "msm/fixed_base.h"
#include "msm/msm.h"
#include TEST_GROUP_H

typedef G(affine_t) affine_t;
typedef G(jac_t) jac_t;

/* ---- what our code asks of the system ------------------------------------------------------- */

void *__real_mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset);
int __real_munmap(void *at, size_t length);
void *__real_calloc(size_t n, size_t size);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *arg);
void *__wrap_mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset);
int __wrap_munmap(void *at, size_t length);
void *__wrap_calloc(size_t n, size_t size);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *arg);

static size_t held_bytes, peak_bytes, heap_bytes;
static bool refuses_memory, refuses_threads;

void *__wrap_mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset)
{
    if (refuses_memory) return MAP_FAILED;
    held_bytes += length;
    if (held_bytes > peak_bytes) peak_bytes = held_bytes;
    return __real_mmap(at, length, protection, flags, fd, offset);
}

int __wrap_munmap(void *at, size_t length)
{
    held_bytes -= length;
    return __real_munmap(at, length);
}

void *__wrap_calloc(size_t n, size_t size)
{
    heap_bytes += n * size;
    return __real_calloc(n, size);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *arg)
{
    return refuses_threads ? 11 : __real_pthread_create(thread, attributes, start, arg);
}

/* ---- inputs --------------------------------------------------------------------------------- */

/* More than two chunks of either group on few threads, and a last buffer that is not full. */
enum { N = 70001, SCALARS = 1000 };

static affine_t *affine;
static uint8_t *bytes; /* the same points, uncompressed */
static scalar_t *scalars;
static uint64_t *select_all; /* a bitmap with half the points */
static uint32_t *point_index, *scalar_index;
static size_t n_listed;

static uint64_t random_u64(void)
{
    static uint64_t state = 5;

    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void make_points(void)
{
    FIXED_BASE_T *table;
    strand_t *strand;
    cuzk_error err;

    assert_int_equal(strand_open(&strand, 2, &err), CUZK_OK);
    assert_int_equal(FIXED_BASE(open)(&table, G(generator)(), N, strand, &err), CUZK_OK);
    assert_int_equal(FIXED_BASE(mul)(affine, table, scalars, N, strand, &err), CUZK_OK);
    FIXED_BASE(close)(table);
    strand_close(strand);
    for (size_t i = 0; i < N; i++)
        G(write_uncompressed)(bytes + i * GU(UNCOMPRESSED_BYTES), &affine[i]);
}

static int set_up(void **state)
{
    (void)state;
    affine = calloc(N, sizeof *affine);
    bytes = calloc(N, GU(UNCOMPRESSED_BYTES));
    scalars = calloc(N, sizeof *scalars);
    select_all = calloc(N / 64 + 1, sizeof *select_all);
    point_index = calloc(N, sizeof *point_index);
    scalar_index = calloc(N, sizeof *scalar_index);
    for (uint32_t i = 0; i < N; i++) {
        for (int j = 0; j < 4; j++) scalars[i].l[j] = random_u64() >> (j == 3 ? 2 : 0);
        if (random_u64() % 2 == 0)
            select_all[i / 64] |= (uint64_t)1 << i % 64;
        else if (random_u64() % 4 == 0)
            point_index[n_listed++] = i;
    }
    for (size_t j = 0; j < n_listed; j++) scalar_index[j] = (uint32_t)(random_u64() % N);
    make_points();
    for (size_t i = 0; i < N; i += 3) scalars[i] = (scalar_t){{0}};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(affine);
    free(bytes);
    free(scalars);
    free(select_all);
    free(point_index);
    free(scalar_index);
    return 0;
}

static const msm_scalars_t *shapes(size_t *n)
{
    static msm_scalars_t shape[3];

    shape[0] = (msm_scalars_t){.scalars = scalars, .n_terms = N};
    shape[1] = (msm_scalars_t){.select = select_all};
    shape[2] = (msm_scalars_t){select_all, scalars, scalar_index, point_index, n_listed};
    *n = 3;
    return shape;
}

static points_t in_memory(void)
{
    return (points_t){N, POINTS_AFFINE, sizeof *affine, .base = affine};
}

/* Points that are read; a read that touches point fail_at fails, one that touches cancel_at sets
 * the token. */
typedef struct {
    const uint8_t *from;
    size_t fail_at;
    size_t cancel_at;
    cancel_t *cancel;
} source_t;

static cuzk_status read_points(const points_t *points, void *to, size_t first, size_t n,
                               cuzk_error *err)
{
    const source_t *source = points->source;

    assert_true(first + n <= points->n);
    if (source->fail_at >= first && source->fail_at < first + n)
        return error_set(err, CUZK_ERR_IO, "points: no point %zu", source->fail_at);
    if (source->cancel_at >= first && source->cancel_at < first + n) cancel_request(source->cancel);
    memcpy(to, source->from + first * points->point_bytes, n * points->point_bytes);
    return CUZK_OK;
}

static points_t from_source(const source_t *source, points_form form)
{
    return (points_t){
        .n = N, .form = form, .point_bytes = sizeof *affine, .read = read_points, .source = source};
}

static void multiply(jac_t *r, const points_t *points, const msm_scalars_t *s, uint32_t threads)
{
    strand_t *strand = NULL;
    cuzk_error err;

    if (threads > 0) assert_int_equal(strand_open(&strand, threads, &err), CUZK_OK);
    assert_int_equal(GROUP(msm)(r, points, s, &(msm_options_t){0}, strand, &err), CUZK_OK);
    strand_close(strand);
    assert_int_equal(held_bytes, 0);
}

/* ---- tests ---------------------------------------------------------------------------------- */

static void test_read_and_threads(void **state)
{
    const source_t plain = {(const uint8_t *)affine, SIZE_MAX, SIZE_MAX, NULL};
    const source_t encoded = {bytes, SIZE_MAX, SIZE_MAX, NULL};
    const points_t from_plain = from_source(&plain, POINTS_AFFINE);
    const points_t from_encoded = from_source(&encoded, POINTS_UNCOMPRESSED);
    const points_t base = in_memory();
    size_t n;

    (void)state;
    for (const msm_scalars_t *s = shapes(&n); n > 0; n--, s++) {
        jac_t want;
        jac_t got;

        multiply(&want, &base, s, 0);
        multiply(&got, &base, s, 64);
        assert_true(G(equal)(&got, &want));
        multiply(&got, &from_plain, s, 3);
        assert_true(G(equal)(&got, &want));
        multiply(&got, &from_encoded, s, 0);
        assert_true(G(equal)(&got, &want));
    }
}

static void test_stats(void **state)
{
    const source_t plain = {(const uint8_t *)affine, SIZE_MAX, SIZE_MAX, NULL};
    const points_t points = from_source(&plain, POINTS_AFFINE);
    const msm_scalars_t s = {.scalars = scalars, .n_terms = SCALARS};
    msm_stats_t stats = {.bytes_read = 7};
    cuzk_error err;
    jac_t r;

    (void)state;
    const msm_options_t options = {.stats = &stats};
    assert_int_equal(GROUP(msm)(&r, &points, &s, &options, NULL, &err), CUZK_OK);
    assert_int_equal(stats.bytes_read, 7 + SCALARS * sizeof *affine);
    assert_true(stats.io_wait_s >= 0);
}

static void test_read_fails(void **state)
{
    const size_t at[] = {0, 1, N / 2, N - 1};
    strand_t *strand;
    cuzk_error err;
    size_t n;

    (void)state;
    assert_int_equal(strand_open(&strand, 2, &err), CUZK_OK);
    for (const msm_scalars_t *s = shapes(&n); n > 0; n--, s++)
        for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
            const source_t source = {bytes, at[i], SIZE_MAX, NULL};
            const points_t points = from_source(&source, POINTS_UNCOMPRESSED);
            char text[64];
            jac_t r;

            if (s->point_index != NULL && s->select == NULL) continue;
            assert_int_equal(GROUP(msm)(&r, &points, s, &(msm_options_t){0}, strand, &err),
                             CUZK_ERR_IO);
            (void)snprintf(text, sizeof text, "points: no point %zu", at[i]);
            assert_string_equal(err.text, text);
            assert_int_equal(held_bytes, 0);
        }
    strand_close(strand);
}

/* Runs with a token; expects the status and that everything was given back. */
static void expect_stopped(const points_t *points, cancel_t *cancel, cuzk_status status)
{
    const msm_scalars_t s = {select_all, scalars, NULL, NULL, N};
    executor_t *executor;
    strand_t strand;
    cuzk_error err;
    jac_t r;

    assert_int_equal(executor_open(&executor, 4, &err), CUZK_OK);
    strand_begin(&strand, executor, NULL, cancel);
    assert_int_equal(GROUP(msm)(&r, points, &s, &(msm_options_t){0}, &strand, &err), status);
    assert_int_equal(err.status, status);
    strand_end(&strand);
    executor_close(executor);
    assert_int_equal(held_bytes, 0);
}

static void test_cancel(void **state)
{
    const size_t at[] = {0, N / 2, N - 1};
    const points_t base = in_memory();
    cancel_t cancel;

    (void)state;
    cancel_init(&cancel, UINT64_MAX);
    cancel_request(&cancel);
    expect_stopped(&base, &cancel, CUZK_CANCELLED);
    cancel_init(&cancel, clock_monotonic_ns() + 5000000);
    expect_stopped(&base, &cancel, CUZK_ERR_DEADLINE);
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        const source_t source = {(const uint8_t *)affine, SIZE_MAX, at[i], &cancel};
        const points_t points = from_source(&source, POINTS_AFFINE);

        cancel_init(&cancel, UINT64_MAX);
        expect_stopped(&points, &cancel, CUZK_CANCELLED);
    }
}

/* Peak of one multiplication against what was said before. */
static void expect_bytes(const points_t *points, const msm_scalars_t *s, uint32_t window_bits,
                         uint32_t threads)
{
    const msm_options_t options = {.window_bits = window_bits};
    const msm_size_t size = {.n_points = points->n,
                             .n_terms = s->n_terms,
                             .has_selected = s->select != NULL,
                             .is_read = points->base == NULL,
                             .window_bits = window_bits,
                             .threads = threads};
    strand_t *strand;
    cuzk_error err;
    jac_t r;

    assert_int_equal(strand_open(&strand, threads, &err), CUZK_OK);
    peak_bytes = heap_bytes = 0;
    assert_int_equal(GROUP(msm)(&r, points, s, &options, strand, &err), CUZK_OK);
    assert_int_equal(peak_bytes, GROUP(msm_bytes)(&size));
    assert_int_equal(heap_bytes, 0);
    assert_int_equal(held_bytes, 0);
    strand_close(strand);
}

static void test_bytes(void **state)
{
    const uint32_t thread_counts[] = {1, 2, 5, 40};
    const source_t plain = {(const uint8_t *)affine, SIZE_MAX, SIZE_MAX, NULL};
    const points_t points[] = {in_memory(), from_source(&plain, POINTS_AFFINE)};

    (void)state;
    for (size_t t = 0; t < sizeof thread_counts / sizeof *thread_counts; t++)
        for (size_t n = 0; n <= 5 * SCALARS; n = 4 * n + 1 + t) {
            const bool selected = (n + t) % 2 == 0;
            const msm_scalars_t s = {selected ? select_all : NULL, scalars, scalar_index, NULL, n};

            expect_bytes(&points[t % 2], &s, 0, thread_counts[t]);
            expect_bytes(&points[1 - t % 2], &s, (uint32_t)(n % 17), thread_counts[t]);
        }
    expect_bytes(&points[1], &(msm_scalars_t){.scalars = scalars, .n_terms = N}, 0, 3);
}

/* Scalars that are nearly all 0 take a narrower window, in no more memory. */
static void test_few_terms(void **state)
{
    scalar_t *few = calloc(N, sizeof *few);
    const points_t base = in_memory();
    const msm_scalars_t s = {.scalars = few, .n_terms = N};
    uint32_t index[] = {0, 1, 511, 30000, N - 1};
    scalar_t k[5];
    jac_t want;
    jac_t got;

    (void)state;
    for (size_t i = 0; i < 5; i++) k[i] = few[index[i]] = scalars[3 * i + 1];
    multiply(&got, &base, &s, 2);
    multiply(&want, &base, &(msm_scalars_t){.scalars = k, .point_index = index, .n_terms = 5}, 0);
    assert_true(G(equal)(&got, &want));
    expect_bytes(&base, &s, 0, 2);
    free(few);
}

static void test_refused(void **state)
{
    const source_t plain = {(const uint8_t *)affine, SIZE_MAX, SIZE_MAX, NULL};
    const points_t points = from_source(&plain, POINTS_AFFINE);
    const msm_scalars_t s = {.scalars = scalars, .n_terms = SCALARS};
    const msm_options_t options = {0};
    cuzk_error err;
    jac_t r;

    (void)state;
    refuses_memory = true;
    assert_int_equal(GROUP(msm)(&r, &points, &s, &options, NULL, &err), CUZK_ERR_MEMORY);
    refuses_memory = false;
    refuses_threads = true;
    assert_int_equal(GROUP(msm)(&r, &points, &s, &options, NULL, &err), CUZK_ERR_MEMORY);
    refuses_threads = false;
    assert_int_equal(held_bytes, 0);
    assert_int_equal(GROUP(msm)(&r, &points, &s, &options, NULL, &err), CUZK_OK);
}

static void test_fixed_base_refused(void **state)
{
    FIXED_BASE_T *table;
    affine_t r[2];
    cancel_t cancel;
    executor_t *executor;
    strand_t strand;
    cuzk_error err;

    (void)state;
    refuses_memory = true;
    assert_int_equal(FIXED_BASE(open)(&table, G(generator)(), 10, NULL, &err), CUZK_ERR_MEMORY);
    assert_null(table);
    refuses_memory = false;
    assert_int_equal(executor_open(&executor, 2, &err), CUZK_OK);
    cancel_init(&cancel, UINT64_MAX);
    strand_begin(&strand, executor, NULL, &cancel);
    assert_int_equal(FIXED_BASE(open)(&table, G(generator)(), 10, NULL, &err), CUZK_OK);
    assert_int_equal(FIXED_BASE(mul)(r, table, scalars, 2, &strand, &err), CUZK_ERR_ARG);
    FIXED_BASE(close)(table);
    cancel_request(&cancel);
    assert_int_equal(FIXED_BASE(open)(&table, G(generator)(), 10, &strand, &err), CUZK_CANCELLED);
    assert_null(table);
    strand_end(&strand);
    executor_close(executor);
    assert_int_equal(held_bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read_and_threads),
        cmocka_unit_test(test_stats),
        cmocka_unit_test(test_read_fails),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_few_terms),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_fixed_base_refused),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
