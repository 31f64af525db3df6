/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_AB_PROGRAM_H
#define CUZK_BENCH_AB_PROGRAM_H

/* The cuzk-bench that runs a side of an A/B measurement: this one, or that of another build, so
 * that commits can be compared. */

#include <stdbool.h>

#include "bench/child.h"

enum { AB_VERSION_BYTES = 64, AB_COMMIT_BYTES = 64 };

typedef struct {
    char path[CHILD_PATH_BYTES];    /* absolute */
    char version[AB_VERSION_BYTES]; /* "0.1.0 (kernels: ifma)" */
    char commit[AB_COMMIT_BYTES];   /* empty when it does not tell */
    bool is_other;                  /* not this program */
} ab_program_t;

/** Finds what `path` names and asks it for its version; NULL is this program. option is what the
 *  path was given with ("--a"). CUZK_ERR_MISSING: there is no such file; CUZK_ERR_ARG: it is not a
 *  regular file, is not executable, or does not answer as a cuzk-bench does. */
cuzk_status ab_program_open(ab_program_t *program, const char *option, const char *path,
                            cuzk_error *err);

/** Takes version and commit from what --version printed; false when that is not a cuzk-bench's. */
bool ab_program_read_version(ab_program_t *program, const char *text);

#endif
