/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CLI_SELECT_H
#define CUZK_CLI_SELECT_H

/* What all commands share: which circuit, how to report. */

#include "cuzk/text.h"
#include "options/options.h"

/** --sector-size and --registered-proof. */
typedef struct {
    const char *sector_size;
    const char *registered_proof;
} selection_t;

#define KIND_WORDS        "porep|update|winning|window"
#define SECTOR_SIZE_WORDS "2KiB|8MiB|512MiB|32GiB|64GiB"

#define SELECTION_ROWS(type, field)                                                                \
    {"--sector-size",                                                                              \
     SECTOR_SIZE_WORDS,                                                                            \
     "the sector's size",                                                                          \
     offsetof(type, field.sector_size),                                                            \
     0,                                                                                            \
     0,                                                                                            \
     OPTION_WORD},                                                                                 \
    {                                                                                              \
        "--registered-proof", "N|NAME",                                                            \
            "the chain's number or name, or the reference's, in place of the size",                \
            offsetof(type, field.registered_proof), 0, 0, OPTION_TEXT                              \
    }

#define THREADS_ROW(type, field)                                                                   \
    {                                                                                              \
        "--threads", "N", "worker threads (default: one for each CPU)", offsetof(type, field), 1,  \
            1024, OPTION_U32                                                                       \
    }

#define QUIET_ROW(type, field)                                                                     \
    {                                                                                              \
        "--quiet", NULL, "no line on a terminal that says how far it is", offsetof(type, field),   \
            0, 0, OPTION_FLAG                                                                      \
    }

#define PARAMS_ROW(type, field)                                                                    \
    {                                                                                              \
        "--params", "DIR", "parameter folder (else $FIL_PROOFS_PARAMETER_CACHE or the default)",   \
            offsetof(type, field), 0, 0, OPTION_TEXT                                               \
    }

/** The registered proof that the options name; a size alone means the newest rules. */
cuzk_status select_proof(cuzk_proof_info *proof, const selection_t *selection, cuzk_kind kind,
                         cuzk_error *err);

/** CUZK_ERR_ARG when a wanted option was not given. */
cuzk_status require_option(bool given, const char *name, cuzk_error *err);

/** Prints "cuzk COMMAND: TEXT" to stderr unless st is CUZK_OK, and returns the exit code. */
int finish(const char *command, cuzk_status st, const cuzk_error *err);

#endif
