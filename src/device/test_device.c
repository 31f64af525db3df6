/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/strand_trace.h"
#include "device/cpu.h"

enum { MIB = 1 << 20, N = 20000 /* elements: several pieces, the last of them short */ };

static device_t *open_device(executor_t *executor)
{
    const device_cpu_options_t options = {.executor = executor, .file_folder = CUZK_BINARY_DIR};
    device_t *device;
    cuzk_error err;

    assert_int_equal(device_cpu_open(&device, &options, &err), CUZK_OK);
    return device;
}

static buffer_t *new_buffer(device_t *device, buffer_kind kind, size_t bytes)
{
    buffer_t *buffer;
    cuzk_error err;

    assert_int_equal(buffer_alloc(&buffer, device, kind, bytes, "test", &err), CUZK_OK);
    assert_int_equal(buffer->bytes, bytes);
    return buffer;
}

/* Elements that follow from a seed. */
static fr_t *new_elements(size_t n, uint64_t seed)
{
    fr_t *a = calloc(n, sizeof *a);
    fr_t x;

    assert_non_null(a);
    fr_from_u64(&x, seed);
    for (size_t i = 0; i < n; i++) {
        fr_mul(&x, &x, &fr_generator);
        fr_sub(&x, &x, &fr_one);
        a[i] = x;
    }
    return a;
}

static buffer_t *new_filled(device_t *device, buffer_kind kind, const fr_t *a, size_t n)
{
    buffer_t *buffer = new_buffer(device, kind, n * sizeof *a);
    cuzk_error err;

    assert_int_equal(buffer_write(buffer, 0, a, n * sizeof *a, &err), CUZK_OK);
    return buffer;
}

static void expect_contents(const buffer_t *buffer, const void *expected, size_t bytes)
{
    void *there = malloc(bytes);
    cuzk_error err;

    assert_int_equal(buffer_read(there, buffer, 0, bytes, &err), CUZK_OK);
    assert_memory_equal(there, expected, bytes);
    free(there);
}

static void expect_bytes(device_t *device, uint64_t used, uint64_t idle, uint64_t files)
{
    const device_memory_t memory = device_memory(device);

    assert_int_equal(memory.used, used);
    assert_int_equal(memory.idle, idle);
    assert_int_equal(memory.files, files);
}

/* --- buffers ---------------------------------------------------------------------------------- */

static void large_memory_is_used_again(void **state)
{
    device_t *device = open_device(NULL);
    buffer_t *a = new_buffer(device, BUFFER_HOST, 3 * MIB), *b;

    (void)state;
    memset(a->host, 0x5a, a->bytes);
    expect_bytes(device, 3 * MIB, 0, 0);
    buffer_free(a);
    expect_bytes(device, 0, 3 * MIB, 0);
    b = new_buffer(device, BUFFER_HOST, 2 * MIB); /* another size: other memory */
    assert_int_equal(*(uint8_t *)b->host, 0);
    a = new_buffer(device, BUFFER_DEVICE, 3 * MIB);
    assert_int_equal(*(uint8_t *)a->host, 0x5a); /* the same memory, as it was left */
    expect_bytes(device, 5 * MIB, 0, 0);
    buffer_free(a);
    buffer_free(b);
    a = new_buffer(device, BUFFER_PINNED, 100); /* small memory is not kept */
    buffer_free(a);
    expect_bytes(device, 0, 5 * MIB, 0);
    device_trim(device);
    expect_bytes(device, 0, 0, 0);
    buffer_free(NULL);
    device_close(device);
    device_close(NULL);
}

static void adopted_memory_is_the_device_s(void **state)
{
    device_t *device = open_device(NULL);
    buffer_t *buffer;
    void *memory;
    cuzk_error err;

    (void)state;
    assert_int_equal(big_alloc(&memory, 2, MIB, "test", &err), CUZK_OK);
    assert_int_equal(buffer_adopt(&buffer, device, memory, 2 * MIB, &err), CUZK_OK);
    assert_ptr_equal(buffer->host, memory);
    buffer_free(buffer);
    expect_bytes(device, 0, 2 * MIB, 0);
    device_close(device); /* with what is kept */
}

