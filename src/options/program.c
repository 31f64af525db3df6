/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "options/program.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

const options_command_t *program_find(const options_program_t *program, const char *name)
{
    for (size_t i = 0; i < program->n_commands; i++)
        if (strcmp(name, program->commands[i]->name) == 0) return program->commands[i];
    return NULL;
}

void program_print_usage(const options_program_t *program)
{
    (void)printf("usage: %s COMMAND ...     (%s COMMAND --help tells its options)\n\n",
                 program->name, program->name);
    for (size_t i = 0; i < program->n_commands; i++)
        (void)printf("  %-10s %s\n", program->commands[i]->name, program->commands[i]->summary);
    (void)printf("\n%s\n", program->notes);
}

/* ---- manual pages -----------------------------------------------------------------------------
 */

/* Text as groff takes it: hyphens that can be copied, no line that begins as a request. */
static void print_roff(const char *text)
{
    bool at_start = true;

    for (; *text != '\0'; text++) {
        if (at_start && (*text == '.' || *text == '\'')) (void)fputs("\\&", stdout);
        at_start = *text == '\n';
        if (*text == '-')
            (void)fputs("\\-", stdout);
        else if (*text == '\\')
            (void)fputs("\\e", stdout);
        else
            (void)putchar(*text);
    }
}

/* Lines as they stand. */
static void print_lines(const char *heading, const char *text)
{
    (void)printf(".SH %s\n.nf\n", heading);
    print_roff(text);
    (void)printf("\n.fi\n");
}

static void print_upper(const char *text)
{
    for (; *text != '\0'; text++) (void)putchar(toupper((unsigned char)*text));
}

/* The page's title line, its name, and the beginning of its synopsis. */
static void print_head(const options_program_t *program, const char *command, const char *summary)
{
    const bool is_program = command == NULL || strcmp(command, program->name) == 0;
    const char *join = is_program ? "" : "\\-";
    const char *name = is_program ? "" : command;

    (void)printf(".TH \"");
    print_upper(program->name);
    (void)printf("%s", join);
    print_upper(name);
    (void)printf("\" 1 \"\" \"%s %s\" \"User commands\"\n", program->name, program->version);
    (void)printf(".SH NAME\n%s%s%s \\- ", program->name, join, name);
    print_roff(summary);
    (void)printf("\n.SH SYNOPSIS\n.B %s%s%s\n", program->name, is_program ? "" : " ", name);
}

static void print_option(const option_row_t *row)
{
    (void)printf(".TP\n\\fB");
    print_roff(row->name);
    (void)printf("\\fR");
    if (row->argument != NULL) {
        (void)printf(" \\fI");
        print_roff(row->argument);
        (void)printf("\\fR");
    }
    (void)putchar('\n');
    print_roff(row->help);
    (void)putchar('\n');
}

static void print_command_page(const options_program_t *program, const options_command_t *command)
{
    print_head(program, command->name, command->summary);
    if (command->arguments != NULL) print_roff(command->arguments);
    (void)printf("%s%s\n", command->arguments != NULL ? " " : "",
                 command->n_rows > 0 ? "[options]" : "");
    if (command->n_rows > 0) (void)printf(".SH OPTIONS\n");
    for (size_t i = 0; i < command->n_rows; i++) print_option(&command->rows[i]);
    if (command->notes != NULL) print_lines("DESCRIPTION", command->notes);
    print_lines("NOTES", program->notes);
    if (strcmp(command->name, program->name) != 0)
        (void)printf(".SH SEE ALSO\n.BR %s (1)\n", program->name);
}

static void print_program_page(const options_program_t *program)
{
    print_head(program, NULL, program->summary);
    (void)printf(".I COMMAND\n\\&...\n.SH COMMANDS\n");
    for (size_t i = 0; i < program->n_commands; i++) {
        (void)printf(".TP\n.B %s\n", program->commands[i]->name);
        print_roff(program->commands[i]->summary);
        (void)putchar('\n');
    }
    print_lines("NOTES", program->notes);
    (void)printf(".SH SEE ALSO\n");
    for (size_t i = 0; i < program->n_commands; i++)
        (void)printf(".BR %s\\-%s (1)%s\n", program->name, program->commands[i]->name,
                     i + 1 < program->n_commands ? "," : "");
}

void program_print_manual(const options_program_t *program, const options_command_t *command)
{
    if (command != NULL)
        print_command_page(program, command);
    else
        print_program_page(program);
}
