/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "hash/sha256.h"
#include "porep/graph.h"

/* SHA-256 over all parents of all nodes, 4 bytes little-endian each: the digests the reference
 * publishes for its parent caches (storage-proofs-porep, parent_cache.json). */
static void expect_digest(uint32_t number, const char *hex)
{
    porep_graph_t graph;
    uint32_t parents[POREP_DEGREE];
    uint8_t digest[SHA256_BYTES], want[SHA256_BYTES];
    sha256_t h;

    porep_graph_init(&graph, porep_config_by_number(number));
    sha256_init(&h);
    for (uint32_t node = 0; node < graph.n_nodes; node++) {
        porep_graph_parents(&graph, node, parents);
        sha256_update(&h, parents, sizeof parents);
    }
    sha256_final(digest, &h);
    assert_true(bytes_from_hex(want, sizeof want, hex, 64));
    assert_memory_equal(digest, want, sizeof want);
}

static void test_whole_2kib(void **state)
{
    (void)state;
    expect_digest(0, "3da49221e2ed55371b86d0bf3d6526fcf128af61bed904f966428db1b531750d");
    expect_digest(5, "840057702eea7652cf97e04306c30fe57174714d90de156a25eddd6075c25b97");
}

static void test_whole_8mib(void **state)
{
    (void)state;
    expect_digest(1, "a76604f2f59f2744c7151653bbb1d8596b6b57d295e6fa6c1f0c41d725b502ce");
    expect_digest(6, "03cd13565ded97c240a5f52e54295ad127bd0461b57904cb3a4d79b097bbecab");
}

/* What holds in graphs of every size: the place of the predecessor, DRG parents before the node,
 * and that V1 cuts expander indices to 32 bits, so reaches only the first 2^29 nodes. */
static void test_rules(void **state)
{
    (void)state;
    for (uint32_t number = 0; number < POREP_PROOFS; number++) {
        porep_graph_t graph;
        uint32_t parents[POREP_DEGREE];
        const uint32_t predecessor = number < 5 ? POREP_DRG_DEGREE - 1 : 0;
        uint32_t highest = 0;

        porep_graph_init(&graph, porep_config_by_number(number));
        for (uint32_t i = 0; i < 200; i++) {
            const uint32_t node = (uint32_t)((graph.n_nodes - 1) * i / 199);

            porep_graph_parents(&graph, node, parents);
            for (size_t p = 0; p < POREP_DRG_DEGREE; p++) {
                assert_true(node == 0 ? parents[p] == 0 : parents[p] < node);
            }
            if (node > 0) assert_int_equal(parents[predecessor], node - 1);
            for (size_t p = POREP_DRG_DEGREE; p < POREP_DEGREE; p++) {
                assert_true(parents[p] < graph.n_nodes);
                if (parents[p] > highest) highest = parents[p];
            }
        }
        if (number < 5) {
            assert_true(highest < (uint32_t)1 << 29);
        } else {
            assert_true(highest >= graph.n_nodes / 2);
        }
    }
}

/* The expander's matrix is a permutation: each node is the parent of as many as it has parents. */
static void test_expander_is_regular(void **state)
{
    uint32_t children[64];
    porep_graph_t graph;
    uint32_t parents[POREP_DEGREE];

    (void)state;
    for (uint32_t number = 0; number < POREP_PROOFS; number += 5) {
        memset(children, 0, sizeof children);
        porep_graph_init(&graph, porep_config_by_number(number));
        for (uint32_t node = 0; node < 64; node++) {
            porep_graph_parents(&graph, node, parents);
            for (size_t p = POREP_DRG_DEGREE; p < POREP_DEGREE; p++) children[parents[p]]++;
        }
        for (size_t node = 0; node < 64; node++) {
            assert_int_equal(children[node], POREP_EXP_DEGREE);
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest small[] = {cmocka_unit_test(test_whole_2kib),
                                       cmocka_unit_test(test_rules),
                                       cmocka_unit_test(test_expander_is_regular)};
    const struct CMUnitTest large[] = {cmocka_unit_test(test_whole_8mib)};

    if (argc > 1 && strcmp(argv[1], "large") == 0) {
        return cmocka_run_group_tests(large, NULL, NULL);
    }
    return cmocka_run_group_tests(small, NULL, NULL);
}
