/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdatomic.h>
#include <stdlib.h>

#include "base/memory.h"
#include "pce/form.h"

enum { STAMP_GRAIN = 1 };

/* What workers share. */
typedef struct {
    fr_t *out[3]; /* a, b, c; NULL: not wanted */
    const pce_t *pce;
    const witness_t *w;
    fr_t small[2 * SMALL_MAX + 1];
    fr_t top; /* 2^252 */
    struct worker *workers;
    atomic_bool wrong_bits;
} evaluation_t;

/* Values of the references of a stamp. */
typedef struct worker {
    uint8_t *bits;       /* of those that are bits */
    const fr_t **values; /* of the others */
} evaluate_worker_t;

/* A byte for each of 8 bits. */
static uint64_t spread_byte(uint64_t byte)
{
    const uint64_t apart = byte * 0x0101010101010101 & 0x8040201008040201;

    return (apart + 0x7f7f7f7f7f7f7f7f) >> 7 & 0x0101010101010101;
}

static void read_slots(const evaluation_t *e, const evaluate_worker_t *x, const stamp_t *stamp,
                       const template_t *t)
{
    uint32_t ref = 1;

    for (uint32_t run = stamp->first_run; run < stamp[1].first_run; run++) {
        const slot_run_t r = e->pce->runs[run];

        for (uint32_t k = 0; k < r.count; k++, ref++) {
            if (bitmap_get(t->is_bit, ref))
                x->bits[ref] = witness_bit(e->w, (r.first + k) & ~VAR_AUX);
            else
                x->values[ref] = witness_value(e->w, r.first + k);
        }
    }
}

/* The stamp's own variables; false when the witness has bits elsewhere than the circuit. */
static bool read_own(const evaluation_t *e, const evaluate_worker_t *x, const template_t *t,
                     circuit_position_t at)
{
    const uint32_t first = 1 + t->n_slots;
    const fr_t *element = e->w->elements + at.n_elements;

    for (uint32_t i = 0; i < t->n_aux; i += 64) {
        const unsigned n = t->n_aux - i < 64 ? t->n_aux - i : 64;
        const uint64_t kinds = bitmap_read(t->is_bit, (uint64_t)first + i, n);
        const uint64_t bits = bitmap_read(e->w->bits, (uint64_t)at.n_aux + i, n);

        if (kinds != bitmap_read(e->w->is_bit, (uint64_t)at.n_aux + i, n)) return false;
        for (unsigned k = 0; k < n; k += 8) {
            const uint64_t bytes = spread_byte(bits >> k & 0xff);

            memcpy(x->bits + first + i + k, &bytes, sizeof bytes); /* up to 7 past the end */
        }
        for (unsigned k = 0; k < n; k++)
            if (!(kinds >> k & 1)) x->values[first + i + k] = element++;
    }
    for (uint32_t i = 0; i < t->n_inputs; i++)
        x->values[first + t->n_aux + i] = &e->w->inputs[at.n_inputs + i];
    return true;
}

/* A sum of small multiples of bits. */
static const fr_t *small_sum(const evaluation_t *e, const evaluate_worker_t *x,
                             const pce_term_t *terms, uint32_t n)
{
    int sum = SMALL_MAX;

    for (uint32_t i = 0; i < n; i++)
        sum += e->pce->facts[terms[i].coeff].small * x->bits[terms[i].ref];
    return &e->small[sum];
}

/* sum(counts[k] 2^k) of counts that are below 2^31 in size. */
static void sum_of_powers(fr_t *r, const evaluation_t *e, const int32_t counts[POWERS])
{
    enum { LOW = 252 };
    scalar_t s = {{0}};
    int64_t carry = 0;
    fr_t high;

    for (unsigned k = 0; k < LOW; k++) {
        carry += counts[k];
        s.l[k / 64] |= (uint64_t)(carry & 1) << k % 64;
        carry >>= 1;
    }
    for (unsigned k = LOW; k < POWERS; k++) carry += (int64_t)counts[k] * (1 << (k - LOW));
    fr_from_scalar(r, &s);
    if (carry == 0) return;
    fr_from_u64(&high, (uint64_t)(carry < 0 ? -carry : carry));
    fr_mul(&high, &high, &e->top);
    if (carry < 0)
        fr_sub(r, r, &high);
    else
        fr_add(r, r, &high);
}

static void power_sum(fr_t *r, const evaluation_t *e, const evaluate_worker_t *x,
                      const pce_term_t *terms, uint32_t n)
{
    const pce_t *pce = e->pce;
    int32_t counts[POWERS] = {0};
    const fr_t *constant = NULL;

    for (uint32_t i = 0; i < n; i++) {
        const int power = pce->facts[terms[i].coeff].power;

        if (terms[i].ref == 0)
            constant = &pce->coeffs[terms[i].coeff];
        else if (power > 0)
            counts[power - 1] += x->bits[terms[i].ref];
        else
            counts[-power - 1] -= x->bits[terms[i].ref];
    }
    sum_of_powers(r, e, counts);
    if (constant != NULL) fr_add(r, r, constant);
}

