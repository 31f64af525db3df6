/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "gadget/merkle.h"

#include "gadget/packing.h"
#include "gadget/poseidon.h"
#include "gadget/sha256.h"

enum { MAX_SELECT_BITS = 8, MAX_INDEX_BITS = 63 };

static unsigned lg(unsigned power_of_two)
{
    return (unsigned)__builtin_ctz(power_of_two);
}

/* others is b .. h of storage-proofs-core's tables. Position by position; where fewer than three
 * bits decide, the picks of the lower bits are shared or skipped: 20 picks, not 56. */
static void insert_8(cs_t *cs, num_t *out, const num_t *a, const boolean_t *bits,
                     const num_t *others)
{
    const num_t *b = &others[0], *c = &others[1], *d = &others[2], *e = &others[3], *f = &others[4],
                *g = &others[5], *h = &others[6];
    const boolean_t b0 = bits[0], b1 = bits[1], b2 = bits[2];
    const boolean_t none = boolean_and(cs, boolean_not(b0), boolean_not(b1));
    const boolean_t both = boolean_and(cs, b0, b1);
    num_t low;

    low = num_pick(cs, none, a, b);
    out[0] = num_pick(cs, b2, b, &low);

    low = num_pick(cs, b0, a, b);
    low = num_pick(cs, b1, c, &low);
    out[1] = num_pick(cs, b2, c, &low);

    low = num_pick(cs, b0, d, a);
    low = num_pick(cs, b1, &low, c);
    out[2] = num_pick(cs, b2, d, &low);

    low = num_pick(cs, both, a, d);
    out[3] = num_pick(cs, b2, e, &low);

    low = num_pick(cs, none, a, f);
    out[4] = num_pick(cs, b2, &low, e);

    low = num_pick(cs, b0, a, f);
    low = num_pick(cs, b1, g, &low);
    out[5] = num_pick(cs, b2, &low, f);

    low = num_pick(cs, b0, h, a);
    low = num_pick(cs, b1, &low, g);
    out[6] = num_pick(cs, b2, &low, g);

    low = num_pick(cs, both, a, h);
    out[7] = num_pick(cs, b2, &low, h);
}

static void make_insertion(cs_t *cs, num_t *out, const num_t *element, const boolean_t *bits,
                           const num_t *others, unsigned arity)
{
    if (arity == 8) {
        insert_8(cs, out, element, bits, others);
    } else {
        out[0] = num_pick(cs, bits[0], others, element);
        out[1] = num_pick(cs, bits[0], element, others);
    }
}

void merkle_insert(cs_t *cs, num_t *out, const num_t *element, const boolean_t *bits,
                   const num_t *others, unsigned arity)
{
    const uint8_t key = (uint8_t)arity;
    var_t slots[1 + TREE_MAX_ARITY - 1 + 3], outputs[TREE_MAX_ARITY];
    cs_gadget_t gadget = {.name = "insertion",
                          .key = &key,
                          .key_bytes = sizeof key,
                          .slots = slots,
                          .outputs = outputs,
                          .n_outputs = arity};

    VERIFY(arity == 2 || arity == 8);
    slots[gadget.n_slots++] = element->var;
    for (unsigned i = 0; i < arity - 1; i++) slots[gadget.n_slots++] = others[i].var;
    for (unsigned i = 0; i < lg(arity); i++) slots[gadget.n_slots++] = bits[i].var;
    if (cs_gadget_begin(cs, &gadget)) {
        for (unsigned i = 0; i < arity; i++) out[i] = (num_t){.var = outputs[i]};
        return;
    }
    make_insertion(cs, out, element, bits, others, arity);
    for (unsigned i = 0; i < arity; i++) outputs[i] = out[i].var;
    cs_gadget_end(cs, &gadget);
}

