/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "porep/porep.h"

#include "base/bytes.h"
#include "codec/commitment.h"
#include "codec/prover_id.h"
#include "hash/poseidon.h"
#include "porep/label.h"
#include "porep/origin.h"

/* ---- statements ---- */

static cuzk_status read_commitment(fr_t *value, const uint8_t bytes[32], const char *field,
                                   cuzk_error *err)
{
    const cuzk_status status = commitment_check(bytes, field, err);

    if (status == CUZK_OK) (void)fr_from_bytes(value, bytes); /* its range was checked */
    return status;
}

cuzk_status porep_statement_init(porep_statement_t *statement, const cuzk_porep_statement *stated,
                                 cuzk_error *err)
{
    porep_origin_t origin = {.sector_number = stated->sector_number};
    const porep_config_t *config;

    if (porep_config_find(&config, stated->registered_proof, err) != CUZK_OK) return err->status;
    *statement = (porep_statement_t){.config = config};
    if (read_commitment(&statement->comm_r, stated->comm_r, "comm_r", err) != CUZK_OK ||
        read_commitment(&statement->comm_d, stated->comm_d, "comm_d", err) != CUZK_OK)
        return err->status;
    if (config->feature != POREP_NON_INTERACTIVE &&
        commitment_check_nonzero(stated->seed, "seed", err) != CUZK_OK)
        return err->status;
    prover_id_from_miner(origin.prover_id, stated->miner_id);
    memcpy(origin.ticket, stated->ticket, sizeof origin.ticket);
    memcpy(origin.comm_d, stated->comm_d, sizeof origin.comm_d);
    porep_graph_init(&statement->graph, config);
    porep_replica_id(&statement->replica_id, &origin, config);
    fr_to_bytes(statement->randomness.replica_id, &statement->replica_id);
    memcpy(statement->randomness.comm_r, stated->comm_r, 32);
    memcpy(statement->randomness.seed, stated->seed, 32);
    return CUZK_OK;
}

void porep_statement_of(porep_statement_t *statement, const porep_proof_t *proof)
{
    *statement = (porep_statement_t){.config = proof->config,
                                     .replica_id = proof->replica_id,
                                     .comm_d = proof->comm_d,
                                     .comm_r = proof->comm_r};
    porep_graph_init(&statement->graph, proof->config);
    fr_to_bytes(statement->randomness.replica_id, &proof->replica_id);
    fr_to_bytes(statement->randomness.comm_r, &proof->comm_r);
    memcpy(statement->randomness.seed, proof->seed, 32);
}

void porep_public_inputs(fr_t *inputs, const porep_statement_t *statement, uint32_t partition)
{
    uint32_t nodes[POREP_MAX_CHALLENGES], parents[POREP_DEGREE];

    porep_challenges(nodes, statement->config, &statement->randomness, partition);
    *inputs++ = statement->replica_id;
    *inputs++ = statement->comm_d;
    *inputs++ = statement->comm_r;
    for (uint32_t i = 0; i < statement->config->n_challenges; i++) {
        porep_graph_parents(&statement->graph, nodes[i], parents);
        fr_from_u64(inputs++, nodes[i]); /* in tree D */
        for (size_t p = 0; p < POREP_DEGREE; p++) fr_from_u64(inputs++, parents[p]);
        for (size_t use = 0; use < 3; use++) { /* in the labels, tree R, tree C */
            fr_from_u64(inputs++, nodes[i]);
        }
    }
}

cuzk_status porep_check_proofs_length(const porep_statement_t *statement, size_t length,
                                      cuzk_error *err)
{
    const uint32_t n = statement->config->n_partitions;
    const size_t expected = (size_t)n * CUZK_PROOF_BYTES;

    if (length == expected) return CUZK_OK;
    return error_set(err, CUZK_ERR_ARG,
                     "proof: %s%zu bytes, expected %zu (%u proofs of %d bytes)%s",
                     length == 0 ? "is empty: " : "", length, expected, n, CUZK_PROOF_BYTES,
                     statement->config->feature == POREP_NON_INTERACTIVE
                         ? "; an aggregated proof cannot be verified here"
                         : "");
}

