/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CLI_COMMANDS_H
#define CUZK_CLI_COMMANDS_H

/* The commands of cuzk, one file each. */

#include "cli/options.h"

extern const command_t command_circuit;
extern const command_t command_witness;
extern const command_t command_setup;
extern const command_t command_params;
extern const command_t command_prove;
extern const command_t command_verify;

#endif
