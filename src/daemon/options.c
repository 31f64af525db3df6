/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "daemon/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options/program.h"

#define FIELD(name) offsetof(daemon_options_t, name)

static const option_row_t rows[] = {
    {"--config", "FILE", "the configuration; " DAEMON_DEFAULT_CONFIG " where it is there",
     FIELD(config), 0, 0, OPTION_TEXT},
    {"-c", "FILE", "likewise", FIELD(config), 0, 0, OPTION_TEXT},
    {"--listen", "ADDRESS", "HOST:PORT or unix:///PATH, in place of daemon.listen", FIELD(listen),
     0, 0, OPTION_TEXT},
    {"-l", "ADDRESS", "likewise", FIELD(listen), 0, 0, OPTION_TEXT},
    {"--log-level", "error|warn|info|debug|trace", "in place of logging.level", FIELD(log_level), 0,
     0, OPTION_WORD},
    {"--check-config", "FILE", "say whether a configuration is right, and start nothing",
     FIELD(check_config), 0, 0, OPTION_TEXT},
    {"--print-config", NULL, "print a configuration that explains every key and sets none",
     FIELD(print_config), 0, 0, OPTION_FLAG},
    {"--print-manual", NULL, "print the manual page, for man -l -", FIELD(print_manual), 0, 0,
     OPTION_FLAG},
    {"--version", NULL, "print the version", FIELD(version), 0, 0, OPTION_FLAG},
};

const options_command_t daemon_command = {
    .name = "cuzk-daemon",
    .summary = "Serves Filecoin's proofs over gRPC, as Curio asks for them.",
    .rows = rows,
    .n_rows = sizeof rows / sizeof rows[0],
    .notes = "The defaults give way to the environment ($FIL_PROOFS_PARAMETER_CACHE,\n"
             "$CUZK_GPU_THREADS, $RUST_LOG), that to the configuration, and that to the command\n"
             "line. SIGTERM and SIGINT end it: calls under way have daemon.shutdown_timeout.",
};

static const options_command_t *const commands[] = {&daemon_command};

static const options_program_t program = {
    .name = "cuzk-daemon",
    .summary = "serve Filecoin's proofs over gRPC",
    .version = CUZK_VERSION,
    .commands = commands,
    .n_commands = 1,
    .notes = "exit codes: 0 ended as asked, configuration right; 2 refused (usage, configuration,\n"
             "files, an address in use); 3 the machine failed (memory, disk), or a fault of ours",
};

cuzk_status daemon_options_parse(daemon_options_t *options, int argc, char **argv, cuzk_error *err)
{
    bool help;

    *options = (daemon_options_t){0};
    const cuzk_status st = options_parse(&daemon_command, options, NULL, &help, argc, argv, err);
    options->help = help;
    return st;
}

cuzk_status daemon_options_print(bool *done, const daemon_options_t *options, cuzk_error *err)
{
    *done = true;
    if (options->help) {
        options_print_help(program.name, &daemon_command);
        (void)printf("\n%s\n", program.notes);
    } else if (options->version) {
        (void)printf("%s %s\n", program.name, program.version);
    } else if (options->print_manual) {
        program_print_manual(&program, &daemon_command);
    } else if (options->print_config) {
        char *text = config_explain(err);

        if (text == NULL) return err->status;
        (void)fputs(text, stdout);
        free(text);
    } else {
        *done = false;
    }
    return CUZK_OK;
}

cuzk_status daemon_options_apply(config_t *config, const daemon_options_t *options, cuzk_error *err)
{
    cuzk_status st = CUZK_OK;

    if (options->listen != NULL)
        st = config_set(config, "daemon.listen", options->listen, "--listen", err);
    if (st == CUZK_OK && options->log_level != NULL)
        st = config_set(config, "logging.level", options->log_level, "--log-level", err);
    return st;
}
