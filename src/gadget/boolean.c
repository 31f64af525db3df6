/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "gadget/boolean.h"

#include "gadget/terms.h"
#include "r1cs/tape.h"

/* A new variable, or the boolean alone in a part that gives values only. */
static boolean_t alloc_bit(cs_t *cs, bool value)
{
    return boolean_is(cs->values_only ? VAR_ONE : cs_alloc_bit(cs, value), value);
}

boolean_t boolean_alloc(cs_t *cs, bool value)
{
    if (cs->values_only) return boolean_is(VAR_ONE, value);
    if (cs->tape != NULL) {
        tape_bits(cs, value, 1);
        tape_row(cs, value ? &fr_zero : &fr_one, value ? &fr_one : &fr_zero, &fr_zero);
        return boolean_is(VAR_AUX | (cs->n_aux - 1), value);
    }
    const boolean_t a = boolean_is(cs_alloc_bit(cs, value), value);
    const lc_t zero = lc_empty();
    lc_term_t not_terms[2];
    lc_term_t terms[1];
    const lc_t not_a = terms_affine(not_terms, &fr_one, &fr_minus_one, a.var);
    const lc_t self = terms_var(terms, a.var);

    cs_enforce(cs, &not_a, &self, &zero);
    return a;
}

/* 2a * b = a + b - r */
static boolean_t xor_variables(cs_t *cs, var_t a, var_t b, bool value)
{
    const arena_mark_t mark = arena_mark(&cs->arena);
    const boolean_t r = alloc_bit(cs, value);
    if (cs->values_only) return r;
    lc_t twice = lc_from_var(&cs->arena, a);
    const lc_t right = lc_from_var(&cs->arena, b);
    lc_t sum = lc_from_var(&cs->arena, a);

    lc_add_var(&cs->arena, &twice, a);
    lc_add_var(&cs->arena, &sum, b);
    lc_sub_var(&cs->arena, &sum, r.var);
    cs_enforce(cs, &twice, &right, &sum);
    arena_rewind(&cs->arena, mark);
    return r;
}

boolean_t boolean_xor(cs_t *cs, boolean_t a, boolean_t b)
{
    const bool value = a.value != b.value;

    if (a.kind == BOOLEAN_CONSTANT) return a.value ? boolean_not(b) : b;
    if (b.kind == BOOLEAN_CONSTANT) return b.value ? boolean_not(a) : a;
    if (a.kind == b.kind) return xor_variables(cs, a.var, b.var, value);
    /* of a variable and a negated one the variable stands left */
    if (a.kind == BOOLEAN_NOT) return boolean_not(xor_variables(cs, b.var, a.var, !value));
    return boolean_not(xor_variables(cs, a.var, b.var, !value));
}

/* a * b = r */
static boolean_t and_variables(cs_t *cs, boolean_t a, boolean_t b)
{
    const arena_mark_t mark = arena_mark(&cs->arena);
    const bool value = a.value && b.value;
    const boolean_t r = alloc_bit(cs, value);

    if (cs->values_only) return r;
    if (cs->tape != NULL) {
        tape_row(cs, a.value ? &fr_one : &fr_zero, b.value ? &fr_one : &fr_zero,
                 value ? &fr_one : &fr_zero);
        return r;
    }
    lc_t left = lc_empty();
    lc_t right = lc_empty();

    boolean_add_to(&cs->arena, &left, a, &fr_one);
    boolean_add_to(&cs->arena, &right, b, &fr_one);
    const lc_t product = lc_from_var(&cs->arena, r.var);
    cs_enforce(cs, &left, &right, &product);
    arena_rewind(&cs->arena, mark);
    return r;
}

boolean_t boolean_and(cs_t *cs, boolean_t a, boolean_t b)
{
    if (a.kind == BOOLEAN_CONSTANT) return a.value ? b : a;
    if (b.kind == BOOLEAN_CONSTANT) return b.value ? a : b;
    /* of a variable and a negated one the variable stands left */
    if (a.kind == BOOLEAN_NOT && b.kind == BOOLEAN_IS) return and_variables(cs, b, a);
    return and_variables(cs, a, b);
}

static bool is_false(boolean_t a)
{
    return a.kind == BOOLEAN_CONSTANT && !a.value;
}

