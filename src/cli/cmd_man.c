/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdio.h>

#include "cli/commands.h"
#include "cli/select.h"

static int run(int argc, char **argv);

const options_command_t command_man = {
    .name = "man",
    .summary = "print a manual page",
    .arguments = "[COMMAND]",
    .n_optional = 1,
    .notes = "Of cuzk, or of one of its commands; to read it: cuzk man prove | man -l -",
    .run = run,
};

static int run(int argc, char **argv)
{
    const options_command_t *command = NULL;
    const char *word;
    cuzk_error err;
    bool help;

    cuzk_status st = options_parse(&command_man, NULL, &word, &help, argc, argv, &err);
    if (help) {
        options_print_help("cuzk", &command_man);
        return 0;
    }
    if (st == CUZK_OK && word != NULL) {
        command = program_find(&cuzk_program, word);
        if (command == NULL)
            st = error_set(&err, CUZK_ERR_ARG, "\"%s\" is not a command (see cuzk --help)", word);
    }
    if (st == CUZK_OK) program_print_manual(&cuzk_program, command);
    return finish("man", st, &err);
}
