/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "porep/challenge.h"

#include "base/bytes.h"
#include "base/verify.h"
#include "hash/blake2b.h"
#include "hash/chacha.h"
#include "hash/sha256.h"

#define SYNTHETIC_SET ((uint64_t)1 << 18) /* challenges drawn in all, or as many as nodes */

/* digest, a little-endian number, reduced to 1 .. n_nodes-1 */
static uint32_t to_node(const uint8_t digest[32], uint64_t n_nodes)
{
    uint64_t rest = 0;

    for (int i = 7; i >= 0; i--) {
        rest = (rest << 32 | load_le32(digest + 4 * i)) % (n_nodes - 1);
    }
    return (uint32_t)rest + 1;
}

/* SHA-256(prefix, a, b, j) for each challenge j of the whole proof */
static void hashed_challenges(uint32_t *challenges, const porep_config_t *config,
                              const uint8_t *prefix, size_t prefix_bytes, uint32_t first)
{
    uint8_t bytes[128], digest[SHA256_BYTES];

    VERIFY(prefix_bytes + 4 <= sizeof bytes);
    memcpy(bytes, prefix, prefix_bytes);
    for (uint32_t i = 0; i < config->n_challenges; i++) {
        store_le32(bytes + prefix_bytes, first + i);
        sha256(digest, bytes, prefix_bytes + 4);
        challenges[i] = to_node(digest, config->sector_size / FR_BYTES);
    }
}

static void interactive(uint32_t *challenges, const porep_config_t *config,
                        const porep_randomness_t *randomness, uint32_t first)
{
    uint8_t prefix[64];

    memcpy(prefix, randomness->replica_id, 32);
    memcpy(prefix + 32, randomness->seed, 32);
    hashed_challenges(challenges, config, prefix, sizeof prefix, first);
}

static void non_interactive(uint32_t *challenges, const porep_config_t *config,
                            const porep_randomness_t *randomness, uint32_t first)
{
    static const char tag[] = "filecoin.io|PoRep|1|NonInteractive|1";
    const size_t n_tag = sizeof tag - 1;
    uint8_t prefix[sizeof tag - 1 + 64];

    memcpy(prefix, tag, n_tag);
    memcpy(prefix + n_tag, randomness->replica_id, 32);
    memcpy(prefix + n_tag + 32, randomness->comm_r, 32);
    hashed_challenges(challenges, config, prefix, sizeof prefix, first);
}

/* ChaCha20 with key BLAKE2b(key = tag; replica id, other) */
static void synthetic_stream(chacha_stream_t *stream, const char *tag, const uint8_t replica_id[32],
                             const uint8_t other[32])
{
    uint8_t bytes[64];

    memcpy(bytes, replica_id, 32);
    memcpy(bytes + 32, other, 32);
    blake2b_keyed(stream->key, sizeof stream->key, tag, strlen(tag), bytes, sizeof bytes);
    memcpy(stream->nonce, "synth-porep", sizeof stream->nonce); /* its zero byte is the twelfth */
    stream->rounds = 20;
}

/* One stream selects places in a set of challenges that another stream generates. */
static void synthetic(uint32_t *challenges, const porep_config_t *config,
                      const porep_randomness_t *randomness, uint32_t first)
{
    const uint64_t n_nodes = config->sector_size / FR_BYTES;
    const uint64_t n_set = n_nodes < SYNTHETIC_SET ? n_nodes : SYNTHETIC_SET;
    chacha_stream_t generation, selection;
    uint8_t word[4], digest[32];

    synthetic_stream(&generation, "filecoin.io|PoRep|1|Synthetic|1|Generation",
                     randomness->replica_id, randomness->comm_r);
    synthetic_stream(&selection, "filecoin.io|PoRep|1|Synthetic|1|Selection",
                     randomness->replica_id, randomness->seed);
    for (uint32_t i = 0; i < config->n_challenges; i++) {
        chacha_read(word, sizeof word, &selection, ((uint64_t)first + i) * sizeof word);
        chacha_read(digest, sizeof digest, &generation, load_le32(word) % n_set * sizeof digest);
        challenges[i] = to_node(digest, n_nodes);
    }
}

void porep_challenges(uint32_t *challenges, const porep_config_t *config,
                      const porep_randomness_t *randomness, uint32_t partition)
{
    const uint32_t first = partition * config->n_challenges;

    VERIFY(partition < config->n_partitions);
    switch (config->feature) {
    case POREP_INTERACTIVE:
        interactive(challenges, config, randomness, first);
        break;
    case POREP_SYNTHETIC:
        synthetic(challenges, config, randomness, first);
        break;
    case POREP_NON_INTERACTIVE:
        non_interactive(challenges, config, randomness, first);
        break;
    }
}
