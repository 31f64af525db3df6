/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* Scripts that complete command lines, made from the commands' tables. */

#include <stdio.h>
#include <string.h>

#include "options/program.h"

/* What may stand for an argument. */
typedef enum { ARGUMENT_NONE, ARGUMENT_ANY, ARGUMENT_WORDS, ARGUMENT_FILE, ARGUMENT_FOLDER } want_t;

static want_t option_wants(const option_row_t *row)
{
    if (row->type == OPTION_FLAG) return ARGUMENT_NONE;
    if (option_has_words(row)) return ARGUMENT_WORDS;
    if (strcmp(row->argument, "FILE") == 0) return ARGUMENT_FILE;
    return strcmp(row->argument, "DIR") == 0 ? ARGUMENT_FOLDER : ARGUMENT_ANY;
}

/* Whether words after the first one are files. */
static bool takes_files(const options_command_t *command)
{
    return command->arguments != NULL && strstr(command->arguments, "FILE") != NULL;
}

/* "one|another" with blanks between. */
static void print_words(const char *list)
{
    while (list != NULL) {
        const char *word = list;
        const size_t length = option_next_word(&list);

        (void)printf("%.*s%s", (int)length, word, list != NULL ? " " : "");
    }
}

static void print_commands(const options_program_t *program)
{
    for (size_t i = 0; i < program->n_commands; i++)
        (void)printf("%s%s", i > 0 ? " " : "", program->commands[i]->name);
}

/* What the first word of a command may be, with blanks between; nothing when it is free. */
static void print_first_words(const options_program_t *program, const options_command_t *command)
{
    if (command->words != NULL)
        print_words(command->words);
    else if (command->arguments != NULL && strstr(command->arguments, "COMMAND") != NULL)
        print_commands(program);
}

/* Text that goes between single quotes, in which the shell writes one as `quote`; a backslash is
 * put before the characters of `special`. */
static void print_quoted(const char *text, const char *quote, const char *special)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            (void)fputs(quote, stdout);
        else
            (void)printf("%s%c", strchr(special, *text) != NULL ? "\\" : "", *text);
    }
}

/* ---- bash -------------------------------------------------------------------------------------
 */

/* What comes after an option that takes an argument. */
static void print_bash_argument(const options_command_t *command, const option_row_t *row)
{
    const want_t want = option_wants(row);

    if (want == ARGUMENT_NONE) return;
    (void)printf("    '%s %s')", command->name, row->name);
    if (want == ARGUMENT_WORDS) {
        (void)printf(" words='");
        print_words(row->argument);
        (void)putchar('\'');
    } else if (want != ARGUMENT_ANY) {
        (void)printf(" paths=%s", want == ARGUMENT_FILE ? "-f" : "-d");
    } else {
        (void)printf(" :");
    }
    (void)printf(" ;;\n");
}

/* What else may come in a command's line. */
static void print_bash_command(const options_program_t *program, const options_command_t *command)
{
    (void)printf("    %s)\n        options='--help", command->name);
    for (size_t i = 0; i < command->n_rows; i++) (void)printf(" %s", command->rows[i].name);
    (void)printf("'\n        taking=' ");
    for (size_t i = 0; i < command->n_rows; i++)
        if (command->rows[i].type != OPTION_FLAG) (void)printf("%s ", command->rows[i].name);
    (void)printf("'\n        first='");
    print_first_words(program, command);
    (void)printf("'\n        rest=%s ;;\n", takes_files(command) ? "-f" : "");
}

/* Up to the words of the program itself: *current is what is being written, *previous what stands
 * before it, an equals sign left out. */
static const char bash_begin[] =
    "    local current=${COMP_WORDS[COMP_CWORD]} at=$COMP_CWORD i\n"
    "    local options='' taking='' first='' rest='' words='' paths='' n=0\n"
    "    [ \"$current\" = = ] && current='' && at=$((at + 1))\n"
    "    local previous=${COMP_WORDS[at - 1]} command=${COMP_WORDS[1]}\n"
    "    [ \"$previous\" = = ] && previous=${COMP_WORDS[at - 2]}\n"
    "    COMPREPLY=()\n";

