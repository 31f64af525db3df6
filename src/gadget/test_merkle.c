/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gadget/merkle.h"
#include "gadget/poseidon.h"
#include "gadget/test_recorder.h"

/* Elements without structure. */
static void element(fr_t *r, uint64_t i)
{
    fr_pow_u64(r, &fr_generator, 100000 + i);
}

static void hashes_agree_with_native_and_cost_what_they_say(void **unused)
{
    /* 3 t in the first round but for the tag, 4 t in seven others, 4 in partial rounds, result */
    static const unsigned cost[POSEIDON_INSTANCES] = {
        [POSEIDON_2] = 311,  [POSEIDON_4] = 377,    [POSEIDON_8] = 505,
        [POSEIDON_11] = 598, [POSEIDON_2_MD] = 311,
    };

    (void)unused;
    for (poseidon_instance instance = 0; instance < POSEIDON_INSTANCES; instance++) {
        const unsigned arity = poseidon_arity(instance);
        num_t inputs[11];
        fr_t values[11];
        recorder_t r;

        recorder_init(&r);
        for (unsigned i = 0; i < arity; i++) {
            element(&values[i], i);
            inputs[i] = num_alloc(&r.cs, &values[i]);
        }
        const num_t hash = poseidon_circuit(&r.cs, instance, inputs);
        poseidon_hash(&values[0], instance, values);
        assert_true(fr_equal(&hash.value, &values[0]));
        assert_true(fr_equal(recorder_value(&r, hash.var), &values[0]));
        assert_int_equal(r.cs.n_constraints, cost[instance]);
        assert_int_equal(r.cs.n_aux, arity + cost[instance]);
        assert_int_equal(recorder_violated(&r), 0);
        assert_int_equal(recorder_free_variables(&r, 0), 0);
        recorder_clear(&r);
    }
}

/* The same element several times, and public inputs: variables that do not come rising. */
static void a_hash_takes_variables_in_any_order(void **unused)
{
    num_t inputs[8];
    fr_t values[8];
    recorder_t r;

    (void)unused;
    recorder_init(&r);
    for (unsigned i = 0; i < 8; i++) element(&values[i], i % 3);
    const num_t last = num_alloc(&r.cs, &values[1]);
    const num_t middle = num_alloc(&r.cs, &values[0]);
    const num_t input = {.value = values[2], .var = cs_alloc_input(&r.cs, &values[2])};
    for (unsigned i = 0; i < 8; i++) inputs[i] = i % 3 == 0 ? middle : i % 3 == 1 ? last : input;
    const num_t hash = poseidon_circuit(&r.cs, POSEIDON_8, inputs);
    poseidon_hash(&values[0], POSEIDON_8, values);
    assert_true(fr_equal(&hash.value, &values[0]));
    for (uint64_t i = 0; i < r.cs.n_constraints; i++)
        for (uint32_t k = 1; k < r.constraints[i].a.n; k++)
            assert_true(lc_terms(&r.constraints[i].a)[k - 1].var <
                        lc_terms(&r.constraints[i].a)[k].var);
    assert_int_equal(recorder_violated(&r), 0);
    assert_int_equal(recorder_free_variables(&r, 0), 0);
    recorder_clear(&r);
}

static void alloc_index(cs_t *cs, boolean_t *bits, unsigned n, unsigned index)
{
    for (unsigned i = 0; i < n; i++) bits[i] = boolean_alloc(cs, index >> i & 1);
}

static void insertion_puts_the_element_anywhere(void **unused)
{
    (void)unused;
    for (unsigned arity = 2; arity <= 8; arity *= 4) {
        for (unsigned index = 0; index < arity; index++) {
            num_t others[7], out[8];
            boolean_t bits[3];
            recorder_t r;
            fr_t value;

            recorder_init(&r);
            alloc_index(&r.cs, bits, arity == 2 ? 1 : 3, index);
            element(&value, 50);
            const num_t inserted = num_alloc(&r.cs, &value);
            for (unsigned i = 0; i < arity - 1; i++) {
                element(&value, i);
                others[i] = num_alloc(&r.cs, &value);
            }
            const uint64_t before = r.cs.n_constraints;
            merkle_insert(&r.cs, out, &inserted, bits, others, arity);
            for (unsigned i = 0; i < arity; i++) {
                const num_t *want = i == index ? &inserted : &others[i < index ? i : i - 1];

                assert_true(fr_equal(&out[i].value, &want->value));
                assert_true(fr_equal(recorder_value(&r, out[i].var), &want->value));
            }
            assert_int_equal(r.cs.n_constraints - before, arity == 2 ? 2 : 22);
            assert_int_equal(recorder_violated(&r), 0);
            recorder_clear(&r);
        }
    }
}

static void selection_takes_the_element_at_an_index(void **unused)
{
    (void)unused;
    for (unsigned n_bits = 0; n_bits <= 4; n_bits++) {
        for (unsigned index = 0; index < 1u << n_bits; index++) {
            num_t from[16];
            boolean_t bits[4];
            recorder_t r;
            fr_t value;

            recorder_init(&r);
            alloc_index(&r.cs, bits, n_bits, index);
            for (unsigned i = 0; i < 1u << n_bits; i++) {
                element(&value, i);
                from[i] = num_alloc(&r.cs, &value);
            }
            const num_t selected = merkle_select(&r.cs, from, bits, n_bits);
            assert_true(fr_equal(&selected.value, &from[index].value));
            assert_int_equal(r.cs.n_constraints, n_bits + (1u << n_bits) - 1);
            assert_int_equal(recorder_violated(&r), 0);
            recorder_clear(&r);
        }
    }
}

