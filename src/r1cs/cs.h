/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_R1CS_CS_H
#define CUZK_R1CS_CS_H

/* The constraint-system interface: the one thing a circuit is written over. What becomes of its
 * variables and constraints is the business of a back end (src/synthesis): a shape's digest, a, b
 * and c of a proof, the sums of a setup. A circuit makes the same calls in the same order whatever
 * the values are, so its constraints depend on the shape alone. */

#include "base/verify.h"
#include "r1cs/lc.h"

typedef struct cs cs_t;

/** A back end. Each call comes after the counters of cs_t still lack the new variable or
 *  constraint: its index is the counter's value. */
typedef struct {
    void (*alloc)(cs_t *cs, const fr_t *value);       /* a new auxiliary variable */
    void (*alloc_bit)(cs_t *cs, bool value);          /* one that a constraint holds to 0 or 1 */
    void (*alloc_input)(cs_t *cs, const fr_t *value); /* a new public input */
    void (*enforce)(cs_t *cs, const lc_t *a, const lc_t *b, const lc_t *c); /* a * b = c */
} cs_ops_t;

/** Embedded first in a back end's own structure. One thread. */
struct cs {
    const cs_ops_t *ops;
    arena_t arena;     /* for linear combinations; circuits mark and rewind it */
    bool has_values;   /* false: values given to alloc are not looked at, need not be right */
    uint32_t n_inputs; /* ONE included; a back end begins with 1 */
    uint32_t n_aux;
    uint64_t n_constraints;
};

/** Variables a circuit can have of each kind; back ends abort past it (32 GiB needs 2^27). */
#define CS_MAX_VARIABLES ((uint32_t)0x7fffffff)

static inline var_t cs_alloc(cs_t *cs, const fr_t *value)
{
    VERIFY(cs->n_aux < CS_MAX_VARIABLES);
    cs->ops->alloc(cs, value);
    return VAR_AUX | cs->n_aux++;
}

static inline var_t cs_alloc_bit(cs_t *cs, bool value)
{
    VERIFY(cs->n_aux < CS_MAX_VARIABLES);
    cs->ops->alloc_bit(cs, value);
    return VAR_AUX | cs->n_aux++;
}

static inline var_t cs_alloc_input(cs_t *cs, const fr_t *value)
{
    VERIFY(cs->n_inputs < CS_MAX_VARIABLES);
    cs->ops->alloc_input(cs, value);
    return cs->n_inputs++;
}

/** Adds the constraint a * b = c. The combinations are read during the call only. */
static inline void cs_enforce(cs_t *cs, const lc_t *a, const lc_t *b, const lc_t *c)
{
    cs->ops->enforce(cs, a, b, c);
    cs->n_constraints++;
}

/** A circuit: adds its variables and constraints to cs. The values in `circuit` were checked
 *  before (form and ranges), so nothing can fail here; a wrong one gives violated constraints. */
typedef void (*circuit_fn)(cs_t *cs, const void *circuit);

#endif