static void files_hold_bytes(void **state)
{
    device_t *device = open_device(NULL);
    buffer_t *file = new_buffer(device, BUFFER_FILE, MIB);
    uint8_t bytes[100];
    cuzk_error err;

    (void)state;
    assert_null(file->host);
    expect_bytes(device, 0, 0, MIB);
    memset(bytes, 7, sizeof bytes);
    assert_int_equal(buffer_write(file, MIB - 50, bytes, 50, &err), CUZK_OK);
    memset(bytes, 0, sizeof bytes);
    assert_int_equal(buffer_read(bytes, file, MIB - 51, 51, &err), CUZK_OK);
    assert_int_equal(bytes[0], 0);
    assert_int_equal(bytes[1], 7);
    assert_int_equal(bytes[50], 7);
    assert_int_equal(buffer_write(file, MIB - 50, bytes, 51, &err), CUZK_ERR_ARG);
    assert_int_equal(buffer_read(bytes, file, SIZE_MAX, 2, &err), CUZK_ERR_ARG);
    buffer_free(file);
    expect_bytes(device, 0, 0, 0);
    device_close(device);
}

static void refused_buffers_name_the_reason(void **state)
{
    device_t *device;
    buffer_t *buffer;
    cuzk_error err;

    (void)state;
    assert_int_equal(device_cpu_open(&device, &(device_cpu_options_t){0}, &err), CUZK_OK);
    assert_int_equal(buffer_alloc(&buffer, device, BUFFER_FILE, 10, "a", &err), CUZK_ERR_ARG);
    assert_null(buffer);
    assert_int_equal(buffer_alloc(&buffer, device, BUFFER_HOST, SIZE_MAX / 2, "a", &err),
                     CUZK_ERR_MEMORY);
    assert_null(buffer);
    device_close(device);
    const device_cpu_options_t options = {.file_folder = CUZK_BINARY_DIR "/nothing-here"};
    assert_int_equal(device_cpu_open(&device, &options, &err), CUZK_OK);
    assert_int_equal(buffer_alloc(&buffer, device, BUFFER_FILE, 10, "vector a", &err), CUZK_ERR_IO);
    assert_non_null(strstr(err.text, "nothing-here"));
    assert_non_null(strstr(err.text, "vector a"));
    device_close(device);
    device = open_device(NULL);
    assert_int_equal(buffer_alloc(&buffer, device, BUFFER_FILE, (size_t)1 << 60, "a", &err),
                     CUZK_ERR_IO);
    expect_bytes(device, 0, 0, 0);
    device_close(device);
}

/* --- operations ------------------------------------------------------------------------------- */

/* A stream on the strand or beside it. */
static stream_t *open_stream(device_t *device, strand_t *strand, bool beside)
{
    stream_t *stream;
    cuzk_error err;

    assert_int_equal(beside ? stream_open(&stream, device, strand, &err)
                            : stream_open_on(&stream, device, strand, &err),
                     CUZK_OK);
    return stream;
}

static void check_elements(device_t *device, stream_t *s, const buffer_kind kinds[3])
{
    fr_t *a = new_elements(N, 1), *b = new_elements(N, 2), *r = new_elements(N, 3);
    buffer_t *in_a = new_filled(device, kinds[0], a, N), *in_b = new_filled(device, kinds[1], b, N);
    buffer_t *in_r = new_filled(device, kinds[2], r, N);
    fr_t half;
    cuzk_error err;

    fr_from_u64(&half, 2);
    fr_inv(&half, &half);
    assert_int_equal(stream_multiply(s, in_r, in_a, in_b, N, &err), CUZK_OK);
    assert_int_equal(stream_multiply(s, in_a, in_a, in_b, N, &err), CUZK_OK);
    assert_int_equal(stream_copy(s, in_b, 64, in_r, 32, (N - 2) * sizeof *a, &err), CUZK_OK);
    assert_int_equal(stream_synchronise(s, &err), CUZK_OK);
    fr_t kept[2] = {b[0], b[1]};
    for (size_t i = 0; i < N; i++) fr_mul(&r[i], &a[i], &b[i]);
    expect_contents(in_r, r, N * sizeof *r);
    expect_contents(in_a, r, N * sizeof *r);
    b[0] = kept[0];
    b[1] = kept[1];
    memcpy(b + 2, r + 1, (N - 2) * sizeof *b);
    expect_contents(in_b, b, N * sizeof *b);

    assert_int_equal(stream_combine_h(s, in_r, in_r, in_b, N, &err), CUZK_OK);
    assert_int_equal(stream_synchronise(s, &err), CUZK_OK);
    for (size_t i = 0; i < N; i++) {
        scalar_t h;

        fr_sub(&a[i], &r[i], &b[i]);
        fr_mul(&a[i], &a[i], &half);
        fr_to_scalar(&h, &a[i]);
        memcpy(&a[i], &h, sizeof h);
    }
    expect_contents(in_r, a, N * sizeof *a);
    buffer_free(in_a);
    buffer_free(in_b);
    buffer_free(in_r);
    free(a);
    free(b);
    free(r);
}

