/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BASE_ATOMIC_FILE_H
#define CUZK_BASE_ATOMIC_FILE_H

/* Files we make: written beside their place, synced, then renamed, so that a reader sees the old
 * file or the whole new one. */

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

/** The temporary file of PATH is PATH, this, and ATOMIC_FILE_RANDOM characters; a process that is
 *  killed leaves it. */
#define ATOMIC_FILE_TEMPORARY ".tmp."
enum { ATOMIC_FILE_RANDOM = 6 };

typedef struct {
    FILE *stream; /* buffered, binary; the caller writes here */
    char *path;   /* where it will stand */
    char *temporary;
    bool replace; /* may an existing file be replaced? */
} atomic_file_t;

/** Opens a temporary file in the folder of path, for writing. With replace false an existing path
 *  is refused (CUZK_ERR_ARG), now and again at commit. */
cuzk_status atomic_file_open(atomic_file_t *file, const char *path, bool replace, cuzk_error *err);

/** Flushes, syncs, renames into place and syncs the folder; on any failure the temporary file is
 *  removed. The object is cleared either way. */
cuzk_status atomic_file_commit(atomic_file_t *file, cuzk_error *err);

/** Removes the temporary file; for error paths. Harmless on a cleared object. */
void atomic_file_discard(atomic_file_t *file);

/** The three steps above for bytes that are in memory; path "-" is standard output, and a device
 *  or pipe is written to as it is. */
cuzk_status write_file(const char *path, const void *bytes, size_t n, bool replace,
                       cuzk_error *err);

#endif
