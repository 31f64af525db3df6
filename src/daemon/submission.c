/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "daemon/submission.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "cuzk/text.h"

enum { LAST_V1_WINDOW = 9, MOST_INPUTS = 1 << 20 };

/* ---- fields ------------------------------------------------------------------------------------
 */

static cuzk_status take_kind(cuzk_request *request, const Cuzk__V1__SubmitProofRequest *m,
                             cuzk_error *err)
{
    switch (m->proof_kind) {
    case CUZK__V1__PROOF_KIND__POREP_SEAL_COMMIT:
        request->kind = CUZK_POREP;
        return CUZK_OK;
    case CUZK__V1__PROOF_KIND__SNAP_DEALS_UPDATE:
        request->kind = CUZK_UPDATE;
        return CUZK_OK;
    case CUZK__V1__PROOF_KIND__WINDOW_POST_PARTITION:
        request->kind = CUZK_WINDOW_POST;
        return CUZK_OK;
    case CUZK__V1__PROOF_KIND__WINNING_POST:
        request->kind = CUZK_WINNING_POST;
        return CUZK_OK;
    default:
        return error_set(err, CUZK_ERR_ARG,
                         "proof_kind: %d, expected 1 (POREP_SEAL_COMMIT), 2 (SNAP_DEALS_UPDATE), "
                         "3 (WINDOW_POST_PARTITION) or 4 (WINNING_POST)",
                         (int)m->proof_kind);
    }
}

static cuzk_status take_proof(cuzk_request *request, const Cuzk__V1__SubmitProofRequest *m,
                              cuzk_error *err)
{
    cuzk_proof_info info = {.struct_size = sizeof info};

    if (m->registered_proof > UINT16_MAX)
        return error_set(err, CUZK_ERR_ARG, "registered_proof: %llu, expected %s for %s",
                         (unsigned long long)m->registered_proof, cuzk_proof_range(request->kind),
                         cuzk_kind_name(request->kind));
    request->registered_proof = (uint32_t)m->registered_proof;
    const cuzk_status st =
        cuzk_proof_by_number(request->kind, request->registered_proof, &info, err);
    if (st != CUZK_OK) return st;
    if (m->sector_size == 0 || m->sector_size == info.sector_bytes) return CUZK_OK;
    return error_set(err, CUZK_ERR_ARG,
                     "sector_size: %llu, but registered_proof %u is %s: %s, %llu",
                     (unsigned long long)m->sector_size, request->registered_proof, info.name,
                     info.sector_size, (unsigned long long)info.sector_bytes);
}

static cuzk_status take_priority(cuzk_request *request, const Cuzk__V1__SubmitProofRequest *m,
                                 cuzk_error *err)
{
    if ((int)m->priority < 0 || (int)m->priority > CUZK_PRIORITY_CRITICAL)
        return error_set(err, CUZK_ERR_ARG, "priority: %d, expected 0 (by kind) to %d (CRITICAL)",
                         (int)m->priority, CUZK_PRIORITY_CRITICAL);
    request->priority = (cuzk_priority)m->priority;
    return CUZK_OK;
}

static cuzk_status take_bytes32(uint8_t out[32], const ProtobufCBinaryData *field, const char *name,
                                const char *hint, cuzk_error *err)
{
    if (field->len != 32)
        return error_set(err, CUZK_ERR_ARG, "%s: %zu bytes, expected 32%s", name, field->len, hint);
    memcpy(out, field->data, 32);
    return CUZK_OK;
}

static cuzk_status take_commitments(cuzk_request *request, const Cuzk__V1__SubmitProofRequest *m,
                                    cuzk_error *err)
{
    const struct {
        uint8_t *out;
        const ProtobufCBinaryData *field;
        const char *name;
    } fields[] = {{request->comm_r_old, &m->comm_r_old, "comm_r_old"},
                  {request->comm_r_new, &m->comm_r_new, "comm_r_new"},
                  {request->comm_d_new, &m->comm_d_new, "comm_d_new"}};

    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (take_bytes32(fields[i].out, fields[i].field, fields[i].name,
                         " (the digest alone, without the CID's prefix)", err) != CUZK_OK)
            return err->status;
    return CUZK_OK;
}

static cuzk_status take_post(cuzk_request *request, const Cuzk__V1__SubmitProofRequest *m,
                             cuzk_error *err)
{
    cuzk_status st = take_bytes32(request->randomness, &m->randomness, "randomness", "", err);

    if (st == CUZK_OK) st = cuzk_randomness_check(request->randomness, "randomness", err);
    if (st != CUZK_OK || request->kind != CUZK_WINDOW_POST || m->partition_index == 0) return st;
    if (request->registered_proof > LAST_V1_WINDOW)
        return CUZK_OK; /* it has no bearing on proofs */
    return error_set(
        err, CUZK_ERR_ARG,
        "partition_index: %u, but the challenges of registered_proof %u (V1) depend on "
        "it: 0 alone is proved",
        m->partition_index, request->registered_proof);
}

/* ---- vanilla proofs ----------------------------------------------------------------------------
 */

const char *submission_input_name(cuzk_kind kind)
{
    return kind == CUZK_POREP ? "vanilla_proof" : "vanilla_proofs";
}

