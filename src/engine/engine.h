/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_ENGINE_ENGINE_H
#define CUZK_ENGINE_ENGINE_H

/* The engine behind the public interface: these functions are those of cuzk/cuzk.h and cuzk/watch.h
 * of like names, with whole structures of this version and errors that are never NULL. */

#include <stddef.h>

#include "base/executor.h"
#include "cuzk/watch.h"
#include "registry/kind.h"

/** The struct_size of results that have bad_sectors. */
enum { RESULT_WITH_BAD_BYTES = offsetof(cuzk_result, n_bad_sectors) + sizeof(size_t) };

/** options is the caller's, of any struct_size, or NULL. */
cuzk_status engine_open(cuzk_engine **engine, const cuzk_engine_options *options, cuzk_error *err);
void engine_close(cuzk_engine *engine);
void engine_stop(cuzk_engine *engine);

cuzk_status engine_submit(cuzk_job *job, cuzk_engine *engine, const cuzk_request *request,
                          cuzk_error *err);

/** result is the caller's, of any struct_size. */
cuzk_status engine_wait(cuzk_result *result, cuzk_engine *engine, cuzk_job job, uint64_t timeout_ms,
                        cuzk_error *err);
cuzk_status engine_poll(cuzk_progress *progress, cuzk_engine *engine, cuzk_job job,
                        cuzk_error *err);
cuzk_status engine_cancel(cuzk_engine *engine, cuzk_job job, cuzk_error *err);
cuzk_status engine_poll_partitions(cuzk_partition *partitions, size_t room, size_t *n,
                                   cuzk_engine *engine, cuzk_job job, cuzk_error *err);

/** Returns how many there are; list has room for so many. */
size_t engine_params_list(cuzk_open_params *list, size_t room, cuzk_engine *engine);
cuzk_status engine_memory_take(cuzk_engine *engine, uint64_t bytes, cuzk_error *err);
void engine_memory_give(cuzk_engine *engine, uint64_t bytes);
void engine_stats(cuzk_stats *stats, cuzk_engine *engine);

/** CUZK_ERR_BUDGET when a partition of the request's circuit can never fit. Makes the circuit's
 * plan, but touches no file. */
cuzk_status engine_look_ahead(cuzk_engine *engine, const proof_kind_t *kind,
                              const circuit_row_t *row, const cuzk_request *request,
                              cuzk_error *err);
cuzk_status engine_estimate(cuzk_estimate *estimate, cuzk_engine *engine,
                            const cuzk_request *request, cuzk_error *err);
cuzk_status engine_check(uint32_t *n_partitions, cuzk_engine *engine, const cuzk_request *request,
                         cuzk_error *err);
cuzk_status engine_verify(cuzk_engine *engine, const cuzk_statement *statement,
                          const uint8_t *proofs, size_t length, cuzk_error *err);
cuzk_status engine_verify_request(cuzk_engine *engine, const cuzk_request *request,
                                  const uint8_t *proofs, size_t length, cuzk_error *err);
cuzk_status engine_preload(bool *already_loaded, cuzk_engine *engine, const circuit_row_t *row,
                           cuzk_error *err);
cuzk_status engine_evict(uint64_t *freed_bytes, cuzk_engine *engine, const circuit_row_t *row,
                         cuzk_error *err);

/** As cuzk_stage_name(). */
const char *engine_stage_name(cuzk_stage stage);

/** The executor, for work beside the jobs. */
executor_t *engine_executor(cuzk_engine *engine);

/** The token of that work: set by engine_stop(). */
const cancel_t *engine_stopped(const cuzk_engine *engine);

#endif