/* Whether this is the first word that is no option; then what was found is handed over. */
static const char bash_end[] =
    "        for ((i = 2; i < COMP_CWORD; i++)); do\n"
    "            case ${COMP_WORDS[i]} in\n"
    "            =) ;;\n"
    "            -*) case $taking in *\" ${COMP_WORDS[i]} \"*)\n"
    "                i=$((i + 1)); [ \"${COMP_WORDS[i]}\" = = ] && i=$((i + 1)) ;; esac ;;\n"
    "            *) n=$((n + 1)) ;;\n"
    "            esac\n"
    "        done\n"
    "        case $current in\n"
    "        -*) words=$options ;;\n"
    "        *) if [ $n -eq 0 ]; then words=$first; else paths=$rest; fi\n"
    "            [ -z \"$words$paths\" ] && words=$options ;;\n"
    "        esac ;;\n"
    "    esac\n"
    "    if [ -n \"$paths\" ]; then\n"
    "        mapfile -t COMPREPLY < <(compgen \"$paths\" -- \"$current\")\n"
    "        compopt -o filenames 2>/dev/null\n"
    "    else\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
    "    fi\n";

static void print_bash(const options_program_t *program)
{
    (void)printf("# bash completion for %s, made by: %s completion bash\n_%s()\n{\n%s"
                 "    if [ \"$COMP_CWORD\" -eq 1 ]; then command=''; fi\n"
                 "    case $command in\n    '') options='--help --version ",
                 program->name, program->name, program->name, bash_begin);
    print_commands(program);
    (void)printf("' ;;\n");
    for (size_t i = 0; i < program->n_commands; i++)
        print_bash_command(program, program->commands[i]);
    (void)printf("    esac\n    case \"$command $previous\" in\n    ' '*) words=$options ;;\n");
    for (size_t i = 0; i < program->n_commands; i++)
        for (size_t k = 0; k < program->commands[i]->n_rows; k++)
            print_bash_argument(program->commands[i], &program->commands[i]->rows[k]);
    (void)printf("    *)\n%s}\ncomplete -F _%s %s\n", bash_end, program->name, program->name);
}

/* ---- zsh --------------------------------------------------------------------------------------
 */

static const char zsh_quote[] = "'\\''";
static const char zsh_special[] = "[]:\\";

static void print_zsh_option(const option_row_t *row)
{
    const bool takes_equals = row->type != OPTION_FLAG && strncmp(row->name, "--", 2) == 0;

    (void)printf(" \\\n            '%s%s%s[", row->type == OPTION_TEXTS ? "*" : "", row->name,
                 takes_equals ? "=" : "");
    print_quoted(row->help, zsh_quote, zsh_special);
    (void)putchar(']');
    if (row->type != OPTION_FLAG) (void)printf(":argument:");
    switch (option_wants(row)) {
    case ARGUMENT_WORDS:
        (void)putchar('(');
        print_words(row->argument);
        (void)putchar(')');
        break;
    case ARGUMENT_FILE:
        (void)printf("_files");
        break;
    case ARGUMENT_FOLDER:
        (void)printf("_files -/");
        break;
    case ARGUMENT_NONE:
    case ARGUMENT_ANY:
        break;
    }
    (void)putchar('\'');
}

static void print_zsh_command(const options_program_t *program, const options_command_t *command)
{
    const uint32_t most = command->n_arguments + command->n_optional;

    (void)printf("    %s)\n        _arguments '(- *)'{-h,--help}'[tell its options]'",
                 command->name);
    if (most > 0) {
        (void)printf(" \\\n            '1:argument:(");
        print_first_words(program, command);
        (void)printf(")'");
    }
    if (takes_files(command)) (void)printf(" \\\n            '*:file:_files'");
    for (size_t i = 0; i < command->n_rows; i++) print_zsh_option(&command->rows[i]);
    (void)printf(" ;;\n");
}