static void check_transform(device_t *device, stream_t *s, buffer_kind kind)
{
    const unsigned lg_n = 13;
    const size_t n = (size_t)1 << lg_n;
    fr_t *a = new_elements(n, 5);
    buffer_t *in_a = new_filled(device, kind, a, n);
    atomic_uint_least64_t io_ns = 0;
    fr_t g = fr_generator;
    cuzk_error err;
    ntt_kind_t how = {.inverse = true, .order = NTT_NATURAL_TO_REVERSED};

    in_a->io_ns = &io_ns;
    assert_int_equal(stream_transform(s, in_a, lg_n, &how, &err), CUZK_OK);
    how = (ntt_kind_t){.order = NTT_REVERSED_TO_NATURAL, .coset = &g};
    assert_int_equal(stream_transform(s, in_a, lg_n, &how, &err), CUZK_OK);
    how = (ntt_kind_t){.inverse = true, .coset = &g};
    assert_int_equal(stream_transform(s, in_a, lg_n, &how, &err), CUZK_OK);
    g = fr_zero; /* the stream has a copy */
    how = (ntt_kind_t){.inverse = false};
    assert_int_equal(stream_transform(s, in_a, lg_n, &how, &err), CUZK_OK);
    assert_int_equal(stream_synchronise(s, &err), CUZK_OK);
    expect_contents(in_a, a, n * sizeof *a);
    assert_int_equal(atomic_load(&io_ns) > 0, kind == BUFFER_FILE);
    buffer_free(in_a);
    free(a);
}

static void for_each_stream(void (*check)(device_t *device, stream_t *s))
{
    for (uint32_t n_threads = 0; n_threads <= 3; n_threads++) {
        device_t *device = open_device(NULL);
        strand_t *strand = NULL;
        cuzk_error err;

        if (n_threads > 0) assert_int_equal(strand_open(&strand, n_threads, &err), CUZK_OK);
        for (unsigned beside = 0; beside < (n_threads > 0 ? 2u : 1u); beside++) {
            stream_t *s = open_stream(device, strand, beside);

            check(device, s);
            stream_close(s);
        }
        strand_close(strand);
        assert_int_equal(device_memory(device).used, 0);
        assert_int_equal(device_memory(device).files, 0);
        device_close(device);
    }
}

static void check_all_kinds(device_t *device, stream_t *s)
{
    for (unsigned files = 0; files < 8; files++) {
        const buffer_kind kinds[3] = {files & 1 ? BUFFER_FILE : BUFFER_HOST,
                                      files & 2 ? BUFFER_FILE : BUFFER_HOST,
                                      files & 4 ? BUFFER_FILE : BUFFER_HOST};

        check_elements(device, s, kinds);
    }
    check_transform(device, s, BUFFER_HOST);
    check_transform(device, s, BUFFER_FILE);
}

static void operations_give_what_they_say(void **state)
{
    (void)state;
    for_each_stream(check_all_kinds);
}

