/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "gadget/packing.h"

#include "r1cs/tape.h"

static void bits_value(fr_t *r, const boolean_t *bits, size_t n)
{
    scalar_t s = {{0}};

    for (size_t i = 0; i < n; i++) s.l[i / 64] |= (uint64_t)bits[i].value << i % 64;
    fr_from_scalar(r, &s);
}

/* sum(2^i bits[i]) * 1 = a; value is that of the sum */
static void enforce(cs_t *cs, const boolean_t *bits, size_t n, const fr_t *value, const num_t *a)
{
    if (cs->tape != NULL) {
        tape_row(cs, value, &fr_one, &a->value);
        return;
    }
    const arena_mark_t mark = arena_mark(&cs->arena);
    const lc_t one = lc_from_var(&cs->arena, VAR_ONE);
    const lc_t result = lc_from_var(&cs->arena, a->var);
    lc_t sum = lc_empty();
    fr_t power = fr_one;

    for (size_t i = 0; i < n; i++) {
        boolean_add_to(&cs->arena, &sum, bits[i], &power);
        fr_add(&power, &power, &power);
    }
    cs_enforce(cs, &sum, &one, &result);
    arena_rewind(&cs->arena, mark);
}

num_t packing_num(cs_t *cs, const boolean_t *bits, size_t n)
{
    fr_t value;

    VERIFY(n <= PACKING_CAPACITY);
    bits_value(&value, bits, n);
    const num_t r = num_alloc(cs, &value);
    if (cs->values_only) return r;
    enforce(cs, bits, n, &r.value, &r);
    return r;
}

void packing_inputs(cs_t *cs, const boolean_t *bits, size_t n)
{
    if (cs->values_only) return;
    for (size_t from = 0; from < n; from += PACKING_CAPACITY) {
        const size_t count = n - from < PACKING_CAPACITY ? n - from : PACKING_CAPACITY;
        num_t input;

        bits_value(&input.value, bits + from, count);
        input.var = cs_alloc_input(cs, &input.value);
        enforce(cs, bits + from, count, &input.value, &input);
    }
}

void packing_enforce(cs_t *cs, const boolean_t *bits, size_t n, const num_t *a)
{
    fr_t value;

    VERIFY(n <= FR_BITS);
    if (cs->values_only) return;
    bits_value(&value, bits, n);
    enforce(cs, bits, n, &value, a);
}

void packing_swap_bytes(boolean_t *out, const boolean_t *bits, size_t n)
{
    const size_t padded = (n + 7) / 8 * 8;

    for (size_t i = 0; i < padded; i++) {
        const size_t from = i / 8 * 8 + (7 - i % 8);

        out[i] = from < n ? bits[from] : boolean_constant(false);
    }
}
