/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "gadget/num.h"

#include "field/fr_constants.h"
#include "gadget/terms.h"
#include "r1cs/tape.h"

static const num_t one = {.value = {{FR_ONE_LIMBS}}, .var = VAR_ONE};

/* a * b = c */
static void enforce_product(cs_t *cs, const num_t *a, const num_t *b, const num_t *c)
{
    lc_term_t terms[3];
    const lc_t left = terms_var(&terms[0], a->var);
    const lc_t right = terms_var(&terms[1], b->var);
    const lc_t product = terms_var(&terms[2], c->var);

    if (cs->values_only) return;
    if (cs->tape != NULL) {
        tape_row(cs, &a->value, &b->value, &c->value);
        return;
    }
    cs_enforce(cs, &left, &right, &product);
}

num_t num_alloc(cs_t *cs, const fr_t *value)
{
    num_t r;

    VERIFY(value != NULL || !cs->has_values);
    if (cs->values_only) return num_value_only(value);
    r.value = value == NULL ? fr_zero : *value;
    r.var = cs_alloc(cs, &r.value);
    return r;
}

void num_alloc_all(cs_t *cs, num_t *r, const fr_t *values, size_t n)
{
    for (size_t i = 0; i < n; i++) r[i] = num_alloc(cs, values == NULL ? NULL : &values[i]);
}

void num_inputize(cs_t *cs, const num_t *a)
{
    if (cs->values_only) return;
    const num_t input = {.value = a->value, .var = cs_alloc_input(cs, &a->value)};

    enforce_product(cs, &input, &one, a);
}

num_t num_alloc_public(cs_t *cs, const fr_t *value)
{
    const num_t a = num_alloc(cs, value);

    num_inputize(cs, &a);
    return a;
}

num_t num_mul(cs_t *cs, const num_t *a, const num_t *b)
{
    fr_t value;

    fr_mul(&value, &a->value, &b->value);
    const num_t r = num_alloc(cs, &value);
    enforce_product(cs, a, b, &r);
    return r;
}

/* sum * 1 = r, where the sum has r's value. */
static void enforce_sum(cs_t *cs, const lc_t *sum, const num_t *r)
{
    lc_term_t terms[2];
    const lc_t unit = terms_var(&terms[0], VAR_ONE);
    const lc_t result = terms_var(&terms[1], r->var);

    cs_enforce(cs, sum, &unit, &result);
}

/* True when no combination is needed: the row of enforce_sum() is on the tape, or not wanted. */
static bool sum_is_done(cs_t *cs, const num_t *r)
{
    if (cs->values_only) return true;
    if (cs->tape == NULL) return false;
    tape_row(cs, &r->value, &fr_one, &r->value);
    return true;
}

num_t num_sum(cs_t *cs, const num_t *a, size_t n)
{
    const arena_mark_t mark = arena_mark(&cs->arena);
    fr_t value = fr_zero;
    lc_t sum = lc_empty();

    for (size_t i = 0; i < n; i++) fr_add(&value, &value, &a[i].value);
    const num_t r = num_alloc(cs, &value);
    if (sum_is_done(cs, &r)) return r;
    for (size_t i = 0; i < n; i++) lc_add_var(&cs->arena, &sum, a[i].var);
    enforce_sum(cs, &sum, &r);
    arena_rewind(&cs->arena, mark);
    return r;
}

num_t num_add(cs_t *cs, const num_t *a, const num_t *b)
{
    const num_t both[2] = {*a, *b};

    return num_sum(cs, both, 2);
}

num_t num_affine(cs_t *cs, const fr_t *constant, const fr_t *coeff, const num_t *a)
{
    lc_term_t terms[2];
    fr_t value;

    fr_mul(&value, &a->value, coeff);
    fr_add(&value, &value, constant);
    const num_t r = num_alloc(cs, &value);
    if (sum_is_done(cs, &r)) return r;
    const lc_t sum = terms_affine(terms, constant, coeff, a->var);
    enforce_sum(cs, &sum, &r);
    return r;
}

num_t num_of_bit(boolean_t a)
{
    VERIFY(a.kind == BOOLEAN_IS);
    return (num_t){.value = a.value ? fr_one : fr_zero, .var = a.var};
}

