/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* Command lines, a word a line, the program's name first: parsed by the tables of cuzk and
 * cuzk-bench, and the sides of an A/B measurement by theirs. Nothing is run. */

#include <stdlib.h>
#include <string.h>

#include "base/fuzz_support.h"
#include "bench/ab_config.h"
#include "bench/commands.h"
#include "cli/commands.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_WORDS = 256, MAX_ARGUMENTS = 8, FIELD_BYTES = 64 };

/* In place of main.c's: no command is run. */
int command_run(const options_command_t *command, void *options, const char **words,
                cuzk_status (*body)(const void *options, cuzk_error *err), int argc, char **argv)
{
    (void)command;
    (void)options;
    (void)words;
    (void)body;
    (void)argc;
    (void)argv;
    abort();
}

/* Every table can be printed as help. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    for (size_t i = 0; i < cuzk_program.n_commands; i++)
        options_print_help("cuzk", cuzk_program.commands[i]);
    for (size_t i = 0; i < bench_n_commands; i++)
        options_print_help("cuzk-bench", bench_commands[i]);
    ab_config_print_keys();
    return 0;
}

static const options_command_t *find(const char *program, const char *name)
{
    const bool is_bench = strcmp(program, "cuzk-bench") == 0;
    const options_command_t *const *commands = is_bench ? bench_commands : cuzk_program.commands;
    const size_t n = is_bench ? bench_n_commands : cuzk_program.n_commands;

    for (size_t i = 0; i < n; i++)
        if (strcmp(commands[i]->name, name) == 0) return commands[i];
    return NULL;
}

/* Room for what a command's rows fill. */
static size_t structure_bytes(const options_command_t *command)
{
    size_t bytes = FIELD_BYTES;

    for (size_t i = 0; i < command->n_rows; i++)
        if (command->rows[i].offset + FIELD_BYTES > bytes)
            bytes = command->rows[i].offset + FIELD_BYTES;
    return bytes;
}

static cuzk_status parse(const options_command_t *command, int argc, char **argv)
{
    const char *words[MAX_ARGUMENTS];
    void *options = calloc(1, structure_bytes(command));
    bool help;
    cuzk_error err;

    if (options == NULL || command->n_arguments > MAX_ARGUMENTS) abort();
    const cuzk_status st = options_parse(command, options, words, &help, argc, argv, &err);
    if (st == CUZK_OK && !help)
        for (uint32_t i = 0; i < command->n_arguments; i++)
            if (words[i][0] == '-' && words[i][1] != '\0') abort();
    options_clear(command, options);
    free(options);
    return st;
}

/* "side", CONFIG, COMMAND and its words: a side of an A/B measurement. */
static cuzk_status parse_side(int argc, char **argv)
{
    static ab_config_t config;
    child_args_t command = {0};
    ab_subject subject;
    cuzk_error err;

    if (argc < 3) return CUZK_ERR_ARG;
    cuzk_status st = ab_subject_parse(&subject, argv[2], &err);
    if (st == CUZK_OK) st = ab_config_parse(&config, "--a", argv[1], subject, &err);
    if (st != CUZK_OK) return st;
    for (int i = 3; i < argc && st == CUZK_OK; i++) st = child_add(&command, argv[i], &err);
    if (st != CUZK_OK) return st;
    return ab_config_check(&config, "--a", &command, &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    char *argv[MAX_WORDS + 1];
    char *rest = text;
    int argc = 0;
    cuzk_status st = CUZK_ERR_ARG;

    if (text == NULL) return 0;
    if (size > 0) memcpy(text, data, size);
    text[size] = '\0';
    while (rest != NULL && argc < MAX_WORDS) argv[argc++] = strsep(&rest, "\n");
    argv[argc] = NULL;
    if (argc >= 2) {
        const options_command_t *command = find(argv[0], argv[1]);

        if (strcmp(argv[0], "side") == 0)
            st = parse_side(argc, argv);
        else if (command != NULL)
            st = parse(command, argc - 1, argv + 1);
    }
    free(text);
    fuzz_judge(st == CUZK_OK ? FUZZ_READ : FUZZ_REFUSED);
    return 0;
}
