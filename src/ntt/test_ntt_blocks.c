/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpu.h"
#include "ntt/ntt_pass.h"

/* Transforms by blocks against those in memory. */

static const ntt_order orders[] = {NTT_NATURAL_TO_NATURAL, NTT_NATURAL_TO_REVERSED,
                                   NTT_REVERSED_TO_NATURAL};

/* A vector that is reached by get and put only; call number fail_at of them fails. */
typedef struct {
    fr_t *elements;
    size_t n;
    atomic_size_t calls;
    size_t fail_at; /* from 1 on; 0: never */
} store_t;

static cuzk_status count_call(store_t *s, size_t first, size_t n, cuzk_error *err)
{
    assert_true(first + n <= s->n);
    if (atomic_fetch_add(&s->calls, 1) + 1 == s->fail_at)
        return error_set(err, CUZK_ERR_IO, "store: element %zu", first);
    return CUZK_OK;
}

static cuzk_status get(fr_t *to, const ntt_vector_t *vector, size_t first, size_t n,
                       cuzk_error *err)
{
    store_t *s = vector->store;
    const cuzk_status st = count_call(s, first, n, err);

    if (st == CUZK_OK) memcpy(to, s->elements + first, n * sizeof *to);
    return st;
}

static cuzk_status put(const ntt_vector_t *vector, const fr_t *from, size_t first, size_t n,
                       cuzk_error *err)
{
    store_t *s = vector->store;
    const cuzk_status st = count_call(s, first, n, err);

    if (st == CUZK_OK) memcpy(s->elements + first, from, n * sizeof *from);
    return st;
}

static fr_t *new_elements(size_t n)
{
    fr_t *a = calloc(n, sizeof *a);
    fr_t x;

    assert_non_null(a);
    fr_from_u64(&x, 12345);
    for (size_t i = 0; i < n; i++) {
        fr_mul(&x, &x, &fr_generator);
        fr_sub(&x, &x, &fr_one);
        a[i] = x;
    }
    return a;
}

/* All kinds in one order, with a panel of at least so many elements. */
static void check_order(const ntt_domain_t *domain, ntt_order order, size_t panel, strand_t *strand)
{
    const size_t n = ntt_domain_size(domain);
    fr_t *input = new_elements(n), *a = new_elements(n), *b = new_elements(n);
    uint64_t io_ns = 0;
    cuzk_error err;

    for (unsigned k = 0; k < 4; k++) {
        const ntt_kind_t kind = {
            .inverse = k & 1, .order = order, .coset = k & 2 ? &fr_generator : NULL};
        store_t store = {.elements = b, .n = n};
        const ntt_vector_t in_store = {
            .get = get, .put = put, .store = &store, .panel = panel, .io_ns = &io_ns};

        memcpy(a, input, n * sizeof *a);
        memcpy(b, input, n * sizeof *b);
        assert_int_equal(
            ntt_transform(domain, &(ntt_vector_t){.elements = a}, &kind, NULL, strand, &err),
            CUZK_OK);
        assert_int_equal(ntt_transform(domain, &in_store, &kind, NULL, strand, &err), CUZK_OK);
        assert_memory_equal(a, b, n * sizeof *a);
    }
    assert_true(io_ns > 0);
    free(input);
    free(a);
    free(b);
}

static void every_size_is_as_in_memory(void **unused)
{
    cuzk_error err;
    strand_t *strand;

    (void)unused;
    assert_int_equal(strand_open(&strand, 2, &err), CUZK_OK);
    for (unsigned lg_n = 0; lg_n <= 18; lg_n += lg_n < 14 ? 1 : 2) {
        ntt_domain_t *domain;

        assert_int_equal(ntt_domain_open(&domain, lg_n, &err), CUZK_OK);
        for (size_t o = 0; o < 3; o++) check_order(domain, orders[o], 1, lg_n % 2 ? strand : NULL);
        ntt_domain_close(domain);
    }
    strand_close(strand);
}

/* Three digits, as large vectors have them: several panels in each pass. */
static void three_digits_are_as_in_memory(void **unused)
{
    static const unsigned cuts[][3] = {{3, 3, 3}, {4, 3, 4}, {3, 6, 3}, {5, 4, 5}};
    cuzk_error err;
    strand_t *strand;

    (void)unused;
    assert_int_equal(strand_open(&strand, 3, &err), CUZK_OK);
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        ntt_domain_t *domain;

        assert_int_equal(ntt_domain_open_digits(&domain, cuts[i], 3, &err), CUZK_OK);
        const size_t least = ntt_panel(domain, &(ntt_vector_t){.panel = 1});
        assert_true(least < ntt_domain_size(domain));
        for (size_t o = 0; o < 3; o++)
            for (size_t panel = least; panel <= ntt_domain_size(domain); panel *= 2)
                check_order(domain, orders[o], panel, panel % 3 == 1 ? NULL : strand);
        ntt_domain_close(domain);
    }
    strand_close(strand);
}