void num_enforce_equal(cs_t *cs, const num_t *a, const num_t *b)
{
    enforce_product(cs, a, &one, b);
}

num_t num_pick(cs_t *cs, boolean_t condition, const num_t *a, const num_t *b)
{
    const arena_mark_t mark = arena_mark(&cs->arena);
    const num_t r = num_alloc(cs, condition.value ? &a->value : &b->value);

    if (cs->values_only) return r;
    if (cs->tape != NULL) {
        fr_t left, right;

        fr_sub(&left, &b->value, &a->value);
        fr_sub(&right, &b->value, &r.value);
        tape_row(cs, &left, condition.value ? &fr_one : &fr_zero, &right);
        return r;
    }
    lc_t difference = lc_from_var(&cs->arena, b->var);
    lc_t selector = lc_empty();
    lc_t rest = lc_from_var(&cs->arena, b->var);

    lc_sub_var(&cs->arena, &difference, a->var);
    boolean_add_to(&cs->arena, &selector, condition, &fr_one);
    lc_sub_var(&cs->arena, &rest, r.var);
    cs_enforce(cs, &difference, &selector, &rest);
    arena_rewind(&cs->arena, mark);
    return r;
}

/* num_alloc_bits() for runs with a tape. */
static void bits_on_tape(cs_t *cs, boolean_t *bits, unsigned n, const scalar_t *s)
{
    for (unsigned i = 0; i < n; i++)
        bits[i] = boolean_is(VAR_AUX | (cs->n_aux + i), scalar_bit(s, i));
    for (unsigned i = 0; i < n; i += 64) {
        const uint64_t word = s->l[i / 64];
        const unsigned count = n - i < 64 ? n - i : 64;

        tape_bits(cs, word, count);
        tape_small_rows(cs, count, (small_values_t){~word, 0}, (small_values_t){word, 0},
                        (small_values_t){0, 0});
    }
}

void num_alloc_bits(cs_t *cs, boolean_t *bits, unsigned n, const num_t *a)
{
    scalar_t s = {{0}};

    VERIFY(n <= FR_BITS);
    if (cs->has_values) fr_to_scalar(&s, &a->value);
    if (cs->values_only) {
        for (unsigned i = 0; i < n; i++) bits[i] = boolean_is(VAR_ONE, scalar_bit(&s, i));
        return;
    }
    if (cs->tape != NULL) {
        bits_on_tape(cs, bits, n, &s);
        return;
    }
    for (unsigned i = 0; i < n; i++) bits[i] = boolean_alloc(cs, scalar_bit(&s, i));
}

static void make_to_bits(cs_t *cs, boolean_t bits[FR_BITS], const num_t *a)
{
    const lc_t zero = lc_empty();
    lc_term_t terms[FR_BITS + 1];
    lc_t difference = {.terms = terms, .capacity = FR_BITS + 1};
    fr_t power = fr_one;

    num_alloc_bits(cs, bits, FR_BITS, a);
    if (cs->values_only) return;
    if (cs->tape != NULL) {
        tape_row(cs, &fr_zero, &fr_zero, &fr_zero); /* the bits are a's */
        return;
    }
    for (unsigned i = 0; i < FR_BITS; i++) {
        lc_add_term(&cs->arena, &difference, bits[i].var, &power);
        fr_add(&power, &power, &power);
    }
    lc_sub_var(&cs->arena, &difference, a->var);
    cs_enforce(cs, &zero, &zero, &difference);
}

void num_to_bits(cs_t *cs, boolean_t bits[FR_BITS], const num_t *a)
{
    var_t vars[FR_BITS];
    const cs_gadget_t gadget = {
        .name = "to_bits", .slots = &a->var, .n_slots = 1, .outputs = vars, .n_outputs = FR_BITS};

    if (cs_gadget_begin(cs, &gadget)) {
        for (unsigned i = 0; i < FR_BITS; i++) bits[i] = boolean_is(vars[i], false);
        return;
    }
    make_to_bits(cs, bits, a);
    for (unsigned i = 0; i < FR_BITS; i++) vars[i] = bits[i].var;
    cs_gadget_end(cs, &gadget);
}
