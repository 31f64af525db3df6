/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BASE_ATOMIC_FILE_H
#define CUZK_BASE_ATOMIC_FILE_H

/* Files we make: written beside their place, synced, then renamed, so that a reader sees the old
 * file or the whole new one. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/temporary.h"

/** The temporary file of PATH is PATH, this, and TEMPORARY_RANDOM characters. A process that is
 *  killed leaves it, and the next one that writes PATH removes it. */
#define ATOMIC_FILE_TEMPORARY ".cuzk-tmp."

typedef struct {
    FILE *stream; /* buffered, binary; the caller writes here, forward only; it has no descriptor */
    struct atomic_file_sink *sink; /* where the stream's bytes go, and what became of them */
    char *path;                    /* where the file will stand */
    temporary_t temporary;
    bool replace; /* may an existing file be replaced? */
} atomic_file_t;

/** Opens a temporary file in the folder of path, for writing. Only a regular file may stand at path
 *  already, and with replace false none (CUZK_ERR_ARG), now and again at commit. CUZK_ERR_MISSING
 *  when the folder is not there or closed to us; CUZK_ERR_IO, CUZK_ERR_MEMORY. */
cuzk_status atomic_file_open(atomic_file_t *file, const char *path, bool replace, cuzk_error *err);

/** Whether atomic_file_open() would do, and leaves nothing: to know it before long work. */
cuzk_status atomic_file_probe(const char *path, bool replace, cuzk_error *err);

/** CUZK_ERR_IO, naming both numbers, when the disk has no room for this many bytes or the process
 *  may not write a file so long. */
cuzk_status atomic_file_check_room(const atomic_file_t *file, uint64_t bytes, cuzk_error *err);

/** CUZK_OK, or CUZK_ERR_IO with the cause of the first write that failed: for long work, to stop at
 *  a full disk. What is still in the stream's buffer has not been tried. */
cuzk_status atomic_file_status(const atomic_file_t *file, cuzk_error *err);

/** Flushes, syncs, renames into place and syncs the folder; on any failure the temporary file is
 *  removed, and the error tells the cause of the first write that failed. The object is cleared
 *  either way. Where the file system can neither rename without replacing nor make hard links,
 *  a file that appears at path in the last moment is replaced even with replace false. */
cuzk_status atomic_file_commit(atomic_file_t *file, cuzk_error *err);

/** The same for files that belong together: all are flushed and synced before the first is renamed.
 *  When a rename fails, those of this call that replaced nothing are taken back. */
cuzk_status atomic_file_commit_all(atomic_file_t *const files[], size_t n, cuzk_error *err);

/** Removes the temporary file; for error paths. Harmless on a cleared object. */
void atomic_file_discard(atomic_file_t *file);

#endif
