/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CLI_SELECT_H
#define CUZK_CLI_SELECT_H

/* What all commands share: which circuit, how to report. */

#include "cuzk/cuzk.h"
#include "options/options.h"
#include "registry/registry.h"

/** --sector-size and --registered-proof. */
typedef struct {
    const char *sector_size;
    const char *registered_proof;
} selection_t;

#define SELECTION_ROWS(type, field)                                                                \
    {"--sector-size",                                                                              \
     "SIZE",                                                                                       \
     "2KiB, 8MiB, 512MiB, 32GiB or 64GiB",                                                         \
     offsetof(type, field.sector_size),                                                            \
     0,                                                                                            \
     0,                                                                                            \
     OPTION_TEXT},                                                                                 \
    {                                                                                              \
        "--registered-proof", "N|NAME", "the chain's number or name, in place of the size",        \
            offsetof(type, field.registered_proof), 0, 0, OPTION_TEXT                              \
    }

#define THREADS_ROW(type, field)                                                                   \
    {                                                                                              \
        "--threads", "N", "worker threads (default: one a CPU)", offsetof(type, field), 1, 1024,   \
            OPTION_U32                                                                             \
    }

#define PARAMS_ROW(type, field)                                                                    \
    {                                                                                              \
        "--params", "DIR", "parameter folder (else $FIL_PROOFS_PARAMETER_CACHE or the default)",   \
            offsetof(type, field), 0, 0, OPTION_TEXT                                               \
    }

/** The kind a word names, among those of mask (1 << kind); what: the word's place, for the error.
 */
cuzk_status select_kind(circuit_kind *kind, const char *what, const char *word, unsigned mask,
                        cuzk_error *err);

/** The registered proof that the options name; a size alone means the newest rules. */
cuzk_status select_proof(registered_proof_t *proof, const selection_t *selection, circuit_kind kind,
                         cuzk_error *err);

/** CUZK_ERR_ARG when a wanted option was not given. */
cuzk_status require_option(bool given, const char *name, cuzk_error *err);

/** Prints "cuzk COMMAND: TEXT" to stderr unless st is CUZK_OK, and returns the exit code. */
int finish(const char *command, cuzk_status st, const cuzk_error *err);

/** A cuzk_progress that writes to stderr: one line that changes on a terminal, lines elsewhere.
 *  arg is a progress_t. */
typedef struct {
    bool terminal;
    bool dirty; /* the terminal's line has text */
} progress_t;

void progress_init(progress_t *progress);
void progress_report(void *arg, const char *stage, size_t index, size_t count);

/** Clears the terminal's line before other output. */
void progress_end(progress_t *progress);

#endif
