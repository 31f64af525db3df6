/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_ENGINE_CASES_H
#define CUZK_BENCH_ENGINE_CASES_H

/* One small input of each proof kind, within the program: the golden cases of 2 KiB sectors. */

#include "codec/vanilla_list.h"
#include "cuzk/cuzk.h"

enum { ENGINE_CASES = 4 };

/** A request that can be submitted; its bytes lie in the structure's own memory. */
typedef struct {
    const char *name; /* "porep", "update", "winning", "window" */
    cuzk_request request;
    cuzk_bytes c1;
    vanilla_list_t vanilla;
    uint8_t *text;
} engine_case_t;

/** Case i < ENGINE_CASES, in the order of the names above; release with engine_case_clear(). */
cuzk_status engine_case_open(engine_case_t *c, int i, cuzk_error *err);
void engine_case_clear(engine_case_t *c);

#endif
