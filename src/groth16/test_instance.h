/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_GROTH16_TEST_INSTANCE_H
#define CUZK_GROTH16_TEST_INSTANCE_H

/* Proofs of circuits for tests, on a device of their own. To be included after cmocka.h. */

#include "device/cpu.h"
#include "groth16/groth16.h"
#include "setup/test_params.h"
#include "synthesis/owned.h"

/** What to prove and how. */
typedef struct {
    const srs_t *srs;
    circuit_fn circuit;
    const void *values;
    const groth16_plan_t *plan; /* NULL: the default */
    buffer_kind vectors;        /* a and b */
    const device_ops_t *ops;    /* in place of the CPU's; NULL: the CPU's */
    groth16_timings_t *timings; /* may be NULL */
    uint64_t *peak_bytes;       /* of the device's memory; may be NULL */
} test_instance_t;

static inline void test_instance_blinding(groth16_blinding_t *blinding, uint64_t seed)
{
    fr_from_u64(&blinding->r, seed + 3);
    fr_inv(&blinding->r, &blinding->r);
    fr_from_u64(&blinding->s, seed + 4);
    fr_inv(&blinding->s, &blinding->s);
}

static inline buffer_t *test_instance_vector(device_t *device, buffer_kind kind, const fr_t *values,
                                             size_t n)
{
    buffer_t *buffer;
    cuzk_error err;

    assert_int_equal(
        device_cpu_ops.buffer_alloc(&buffer, device, kind, n * sizeof *values, "a or b", &err),
        CUZK_OK);
    assert_int_equal(buffer_write(buffer, 0, values, n * sizeof *values, &err), CUZK_OK);
    return buffer;
}

/** Proves; whatever the outcome, a and b are gone and the device has nothing in use. */
static inline cuzk_status test_instance_prove(proof_t *proof, const test_instance_t *t,
                                              uint64_t blinding_seed, strand_t *strand,
                                              cuzk_error *err)
{
    const device_cpu_options_t options = {.file_folder = CUZK_BINARY_DIR};
    groth16_blinding_t blinding;
    device_t *device;
    owned_assignment_t owned;

    test_instance_blinding(&blinding, blinding_seed);
    assert_int_equal(owned_assignment_make(&owned, t->circuit, t->values, false, NULL, err),
                     CUZK_OK);
    const assignment_t *x = &owned.x;
    assert_int_equal(device_cpu_open(&device, &options, err), CUZK_OK);
    if (t->ops != NULL) device->ops = t->ops;
    groth16_instance_t instance = {.srs = t->srs,
                                   .counts = x->counts,
                                   .lg_domain = x->lg_domain,
                                   .witness = &x->witness,
                                   .densities = x->densities};
    instance.a = test_instance_vector(device, t->vectors, x->a, (size_t)1 << x->lg_domain);
    instance.b = test_instance_vector(device, t->vectors, x->b, (size_t)1 << x->lg_domain);
    const cuzk_status st =
        groth16_prove(proof, t->timings, &instance, t->plan, &blinding, strand, err);
    if (t->peak_bytes != NULL) *t->peak_bytes = device_memory(device).peak;
    assert_null(instance.a);
    assert_null(instance.b);
    assert_int_equal(device_memory(device).used, 0);
    assert_int_equal(device_memory(device).files, 0);
    device_close(device);
    owned_assignment_clear(&owned);
    return st;
}

#endif
