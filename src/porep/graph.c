/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "porep/graph.h"

#include "base/bytes.h"
#include "base/verify.h"
#include "hash/blake2b.h"
#include "hash/chacha.h"
#include "hash/sha256.h"

/* Nodes of the metagraph a DRG node stands for: one for each parent but its predecessor. */
enum { METAGRAPH_DEGREE = POREP_DRG_DEGREE - 1 };

/* SHA-256(tag, porep id) */
static void domain_seed(uint8_t seed[SHA256_BYTES], const char *tag, const porep_config_t *config)
{
    uint8_t id[32];
    sha256_t h;

    porep_id(id, config);
    sha256_init(&h);
    sha256_update(&h, tag, strlen(tag));
    sha256_update(&h, id, sizeof id);
    sha256_final(seed, &h);
}

void porep_graph_init(porep_graph_t *graph, const porep_config_t *config)
{
    uint8_t seed[SHA256_BYTES];

    *graph = (porep_graph_t){.n_nodes = config->sector_size / FR_BYTES,
                             .version = config->version,
                             .feistel_half_bits = 1};
    domain_seed(seed, "Filecoin_DRSample", config);
    memcpy(graph->drg_seed, seed, sizeof graph->drg_seed);
    domain_seed(seed, "Filecoin_Feistel", config);
    for (size_t i = 0; i < POREP_FEISTEL_ROUNDS; i++) {
        graph->feistel_keys[i] = load_le64(seed + 8 * i);
    }
    while ((uint64_t)1 << 2 * graph->feistel_half_bits < graph->n_nodes * POREP_EXP_DEGREE) {
        graph->feistel_half_bits++;
    }
}

static void drg_parents(const porep_graph_t *graph, uint32_t node,
                        uint32_t parents[POREP_DRG_DEGREE])
{
    if (node < 2) {
        memset(parents, 0, POREP_DRG_DEGREE * sizeof *parents);
        return;
    }

    /* two words a parent: which bucket of distances, which distance in it */
    uint8_t words[METAGRAPH_DEGREE * 16];
    chacha_stream_t rng = {.rounds = 8};
    memcpy(rng.key, graph->drg_seed, sizeof graph->drg_seed);
    store_le32(rng.key + sizeof graph->drg_seed, node);
    chacha_read(words, sizeof words, &rng, 0);

    const uint64_t meta_node = (uint64_t)node * METAGRAPH_DEGREE;
    const uint64_t n_buckets = 64 - (uint64_t)__builtin_clzll(meta_node - 1); /* ceil(log2) */
    const size_t predecessor = graph->version == POREP_V1 ? METAGRAPH_DEGREE : 0;
    uint32_t *others = graph->version == POREP_V1 ? parents : parents + 1;

    for (size_t i = 0; i < METAGRAPH_DEGREE; i++) {
        const uint64_t bucket = load_le64(words + 16 * i) % n_buckets + 1;
        const uint64_t power = (uint64_t)1 << bucket;
        const uint64_t largest = power < meta_node ? power : meta_node;
        const uint64_t smallest = largest / 2 > 2 ? largest / 2 : 2;
        const uint64_t distance =
            smallest + load_le64(words + 16 * i + 8) % (largest - smallest + 1);
        const uint32_t parent = (uint32_t)((meta_node - distance) / METAGRAPH_DEGREE);

        others[i] = parent == node ? node - 1 : parent;
    }
    parents[predecessor] = node - 1;
}

/* The round function: BLAKE2b of right half and key, big-endian, cut to a half. */
static uint64_t feistel_round(uint64_t right, uint64_t key, uint64_t mask)
{
    uint8_t bytes[16], digest[BLAKE2B_MAX_BYTES];

    store_be64(bytes, right);
    store_be64(bytes + 8, key);
    blake2b(digest, sizeof digest, bytes, sizeof bytes);
    return ((uint64_t)load_be32(digest) << 32 | load_be32(digest + 4)) & mask;
}

static uint64_t feistel_encode(const porep_graph_t *graph, uint64_t index)
{
    const uint64_t mask = ((uint64_t)1 << graph->feistel_half_bits) - 1;
    uint64_t left = index >> graph->feistel_half_bits & mask;
    uint64_t right = index & mask;

    for (size_t i = 0; i < POREP_FEISTEL_ROUNDS; i++) {
        const uint64_t old = right;
        right = left ^ feistel_round(right, graph->feistel_keys[i], mask);
        left = old;
    }
    return left << graph->feistel_half_bits | right;
}

static uint32_t expander_parent(const porep_graph_t *graph, uint32_t node, uint32_t i)
{
    const uint64_t n = graph->n_nodes * POREP_EXP_DEGREE;
    uint64_t index = (uint64_t)node * POREP_EXP_DEGREE + i;

    do { /* the permutation is of a power of 4: walk its cycle until it falls below n */
        index = feistel_encode(graph, index);
    } while (index >= n);
    if (graph->version == POREP_V1)
        return (uint32_t)index / POREP_EXP_DEGREE; /* cut, then divided */
    return (uint32_t)(index / POREP_EXP_DEGREE);
}

void porep_graph_parents(const porep_graph_t *graph, uint32_t node, uint32_t parents[POREP_DEGREE])
{
    VERIFY(node < graph->n_nodes);
    drg_parents(graph, node, parents);
    for (uint32_t i = 0; i < POREP_EXP_DEGREE; i++) {
        parents[POREP_DRG_DEGREE + i] = expander_parent(graph, node, i);
    }
}
