/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_STORE_STORE_FOLDER_H
#define CUZK_STORE_STORE_FOLDER_H

/* The folder of a store: a lock, so that one process has it, and a file requests/ID for each
 * long request. No file counts without its row in the database, which is written last. */

#include "store/store_rules.h"

typedef struct {
    char *path, *requests; /* FOLDER, FOLDER/requests; owned */
    int fd, requests_fd;
    int lock_fd; /* holds the lock */
} store_folder_t;

/** Makes what is missing, and locks it: errors of store_sqlite_open(). Close with
 *  store_folder_close() on every return. */
cuzk_status store_folder_open(store_folder_t *folder, const char *path, cuzk_error *err);
void store_folder_close(store_folder_t *folder);

/** Opens FOLDER/NAME, made when it is missing, for reading and writing: a regular file, no link.
 *  CUZK_ERR_MISSING, CUZK_ERR_IO, CUZK_ERR_BUDGET. */
cuzk_status store_folder_open_file(int *fd, const store_folder_t *folder, const char *name,
                                   cuzk_error *err);

/** Syncs the folder, and the one it lies in: for what has been made there. */
void store_folder_sync(const store_folder_t *folder);

/** Writes a request, and syncs it and its name. Nothing is left of one that fails.
 *  CUZK_ERR_BUDGET: the disk is full; CUZK_ERR_MISSING, CUZK_ERR_IO. */
cuzk_status store_folder_write(const store_folder_t *folder, const char *id, const uint8_t *bytes,
                               size_t n, cuzk_error *err);

/** Reads a request of that length and seal. *bytes is released with free(). CUZK_ERR_FORMAT: it is
 *  gone, cut or changed; CUZK_ERR_IO, CUZK_ERR_MEMORY. */
cuzk_status store_folder_read(uint8_t **bytes, const store_folder_t *folder, const char *id,
                              size_t length, const uint8_t seal[STORE_SEAL_BYTES], cuzk_error *err);

/** CUZK_ERR_FORMAT when a request is not there, or not of that length. */
cuzk_status store_folder_look(const store_folder_t *folder, const char *id, uint64_t length,
                              cuzk_error *err);

/** Removes a request. What cannot be removed is left to the next store_folder_sweep(). */
void store_folder_remove(const store_folder_t *folder, const char *id);

/** Removes the requests that keep() does not know. Files that have no job's id for a name are not
 *  ours, and left alone. */
cuzk_status store_folder_sweep(const store_folder_t *folder,
                               cuzk_status (*keep)(void *arg, const char *id, bool *is_kept,
                                                   cuzk_error *err),
                               void *arg, cuzk_error *err);

#endif
