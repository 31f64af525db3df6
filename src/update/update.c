/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "update/update.h"

#include "codec/commitment.h"
#include "hash/poseidon.h"

/* ---- statements ---- */

static cuzk_status read_commitment(fr_t *value, const uint8_t bytes[32], const char *field,
                                   cuzk_error *err)
{
    const cuzk_status status = commitment_check(bytes, field, err);

    if (status == CUZK_OK) (void)fr_from_bytes(value, bytes); /* its range was checked */
    return status;
}

cuzk_status update_statement_init(update_statement_t *statement,
                                  const cuzk_update_statement *stated, cuzk_error *err)
{
    *statement = (update_statement_t){.config = update_config_by_number(stated->registered_proof)};
    if (statement->config == NULL)
        return error_set(err, CUZK_ERR_ARG, "registered_proof: %u is not a sector update (0..%d)",
                         stated->registered_proof, UPDATE_PROOFS - 1);
    if (read_commitment(&statement->comm_r_old, stated->comm_r_old, "comm_r_old", err) != CUZK_OK ||
        read_commitment(&statement->comm_r_new, stated->comm_r_new, "comm_r_new", err) != CUZK_OK)
        return err->status;
    return read_commitment(&statement->comm_d_new, stated->comm_d_new, "comm_d_new", err);
}

void update_public_inputs(fr_t inputs[UPDATE_PUBLIC_INPUTS], const update_statement_t *statement,
                          uint32_t partition)
{
    const update_config_t *config = statement->config;

    fr_from_u64(&inputs[0], partition | update_h_select(config) << config->lg_partitions);
    inputs[1] = statement->comm_r_old;
    inputs[2] = statement->comm_d_new;
    inputs[3] = statement->comm_r_new;
}

/* ---- checks ---- */

typedef struct {
    const update_proof_t *proof;
    fr_t phi;
} update_check_t;

static cuzk_status check_root(const fr_t *comm_r, const fr_t *comm_c, const fr_t *root,
                              const char *field, const char *root_name, cuzk_error *err)
{
    const fr_t inputs[2] = {*comm_c, *root};
    fr_t value;

    poseidon_hash(&value, POSEIDON_2, inputs);
    if (fr_equal(&value, comm_r)) return CUZK_OK;
    return error_set(err, CUZK_ERR_FORMAT,
                     "%s: not the hash of the vanilla proofs' comm_c and %s (of another sector, or "
                     "comm_r_old and comm_r_new exchanged?)",
                     field, root_name);
}

/* The apex leaves' root, with the partition's path of any challenge, leads to comm_d_new. */
static cuzk_status check_apex(const update_proof_t *proof, uint32_t partition, cuzk_error *err)
{
    const update_config_t *config = proof->config;
    const update_partition_t *part = &proof->partitions[partition];
    const uint32_t partition_level = config->lg_nodes - config->lg_partitions;
    fr_t row[UPDATE_MAX_APEX_LEAVES], root;

    memcpy(row, part->apex_leaves, update_apex_leaf_count(config) * sizeof *row);
    for (uint32_t n = update_apex_leaf_count(config) / 2; n > 0; n /= 2) {
        for (uint32_t i = 0; i < n; i++) tree_hash_sha256(&row[i], &row[2 * i], &row[2 * i + 1]);
    }
    tree_climb(&root, &proof->tree_d, &row[0], (uint64_t)partition << partition_level,
               part->challenges[0].path_d_new, partition_level, config->lg_nodes);
    if (fr_equal(&root, &proof->comm_d_new)) return CUZK_OK;
    return error_set(err, CUZK_ERR_FORMAT, "partition %u: apex_leafs do not lead to comm_d_new",
                     partition);
}

