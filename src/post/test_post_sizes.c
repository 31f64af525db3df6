/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "hash/poseidon.h"
#include "post/post_input.h"

/* Sectors whose leaves are all equal have all nodes of a level equal, so that vanilla proofs of
 * any size and for any challenges can be written without a sector. */

enum { SIZES = 5, MAX_BYTES = 1 << 18, NUMBER = 5 };

static const struct {
    unsigned lg_bytes;
    size_t window_bytes, winning_bytes;
    unsigned n_base, n_sub, n_top;
} sizes[SIZES] = {
    {11, 5680, 36816, 2, 0, 0},   {23, 15280, 100176, 6, 0, 0}, {29, 20080, 131856, 8, 0, 0},
    {35, 24960, 164064, 9, 1, 0}, /* 24960: that of the real 32 GiB proofs of Curio's tests */
    {36, 25520, 167760, 9, 1, 1},
};

typedef struct {
    uint8_t *at;
} out_t;

static void put_u64(out_t *out, uint64_t v)
{
    store_le64(out->at, v);
    out->at += 8;
}

static void put_u32(out_t *out, uint32_t v)
{
    store_le32(out->at, v);
    out->at += 4;
}

static void put_element(out_t *out, const fr_t *v)
{
    fr_to_bytes(out->at, v);
    out->at += FR_BYTES;
}

typedef struct {
    unsigned n_levels;
    unsigned arity[16];
    fr_t nodes[17]; /* of each level, the leaves first, the root last */
} flat_tree_t;

static poseidon_instance instance_for(unsigned arity)
{
    return arity == 8 ? POSEIDON_8 : POSEIDON_2;
}

static void grow_tree(flat_tree_t *tree, size_t size)
{
    tree->n_levels = 0;
    for (unsigned i = 0; i < sizes[size].n_base + sizes[size].n_sub; i++)
        tree->arity[tree->n_levels++] = 8;
    if (sizes[size].n_top) tree->arity[tree->n_levels++] = 2;
    fr_from_u64(&tree->nodes[0], 42);
    for (unsigned i = 0; i < tree->n_levels; i++) {
        fr_t children[8];

        for (int k = 0; k < 8; k++) children[k] = tree->nodes[i];
        poseidon_hash(&tree->nodes[i + 1], instance_for(tree->arity[i]), children);
    }
}

static void put_path(out_t *out, const flat_tree_t *tree, unsigned first, unsigned n,
                     uint64_t *index)
{
    put_u64(out, n);
    for (unsigned i = first; i < first + n; i++) {
        const unsigned arity = tree->arity[i];

        put_u64(out, arity - 1);
        for (unsigned k = 1; k < arity; k++) put_element(out, &tree->nodes[i]);
        put_u64(out, *index % arity);
        *index /= arity;
    }
}

static void put_merkle_proof(out_t *out, const flat_tree_t *tree, size_t size, uint64_t index)
{
    const unsigned n_base = sizes[size].n_base, n_above = sizes[size].n_sub + sizes[size].n_top;
    const fr_t *root = &tree->nodes[tree->n_levels];

    put_u32(out, n_above);
    if (n_above == 0) {
        put_element(out, root);
        put_element(out, &tree->nodes[0]);
    }
    put_path(out, tree, 0, n_base, &index);
    for (unsigned i = 0; i < n_above; i++) put_path(out, tree, n_base + i, 1, &index);
    if (n_above > 0) {
        put_element(out, root);
        put_element(out, &tree->nodes[0]);
    }
}

/* The vanilla proof of a flat sector; returns its length. */
static size_t write_vanilla(uint8_t *bytes, const cuzk_post_statement *request, size_t size,
                            uint64_t number)
{
    const unsigned n_challenges = request->registered_proof < 5 ? 66 : 10;
    flat_tree_t tree;
    out_t out = {bytes};
    fr_t preimage[2], comm_r;

    grow_tree(&tree, size);
    fr_from_u64(&preimage[0], 43);
    preimage[1] = tree.nodes[tree.n_levels];
    poseidon_hash(&comm_r, POSEIDON_2, preimage);
    put_u64(&out, number);
    put_element(&out, &comm_r);
    put_u64(&out, 1);
    put_u64(&out, n_challenges);
    for (unsigned i = 0; i < n_challenges; i++)
        put_merkle_proof(&out, &tree, size,
                         post_challenged_leaf(request->randomness, number, i,
                                              ((uint64_t)1 << sizes[size].lg_bytes) / 32));
    put_element(&out, &preimage[0]);
    put_element(&out, &preimage[1]);
    return (size_t)(out.at - bytes);
}

static void every_size_is_read_and_checked(void **unused)
{
    uint8_t *bytes = malloc(MAX_BYTES);

    (void)unused;
    assert_non_null(bytes);
    for (size_t size = 0; size < SIZES; size++)
        for (int kind = 0; kind < 2; kind++) {
            const cuzk_post_statement request = {
                .registered_proof = (uint32_t)size + (kind == 0 ? 0 : 10), .randomness = {9}};
            const cuzk_bytes item = {bytes, write_vanilla(bytes, &request, size, NUMBER)};
            cuzk_error err;
            post_input_t post;

            assert_int_equal(item.length,
                             kind == 0 ? sizes[size].winning_bytes : sizes[size].window_bytes);
            if (post_input_open(&post, &request, &item, 1, &err) ||
                post_input_check(&post, NULL, &err))
                fail_msg("2^%u bytes: %s", sizes[size].lg_bytes, err.text);
            assert_int_equal(post.statement.n_partitions, 1);
            assert_int_equal(post.form.tree.n_leaves, ((uint64_t)1 << sizes[size].lg_bytes) / 32);
            post_input_close(&post);
        }
    free(bytes);
}

/* Places are read into the index level by level: a proof with one place moved is one of another
 * leaf, and is reported as such. */
static void the_place_of_the_top_level_is_the_highest_bit(void **unused)
{
    const cuzk_post_statement request = {.registered_proof = 14};
    enum { TOP_PLACE = 8 + 32 + 8 + 8 + 4 + 8 + 9 * 240 + 8 + 240 + 8 + 8 + 32 };
    uint8_t *bytes = malloc(MAX_BYTES);
    cuzk_error err;
    post_input_t post;

    (void)unused;
    assert_non_null(bytes);
    const cuzk_bytes item = {bytes, write_vanilla(bytes, &request, 4, NUMBER)};
    assert_in_range(bytes[TOP_PLACE], 0, 1);
    bytes[TOP_PLACE] ^= 1;
    assert_int_equal(post_input_open(&post, &request, &item, 1, &err), CUZK_OK);
    assert_true(post.vanilla[0].challenges[0].path.index ==
                (post_stated_leaf(&post.statement, 0, 0) ^ (uint64_t)1 << 30));
    assert_int_equal(post_input_check(&post, NULL, &err), CUZK_ERR_FORMAT);
    assert_non_null(strstr(err.text, "sector 5: challenge 0: leaf "));
    post_input_close(&post);
    bytes[TOP_PLACE] = 2;
    assert_int_equal(post_input_open(&post, &request, &item, 1, &err), CUZK_ERR_FORMAT);
    assert_non_null(strstr(err.text, "place in a path level at byte 2524: 2, limit 1"));
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size_is_read_and_checked),
        cmocka_unit_test(the_place_of_the_top_level_is_the_highest_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
