/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* WinningPoSt and WindowPoSt. */

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "post/bad_sectors.h"
#include "post/post_input.h"
#include "registry/kinds.h"

static input_limits_t post_limits(post_kind kind, uint64_t sector_bytes, uint64_t n)
{
    post_form_t form;

    post_form_init(&form, kind, sector_bytes);
    return input_limits_of_list(n, post_vanilla_bytes(&form));
}

static input_limits_t winning_limits(uint64_t sector_bytes)
{
    return post_limits(POST_WINNING, sector_bytes, 1);
}

static input_limits_t window_limits(uint64_t sector_bytes)
{
    const uint64_t slots = post_circuit_shape(POST_WINDOW, sector_bytes).n_sectors;
    const uint64_t n = slots * POST_MAX_PARTITIONS;

    return post_limits(POST_WINDOW, sector_bytes, n < POST_MAX_PROVED ? n : POST_MAX_PROVED);
}

/* Without its sectors, which stand in the inputs. */
static cuzk_post_statement statement_of(const cuzk_request *request)
{
    cuzk_post_statement statement = {.registered_proof = request->registered_proof,
                                     .miner_id = request->miner_id};

    memcpy(statement.randomness, request->randomness, sizeof statement.randomness);
    return statement;
}

static cuzk_status post_open(void **input, const cuzk_request *request, strand_t *strand,
                             cuzk_error *err)
{
    const cuzk_post_statement statement = statement_of(request);
    post_input_t *post = mem_alloc(1, sizeof *post, "vanilla", err);

    (void)strand;
    *input = post;
    if (post == NULL) return err->status;
    const cuzk_status st =
        post_input_open(post, &statement, request->inputs, request->n_inputs, err);
    if (st == CUZK_OK) return CUZK_OK;
    free(post);
    *input = NULL;
    return st == CUZK_ERR_FORMAT ? input_error(request, err) : st;
}

static cuzk_status post_check_content(const void *input, const cuzk_request *request,
                                      strand_t *strand, cuzk_error *err)
{
    if (post_input_check(input, strand, err) == CUZK_OK) return CUZK_OK;
    return input_error(request, err);
}

static cuzk_status post_check_fields(const cuzk_request *request, cuzk_error *err)
{
    return post_check_randomness(request->randomness, "randomness", err);
}

static cuzk_status post_find_bad_of(cuzk_bad_sector **bad, size_t *n_bad,
                                    const cuzk_request *request, strand_t *strand, cuzk_error *err)
{
    const cuzk_post_statement statement = statement_of(request);

    return post_find_bad(bad, n_bad, &statement, request->inputs, request->n_inputs, strand, err);
}

static void post_close(void *input)
{
    post_input_close(input);
    free(input);
}

static const circuit_row_t *row_of(const post_statement_t *statement)
{
    return circuit_row_by_bytes(statement->config.kind == POST_WINNING ? KIND_WINNING : KIND_WINDOW,
                                statement->config.sector_bytes);
}

static input_facts_t post_facts(const void *input)
{
    const post_statement_t *statement = &((const post_input_t *)input)->statement;

    return (input_facts_t){.row = row_of(statement),
                           .n_partitions = statement->n_partitions,
                           .n_public_inputs = post_public_input_count(statement)};
}

static void post_inputs(fr_t *inputs, const void *input, uint32_t partition)
{
    post_public_inputs(inputs, &((const post_input_t *)input)->statement, partition);
}

static void post_values(void *values, const void *input, uint32_t partition)
{
    *(post_circuit_t *)values = post_input_circuit(input, partition);
}

static void winning_shape(void *values, uint64_t sector_bytes)
{
    *(post_circuit_t *)values = post_circuit_shape(POST_WINNING, sector_bytes);
}

static void window_shape(void *values, uint64_t sector_bytes)
{
    *(post_circuit_t *)values = post_circuit_shape(POST_WINDOW, sector_bytes);
}

static cuzk_status check_length(const post_statement_t *statement, size_t length, cuzk_error *err)
{
    const size_t expected = (size_t)statement->n_partitions * CUZK_PROOF_BYTES;

    if (length == expected) return CUZK_OK;
    return error_set(err, CUZK_ERR_ARG,
                     "proof: %s%zu bytes, expected %zu (%u proofs of %d bytes for sectors: "
                     "%zu)",
                     length == 0 ? "is empty: " : "", length, expected, statement->n_partitions,
                     CUZK_PROOF_BYTES, statement->n_sectors);
}

static cuzk_status post_state(stated_inputs_t *stated, const cuzk_statement *statement,
                              size_t length, cuzk_error *err)
{
    const proof_kind_t *kind;
    const circuit_row_t *row;
    post_statement_t checked;

    cuzk_status st = proof_kind_find(&kind, statement->kind, err);
    if (st == CUZK_OK) st = proof_kind_row(&row, kind, statement->of.post.registered_proof, err);
    if (st == CUZK_OK) st = post_statement_init(&checked, &statement->of.post, err);
    if (st != CUZK_OK) return st;
    const uint32_t n = post_public_input_count(&checked);
    st = check_length(&checked, length, err);
    if (st == CUZK_OK) st = stated_inputs_init(stated, row, checked.n_partitions, n, err);
    for (uint32_t k = 0; k < stated->n_partitions; k++)
        post_public_inputs(stated->inputs + (size_t)k * n, &checked, k);
    post_statement_clear(&checked);
    return st;
}

#define POST_KIND(id, public_number, usual_priority, limits_of, shape_only)                        \
    {                                                                                              \
        .kind = id, .number = public_number, .priority = usual_priority, .circuit = post_circuit,  \
        .values_bytes = sizeof(post_circuit_t), .limits = limits_of, .open = post_open,            \
        .check = post_check_content, .check_fields = post_check_fields,                            \
        .find_bad = post_find_bad_of, .close = post_close, .facts = post_facts,                    \
        .public_inputs = post_inputs, .values = post_values, .shape = shape_only,                  \
        .state = post_state                                                                        \
    }

const proof_kind_t proof_kind_winning = POST_KIND(
    KIND_WINNING, CUZK_WINNING_POST, CUZK_PRIORITY_CRITICAL, winning_limits, winning_shape);
const proof_kind_t proof_kind_window =
    POST_KIND(KIND_WINDOW, CUZK_WINDOW_POST, CUZK_PRIORITY_HIGH, window_limits, window_shape);
