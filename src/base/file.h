/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BASE_FILE_H
#define CUZK_BASE_FILE_H

/* Files from outside: large ones are read piece by piece, small ones whole. None is mapped, so that
 * a fault of the disk, or a file that another program shortens, is an error and not a signal. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/** A regular file open for reading. Once it is open, any number of threads may read from it. */
typedef struct {
    int fd;          /* -1: none */
    uint64_t length; /* in bytes, when it was opened */
    char *path;      /* owned */
} file_t;

/** Opens a regular file, and never waits: a folder, pipe, socket or device is refused at once. The
 *  system is told that reading goes forward. CUZK_ERR_MISSING names the path and why: not there,
 *  not a regular file, a dangling link, no permission. CUZK_ERR_MEMORY. Close with file_close(). */
cuzk_status file_open(file_t *file, const char *path, cuzk_error *err);
void file_close(file_t *file);

/** to[0 .. n-1] = the bytes at offset. Blocks. CUZK_ERR_IO "PATH: byte N: ..." when the disk fails
 *  or the file has become shorter; *to is then unspecified. */
cuzk_status file_read_at(const file_t *file, void *to, size_t n, uint64_t offset, cuzk_error *err);

/** Asks the system to have these bytes ready soon; it may ignore that. */
void file_read_ahead(const file_t *file, uint64_t offset, uint64_t n);

/** Reads a whole file, or standard input when path is "-", of at most max bytes; a pipe is waited
 *  for. *bytes has one zero byte after its end and 64 spare bytes, and is released with free().
 *  CUZK_ERR_FORMAT when it is longer than max. */
cuzk_status file_read(uint8_t **bytes, size_t *length, const char *path, size_t max,
                      cuzk_error *err);

/** Writes a whole file by atomic_file.h: opened, written, committed; path "-" is standard output,
 *  and a device or pipe is written to as it is. */
cuzk_status file_write(const char *path, const void *bytes, size_t n, bool replace,
                       cuzk_error *err);

#endif
