/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/merkle_proof.h"

#include "base/verify.h"

enum { VARIANTS = 3 }; /* Single, Sub, Top: as many levels of trees above the base */

static const char *const variant_names[VARIANTS] = {"Single", "Sub", "Top"};

/* One level: the siblings, then the node's place. */
static cuzk_status read_level(merkle_proof_t *proof, bincode_t *b, uint32_t level,
                              const uint8_t *lg_arity, unsigned index_shift, cuzk_error *err)
{
    const size_t arity = (size_t)1 << lg_arity[level];
    uint64_t place = 0;
    size_t n;
    cuzk_status status;

    status = bincode_read_count(b, &n, arity - 1, arity - 1, MERKLE_PROOF_NODE_BYTES,
                                "siblings of a path level", err);
    if (status == CUZK_OK)
        status =
            bincode_read_bytes(b, &proof->siblings[level], (arity - 1) * MERKLE_PROOF_NODE_BYTES,
                               "siblings of a path level", err);
    if (status == CUZK_OK)
        status = bincode_read_u64(b, &place, arity - 1, "place in a path level", err);
    if (status == CUZK_OK) proof->index |= place << index_shift;
    return status;
}

/* The path over `n` levels that begin at `first`. */
static cuzk_status read_path(merkle_proof_t *proof, bincode_t *b, const merkle_levels_t *levels,
                             uint32_t first, uint32_t n, cuzk_error *err)
{
    unsigned shift = 0;
    size_t found;
    cuzk_status status;

    for (uint32_t i = 0; i < first; i++) shift += levels->lg_arity[i];
    status = bincode_read_count(b, &found, n, n, sizeof(uint64_t), "levels of a path", err);
    for (uint32_t i = first; i < first + n && status == CUZK_OK; i++) {
        status = read_level(proof, b, i, levels->lg_arity, shift, err);
        shift += levels->lg_arity[i];
    }
    return status;
}

static cuzk_status read_root_and_leaf(merkle_proof_t *proof, bincode_t *b, cuzk_error *err)
{
    cuzk_status status = bincode_read_bytes(b, &proof->root, MERKLE_PROOF_NODE_BYTES, "root", err);

    if (status == CUZK_OK)
        status = bincode_read_bytes(b, &proof->leaf, MERKLE_PROOF_NODE_BYTES, "leaf", err);
    return status;
}

size_t merkle_proof_bytes(const merkle_levels_t *levels)
{
    enum { COUNT_BYTES = 8, PLACE_BYTES = 8, VARIANT_BYTES = 4 };
    const uint32_t n_levels = levels->n_base + levels->n_sub + levels->n_top;
    size_t bytes = VARIANT_BYTES + 2 * MERKLE_PROOF_NODE_BYTES; /* root and leaf */

    bytes += (1 + levels->n_sub + levels->n_top) * COUNT_BYTES; /* of levels, a path */
    for (uint32_t i = 0; i < n_levels; i++)
        bytes += COUNT_BYTES + PLACE_BYTES +
                 (((size_t)1 << levels->lg_arity[i]) - 1) * MERKLE_PROOF_NODE_BYTES;
    return bytes;
}

cuzk_status merkle_proof_read(merkle_proof_t *proof, bincode_t *b, const merkle_levels_t *levels,
                              cuzk_error *err)
{
    const uint32_t n_above = levels->n_sub + levels->n_top;
    const size_t at = b->at;
    uint32_t variant = 0;
    cuzk_status status;

    VERIFY(levels->n_sub <= 1 && levels->n_top <= levels->n_sub);
    VERIFY(levels->n_base + n_above <= MERKLE_PROOF_MAX_LEVELS);
    proof->index = 0;
    status = bincode_read_variant(b, &variant, VARIANTS, "kind of Merkle proof", err);
    if (status != CUZK_OK) return status;
    if (variant != n_above)
        return error_set(err, CUZK_ERR_FORMAT,
                         "kind of Merkle proof at byte %zu: %s, expected %s for this sector size",
                         at, variant_names[variant], variant_names[n_above]);
    /* A Single proof has its path last, the others first. */
    if (n_above == 0) status = read_root_and_leaf(proof, b, err);
    if (status == CUZK_OK) status = read_path(proof, b, levels, 0, levels->n_base, err);
    for (uint32_t i = 0; i < n_above && status == CUZK_OK; i++)
        status = read_path(proof, b, levels, levels->n_base + i, 1, err);
    if (n_above > 0 && status == CUZK_OK) status = read_root_and_leaf(proof, b, err);
    return status;
}