num_t merkle_select(cs_t *cs, const num_t *from, const boolean_t *bits, unsigned n_bits)
{
    num_t left[1 << MAX_SELECT_BITS];

    VERIFY(n_bits <= MAX_SELECT_BITS);
    memcpy(left, from, sizeof *from << n_bits);
    for (unsigned k = n_bits; k-- > 0;)
        for (unsigned j = 0; j < 1u << k; j++)
            left[j] = num_pick(cs, bits[k], &left[j + (1u << k)], &left[j]);
    return left[0];
}

static num_t hash_parent(cs_t *cs, tree_hash hash, const num_t *children, unsigned arity)
{
    if (hash == TREE_SHA256) return sha256_circuit_parent(cs, children);
    return poseidon_circuit(cs, poseidon_with_arity(arity), children);
}

/* *node = its parent. */
static void ascend(cs_t *cs, tree_hash hash, num_t *node, const boolean_t *bits,
                   const num_t *siblings, unsigned arity)
{
    num_t children[TREE_MAX_ARITY];

    merkle_insert(cs, children, node, bits, siblings, arity);
    *node = hash_parent(cs, hash, children, arity);
}

/* A level of merkle_include(), from a node to its parent; returns what follows the siblings. */
static const fr_t *make_level(cs_t *cs, tree_hash hash, num_t *node, boolean_t *bits,
                              uint64_t place, const fr_t *siblings, unsigned arity)
{
    num_t others[TREE_MAX_ARITY - 1];

    for (unsigned i = 0; i < lg(arity); i++) bits[i] = boolean_alloc(cs, place >> i & 1);
    for (unsigned i = 0; i < arity - 1; i++)
        others[i] = num_alloc(cs, cs->has_values ? siblings++ : NULL);
    ascend(cs, hash, node, bits, others, arity);
    return siblings;
}

/* The same as a gadget. */
static const fr_t *add_level(cs_t *cs, tree_hash hash, num_t *node, boolean_t *bits, uint64_t place,
                             const fr_t *siblings, unsigned arity)
{
    const struct {
        uint32_t hash, arity;
    } key = {hash, arity};
    const var_t slot = node->var;
    const unsigned n_bits = lg(arity);
    var_t outputs[1 + 3];
    const cs_gadget_t gadget = {.name = "tree level",
                                .key = &key,
                                .key_bytes = sizeof key,
                                .slots = &slot,
                                .n_slots = 1,
                                .outputs = outputs,
                                .n_outputs = 1 + n_bits};

    if (cs_gadget_begin(cs, &gadget)) {
        node->var = outputs[0];
        for (unsigned i = 0; i < n_bits; i++) bits[i] = boolean_is(outputs[1 + i], false);
        return siblings;
    }
    siblings = make_level(cs, hash, node, bits, place, siblings, arity);
    outputs[0] = node->var;
    for (unsigned i = 0; i < n_bits; i++) outputs[1 + i] = bits[i].var;
    cs_gadget_end(cs, &gadget);
    return siblings;
}

void merkle_include(cs_t *cs, const tree_shape_t *shape, const num_t *leaf,
                    const merkle_path_t *path, const num_t *root)
{
    const fr_t *sibling = path->siblings;
    boolean_t bits[MAX_INDEX_BITS];
    unsigned n_bits = 0;
    num_t node = *leaf;

    if (cs->values_only) return;
    for (unsigned level = 0; level < shape->n_levels; level++) {
        const unsigned arity = tree_arity(shape, level);

        sibling =
            add_level(cs, shape->hash, &node, bits + n_bits, path->index >> n_bits, sibling, arity);
        n_bits += lg(arity);
    }
    packing_inputs(cs, bits, n_bits);
    num_enforce_equal(cs, &node, root);
}

void merkle_include_at(cs_t *cs, const tree_shape_t *shape, const num_t *leaf,
                       const boolean_t *bits, const num_t *siblings, const num_t *root)
{
    num_t node = *leaf;

    if (cs->values_only) return;
    for (unsigned level = 0; level < shape->n_levels; level++) {
        const unsigned arity = tree_arity(shape, level);

        ascend(cs, shape->hash, &node, bits, siblings, arity);
        bits += lg(arity);
        siblings += arity - 1;
    }
    num_enforce_equal(cs, &node, root);
}
