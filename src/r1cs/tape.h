/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_R1CS_TAPE_H
#define CUZK_R1CS_TAPE_H

/* The straight way from a gadget's values to memory. A back end that has a tape wants values only,
 * so a gadget that finds one (cs->tape != NULL) builds no combinations: it writes the values of its
 * variables, many bits at once, and those of the three sides of its constraints. All of it is in
 * memory of known size; a run that would leave it (a plan of another circuit) ends by cs_leave().
 */

#include "r1cs/cs.h"
#include "r1cs/witness.h"

/** Values of rows that are small: entry i is (0, 1, 2, -1)[lo_i + 2 hi_i]. */
typedef struct {
    uint64_t lo, hi;
} small_values_t;

struct tape {
    fr_t *a, *b, *c; /* of constraint i at i; c may be NULL, and all may */
    witness_t *w;    /* with room for all; its counters are not used, bits and is_bit begin as 0 */
    uint64_t bits, kinds; /* of the 64 auxiliary variables under way: values, and which are bits */
    uint32_t n_elements;  /* written so far, those of other tapes before this one included */
    /* where this tape begins, and what it has of the 64 variables there: others are its
     * neighbour's, who may not have written them */
    uint32_t begin_aux, begin_elements;
    uint64_t begin_bits, begin_kinds;
    /* where it ends */
    uint32_t end_inputs, end_aux, end_elements;
    uint64_t end_constraints;
    uint32_t parts_left; /* of this run, behind the part under way: as far as values may be made
                            ahead */
    bool overrun;        /* the run was ended because it would have left the memory */
    const fr_t *ahead;   /* values of the next elements where they were made before, or NULL; for
                            those gadgets that look here (gadget/merkle_batch.c) */
    void (*write_small)(fr_t *r, unsigned n, small_values_t values);
};

/** For a run that begins at the counters of cs and n_elements elements. */
void tape_begin(tape_t *t, const cs_t *cs, uint32_t n_elements);

/** Hands over the last bits. Several tapes may write to one witness at the same time when each
 *  begins where another ends. */
void tape_end(tape_t *t, const cs_t *cs);

/** Ends the run. */
_Noreturn void tape_overrun(cs_t *cs);

/** Moves the full word of bits before auxiliary variable `aux` (a multiple of 64) to the witness.
 */
void tape_flush(tape_t *t, uint32_t aux);

/** The next n auxiliary variables, n <= 64, are bits: those of `bits`, lowest first. */
static inline void tape_bits(cs_t *cs, uint64_t bits, unsigned n)
{
    tape_t *t = cs->tape;
    const unsigned at = cs->n_aux % 64;
    const uint64_t kinds = n == 64 ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1;

    if (n > t->end_aux - cs->n_aux) tape_overrun(cs);
    bits &= kinds;
    t->bits |= bits << at;
    t->kinds |= kinds << at;
    cs->n_aux += n;
    if (at + n < 64) return;
    tape_flush(t, cs->n_aux & ~63u);
    if (at == 0) return;
    t->bits = bits >> (64 - at);
    t->kinds = kinds >> (64 - at);
}

/** The next auxiliary variable is an element. */
static inline var_t tape_element(cs_t *cs, const fr_t *value)
{
    tape_t *t = cs->tape;

    if (cs->n_aux == t->end_aux || t->n_elements == t->end_elements) tape_overrun(cs);
    t->w->elements[t->n_elements++] = *value;
    if (++cs->n_aux % 64 == 0) tape_flush(t, cs->n_aux);
    return VAR_AUX | (cs->n_aux - 1);
}

/** The next n auxiliary variables are elements; returns where their values go. */
fr_t *tape_elements(cs_t *cs, uint32_t n);

/** A constraint with these values. */
static inline void tape_row(cs_t *cs, const fr_t *a, const fr_t *b, const fr_t *c)
{
    tape_t *t = cs->tape;
    const uint64_t i = cs->n_constraints++;

    if (i >= t->end_constraints) tape_overrun(cs);
    if (t->a == NULL) return;
    t->a[i] = *a;
    t->b[i] = *b;
    if (t->c != NULL) t->c[i] = *c;
}

/** n constraints, n <= 64, with these values. */
static inline void tape_small_rows(cs_t *cs, unsigned n, small_values_t a, small_values_t b,
                                   small_values_t c)
{
    tape_t *t = cs->tape;
    const uint64_t i = cs->n_constraints;

    if (n > t->end_constraints - i) tape_overrun(cs);
    cs->n_constraints += n;
    if (t->a == NULL) return;
    t->write_small(t->a + i, n, a);
    t->write_small(t->b + i, n, b);
    if (t->c != NULL) t->write_small(t->c + i, n, c);
}

/** The value of a variable that this tape has written, or of a public input that is written. */
const fr_t *tape_value(const cs_t *cs, var_t var);

/** The values behind small_values_t. */
extern const fr_t tape_small_table[4];

/** Twins of write_small. */
void tape_write_small_portable(fr_t *r, unsigned n, small_values_t values);
void tape_write_small_avx512(fr_t *r, unsigned n, small_values_t values);

#endif
