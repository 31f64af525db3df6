/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "synthesis/qap.h"

#include "base/memory.h"
#include "base/random.h"

/* The back end. */
typedef struct {
    cs_t cs;
    qap_t *qap;
    const circuit_counts_t *counts;
    const fr_t *lagrange;
} qap_cs_t;

static void qap_alloc(cs_t *cs, const fr_t *value)
{
    (void)cs;
    (void)value;
}

static void qap_alloc_bit(cs_t *cs, bool value)
{
    (void)cs;
    (void)value;
}

/* sums[variable] += coefficient * lagrange, for each term. */
static void add_terms(const qap_cs_t *self, fr_t *sums, const lc_t *lc, const fr_t *lagrange)
{
    for (uint32_t i = 0; i < lc->n; i++) {
        const lc_term_t *term = &lc_terms(lc)[i];
        const size_t index = term->var & VAR_AUX
                                 ? (size_t)self->counts->n_inputs + (term->var & ~VAR_AUX)
                                 : term->var;
        fr_t product;

        VERIFY(index < self->qap->n_variables);
        if (fr_is_one(&term->coeff)) {
            fr_add(&sums[index], &sums[index], lagrange);
            continue;
        }
        fr_mul(&product, &term->coeff, lagrange);
        fr_add(&sums[index], &sums[index], &product);
    }
}

static void qap_enforce(cs_t *cs, const lc_t *a, const lc_t *b, const lc_t *c)
{
    const qap_cs_t *self = (const qap_cs_t *)cs;
    const fr_t *lagrange = &self->lagrange[cs->n_constraints];

    VERIFY(cs->n_constraints < self->counts->n_constraints);
    add_terms(self, self->qap->a, a, lagrange);
    add_terms(self, self->qap->b, b, lagrange);
    add_terms(self, self->qap->c, c, lagrange);
}

static const cs_ops_t qap_ops = {.alloc = qap_alloc,
                                 .alloc_bit = qap_alloc_bit,
                                 .alloc_input = qap_alloc,
                                 .enforce = qap_enforce};

static cuzk_status alloc_sums(qap_t *qap, cuzk_error *err)
{
    fr_t **const sums[] = {&qap->a, &qap->b, &qap->c};

    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        void *p;
        const cuzk_status st = big_alloc(&p, qap->n_variables, sizeof(fr_t), "sums at tau", err);

        if (st != CUZK_OK) return st;
        *sums[i] = p;
    }
    return CUZK_OK;
}

cuzk_status synthesis_qap(qap_t *qap, const circuit_counts_t *counts, const fr_t *lagrange,
                          circuit_fn circuit, const void *values, cuzk_error *err)
{
    qap_cs_t self = {
        .cs = {.ops = &qap_ops, .n_inputs = 1}, .qap = qap, .counts = counts, .lagrange = lagrange};

    *qap = (qap_t){.n_variables = (size_t)counts->n_inputs + counts->n_aux};
    cuzk_status st = alloc_sums(qap, err);
    if (st == CUZK_OK) st = arena_open(&self.cs.arena, CS_ARENA_BYTES, "circuit", err);
    if (st != CUZK_OK) {
        qap_clear(qap);
        return st;
    }
    circuit(&self.cs, values);
    arena_close(&self.cs.arena);
    VERIFY(self.cs.n_inputs == counts->n_inputs && self.cs.n_aux == counts->n_aux);
    VERIFY(self.cs.n_constraints == counts->n_constraints);
    for (uint32_t i = 0; i < counts->n_inputs; i++)
        fr_add(&qap->a[i], &qap->a[i], &lagrange[counts->n_constraints + i]);
    return CUZK_OK;
}

static void release(fr_t *sums, size_t n)
{
    if (sums != NULL) mem_wipe(sums, n * sizeof *sums);
    big_free(sums, n, sizeof *sums);
}

void qap_clear(qap_t *qap)
{
    release(qap->a, qap->n_variables);
    release(qap->b, qap->n_variables);
    release(qap->c, qap->n_variables);
    *qap = (qap_t){0};
}
