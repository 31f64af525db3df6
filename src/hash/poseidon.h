/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_HASH_POSEIDON_H
#define CUZK_HASH_POSEIDON_H

/* The Poseidon hash as Filecoin uses it: over fr, S-box x^5, standard strength, 8 full rounds, the
 * domain tag in element 0 of the state, the digest from element 1. */

#include "field/fr.h"

/** Instances: how many elements are hashed, and the domain tag. */
typedef enum {
    POSEIDON_2,    /* 2 elements, tag 2^2 - 1 */
    POSEIDON_4,    /* 4 elements, tag 2^4 - 1 */
    POSEIDON_8,    /* 8 elements, tag 2^8 - 1 */
    POSEIDON_11,   /* 11 elements, tag 2^11 - 1 */
    POSEIDON_2_MD, /* 2 elements, tag 2^40: the update's phi, rho and challenge digests */
    POSEIDON_INSTANCES
} poseidon_instance;

/** Elements hashed: 2, 4, 8, 11 or 2. */
unsigned poseidon_arity(poseidon_instance instance);

/** The instance of a tree's nodes with that many children: 2, 4 or 8. */
poseidon_instance poseidon_with_arity(unsigned arity);

/** *r = the hash of inputs[0 .. poseidon_arity() - 1]; r may be among the inputs. */
void poseidon_hash(fr_t *r, poseidon_instance instance, const fr_t *inputs);

#endif
