/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* cuzk: prove, verify, make and inspect parameters and circuits on this machine. */

#include <stdio.h>
#include <string.h>

#include "base/cpu.h"
#include "cli/commands.h"
#include "cli/shown.h"
#include "cli/streams.h"

static int refuse(const char *text)
{
    (void)fprintf(stderr, "cuzk: %s\n", text);
    return 2;
}

static int run(int argc, char **argv)
{
    static char version[] = "version";
    char *version_alone[] = {version, NULL};
    const options_command_t *command;
    const char *text;

    if (argc < 2) return refuse("a command is needed (see cuzk --help)");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        program_print_usage(&cuzk_program);
        return 0;
    }
    if (strcmp(argv[1], "--version") == 0) return command_version.run(1, version_alone);
    if (!cpu_level_check(&text)) return refuse(text);
    command = program_find(&cuzk_program, argv[1]);
    if (command != NULL) return command->run(argc - 1, argv + 1);
    (void)fprintf(stderr, "cuzk: \"%s\" is not a command (see cuzk --help)\n", shown(argv[1]));
    return 2;
}

int main(int argc, char **argv)
{
    streams_begin();
    return streams_end("cuzk", run(argc, argv));
}
