/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_COMMANDS_H
#define CUZK_BENCH_COMMANDS_H

/* The commands of cuzk-bench, one file each. */

#include "options/options.h"

extern const options_command_t command_kernels;
extern const options_command_t command_synth_only;
extern const options_command_t command_prove_bench; /* not with CUZK_SYNTH_ONLY */
extern const options_command_t command_engine;      /* likewise */
extern const options_command_t command_ab;
extern const options_command_t command_pce;
extern const options_command_t command_pce_pipeline;
extern const options_command_t command_single; /* with CUZK_DAEMON, and those below */
extern const options_command_t command_batch;
extern const options_command_t command_stress;
extern const options_command_t command_status;
extern const options_command_t command_metrics;
extern const options_command_t command_preload;

/** Those that are built in. */
extern const options_command_t *const bench_commands[];
extern const size_t bench_n_commands;

/** Parses argv into the structure at `options` and calls body, or prints the command's help;
 *  reports errors and returns the exit code. words as in options_parse(). */
int command_run(const options_command_t *command, void *options, const char **words,
                cuzk_status (*body)(const void *options, cuzk_error *err), int argc, char **argv);

#endif
