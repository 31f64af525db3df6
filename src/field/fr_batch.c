/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "field/fr_batch.h"

#include "base/cpu.h"
#include "field/fr_batch_ops.h"

static const fr_batch_ops_t *const ops_by_level[] = {
    [CPU_PORTABLE] = &fr_batch_portable,
#if defined(__x86_64__)
    [CPU_AVX512_IFMA] = &fr_batch_ifma,
#endif
};

/* Whole groups go to the chosen kernel, the rest to the portable one. */
typedef struct {
    const fr_batch_ops_t *ops;
    size_t n; /* elements in whole groups */
} choice_t;

static choice_t choose(size_t n)
{
    const fr_batch_ops_t *ops = ops_by_level[cpu_level_used()];

    return (choice_t){ops, n - n % ops->group};
}

void fr_batch_add(fr_t *r, const fr_t *a, const fr_t *b, size_t n)
{
    const choice_t c = choose(n);

    c.ops->add(r, a, b, c.n);
    fr_batch_portable.add(r + c.n, a + c.n, b + c.n, n - c.n);
}

void fr_batch_sub(fr_t *r, const fr_t *a, const fr_t *b, size_t n)
{
    const choice_t c = choose(n);

    c.ops->sub(r, a, b, c.n);
    fr_batch_portable.sub(r + c.n, a + c.n, b + c.n, n - c.n);
}

void fr_batch_mul(fr_t *r, const fr_t *a, const fr_t *b, size_t n)
{
    const choice_t c = choose(n);

    c.ops->mul(r, a, b, c.n);
    fr_batch_portable.mul(r + c.n, a + c.n, b + c.n, n - c.n);
}

void fr_batch_sqr(fr_t *r, const fr_t *a, size_t n)
{
    const choice_t c = choose(n);

    c.ops->sqr(r, a, c.n);
    fr_batch_portable.sqr(r + c.n, a + c.n, n - c.n);
}

void fr_batch_scale(fr_t *r, const fr_t *a, const fr_t *k, size_t n)
{
    const choice_t c = choose(n);

    c.ops->scale(r, a, k, c.n);
    fr_batch_portable.scale(r + c.n, a + c.n, k, n - c.n);
}

void fr_batch_scale_powers(fr_t *r, const fr_t *a, const fr_t *first, const fr_t *step, size_t n)
{
    const choice_t c = choose(n);
    fr_t factor;

    c.ops->scale_powers(r, a, first, step, c.n);
    if (c.n == n) return;
    fr_pow_u64(&factor, step, c.n);
    fr_mul(&factor, &factor, first);
    fr_batch_portable.scale_powers(r + c.n, a + c.n, &factor, step, n - c.n);
}

void fr_batch_inv(fr_t *r, const fr_t *a, size_t n)
{
    const choice_t c = choose(n);

    if (c.n > 0) c.ops->inv(r, a, c.n);
    if (c.n < n) fr_batch_portable.inv(r + c.n, a + c.n, n - c.n);
}

void fr_batch_to_scalar(scalar_t *s, const fr_t *a, size_t n)
{
    const choice_t c = choose(n);

    c.ops->to_scalar(s, a, c.n);
    fr_batch_portable.to_scalar(s + c.n, a + c.n, n - c.n);
}

void fr_batch_from_scalar(fr_t *a, const scalar_t *s, size_t n)
{
    const choice_t c = choose(n);

    c.ops->from_scalar(a, s, c.n);
    fr_batch_portable.from_scalar(a + c.n, s + c.n, n - c.n);
}
