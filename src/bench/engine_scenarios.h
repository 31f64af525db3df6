/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_ENGINE_SCENARIOS_H
#define CUZK_BENCH_ENGINE_SCENARIOS_H

/* What an engine does under several jobs, as numbers: docs/benchmarks.md says what each is. */

#include "bench/engine_cases.h"
#include "codec/json_write.h"

typedef struct {
    const char *params; /* folder; NULL: the default one */
    uint32_t threads;   /* 0: as many as CPUs */
    uint32_t runs;      /* of what is measured more than once; the median is given */
    int bulk;           /* the case that stands for bulk work */
} scenario_options_t;

/** Writes the scenario's members into the open object. Errors as the engine's calls have them. */
typedef cuzk_status (*scenario_fn)(json_writer_t *w, const scenario_options_t *o, cuzk_error *err);

/** A WinningPoSt alone, and beside bulk work that was there before. */
cuzk_status scenario_priority(json_writer_t *w, const scenario_options_t *o, cuzk_error *err);

/** Four jobs of the bulk case, one after the other, and overlapped. */
cuzk_status scenario_pipeline(json_writer_t *w, const scenario_options_t *o, cuzk_error *err);

/** How long a job takes to stop that is cancelled in each of its stages, and what it leaves. */
cuzk_status scenario_cancel(json_writer_t *w, const scenario_options_t *o, cuzk_error *err);

/** What the ledger reserves for a proof of each kind, and what is allocated. */
cuzk_status scenario_budget(json_writer_t *w, const scenario_options_t *o, cuzk_error *err);

/** CPU time with many threads, and how busy many cores would be. */
cuzk_status scenario_scale(json_writer_t *w, const scenario_options_t *o, cuzk_error *err);

/** An engine with the options' folder and threads; budget and serial as cuzk_engine_options. */
cuzk_status scenario_engine(cuzk_engine **engine, const scenario_options_t *o, uint32_t threads,
                            bool serial, cuzk_error *err);

/** Submits a case, waits, throws the proof away; *timings may be NULL. */
cuzk_status scenario_prove(cuzk_timings *timings, cuzk_engine *engine, const proof_case_t *c,
                           cuzk_error *err);

/** A short sleep. */
void scenario_pause(uint64_t ns);

#endif
