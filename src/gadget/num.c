/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "gadget/num.h"

#include "gadget/terms.h"

static void enforce_product(cs_t *cs, var_t a, var_t b, var_t c)
{
    lc_term_t terms[3];
    const lc_t left = terms_var(&terms[0], a);
    const lc_t right = terms_var(&terms[1], b);
    const lc_t product = terms_var(&terms[2], c);

    cs_enforce(cs, &left, &right, &product);
}

num_t num_alloc(cs_t *cs, const fr_t *value)
{
    num_t r;

    VERIFY(value != NULL || !cs->has_values);
    r.value = value == NULL ? fr_zero : *value;
    r.var = cs_alloc(cs, &r.value);
    return r;
}

void num_inputize(cs_t *cs, const num_t *a)
{
    enforce_product(cs, cs_alloc_input(cs, &a->value), VAR_ONE, a->var);
}

num_t num_mul(cs_t *cs, const num_t *a, const num_t *b)
{
    num_t r;

    fr_mul(&r.value, &a->value, &b->value);
    r.var = cs_alloc(cs, &r.value);
    enforce_product(cs, a->var, b->var, r.var);
    return r;
}

num_t num_add(cs_t *cs, const num_t *a, const num_t *b)
{
    const arena_mark_t mark = arena_mark(&cs->arena);
    lc_term_t terms[2];
    num_t r;

    fr_add(&r.value, &a->value, &b->value);
    r.var = cs_alloc(cs, &r.value);
    lc_t sum = lc_from_var(&cs->arena, a->var);
    lc_add_var(&cs->arena, &sum, b->var);
    const lc_t one = terms_var(&terms[0], VAR_ONE);
    const lc_t result = terms_var(&terms[1], r.var);
    cs_enforce(cs, &sum, &one, &result);
    arena_rewind(&cs->arena, mark);
    return r;
}

void num_enforce_equal(cs_t *cs, const num_t *a, const num_t *b)
{
    enforce_product(cs, a->var, VAR_ONE, b->var);
}

num_t num_pick(cs_t *cs, boolean_t condition, const num_t *a, const num_t *b)
{
    const arena_mark_t mark = arena_mark(&cs->arena);
    const num_t r = num_alloc(cs, condition.value ? &a->value : &b->value);
    lc_t difference = lc_from_var(&cs->arena, b->var);
    lc_t selector = {0};
    lc_t rest = lc_from_var(&cs->arena, b->var);

    lc_sub_var(&cs->arena, &difference, a->var);
    boolean_add_to(&cs->arena, &selector, condition, &fr_one);
    lc_sub_var(&cs->arena, &rest, r.var);
    cs_enforce(cs, &difference, &selector, &rest);
    arena_rewind(&cs->arena, mark);
    return r;
}

void num_alloc_bits(cs_t *cs, boolean_t *bits, unsigned n, const num_t *a)
{
    scalar_t s = {{0}};

    VERIFY(n <= FR_BITS);
    if (cs->has_values) fr_to_scalar(&s, &a->value);
    for (unsigned i = 0; i < n; i++) bits[i] = boolean_alloc(cs, scalar_bit(&s, i));
}

void num_to_bits(cs_t *cs, boolean_t bits[FR_BITS], const num_t *a)
{
    const lc_t zero = {0};
    lc_term_t terms[FR_BITS + 1];
    lc_t difference = {.terms = terms, .capacity = FR_BITS + 1};
    fr_t power = fr_one;

    num_alloc_bits(cs, bits, FR_BITS, a);
    for (unsigned i = 0; i < FR_BITS; i++) {
        lc_add_term(&cs->arena, &difference, bits[i].var, &power);
        fr_add(&power, &power, &power);
    }
    lc_sub_var(&cs->arena, &difference, a->var);
    cs_enforce(cs, &zero, &zero, &difference);
}