/* NULL when the challenge is sound, else what is wrong; its node is the derived one. */
static const char *challenge_fault(const update_check_t *check, const update_partition_t *part,
                                   const update_challenge_t *challenge)
{
    const update_proof_t *proof = check->proof;
    const update_config_t *config = proof->config;
    const uint32_t apex_level = config->lg_nodes - config->lg_partitions - config->lg_apex_leaves;
    const uint32_t apex = challenge->node >> apex_level & (update_apex_leaf_count(config) - 1);
    fr_t value;

    update_rho(&value, config, &check->phi, challenge->node);
    fr_mul(&value, &value, &challenge->leaf_d_new);
    fr_add(&value, &value, &challenge->leaf_r_old);
    if (!fr_equal(&value, &challenge->leaf_r_new)) return "new leaf is not old + data * rho";

    tree_climb(&value, &proof->tree_d, &challenge->leaf_d_new, challenge->node,
               challenge->path_d_new, 0, apex_level);
    if (!fr_equal(&value, &part->apex_leaves[apex])) return "proof_d_new misses its apex leaf";
    tree_climb(&value, &proof->tree_d, &value, challenge->node, challenge->path_d_new, apex_level,
               config->lg_nodes);
    if (!fr_equal(&value, &proof->comm_d_new)) return "proof_d_new does not lead to comm_d_new";

    tree_root(&value, &proof->tree_r, &challenge->leaf_r_old, challenge->node,
              challenge->path_r_old);
    if (!fr_equal(&value, &proof->root_r_old)) return "proof_r_old does not lead to its root";
    tree_root(&value, &proof->tree_r, &challenge->leaf_r_new, challenge->node,
              challenge->path_r_new);
    if (!fr_equal(&value, &proof->root_r_new)) return "proof_r_new does not lead to its root";
    return NULL;
}

static cuzk_status check_one(const update_check_t *check, size_t index, cuzk_error *err)
{
    const update_proof_t *proof = check->proof;
    const uint32_t n_challenges = proof->config->n_challenges;
    const uint32_t partition = (uint32_t)(index / n_challenges);
    const uint32_t place = (uint32_t)(index % n_challenges);
    const update_partition_t *part = &proof->partitions[partition];
    const update_challenge_t *challenge = &part->challenges[place];
    uint32_t nodes[UPDATE_MAX_CHALLENGES];
    const char *fault;

    update_challenges(nodes, proof->config, &proof->comm_r_new, partition);
    if (challenge->node != nodes[place]) {
        return error_set(
            err, CUZK_ERR_FORMAT,
            "partition %u, challenge %u: node %u, comm_r_new asks for node %u (partitions out of "
            "order, or made for another comm_r_new?)",
            partition, place, challenge->node, nodes[place]);
    }
    fault = challenge_fault(check, part, challenge);
    if (fault == NULL) return CUZK_OK;
    return error_set(err, CUZK_ERR_FORMAT, "partition %u, challenge %u: %s", partition, place,
                     fault);
}

static bool is_bad(void *check, size_t index)
{
    cuzk_error unused;

    return check_one(check, index, &unused) != CUZK_OK;
}

cuzk_status update_check(const update_proof_t *proof, strand_t *strand, cuzk_error *err)
{
    const uint32_t n_partitions = update_partition_count(proof->config);
    const size_t n = (size_t)n_partitions * proof->config->n_challenges;
    update_check_t check = {.proof = proof};
    size_t first_bad;

    if (check_root(&proof->comm_r_old, &proof->comm_c, &proof->root_r_old, "comm_r_old",
                   "root of proof_r_old", err) != CUZK_OK ||
        check_root(&proof->comm_r_new, &proof->comm_c, &proof->root_r_new, "comm_r_new",
                   "root of proof_r_new", err) != CUZK_OK) {
        return err->status;
    }
    for (uint32_t k = 0; k < n_partitions; k++) {
        if (check_apex(proof, k, err) != CUZK_OK) return err->status;
    }
    update_phi(&check.phi, &proof->comm_d_new, &proof->comm_r_old);
    const cuzk_status st = strand_find(&first_bad, strand, n, is_bad, &check, err);
    if (st != CUZK_OK) return st;
    return first_bad < n ? check_one(&check, first_bad, err) : CUZK_OK;
}
