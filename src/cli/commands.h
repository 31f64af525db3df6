/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CLI_COMMANDS_H
#define CUZK_CLI_COMMANDS_H

/* The commands of cuzk, one file each. */

#include "options/options.h"

extern const options_command_t command_circuit;
extern const options_command_t command_witness;
extern const options_command_t command_setup;
extern const options_command_t command_params;
extern const options_command_t command_prove;
extern const options_command_t command_verify;

#endif
