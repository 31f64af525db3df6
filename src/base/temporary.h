/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BASE_TEMPORARY_H
#define CUZK_BASE_TEMPORARY_H

/* Files and folders that end with the process which made them. Each is locked by its descriptor for
 * as long as it is in use, so that one whose process was killed can be told from one at work: the
 * next to make a temporary of the same name removes those that nobody holds. */

#include <stdbool.h>

/** A temporary's path is the prefix it was made with and this many letters and digits. */
enum { TEMPORARY_RANDOM = 6 };

typedef struct {
    char *path; /* owned; NULL: none */
    int fd;     /* a file's is open for writing; it holds the lock */
    bool is_folder;
} temporary_t;

/** Makes PREFIXxxxxxx, with the permissions the process gives its files, or 0700 for a folder, and
 *  removes what killed processes of this user have left of that prefix. 0, or errno and *t is
 *  cleared. Where the file system has no locks it is made without one, and nothing is removed. */
int temporary_make(temporary_t *t, const char *prefix, bool is_folder);

/** Removes it (a folder with all that is in it) and clears *t. Harmless on a cleared object. */
void temporary_remove(temporary_t *t);

/** Forgets it without removing it, for one that has been renamed; clears *t. */
void temporary_release(temporary_t *t);

#endif
