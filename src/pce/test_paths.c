/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "pce/test_compare.h"
#include "porep/circuit.h"
#include "porep/test_support.h"
#include "post/post_input.h"
#include "post/test_case.h"
#include "update/circuit.h"
#include "update/test_support.h"

/* The circuits of all kinds, with the witnesses of the golden cases and with violated ones: every
 * path must give what the generic one gives. */

static pce_t *extract(const char *label, circuit_fn circuit, const void *values)
{
    pce_t *pce;
    cuzk_error err;

    if (pce_extract(&pce, label, circuit, values, &err) != CUZK_OK) fail_msg("%s", err.text);
    return pce;
}

static void check(const pce_t *pce, circuit_fn circuit, const void *values)
{
    owned_assignment_t generic;

    compare_generic(&generic, circuit, values);
    compare_plan(&generic, circuit, values, pce_plan(pce));
    compare_paths(&generic.x, pce, circuit, values);
    owned_assignment_clear(&generic);
}

static void porep_case_paths(const char *name)
{
    porep_c1_t c1;
    arena_t arena;

    (void)arena_open(&arena, (size_t)1 << 30, "test", &(cuzk_error){0});
    porep_case_read(&c1, name, &arena);
    const porep_circuit_t blank = {.shape = c1.proof.shape};
    pce_t *pce = extract("porep-2k", porep_circuit, &blank);
    const porep_circuit_t circuit = {.shape = c1.proof.shape, .proof = &c1.proof};
    check(pce, porep_circuit, &circuit);

    /* a witness that violates constraints in all parts */
    porep_challenge_t *challenge = &c1.proof.challenges[1];
    fr_add(&c1.proof.comm_r_last, &c1.proof.comm_r_last, &fr_one);
    fr_add(&challenge->data_leaf, &challenge->data_leaf, &fr_minus_one);
    challenge->parents[3].node ^= 5;
    challenge->node ^= 1;
    check(pce, porep_circuit, &circuit);
    pce_free(pce);
    arena_close(&arena);
}

static void porep_is_the_same_on_all_paths(void **unused)
{
    (void)unused;
    porep_case_paths("porep-2KiB-0");
    porep_case_paths("porep-v1-2KiB");
}

static void update_is_the_same_on_all_paths(void **unused)
{
    update_proof_t proof;
    arena_t arena;

    (void)unused;
    (void)arena_open(&arena, (size_t)1 << 30, "test", &(cuzk_error){0});
    update_case_read(&proof, "update-2KiB", (uint64_t)1 << 11, &arena);
    const update_circuit_t blank = {.config = proof.config};
    const update_circuit_t circuit = {.config = proof.config, .proof = &proof};
    pce_t *pce = extract("update-2k", update_circuit, &blank);
    check(pce, update_circuit, &circuit);
    fr_add(&proof.comm_r_new, &proof.comm_r_new, &fr_one);
    fr_add(&proof.root_r_old, &proof.root_r_old, &fr_one);
    check(pce, update_circuit, &circuit);
    pce_free(pce);
    arena_close(&arena);
}

static void post_case_paths(const char *name)
{
    static test_case_t golden;
    cuzk_error err;
    post_input_t post;

    test_case_open(&golden, name);
    if (post_input_open(&post, &golden.statement, golden.vanilla.items, golden.vanilla.n, &err) !=
        CUZK_OK)
        fail_msg("%s: %s", golden.name, err.text);
    const post_circuit_t circuit = post_input_circuit(&post, 0);
    pce_t *pce = extract(name, post_circuit, &circuit);
    check(pce, post_circuit, &circuit);

    post_sector_t *sectors = calloc(circuit.n_sectors, sizeof *sectors);
    assert_non_null(sectors);
    memcpy(sectors, circuit.sectors, circuit.n_sectors * sizeof *sectors);
    post_circuit_t violated = circuit;
    violated.sectors = sectors;
    fr_add(&sectors[1].comm_r_last, &sectors[1].comm_r_last, &fr_one);
    fr_add(&sectors[0].comm_c, &sectors[0].comm_c, &fr_minus_one);
    check(pce, post_circuit, &violated);
    free(sectors);
    pce_free(pce);
    post_input_close(&post);
    test_case_close(&golden);
}

static void posts_are_the_same_on_all_paths(void **unused)
{
    (void)unused;
    post_case_paths("winning-2KiB");
    post_case_paths("window-2KiB");
}

/* A tree with a level of two, as 64 GiB sectors have; numbers of challenges that are no multiple of
 * the group that is hashed at once. Nothing is satisfied. */
static void posts_of_any_tree_are_the_same_on_all_paths(void **unused)
{
    enum { SECTORS = 3, CHALLENGES = 5, SIBLINGS = 7 + 7 + 1 };
    static fr_t siblings[CHALLENGES][SIBLINGS];
    static post_challenge_t challenges[SECTORS][CHALLENGES];
    post_sector_t sectors[SECTORS] = {0};

    (void)unused;
    for (uint32_t s = 0; s < SECTORS; s++) {
        fr_pow_u64(&sectors[s].comm_r, &fr_generator, 70 + s);
        fr_pow_u64(&sectors[s].comm_c, &fr_generator, 80 + s);
        fr_pow_u64(&sectors[s].comm_r_last, &fr_generator, 90 + s);
        sectors[s].challenges = challenges[s];
        for (uint32_t i = 0; i < CHALLENGES; i++) {
            post_challenge_t *c = &challenges[s][i];

            for (uint32_t k = 0; k < SIBLINGS; k++)
                fr_pow_u64(&siblings[i][k], &fr_generator, 1000 + 100 * i + k);
            fr_pow_u64(&c->leaf, &fr_generator, 500 + 10 * s + i);
            c->path = (merkle_path_t){.index = (37 * i + 11 * s) % 128, .siblings = siblings[i]};
        }
    }
    const post_circuit_t circuit = {.tree = {TREE_POSEIDON, .n_levels = 3, .lg_arity = {3, 3, 1},
                                             .n_siblings = SIBLINGS, .n_leaves = 128},
                                    .n_sectors = SECTORS,
                                    .n_challenges = CHALLENGES,
                                    .sectors = sectors};
    pce_t *pce = extract("any", post_circuit, &circuit);
    check(pce, post_circuit, &circuit);
    pce_free(pce);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(porep_is_the_same_on_all_paths),
        cmocka_unit_test(update_is_the_same_on_all_paths),
        cmocka_unit_test(posts_are_the_same_on_all_paths),
        cmocka_unit_test(posts_of_any_tree_are_the_same_on_all_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
