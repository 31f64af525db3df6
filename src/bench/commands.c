/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/commands.h"

const options_command_t *const bench_commands[] = {
    &command_kernels,     &command_synth_only, &command_pce,    &command_pce_pipeline,
#ifndef CUZK_SYNTH_ONLY
    &command_prove_bench, &command_engine,
#endif
    &command_ab,
#ifdef CUZK_DAEMON
    &command_single,      &command_batch,      &command_stress, &command_status,
    &command_metrics,     &command_preload,
#endif
};

const size_t bench_n_commands = sizeof bench_commands / sizeof *bench_commands;
