/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_GADGET_POSEIDON_H
#define CUZK_GADGET_POSEIDON_H

/* The Poseidon hash in a circuit, in the form of neptune's circuit.rs ("legacy"), which all proofs
 * of Filecoin use. Cost: docs/algorithms/poseidon.md. */

#include "gadget/num.h"
#include "hash/poseidon.h"

/** The hash of inputs[0 .. poseidon_arity() - 1]. */
num_t poseidon_circuit(cs_t *cs, poseidon_instance instance, const num_t *inputs);

#endif
