/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_R1CS_CS_H
#define CUZK_R1CS_CS_H

/* The constraint-system interface: the one thing a circuit is written over. What becomes of its
 * variables and constraints is the business of a back end (src/synthesis): a shape's digest, a, b
 * and c of a proof, the sums of a setup. A circuit makes the same calls in the same order whatever
 * the values are, so its constraints depend on the shape alone. */

#include <setjmp.h>

#include "base/verify.h"
#include "r1cs/lc.h"

typedef struct cs cs_t;
typedef struct tape tape_t;

/** A gadget as a back end may record it: its constraints depend on name and key alone, but for the
 *  variables from outside (slots) that stand in them. */
typedef struct {
    const char *name; /* together with the key: which gadget */
    const void *key;
    size_t key_bytes;
    const var_t *slots; /* auxiliary variables made before the gadget; one may stand there twice */
    uint32_t n_slots;
    var_t *outputs; /* variables of the gadget that are used outside of it */
    uint32_t n_outputs;
} cs_gadget_t;

/** A back end. Each call comes after the counters of cs_t still lack the new variable or
 *  constraint: its index is the counter's value. */
typedef struct {
    void (*alloc)(cs_t *cs, const fr_t *value);       /* a new auxiliary variable */
    void (*alloc_bit)(cs_t *cs, bool value);          /* one that a constraint holds to 0 or 1 */
    void (*alloc_input)(cs_t *cs, const fr_t *value); /* a new public input */
    void (*enforce)(cs_t *cs, const lc_t *a, const lc_t *b, const lc_t *c); /* a * b = c */
    /* These may be NULL, see cs_part() and cs_gadget_begin(). */
    bool (*part)(cs_t *cs);
    bool (*gadget_begin)(cs_t *cs, const cs_gadget_t *gadget);
    void (*gadget_end)(cs_t *cs, const cs_gadget_t *gadget);
} cs_ops_t;

/** Embedded first in a back end's own structure. One thread. */
struct cs {
    const cs_ops_t *ops;
    arena_t arena;     /* for linear combinations; circuits mark and rewind it */
    bool has_values;   /* false: values given to alloc are not looked at, need not be right */
    bool values_only;  /* within a part that this run leaves out, see cs_part() */
    tape_t *tape;      /* where values of constraints go, or NULL (r1cs/tape.h) */
    jmp_buf *leave;    /* of cs_run() */
    uint32_t n_inputs; /* ONE included; a back end begins with 1 */
    uint32_t n_aux;
    uint64_t n_constraints;
};

/** Capacity of a circuit's arena: many times what the largest circuit uses at once (a few MiB).
 *  Since that depends on the shape alone, no circuit checks what it gets from the arena. */
#define CS_ARENA_BYTES ((size_t)64 << 20)

/** Variables a circuit can have of each kind (32 GiB needs 2^27). */
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

/** For values alone, without a back end; circuits that begin parts cannot run on it. */
static inline cs_t cs_of_values(void)
{
    static const cs_ops_t none;

    return (cs_t){.ops = &none, .has_values = true, .values_only = true};
}

/** Begins the next part of a circuit. False: this run leaves it out. Up to the next part cs then
 *  gives values only: gadgets add no variables or constraints and return the values of their
 *  results, for later parts to use, and those without a result return at once. (Variables do not
 *  matter to later parts, since such a run has a tape.) A part that no later one needs should be
 *  passed over where this returns false, and in any other what serves constraints alone where
 *  values_only is set. A circuit with parts has nothing outside of them, and where it builds
 *  combinations on a tape, these are of ONE and of variables of their own part. */
static inline bool cs_part(cs_t *cs)
{
    cs->values_only = cs->ops->part != NULL && !cs->ops->part(cs);
    return !cs->values_only;
}

/** True: all of the gadget stands already, and its outputs are filled in. Otherwise it is made by
 *  the calls that follow, up to cs_gadget_end(), to which outputs are given. Gadgets may be nested;
 *  the outermost counts. */
static inline bool cs_gadget_begin(cs_t *cs, const cs_gadget_t *gadget)
{
    return cs->ops->gadget_begin != NULL && cs->ops->gadget_begin(cs, gadget);
}

static inline void cs_gadget_end(cs_t *cs, const cs_gadget_t *gadget)
{
    if (cs->ops->gadget_end != NULL) cs->ops->gadget_end(cs, gadget);
}

/** A circuit: adds its variables and constraints to cs. The values in `circuit` were checked
 *  before (form and ranges), so nothing can fail here; a wrong one gives violated constraints.
 *  It holds nothing but memory of the arena: a back end may leave it at any call. */
typedef void (*circuit_fn)(cs_t *cs, const void *circuit);

/** A circuit and its values: one argument, for back ends with work around the circuit. */
typedef struct {
    circuit_fn circuit;
    const void *values;
} circuit_call_t;

/** Runs a circuit; false when its back end left it. */
bool cs_run(cs_t *cs, circuit_fn circuit, const void *values);

/** For back ends, within cs_run(): ends the run at once, when it can't go on or need not. */
_Noreturn void cs_leave(cs_t *cs);

#endif
