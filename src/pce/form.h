/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_PCE_FORM_H
#define CUZK_PCE_FORM_H

/* The compiled form behind pce.h. */

#include "pce/pce.h"
#include "r1cs/bitmap.h"

/** A term of a template: coefficient `coeff` of the PCE's table times reference `ref`. References
 *  are 0 for ONE, then the slots, then the template's own auxiliary variables, then its inputs. */
typedef struct {
    uint32_t ref;
    uint32_t coeff;
} pce_term_t;

/** How a side of a row is evaluated, chosen from its terms. */
typedef enum {
    SIDE_SMALL,  /* bits with small coefficients: a table of small integers */
    SIDE_COPY,   /* one variable that is not a bit, times 1 */
    SIDE_POWERS, /* bits with coefficients +-2^k, and a constant */
    SIDE_ANY
} side_kind;

/** Constraints relative to variables; rows have three sides each, A, B and C. */
typedef struct {
    uint32_t n_slots, n_aux, n_inputs, n_rows, n_terms;
    uint32_t n_elements; /* of the own auxiliary variables */
    uint64_t *is_bit;    /* bitmap over ONE, slots and own auxiliary variables, ONE's bit set */
    uint32_t *ends;      /* 3 n_rows: where the terms of a side end; they begin where others end */
    pce_term_t *terms;   /* no zero coefficients */
    /* made by template_compile() */
    uint8_t *kinds;      /* 3 n_rows side_kind */
    uint64_t *density_a; /* bitmap over references */
    uint64_t *density_b;
} template_t;

/** count variables from `first` on. */
typedef struct {
    var_t first;
    uint32_t count;
} slot_run_t;

/** A template that stands somewhere. Its runs are those up to the next stamp's first. */
typedef struct {
    uint32_t template;
    uint32_t first_run;
} stamp_t;

/** Small facts of a coefficient. */
typedef struct {
    int8_t small;  /* its value, -SMALL_MAX .. SMALL_MAX, or NOT_SMALL */
    int16_t power; /* +-(k + 1) for +-2^k, k < POWERS; 0: none */
} coeff_facts_t;

enum { SMALL_MAX = 8, NOT_SMALL = 127, POWERS = 254 };

struct pce {
    char label[PCE_LABEL_BYTES];
    bool has_digest;
    uint8_t digest[SHA256_BYTES];
    fr_t *coeffs;
    uint32_t n_coeffs;
    template_t *templates;
    uint32_t n_templates;
    stamp_t *stamps; /* n_stamps + 1: the last closes the runs */
    uint32_t n_stamps;
    slot_run_t *runs;
    uint32_t n_runs;
    circuit_plan_t plan;
    /* made by pce_finish() */
    coeff_facts_t *facts;
    circuit_position_t *positions; /* where each stamp begins */
};

static inline uint32_t template_refs(const template_t *t)
{
    return 1 + t->n_slots + t->n_aux + t->n_inputs;
}

void template_clear(template_t *t);

/** Makes what is derived from templates, stamps and coefficients, the plan's counts and densities
 *  too, and checks that every reference and slot is in range and a bit where the template says so,
 *  that parts begin where stamps do, and that an evaluation ends in good time however few bytes
 *  the stamps take: CUZK_ERR_FORMAT, naming `name`; CUZK_ERR_MEMORY. */
cuzk_status pce_finish(pce_t *pce, const char *name, cuzk_error *err);

/** vars[0 .. template_refs() - 1] = what the references of stamp i stand for. */
void stamp_variables(var_t *vars, const pce_t *pce, uint32_t i);

/** What an evaluation goes through: references, sides of rows and terms of all stamps, whose
 *  templates are in range. */
uint64_t pce_work(const pce_t *pce);

/** The largest template_refs(). */
uint32_t pce_max_refs(const pce_t *pce);

/** An array with room for n elements (n > 0) at least: p itself, or p made larger, perhaps moved.
 *  NULL when there is no memory: p is as it was. */
void *grow_array(void *p, size_t *capacity, size_t n, size_t size);

#endif
