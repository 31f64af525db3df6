/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "groth16/test_instance.h"

/* Proofs by every plan, stopped and failing at every place. */

static const toy_t toy = {.seed = 5,
                          .n_public = 5,
                          .n_bits = 70,
                          .n_chain = 400,
                          .n_pad = 2,
                          .one_in_b = true,
                          .v_in_b = true,
                          .change = TOY_NO_CHANGE};

static test_params_t params;

static int open_params(void **state)
{
    (void)state;
    test_params_open(&params, toy_circuit, &toy);
    return 0;
}

static int close_params(void **state)
{
    (void)state;
    test_params_close(&params);
    return 0;
}

static groth16_size_t toy_size(const toy_t *values, uint32_t n_threads, uint64_t limit)
{
    groth16_size_t size = {.n_threads = n_threads, .memory_limit = limit};
    circuit_plan_t plan;
    cuzk_error err;

    assert_int_equal(synthesis_plan(&plan, toy_circuit, values, &err), CUZK_OK);
    size.counts = plan.counts;
    size.n_elements = plan.n_elements;
    size.a_elements = plan.a_elements;
    size.b_elements = plan.b_elements;
    circuit_plan_clear(&plan);
    return size;
}

static device_t *open_device(void)
{
    device_t *device;
    cuzk_error err;

    assert_int_equal(device_cpu_open(&device, &(device_cpu_options_t){0}, &err), CUZK_OK);
    return device;
}

enum { PLANS = 6 };

/* One stream, many, and what laboratories make of them. */
static void make_plan(groth16_plan_t *plan, unsigned which)
{
    const groth16_size_t few = toy_size(&toy, 1, 0), many = toy_size(&toy, 64, 0);
    device_t *device = open_device();

    groth16_plan_make(plan, device, which == 0 ? &few : &many);
    if (which == 2) plan->together = false;
    if (which == 3) {
        *plan = (groth16_plan_t){.n_streams = 2}; /* the sum in G2 beside the others */
        plan->stream_of[GROTH16_SUM_B2] = 1;
    }
    if (which == 4)
        for (unsigned i = GROTH16_SUM_H; i < GROTH16_PARTS; i++) plan->window_bits[i] = 5;
    if (which == 5) { /* an own stream for each part, in another order */
        plan->n_streams = GROTH16_PARTS;
        for (unsigned i = 0; i < GROTH16_PARTS; i++)
            plan->stream_of[i] = (uint8_t)(GROTH16_PARTS - 1 - i);
    }
    device_close(device);
}

static void expect_proof(uint8_t bytes[GROTH16_PROOF_BYTES], const test_instance_t *t,
                         strand_t *strand)
{
    uint8_t again[GROTH16_PROOF_BYTES];
    groth16_timings_t timings;
    test_instance_t timed = *t;
    cuzk_error err;
    proof_t proof;

    timed.timings = &timings;
    assert_int_equal(test_instance_prove(&proof, &timed, 3, strand, &err), CUZK_OK);
    groth16_write_proof(again, &proof);
    if (bytes[0] == 0) memcpy(bytes, again, sizeof again);
    assert_memory_equal(bytes, again, sizeof again);
    assert_true(timings.h_s > 0 && timings.msm_s > 0 && timings.msm_h_s > 0);
    assert_true(timings.msm_l_s > 0 && timings.msm_a_s > 0 && timings.msm_b1_s > 0);
    assert_true(timings.msm_b2_s > 0);
    /* points are read from a file, too */
    assert_true(timings.io_wait_s > (t->vectors == BUFFER_FILE ? 0 : -1e-9));
}

static void every_plan_gives_the_same_proof(void **state)
{
    static const uint32_t threads[] = {0, 1, 3, 8};
    uint8_t bytes[GROTH16_PROOF_BYTES] = {0};
    groth16_plan_t plan;
    test_instance_t t = {.srs = &params.srs, .circuit = toy_circuit, .values = &toy};

    (void)state;
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        strand_t *strand = NULL;
        cuzk_error err;

        if (threads[i] > 0) assert_int_equal(strand_open(&strand, threads[i], &err), CUZK_OK);
        for (unsigned files = 0; files < 2; files++) {
            t.vectors = files ? BUFFER_FILE : BUFFER_HOST;
            t.plan = NULL;
            expect_proof(bytes, &t, strand);
            for (unsigned which = 0; which < (threads[i] == 0 ? 1 : PLANS); which++) {
                make_plan(&plan, which);
                t.plan = &plan;
                expect_proof(bytes, &t, strand);
            }
        }
        strand_close(strand);
    }
}

