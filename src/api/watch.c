/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* The public interface of cuzk/watch.h. */

#include "cuzk/watch.h"

#include "base/error.h"
#include "engine/engine.h"
#include "engine/request.h"

cuzk_status cuzk_engine_stats(cuzk_engine *engine, cuzk_stats *stats, cuzk_error *error)
{
    cuzk_stats own;

    (void)error;
    engine_stats(&own, engine);
    struct_give(stats, &own, sizeof own);
    return CUZK_OK;
}

cuzk_status cuzk_poll_partitions(cuzk_engine *engine, cuzk_job job, cuzk_partition *partitions,
                                 size_t room, size_t *n, cuzk_error *error)
{
    cuzk_error err;

    return error_give(error, engine_poll_partitions(partitions, room, n, engine, job, &err), &err);
}

cuzk_status cuzk_params_list(cuzk_engine *engine, cuzk_open_params *list, size_t room, size_t *n,
                             cuzk_error *error)
{
    (void)error;
    *n = engine_params_list(list, room, engine);
    return CUZK_OK;
}

cuzk_status cuzk_memory_take(cuzk_engine *engine, uint64_t bytes, cuzk_error *error)
{
    cuzk_error err;

    return error_give(error, engine_memory_take(engine, bytes, &err), &err);
}

void cuzk_memory_give(cuzk_engine *engine, uint64_t bytes)
{
    engine_memory_give(engine, bytes);
}
