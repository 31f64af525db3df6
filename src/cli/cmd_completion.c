/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/select.h"

static int run(int argc, char **argv);

const options_command_t command_completion = {
    .name = "completion",
    .summary = "print a script that completes command lines",
    .arguments = "SHELL",
    .n_arguments = 1,
    .words = "bash|zsh|fish",
    .notes = "SHELL: bash, zsh or fish. For the shell that runs:\n"
             "  bash   source <(cuzk completion bash)\n"
             "  zsh    source <(cuzk completion zsh)     (after compinit)\n"
             "  fish   cuzk completion fish | source",
    .run = run,
};

static cuzk_status print_script(const char *word, cuzk_error *err)
{
    const struct {
        const char *name;
        program_shell shell;
    } shells[] = {{"bash", SHELL_BASH}, {"zsh", SHELL_ZSH}, {"fish", SHELL_FISH}};

    for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++) {
        if (strcmp(word, shells[i].name) != 0) continue;
        program_print_completion(&cuzk_program, shells[i].shell);
        return CUZK_OK;
    }
    return error_set(err, CUZK_ERR_ARG, "SHELL: \"%s\" is none of bash, zsh, fish", word);
}

static int run(int argc, char **argv)
{
    const char *word;
    cuzk_error err;
    bool help;

    cuzk_status st = options_parse(&command_completion, NULL, &word, &help, argc, argv, &err);
    if (help) {
        options_print_help("cuzk", &command_completion);
        return 0;
    }
    if (st == CUZK_OK) st = print_script(word, &err);
    return finish("completion", st, &err);
}
