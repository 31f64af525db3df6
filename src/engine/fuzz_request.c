/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* Any bytes, with a right checksum, as a request: refused, or written back to the same bytes,
 * checked and copied. */

#include <stdlib.h>
#include <string.h>

#include "base/fuzz_support.h"
#include "engine/request.h"
#include "hash/sha256.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The structure as callers of other versions have it, of any size. */
static void copy_structure(const cuzk_request *request)
{
    cuzk_request taken, given;

    for (size_t n = sizeof n; n <= sizeof taken; n++) {
        cuzk_request old = *request;

        old.struct_size = n;
        struct_take(&taken, sizeof taken, &old);
        given = (cuzk_request){.struct_size = n};
        struct_give(&given, &taken, sizeof taken);
        if (taken.struct_size != sizeof taken || memcmp(&given, &old, n) != 0) abort();
    }
}

static void count_call(void *calls)
{
    ++*(unsigned *)calls;
}

/* A request whose inputs stay where they are. */
static void hand_over(const cuzk_request *request)
{
    cuzk_request lent = *request;
    request_copy_t copy;
    unsigned calls = 0;
    cuzk_error err;

    lent.release = count_call;
    lent.release_arg = &calls;
    if (request_copy(&copy, &lent, &err) != CUZK_OK) return;
    for (size_t i = 0; i < request->n_inputs; i++)
        if (copy.request.inputs[i].bytes != request->inputs[i].bytes) abort();
    request_clear(&copy);
    if (calls != 0 || request_copy(&copy, &lent, &err) != CUZK_OK) abort();
    copy.is_owner = true;
    request_clear(&copy);
    request_clear(&copy);
    if (calls != 1) abort();
}

static fuzz_verdict use(const cuzk_request *request)
{
    const proof_kind_t *kind;
    const circuit_row_t *row;
    request_copy_t copy;
    cuzk_error err;

    copy_structure(request);
    if (request_check(&kind, &row, request, &err) != CUZK_OK) return FUZZ_READ;
    cuzk_request urgent = *request;
    urgent.priority = CUZK_PRIORITY_CRITICAL + 1;
    if (request_check(&kind, &row, &urgent, &err) != CUZK_ERR_ARG) abort();
    (void)request_priority(request, kind);
    cuzk_request skipping = *request;
    skipping.skip_bad = true;
    if ((request_check(&kind, &row, &skipping, &err) == CUZK_OK) !=
        (request->kind == CUZK_WINDOW_POST))
        abort();
    cuzk_request named = *request;
    named.input_name = "fuzz";
    if (request_copy(&copy, &named, &err) != CUZK_OK) return FUZZ_READ;
    if (strcmp(copy.request.input_name, "fuzz") != 0) abort();
    hand_over(request);
    request_leave_out(&copy, &(cuzk_bad_sector){.input = 0}, 1);
    if (copy.request.n_inputs != request->n_inputs - 1) abort();
    request_clear(&copy);
    return FUZZ_RIGHT;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *bytes = malloc(size + SHA256_BYTES);
    fuzz_verdict verdict = FUZZ_REFUSED;
    cuzk_request request;
    uint8_t *again;
    size_t length;
    cuzk_error err;

    if (bytes == NULL) return 0;
    if (size > 0) memcpy(bytes, data, size);
    if (request_from_bytes(&request, bytes, size, &err) == CUZK_OK)
        free((void *)(uintptr_t)request.inputs);
    sha256(bytes + size, bytes, size);
    if (request_from_bytes(&request, bytes, size + SHA256_BYTES, &err) == CUZK_OK) {
        if (request_to_bytes(&again, &length, &request, &err) != CUZK_OK) abort();
        if (length != size + SHA256_BYTES || memcmp(again, bytes, length) != 0) abort();
        free(again);
        verdict = use(&request);
        free((void *)(uintptr_t)request.inputs);
    }
    free(bytes);
    fuzz_judge(verdict);
    return 0;
}
