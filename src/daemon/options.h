/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_DAEMON_OPTIONS_H
#define CUZK_DAEMON_OPTIONS_H

/* The command line of cuzk-daemon. */

#include "daemon/config.h"
#include "options/options.h"

#define DAEMON_DEFAULT_CONFIG "/data/zk/cuzk.toml"

/** Text points into argv; NULL: not given. */
typedef struct {
    const char *config; /* where none is given, DAEMON_DEFAULT_CONFIG is read if it is there */
    const char *listen, *log_level;
    const char *check_config;
    bool print_config, print_manual, version, help;
} daemon_options_t;

/** options_parse() takes it. It runs nothing. */
extern const options_command_t daemon_command;

/** Reads a program's whole command line. CUZK_ERR_ARG names the option, the value and the limit. */
cuzk_status daemon_options_parse(daemon_options_t *options, int argc, char **argv, cuzk_error *err);

/** Prints to standard output what the command line asks for in place of a daemon: help, version,
 *  an explained configuration, the manual page. *done: it did. CUZK_ERR_MEMORY. */
cuzk_status daemon_options_print(bool *done, const daemon_options_t *options, cuzk_error *err);

/** Puts what the command line sets over *config. CUZK_ERR_ARG names the option. */
cuzk_status daemon_options_apply(config_t *config, const daemon_options_t *options,
                                 cuzk_error *err);

#endif