static void any_sum(fr_t *r, const evaluation_t *e, const evaluate_worker_t *x, const template_t *t,
                    const pce_term_t *terms, uint32_t n)
{
    const uint32_t n_known = 1 + t->n_slots + t->n_aux;
    fr_t product;

    *r = fr_zero;
    for (uint32_t i = 0; i < n; i++) {
        const fr_t *coeff = &e->pce->coeffs[terms[i].coeff];
        const uint32_t ref = terms[i].ref;

        if (ref < n_known && bitmap_get(t->is_bit, ref)) {
            if (x->bits[ref]) fr_add(r, r, coeff);
            continue;
        }
        fr_mul(&product, coeff, x->values[ref]);
        fr_add(r, r, &product);
    }
}

static void evaluate_stamp(evaluation_t *e, const evaluate_worker_t *x, uint32_t i)
{
    const stamp_t *stamp = &e->pce->stamps[i];
    const template_t *t = &e->pce->templates[stamp->template];
    const circuit_position_t at = e->pce->positions[i];
    uint32_t first = 0;

    x->bits[0] = 1;
    read_slots(e, x, stamp, t);
    if (!read_own(e, x, t, at)) {
        atomic_store_explicit(&e->wrong_bits, true, memory_order_relaxed);
        return;
    }
    for (uint32_t side = 0; side < 3 * t->n_rows; side++) {
        const pce_term_t *terms = t->terms + first;
        const uint32_t n = t->ends[side] - first;
        fr_t *out = e->out[side % 3];

        first = t->ends[side];
        if (out == NULL) continue;
        out += at.n_constraints + side / 3;
        switch (t->kinds[side]) {
        case SIDE_SMALL:
            *out = *small_sum(e, x, terms, n);
            break;
        case SIDE_COPY:
            *out = *x->values[terms[0].ref];
            break;
        case SIDE_POWERS:
            power_sum(out, e, x, terms, n);
            break;
        default:
            any_sum(out, e, x, t, terms, n);
            break;
        }
    }
}

static void evaluate_range(void *arg, size_t first, size_t end, uint32_t worker)
{
    evaluation_t *e = arg;

    for (size_t i = first; i < end; i++) evaluate_stamp(e, &e->workers[worker], (uint32_t)i);
}

static cuzk_status open_workers(evaluation_t *e, uint32_t n_workers, cuzk_error *err)
{
    static const char what[] = "evaluation of a compiled circuit";
    const size_t max_refs = pce_max_refs(e->pce);

    e->workers = mem_alloc(n_workers, sizeof *e->workers, what, err);
    if (e->workers == NULL) return CUZK_ERR_MEMORY;
    for (uint32_t i = 0; i < n_workers; i++) {
        evaluate_worker_t *x = &e->workers[i];

        x->bits = mem_alloc(max_refs + 8, 1, what, err);
        if (x->bits == NULL) return CUZK_ERR_MEMORY;
        x->values = mem_alloc(max_refs, sizeof *x->values, what, err);
        if (x->values == NULL) return CUZK_ERR_MEMORY;
    }
    return CUZK_OK;
}

static void close_workers(evaluation_t *e, uint32_t n_workers)
{
    for (uint32_t i = 0; e->workers != NULL && i < n_workers; i++) {
        free(e->workers[i].bits);
        free(e->workers[i].values);
    }
    free(e->workers);
}

static void make_constants(evaluation_t *e)
{
    for (int k = -SMALL_MAX; k <= SMALL_MAX; k++) {
        fr_t *r = &e->small[k + SMALL_MAX];

        fr_from_u64(r, (uint64_t)abs(k));
        if (k < 0) fr_neg(r, r);
    }
    fr_from_u64(&e->top, 2);
    fr_pow_u64(&e->top, &e->top, 252);
}

cuzk_status pce_evaluate(fr_t *a, fr_t *b, fr_t *c, const pce_t *pce, const witness_t *witness,
                         strand_t *strand, cuzk_error *err)
{
    const circuit_counts_t *counts = &pce->plan.counts;
    const uint32_t n_workers = strand_size(strand);
    evaluation_t e = {.out = {a, b, c}, .pce = pce, .w = witness};

    if (witness->n_inputs != counts->n_inputs || witness->n_aux != counts->n_aux ||
        witness->n_elements != pce->plan.n_elements)
        return error_set(err, CUZK_ERR_ARG,
                         "witness: %u inputs, %u variables, %u elements; %s has %u, %u, %u",
                         witness->n_inputs, witness->n_aux, witness->n_elements, pce->label,
                         counts->n_inputs, counts->n_aux, pce->plan.n_elements);
    make_constants(&e);
    cuzk_status st = open_workers(&e, n_workers, err);
    if (st == CUZK_OK)
        st = strand_for(strand, pce->n_stamps, (strand_cut_t){STAMP_GRAIN, 16 * STAMP_GRAIN},
                        evaluate_range, &e, err);
    close_workers(&e, n_workers);
    if (st != CUZK_OK || !e.wrong_bits) return st;
    return error_set(err, CUZK_ERR_ARG, "witness: its bits are not those of %s", pce->label);
}
