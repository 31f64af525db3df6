/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* Nothing of a proof's blinding is left in the process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include "base/random.h"
#include "field/test_traces_fr.h"
#include "groth16/test_instance.h"

static int spared = -1; /* draws until one fails; below 0: none does */

ssize_t __real_getrandom(void *bytes, size_t n, unsigned flags);
ssize_t __wrap_getrandom(void *bytes, size_t n, unsigned flags);

ssize_t __wrap_getrandom(void *bytes, size_t n, unsigned flags)
{
    if (spared < 0) return __real_getrandom(bytes, n, flags);
    if (spared-- > 0) {
        memset(bytes, 0x5a, n); /* below r: taken at once */
        return (ssize_t)n;
    }
    errno = ENOSYS;
    return -1;
}

static const toy_t toy = {.seed = 7,
                          .n_public = 3,
                          .n_bits = 20,
                          .n_chain = 40,
                          .one_in_b = true,
                          .change = TOY_NO_CHANGE};

/* The wrong witness fails its check later; the cancelled one ends within the sums. */
static void prove(const srs_t *srs, strand_t *strand, cuzk_status expected)
{
    groth16_blinding_t blinding;
    test_traces_t traces = {0};
    owned_assignment_t owned;
    device_t *device;
    cuzk_error err;
    proof_t proof;

    assert_int_equal(owned_assignment_make(&owned, toy_circuit, &toy, false, NULL, &err), CUZK_OK);
    const assignment_t *x = &owned.x;
    assert_int_equal(device_cpu_open(&device, &(device_cpu_options_t){0}, &err), CUZK_OK);
    groth16_instance_t instance = {.srs = srs,
                                   .counts = x->counts,
                                   .lg_domain = x->lg_domain,
                                   .witness = &x->witness,
                                   .densities = x->densities};
    instance.a = test_instance_vector(device, BUFFER_HOST, x->a, (size_t)1 << x->lg_domain);
    instance.b = test_instance_vector(device, BUFFER_HOST, x->b, (size_t)1 << x->lg_domain);
    assert_int_equal(groth16_random_blinding(&blinding, &err), CUZK_OK);
    test_traces_add_fr(&traces, &blinding.r);
    test_traces_add_fr(&traces, &blinding.s);
    assert_true(test_traces_count(&traces) >= 2);
    assert_int_equal(groth16_prove(&proof, NULL, &instance, NULL, &blinding, strand, &err),
                     expected);
    mem_wipe(&blinding, sizeof blinding);
    assert_int_equal(test_traces_count(&traces), 0);
    device_close(device);
    owned_assignment_clear(&owned);
}

static void no_trace_of_it_is_left(void **state)
{
    test_params_t params;
    strand_t *strand;
    cancel_t cancel;
    cuzk_error err;

    (void)state;
    test_params_open(&params, toy_circuit, &toy);
    prove(&params.srs, NULL, CUZK_OK);
    assert_int_equal(strand_open(&strand, 3, &err), CUZK_OK);
    prove(&params.srs, strand, CUZK_OK);
    cancel_init(&cancel, UINT64_MAX);
    cancel_request(&cancel);
    strand_watch(strand, &cancel);
    prove(&params.srs, strand, CUZK_CANCELLED);
    strand_close(strand);
    test_params_close(&params);
}

static void a_draw_that_fails_leaves_none(void **state)
{
    const groth16_blinding_t none = {0};
    groth16_blinding_t blinding;
    test_traces_t traces = {0};
    uint64_t drawn[4];
    cuzk_error err;
    fr_t element;

    (void)state;
    memset(drawn, 0x5a, sizeof drawn);
    assert_true(fr_from_bytes(&element, (const uint8_t *)drawn));
    test_traces_add_fr(&traces, &element);
    mem_wipe(&element, sizeof element);
    mem_wipe(drawn, sizeof drawn);
    for (int n = 0; n < 2; n++) {
        memset(&blinding, 0xff, sizeof blinding);
        spared = n;
        assert_int_equal(groth16_random_blinding(&blinding, &err), CUZK_ERR_IO);
        spared = -1;
        assert_memory_equal(&blinding, &none, sizeof none);
        assert_int_equal(test_traces_count(&traces), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_trace_of_it_is_left),
                                       cmocka_unit_test(a_draw_that_fails_leaves_none)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