static void check_msm(device_t *device, stream_t *s)
{
    g1_affine_t p1[3] = {*g1_generator(), *g1_generator(), *g1_generator()};
    g2_affine_t p2[3] = {*g2_generator(), *g2_generator(), *g2_generator()};
    const points_t points1 = {.n = 3, .form = POINTS_AFFINE, .point_bytes = sizeof *p1, .base = p1};
    const points_t points2 = {.n = 3, .form = POINTS_AFFINE, .point_bytes = sizeof *p2, .base = p2};
    const scalar_t k[3] = {{{5}}, {{6}}, {{7}}}, sum = {{18}};
    g1_jac_t r1;
    g2_jac_t r2;
    cuzk_error err;
    buffer_t *scalars = new_buffer(device, BUFFER_HOST, sizeof k);
    device_terms_t terms = {.scalars = scalars, .n_terms = 3};

    memcpy(scalars->host, k, sizeof k);
    assert_int_equal(stream_msm_g1(s, &r1, &points1, &terms, 0, &err), CUZK_OK);
    assert_int_equal(stream_msm_g2(s, &r2, &points2, &terms, 4, &err), CUZK_OK);
    terms.n_terms = 4;
    assert_int_equal(stream_msm_g1(s, &r1, &points1, &terms, 0, &err), CUZK_ERR_ARG);
    assert_int_equal(stream_msm_g2(s, &r2, &points2, &terms, 0, &err), CUZK_ERR_ARG);
    assert_int_equal(stream_synchronise(s, &err), CUZK_OK);
    g1_mul_affine(&p1[0], g1_generator(), &sum);
    g1_to_affine(&p1[1], &r1);
    assert_memory_equal(&p1[0], &p1[1], sizeof p1[0]);
    g2_mul_affine(&p2[0], g2_generator(), &sum);
    g2_to_affine(&p2[1], &r2);
    assert_memory_equal(&p2[0], &p2[1], sizeof p2[0]);
    buffer_free(scalars);

    scalars = new_buffer(device, BUFFER_FILE, sizeof k);
    terms = (device_terms_t){.scalars = scalars, .n_terms = 3};
    assert_int_equal(stream_msm_g1(s, &r1, &points1, &terms, 0, &err), CUZK_ERR_ARG);
    buffer_free(scalars);
}

static void multiplications_give_what_they_say(void **state)
{
    (void)state;
    for_each_stream(check_msm);
}

static void check_refusals(device_t *device, stream_t *s)
{
    buffer_t *small = new_buffer(device, BUFFER_HOST, 4 * sizeof(fr_t));
    buffer_t *large = new_buffer(device, BUFFER_HOST, 8 * sizeof(fr_t));
    const ntt_kind_t how = {.inverse = false};
    cuzk_error err;

    memset(small->host, 0, small->bytes);
    memset(large->host, 0, large->bytes);
    assert_int_equal(stream_multiply(s, large, large, small, 5, &err), CUZK_ERR_ARG);
    assert_int_equal(stream_multiply(s, small, large, large, 5, &err), CUZK_ERR_ARG);
    assert_int_equal(stream_multiply(s, large, small, large, SIZE_MAX, &err), CUZK_ERR_ARG);
    assert_int_equal(stream_combine_h(s, large, large, small, 5, &err), CUZK_ERR_ARG);
    assert_int_equal(stream_transform(s, small, 3, &how, &err), CUZK_ERR_ARG);
    assert_int_equal(stream_transform(s, small, NTT_MAX_LG + 1, &how, &err), CUZK_ERR_ARG);
    assert_int_equal(stream_copy(s, small, 1, large, 0, small->bytes, &err), CUZK_ERR_ARG);
    assert_int_equal(stream_copy(s, small, 0, small, 0, 1, &err), CUZK_ERR_ARG);
    assert_int_equal(stream_synchronise(s, &err), CUZK_OK); /* none of that was begun */
    assert_int_equal(stream_multiply(s, large, large, small, 4, &err), CUZK_OK);
    assert_int_equal(stream_synchronise(s, &err), CUZK_OK);
    buffer_free(small);
    buffer_free(large);
}

static void arguments_that_do_not_fit_are_refused_at_once(void **state)
{
    (void)state;
    for_each_stream(check_refusals);
}

/* --- streams ---------------------------------------------------------------------------------- */

