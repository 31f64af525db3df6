/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "post/vanilla.h"

#include <inttypes.h>
#include <string.h>

#include "base/bytes.h"
#include "codec/merkle_proof.h"

enum { COUNT_BYTES = 8 };

void post_form_init(post_form_t *form, post_kind kind, uint64_t sector_bytes)
{
    const post_circuit_t shape = post_circuit_shape(kind, sector_bytes);

    form->tree = shape.tree;
    form->n_challenges = post_challenges_per_sector(&shape, kind);
}

void post_vanilla_sector(cuzk_sector *sector, const uint8_t bytes[POST_SECTOR_BYTES])
{
    sector->number = load_le64(bytes);
    memcpy(sector->comm_r, bytes + 8, sizeof sector->comm_r);
}

static merkle_levels_t levels_of(const tree_shape_t *tree)
{
    return (merkle_levels_t){tree->lg_arity, tree->n_base, tree->n_sub, tree->n_top};
}

size_t post_vanilla_bytes(const post_form_t *form)
{
    const merkle_levels_t levels = levels_of(&form->tree);

    return POST_SECTOR_BYTES + 2 * COUNT_BYTES + form->n_challenges * merkle_proof_bytes(&levels) +
           2 * FR_BYTES;
}

static cuzk_status to_element(fr_t *r, const uint8_t bytes[FR_BYTES], const bincode_t *b,
                              const char *field, cuzk_error *err)
{
    if (fr_from_bytes(r, bytes)) return CUZK_OK;
    return error_set(err, CUZK_ERR_FORMAT, "%s at byte %zu: not below the field's order", field,
                     (size_t)(bytes - b->bytes));
}

static cuzk_status read_element(fr_t *r, bincode_t *b, const char *field, cuzk_error *err)
{
    const uint8_t *bytes = NULL;
    const cuzk_status status = bincode_read_bytes(b, &bytes, FR_BYTES, field, err);

    return status == CUZK_OK ? to_element(r, bytes, b, field, err) : status;
}

/* One Merkle proof; *root = the root it states. */
static cuzk_status read_challenge(post_challenge_t *challenge, fr_t *siblings, fr_t *root,
                                  bincode_t *b, const tree_shape_t *tree, cuzk_error *err)
{
    const merkle_levels_t levels = levels_of(tree);
    merkle_proof_t proof;
    cuzk_status status = merkle_proof_read(&proof, b, &levels, err);

    if (status != CUZK_OK) return status;
    status = to_element(&challenge->leaf, proof.leaf, b, "leaf", err);
    if (status == CUZK_OK) status = to_element(root, proof.root, b, "root", err);
    challenge->path.index = proof.index;
    challenge->path.siblings = siblings;
    for (uint32_t level = 0; level < tree->n_levels; level++) {
        const size_t n = ((size_t)1 << tree->lg_arity[level]) - 1;

        for (size_t i = 0; i < n && status == CUZK_OK; i++)
            status =
                to_element(siblings++, proof.siblings[level] + i * FR_BYTES, b, "sibling", err);
    }
    return status;
}

/* All Merkle proofs, which must agree about the root. */
static cuzk_status read_challenges(post_challenge_t *challenges, fr_t *siblings, fr_t *root,
                                   bincode_t *b, const post_form_t *form, cuzk_error *err)
{
    size_t n;
    cuzk_status status = bincode_read_count(b, &n, form->n_challenges, form->n_challenges, FR_BYTES,
                                            "challenges", err);

    for (uint32_t i = 0; i < form->n_challenges && status == CUZK_OK; i++) {
        fr_t its_root = fr_zero;

        status = read_challenge(&challenges[i], siblings + (size_t)i * form->tree.n_siblings,
                                &its_root, b, &form->tree, err);
        if (status != CUZK_OK) {
            (void)error_within(err, "challenge %" PRIu32, i);
            break;
        }
        if (i == 0) *root = its_root;
        if (!fr_equal(&its_root, root))
            status = error_set(err, CUZK_ERR_FORMAT,
                               "challenge %" PRIu32 ": another root than challenge 0", i);
    }
    return status;
}

static cuzk_status read_head(post_vanilla_t *v, bincode_t *b, cuzk_error *err)
{
    cuzk_status status;
    size_t n;

    status = bincode_read_u64(b, &v->number, UINT64_MAX, "sector number", err);
    if (status == CUZK_OK) status = read_element(&v->comm_r, b, "comm_r", err);
    if (status == CUZK_OK && fr_is_zero(&v->comm_r))
        status = error_set(err, CUZK_ERR_FORMAT, "comm_r: zero");
    if (status == CUZK_OK)
        status = bincode_read_count(b, &n, 1, 1, 2 * FR_BYTES, "sectors in the proof", err);
    return status;
}

cuzk_status post_vanilla_read(post_vanilla_t *v, post_challenge_t *challenges, fr_t *siblings,
                              const post_form_t *form, cuzk_bytes item, cuzk_error *err)
{
    bincode_t b = bincode_open(item.bytes, item.length);
    fr_t root = fr_zero;
    cuzk_status status;

    v->challenges = challenges;
    status = read_head(v, &b, err);
    if (status == CUZK_OK) status = read_challenges(challenges, siblings, &root, &b, form, err);
    if (status == CUZK_OK) status = read_element(&v->comm_c, &b, "comm_c", err);
    if (status == CUZK_OK) status = read_element(&v->comm_r_last, &b, "comm_r_last", err);
    if (status == CUZK_OK) status = bincode_end(&b, "vanilla proof", err);
    if (status == CUZK_OK && !fr_equal(&v->comm_r_last, &root))
        status = error_set(err, CUZK_ERR_FORMAT, "comm_r_last: not the root of the challenges");
    return status;
}