static bool is_true(boolean_t a)
{
    return a.kind == BOOLEAN_CONSTANT && a.value;
}

static boolean_t either(cs_t *cs, boolean_t a, boolean_t b)
{
    return boolean_not(boolean_and(cs, boolean_not(a), boolean_not(b)));
}

/* (b - c) * a = r - c */
static boolean_t choose(cs_t *cs, boolean_t a, boolean_t b, boolean_t c)
{
    const arena_mark_t mark = arena_mark(&cs->arena);
    const bool value = a.value ? b.value : c.value;
    const boolean_t r = alloc_bit(cs, value);
    if (cs->values_only) return r;
    lc_t difference = lc_empty();
    lc_t selector = lc_empty();

    boolean_add_to(&cs->arena, &difference, b, &fr_one);
    boolean_add_to(&cs->arena, &difference, c, &fr_minus_one);
    boolean_add_to(&cs->arena, &selector, a, &fr_one);
    lc_t result = lc_from_var(&cs->arena, r.var);
    boolean_add_to(&cs->arena, &result, c, &fr_minus_one);
    cs_enforce(cs, &difference, &selector, &result);
    arena_rewind(&cs->arena, mark);
    return r;
}

boolean_t boolean_ch(cs_t *cs, boolean_t a, boolean_t b, boolean_t c)
{
    /* In this order: when several of these hold they differ in the variables they add. */
    if (a.kind == BOOLEAN_CONSTANT && b.kind == BOOLEAN_CONSTANT && c.kind == BOOLEAN_CONSTANT)
        return a.value ? b : c;
    if (is_false(a)) return c;
    if (is_false(b)) return boolean_and(cs, boolean_not(a), c);
    if (is_false(c)) return boolean_and(cs, a, b);
    if (is_true(c)) return either(cs, boolean_not(a), b);
    if (is_true(b)) return either(cs, a, c);
    return choose(cs, a, b, c);
}

/* b * c = bc; (2 bc - b - c) * a = bc - r. The variable r is older than bc's. */
static boolean_t majority(cs_t *cs, boolean_t a, boolean_t b, boolean_t c)
{
    const arena_mark_t mark = arena_mark(&cs->arena);
    const bool value = (a.value && b.value) || (a.value && c.value) || (b.value && c.value);
    const boolean_t r = alloc_bit(cs, value);
    if (cs->values_only) return r;
    const boolean_t bc = boolean_and(cs, b, c);
    lc_t left = lc_empty();
    lc_t selector = lc_empty();
    lc_t result = lc_empty();

    boolean_add_to(&cs->arena, &left, bc, &fr_one);
    boolean_add_to(&cs->arena, &left, bc, &fr_one);
    boolean_add_to(&cs->arena, &left, b, &fr_minus_one);
    boolean_add_to(&cs->arena, &left, c, &fr_minus_one);
    boolean_add_to(&cs->arena, &selector, a, &fr_one);
    boolean_add_to(&cs->arena, &result, bc, &fr_one);
    lc_sub_var(&cs->arena, &result, r.var);
    cs_enforce(cs, &left, &selector, &result);
    arena_rewind(&cs->arena, mark);
    return r;
}

boolean_t boolean_maj(cs_t *cs, boolean_t a, boolean_t b, boolean_t c)
{
    if (is_false(a)) return boolean_and(cs, b, c);
    if (is_false(b)) return boolean_and(cs, a, c);
    if (is_false(c)) return boolean_and(cs, a, b);
    if (is_true(c)) return either(cs, a, b);
    if (is_true(b)) return either(cs, a, c);
    if (is_true(a)) return either(cs, b, c);
    return majority(cs, a, b, c);
}

void boolean_add_to(arena_t *arena, lc_t *lc, boolean_t a, const fr_t *coeff)
{
    fr_t minus;

    if (a.kind == BOOLEAN_CONSTANT) {
        if (a.value) lc_add_term(arena, lc, VAR_ONE, coeff);
    } else if (a.kind == BOOLEAN_IS) {
        lc_add_term(arena, lc, a.var, coeff);
    } else {
        fr_neg(&minus, coeff);
        lc_add_term(arena, lc, VAR_ONE, coeff);
        lc_add_term(arena, lc, a.var, &minus);
    }
}
