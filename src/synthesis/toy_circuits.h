/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_SYNTHESIS_TOY_CIRCUITS_H
#define CUZK_SYNTHESIS_TOY_CIRCUITS_H

/* A small circuit for tests, whose numbers can be set one by one: public inputs, bits, elements,
 * constraints, and which inputs stand in B. */

#include "r1cs/cs.h"

enum { TOY_MIN_PUBLIC = 3, TOY_NO_CHANGE = UINT32_MAX };

/** Public inputs are x = u^2, v, the last of the chain, then n_public - 3 that only stand in the
 *  added constraints. */
typedef struct {
    uint64_t seed;     /* u, v and the bits follow from it */
    uint32_t n_public; /* at least TOY_MIN_PUBLIC */
    uint32_t n_bits;
    uint32_t n_chain; /* steps s' = s (s + bit + v); n_bits at least makes every bit matter */
    uint32_t n_pad;   /* constraints u * u = x more than the one */
    bool one_in_b;    /* bits are held by bit * (1 - bit) = 0, else by bit * bit = bit */
    bool v_in_b;      /* adds u * v = w with v in B */
    uint32_t change;  /* this auxiliary variable gets a wrong value; TOY_NO_CHANGE: none */
} toy_t;

/** Constraints of the circuit. */
static inline uint64_t toy_constraints(const toy_t *t)
{
    return (uint64_t)t->n_bits + 1 + t->n_pad + t->v_in_b + t->n_chain + 1;
}

/** Auxiliary variables of the circuit. */
static inline uint32_t toy_aux(const toy_t *t)
{
    return t->n_bits + 1 + t->v_in_b + t->n_chain;
}

static inline void toy_values(const toy_t *t, fr_t *u, fr_t *v)
{
    fr_from_u64(u, t->seed * 2 + 3);
    fr_inv(u, u);
    fr_from_u64(v, t->seed + 7);
    fr_sqr(v, v);
}

static inline bool toy_bit(const toy_t *t, uint32_t i)
{
    return ((t->seed + 0x9e3779b97f4a7c15u) * (2 * (uint64_t)i + 1)) >> 60 & 1;
}

/* s' = s (s + bit + v) */
static inline void toy_step(fr_t *s, const toy_t *t, uint32_t i, const fr_t *v)
{
    fr_t sum = *s;

    if (t->n_bits > 0 && toy_bit(t, i % t->n_bits)) fr_add(&sum, &sum, &fr_one);
    fr_add(&sum, &sum, v);
    fr_mul(s, s, &sum);
}

/** The public inputs, ONE not among them: n_public values. */
static inline void toy_public(fr_t *inputs, const toy_t *t)
{
    fr_t u, v;

    toy_values(t, &u, &v);
    fr_sqr(&inputs[0], &u);
    inputs[1] = v;
    inputs[2] = u;
    for (uint32_t i = 0; i < t->n_chain; i++) toy_step(&inputs[2], t, i, &v);
    for (uint32_t i = TOY_MIN_PUBLIC; i < t->n_public; i++) fr_from_u64(&inputs[i], i % 3);
}

static inline var_t toy_alloc(cs_t *cs, const toy_t *t, const fr_t *value)
{
    fr_t changed = *value;

    if (cs->n_aux == t->change) fr_add(&changed, &changed, &fr_one);
    return cs_alloc(cs, &changed);
}

static inline void toy_hold_bit(cs_t *cs, const toy_t *t, var_t bit)
{
    lc_t a = lc_from_var(&cs->arena, bit);
    lc_t b = {0};
    lc_t c = {0};

    if (t->one_in_b) {
        lc_add_var(&cs->arena, &b, VAR_ONE);
        lc_sub_var(&cs->arena, &b, bit);
    } else {
        lc_add_var(&cs->arena, &b, bit);
        lc_add_var(&cs->arena, &c, bit);
    }
    cs_enforce(cs, &a, &b, &c);
}

static inline void toy_product(cs_t *cs, var_t a, var_t b, var_t c)
{
    const lc_t left = lc_from_var(&cs->arena, a);
    const lc_t right = lc_from_var(&cs->arena, b);
    const lc_t product = lc_from_var(&cs->arena, c);

    cs_enforce(cs, &left, &right, &product);
}

/* Returns the last variable of the chain that begins with u; the bits are variables 0 on. */
static inline var_t toy_chain(cs_t *cs, const toy_t *t, var_t u, var_t v)
{
    fr_t s, value_v;
    var_t last = u;

    toy_values(t, &s, &value_v);
    for (uint32_t i = 0; i < t->n_chain; i++) {
        lc_t a = lc_from_var(&cs->arena, last);
        const lc_t b = lc_from_var(&cs->arena, last);

        if (t->n_bits > 0) lc_add_var(&cs->arena, &a, VAR_AUX | i % t->n_bits);
        lc_add_var(&cs->arena, &a, v);
        toy_step(&s, t, i, &value_v);
        last = toy_alloc(cs, t, &s);
        const lc_t c = lc_from_var(&cs->arena, last);
        cs_enforce(cs, &a, &b, &c);
    }
    return last;
}

/** A circuit_fn over a toy_t. */
static inline void toy_circuit(cs_t *cs, const void *circuit)
{
    const toy_t *t = circuit;
    fr_t value_u, value_v, product;
    fr_t *inputs = arena_alloc(&cs->arena, t->n_public, sizeof *inputs);

    toy_values(t, &value_u, &value_v);
    toy_public(inputs, t);
    for (uint32_t i = 0; i < t->n_public; i++) (void)cs_alloc_input(cs, &inputs[i]);
    for (uint32_t i = 0; i < t->n_bits; i++)
        toy_hold_bit(cs, t, cs_alloc_bit(cs, toy_bit(t, i) ^ (cs->n_aux == t->change)));
    const var_t u = toy_alloc(cs, t, &value_u);
    for (uint32_t i = 0; i <= t->n_pad; i++) toy_product(cs, u, u, 1);
    if (t->v_in_b) {
        fr_mul(&product, &value_u, &value_v);
        toy_product(cs, u, 2, toy_alloc(cs, t, &product));
    }
    /* last * u = out * u, so that the last constraint has no input in B either */
    lc_t a = lc_from_var(&cs->arena, toy_chain(cs, t, u, 2));
    const lc_t b = lc_from_var(&cs->arena, u);
    const lc_t c = {0};
    lc_sub_var(&cs->arena, &a, 3);
    cs_enforce(cs, &a, &b, &c);
}

/** Public inputs only: no auxiliary variables and no constraints. values: a uint32_t. */
static inline void toy_inputs_only(cs_t *cs, const void *values)
{
    const uint32_t n = *(const uint32_t *)values;

    for (uint32_t i = 0; i < n; i++) {
        fr_t value;

        fr_from_u64(&value, i + 5);
        (void)cs_alloc_input(cs, &value);
    }
}

#endif
