/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "engine/request.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "codec/json.h"
#include "hash/sha256.h"

void struct_take(void *to, size_t to_size, const void *from)
{
    size_t size;

    memcpy(&size, from, sizeof size);
    memset(to, 0, to_size);
    memcpy(to, from, size < to_size ? size : to_size);
    memcpy(to, &to_size, sizeof to_size);
}

void struct_give(void *to, const void *from, size_t from_size)
{
    size_t size;

    memcpy(&size, to, sizeof size);
    memcpy((uint8_t *)to + sizeof size, (const uint8_t *)from + sizeof size,
           (size < from_size ? size : from_size) - sizeof size);
}

/* ---- checks -----------------------------------------------------------------------------------
 */

static cuzk_status refuse_length(uint64_t limit, const proof_kind_t *kind, cuzk_error *err)
{
    char size[TEXT_SIZE_ROOM];

    return error_set(err, CUZK_ERR_ARG, "inputs: more than %s, the longest for %s",
                     text_size(size, limit), circuit_kind_name(kind->kind));
}

static cuzk_status check_inputs(const cuzk_request *request, const proof_kind_t *kind,
                                cuzk_error *err)
{
    const uint64_t limit = proof_kind_limits(kind).bytes;
    uint64_t total = 0;

    if (request->n_inputs == 0 || request->inputs == NULL)
        return error_set(err, CUZK_ERR_ARG, "inputs: none, expected at least 1");
    if (request->n_inputs > INPUTS_MAX)
        return error_set(err, CUZK_ERR_ARG, "inputs: %zu, at most %d", request->n_inputs,
                         INPUTS_MAX);
    if (request->kind == CUZK_POREP && request->n_inputs != 1)
        return error_set(err, CUZK_ERR_ARG, "inputs: %zu, a PoRep takes 1 (commit-phase-1 output)",
                         request->n_inputs);
    for (size_t i = 0; i < request->n_inputs; i++) {
        if (request->inputs[i].length == 0 || request->inputs[i].bytes == NULL)
            return error_set(err, CUZK_ERR_ARG, "input %zu: empty", i);
        if (request->inputs[i].length > limit - total) return refuse_length(limit, kind, err);
        total += request->inputs[i].length;
    }
    return CUZK_OK;
}

cuzk_status request_check(const proof_kind_t **kind, const circuit_row_t **row,
                          const cuzk_request *request, cuzk_error *err)
{
    cuzk_status st = proof_kind_find(kind, request->kind, err);

    if (st == CUZK_OK) st = proof_kind_row(row, *kind, request->registered_proof, err);
    if (st != CUZK_OK) return st;
    if ((unsigned)request->priority > CUZK_PRIORITY_CRITICAL)
        return error_set(err, CUZK_ERR_ARG, "priority: %d, expected 0 to %d",
                         (int)request->priority, CUZK_PRIORITY_CRITICAL);
    if (request->skip_bad && request->kind != CUZK_WINDOW_POST)
        return error_set(err, CUZK_ERR_ARG, "skip_bad: is for window alone, not for %s",
                         circuit_kind_name((*kind)->kind));
    if ((*kind)->check_fields != NULL && (*kind)->check_fields(request, err) != CUZK_OK)
        return err->status;
    return check_inputs(request, *kind, err);
}

int32_t request_priority(const cuzk_request *request, const proof_kind_t *kind)
{
    return (int32_t)(request->priority == CUZK_PRIORITY_DEFAULT ? kind->priority
                                                                : request->priority);
}

/* ---- copies -----------------------------------------------------------------------------------
 */

_Static_assert((int)JSON_PADDING <= (int)CUZK_INPUT_SPARE, "what callers leave is enough");

/* With the room that each has after it. */
static uint64_t bytes_of_inputs(const cuzk_request *request)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < request->n_inputs; i++)
        bytes += request->inputs[i].length + JSON_PADDING;
    return bytes;
}

/* Moves an input to `at`, which is zero all over; returns where the next one goes. */
static uint8_t *take_input(cuzk_bytes *input, uint8_t *at)
{
    memcpy(at, input->bytes, input->length);
    input->bytes = at;
    return at + input->length + JSON_PADDING;
}

static size_t name_bytes(const cuzk_request *request)
{
    return request->input_name != NULL ? strlen(request->input_name) + 1 : 0;
}

cuzk_status request_copy(request_copy_t *copy, const cuzk_request *request, cuzk_error *err)
{
    const bool is_borrowed = request->release != NULL;
    const uint64_t input_bytes = bytes_of_inputs(request);
    uint64_t bytes = request->n_inputs * sizeof *request->inputs + name_bytes(request);

    if (!is_borrowed) bytes += input_bytes;
    *copy = (request_copy_t){.request = *request,
                             .memory = mem_alloc(bytes, 1, "input", err),
                             .bytes = is_borrowed ? bytes + input_bytes : bytes};
    if (copy->memory == NULL) return err->status;
    cuzk_bytes *inputs = copy->memory;
    uint8_t *at = (uint8_t *)(inputs + request->n_inputs);
    for (size_t i = 0; i < request->n_inputs; i++) {
        inputs[i] = request->inputs[i];
        if (!is_borrowed) at = take_input(&inputs[i], at);
    }
    copy->request.inputs = inputs;
    if (request->input_name != NULL) {
        memcpy(at, request->input_name, name_bytes(request));
        copy->request.input_name = (const char *)at;
    }
    return CUZK_OK;
}