static const tree_shape_t shapes[] = {
    {TREE_POSEIDON, .n_levels = 1, .lg_arity = {3}, .n_siblings = 7, .n_leaves = 8},
    {TREE_POSEIDON, .n_levels = 2, .lg_arity = {1, 1}, .n_siblings = 2, .n_leaves = 4},
    {TREE_POSEIDON, .n_levels = 2, .lg_arity = {3, 1}, .n_siblings = 8, .n_leaves = 16},
    {TREE_POSEIDON, .n_levels = 3, .lg_arity = {3, 3, 1}, .n_siblings = 15, .n_leaves = 128},
};

enum { N_SHAPES = sizeof shapes / sizeof *shapes, MAX_SIBLINGS = 15, FULL_CHECKS = 3 };

typedef struct {
    fr_t leaf, root;
    fr_t siblings[MAX_SIBLINGS];
    merkle_path_t path;
} opening_t;

static void make_opening(opening_t *o, const tree_shape_t *shape)
{
    element(&o->leaf, 99);
    for (unsigned i = 0; i < shape->n_siblings; i++) element(&o->siblings[i], i);
    o->path.siblings = o->siblings;
    o->path.index = 0x2b5 & (shape->n_leaves - 1);
    tree_root(&o->root, shape, &o->leaf, o->path.index, o->siblings);
}

static uint64_t violated_by(const tree_shape_t *shape, const opening_t *o, const fr_t *root)
{
    recorder_t r;

    recorder_init(&r);
    const num_t leaf = num_alloc(&r.cs, &o->leaf);
    const num_t root_num = num_alloc(&r.cs, root);
    merkle_include(&r.cs, shape, &leaf, &o->path, &root_num);
    const uint64_t n = recorder_violated(&r);
    recorder_clear(&r);
    return n;
}

static void a_leaf_is_included_under_its_root_alone(void **unused)
{
    (void)unused;
    for (unsigned s = 0; s < N_SHAPES; s++) {
        opening_t o;
        opening_t other;

        make_opening(&o, &shapes[s]);
        assert_int_equal(violated_by(&shapes[s], &o, &o.root), 0);
        assert_int_equal(violated_by(&shapes[s], &o, &o.leaf), 1);
        for (unsigned i = 0; i < tree_index_bits(&shapes[s]); i++) {
            other = o;
            other.path.index ^= (uint64_t)1 << i;
            assert_int_equal(violated_by(&shapes[s], &other, &o.root), 1);
        }
        for (unsigned i = 0; i < shapes[s].n_siblings; i++) {
            other = o;
            other.path.siblings = other.siblings;
            fr_add(&other.siblings[i], &other.siblings[i], &fr_one);
            assert_int_equal(violated_by(&shapes[s], &other, &o.root), 1);
        }
    }
}

static void inclusion_publishes_the_index_and_binds_every_variable(void **unused)
{
    (void)unused;
    for (unsigned s = 0; s < FULL_CHECKS; s++) {
        opening_t o;
        recorder_t r;
        fr_t index;

        make_opening(&o, &shapes[s]);
        recorder_init(&r);
        const num_t leaf = num_alloc(&r.cs, &o.leaf);
        const num_t root = num_alloc(&r.cs, &o.root);
        merkle_include(&r.cs, &shapes[s], &leaf, &o.path, &root);
        fr_from_u64(&index, o.path.index);
        assert_int_equal(r.cs.n_inputs, 2);
        assert_true(fr_equal(&r.inputs[1], &index));
        assert_int_equal(recorder_free_variables(&r, 0), 0);
        recorder_clear(&r);
    }
}

static void inclusion_of_given_variables_adds_no_input(void **unused)
{
    (void)unused;
    for (unsigned s = 0; s < N_SHAPES; s++) {
        const tree_shape_t *shape = &shapes[s];
        num_t siblings[MAX_SIBLINGS];
        boolean_t bits[16];
        opening_t o;
        recorder_t r;

        make_opening(&o, shape);
        recorder_init(&r);
        const num_t leaf = num_alloc(&r.cs, &o.leaf);
        const num_t root = num_alloc(&r.cs, &o.root);
        alloc_index(&r.cs, bits, tree_index_bits(shape), (unsigned)o.path.index);
        for (unsigned i = 0; i < shape->n_siblings; i++)
            siblings[i] = num_alloc(&r.cs, &o.siblings[i]);
        merkle_include_at(&r.cs, shape, &leaf, bits, siblings, &root);
        assert_int_equal(r.cs.n_inputs, 1);
        assert_int_equal(recorder_violated(&r), 0);
        fr_add(recorder_value(&r, root.var), &o.root, &fr_one);
        assert_int_equal(recorder_violated(&r), 1);
        recorder_clear(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hashes_agree_with_native_and_cost_what_they_say),
        cmocka_unit_test(a_hash_takes_variables_in_any_order),
        cmocka_unit_test(insertion_puts_the_element_anywhere),
        cmocka_unit_test(selection_takes_the_element_at_an_index),
        cmocka_unit_test(a_leaf_is_included_under_its_root_alone),
        cmocka_unit_test(inclusion_publishes_the_index_and_binds_every_variable),
        cmocka_unit_test(inclusion_of_given_variables_adds_no_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