static void plans_keep_to_the_limit(void **state)
{
    groth16_size_t size = toy_size(&toy, 64, 0);
    device_t *device = open_device();
    groth16_plan_t beside, after, one;

    (void)state;
    groth16_plan_make(&beside, device, &size);
    assert_true(beside.n_streams > 1 && beside.together);
    assert_int_equal(beside.peak_bytes,
                     (beside.h_bytes > beside.sum_h_bytes ? beside.h_bytes : beside.sum_h_bytes) +
                         beside.witness_bytes);
    size.memory_limit = beside.peak_bytes;
    groth16_plan_make(&after, device, &size);
    assert_true(after.together);
    size.memory_limit--;
    groth16_plan_make(&after, device, &size);
    assert_true(after.n_streams > 1 && !after.together);
    assert_true(after.peak_bytes <= size.memory_limit);
    size.memory_limit = after.peak_bytes - 1;
    groth16_plan_make(&one, device, &size);
    assert_int_equal(one.n_streams, 1);
    assert_true(one.peak_bytes < after.peak_bytes);

    /* a 32 GiB PoRep's numbers: three vectors of 4 GiB, two of them in files or not */
    size = (groth16_size_t){.counts = {.n_inputs = 328,
                                       .n_aux = 130169893,
                                       .n_constraints = 130278869,
                                       .a_aux = 129750000,
                                       .b_aux = 33112281},
                            .n_elements = 2100000,
                            .n_threads = 2};
    groth16_plan_make(&one, device, &size);
    assert_int_equal(one.n_streams, 1);
    assert_true(one.h_bytes > (uint64_t)12 << 30 && one.h_bytes < (uint64_t)12400 << 20);
    assert_int_equal(one.peak_bytes, one.h_bytes);
    size.vectors = BUFFER_FILE;
    groth16_plan_make(&one, device, &size);
    assert_true(one.peak_bytes > (uint64_t)4 << 30 && one.peak_bytes < (uint64_t)4600 << 20);
    device_close(device);
}

/* The plan's bytes and the device's; the tables of the transforms are not in buffers. */
static void expect_bytes_as_planned(const test_instance_t *t, const toy_t *large, uint32_t threads)
{
    const buffer_kind kind = t->vectors;
    groth16_size_t size = toy_size(large, threads, 0);
    device_t *device = open_device();
    test_instance_t counted = *t;
    groth16_plan_t plan;
    strand_t *strand;
    cuzk_error err;
    proof_t proof;
    uint64_t peak;

    size.vectors = kind;
    groth16_plan_make(&plan, device, &size);
    device_close(device);
    counted.plan = &plan;
    counted.peak_bytes = &peak;
    assert_int_equal(strand_open(&strand, threads, &err), CUZK_OK);
    assert_int_equal(test_instance_prove(&proof, &counted, 3, strand, &err), CUZK_OK);
    strand_close(strand);
    assert_true(peak <= plan.peak_bytes);
    assert_true(peak + ntt_table_bytes(circuit_lg_domain(&size.counts)) >
                plan.peak_bytes * 95 / 100);
}

static void a_proof_takes_the_bytes_of_its_plan(void **state)
{
    toy_t large = toy;
    test_params_t p;

    (void)state;
    large.n_chain = 8000;
    test_params_open(&p, toy_circuit, &large);
    test_instance_t t = {.srs = &p.srs, .circuit = toy_circuit, .values = &large};
    expect_bytes_as_planned(&t, &large, 1);
    expect_bytes_as_planned(&t, &large, 3);
    t.vectors = BUFFER_FILE;
    expect_bytes_as_planned(&t, &large, 1);
    test_params_close(&p);
}

