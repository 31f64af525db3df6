/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_POREP_LABEL_H
#define CUZK_POREP_LABEL_H

/* Labels: what a node of a layer is made from, in a circuit and outside of one. */

#include "gadget/num.h"
#include "gadget/sha256.h"
#include "porep/porep_config.h"

enum { POREP_NODE_BITS = 64 };

/** Parents of a node in a layer, counted from 1. */
static inline uint32_t porep_label_parents(uint32_t layer)
{
    return layer == 1 ? POREP_DRG_DEGREE : POREP_DEGREE;
}

/** The layer, below or equal to `layer`, whose label parent i gives. */
static inline uint32_t porep_label_parent_layer(uint32_t layer, uint32_t i)
{
    return i < POREP_DRG_DEGREE ? layer : layer - 1;
}

/** The label of a node in a layer: SHA-256(replica id, layer, node, zeros up to 64 bytes, the
 *  labels of parents[0 .. porep_label_parents(layer) - 1], repeated in their order up to 37) with
 *  the top two bits cleared. replica_id is as SHA-256 reads it; node has its lowest bit first. */
num_t porep_label_circuit(cs_t *cs, const boolean_t replica_id[SHA256_BITS], uint32_t layer,
                          const boolean_t node[POREP_NODE_BITS], const num_t *parents);

/** The same from values. */
void porep_label(fr_t *label, const fr_t *replica_id, uint32_t layer, uint32_t node,
                 const fr_t *parents);

/** bits = a number as SHA-256 reads its 32 bytes, the lowest first. */
void porep_label_bits(cs_t *cs, boolean_t bits[SHA256_BITS], const num_t *a);

#endif
