/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CLI_COMMANDS_H
#define CUZK_CLI_COMMANDS_H

/* The commands of cuzk, one file each. */

#include "options/program.h"

extern const options_command_t command_circuit;
extern const options_command_t command_completion;
extern const options_command_t command_doctor;
extern const options_command_t command_man;
extern const options_command_t command_params;
extern const options_command_t command_prove;
extern const options_command_t command_setup;
extern const options_command_t command_verify;
extern const options_command_t command_version;
extern const options_command_t command_witness;

/** All of them. */
extern const options_program_t cuzk_program;

#endif