static void vectors_that_are_too_small_are_refused(void **state)
{
    test_instance_t t = {.srs = &params.srs, .circuit = toy_circuit, .values = &toy};
    groth16_blinding_t blinding;
    device_t *device = open_device();
    cuzk_error err;
    proof_t proof;
    owned_assignment_t owned;

    (void)state;
    test_instance_blinding(&blinding, 1);
    assert_int_equal(owned_assignment_make(&owned, t.circuit, t.values, false, NULL, &err),
                     CUZK_OK);
    const assignment_t *x = &owned.x;
    for (unsigned small = 0; small < 3; small++) {
        groth16_instance_t instance = {.srs = t.srs,
                                       .counts = x->counts,
                                       .lg_domain = x->lg_domain + (small == 2),
                                       .witness = &x->witness,
                                       .densities = x->densities};
        instance.a = test_instance_vector(device, BUFFER_HOST, x->a,
                                          ((size_t)1 << x->lg_domain) - (small == 0));
        instance.b = test_instance_vector(device, BUFFER_HOST, x->b,
                                          ((size_t)1 << x->lg_domain) - (small == 1));
        assert_int_equal(groth16_prove(&proof, NULL, &instance, NULL, &blinding, NULL, &err),
                         CUZK_ERR_ARG);
        assert_null(instance.a);
        assert_null(instance.b);
    }
    assert_int_equal(device_memory(device).used, 0);
    device_close(device);
    owned_assignment_clear(&owned);
}

/* --- stopped and failing ---------------------------------------------------------------------- */

/* A device whose calls are counted; at one of them a token is set, or the call fails. */
static atomic_uint calls;
static unsigned stop_at;     /* 0: never */
static cancel_t *stop_token; /* NULL: the call fails */

static cuzk_status count_call(cuzk_error *err)
{
    if (atomic_fetch_add(&calls, 1) + 1 != stop_at) return CUZK_OK;
    if (stop_token == NULL) return error_set(err, CUZK_ERR_MEMORY, "refused by the test");
    cancel_request(stop_token);
    return CUZK_OK;
}

#define COUNTED(name, parameters, arguments)                                                       \
    static cuzk_status counted_##name parameters                                                   \
    {                                                                                              \
        const cuzk_status st = count_call(err);                                                    \
                                                                                                   \
        return st == CUZK_OK ? device_cpu_ops.name arguments : st;                                 \
    }
COUNTED(buffer_alloc,
        (buffer_t * *b, device_t *d, buffer_kind k, size_t n, const char *w, cuzk_error *err),
        (b, d, k, n, w, err))
COUNTED(stream_open, (stream_t * *s, device_t *d, strand_t *t, bool on, cuzk_error *err),
        (s, d, t, on, err))
COUNTED(wait, (stream_t * s, stream_t *o, cuzk_error *err), (s, o, err))
COUNTED(stamp, (stream_t * s, uint64_t *at, cuzk_error *err), (s, at, err))
COUNTED(release, (stream_t * s, buffer_t *b, cuzk_error *err), (s, b, err))
COUNTED(multiply,
        (stream_t * s, buffer_t *r, const buffer_t *a, const buffer_t *b, size_t n,
         cuzk_error *err),
        (s, r, a, b, n, err))
COUNTED(combine_h,
        (stream_t * s, buffer_t *h, const buffer_t *c, const buffer_t *d, size_t n,
         cuzk_error *err),
        (s, h, c, d, n, err))
COUNTED(transform, (stream_t * s, buffer_t *a, unsigned lg, const ntt_kind_t *k, cuzk_error *err),
        (s, a, lg, k, err))
COUNTED(msm_g1,
        (stream_t * s, g1_jac_t *r, const points_t *p, const device_terms_t *t, uint32_t w,
         cuzk_error *err),
        (s, r, p, t, w, err))
COUNTED(msm_g2,
        (stream_t * s, g2_jac_t *r, const points_t *p, const device_terms_t *t, uint32_t w,
         cuzk_error *err),
        (s, r, p, t, w, err))

static device_ops_t counted_ops(void)
{
    device_ops_t ops = device_cpu_ops;

    ops.buffer_alloc = counted_buffer_alloc;
    ops.stream_open = counted_stream_open;
    ops.wait = counted_wait;
    ops.stamp = counted_stamp;
    ops.release = counted_release;
    ops.multiply = counted_multiply;
    ops.combine_h = counted_combine_h;
    ops.transform = counted_transform;
    ops.msm_g1 = counted_msm_g1;
    ops.msm_g2 = counted_msm_g2;
    return ops;
}