static cuzk_status take_list(cuzk_request *request, cuzk_bytes **list,
                             const ProtobufCBinaryData *fields, size_t n, cuzk_error *err)
{
    if (n > MOST_INPUTS)
        return error_set(err, CUZK_ERR_ARG, "vanilla_proofs: %zu, at most %d", n, MOST_INPUTS);
    *list = mem_alloc(n, sizeof **list, "vanilla_proofs", err);
    if (*list == NULL) return err->status;
    for (size_t i = 0; i < n; i++) {
        if (fields[i].len == 0)
            return error_set(err, CUZK_ERR_ARG, "vanilla_proofs[%zu]: empty", i);
        (*list)[i] = (cuzk_bytes){fields[i].data, fields[i].len};
    }
    request->input_name = submission_input_name(request->kind);
    request->inputs = *list;
    request->n_inputs = n;
    return CUZK_OK;
}

/* A PoRep has one input, in vanilla_proof. All others have a list, or one alone in vanilla_proof.
 */
static cuzk_status take_vanilla(cuzk_request *request, cuzk_bytes **list,
                                const Cuzk__V1__SubmitProofRequest *m, cuzk_error *err)
{
    const bool has_one = m->vanilla_proof.len > 0, has_list = m->n_vanilla_proofs > 0;

    if (has_one && has_list)
        return error_set(err, CUZK_ERR_ARG,
                         "vanilla_proofs: %zu, but vanilla_proof is given, too (%zu bytes)",
                         m->n_vanilla_proofs, m->vanilla_proof.len);
    if (request->kind == CUZK_POREP && has_list)
        return error_set(err, CUZK_ERR_ARG,
                         "vanilla_proofs: %zu, but a PoRep's input is vanilla_proof (the output of "
                         "commit phase 1)",
                         m->n_vanilla_proofs);
    if (!has_one && !has_list)
        return error_set(err, CUZK_ERR_ARG, "%s: empty", submission_input_name(request->kind));
    return has_one ? take_list(request, list, &m->vanilla_proof, 1, err)
                   : take_list(request, list, m->vanilla_proofs, m->n_vanilla_proofs, err);
}

/* ---- the whole ---------------------------------------------------------------------------------
 */

static cuzk_status check_request_id(const char *id, cuzk_error *err)
{
    const size_t n = strlen(id);

    if (n >= STORE_REQUEST_ID_BYTES)
        return error_set(err, CUZK_ERR_ARG, "request_id: %zu bytes, at most %d", n,
                         STORE_REQUEST_ID_BYTES - 1);
    for (size_t i = 0; i < n;) {
        const size_t length = text_utf8_length((const uint8_t *)id + i, n - i);

        if (length == 0)
            return error_set(err, CUZK_ERR_ARG, "request_id: byte %zu is not UTF-8", i);
        i += length;
    }
    return CUZK_OK;
}

cuzk_status submission_request(cuzk_request *request, cuzk_bytes **list,
                               const Cuzk__V1__SubmitProofRequest *message, cuzk_error *err)
{
    *list = NULL;
    *request = (cuzk_request){.struct_size = sizeof *request,
                              .miner_id = message->miner_id,
                              .sector_number = message->sector_number,
                              .partition = CUZK_ALL_PARTITIONS};
    cuzk_status st = check_request_id(message->request_id, err);
    if (st == CUZK_OK) st = take_kind(request, message, err);
    if (st == CUZK_OK) st = take_proof(request, message, err);
    if (st == CUZK_OK) st = take_priority(request, message, err);
    if (st == CUZK_OK && request->kind == CUZK_UPDATE) st = take_commitments(request, message, err);
    if (st == CUZK_OK && (request->kind == CUZK_WINDOW_POST || request->kind == CUZK_WINNING_POST))
        st = take_post(request, message, err);
    if (st == CUZK_OK) st = take_vanilla(request, list, message, err);
    return st;
}

void submission_result(Cuzk__V1__AwaitProofResponse *message, const queue_result_t *result)
{
    static const Cuzk__V1__AwaitProofResponse__Status statuses[] = {
        [OUTCOME_COMPLETED] = CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__COMPLETED,
        [OUTCOME_FAILED] = CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__FAILED,
        [OUTCOME_REFUSED] = CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__FAILED,
        [OUTCOME_CANCELLED] = CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__CANCELLED,
        [OUTCOME_TIMED_OUT] = CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__TIMEOUT,
        [OUTCOME_STILL_RUNNING] = CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__TIMEOUT,
        [OUTCOME_STOPPING] = CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__UNKNOWN,
    };

    cuzk__v1__await_proof_response__init(message);
    message->job_id = (char *)(uintptr_t)result->id;
    message->status = statuses[result->outcome];
    message->proof.data = (uint8_t *)(uintptr_t)result->proof;
    message->proof.len = result->proof_length;
    message->error_message = (char *)(uintptr_t)result->error;
    message->queue_wait_ms = result->times_ms.queue;
    message->srs_load_ms = result->times_ms.load;
    message->synthesis_ms = result->times_ms.synthesis;
    message->gpu_compute_ms = result->times_ms.proving;
    message->total_ms = result->times_ms.total;
}
