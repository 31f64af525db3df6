/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "api/take.h"

#include <stdio.h>

void call_begin(strand_t *strand, cuzk_engine *engine)
{
    const work_rank_t rank = {.priority = CUZK_PRIORITY_NORMAL, .deadline_ns = UINT64_MAX};

    strand_begin(strand, engine_executor(engine), &rank, engine_stopped(engine));
}

void text_give(char *to, size_t size, const char *text)
{
    (void)snprintf(to, size, "%s", text);
}