static void print_zsh(const options_program_t *program)
{
    (void)printf("#compdef %s\n# zsh completion, made by: %s completion zsh\n_%s()\n{\n"
                 "    local -a commands\n    commands=(\n",
                 program->name, program->name, program->name);
    for (size_t i = 0; i < program->n_commands; i++) {
        (void)printf("        '%s:", program->commands[i]->name);
        print_quoted(program->commands[i]->summary, zsh_quote, "\\");
        (void)printf("'\n");
    }
    (void)printf("    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n"
                 "        return\n    fi\n    shift words\n    (( CURRENT-- ))\n"
                 "    case $words[1] in\n");
    for (size_t i = 0; i < program->n_commands; i++)
        print_zsh_command(program, program->commands[i]);
    (void)printf("    esac\n}\nif [ \"$funcstack[1]\" = _%s ]; then _%s \"$@\"; "
                 "else compdef _%s %s; fi\n",
                 program->name, program->name, program->name, program->name);
}

/* ---- fish -------------------------------------------------------------------------------------
 */

static const char fish_quote[] = "\\'";

static void print_fish_option(const options_program_t *program, const options_command_t *command,
                              const option_row_t *row)
{
    const bool is_long = strncmp(row->name, "--", 2) == 0;

    (void)printf("complete -c %s -n '__%s_in %s' -%c %s", program->name, program->name,
                 command->name, is_long ? 'l' : 's', row->name + (is_long ? 2 : 1));
    switch (option_wants(row)) {
    case ARGUMENT_WORDS:
        (void)printf(" -x -a '");
        print_words(row->argument);
        (void)putchar('\'');
        break;
    case ARGUMENT_FILE:
        (void)printf(" -r -F");
        break;
    case ARGUMENT_FOLDER:
        (void)printf(" -x -a '(__fish_complete_directories)'");
        break;
    case ARGUMENT_ANY:
        (void)printf(" -x");
        break;
    case ARGUMENT_NONE:
        break;
    }
    (void)printf(" -d '");
    print_quoted(row->help, fish_quote, "\\");
    (void)printf("'\n");
}

static void print_fish_command(const options_program_t *program, const options_command_t *command)
{
    const char *const name = program->name;

    (void)printf("complete -c %s -n '__%s_in \"\"' -a %s -d '", name, name, command->name);
    print_quoted(command->summary, fish_quote, "\\");
    (void)printf("'\ncomplete -c %s -n '__%s_in %s' -l help -s h -d 'tell its options'\n", name,
                 name, command->name);
    if (command->n_arguments + command->n_optional > 0) {
        (void)printf("complete -c %s -n '__%s_in %s' -a '", name, name, command->name);
        print_first_words(program, command);
        (void)printf("'\n");
    }
    if (takes_files(command))
        (void)printf("complete -c %s -n '__%s_in %s' -F\n", name, name, command->name);
    for (size_t i = 0; i < command->n_rows; i++)
        print_fish_option(program, command, &command->rows[i]);
}

static void print_fish(const options_program_t *program)
{
    (void)printf("# fish completion, made by: %s completion fish\n"
                 "function __%s_in\n    set -l words (commandline -opc)\n"
                 "    test \"$words[2]\" = \"$argv[1]\"\nend\ncomplete -c %s -f\n"
                 "complete -c %s -n '__%s_in \"\"' -l help -d 'tell the commands'\n"
                 "complete -c %s -n '__%s_in \"\"' -l version -d 'tell the version'\n",
                 program->name, program->name, program->name, program->name, program->name,
                 program->name, program->name);
    for (size_t i = 0; i < program->n_commands; i++)
        print_fish_command(program, program->commands[i]);
}

void program_print_completion(const options_program_t *program, program_shell shell)
{
    if (shell == SHELL_BASH)
        print_bash(program);
    else if (shell == SHELL_ZSH)
        print_zsh(program);
    else
        print_fish(program);
}
