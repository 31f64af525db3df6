/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_HASH_POSEIDON_CONSTANTS_H
#define CUZK_HASH_POSEIDON_CONSTANTS_H

/* The constants of Poseidon in its optimised form and the layers they go into, for the native hash
 * and the circuit. docs/algorithms/poseidon.md says how they come about. */

#include "hash/poseidon.h"

enum {
    POSEIDON_FULL_ROUNDS = 8, /* half of them before the partial rounds, half after */
    POSEIDON_MAX_WIDTH = 12,
    POSEIDON_MAX_PARTIAL_ROUNDS = 57,
    POSEIDON_WIDTHS = 4
};

/** Constants of one width t (elements of the state: those hashed and the tag). */
typedef struct {
    unsigned width;          /* t: 3, 5, 9 or 12 */
    unsigned partial_rounds; /* p: 55, 56, 57 or 57 */

    /* In the order of use: t added before the first S-boxes; t behind the S-boxes of each of the
     * first four full rounds; 1 behind each partial round's; t behind those of each later full
     * round but the last. 8 t + p in all. */
    const fr_t *keys;

    /* t x t by rows; entry (i, j) is the weight of old element i in new element j. */
    const fr_t *mix;        /* after full rounds but the fourth; symmetric */
    const fr_t *pre_sparse; /* after the fourth full round */

    /* After partial round k, at sparse + k (2 t - 1): the weights of the t old elements in new
     * element 0, then that of old element 0 in each other new element, which keeps itself. */
    const fr_t *sparse;
} poseidon_constants_t;

/** By rising width. */
extern const poseidon_constants_t poseidon_constants[POSEIDON_WIDTHS];

const poseidon_constants_t *poseidon_instance_constants(poseidon_instance instance);

/** Values of one hash: those a circuit has as variables, in its order. First the squares, fourth
 *  powers and results (x^5 plus the constant behind) of the first round's S-boxes but the tag's;
 *  then for every S-box its input x, x^2, x^4 and result; then the digest. */
enum {
    POSEIDON_MAX_TRACE =
        3 * (POSEIDON_MAX_WIDTH - 1) +
        4 * ((POSEIDON_FULL_ROUNDS - 1) * POSEIDON_MAX_WIDTH + POSEIDON_MAX_PARTIAL_ROUNDS) + 1
};

/** Elements of a trace. */
static inline unsigned poseidon_trace_length(const poseidon_constants_t *c)
{
    return 3 * (c->width - 1) + 4 * ((POSEIDON_FULL_ROUNDS - 1) * c->width + c->partial_rounds) + 1;
}

/** trace[0 .. poseidon_trace_length() - 1] of the hash of inputs. */
void poseidon_trace(fr_t *trace, poseidon_instance instance, const fr_t *inputs);

/** Twins behind it; state is tag and inputs, c->width elements, and is used up. */
void poseidon_trace_portable(fr_t *trace, const poseidon_constants_t *c, fr_t *state);
void poseidon_trace_ifma(fr_t *trace, const poseidon_constants_t *c, fr_t *state);

/** The same for n hashes, inputs[i] and traces[i] being those of hash i. */
void poseidon_trace_many(fr_t *const *traces, poseidon_instance instance, const fr_t *const *inputs,
                         size_t n);

/** Eight hashes at once, for CPU_AVX512_IFMA. */
enum { POSEIDON_LANES = 8 };
void poseidon_trace_8_ifma(fr_t *const traces[POSEIDON_LANES], const poseidon_constants_t *c,
                           const fr_t *tag, const fr_t *const inputs[POSEIDON_LANES]);

/** Element 0 of the first state: the domain tag. */
void poseidon_tag(fr_t *tag, poseidon_instance instance);

/** x = x^5 */
void poseidon_sbox(fr_t *x);

/** state = state * matrix, c->width elements; matrix is c->mix or c->pre_sparse. */
void poseidon_mix(const poseidon_constants_t *c, fr_t *state, const fr_t *matrix);

/** The layer after partial round `round`. */
void poseidon_mix_sparse(const poseidon_constants_t *c, fr_t *state, unsigned round);

#endif
