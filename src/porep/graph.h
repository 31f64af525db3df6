/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_POREP_GRAPH_H
#define CUZK_POREP_GRAPH_H

/* The stacked graph: which nodes a label is made from. Six parents lie in the node's own layer
 * (depth-robust graph, drawn by ChaCha8), eight in the layer before (expander, a Feistel
 * permutation on BLAKE2b). Everything follows from the porep id, so from the registered proof.
 * Source: storage-proofs-core drgraph.rs, crypto/feistel.rs; storage-proofs-porep
 * stacked/vanilla/graph.rs. Rules: docs/algorithms/porep-graph.md. */

#include "porep/porep_config.h"

enum { POREP_FEISTEL_ROUNDS = 3 };

typedef struct {
    uint64_t n_nodes;
    porep_version version;
    uint8_t drg_seed[28];
    uint64_t feistel_keys[POREP_FEISTEL_ROUNDS];
    uint32_t feistel_half_bits; /* of n_nodes * POREP_EXP_DEGREE, rounded up to a power of 4 */
} porep_graph_t;

/** The graph of a registered proof. */
void porep_graph_init(porep_graph_t *graph, const porep_config_t *config);

/** parents[0 .. 5] the DRG parents, parents[6 .. 13] the expander's, in the order of hashing;
 *  node < n_nodes. Threads: graph is only read. */
void porep_graph_parents(const porep_graph_t *graph, uint32_t node, uint32_t parents[POREP_DEGREE]);

#endif
