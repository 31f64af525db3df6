/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "gadget/test_recorder.h"

#include <stdio.h>
#include <stdlib.h>

enum { FIRST_CAPACITY = 256 };

/* Room for one more after n elements. */
static void *grown(void *p, size_t n, size_t *capacity, size_t size)
{
    if (n < *capacity) return p;
    *capacity = *capacity == 0 ? FIRST_CAPACITY : 2 * *capacity;
    p = realloc(p, *capacity * size);
    if (p == NULL) {
        (void)fprintf(stderr, "out of memory for a recorded circuit\n");
        abort();
    }
    return p;
}

static void add_aux(recorder_t *r, const fr_t *value, bool is_bit)
{
    const size_t n = r->cs.n_aux;
    size_t capacity = r->aux_capacity;

    r->aux_is_bit = grown(r->aux_is_bit, n, &capacity, sizeof *r->aux_is_bit);
    r->aux = grown(r->aux, n, &r->aux_capacity, sizeof *r->aux);
    r->aux[n] = *value;
    r->aux_is_bit[n] = is_bit;
}

static void record_alloc(cs_t *cs, const fr_t *value)
{
    add_aux((recorder_t *)cs, value, false);
}

static void record_alloc_bit(cs_t *cs, bool value)
{
    add_aux((recorder_t *)cs, value ? &fr_one : &fr_zero, true);
}

static void add_input(recorder_t *r, size_t n, const fr_t *value)
{
    r->inputs = grown(r->inputs, n, &r->inputs_capacity, sizeof *r->inputs);
    r->inputs[n] = *value;
}

static void record_alloc_input(cs_t *cs, const fr_t *value)
{
    add_input((recorder_t *)cs, cs->n_inputs, value);
}

static lc_t copied(arena_t *arena, const lc_t *a)
{
    lc_t r = lc_empty();

    for (uint32_t i = 0; i < a->n; i++)
        lc_add_term(arena, &r, lc_terms(a)[i].var, &lc_terms(a)[i].coeff);
    return r;
}

static void record_enforce(cs_t *cs, const lc_t *a, const lc_t *b, const lc_t *c)
{
    recorder_t *r = (recorder_t *)cs;

    r->constraints =
        grown(r->constraints, cs->n_constraints, &r->constraints_capacity, sizeof *r->constraints);
    r->constraints[cs->n_constraints] =
        (recorded_t){.a = copied(&r->kept, a), .b = copied(&r->kept, b), .c = copied(&r->kept, c)};
}

void recorder_init(recorder_t *r)
{
    static const cs_ops_t ops = {.alloc = record_alloc,
                                 .alloc_bit = record_alloc_bit,
                                 .alloc_input = record_alloc_input,
                                 .enforce = record_enforce};

    *r = (recorder_t){.cs = {.ops = &ops, .has_values = true, .n_inputs = 1}};
    (void)arena_open(&r->cs.arena, (size_t)1 << 30, "test", &(cuzk_error){0});
    (void)arena_open(&r->kept, (size_t)1 << 30, "test", &(cuzk_error){0});
    add_input(r, 0, &fr_one);
}

void recorder_clear(recorder_t *r)
{
    arena_close(&r->cs.arena);
    arena_close(&r->kept);
    free(r->inputs);
    free(r->aux);
    free(r->aux_is_bit);
    free(r->constraints);
}

fr_t *recorder_value(recorder_t *r, var_t var)
{
    return var & VAR_AUX ? &r->aux[var & ~VAR_AUX] : &r->inputs[var];
}

void recorder_eval(fr_t *sum, recorder_t *r, const lc_t *lc)
{
    *sum = fr_zero;
    for (uint32_t i = 0; i < lc->n; i++) {
        fr_t product;

        fr_mul(&product, &lc_terms(lc)[i].coeff, recorder_value(r, lc_terms(lc)[i].var));
        fr_add(sum, sum, &product);
    }
}

static bool holds(recorder_t *r, const recorded_t *constraint)
{
    fr_t a, b, c;

    recorder_eval(&a, r, &constraint->a);
    recorder_eval(&b, r, &constraint->b);
    recorder_eval(&c, r, &constraint->c);
    fr_mul(&a, &a, &b);
    return fr_equal(&a, &c);
}

uint64_t recorder_violated(recorder_t *r)
{
    uint64_t n = 0;

    for (uint64_t i = 0; i < r->cs.n_constraints; i++) n += !holds(r, &r->constraints[i]);
    return n;
}

/* Whether all constraints hold with value in place of var's. */
static bool would_hold(recorder_t *r, var_t var, const fr_t *value)
{
    fr_t *place = recorder_value(r, var);
    const fr_t kept = *place;
    bool all = true;

    *place = *value;
    for (uint64_t i = 0; i < r->cs.n_constraints && all; i++) all = holds(r, &r->constraints[i]);
    *place = kept;
    return all;
}

static bool is_free(recorder_t *r, var_t var, bool is_bit)
{
    const fr_t *value = recorder_value(r, var);
    fr_t far;
    fr_t changed;

    if (is_bit) return would_hold(r, var, fr_is_zero(value) ? &fr_one : &fr_zero);
    fr_add(&changed, value, &fr_one);
    if (would_hold(r, var, &changed)) return true;
    fr_pow_u64(&far, &fr_generator, 1000);
    fr_add(&changed, value, &far);
    return would_hold(r, var, &changed);
}

uint64_t recorder_free_variables(recorder_t *r, uint32_t first_aux)
{
    uint64_t n = 0;

    for (uint32_t i = 1; i < r->cs.n_inputs; i++) n += is_free(r, i, false);
    for (uint32_t i = first_aux; i < r->cs.n_aux; i++)
        n += is_free(r, VAR_AUX | i, r->aux_is_bit[i]);
    return n;
}
