/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "hash/poseidon.h"

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

static void add_keys(fr_t *state, const fr_t **keys, unsigned n)
{
    for (unsigned i = 0; i < n; i++) fr_add(&state[i], &state[i], &(*keys)[i]);
    *keys += n;
}

/* S-boxes on the first n elements. */
static void substitute(fr_t *state, unsigned n)
{
    for (unsigned i = 0; i < n; i++) poseidon_sbox(&state[i]);
}

void poseidon_hash(fr_t *r, poseidon_instance instance, const fr_t *inputs)
{
    const poseidon_constants_t *c = poseidon_instance_constants(instance);
    const unsigned t = c->width;
    const fr_t *keys = c->keys;
    fr_t state[POSEIDON_MAX_WIDTH];

    poseidon_tag(&state[0], instance);
    memcpy(state + 1, inputs, (t - 1) * sizeof *state);
    add_keys(state, &keys, t);
    for (unsigned i = 0; i < POSEIDON_FULL_ROUNDS / 2; i++) {
        substitute(state, t);
        add_keys(state, &keys, t);
        poseidon_mix(c, state, i < POSEIDON_FULL_ROUNDS / 2 - 1 ? c->mix : c->pre_sparse);
    }
    for (unsigned i = 0; i < c->partial_rounds; i++) {
        substitute(state, 1);
        add_keys(state, &keys, 1);
        poseidon_mix_sparse(c, state, i);
    }
    for (unsigned i = 0; i < POSEIDON_FULL_ROUNDS / 2; i++) {
        substitute(state, t);
        if (i < POSEIDON_FULL_ROUNDS / 2 - 1) add_keys(state, &keys, t);
        poseidon_mix(c, state, c->mix);
    }
    *r = state[1];
}
