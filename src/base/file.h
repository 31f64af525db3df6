/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BASE_FILE_H
#define CUZK_BASE_FILE_H

/* Files from outside: large ones are read piece by piece, small ones whole. None is mapped, so that
 * a fault of the disk, or a file that another program shortens, is an error and not a signal. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

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

/** What stands at a path where a regular file is meant, for messages: "not a regular file". */
const char *file_kind_text(mode_t mode);

/* In the following three a path may be the name of a stream that is open already: "-" (standard
 * input or output), /dev/stdin, /dev/stdout, /dev/stderr, /dev/fd/N or /proc/self/fd/N, which is
 * what a shell's <(...) gives. That stream is used, whatever it is. Anything else is a regular
 * file; a folder, named pipe, socket or device is refused at once, and never opened. */

/** Reads a whole file or stream of at most max bytes; a stream is waited for. *bytes has one zero
 *  byte after its end and 64 spare bytes, and is released with free(). CUZK_ERR_FORMAT when it is
 *  longer than max; else as file_open() and file_read_at(). */
cuzk_status file_read(uint8_t **bytes, size_t *length, const char *path, size_t max,
                      cuzk_error *err);

/** Writes a whole file by atomic_file.h: opened, written, committed; or to a stream. /dev/null is
 *  taken, and nothing is written. */
cuzk_status file_write(const char *path, const void *bytes, size_t n, bool replace,
                       cuzk_error *err);

/** Whether file_write() would do, before the work that gives the bytes; leaves nothing. */
cuzk_status file_probe(const char *path, bool replace, cuzk_error *err);

/** Whether path names an open stream. */
bool file_is_stream(const char *path);

#endif
