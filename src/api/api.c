/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* The public interface: structures of any version taken in, errors that may be NULL. */

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cuzk/cuzk.h"
#include "engine/engine.h"
#include "engine/request.h"

#define TEXT_OF(number)       #number
#define JOIN_VERSION(a, b, c) TEXT_OF(a) "." TEXT_OF(b) "." TEXT_OF(c)

const char *cuzk_version(void)
{
    return JOIN_VERSION(CUZK_VERSION_MAJOR, CUZK_VERSION_MINOR, CUZK_VERSION_PATCH);
}

uint32_t cuzk_version_number(void)
{
    return CUZK_VERSION_NUMBER;
}

const char *cuzk_status_name(cuzk_status status)
{
    static const char *const names[] = {
        [CUZK_OK] = "ok",
        [CUZK_INVALID_PROOF] = "invalid proof",
        [CUZK_CANCELLED] = "cancelled",
        [CUZK_ERR_ARG] = "argument out of range",
        [CUZK_ERR_FORMAT] = "bytes not in their form",
        [CUZK_ERR_MISSING] = "missing",
        [CUZK_ERR_BUDGET] = "over budget",
        [CUZK_ERR_BUSY] = "busy",
        [CUZK_ERR_DEADLINE] = "deadline passed",
        [CUZK_ERR_MEMORY] = "out of memory",
        [CUZK_ERR_IO] = "input or output failed",
        [CUZK_ERR_INTERNAL] = "internal fault",
    };

    if ((unsigned)status >= sizeof names / sizeof *names) return "unknown status";
    return names[status];
}

const char *cuzk_stage_name(cuzk_stage stage)
{
    return engine_stage_name(stage);
}

cuzk_status cuzk_engine_open(cuzk_engine **engine, const cuzk_engine_options *options,
                             cuzk_error *error)
{
    cuzk_error err;

    return error_give(error, engine_open(engine, options, &err), &err);
}

void cuzk_engine_close(cuzk_engine *engine)
{
    engine_close(engine);
}

void cuzk_engine_stop(cuzk_engine *engine)
{
    engine_stop(engine);
}

cuzk_status cuzk_submit(cuzk_engine *engine, const cuzk_request *request, cuzk_job *job,
                        cuzk_error *error)
{
    cuzk_request own;
    cuzk_error err;

    struct_take(&own, sizeof own, request);
    return error_give(error, engine_submit(job, engine, &own, &err), &err);
}

cuzk_status cuzk_wait(cuzk_engine *engine, cuzk_job job, uint64_t timeout_ms, cuzk_result *result,
                      cuzk_error *error)
{
    cuzk_error err;

    return error_give(error, engine_wait(result, engine, job, timeout_ms, &err), &err);
}

cuzk_status cuzk_poll(cuzk_engine *engine, cuzk_job job, cuzk_progress *progress, cuzk_error *error)
{
    cuzk_progress own;
    cuzk_error err;

    const cuzk_status st = engine_poll(&own, engine, job, &err);
    if (st == CUZK_OK) struct_give(progress, &own, sizeof own);
    return error_give(error, st, &err);
}

cuzk_status cuzk_check_request(cuzk_engine *engine, const cuzk_request *request,
                               uint32_t *n_partitions, cuzk_error *error)
{
    cuzk_request own;
    uint32_t n = 0;
    cuzk_error err;

    struct_take(&own, sizeof own, request);
    const cuzk_status st = engine_check(&n, engine, &own, &err);
    if (st == CUZK_OK && n_partitions != NULL) *n_partitions = n;
    return error_give(error, st, &err);
}

cuzk_status cuzk_cancel(cuzk_engine *engine, cuzk_job job, cuzk_error *error)
{
    cuzk_error err;

    return error_give(error, engine_cancel(engine, job, &err), &err);
}

cuzk_status cuzk_prove(cuzk_engine *engine, const cuzk_request *request, cuzk_result *result,
                       cuzk_error *error)
{
    cuzk_job job;

    const cuzk_status st = cuzk_submit(engine, request, &job, error);
    return st == CUZK_OK ? cuzk_wait(engine, job, CUZK_NO_TIMEOUT, result, error) : st;
}

void cuzk_result_clear(cuzk_result *result)
{
    free(result->proofs);
    result->proofs = NULL;
    result->length = 0;
    if (result->struct_size < RESULT_WITH_BAD_BYTES) return;
    free(result->bad_sectors);
    result->bad_sectors = NULL;
    result->n_bad_sectors = 0;
}

cuzk_status cuzk_estimate_request(cuzk_engine *engine, const cuzk_request *request,
                                  cuzk_estimate *estimate, cuzk_error *error)
{
    cuzk_estimate own;
    cuzk_request taken;
    cuzk_error err;

    struct_take(&taken, sizeof taken, request);
    const cuzk_status st = engine_estimate(&own, engine, &taken, &err);
    if (st == CUZK_OK) struct_give(estimate, &own, sizeof own);
    return error_give(error, st, &err);
}

cuzk_status cuzk_request_write(const cuzk_request *request, uint8_t **bytes, size_t *length,
                               cuzk_error *error)
{
    const circuit_row_t *row;
    const proof_kind_t *kind;
    cuzk_request own;
    cuzk_error err;

    struct_take(&own, sizeof own, request);
    cuzk_status st = request_check(&kind, &row, &own, &err);
    if (st == CUZK_OK) st = request_to_bytes(bytes, length, &own, &err);
    return error_give(error, st, &err);
}

cuzk_status cuzk_request_read(cuzk_request *request, const uint8_t *bytes, size_t length,
                              cuzk_error *error)
{
    cuzk_request own;
    cuzk_error err;

    const cuzk_status st = request_from_bytes(&own, bytes, length, &err);
    if (st == CUZK_OK) struct_give(request, &own, sizeof own);
    return error_give(error, st, &err);
}

void cuzk_request_clear(cuzk_request *request)
{
    free((void *)(uintptr_t)request->inputs);
    request->inputs = NULL;
    request->n_inputs = 0;
}

void cuzk_bytes_free(void *bytes)
{
    free(bytes);
}

cuzk_status cuzk_verify(cuzk_engine *engine, const cuzk_statement *statement, const uint8_t *proofs,
                        size_t length, cuzk_error *error)
{
    cuzk_statement own;
    cuzk_error err;

    struct_take(&own, sizeof own, statement);
    return error_give(error, engine_verify(engine, &own, proofs, length, &err), &err);
}

cuzk_status cuzk_verify_request(cuzk_engine *engine, const cuzk_request *request,
                                const uint8_t *proofs, size_t length, cuzk_error *error)
{
    cuzk_request own;
    cuzk_error err;

    struct_take(&own, sizeof own, request);
    return error_give(error, engine_verify_request(engine, &own, proofs, length, &err), &err);
}
