/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_OPTIONS_PROGRAM_H
#define CUZK_OPTIONS_PROGRAM_H

/* A program of several commands, or of one that has its name, and what is made of their tables
 * beside --help: manual pages and scripts that complete command lines. All is printed to standard
 * output. */

#include "options/options.h"

typedef struct {
    const char *name;    /* "cuzk" */
    const char *summary; /* one line, for its manual page */
    const char *version;
    const options_command_t *const *commands;
    size_t n_commands;
    const char *notes; /* what --help and the manual page end with: lines */
} options_program_t;

/** The command of that name; NULL when there is none. */
const options_command_t *program_find(const options_program_t *program, const char *name);

/** The program's --help. */
void program_print_usage(const options_program_t *program);

/** The manual page (groff, man macros) of a command, or of the program when command is NULL. */
void program_print_manual(const options_program_t *program, const options_command_t *command);

typedef enum { SHELL_BASH, SHELL_ZSH, SHELL_FISH } program_shell;

/** A script for a shell that completes commands, options, their fixed values, files and folders. */
void program_print_completion(const options_program_t *program, program_shell shell);

#endif