/* Proves with the n-th call failing or setting the token, for every n. */
static void stop_everywhere(const groth16_plan_t *plan, executor_t *executor, bool by_token)
{
    const device_ops_t ops = counted_ops();
    const test_instance_t t = {
        .srs = &params.srs, .circuit = toy_circuit, .values = &toy, .plan = plan, .ops = &ops};
    unsigned n_calls = 1;

    for (stop_at = 0; stop_at <= n_calls; stop_at++) {
        cuzk_error err;
        strand_t strand;
        cancel_t cancel;
        proof_t proof;

        cancel_init(&cancel, UINT64_MAX);
        stop_token = by_token ? &cancel : NULL;
        atomic_store(&calls, 0);
        strand_begin(&strand, executor, NULL, &cancel);
        const cuzk_status st = test_instance_prove(&proof, &t, 3, &strand, &err);
        strand_end(&strand);
        if (stop_at == 0) n_calls = atomic_load(&calls);
        if (stop_at == 0)
            assert_int_equal(st, CUZK_OK);
        else if (!by_token)
            assert_int_equal(st, CUZK_ERR_MEMORY);
        else if (st != CUZK_OK || stop_at + 2 < n_calls) /* the last calls may be too late */
            assert_int_equal(st, CUZK_CANCELLED);
    }
    assert_true(n_calls > 30);
}

static void check_stops(bool by_token)
{
    executor_t *executor;
    groth16_plan_t plan;
    cuzk_error err;

    assert_int_equal(executor_open(&executor, 2, &err), CUZK_OK);
    for (unsigned which = 0; which < 4; which++) {
        make_plan(&plan, which);
        stop_everywhere(&plan, executor, by_token);
    }
    executor_close(executor);
}

static void a_refusal_anywhere_is_the_result(void **state)
{
    (void)state;
    check_stops(false);
}

static void a_token_set_anywhere_stops_the_proof(void **state)
{
    (void)state;
    check_stops(true);
}

static void *request_later(void *arg)
{
    cancel_t *cancel = arg;
    const struct timespec delay = {.tv_nsec = (long)(cancel->deadline_ns % 1000) * 20000};

    (void)nanosleep(&delay, NULL);
    cancel_request(cancel);
    return NULL;
}

/* From another thread, after delays of up to 20 ms. */
static void a_token_set_at_any_time_stops_the_proof(void **state)
{
    executor_t *executor;
    groth16_plan_t plan;
    cuzk_error err;

    (void)state;
    assert_int_equal(executor_open(&executor, 2, &err), CUZK_OK);
    for (unsigned i = 0; i < 60; i++) {
        const test_instance_t t = {.srs = &params.srs,
                                   .circuit = toy_circuit,
                                   .values = &toy,
                                   .plan = &plan,
                                   .vectors = i % 3 == 0 ? BUFFER_FILE : BUFFER_HOST};
        strand_t strand;
        cancel_t cancel;
        pthread_t thread;
        proof_t proof;

        make_plan(&plan, i % PLANS);
        cancel_init(&cancel, UINT64_MAX / 1000 * 1000 - 1000 + i * 17 % 1000);
        strand_begin(&strand, executor, NULL, &cancel);
        assert_int_equal(pthread_create(&thread, NULL, request_later, &cancel), 0);
        const cuzk_status st = test_instance_prove(&proof, &t, 3, &strand, &err);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_true(st == CUZK_OK || st == CUZK_CANCELLED);
        strand_end(&strand);
    }
    executor_close(executor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_plan_gives_the_same_proof),
        cmocka_unit_test(plans_keep_to_the_limit),
        cmocka_unit_test(a_proof_takes_the_bytes_of_its_plan),
        cmocka_unit_test(vectors_that_are_too_small_are_refused),
        cmocka_unit_test(a_refusal_anywhere_is_the_result),
        cmocka_unit_test(a_token_set_anywhere_stops_the_proof),
        cmocka_unit_test(a_token_set_at_any_time_stops_the_proof),
    };

    return cmocka_run_group_tests(tests, open_params, close_params);
}
