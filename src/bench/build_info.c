/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/build_info.h"

#include <stdio.h>

void build_print_parts(void)
{
#ifdef CUZK_SYNTH_ONLY
    (void)puts("has:   kernels, synth-only, pce, pce-pipeline, ab (built with CUZK_SYNTH_ONLY)\n"
               "lacks: prove, GPU, daemon");
#else
    (void)puts("has:   kernels, synth-only, pce, pce-pipeline, prove, engine, ab\n"
               "lacks: GPU, daemon");
#endif
#ifdef CUZK_PERF
    (void)puts("counters: perf_event_open, encoded by libpfm4");
#else
    (void)puts("counters: of getrusage only (built without libpfm4)");
#endif
}
