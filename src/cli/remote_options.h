/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CLI_REMOTE_OPTIONS_H
#define CUZK_CLI_REMOTE_OPTIONS_H

/* Which daemon, and how it is spoken to. */

#include "options/options.h"

typedef struct {
    const char *address;
    const char *token_file;
    const char *ca;
    const char *certificate, *key;
} remote_options_t;

/** The rows but for the address; names begin with `prefix`: "--" or "--daemon-". */
#define REMOTE_ROWS(prefix, type, field)                                                           \
    {prefix "token-file",                                                                          \
     "FILE",                                                                                       \
     "its first line is the daemon's token",                                                       \
     offsetof(type, field.token_file),                                                             \
     0,                                                                                            \
     0,                                                                                            \
     OPTION_TEXT},                                                                                 \
        {prefix "ca",                                                                              \
         "FILE",                                                                                   \
         "https: who signs the daemon's certificate (default: the system's)",                      \
         offsetof(type, field.ca),                                                                 \
         0,                                                                                        \
         0,                                                                                        \
         OPTION_TEXT},                                                                             \
        {prefix "certificate",                                                                     \
         "FILE",                                                                                   \
         "https: the own one, where the daemon asks for it",                                       \
         offsetof(type, field.certificate),                                                        \
         0,                                                                                        \
         0,                                                                                        \
         OPTION_TEXT},                                                                             \
    {                                                                                              \
        prefix "key", "FILE", "https: the key of that certificate", offsetof(type, field.key), 0,  \
            0, OPTION_TEXT                                                                         \
    }

#endif
