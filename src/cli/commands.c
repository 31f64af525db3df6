/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli/commands.h"

#include "cuzk/cuzk.h"

static const options_command_t *const commands[] = {
    &command_prove,   &command_verify,  &command_setup,  &command_params,     &command_circuit,
    &command_witness, &command_version, &command_doctor, &command_completion, &command_man};

const options_program_t cuzk_program = {
    .name = "cuzk",
    .summary = "prove and verify Filecoin's proofs, make and inspect parameters and circuits",
    .version = CUZK_VERSION,
    .commands = commands,
    .n_commands = sizeof commands / sizeof commands[0],
    .notes = "exit codes: 0 done, valid; 1 a proof that is not valid; 2 refused (usage, input,\n"
             "parameters); 3 the machine failed (memory, disk), or a fault of ours",
};
