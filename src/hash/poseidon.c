/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "hash/poseidon.h"

#include "base/cpu.h"
#include "base/verify.h"
#include "hash/poseidon_constants.h"

/* Index into poseidon_constants and the domain tag. */
static const struct {
    uint8_t width_index;
    uint64_t tag;
} instances[POSEIDON_INSTANCES] = {
    [POSEIDON_2] = {0, (1 << 2) - 1},  [POSEIDON_4] = {1, (1 << 4) - 1},
    [POSEIDON_8] = {2, (1 << 8) - 1},  [POSEIDON_11] = {3, (1 << 11) - 1},
    [POSEIDON_2_MD] = {0, 1ULL << 40},
};

const poseidon_constants_t *poseidon_instance_constants(poseidon_instance instance)
{
    VERIFY(instance < POSEIDON_INSTANCES);
    return &poseidon_constants[instances[instance].width_index];
}

void poseidon_tag(fr_t *tag, poseidon_instance instance)
{
    fr_from_u64(tag, instances[instance].tag);
}

unsigned poseidon_arity(poseidon_instance instance)
{
    return poseidon_instance_constants(instance)->width - 1;
}

poseidon_instance poseidon_with_arity(unsigned arity)
{
    VERIFY(arity == 2 || arity == 4 || arity == 8);
    return arity == 2 ? POSEIDON_2 : arity == 4 ? POSEIDON_4 : POSEIDON_8;
}

void poseidon_sbox(fr_t *x)
{
    fr_t power;

    fr_sqr(&power, x);
    fr_sqr(&power, &power);
    fr_mul(x, x, &power);
}

void poseidon_mix(const poseidon_constants_t *c, fr_t *state, const fr_t *matrix)
{
    const unsigned t = c->width;
    fr_t old[POSEIDON_MAX_WIDTH];
    fr_t product;

    memcpy(old, state, t * sizeof *old);
    for (unsigned j = 0; j < t; j++) fr_mul(&state[j], &old[0], &matrix[j]);
    for (unsigned i = 1; i < t; i++) {
        for (unsigned j = 0; j < t; j++) {
            fr_mul(&product, &old[i], &matrix[i * t + j]);
            fr_add(&state[j], &state[j], &product);
        }
    }
}

void poseidon_mix_sparse(const poseidon_constants_t *c, fr_t *state, unsigned round)
{
    const unsigned t = c->width;
    const fr_t *column = c->sparse + round * (2 * t - 1);
    const fr_t *row = column + t;
    const fr_t first = state[0];
    fr_t product;

    fr_mul(&state[0], &first, &column[0]);
    for (unsigned j = 1; j < t; j++) {
        fr_mul(&product, &state[j], &column[j]);
        fr_add(&state[0], &state[0], &product);
        fr_mul(&product, &first, &row[j - 1]);
        fr_add(&state[j], &state[j], &product);
    }
}

/* trace[0 .. 2] = x^2, x^4, x^5 + key; x becomes that. key may be NULL. */
static fr_t *trace_powers(fr_t *trace, fr_t *x, const fr_t *key)
{
    fr_sqr(&trace[0], x);
    fr_sqr(&trace[1], &trace[0]);
    fr_mul(x, x, &trace[1]);
    if (key != NULL) fr_add(x, x, key);
    trace[2] = *x;
    return trace + 3;
}

static fr_t *trace_sbox(fr_t *trace, fr_t *x, const fr_t *key)
{
    *trace = *x;
    return trace_powers(trace + 1, x, key);
}

static fr_t *trace_full_round(fr_t *trace, const poseidon_constants_t *c, fr_t *state,
                              const fr_t *keys, const fr_t *matrix)
{
    for (unsigned i = 0; i < c->width; i++)
        trace = trace_sbox(trace, &state[i], keys == NULL ? NULL : &keys[i]);
    poseidon_mix(c, state, matrix);
    return trace;
}

void poseidon_trace_portable(fr_t *trace, const poseidon_constants_t *c, fr_t *state)
{
    enum { HALF = POSEIDON_FULL_ROUNDS / 2 };
    const unsigned t = c->width;
    const fr_t *keys = c->keys + t;

    for (unsigned i = 0; i < t; i++) fr_add(&state[i], &state[i], &c->keys[i]);
    poseidon_sbox(&state[0]);
    fr_add(&state[0], &state[0], &keys[0]);
    for (unsigned i = 1; i < t; i++) trace = trace_powers(trace, &state[i], &keys[i]);
    poseidon_mix(c, state, c->mix);
    for (unsigned i = 1; i < HALF; i++) {
        keys += t;
        trace = trace_full_round(trace, c, state, keys, i < HALF - 1 ? c->mix : c->pre_sparse);
    }
    keys += t;
    for (unsigned i = 0; i < c->partial_rounds; i++) {
        trace = trace_sbox(trace, &state[0], keys++);
        poseidon_mix_sparse(c, state, i);
    }
    for (unsigned i = 0; i < HALF; i++, keys += t)
        trace = trace_full_round(trace, c, state, i < HALF - 1 ? keys : NULL, c->mix);
    *trace = state[1];
}

void poseidon_trace(fr_t *trace, poseidon_instance instance, const fr_t *inputs)
{
    const poseidon_constants_t *c = poseidon_instance_constants(instance);
    fr_t state[POSEIDON_MAX_WIDTH];

    poseidon_tag(&state[0], instance);
    memcpy(state + 1, inputs, (c->width - 1) * sizeof *state);
#if defined(__x86_64__)
    if (cpu_level_used() == CPU_AVX512_IFMA) {
        poseidon_trace_ifma(trace, c, state);
        return;
    }
#endif
    poseidon_trace_portable(trace, c, state);
}

void poseidon_trace_many(fr_t *const *traces, poseidon_instance instance, const fr_t *const *inputs,
                         size_t n)
{
    size_t i = 0;

#if defined(__x86_64__)
    fr_t tag;

    poseidon_tag(&tag, instance);
    if (cpu_level_used() == CPU_AVX512_IFMA) {
        for (; n - i >= POSEIDON_LANES; i += POSEIDON_LANES)
            poseidon_trace_8_ifma(traces + i, poseidon_instance_constants(instance), &tag,
                                  inputs + i);
    }
#endif
    for (; i < n; i++) poseidon_trace(traces[i], instance, inputs[i]);
}

void poseidon_hash(fr_t *r, poseidon_instance instance, const fr_t *inputs)
{
    fr_t trace[POSEIDON_MAX_TRACE];

    poseidon_trace(trace, instance, inputs);
    *r = trace[poseidon_trace_length(poseidon_instance_constants(instance)) - 1];
}