/* ---- checks ---- */

/* NULL when the column is in tree C, else what is wrong with it. */
static const char *column_fault(const porep_proof_t *proof, const porep_column_t *column)
{
    fr_t value;

    poseidon_hash(&value, porep_column_hash(proof->shape.n_layers), column->labels);
    if (!fr_equal(&value, &column->leaf)) return "the labels do not hash to the leaf";
    tree_root(&value, &proof->shape.tree_r, &column->leaf, column->node, column->path);
    return fr_equal(&value, &proof->comm_c) ? NULL : "the path does not lead to comm_c";
}

/* A challenge under check, and what stands before it in error texts. */
typedef struct {
    const porep_proof_t *proof;
    const porep_challenge_t *challenge;
    uint32_t partition, index;
} porep_subject_t;

static cuzk_status refuse(const porep_subject_t *subject, const char *text, cuzk_error *err)
{
    return error_set(err, CUZK_ERR_FORMAT, "partition %u, challenge %u: %s", subject->partition,
                     subject->index, text);
}

/* A challenged node that is not the one asked for, with all that asks for it. */
static cuzk_status refuse_node(const porep_subject_t *subject, uint32_t node, cuzk_error *err)
{
    const porep_proof_t *proof = subject->proof;
    const uint32_t found = subject->challenge->node;
    char seed[2 * sizeof proof->seed + 1];

    if (proof->config->feature == POREP_NON_INTERACTIVE)
        return error_set(
            err, CUZK_ERR_FORMAT,
            "partition %u, challenge %u: node %u, replica_id and comm_r ask for node %u "
            "(partitions out of order, or not made by the rules of %s?)",
            subject->partition, subject->index, found, node, proof->config->name);
    bytes_to_hex(seed, proof->seed, sizeof proof->seed);
    return error_set(err, CUZK_ERR_FORMAT,
                     "partition %u, challenge %u: node %u, the seed %s asks for node %u (made for "
                     "another seed, partitions out of order, or not made by the rules of %s?)",
                     subject->partition, subject->index, found, seed, node, proof->config->name);
}

static cuzk_status check_nodes(const porep_subject_t *subject, const porep_graph_t *graph,
                               uint32_t node, cuzk_error *err)
{
    const porep_challenge_t *challenge = subject->challenge;
    uint32_t parents[POREP_DEGREE];

    if (challenge->node != node) {
        return refuse_node(subject, node, err);
    }
    porep_graph_parents(graph, node, parents);
    for (uint32_t i = 0; i < POREP_DEGREE; i++) {
        if (challenge->parents[i].node == parents[i]) continue;
        return error_set(
            err, CUZK_ERR_FORMAT,
            "partition %u, challenge %u: parent %u is node %u, expected %u (made by the rules of "
            "another registered proof than %s, or of another version?)",
            subject->partition, subject->index, i, challenge->parents[i].node, parents[i],
            subject->proof->config->name);
    }
    return CUZK_OK;
}

static cuzk_status check_columns(const porep_subject_t *subject, cuzk_error *err)
{
    const char *fault = column_fault(subject->proof, &subject->challenge->column);

    if (fault != NULL) return refuse(subject, fault, err);
    for (uint32_t i = 0; i < POREP_DEGREE; i++) {
        fault = column_fault(subject->proof, &subject->challenge->parents[i]);
        if (fault == NULL) continue;
        return error_set(err, CUZK_ERR_FORMAT, "partition %u, challenge %u, parent %u: %s",
                         subject->partition, subject->index, i, fault);
    }
    return CUZK_OK;
}