/* A chain through several streams, each waiting for the one before. */
static void streams_wait_for_each_other(void **state)
{
    enum { STREAMS = 5, ROUNDS = 20 };
    const size_t n = 512;
    fr_t *a = new_elements(n, 9);
    device_t *device = open_device(NULL);
    stream_t *s[STREAMS];
    uint64_t stamps[ROUNDS] = {0};
    strand_t *strand;
    cuzk_error err;

    (void)state;
    assert_int_equal(strand_open(&strand, 2, &err), CUZK_OK);
    buffer_t *x = new_filled(device, BUFFER_HOST, a, n), *y = new_filled(device, BUFFER_HOST, a, n);
    for (unsigned i = 0; i < STREAMS; i++) s[i] = open_stream(device, strand, true);
    for (unsigned i = 0; i < ROUNDS; i++) {
        stream_t *now = s[i % STREAMS];

        if (i > 0) assert_int_equal(stream_wait(now, s[(i - 1) % STREAMS], &err), CUZK_OK);
        assert_int_equal(stream_wait(now, now, &err), CUZK_OK);
        assert_int_equal(stream_multiply(now, x, x, y, n, &err), CUZK_OK);
        assert_int_equal(stream_stamp(now, &stamps[i], &err), CUZK_OK);
    }
    for (unsigned i = 0; i < STREAMS; i++)
        assert_int_equal(stream_synchronise(s[i], &err), CUZK_OK);
    for (size_t i = 0; i < n; i++) fr_pow_u64(&a[i], &a[i], ROUNDS + 1);
    expect_contents(x, a, n * sizeof *a);
    for (unsigned i = 1; i < ROUNDS; i++) assert_true(stamps[i - 1] <= stamps[i]);
    for (unsigned i = 0; i < STREAMS; i++) stream_close(s[i]);
    buffer_free(x);
    buffer_free(y);
    strand_close(strand);
    device_close(device);
    free(a);
}

/* A failure skips what comes after it, there and in a stream that waits; releases are done. */
static void check_failure(bool beside)
{
    device_t *device = open_device(NULL);
    strand_t *strand;
    cuzk_error err;
    uint64_t stamp = 0;

    assert_int_equal(strand_open(&strand, 2, &err), CUZK_OK);
    stream_t *s = open_stream(device, strand, beside), *t = open_stream(device, strand, true);
    fr_t *a = new_elements(N, 1);
    buffer_t *x = new_filled(device, BUFFER_FILE, a, N), *y = new_filled(device, BUFFER_HOST, a, N);

    assert_int_equal(ftruncate(x->fd, 1000), 0); /* a read of the file will fail */
    assert_int_equal(stream_multiply(s, y, y, x, N, &err), CUZK_OK);
    assert_int_equal(stream_stamp(s, &stamp, &err), CUZK_OK);
    assert_int_equal(stream_wait(t, s, &err), CUZK_OK);
    assert_int_equal(stream_stamp(t, &stamp, &err), CUZK_OK);
    assert_int_equal(stream_release(s, &x, &err), CUZK_OK);
    assert_int_equal(stream_release(t, &y, &err), CUZK_OK);
    assert_null(x);
    assert_null(y);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(stream_synchronise(s, &err), CUZK_ERR_IO);
        assert_non_null(strstr(err.text, "shorter"));
        assert_int_equal(stream_synchronise(t, &err), CUZK_ERR_IO);
    }
    assert_int_equal(stamp, 0);
    stream_close(t);
    stream_close(s);
    device_trim(device);
    expect_bytes(device, 0, 0, 0);
    strand_close(strand);
    device_close(device);
    free(a);
}

static void a_failure_skips_what_comes_after_it(void **state)
{
    (void)state;
    check_failure(true);
    check_failure(false);
}

static void a_cancelled_strand_s_streams_stop(void **state)
{
    const size_t n = (size_t)1 << 16;
    const ntt_kind_t how = {.inverse = false};
    executor_t *executor;
    strand_t strand;
    cancel_t cancel;
    cuzk_error err;

    (void)state;
    assert_int_equal(executor_open(&executor, 2, &err), CUZK_OK);
    for (unsigned beside = 0; beside < 2; beside++) {
        device_t *device = open_device(executor);
        buffer_t *a = new_buffer(device, BUFFER_HOST, n * sizeof(fr_t));

        cancel_init(&cancel, UINT64_MAX);
        strand_begin(&strand, executor, NULL, &cancel);
        stream_t *s = open_stream(device, &strand, beside);
        for (unsigned i = 0; i < 1000; i++) {
            assert_int_equal(stream_transform(s, a, 16, &how, &err), CUZK_OK);
            if (i == 2) cancel_request(&cancel);
        }
        assert_int_equal(stream_synchronise(s, &err), CUZK_CANCELLED);
        stream_close(s);
        buffer_free(a);
        strand_end(&strand);
        device_close(device);
    }
    executor_close(executor);
}

