/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* cuzk: prove, verify, make and inspect parameters and circuits on this machine. */

#include <stdio.h>
#include <string.h>

#include "base/cpu.h"
#include "cli/commands.h"
#include "cli/streams.h"
#include "cuzk/cuzk.h"

static const options_command_t *const commands[] = {&command_prove,   &command_verify,
                                                    &command_setup,   &command_params,
                                                    &command_circuit, &command_witness};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_usage(FILE *out)
{
    (void)fprintf(out, "usage: cuzk COMMAND ...     (cuzk COMMAND --help tells its options)\n\n");
    for (int i = 0; i < COMMANDS; i++)
        (void)fprintf(out, "  %-9s %s\n", commands[i]->name, commands[i]->summary);
    (void)fprintf(out,
                  "\nexit codes: 0 done, valid; 1 a proof that is not valid; 2 refused (usage, "
                  "input,\nparameters); 3 the machine failed (memory, disk), or a fault of ours\n");
}

static int refuse(const char *text)
{
    (void)fprintf(stderr, "cuzk: %s\n", text);
    return 2;
}

static int run(int argc, char **argv)
{
    const char *text;

    if (argc < 2) return refuse("a command is needed (see cuzk --help)");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_usage(stdout);
        return 0;
    }
    if (strcmp(argv[1], "--version") == 0) {
        (void)printf("cuzk %s (kernels: %s)\n", cuzk_version(), cpu_level_name(cpu_level_used()));
        return 0;
    }
    if (!cpu_level_check(&text)) return refuse(text);
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(argv[1], commands[i]->name) == 0) return commands[i]->run(argc - 1, argv + 1);
    (void)fprintf(stderr, "cuzk: \"%s\" is not a command (see cuzk --help)\n", argv[1]);
    return 2;
}

int main(int argc, char **argv)
{
    streams_begin();
    return streams_end("cuzk", run(argc, argv));
}