static cuzk_status check_labels(const porep_subject_t *subject, cuzk_error *err)
{
    const porep_challenge_t *challenge = subject->challenge;
    const uint32_t n_layers = subject->proof->shape.n_layers;
    fr_t value, parents[POREP_DEGREE];

    for (uint32_t layer = 1; layer <= n_layers; layer++) {
        for (uint32_t i = 0; i < porep_label_parents(layer); i++)
            parents[i] = challenge->parents[i].labels[porep_label_parent_layer(layer, i) - 1];
        porep_label(&value, &subject->proof->replica_id, layer, challenge->node, parents);
        if (fr_equal(&value, &challenge->column.labels[layer - 1])) continue;
        return error_set(err, CUZK_ERR_FORMAT,
                         "partition %u, challenge %u: the label of layer %u is not the hash of "
                         "its parents",
                         subject->partition, subject->index, layer);
    }
    fr_add(&value, &challenge->data_leaf, &challenge->column.labels[n_layers - 1]);
    if (!fr_equal(&value, &challenge->replica_leaf)) {
        return refuse(subject, "the replica's node is not data + last label", err);
    }
    return CUZK_OK;
}

static cuzk_status check_challenge(const porep_subject_t *subject,
                                   const porep_statement_t *statement, uint32_t node,
                                   cuzk_error *err)
{
    const porep_proof_t *proof = subject->proof;
    const porep_challenge_t *challenge = subject->challenge;
    fr_t root;

    if (check_nodes(subject, &statement->graph, node, err) != CUZK_OK ||
        check_labels(subject, err) != CUZK_OK || check_columns(subject, err) != CUZK_OK) {
        return err->status;
    }
    tree_root(&root, &proof->shape.tree_d, &challenge->data_leaf, node, challenge->data_path);
    if (!fr_equal(&root, &proof->comm_d)) {
        return refuse(subject, "the data's path does not lead to comm_d", err);
    }
    tree_root(&root, &proof->shape.tree_r, &challenge->replica_leaf, node, challenge->replica_path);
    if (!fr_equal(&root, &proof->comm_r_last)) {
        return refuse(subject, "the replica's path does not lead to comm_r_last", err);
    }
    return CUZK_OK;
}

typedef struct {
    const porep_proof_t *proof;
    porep_statement_t statement;
} porep_check_t;

static cuzk_status check_one(const porep_check_t *check, size_t index, cuzk_error *err)
{
    const porep_proof_t *proof = check->proof;
    const uint32_t n_challenges = proof->config->n_challenges;
    const porep_subject_t subject = {.proof = proof,
                                     .challenge = &proof->challenges[index],
                                     .partition = (uint32_t)(index / n_challenges),
                                     .index = (uint32_t)(index % n_challenges)};
    uint32_t nodes[POREP_MAX_CHALLENGES];

    porep_challenges(nodes, proof->config, &check->statement.randomness, subject.partition);
    return check_challenge(&subject, &check->statement, nodes[subject.index], err);
}

static bool is_bad(void *check, size_t index)
{
    cuzk_error unused;

    return check_one(check, index, &unused) != CUZK_OK;
}

cuzk_status porep_check(const porep_proof_t *proof, const uint8_t prover_id[32],
                        uint64_t sector_number, strand_t *strand, cuzk_error *err)
{
    const size_t n = (size_t)proof->config->n_partitions * proof->config->n_challenges;
    const porep_origin_t origin = porep_origin_of(proof, prover_id, sector_number);
    porep_check_t check = {.proof = proof};
    size_t first_bad;
    const fr_t roots[2] = {proof->comm_c, proof->comm_r_last};
    fr_t value;

    if (!porep_has_origin(proof, &origin)) return porep_refuse_origin(proof, &origin, err);
    poseidon_hash(&value, POSEIDON_2, roots);
    if (!fr_equal(&value, &proof->comm_r)) {
        return error_set(err, CUZK_ERR_FORMAT, "comm_r: not the hash of comm_c and comm_r_last");
    }
    porep_statement_of(&check.statement, proof);
    const cuzk_status st = strand_find(&first_bad, strand, n, is_bad, &check, err);
    if (st != CUZK_OK) return st;
    return first_bad < n ? check_one(&check, first_bad, err) : CUZK_OK;
}