/* Closed without a word: what has not begun is dropped. */
static void a_closed_stream_drops_its_work(void **state)
{
    const size_t n = (size_t)1 << 14;
    const ntt_kind_t how = {.inverse = false};
    device_t *device;
    executor_t *executor;
    uint64_t stamp = 0;
    cuzk_error err;

    (void)state;
    assert_int_equal(executor_open(&executor, 2, &err), CUZK_OK);
    device = open_device(executor);
    buffer_t *a = new_buffer(device, BUFFER_HOST, n * sizeof(fr_t));
    stream_t *s = open_stream(device, NULL, true); /* without a strand: the device's executor */
    for (unsigned i = 0; i < 1000; i++)
        assert_int_equal(stream_transform(s, a, 14, &how, &err), CUZK_OK);
    assert_int_equal(stream_stamp(s, &stamp, &err), CUZK_OK);
    assert_int_equal(stream_release(s, &a, &err), CUZK_OK);
    stream_close(s);
    assert_int_equal(stamp, 0);
    assert_int_equal(device_memory(device).used, 0);
    stream_close(NULL);
    device_close(device);
    assert_int_equal(device_cpu_open(&device, &(device_cpu_options_t){0}, &err), CUZK_OK);
    assert_int_equal(stream_open(&s, device, NULL, &err), CUZK_ERR_ARG);
    assert_null(s);
    device_close(device);
    executor_close(executor);
}

/* A trace tells that a stream's work comes after its strand's and before what waits for it. */
static void a_trace_has_the_dependencies(void **state)
{
    unsigned n_forks = 0, n_joins = 0, n_loops = 0;
    const trace_event_t *events;
    executor_t *executor;
    strand_t strand;
    trace_t *trace;
    cuzk_error err;
    size_t n;

    (void)state;
    assert_int_equal(executor_open(&executor, 1, &err), CUZK_OK);
    assert_int_equal(trace_open(&trace, &err), CUZK_OK);
    executor_set_trace(executor, trace);
    device_t *device = open_device(executor);
    fr_t *a = new_elements(N, 1);
    buffer_t *x = new_filled(device, BUFFER_HOST, a, N);
    strand_begin(&strand, executor, NULL, NULL);
    stream_t *s = open_stream(device, &strand, true), *t = open_stream(device, &strand, true);
    assert_int_equal(stream_multiply(s, x, x, x, N, &err), CUZK_OK);
    assert_int_equal(stream_wait(t, s, &err), CUZK_OK);
    assert_int_equal(stream_multiply(t, x, x, x, N, &err), CUZK_OK);
    assert_int_equal(stream_synchronise(t, &err), CUZK_OK);
    stream_close(t);
    stream_close(s);
    strand_end(&strand);
    assert_int_equal(trace_events(&events, &n, trace, &err), CUZK_OK);
    for (size_t i = 0; i < n; i++) {
        n_forks += events[i].kind == TRACE_FORK;
        n_joins += events[i].kind == TRACE_JOIN;
        n_loops += events[i].kind == TRACE_LOOP;
    }
    assert_int_equal(n_forks, 2);
    assert_int_equal(n_joins, 2);
    assert_int_equal(n_loops, 2);
    buffer_free(x);
    free(a);
    device_close(device);
    executor_close(executor);
    trace_close(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_memory_is_used_again),
        cmocka_unit_test(adopted_memory_is_the_device_s),
        cmocka_unit_test(files_hold_bytes),
        cmocka_unit_test(refused_buffers_name_the_reason),
        cmocka_unit_test(operations_give_what_they_say),
        cmocka_unit_test(multiplications_give_what_they_say),
        cmocka_unit_test(arguments_that_do_not_fit_are_refused_at_once),
        cmocka_unit_test(streams_wait_for_each_other),
        cmocka_unit_test(a_failure_skips_what_comes_after_it),
        cmocka_unit_test(a_cancelled_strand_s_streams_stop),
        cmocka_unit_test(a_closed_stream_drops_its_work),
        cmocka_unit_test(a_trace_has_the_dependencies),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