/* Whichever read or write fails, the transform says so and stops. */
static void a_failed_transfer_is_the_result(void **unused)
{
    const unsigned lgs[] = {3, 4, 3};
    const ntt_kind_t kind = {.order = NTT_NATURAL_TO_NATURAL};
    ntt_domain_t *domain;
    cuzk_error err;
    size_t n_calls = 1;

    (void)unused;
    assert_int_equal(ntt_domain_open_digits(&domain, lgs, 3, &err), CUZK_OK);
    const size_t n = ntt_domain_size(domain);
    fr_t *a = new_elements(n);
    for (size_t fail_at = 0; fail_at <= n_calls; fail_at++) {
        store_t store = {.elements = a, .n = n, .fail_at = fail_at};
        const ntt_vector_t vector = {.get = get, .put = put, .store = &store, .panel = 1};
        const cuzk_status st = ntt_transform(domain, &vector, &kind, NULL, NULL, &err);

        if (fail_at == 0) n_calls = atomic_load(&store.calls);
        assert_int_equal(st, fail_at == 0 ? CUZK_OK : CUZK_ERR_IO);
        if (fail_at > 0) assert_non_null(strstr(err.text, "store: element"));
    }
    assert_true(n_calls > 30);
    free(a);
    ntt_domain_close(domain);
}

/* With scratch of the caller's, of exactly the predicted size and any contents. */
static void scratch_may_be_given(void **unused)
{
    const size_t n = (size_t)1 << 9, line = 64;
    const ntt_kind_t kind = {.order = NTT_NATURAL_TO_NATURAL};
    fr_t *a = new_elements(n), *b = new_elements(n);
    store_t store = {.elements = b, .n = n};
    const ntt_vector_t vector = {.get = get, .put = put, .store = &store, .panel = 1};
    ntt_domain_t *domain;
    cuzk_error err;

    (void)unused;
    assert_int_equal(ntt_domain_open_digits(&domain, (const unsigned[]){3, 3, 3}, 3, &err),
                     CUZK_OK);
    const size_t bytes = ntt_scratch_bytes(domain, 1);
    const size_t block_bytes = ntt_block_scratch_bytes(domain, &vector, 1);
    assert_true(block_bytes > bytes && bytes % line == 0 && block_bytes % line == 0);
    void *scratch = aligned_alloc(line, bytes), *block_scratch = aligned_alloc(line, block_bytes);
    memset(scratch, 0xa5, bytes);
    memset(block_scratch, 0xa5, block_bytes);
    assert_int_equal(
        ntt_transform(domain, &(ntt_vector_t){.elements = a}, &kind, scratch, NULL, &err), CUZK_OK);
    assert_int_equal(ntt_transform(domain, &vector, &kind, block_scratch, NULL, &err), CUZK_OK);
    assert_memory_equal(a, b, n * sizeof *a);
    free(scratch);
    free(block_scratch);
    free(a);
    free(b);
    ntt_domain_close(domain);
}

static void sizes_are_those_of_the_domain(void **unused)
{
    cuzk_error err;

    (void)unused;
    for (unsigned lg_n = 0; lg_n <= 20; lg_n++) {
        ntt_domain_t *domain;

        assert_int_equal(ntt_domain_open(&domain, lg_n, &err), CUZK_OK);
        assert_int_equal(ntt_bytes(lg_n, 3) - ntt_table_bytes(lg_n), ntt_scratch_bytes(domain, 3));
        assert_int_equal(ntt_file_bytes(lg_n, 3) - ntt_table_bytes(lg_n),
                         ntt_block_scratch_bytes(domain, &(ntt_vector_t){0}, 3));
        ntt_domain_close(domain);
    }
    /* of a 32 GiB sector's domain: tables and scratch for 96 threads are small beside it */
    assert_true(ntt_bytes(27, 96) < (size_t)64 << 20);
    assert_true(ntt_file_bytes(27, 96) < (size_t)128 << 20);
}

static void a_cancelled_transform_stops(void **unused)
{
    const ntt_kind_t kind = {.order = NTT_NATURAL_TO_NATURAL};
    const size_t n = (size_t)1 << 12;
    fr_t *a = new_elements(n);
    ntt_domain_t *domain;
    executor_t *executor;
    strand_t strand;
    cancel_t cancel;
    cuzk_error err;

    (void)unused;
    cancel_init(&cancel, UINT64_MAX);
    assert_int_equal(executor_open(&executor, 2, &err), CUZK_OK);
    assert_int_equal(ntt_domain_open(&domain, 12, &err), CUZK_OK);
    strand_begin(&strand, executor, NULL, &cancel);
    cancel_request(&cancel);
    assert_int_equal(
        ntt_transform(domain, &(ntt_vector_t){.elements = a}, &kind, NULL, &strand, &err),
        CUZK_CANCELLED);
    strand_end(&strand);
    ntt_domain_close(domain);
    executor_close(executor);
    free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size_is_as_in_memory),
        cmocka_unit_test(three_digits_are_as_in_memory),
        cmocka_unit_test(a_failed_transfer_is_the_result),
        cmocka_unit_test(scratch_may_be_given),
        cmocka_unit_test(sizes_are_those_of_the_domain),
        cmocka_unit_test(a_cancelled_transform_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
