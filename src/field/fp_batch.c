/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "field/fp_batch.h"

#include "base/cpu.h"
#include "field/fp_batch_kernels.h"

void fp_mul_portable(fp_t *r, const fp_t *a, const fp_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++) fp_mul(&r[i], &a[i], &b[i]);
}

void fp2_mul_portable(fp2_t *r, const fp2_t *a, const fp2_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++) fp2_mul(&r[i], &a[i], &b[i]);
}

static const struct {
    void (*mul)(fp_t *r, const fp_t *a, const fp_t *b, size_t n);
    void (*mul2)(fp2_t *r, const fp2_t *a, const fp2_t *b, size_t n);
} kernels[] = {
    [CPU_PORTABLE] = {fp_mul_portable, fp2_mul_portable},
#if defined(__x86_64__)
    [CPU_AVX512_IFMA] = {fp_mul_ifma, fp2_mul_ifma},
#endif
};

void fp_batch_mul(fp_t *r, const fp_t *a, const fp_t *b, size_t n)
{
    kernels[cpu_level_used()].mul(r, a, b, n);
}

void fp2_batch_mul(fp2_t *r, const fp2_t *a, const fp2_t *b, size_t n)
{
    kernels[cpu_level_used()].mul2(r, a, b, n);
}
