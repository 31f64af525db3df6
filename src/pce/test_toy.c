/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "pce/test_toy.h"

enum { MAX_BITS = 90, FAR_POWER = 253 };

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 29;
}

static void power_of_two(fr_t *r, unsigned k)
{
    fr_from_u64(r, 2);
    fr_pow_u64(r, r, k);
}

static void enforce_vars(cs_t *cs, const lc_t *a, var_t b, var_t c)
{
    const lc_t right = lc_from_var(&cs->arena, b);
    const lc_t result = lc_from_var(&cs->arena, c);

    cs_enforce(cs, a, &right, &result);
}

/* Sums of bits: small, with powers of two of both signs, with a constant and a zero. */
static void add_bit_rows(cs_t *cs, const var_t *bits, unsigned n, var_t element)
{
    lc_t small = {0}, powers = {0}, high = {0}, other = {0};
    fr_t coeff;

    for (unsigned i = 0; i < n; i++) {
        if (i < 4) lc_sub_var(&cs->arena, &small, bits[i]);
        power_of_two(&coeff, 3 * i % (FAR_POWER + 1));
        if (i % 3 == 0) fr_neg(&coeff, &coeff);
        lc_add_term(&cs->arena, &powers, bits[i], &coeff);
        power_of_two(&coeff, FAR_POWER - i % 4);
        lc_add_term(&cs->arena, &high, bits[i], &coeff);
        fr_from_u64(&coeff, 1000003 + i);
        lc_add_term(&cs->arena, &other, bits[i], &coeff);
    }
    fr_from_u64(&coeff, 77777);
    lc_add_term(&cs->arena, &powers, VAR_ONE, &coeff);
    lc_add_term(&cs->arena, &small, element, &fr_zero);
    enforce_vars(cs, &small, bits[0], element);
    enforce_vars(cs, &powers, bits[n - 1], bits[0]);
    enforce_vars(cs, &high, bits[n / 2], element);
    enforce_vars(cs, &other, element, bits[1]);
}

/* A gadget over two variables, which may be the same. */
static var_t gadget(cs_t *cs, var_t x, var_t y, const fr_t *value)
{
    const var_t slots[2] = {x, y};
    var_t out = VAR_ONE;
    const cs_gadget_t g = {
        .name = "toy", .slots = slots, .n_slots = 2, .outputs = &out, .n_outputs = 1};

    if (cs_gadget_begin(cs, &g)) return out;
    lc_t sum = lc_from_var(&cs->arena, x);
    lc_add_var(&cs->arena, &sum, y);
    out = cs_alloc(cs, value);
    enforce_vars(cs, &sum, y, out);
    cs_gadget_end(cs, &g);
    return out;
}

static void make_part(cs_t *cs, const toy_t *toy, unsigned k)
{
    const arena_mark_t mark = arena_mark(&cs->arena);
    const unsigned n = 5 + k * 37 % (MAX_BITS - 5);
    uint64_t state = toy->seed + 1000 * k;
    var_t bits[MAX_BITS];
    fr_t value;
    lc_t sum = {0};

    for (unsigned i = 0; i < n; i++) bits[i] = cs_alloc_bit(cs, next_random(&state) & 1);
    fr_from_u64(&value, next_random(&state));
    const var_t element = cs_alloc(cs, &value);
    add_bit_rows(cs, bits, n, element);
    const var_t input = cs_alloc_input(cs, &value);
    const var_t twice = gadget(cs, element, element, &value);
    const var_t other = gadget(cs, element, twice, &value);
    const var_t mixed = gadget(cs, bits[2], other, &value);
    lc_add_var(&cs->arena, &sum, mixed);
    lc_add_term(&cs->arena, &sum, input, &fr_minus_one);
    enforce_vars(cs, &sum, toy->one_in_b >> k % 3 & 1 ? VAR_ONE : input, mixed);
    arena_rewind(&cs->arena, mark);
}

void toy_parts(cs_t *cs, const void *circuit)
{
    const toy_t *toy = circuit;

    if (toy->runs != NULL) atomic_fetch_add(toy->runs, 1);
    for (unsigned k = 0; k < toy->n_parts; k++) {
        if (toy->in_one || cs_part(cs)) make_part(cs, toy, k);
    }
}
