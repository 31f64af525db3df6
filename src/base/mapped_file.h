/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BASE_MAPPED_FILE_H
#define CUZK_BASE_MAPPED_FILE_H

/* Files from outside: mapped read-only when large, read whole when small. */

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/** A read-only mapping. A file that another program shortens while it is mapped ends the process
 *  with SIGBUS when the missing part is touched; do not edit parameter files in place. */
typedef struct {
    const uint8_t *bytes; /* NULL when length is 0 */
    size_t length;
} mapped_file_t;

/** Maps a regular file. CUZK_ERR_MISSING names the path and why: not there, a folder, a dangling
 *  link, no permission. Close with mapped_file_close(). */
cuzk_status mapped_file_open(mapped_file_t *file, const char *path, cuzk_error *err);
void mapped_file_close(mapped_file_t *file);

/** Reads a whole file, or standard input when path is "-", of at most max bytes; *bytes has one
 *  zero byte after its end and 64 spare bytes, and is released with free(). CUZK_ERR_FORMAT when
 *  it is longer than max. */
cuzk_status read_file(uint8_t **bytes, size_t *length, const char *path, size_t max,
                      cuzk_error *err);

#endif
