/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* cuzk-bench: what the parts of the prover cost on this machine. */

#include <stdio.h>
#include <string.h>

#include "base/cpu.h"
#include "bench/build_info.h"
#include "bench/commands.h"
#include "cli/shown.h"
#include "cli/streams.h"

int command_run(const options_command_t *command, void *options, const char **words,
                cuzk_status (*body)(const void *options, cuzk_error *err), int argc, char **argv)
{
    cuzk_error err;
    bool help;

    cuzk_status st = options_parse(command, options, words, &help, argc, argv, &err);
    if (help) {
        options_print_help("cuzk-bench", command);
        return 0;
    }
    if (st == CUZK_OK) st = body(options, &err);
    if (st != CUZK_OK) (void)fprintf(stderr, "cuzk-bench %s: %s\n", command->name, err.text);
    return status_exit_code(st);
}

static void print_usage(void)
{
    (void)printf("usage: cuzk-bench COMMAND ...     (cuzk-bench COMMAND --help tells its "
                 "options)\n\n");
    for (size_t i = 0; i < bench_n_commands; i++)
        (void)printf("  %-12s %s\n", bench_commands[i]->name, bench_commands[i]->summary);
}

static void print_version(void)
{
    (void)printf("cuzk-bench %s (kernels: %s)\ncommit: %s\ncompiler: %s\n", CUZK_VERSION,
                 cpu_level_name(cpu_level_used()), build_commit(), build_compiler());
    build_print_parts();
}

static bool is_global(const char *word)
{
    return option_is(word, "-a") || option_is(word, "--addr") || option_is(word, "--log-level");
}

/* The options of all commands that speak to a daemon may stand before the command's name: it is put
 * before them. */
static void command_first(int argc, char **argv)
{
    int at = 1;

    while (at < argc && is_global(argv[at])) at += strchr(argv[at], '=') != NULL ? 1 : 2;
    if (at >= argc) return;
    char *command = argv[at];
    memmove(&argv[2], &argv[1], (size_t)(at - 1) * sizeof *argv);
    argv[1] = command;
}

static int run(int argc, char **argv)
{
    const char *text;

    if (argc >= 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        print_usage();
        return 0;
    }
    if (argc >= 2 && strcmp(argv[1], "--version") == 0) {
        print_version();
        return 0;
    }
    if (!cpu_level_check(&text)) {
        (void)fprintf(stderr, "cuzk-bench: %s\n", text);
        return 2;
    }
    command_first(argc, argv);
    for (size_t i = 0; argc >= 2 && i < bench_n_commands; i++)
        if (strcmp(argv[1], bench_commands[i]->name) == 0)
            return bench_commands[i]->run(argc - 1, argv + 1);
    (void)fprintf(stderr, "cuzk-bench: %s%s%s (see cuzk-bench --help)\n", argc >= 2 ? "\"" : "",
                  argc >= 2 ? shown(argv[1]) : "a command is needed",
                  argc >= 2 ? "\" is not a command" : "");
    return 2;
}

int main(int argc, char **argv)
{
    streams_begin();
    return streams_end("cuzk-bench", run(argc, argv));
}
