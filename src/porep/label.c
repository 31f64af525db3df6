/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "porep/label.h"

#include "gadget/packing.h"
#include "gadget/sha256_message.h"

void porep_label_bits(cs_t *cs, boolean_t bits[SHA256_BITS], const num_t *a)
{
    boolean_t little_endian[FR_BITS];

    num_to_bits(cs, little_endian, a);
    packing_swap_bytes(bits, little_endian, FR_BITS);
}

num_t porep_label_circuit(cs_t *cs, const boolean_t replica_id[SHA256_BITS], uint32_t layer,
                          const boolean_t node[POREP_NODE_BITS], const num_t *parents)
{
    enum { HEAD_BYTES = 64, N_BYTES = HEAD_BYTES + POREP_LABEL_PARENTS * FR_BYTES };
    const uint32_t n_parents = porep_label_parents(layer);
    const arena_mark_t mark = arena_mark(&cs->arena);
    boolean_t node_be[POREP_NODE_BITS];
    sha256_message_t m;

    sha256_message_open(&m, cs, N_BYTES);
    sha256_message_add_bits(&m, replica_id, SHA256_BITS);
    sha256_message_add_constant(&m, layer, 4);
    for (unsigned i = 0; i < POREP_NODE_BITS; i++) node_be[i] = node[POREP_NODE_BITS - 1 - i];
    sha256_message_add_bits(&m, node_be, POREP_NODE_BITS);
    while (m.n_bytes < HEAD_BYTES) sha256_message_add_constant(&m, 0, 4);
    for (uint32_t i = 0; i < n_parents; i++) sha256_message_add_num(&m, &parents[i]);
    for (uint32_t i = n_parents; i < POREP_LABEL_PARENTS; i++)
        sha256_message_repeat(&m, m.n_bytes - (size_t)n_parents * FR_BYTES, FR_BYTES);

    const num_t label = sha256_message_hash(&m);
    arena_rewind(&cs->arena, mark);
    return label;
}

void porep_label(fr_t *label, const fr_t *replica_id, uint32_t layer, uint32_t node,
                 const fr_t *parents)
{
    cs_t cs = cs_of_values();
    const num_t id = num_value_only(replica_id);
    boolean_t id_bits[SHA256_BITS], node_bits[POREP_NODE_BITS];
    num_t nums[POREP_DEGREE];

    porep_label_bits(&cs, id_bits, &id);
    for (unsigned i = 0; i < POREP_NODE_BITS; i++)
        node_bits[i] = boolean_alloc(&cs, (uint64_t)node >> i & 1);
    num_alloc_all(&cs, nums, parents, porep_label_parents(layer));
    *label = porep_label_circuit(&cs, id_bits, layer, node_bits, nums).value;
}