void request_leave_out(request_copy_t *copy, const cuzk_bad_sector *bad, size_t n_bad)
{
    cuzk_bytes *inputs = copy->memory;
    size_t n = 0, k = 0;

    for (size_t i = 0; i < copy->request.n_inputs; i++)
        if (k < n_bad && bad[k].input == i)
            k++;
        else
            inputs[n++] = inputs[i];
    copy->request.n_inputs = n;
}

void request_clear(request_copy_t *copy)
{
    if (copy->is_owner && copy->request.release != NULL)
        copy->request.release(copy->request.release_arg);
    free(copy->memory);
    *copy = (request_copy_t){0};
}

/* ---- bytes ------------------------------------------------------------------------------------
 */

static const char magic[8] = {'C', 'U', 'Z', 'K', 'U', 'N', 'I', 'T'};

enum { FORM_VERSION = 1, HEAD_BYTES = 8 + 4 * 4 + 2 * 8 + 4 * 32 + 8 };

static void write_head(uint8_t *at, const cuzk_request *r)
{
    memcpy(at, magic, sizeof magic);
    store_le32(at + 8, FORM_VERSION);
    store_le32(at + 12, (uint32_t)r->kind);
    store_le32(at + 16, r->registered_proof);
    store_le32(at + 20, r->partition);
    store_le64(at + 24, r->miner_id);
    store_le64(at + 32, r->sector_number);
    memcpy(at + 40, r->randomness, 32);
    memcpy(at + 72, r->comm_r_old, 32);
    memcpy(at + 104, r->comm_r_new, 32);
    memcpy(at + 136, r->comm_d_new, 32);
    store_le64(at + 168, r->n_inputs);
}

static void read_head(cuzk_request *r, const uint8_t *at)
{
    *r = (cuzk_request){.struct_size = sizeof *r,
                        .kind = (cuzk_kind)load_le32(at + 12),
                        .registered_proof = load_le32(at + 16),
                        .partition = load_le32(at + 20),
                        .miner_id = load_le64(at + 24),
                        .sector_number = load_le64(at + 32)};
    memcpy(r->randomness, at + 40, 32);
    memcpy(r->comm_r_old, at + 72, 32);
    memcpy(r->comm_r_new, at + 104, 32);
    memcpy(r->comm_d_new, at + 136, 32);
    r->n_inputs = load_le64(at + 168);
}

cuzk_status request_to_bytes(uint8_t **bytes, size_t *length, const cuzk_request *request,
                             cuzk_error *err)
{
    size_t n = HEAD_BYTES + 8 * request->n_inputs;

    for (size_t i = 0; i < request->n_inputs; i++) n += request->inputs[i].length;
    *length = n + SHA256_BYTES;
    *bytes = mem_alloc(*length, 1, "request", err);
    if (*bytes == NULL) return err->status;
    uint8_t *at = *bytes + HEAD_BYTES;
    write_head(*bytes, request);
    for (size_t i = 0; i < request->n_inputs; i++, at += 8)
        store_le64(at, request->inputs[i].length);
    for (size_t i = 0; i < request->n_inputs; i++) {
        memcpy(at, request->inputs[i].bytes, request->inputs[i].length);
        at += request->inputs[i].length;
    }
    sha256(at, *bytes, n);
    return CUZK_OK;
}

static cuzk_status read_inputs(cuzk_request *r, const uint8_t *at, size_t left, cuzk_error *err)
{
    if (r->n_inputs > left / 8)
        return error_set(err, CUZK_ERR_FORMAT, "request: %llu inputs in %zu bytes",
                         (unsigned long long)r->n_inputs, left);
    cuzk_bytes *inputs = mem_alloc(r->n_inputs, sizeof *inputs, "request", err);
    if (inputs == NULL) return err->status;
    const uint8_t *bytes = at + 8 * r->n_inputs;
    left -= 8 * r->n_inputs;
    for (size_t i = 0; i < r->n_inputs; i++, at += 8) {
        const uint64_t length = load_le64(at);

        if (length > left) {
            free(inputs);
            return error_set(err, CUZK_ERR_FORMAT, "request: input %zu: %llu bytes, %zu are left",
                             i, (unsigned long long)length, left);
        }
        inputs[i] = (cuzk_bytes){bytes, length};
        bytes += length;
        left -= length;
    }
    r->inputs = inputs;
    if (left == 0) return CUZK_OK;
    free(inputs);
    return error_set(err, CUZK_ERR_FORMAT, "request: %zu bytes after its inputs", left);
}

cuzk_status request_from_bytes(cuzk_request *request, const uint8_t *bytes, size_t length,
                               cuzk_error *err)
{
    uint8_t digest[SHA256_BYTES];

    if (length < HEAD_BYTES + SHA256_BYTES || memcmp(bytes, magic, sizeof magic) != 0)
        return error_set(err, CUZK_ERR_FORMAT, "request: not one (no CUZKUNIT at its start)");
    if (load_le32(bytes + 8) != FORM_VERSION)
        return error_set(err, CUZK_ERR_FORMAT, "request: version %u, expected %d",
                         load_le32(bytes + 8), FORM_VERSION);
    length -= SHA256_BYTES;
    sha256(digest, bytes, length);
    if (memcmp(digest, bytes + length, sizeof digest) != 0)
        return error_set(err, CUZK_ERR_FORMAT, "request: its checksum does not match");
    read_head(request, bytes);
    return read_inputs(request, bytes + HEAD_BYTES, length - HEAD_BYTES, err);
}
