/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "update/challenge.h"

#include "base/verify.h"
#include "hash/poseidon.h"

enum { DIGEST_BITS = FR_BITS - 1 }; /* those that any value can have */

static void hash_pair(fr_t *r, const fr_t *a, const fr_t *b)
{
    const fr_t inputs[2] = {*a, *b};

    poseidon_hash(r, POSEIDON_2_MD, inputs);
}

static uint32_t bits_of(const scalar_t *digest, uint32_t first, uint32_t n)
{
    uint32_t bits = 0;

    for (uint32_t i = 0; i < n; i++) bits |= (uint32_t)scalar_bit(digest, first + i) << i;
    return bits;
}

void update_challenges(uint32_t *nodes, const update_config_t *config, const fr_t *comm_r_new,
                       uint32_t partition)
{
    const uint32_t n_bits = config->lg_nodes - config->lg_partitions;
    const uint32_t a_digest = DIGEST_BITS / n_bits;
    const uint32_t n_digests = (config->n_challenges + a_digest - 1) / a_digest;
    scalar_t digest = {{0}};
    fr_t counter, value;

    VERIFY(partition < update_partition_count(config));
    for (uint32_t i = 0; i < config->n_challenges; i++) {
        if (i % a_digest == 0) {
            fr_from_u64(&counter, (uint64_t)partition * n_digests + i / a_digest);
            hash_pair(&value, comm_r_new, &counter);
            fr_to_scalar(&digest, &value);
        }
        nodes[i] = partition << n_bits | bits_of(&digest, i % a_digest * n_bits, n_bits);
    }
}

void update_phi(fr_t *phi, const fr_t *comm_d_new, const fr_t *comm_r_old)
{
    hash_pair(phi, comm_d_new, comm_r_old);
}

void update_rho(fr_t *rho, const update_config_t *config, const fr_t *phi, uint32_t node)
{
    fr_t high;

    fr_from_u64(&high, node >> (config->lg_nodes - update_h(config)));
    hash_pair(rho, phi, &high);
}
