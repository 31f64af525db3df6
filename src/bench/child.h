/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_CHILD_H
#define CUZK_BENCH_CHILD_H

/* Programs run as children, and a scratch folder for their files. */

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/temporary.h"

enum { CHILD_MAX_ARGS = 128, CHILD_PATH_BYTES = 4096 };

/** A command line, NULL-terminated; texts are borrowed. */
typedef struct {
    const char *args[CHILD_MAX_ARGS];
    uint32_t n;
} child_args_t;

/** CUZK_ERR_ARG when there are too many. */
cuzk_status child_add(child_args_t *args, const char *text, cuzk_error *err);

/** Path of this program. */
cuzk_status child_self(char path[CHILD_PATH_BYTES], cuzk_error *err);

/** Runs a program (found in PATH when it has no slash) and waits for it. Its standard output goes
 *  to (*out)[0 .. *length-1], followed by 64 zero bytes; release with free(). Its standard error is
 *  ours. `set` is "NAME=VALUE" for its environment, or NULL. It is ended when this process ends.
 *  CUZK_CANCELLED: a signal came (cli/interrupt.h);
 *  CUZK_ERR_MEMORY: none for its output, or that is over 256 MiB;
 *  CUZK_ERR_MISSING: there is no such program; CUZK_ERR_ARG: it ended with exit code 2;
 *  CUZK_ERR_INTERNAL: in another way that is not 0. */
cuzk_status child_run(uint8_t **out, size_t *length, const child_args_t *args, const char *set,
                      cuzk_error *err);

/** Makes a folder under $TMPDIR, else /tmp, for as long as which signals set interrupt_token() and
 *  do not end the program: what is done there has to look at it. CUZK_ERR_ARG when none can be made
 *  there. */
cuzk_status scratch_make(temporary_t *folder, cuzk_error *err);

/** Removes a folder and the files in it; harmless on a cleared one. */
void scratch_remove(temporary_t *folder);

#endif
